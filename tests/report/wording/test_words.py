"""The sentences of a report, right in every case."""

import re

import numpy as np
import pytest
from described import check_described
from sklearn.metrics import roc_auc_score
from tempered_models import drawn, outputs

import calib
import calib_report
from calib_report import analyse, make_report
from calib_report.wording import words
from evidence.files_with_truth.honest_and_damaged import balanced


def lines_of(source, **options):
    """The line that decides, and what it rests on."""
    report = analyse(calib_report.read(source, **options)).numbers
    return report["decision"], report["sentence"]


@pytest.mark.slow
def test_the_decision_in_each_case():
    decision, rests_on = lines_of(outputs(2.0))
    said = r"It is \d+ % sure on average, and right \d+ % of the time\. "
    assert re.fullmatch(said + r"Divide the logits by [\d.]+ before use\.", decision)
    assert "a calibrated model of this size would show" in rests_on
    assert " Multiply the logits by " in lines_of(outputs(0.5))[0]
    decision, rests_on = lines_of(outputs(1.0))
    assert decision.startswith("Use it as it is for what bears an error of")
    assert "would not show" in rests_on
    assert lines_of(outputs(1.0, n=20_000, n_classes=2))[0].startswith(
        "Use it as it is: it gives"
    )
    assert "200 samples cannot tell, about" in lines_of(outputs(1.0, n=200))[0]
    for n in (3, 50):
        report = make_report(outputs(2.0, n=n))
        check_described(report)
        assert f"{n} samples cannot tell" in report["decision"]
        assert f"{n} samples are too few" in report["sentence"]
    y, z = drawn(2000, 0)
    assert (
        "ogarithms of the probabilities" in lines_of({"y": y, "p": calib.softmax(z)})[0]
    )


def test_a_map_for_answers_is_told_by_what_the_answers_say():
    """The event is as probable as it is frequent; its answers are far too sure."""
    y, z = drawn(3000, 2, 2)
    decision, rests_on = lines_of({"y": y, "logits": z})
    assert re.match(
        r"It is \S+ % sure of its answers, and \S+ % are right; it gives '1' ", decision
    )
    assert "Its answers say" not in rests_on


def test_an_event_said_twelve_times_too_often_stands_in_the_first_sentence(tmp_path):
    """Probabilities of a balanced training set: the answers look calibrated, the event does not."""
    y, p = balanced(np.random.default_rng(0), 5000)
    report = make_report({"y": y, "p": p}, tmp_path / "r.md")
    event = report["event"]["before"]
    assert event["mean probability"]["value"] == pytest.approx(p[:, 1].mean())
    assert event["frequency"]["value"] == pytest.approx(y.mean())
    assert event["AUROC"]["value"] == pytest.approx(roc_auc_score(y, p[:, 1]))
    assert report["decision"].startswith("It gives '1' 3")
    assert "'1' is said to be too probable by" in report["sentence"]
    card = (tmp_path / "r.md").read_text()
    assert report["decision"] in card and "| calibration slope |" in card
    after = report["event"]["after"]
    assert abs(after["mean probability less frequency"]["value"]) < 0.01
    assert (
        after["calibration intercept"]["low"]
        < 0
        < after["calibration intercept"]["high"]
    )


def test_a_share_that_is_not_whole_is_not_written_so():
    assert words.shares({"value": 0.91}, {"value": 0.996}) == ("91.0 %", "99.6 %")
    assert words.shares({"value": 0.91}, {"value": 1.0}) == ("91 %", "100 %")
    assert words.shares({"value": 0.371}, {"value": 0.0293}) == ("37.1 %", "2.9 %")
