"""A page is written with its numbers and its map, in place of those of an earlier report."""

import json
import os
import stat

import numpy as np
import pytest
from tempered_models import outputs

from calib_report import analyse, make_report
from calib_report.commands.main import main
from calib_report.writing import make_report as module


def test_files_have_the_mode_of_the_user_and_no_map_of_an_earlier_report_stays(
    tmp_path,
):
    npz = tmp_path / "a.npz"
    np.savez(npz, **outputs(2.5, n=400))
    previous = os.umask(0o027)
    try:
        make_report(npz, tmp_path / "report.html")
        fitted = str(tmp_path / "report-map.json")
        assert main(["apply", fitted, str(npz), "-o", f"{npz}.npz"]) == 0
    finally:
        os.umask(previous)
    written = [path for path in tmp_path.iterdir() if path != npz]
    assert len(written) == 4
    assert {stat.S_IMODE(path.stat().st_mode) for path in written} == {0o640}
    make_report(outputs(2.5, n=50), tmp_path / "report.html")
    assert not (tmp_path / "report-map.json").exists()


FEW = {"y": np.arange(60) % 3, "logits": np.tile(3 * np.eye(3) - 1, (20, 1))}


@pytest.mark.parametrize(
    ("output", "names"),
    [
        ("a.html", {"a.html", "a.json", "a-map.json"}),
        ("a.json", {"a.json", "a-map.json"}),
        (None, set()),
    ],
)
def test_beside_a_page_come_the_numbers_and_the_map(output, names, folder, needs_a_map):
    make_report(needs_a_map, output)
    assert {path.name for path in folder.iterdir()} - {needs_a_map.name} == names


def test_what_is_asked_is_handed_over_by_its_name(monkeypatch):
    handed = {}

    def analyse_as(outputs, **asked):
        handed.update(asked, groups=[*outputs.groups])
        return analyse(outputs)

    monkeypatch.setattr(module, "analyse", analyse_as)
    asked = {"seed": 7, "costs": "c.csv", "coverage": 0.7, "risk": 0.1, "time": "day"}
    table = FEW | {"day": np.arange(60), "ward": np.arange(60) % 2}
    make_report(table, groups="ward", **asked)
    # moments are read as a column of groups
    assert handed == asked | {"groups": ["ward", "day"]}


def test_files_that_are_read_are_told_and_none_of_them_is_replaced(folder):
    np.savez("a.npz", logits=FEW["logits"])
    (folder / "y.csv").write_text("\n".join(["label", *map(str, FEW["y"])]))
    (folder / "names.json").write_text("a\nb\nc\n")
    options = {"labels": "y.csv", "classes": "names.json"}
    files = make_report("a.npz", **options)["provenance"]["files"]
    assert [file["name"] for file in files] == ["a.npz", "y.csv"]
    with pytest.raises(
        ValueError, match=r"names\.json: is read, so it cannot be written"
    ):
        make_report("a.npz", "names.json", **options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"output": np.eye(2)}, "output: ndarray, expected a path"),
        ({"date": 2026}, "date: 2026, expected text"),
        ({"command": ["calib"]}, r"command: \['calib'\], expected text"),
    ],
)
def test_what_is_no_text_and_no_path_is_refused(arguments, message):
    with pytest.raises(TypeError, match=message):
        make_report(FEW, **arguments)


def test_numbers_that_are_infinite_are_null_in_the_file_and_none_in_python(folder):
    p = np.tile([[0.0, 1.0], [0.6, 0.4]], (30, 1))
    numbers = make_report({"y": np.zeros(60, int), "p": p}, "a.json")
    assert numbers["before"]["NLL"]["value"] is None
    assert json.loads((folder / "a.json").read_text()) == numbers
