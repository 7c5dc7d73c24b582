"""Two models are compared sample by sample."""

import json

import numpy as np
import pytest
from tempered_models import outputs

import calib
import calib_report
from calib_report import compare
from calib_report.commands.main import main

NUMBERS = {"first": 0.5, "second": 0.25, "difference": -0.25}
ROWS = {
    "NLL": NUMBERS | {"low": -0.375, "high": -0.125},
    "accuracy": NUMBERS,
    "MCE": NUMBERS | {"refused": "mce: no interval"},
    "AURC": NUMBERS | {"refused": "aurc: no interval"},
}


@pytest.fixture
def printed(folder, monkeypatch, capsys):
    """A function of options: what is printed of `ROWS` and of two files, the first in per cent."""
    monkeypatch.setattr("calib_report.commands.compare.compare", lambda *_, **__: ROWS)
    for name, table in (("a", "1,90\n0,20"), ("b", "1,0.9\n0,0.2")):
        (folder / f"{name}.csv").write_text(f"correct,confidence\n{table}\n")

    def of(*options):
        assert main(["compare", "a.csv", "b.csv", *options]) == 0
        return capsys.readouterr()

    return of


def test_a_line_has_both_numbers_and_their_difference_with_its_interval(printed):
    heading, *lines = printed("--percent").out.splitlines()
    assert heading.split() == ["first", "second", "difference", "(95", "%)"]
    numbers = "0.5000 0.2500"
    assert [" ".join(line.split()) for line in lines[:4]] == [
        f"NLL {numbers} -0.2500 (-0.3750 to -0.1250)",
        f"accuracy {numbers} -0.2500 (unknown)",
        f"MCE {numbers} refused, as below",
        f"AURC {numbers} refused, as below",
    ]
    # why is told once
    assert sum("mce: no interval" in line for line in lines) == 1
    assert not any("aurc: no interval" in line for line in lines)


def test_both_files_are_read_with_the_options_unless_one_keeps_the_contract(printed):
    notes = printed("--percent").err
    assert "b.csv keeps the contract, and is read without options" in notes
    assert "a.csv" not in notes


def test_json_is_the_rows_alone(printed):
    printed_as_json = printed("--percent", "--json")
    assert json.loads(printed_as_json.out) == ROWS and printed_as_json.err == ""


def test_the_seed_is_that_of_the_draws(folder, monkeypatch, npz):
    seeds = []

    def compare_by(*_, seed):
        seeds.append(seed)
        return ROWS

    monkeypatch.setattr("calib_report.commands.compare.compare", compare_by)
    assert main(["compare", npz, npz, "--seed", "7"]) == 0
    assert seeds == [7]


def test_numbers_that_are_printed_are_those_of_the_library(folder, capsys):
    source = outputs(2.0, n=200)
    p = calib.softmax(source["logits"] / 2)
    np.savez("a.npz", **source)
    np.savez("b.npz", y=source["y"], p=p)
    assert main(["compare", "--json", "a.npz", "b.npz"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows == compare(calib_report.read("a.npz"), calib_report.read("b.npz"))
    # one temperature changes no answer, and this one is right
    assert rows["accuracy"]["difference"] == 0
    assert rows["NLL"]["second"] == pytest.approx(calib.nll(source["y"], p))
    assert rows["NLL"]["high"] < 0
