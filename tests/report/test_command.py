"""The command line: rules, streams, what is refused, and two models side by side."""

import io
import json
import os
import re
import sys
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from report.tempered_models import drawn, outputs, write

import calib
import calib_report
from calib_report import compare_two
from calib_report.command import main
from calib_report.contract import CONTRACT
from calib_report.formats import EXTRAS
from calib_report.measure import ENDS


@pytest.fixture
def npz(tmp_path):
    return write(tmp_path / "outputs.npz", **outputs(2.0, n=800))


@pytest.mark.slow
def test_two_models_are_compared_sample_by_sample(tmp_path, capsys):
    told = outputs(2.0, n=500)
    before = calib_report.read(told)
    p = calib.softmax(told["logits"] / 2)
    after = calib_report.read({"y": before.y, "p": p})
    found = compare_two(before, after)
    assert found["accuracy"]["difference"] == 0
    assert found["NLL"]["high"] < 0 and found["ECE, 15 bins"]["high"] < 0
    assert found["NLL"]["second"] == pytest.approx(calib.nll(before.y, p))
    np.savez(tmp_path / "a.npz", **told)
    np.savez(tmp_path / "b.npz", y=before.y, p=p)
    assert main(["compare", str(tmp_path / "a.npz"), str(tmp_path / "b.npz")]) == 0
    assert "NLL" in capsys.readouterr().out
    assert (
        main(["compare", "--json", str(tmp_path / "a.npz"), str(tmp_path / "b.npz")])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["NLL"] == found["NLL"]
    with pytest.raises(ValueError, match="not the same"):
        compare_two(before, calib_report.read(outputs(2.0, n=500, seed=1)))


def test_a_common_floor_lets_no_better_model_look_worse():
    """A gives ten true classes nothing; B gives all of them at least as much as A."""
    y = np.arange(200) % 2
    right = np.where(np.arange(200) < 10, 0.0, 0.9)
    a = np.stack([right, 1 - right], axis=1)
    b = np.where(a == 0, 1e-9, a)
    b[:10, 1] = 1 - 1e-9
    first, second = (np.where(y[:, None] == 0, p, p[:, ::-1]) for p in (a, b))
    outputs = [calib_report.read({"y": y, "p": p}) for p in (first, second)]
    assert compare_two(*outputs)["NLL"]["difference"] <= 1e-9


def test_models_are_matched_by_ids_and_pairs_by_their_questions():
    rng = np.random.default_rng(5)
    n = 300
    told, order = outputs(2.0, n=n), rng.permutation(n)
    shuffled = {name: np.asarray(values)[order] for name, values in told.items()}
    names = np.arange(n)
    first = calib_report.read(told | {"id": names})
    found = compare_two(first, calib_report.read(shuffled | {"id": names[order]}))
    assert {abs(row["difference"]) < 1e-12 for row in found.values()} == {True}
    assert len(found) > 15 and all(
        {"low", "refused"} & {*row} for row in found.values()
    )
    with pytest.raises(ValueError, match="--ids NAME"):
        compare_two(first, calib_report.read(shuffled))
    with pytest.raises(ValueError, match="0 names in 'ids' are in both"):
        compare_two(first, calib_report.read(shuffled | {"id": names + n}))
    floats = names[order].astype(float)  # as pandas writes ids once one was missing
    found = compare_two(first, calib_report.read(shuffled | {"id": floats}))
    assert {abs(row["difference"]) < 1e-12 for row in found.values()} == {True}
    turned = told | {"logits": np.asarray(told["logits"])[:, ::-1], "id": names}
    turned = calib_report.read(turned, classes=first.class_names[::-1])
    assert compare_two(first, turned)["NLL"]["difference"] == pytest.approx(0)
    with pytest.raises(ValueError, match="cannot be paired"):
        compare_two(first, first.take(np.arange(9)).annotated(ids=None))
    score = rng.random(500)
    right, surer = rng.random((2, 500)) < score
    one = calib_report.read({"confidence": score, "correct": right.astype(int)})
    other = calib_report.read(
        {"confidence": score, "correct": (right | surer).astype(int)}
    )
    change = compare_two(one, other)["accuracy"]
    assert change["low"] > 0 and change["second"] == pytest.approx(
        (right | surer).mean()
    )


def test_what_apply_writes_holds_all_that_the_file_held(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    main(["demo", "d.csv"])
    held = calib_report.read("d.csv")
    frequencies = np.bincount(held.y, minlength=4) / len(held)
    fitted = calib.TemperatureScaling().fit(held.logits, held.y)
    calib.save_map(
        fitted, "map.json", classes=held.class_names, frequencies=frequencies
    )
    assert main(["apply", "map.json", "d.csv", "-o", "new.csv"]) == 0
    was, now = (
        [line.split(",")[:2] for line in (tmp_path / name).read_text().splitlines()]
        for name in ("d.csv", "new.csv")
    )
    assert was == now
    after = calib_report.read("new.csv")
    np.testing.assert_allclose(
        after.prob, fitted.predict_proba(held.logits), atol=1e-12
    )
    assert main(["apply", "map.json", "d.csv", "-o", "p.npz"]) == 0
    with np.load("p.npz") as written:
        np.testing.assert_allclose(written["probabilities"], after.prob)
        assert written["label"].tolist() == [row[0] for row in was[1:]]
    pd.read_csv("d.csv").to_parquet("d.parquet")
    assert main(["apply", "map.json", "d.parquet", "-o", "new.parquet"]) == 0
    np.testing.assert_allclose(calib_report.read("new.parquet").prob, after.prob)
    some = {"calibration_logits": held.logits[:5], "calibration_y": held.y[:5]}
    write("a.npz", y=held.y, logits=held.logits, **some)
    assert main(["apply", "map.json", "a.npz", "-o", "b.npz"]) == 0
    with np.load("b.npz") as written:
        assert set(written) == {"y", "probabilities", "classes"}
    (tmp_path / "pair.csv").write_text(
        "question,confidence,correct\n" + "a,0.9,1\nb,0.7,0\n" * 60
    )
    pairs = calib_report.read("pair.csv")
    odds = calib.TemperatureScaling().fit(pairs.z, pairs.y)
    calib.save_map(odds, "odds.json", kind="probabilities", classes=pairs.class_names)
    assert main(["apply", "odds.json", "pair.csv", "--pairs", "-o", "told.csv"]) == 0
    told = calib_report.read("told.csv")
    assert told.task == "pairs" and (tmp_path / "told.csv").read_text().startswith(
        "question,conf"
    )
    np.testing.assert_allclose(told.pairs[0], odds.predict_proba(pairs.z)[:, 1])


def test_new_confidences_are_held_to_those_of_the_map(tmp_path, monkeypatch, capsys):
    """Of the same world nothing is said; of one that is surer, how much and by which test."""
    monkeypatch.chdir(tmp_path)
    files = {
        "fit.npz": outputs(2.0, n=900, seed=1),
        "same.npz": outputs(2.0, n=900, seed=2),
    }
    for name, held in (files | {"surer.npz": outputs(4.0, n=300, seed=3)}).items():
        write(name, **held)
    assert main(["report", "fit.npz", "-o", "r.html"]) == 0
    capsys.readouterr()
    for name, moved in (("fit.npz", False), ("same.npz", False), ("surer.npz", True)):
        assert main(["apply", "r-map.json", name, "-o", "out.npz"]) == 0
        told = capsys.readouterr().err
        assert ("not those that the map was fitted on: 9" in told) == moved, told


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
    held = outputs(2.0, n=100)
    np.save("y.npy", held["y"])
    np.savez("wide.npz", logits=np.ones((2, 5)))
    calib.save_map(calib.VectorScaling().fit(held["logits"], held["y"]), "map.json")
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


def test_a_rule_is_broken_where_chance_does_not_explain_it(tmp_path, npz, capsys):
    """The error is about .15: a bound inside its interval holds, one below it does not."""
    found = calib_report.make_report(npz)["before"]["ECE"]
    inside, below = (found["low"] + found["value"]) / 2, found["low"] - 0.01
    assert main(["check", npz]) == 0
    told = dict(line.split(None, 1) for line in capsys.readouterr().out.splitlines())
    assert told["ECE"].startswith(f"{found['value']:.4f} ({found['low']:.4f} to")
    assert main(["check", npz, "--max", f"ece={inside}", "--min", "accuracy=0.2"]) == 0
    assert main(["check", npz, "--max", f"ece={below}"]) == 3
    assert main(["check", npz, "--min", "accuracy=0.99"]) == 3
    assert capsys.readouterr().out.count("BROKEN") == 2


@pytest.mark.slow
def test_a_model_is_held_to_a_base_paired_or_by_its_report(tmp_path, npz, capsys):
    better = write(tmp_path / "better.npz", **outputs(1.0, n=800))
    base = tmp_path / "base.json"
    assert main(["report", better, "-o", str(base)]) == 0
    for against in (better, str(base)):
        assert main(["check", npz, "--against", against]) == 3
        assert main(["check", better, "--against", against]) == 0
    told = capsys.readouterr().out
    assert (
        "BROKEN NLL less that of better.npz" in told
        and "BROKEN ECE less that of base" in told
    )


def test_the_share_decided_alone_keeps_its_bound_on_new_samples(tmp_path, capsys):
    y, logits = drawn(4000, 1, 3, 2.0)
    path = write(tmp_path / "a.npz", y=y, logits=logits)
    assert main(["check", path, "--max-risk", "0.1"]) == 0
    told = capsys.readouterr().out
    threshold = float(re.search(r"confidence of ([\d.]+) on", told)[1])
    bound = float(re.search(r"at most ([\d.]+) % \(95 %", told)[1]) / 100
    assert bound <= 0.1
    y, logits = drawn(50_000, 2, 3, 2.0)
    p = calib.softmax(logits)
    kept = p.max(axis=1) >= threshold
    assert (p.argmax(axis=1) != y)[kept].mean() < bound


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
    held = outputs(2.0, n=400)
    held["classes"] = np.array(["a", "b", "c", "d\x1b]0;PWN\x07"])
    wrong = held | {"y": np.array(held["classes"])[held["y"]]}
    wrong["y"][3] = "\x1b[2Jx"
    path = write(tmp_path / "a.npz", **wrong)
    assert main(["check", path]) == 2
    assert "\x1b" not in capsys.readouterr().err
    assert main(["demo", str(tmp_path / "\x1b[2J.csv")]) == 0
    told = capsys.readouterr().out
    assert "\x1b" not in told and r"\x1b[2J" in told


def test_calib_alone_prints_help_and_each_help_says_what_a_file_must_look_like(capsys):
    assert main([]) == 0
    assert "calib report predictions.csv --groups orchard" in capsys.readouterr().out
    for command in ("report", "check"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        told = capsys.readouterr().out
        assert CONTRACT in told and "reading:" in told


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
    told = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())[
        "project"
    ]
    for extra, modules in EXTRAS.items():
        named = " ".join(told["optional-dependencies"][extra])
        named = named.replace("scikit-learn", "sklearn").replace(
            "[plots]", "matplotlib"
        )
        assert all(module in named for module in modules), extra
        assert len(modules) == named.count(">=") + named.count("neural") + (
            "dask" == extra
        )


def test_a_map_refuses_what_it_was_not_fitted_on(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    y, z = drawn(400, 0, 3)
    files = {
        "probabilities": {"probabilities": calib.softmax(z)},
        "wide": {"logits": np.c_[z, z]},
    }
    files["other"] = {"logits": z, "classes": np.array(["c", "b", "x"])}
    for name, arrays in files.items():
        write(f"{name}.npz", y=y, **arrays)
    calib.save_map(calib.VectorScaling().fit(z, y), "map.json", classes=["a", "b", "c"])
    calib.save_map(calib.TopLabel(calib.PlattScaling()).fit(z, y), "top.json")
    for name, saved, told in (
        (
            "probabilities",
            "map",
            "it holds probabilities, and the map was fitted on logits",
        ),
        ("wide", "map", "6 classes, and the map has 3"),
        ("other", "map", "the file names its classes 'c', 'b', 'x', not 'a', 'b', 'c'"),
        ("other", "top", "maps one score, and predicts no probabilities"),
    ):
        assert main(["apply", f"{saved}.json", f"{name}.npz", "-o", "none.npz"]) == 2
        error = capsys.readouterr().err
        assert told in error and error.count("\n") == 1
        assert not os.path.exists("none.npz")


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


@pytest.mark.parametrize(
    "value",
    [
        "{}",
        "null",
        "[]",
        '{"mean": 0.5}',
        '{"mean": 0.5, "counts": [1, 2]}',
        '{"mean": 1e400, "counts": COUNTS}',
        '{"mean": 0.5, "counts": ZEROS}',
    ],
)
def test_a_map_whose_confidences_are_none_is_refused_before_anything_is_written(
    tmp_path, monkeypatch, capsys, value
):
    monkeypatch.chdir(tmp_path)
    held = outputs(2.0, n=300)
    calib.save_map(
        calib.TemperatureScaling().fit(held["logits"], held["y"]), "map.json"
    )
    write("new.npz", **held)
    content = json.loads(Path("map.json").read_text()) | {"confidences": "HERE"}
    value = value.replace("COUNTS", str([1] * len(ENDS))).replace(
        "ZEROS", str([0] * len(ENDS))
    )
    Path("map.json").write_text(json.dumps(content).replace('"HERE"', value))
    assert main(["apply", "map.json", "new.npz", "-o", "out.npz"]) == 2
    assert capsys.readouterr().err.startswith("calib: map.json: ")
    assert not Path("out.npz").exists()


def test_an_array_that_bears_the_name_of_the_probabilities_is_not_replaced(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    held = outputs(2.0, n=300)
    calib.save_map(
        calib.TemperatureScaling().fit(held["logits"], held["y"]), "map.json"
    )
    write("both.npz", **held, probabilities=calib.softmax(held["logits"]))
    assert (
        main(["apply", "map.json", "both.npz", "-o", "out.npz", "--scores", "logits"])
        == 2
    )
    assert "'probabilities' already" in capsys.readouterr().err
