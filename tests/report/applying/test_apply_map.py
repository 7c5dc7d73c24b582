"""A saved map is applied: what is written, what stays, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from combined_files import EVENT, MARGIN, NAMES, N, P, Y, Z
from tempered_models import drawn, outputs, write

import calib
import calib_report
from calib_report import read
from calib_report.applying.apply_map import notes_of_moved_confidences
from calib_report.applying.saved_maps import Confidences
from calib_report.commands.main import main
from calib_report.contract import ReadingError
from calib_report.measuring.tables import ENDS_OF_RANGES


@pytest.fixture
def demo(folder):
    """The demo `d.csv`, as it is read, and a map of it in `map.json`."""
    main(["demo", "d.csv"])
    outputs = calib_report.read("d.csv")
    fitted = calib.TemperatureScaling().fit(outputs.logits, outputs.y)
    frequencies = np.bincount(outputs.y, minlength=4) / len(outputs)
    about = {"classes": outputs.class_names, "frequencies": frequencies}
    calib.save_map(fitted, "map.json", **about)
    return outputs, fitted.predict_proba(outputs.logits)


def first_columns(name):
    """The first two columns of a table, with their names."""
    return [line.split(",")[:2] for line in Path(name).read_text().splitlines()]


def test_apply_writes_a_table_with_all_that_the_file_held(demo):
    assert main(["apply", "map.json", "d.csv", "-o", "new.csv"]) == 0
    assert first_columns("new.csv") == first_columns("d.csv")
    np.testing.assert_allclose(calib_report.read("new.csv").prob, demo[1], atol=1e-12)


def test_apply_writes_a_table_as_an_archive(demo):
    assert main(["apply", "map.json", "d.csv", "-o", "p.npz"]) == 0
    with np.load("p.npz") as written:
        np.testing.assert_allclose(written["probabilities"], demo[1], atol=1e-12)
        labels = [label for label, _ in first_columns("d.csv")[1:]]
        assert written["label"].tolist() == labels


def test_apply_writes_parquet_of_parquet(demo):
    pd.read_csv("d.csv").to_parquet("d.parquet")
    assert main(["apply", "map.json", "d.parquet", "-o", "new.parquet"]) == 0
    written = calib_report.read("new.parquet")
    np.testing.assert_allclose(written.prob, demo[1], atol=1e-12)


def test_what_the_map_was_fitted_on_is_not_written_beside_new_probabilities(demo):
    outputs, _ = demo
    to_fit = {"calibration_logits": outputs.logits[:5], "calibration_y": outputs.y[:5]}
    write("a.npz", y=outputs.y, logits=outputs.logits, **to_fit)
    assert main(["apply", "map.json", "a.npz", "-o", "b.npz"]) == 0
    with np.load("b.npz") as written:
        assert set(written) == {"y", "probabilities", "classes"}


def test_apply_writes_confidences_in_the_place_of_confidences(folder):
    rows = "a,0.9,1\nb,0.7,0\n" * 60
    (folder / "pair.csv").write_text(f"question,confidence,correct\n{rows}")
    pairs = calib_report.read("pair.csv")
    odds = calib.TemperatureScaling().fit(pairs.as_logits, pairs.y)
    calib.save_map(odds, "odds.json", kind="probabilities", classes=pairs.class_names)
    assert main(["apply", "odds.json", "pair.csv", "--pairs", "-o", "told.csv"]) == 0
    assert (folder / "told.csv").read_text().startswith("question,conf")
    written = calib_report.read("told.csv")
    assert written.task == "pairs"
    expected = odds.predict_proba(pairs.as_logits)[:, 1]
    np.testing.assert_allclose(written.pairs[0], expected)


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
        warning = capsys.readouterr().err
        assert ("not those that the map was fitted on: 9" in warning) == moved, warning


@pytest.fixture
def maps(folder):
    """Labels and logits of three classes, and in the folder two maps that are fitted to them."""
    y, z = drawn(400, 0, 3)
    calib.save_map(calib.VectorScaling().fit(z, y), "map.json", classes=["a", "b", "c"])
    calib.save_map(calib.TopLabel(calib.PlattScaling()).fit(z, y), "top.json")
    return y, z


OTHER_NAMES = {"classes": np.array(["c", "b", "x"])}


@pytest.mark.parametrize(
    ("saved", "arrays_of", "told"),
    [
        (
            "map",
            lambda z: {"probabilities": calib.softmax(z)},
            "it holds probabilities, and the map was fitted on logits",
        ),
        ("map", lambda z: {"logits": np.c_[z, z]}, "6 classes, and the map has 3"),
        (
            "map",
            lambda z: {"logits": z} | OTHER_NAMES,
            "the file names its classes 'c', 'b', 'x', not 'a', 'b', 'c'",
        ),
        (
            "top",
            lambda z: {"logits": z} | OTHER_NAMES,
            "maps one score, and predicts no probabilities",
        ),
    ],
)
def test_a_map_refuses_what_it_was_not_fitted_on(maps, saved, arrays_of, told, capsys):
    y, z = maps
    write("a.npz", y=y, **arrays_of(z))
    assert main(["apply", f"{saved}.json", "a.npz", "-o", "none.npz"]) == 2
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1
    assert not Path("none.npz").exists()


@pytest.mark.parametrize("line", ["apply map.json a.npz -o b.npz", "report a.npz -o -"])
def test_an_axis_that_is_none_is_refused_as_a_report_refuses_it(maps, line, capsys):
    y, z = maps
    write("a.npz", y=y, logits=z)
    assert main([*line.split(), "--class-axis", "7"]) == 2
    message = f"class-axis: 7, and scores have the shape {z.shape}"
    assert message in capsys.readouterr().err


def in_two_ranges(n, share):
    """Confidences of n samples, of which a share is in the first of two ranges."""
    low = round(n * share)
    return Confidences(0.7, np.array([low, n - low]))


def kolmogorov_smirnov(distance, n, m):
    """The p-value of a distance of two samples: 2 (e - e^4 + e^9 - ...), e = exp(-2 t^2)."""
    t = distance * np.sqrt(n * m / (n + m))
    return 2 * sum((-1) ** (k - 1) * np.exp(-2 * (k * t) ** 2) for k in range(1, 99))


@pytest.mark.parametrize(("n", "m"), [(400, 100), (100, 400), (300, 300)])
@pytest.mark.parametrize("errors", [1.6, 1.65])
def test_confidences_have_moved_where_chance_explains_it_in_less_than_one_of_a_hundred(
    n, m, errors
):
    """At 1.628 standard errors the p-value is .01; of so few, 5 % is nothing."""
    distance = errors / np.sqrt(n * m / (n + m))
    new = in_two_ranges(m, 0.5)
    old = in_two_ranges(n, 0.5 + round(distance * n) / n)
    distance = float(abs(old.counts[0] / n - 0.5))
    p_value = kolmogorov_smirnov(distance, n, m)
    notes = notes_of_moved_confidences(old, new)
    assert len(notes) == (p_value <= 0.01)
    for note in notes:
        assert f"distance {distance:.2f}, p = {p_value:.2g})" in note.text


@pytest.mark.parametrize(("share", "is_told"), [(0.549, False), (0.551, True)])
def test_of_many_samples_confidences_have_moved_from_a_twentieth_on(share, is_told):
    old, new = in_two_ranges(1_000_000, 0.5), in_two_ranges(1_000_000, share)
    assert bool(notes_of_moved_confidences(old, new)) == is_told
    assert bool(notes_of_moved_confidences(new, old)) == is_told


def test_the_distance_of_confidences_is_that_of_sums_from_below():
    """Two of four ranges are full in turn: sums 1, 1, 2, 2 of 2 and 0, 1, 1, 2: a half."""
    old = Confidences(0.9, np.array([500, 0, 500, 0]))
    new = Confidences(0.6, np.array([0, 500, 0, 500]))
    (note,) = notes_of_moved_confidences(old, new)
    assert "60 % on average, 90 % there" in note.text
    assert "distance 0.50" in note.text


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
        '{"mean": -0.5, "counts": COUNTS}',
        '{"mean": 0.5, "counts": HALVES}',
        '{"mean": 0.5, "counts": NEGATIVE}',
    ],
)
def test_a_map_whose_confidences_are_none_is_refused_before_anything_is_written(
    tmp_path, monkeypatch, capsys, value
):
    monkeypatch.chdir(tmp_path)
    source = outputs(2.0, n=300)
    calib.save_map(
        calib.TemperatureScaling().fit(source["logits"], source["y"]), "map.json"
    )
    write("new.npz", **source)
    content = json.loads(Path("map.json").read_text()) | {"confidences": "HERE"}
    arrays = {"COUNTS": 1, "ZEROS": 0, "HALVES": 0.5, "NEGATIVE": -1}
    for name, count in arrays.items():
        value = value.replace(name, str([count] * len(ENDS_OF_RANGES)))
    Path("map.json").write_text(json.dumps(content).replace('"HERE"', value))
    assert main(["apply", "map.json", "new.npz", "-o", "out.npz"]) == 2
    assert capsys.readouterr().err.startswith("calib: map.json: ")
    assert not Path("out.npz").exists()


def test_an_array_that_bears_the_name_of_the_probabilities_is_not_replaced(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    source = outputs(2.0, n=300)
    calib.save_map(
        calib.TemperatureScaling().fit(source["logits"], source["y"]), "map.json"
    )
    write("both.npz", **source, probabilities=calib.softmax(source["logits"]))
    assert (
        main(["apply", "map.json", "both.npz", "-o", "out.npz", "--scores", "logits"])
        == 2
    )
    assert "'probabilities' already" in capsys.readouterr().err


class TestFilesOfEachKind:
    def test_what_is_written_keeps_the_contract(self, folder):
        pd.DataFrame({"label": EVENT, "decision_function": 3 * MARGIN}).to_csv(
            "svm.csv", index=False
        )
        options = {"scores": "decision_function"}
        outputs = read("svm.csv", **options)
        calib.save_map(
            calib.TemperatureScaling().fit(outputs.as_logits, outputs.y), "map.json"
        )
        calib_report.apply_map("map.json", "svm.csv", "new.csv", **options)
        assert (folder / "new.csv").read_text().startswith("label,probability_1\n")
        assert read("new.csv").kind == "probabilities"
        assert (
            main(["compare", "svm.csv", "new.csv", "--scores", "decision_function"])
            == 0
        )

    @pytest.mark.parametrize("kind", ["probabilities", "logits"])
    def test_a_map_of_several_labels(self, folder, kind):
        questions = (np.random.default_rng(1).random(P.shape) < P).astype(int)
        odds = 3 * np.log(P / (1 - P))
        np.savez(
            "a.npz",
            y=questions,
            **{kind: odds if kind == "logits" else 1 / (1 + np.exp(-odds))},
        )
        report = calib_report.make_report("a.npz", "r.html")
        assert report["task"] == "labels" and report["recommended"]["name"] != "none"
        calib_report.apply_map("r-map.json", "a.npz", "b.npz")
        after = read("b.npz")
        assert after.task == "labels" and after.scores.shape == (3 * N, 2)
        assert calib.nll(after.y, after.prob) < calib.nll(after.y, read("a.npz").prob)

    def test_a_map_of_tokens(self, folder):
        np.savez("a.npz", y=Y.reshape(30, 10), logits=3 * Z.reshape(30, 10, 3))
        calib.save_map(calib.TemperatureScaling().fit(3 * Z, Y), "map.json")
        calib_report.apply_map("map.json", "a.npz", "b.npz")
        fitted = calib.load_map("map.json")
        with np.load("b.npz") as written:
            p = written["probabilities"]
        np.testing.assert_allclose(p.reshape(-1, 3), fitted.predict_proba(3 * Z))

    def test_classes_are_those_of_the_map(self, folder):
        fitted = calib.VectorScaling().fit(Z, Y)
        calib.save_map(fitted, "map.json", classes=NAMES)
        mixed = pd.DataFrame({f"logit_{n}": Z[:, k] for k, n in enumerate(NAMES)})[
            ["logit_hen", "logit_cat", "logit_dog"]
        ]
        mixed.to_csv("mixed.csv", index=False)
        calib_report.apply_map("map.json", "mixed.csv", "new.csv")
        new = pd.read_csv("new.csv")[[f"probability_{name}" for name in NAMES]]
        np.testing.assert_allclose(new, fitted.predict_proba(Z), atol=1e-9)
        mixed.assign(logit_emu=MARGIN).to_csv("more.csv", index=False)
        mixed.set_axis([f"logit_{k}" for k in range(3)], axis=1).to_csv(
            "numbers.csv", index=False
        )
        np.savez("other.npz", logits=Z, classes=["ant", "bee", "cow"])
        for name in ("more.csv", "numbers.csv", "other.npz"):
            with pytest.raises(ReadingError):
                calib_report.apply_map("map.json", name, "out.npz")
        assert not (folder / "out.npz").exists()

    def test_no_array_is_replaced(self, folder):
        calib.save_map(calib.TemperatureScaling().fit(Z, Y), "map.json")
        np.savez("both.npz", y=Y, logits=Z, probabilities=P)
        with pytest.raises(ReadingError, match="named 'probabilities' already"):
            calib_report.apply_map("map.json", "both.npz", "out.npz", scores="logits")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("apply none.npz outputs.npz -o a.npz", "none.npz: No such file"),
        ("apply map.json wide.npz -o a.npz", "wide.npz: 5 classes, and the map has 4"),
    ],
)
def test_wrong_arguments_get_one_line_and_leave_nothing(line, message, refused_line):
    assert message in refused_line(line)
