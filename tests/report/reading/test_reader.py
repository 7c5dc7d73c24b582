"""The door: what it opens, and one of two files as options say or without."""

import inspect
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from combined_files import HIT, TOP
from typed import typed

from calib_report.commands.main import main
from calib_report.contract import NotSaidError, ReadingError
from calib_report.options import Options
from calib_report.reading.reader import (
    arrays_and_options,
    arrays_of,
    read,
    read_either,
)

KEPT = "label p_a p_b\na .9 .1\nb .2 .8\n"


def write(name, text):
    Path(name).write_text(text.replace(" ", ","))
    return name


@pytest.mark.parametrize("name", [*inspect.signature(read).parameters][1:])
def test_each_option_is_handed_over_under_its_own_name(name, monkeypatch):
    handed = {}
    monkeypatch.setattr(Options, "of", lambda **typed: handed.update(typed))
    with pytest.raises(AttributeError):  # there are no options to read by
        read({}, **{name: "what was typed"})
    assert [n for n, value in handed.items() if value == "what was typed"] == [name]


@pytest.mark.parametrize(
    ("shape", "columns"), [((3, 1), (3,)), ((3, 2), (3, 2)), ((3, 1, 1), (3, 1, 1))]
)
def test_an_array_of_one_column_is_that_column(shape, columns):
    assert arrays_of({"p": np.zeros(shape)}).named["p"].shape == columns


def test_a_file_several_logs_and_an_object_are_opened(folder):
    for name in ("a", "b"):
        write(f"{name}.jsonl", f'{{"y":1,"p":0.5,"of":"{name}"}}\n')
    assert arrays_of("a.jsonl").named["of"].tolist() == ["a"]
    assert arrays_of(Path("a.jsonl")).named["of"].tolist() == ["a"]
    several = arrays_of(["a.jsonl", Path("b.jsonl")]).named
    assert several["of"].tolist() == ["a", "b"] and "file" in several
    # what is no path is an object: labels and scores
    pair = arrays_of((np.array([0, 1]), np.eye(2))).named
    assert list(pair) == ["y", "scores"]
    with pytest.raises(ReadingError, match=r"^y: there is no 'y', found ''$"):
        read([], y="y")


def test_columns_of_a_second_file_name_the_classes_unless_an_option_does(folder):
    write("y.csv", "a b\n1 0\n0 1\n1 1\n")
    scores = {"p": np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.7]])}
    named = Options.of(labels="y.csv", classes=["u", "v"])
    for options, classes in (
        (Options.of(labels="y.csv"), ("a", "b")),
        (named, ("u", "v")),
    ):
        assert arrays_and_options(scores, options)[1].classes == classes
    assert arrays_and_options(scores, Options())[1] == Options()


def test_an_error_names_the_file_that_it_is_about(folder):
    write("p.csv", "a b\n.9 .1\n")
    write("y.csv", "a b\n1 0\n3 2\n")
    with pytest.raises(NotSaidError, match=r"^p\.csv: "):
        read("p.csv")
    with pytest.raises(NotSaidError, match=r"^y\.csv: "):
        read("p.csv", labels="y.csv")


@pytest.mark.parametrize("typed_options", [{"percent": True}, {"y": "gold"}])
def test_a_file_that_keeps_the_contract_needs_no_options(typed_options, folder):
    write("a.csv", KEPT)
    outputs = read_either("a.csv", typed_options)
    assert outputs.notes[-1].about == "options"
    assert "a.csv keeps the contract, and is read without" in outputs.notes[-1].text
    assert not any(note.about == "options" for note in read_either("a.csv", {}).notes)


def test_of_a_file_that_keeps_no_contract_the_error_is_that_of_the_options(folder):
    write("a.csv", "x z\n1 0\n3 2\n")
    with pytest.raises(ReadingError, match="y: there is no 'gold'"):
        read_either("a.csv", {"y": "gold"})


def test_groups_are_of_a_file_that_keeps_the_contract_as_well():
    table = typed("label p_a p_b ward; a .9 .1 x; b .2 .8 z")
    outputs = read_either(table, {"percent": True, "groups": "ward"})
    assert outputs.groups["ward"].tolist() == ["x", "z"]


def test_per_cent_is_divided_where_it_is_and_fractions_are_left(tmp_path, capsys):
    rng = np.random.default_rng(0)
    sure = rng.uniform(0.5, 1, 500)
    right = (rng.random(500) < sure).astype(int)
    for name, factor in (("percent", 100), ("fractions", 1)):
        rows = [f"{factor * s},{r}" for s, r in zip(sure, right, strict=True)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["confidence,correct", *rows]))
    files = [str(tmp_path / f"{name}.csv") for name in ("percent", "fractions")]
    assert main(["compare", *files, "--percent"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"{sure.mean():.4f}     {sure.mean():.4f}" in lines[2]
    assert "no clear difference in NLL" in lines[-1]
    assert main(["check", files[1], "--against", files[0], "--percent"]) == 0


def test_per_cent_of_one_of_two_files(folder, capsys):
    pd.DataFrame({"confidence": (100 * TOP).round(), "correct": HIT}).to_csv(
        "pc.csv", index=False
    )
    pd.DataFrame({"confidence": TOP.round(2), "correct": HIT}).to_csv(
        "new.csv", index=False
    )
    assert main(["compare", "pc.csv", "new.csv", "--percent"]) == 0
    printed = capsys.readouterr()
    assert (
        "read without options" in printed.err
        and "no clear difference in NLL" in printed.out
    )
    assert main(["check", "new.csv", "--percent", "--against", "pc.csv"]) == 0
