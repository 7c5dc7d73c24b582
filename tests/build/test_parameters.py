"""Chapters that have parameters can be executed with other values."""

import nbformat
import pytest
from helpers import ROOT, skip_unless

from book.build.execute import execute_all
from book.build.project import Project

PROJECT = Project(ROOT)
OTHER = {"network_name": "cifar10-resnet20"}


def outputs(notebook):
    return [
        output.get("text") or dict(output.get("data", {}))
        for cell in notebook.cells
        for output in cell.get("outputs", [])
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["measure/which-ece", "recalibrate/decisions"])
def test_another_network_gives_other_numbers(name):
    chapter = PROJECT.chapter(name)
    built = PROJECT.executed(chapter)
    skip_unless(built.is_file(), "the chapters are not executed: make book")
    first = outputs(nbformat.read(built, as_version=4))
    execute_all(PROJECT, [chapter], OTHER, folder="other")
    second = outputs(nbformat.read(PROJECT.executed(chapter, "other"), as_version=4))
    assert len(first) == len(second)
    assert sum(a != b for a, b in zip(first, second, strict=True)) > len(first) / 3
