"""*Learn* can be read in its order: what a chapter needs stands before it."""

import re

import pytest
import yaml
from helpers import ROOT

from book.build.project import Project

CHAPTERS = {
    chapter.name: chapter.path.read_text("utf-8") for chapter in Project(ROOT).on_disk()
}
PARTS = {
    part["caption"].removeprefix("Learn: "): [
        chapter["file"] for chapter in part["chapters"]
    ]
    for part in yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))["parts"]
    if part["caption"].startswith("Learn: ")
}
LEARN = [name for names in PARTS.values() for name in names]
DEEPER = set(PARTS["deeper"])
LABEL = re.compile(r"^\(([\w-]+)\)=$|:label: ([\w-]+)", re.MULTILINE)
REFERENCE = re.compile(r"\{ref\}`(?:[^`<]*<)?([\w-]+)>?`")
EQUATION = re.compile(r"\{(?:eq|prf:ref)\}`([\w-]+)`")
OPENED = re.compile(r"^(:{3,}|`{3,})\{dropdown\}.*?^\1$", re.MULTILINE | re.DOTALL)
CLASSED = re.compile(
    r"^(`{3,})\{admonition\}[^\n]*\n:class: dropdown.*?^\1$", re.MULTILINE | re.DOTALL
)
HOME = {
    label: name
    for name, text in CHAPTERS.items()
    for label in ("".join(pair) for pair in LABEL.findall(text))
}


def needs(name: str) -> set[str]:
    """Return the chapters that the box of a chapter says one needs."""
    box = re.search(r"\*\*You need\*\* (.+)", CHAPTERS[name])
    return {HOME[label] for label in REFERENCE.findall(box[1])} if box else set()


def path() -> list[str]:
    """Return the ten stops."""
    stops = re.search(r"```\{div\} path\n(.*?)```", CHAPTERS["story"], re.DOTALL)[1]
    return [HOME[label] for label in REFERENCE.findall(stops)]


@pytest.mark.parametrize("name", LEARN)
def test_what_a_chapter_needs_stands_before_it(name):
    assert needs(name) <= set(LEARN[: LEARN.index(name)])


@pytest.mark.parametrize("name", [name for name in LEARN if name not in DEEPER])
def test_what_is_marked_deeper_is_not_needed_by_what_is_not(name):
    assert not needs(name) & DEEPER
    unfolded = CLASSED.sub("", OPENED.sub("", CHAPTERS[name])).split("## Exercises")[0]
    quoted = {HOME[label] for label in EQUATION.findall(unfolded)}
    assert not quoted & DEEPER, "an equation or a theorem of a deeper chapter"


def test_the_path_has_ten_stops_and_none_needs_anything_off_it():
    stops = path()
    assert len(stops) == len(set(stops)) == 10
    for number, name in enumerate(stops):
        assert needs(name) <= set(stops[:number]), name
