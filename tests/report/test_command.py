"""The command line: streams, help, what it refuses, and what it prints."""

import io
import json
import os
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from helpers import ROOT
from tempered_models import outputs, write

import calib
from calib_report.command import main
from calib_report.contract import CONTRACT
from calib_report.files.extras import EXTRAS


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("report outputs.npz -o report.txt", "must end in .html or .md or .json"),
        ("report outputs.npz -o none/report.html", "there is no folder"),
        ("report outputs.npz -o folder.html", "folder.html: is a folder"),
        ("report outputs.npz -o c.html", "c.json: is a folder"),
        ("report b-map.json -o b.html", "b-map.json: is read, so it cannot be written"),
        ("apply map.json outputs.npz -o outputs.npz", "outputs.npz: is read"),
        ("report outputs.npz -o a.html --cost miss=1", "cost: 'miss=1' of the classes"),
        ("report outputs.npz -o cl.json --classes cl.json", "cl.json: is read"),
        ("report outputs.npz -o co.json --cost co.json", "co.json: is read"),
        (
            "report outputs.npz -o a.html --coverage 2",
            "coverage: 2.0, expected a number between",
        ),
        ("report outputs.npz -o a.html --seed -1", "seed: -1"),
        ("export map.json -o a.txt", "must end in .pt or .onnx"),
        (
            "check outputs.npz --max area=0.1",
            "with one of 'accuracy', 'nll', 'brier', 'ece'",
        ),
        ("check outputs.npz --max 0.1", "'0.1': expected NAME=NUMBER"),
        (
            "check outputs.npz --min auroc=0.8",
            "auroc-of-the-confidence is of all answers",
        ),
        ("check outputs.npz --max ece=low", "ece: 'low', expected a number"),
        ("check outputs.npz --max-risk 3", "max_risk: 3.0"),
        ("check outputs.npz --classes none.txt", "none.txt: No such file"),
        ("check outputs.npz --classes y.npy", "y.npy: not a text file"),
        ("apply none.npz outputs.npz -o a.npz", "none.npz: No such file"),
        ("apply map.json wide.npz -o a.npz", "wide.npz: 5 classes, and the map has 4"),
    ],
)
def test_wrong_arguments_get_one_line_and_leave_nothing(
    npz, tmp_path, monkeypatch, capsys, line, message
):
    monkeypatch.chdir(tmp_path)
    source = outputs(2.0, n=100)
    np.save("y.npy", source["y"])
    np.savez("wide.npz", logits=np.ones((2, 5)))
    calib.save_map(calib.VectorScaling().fit(source["logits"], source["y"]), "map.json")
    (tmp_path / "b-map.json").write_bytes(Path(npz).read_bytes())
    (tmp_path / "cl.json").write_text("a\nb\nc\nd\n")
    (tmp_path / "co.json").write_text("0,1\n1,0\n")
    for folder in ("folder.html", "c.json"):
        (tmp_path / folder).mkdir()
    before = sorted(tmp_path.iterdir())
    assert main(line.split()) == 2
    *notes, error = capsys.readouterr().err.splitlines()
    assert message in error and all("note:" in line for line in notes)
    assert sorted(tmp_path.iterdir()) == before


def test_the_demo_is_followed_by_what_it_says_and_files_come_by_streams(
    tmp_path, monkeypatch, capfdbinary
):
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "d.csv"]) == 0
    assert (
        main(capfdbinary.readouterr().out.decode().partition("now: calib ")[2].split())
        == 0
    )
    of_file = json.loads((tmp_path / "report.json").read_text())
    assert {row["group"] for row in of_file["groups"]["orchard"]} == {
        "north",
        "south",
        "west",
    }
    content = (tmp_path / "d.csv").read_bytes()

    def fed(line):
        capfdbinary.readouterr()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert main(line.split()) == 0
        return capfdbinary.readouterr().out

    numbers = json.loads(fed("report - -o -"))
    assert numbers["before"] == of_file["before"]
    assert numbers["provenance"]["command"] == "calib report - -o -"
    applied = fed("apply report-map.json - -o -").decode().splitlines()
    assert (
        applied[0].startswith("label,orchard,probability_apple")
        and len(applied) == 3001
    )


def test_what_steers_a_terminal_is_printed_as_its_code(tmp_path, capsys):
    source = outputs(2.0, n=400)
    source["classes"] = np.array(["a", "b", "c", "d\x1b]0;PWN\x07"])
    misnamed = source | {"y": np.array(source["classes"])[source["y"]]}
    misnamed["y"][3] = "\x1b[2Jx"
    path = write(tmp_path / "a.npz", **misnamed)
    assert main(["check", path]) == 2
    assert "\x1b" not in capsys.readouterr().err
    assert main(["demo", str(tmp_path / "\x1b[2J.csv")]) == 0
    output = capsys.readouterr().out
    assert "\x1b" not in output and r"\x1b[2J" in output


def test_calib_alone_prints_help_and_each_help_says_what_a_file_must_look_like(capsys):
    assert main([]) == 0
    assert "calib report predictions.csv --groups orchard" in capsys.readouterr().out
    for command in ("report", "check"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        output = capsys.readouterr().out
        assert CONTRACT in output and "reading:" in output


def test_a_missing_extra_is_named(npz, monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert main(["report", npz, "-o", str(tmp_path / "a.html")]) == 2
    assert (
        "the extra 'report' brings it: pip install '.[report]'"
        in capsys.readouterr().err
    )
    monkeypatch.setitem(sys.modules, "pandas", None)
    (tmp_path / "a.csv").write_text("y,a,b\n0,1,2\n")
    assert main(["check", str(tmp_path / "a.csv")]) == 2
    assert "pip install '.[files]' in a checkout" in capsys.readouterr().err


def test_the_extras_are_those_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for extra, modules in EXTRAS.items():
        requirements = " ".join(project["optional-dependencies"][extra])
        requirements = requirements.replace("scikit-learn", "sklearn").replace(
            "[plots]", "matplotlib"
        )
        assert all(module in requirements for module in modules), extra
        assert len(modules) == requirements.count(">=") + requirements.count(
            "neural"
        ) + ("dask" == extra)


@pytest.mark.skipif(os.name == "nt", reason="devices and pipes of POSIX")
def test_devices_and_pipes_are_refused_at_once(tmp_path, capsys):
    (tmp_path / "zero.npz").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.csv")
    zero, pipe = str(tmp_path / "zero.npz"), str(tmp_path / "pipe.csv")
    for line in (
        ["check", zero],
        ["check", pipe],
        ["apply", zero, "a.npz", "-o", f"{pipe}.npz"],
    ):
        assert main(line) == 2
        error = capsys.readouterr().err
        assert "not a regular file" in error and error.count("\n") == 1
