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


@pytest.fixture(scope="module")
def of_answers(tmp_path_factory):
    """Confidences a fifth too sure, whether they were right, their report and its page."""
    rng = np.random.default_rng(0)
    confidence = np.round(rng.uniform(0.5, 1, 1000), 2)
    hits = (rng.random(1000) < confidence - 0.2).astype(int)
    page = tmp_path_factory.mktemp("answers") / "r.html"
    report = make_report({"confidence": confidence, "correct": hits}, page)
    return confidence, hits, report, page.read_text()


def test_the_page_of_answers_speaks_of_no_classes(of_answers):
    *_, report, text = of_answers
    check_described(report)
    assert report["task"] == "pairs" and "From pairs" in " ".join(report["notes"])
    of_classes = ("Classes, worst first", "vector scaling", " classes, read as")
    assert not any(words in text for words in of_classes)
    assert "classwise" not in text.lower()


def test_the_numbers_of_answers_are_those_of_their_definitions(of_answers):
    confidence, hits, report, _ = of_answers
    brier, accuracy = np.mean((confidence - hits) ** 2), hits.mean()
    numbers = {name: number["value"] for name, number in report["before"].items()}
    assert numbers["Brier"] == pytest.approx(brier)
    skill = 1 - brier / (accuracy * (1 - accuracy))
    assert numbers["skill"] == pytest.approx(skill)
    assert numbers["ECE"] == pytest.approx(calib.ece(hits, confidence))
    auroc = report["event"]["before"]["AUROC"]["value"]
    assert auroc == pytest.approx(roc_auc_score(hits, confidence))


def test_confidences_that_are_too_sure_are_mended(of_answers):
    *_, report, _ = of_answers
    assert report["after"]["ECE"]["value"] < 0.1 < report["before"]["ECE"]["value"]


def test_answers_have_no_classes_whose_decisions_cost(of_answers):
    confidence, hits, *_ = of_answers
    outputs = calib_report.read({"confidence": confidence, "correct": hits})
    with pytest.raises(ValueError, match="do not tell the classes"):
        analyse(outputs, costs="false_alarm=1,miss=2")


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


def certain(of):
    """Labels, and a function of the logits of a model that is six times too sure."""
    y, z = drawn(3000, 1, 5, 6.0)
    return {"y": y, "probabilities": of(z)}


def test_zeros_and_rounding_are_told_on_the_page(folder, capsys):
    write("a.npz", **certain(lambda z: np.round(calib.softmax(z), 3)))
    assert main(["report", "a.npz", "-o", "a.html", "--atol", "0"]) == 2
    assert "sums to" in capsys.readouterr().err
    assert main(["report", "a.npz", "-o", "a.html"]) == 0
    page = (folder / "a.html").read_text()
    assert "give their true class the probability 0" in page
    assert "divided by their sums" in page
    numbers = json.loads((folder / "a.json").read_text())
    assert numbers["recommended"]["name"] != "none"


def test_zeros_of_half_precision_are_told_and_warn_of_nothing(recwarn):
    half = calib_report.read(certain(lambda z: calib.softmax(4 * z).astype(np.float16)))
    assert len(rows_of_zeros(half))
    assert "the probability 0" in " ".join(map(str, notes_on(half)))
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
