"""A report: what is recommended, and what is noted of a file."""

import json

import numpy as np
import pytest
from described import check_described
from sklearn.metrics import roc_auc_score
from tempered_models import drawn, outputs, write

import calib
import calib_report
from calib_report import analyse, make_report
from calib_report.analysing.analysis import notes_on
from calib_report.commands.main import main
from calib_report.measuring.measure import rows_of_zeros


def test_of_a_suspect_file_no_map_is_recommended(tmp_path):
    shifted = outputs(2.0)
    shifted["y"] = (shifted["y"] + 1) % 4
    report = make_report(shifted, tmp_path / "r.html")
    assert report["decision"].startswith(
        "Look at the file first. The labels speak against"
    )
    assert (
        report["recommended"]["name"] == "none"
        and not (tmp_path / "r-map.json").exists()
    )
    text = (tmp_path / "r.html").read_text()
    assert text.count("The labels speak against") == 1


def test_pairs_say_what_they_cannot_know(tmp_path):
    rng = np.random.default_rng(0)
    confidence = np.round(rng.uniform(0.5, 1, 1000), 2)
    hits = (rng.random(1000) < confidence - 0.2).astype(int)
    source = {"confidence": confidence, "correct": hits}
    report = make_report(source, tmp_path / "r.html")
    check_described(report)
    text = (tmp_path / "r.html").read_text()
    assert "Classes, worst first" not in text and "classwise" not in text.lower()
    assert "vector scaling" not in text and " classes, read as" not in text
    b = float(np.mean((confidence - hits) ** 2))
    assert report["before"]["Brier"]["value"] == pytest.approx(b)
    a = hits.mean()
    assert report["before"]["skill"]["value"] == pytest.approx(1 - b / (a * (1 - a)))
    auroc = report["event"]["before"]["AUROC"]["value"]
    assert auroc == pytest.approx(roc_auc_score(hits, confidence))
    with pytest.raises(ValueError, match="do not tell the classes"):
        make_report(source, tmp_path / "r.html", costs="false_alarm=1,miss=2")
    assert "From pairs" in " ".join(report["notes"]) and report["task"] == "pairs"
    assert report["before"]["ECE"]["value"] == pytest.approx(
        calib.ece(hits, confidence)
    )
    assert report["after"]["ECE"]["value"] < 0.1 < report["before"]["ECE"]["value"]


def test_several_labels_are_judged_together_and_each_by_its_gap(tmp_path):
    rng = np.random.default_rng(0)
    p = rng.uniform(0.02, 0.98, size=(600, 3))
    y = (rng.random((600, 3)) < p ** [1, 2, 1]).astype(int)
    report = make_report({"y": y, "p": p}, tmp_path / "r.html")
    assert report["clusters"] == 600 and report["task"] == "labels"
    check_described(report)
    flagged = [
        row["group"] for row in report["groups"]["label"] if row["before"]["flagged"]
    ]
    assert flagged == ["1"]
    assert report["before"]["ECE"]["value"] == pytest.approx(
        calib.ece(y.ravel(), p.ravel())
    )
    assert (tmp_path / "r-map.json").exists() == (
        report["recommended"]["name"] != "none"
    )


def test_zeros_and_rounding_are_told_on_the_page(tmp_path, capsys, recwarn):
    y, z = drawn(3000, 1, 5, 6.0)
    p = calib.softmax(z)
    path = write(tmp_path / "a.npz", y=y, probabilities=np.round(p, 3))
    page = tmp_path / "a.html"
    assert main(["report", path, "-o", str(page), "--atol", "0"]) == 2
    assert "sums to" in capsys.readouterr().err
    assert main(["report", path, "-o", str(page)]) == 0
    assert "give their true class the probability 0" in page.read_text()
    assert "divided by their sums" in page.read_text()
    assert (
        json.loads((tmp_path / "a.json").read_text())["recommended"]["name"] != "none"
    )
    half = calib_report.read(
        {"y": y, "probabilities": calib.softmax(4 * z).astype(np.float16)}
    )
    assert len(rows_of_zeros(half)) and "the probability 0" in " ".join(
        map(str, notes_on(half))
    )
    assert analyse(half).numbers["before"]["NLL"] == {"value": np.inf}
    assert not [w for w in recwarn if issubclass(w.category, RuntimeWarning)]


def test_a_seed_below_zero_is_refused_in_one_line(refused_line):
    line = "report outputs.npz -o a.html --seed -1"
    assert "seed: -1" in refused_line(line)


def test_rows_that_repeat_are_noted_from_one_in_a_hundred_on():
    y, z = drawn(200, 3, n_classes=3)
    for repeated, expected in ((1, 0), (2, 1)):
        logits = z.copy()
        logits[1 : 1 + repeated] = logits[0]
        texts = [
            note.text for note in notes_on(calib_report.ModelOutputs(y, logits=logits))
        ]
        noted = [text for text in texts if f"{repeated} of 200 rows" in text]
        assert len(noted) == expected


def test_of_many_zeros_the_first_ten_rows_are_named():
    p = np.tile([1.0, 0.0], (12, 1))
    few, many = (
        notes_on(calib_report.ModelOutputs(np.ones(n, int), probabilities=p[:n]))
        for n in (10, 12)
    )
    assert "0, 1, 2, 3, 4, 5, 6, 7, 8, 9" in few[0].text and "…" not in few[0].text
    assert "7, 8, 9, …" in many[0].text and "10" not in many[0].text
