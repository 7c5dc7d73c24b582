"""The sentences of a report, right in every case."""

import re

import numpy as np
import pytest
from described import check_described
from sklearn.metrics import roc_auc_score
from tempered_models import drawn, outputs

import calib
import calib_report
from calib.constants import SMALLEST_PROBABILITY
from calib_report import analyse, make_report
from calib_report.deciding.decision import Lack, decide
from calib_report.wording import words
from evidence.files_with_truth.honest_and_damaged import balanced

# what is said beside what is so
SURE = r"It is \d+ % sure on average, and right \d+ % of the time\. "


def lines_of(source, **options):
    """The line that decides, and what it rests on."""
    report = analyse(calib_report.read(source, **options)).numbers
    return report["decision"], report["sentence"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("temperature", "n", "n_classes", "decision", "rest"),
    [
        (2.0, 2000, 4, f"{SURE}Divide the logits by", "model of this size would show"),
        (0.5, 2000, 4, f"{SURE}Multiply the logits by", "of this size would show"),
        (1.0, 2000, 4, "Use it as it is for what bears an error of", "would not show"),
        (1.0, 20_000, 2, "Use it as it is: it gives", "would not show"),
        (1.0, 200, 4, "200 samples cannot tell, about", "would not show"),
        (2.0, 50, 4, "50 samples cannot tell", "50 samples are too few"),
        (2.0, 3, 4, "3 samples cannot tell", "3 samples are too few"),
    ],
)
def test_outputs_of_a_known_temperature_get_the_decision_that_it_asks_for(
    temperature, n, n_classes, decision, rest
):
    said, rests = lines_of(outputs(temperature, n=n, n_classes=n_classes))
    assert re.match(decision, said) and rest in rests


@pytest.mark.parametrize("n", [3, 50])
def test_a_report_of_few_samples_follows_its_schema(n):
    check_described(make_report(outputs(2.0, n=n)))


def test_of_probabilities_the_logarithms_are_divided():
    y, z = drawn(2000, 0)
    decision, _ = lines_of({"y": y, "p": calib.softmax(z)})
    assert "Divide the logarithms of the probabilities by" in decision


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


MAP = "temperature scaling"
ERROR = {"value": 0.1, "low": 0.07, "high": 0.13, "chance": 0.02, "chance_high": 0.03}
ROW = {
    "name": MAP,
    "nll_change": {"difference": -0.123},
    "accuracy_change": {"difference": 0.0, "low": 0.0, "high": 0.0},
}


def basis(p_value=0.001, name=MAP, confirmed=True, error=ERROR, **changes):
    """What sentences rest on: by default a model that is too sure, and a map that helps."""
    recommended = {"name": name, "confirmed": confirmed, "reason": "samples are few"}
    return {
        "task": "classes",
        "kind": "logits",
        "n": 1000,
        "clusters": None,
        "looks_wrong": None,
        "lack_of_samples": None,
        "floor": None,
        "mean_confidence": 0.9,
        "hit_rate": 0.8,
        "excess": {"value": 0.1, "low": 0.07, "high": 0.13},
        "before": {"ECE": error | {"p_value": p_value}},
        "after": {"ECE": {"value": 0.025, "chance": 0.02}},
        "recommended": recommended,
        "comparison": [{"name": "none", "accuracy_change": {}}, ROW],
        "temperature": 2.0,
        "event": None,
    } | changes


def event(excess, low, high):
    """The event "ill": said to be more probable by an excess than its three in ten."""
    numbers = {
        "mean probability": {"value": 0.3 + excess},
        "frequency": {"value": 0.3},
        "mean probability less frequency": {"value": excess, "low": low, "high": high},
    }
    return {"name": "ill", "before": numbers}


def decided(**changes):
    report = basis(**changes)
    return words.decision_in_words(report, decide(report))


def rests_on(**changes):
    report = basis(**changes)
    return words.sentence(report, decide(report))


FACT = "It is 90 % sure on average, and right 80 % of the time. "
EVENT_FACT = "it gives 'ill' 40 % on average, and 30 % of the samples are 'ill'"
TOO_PROBABLE, ILL = event(0.1, 0.08, 0.12), event(0.0, -0.01, 0.01)
LOOKS_WRONG = "Labels fit another order."


@pytest.mark.parametrize(
    ("changes", "decision"),
    [
        ({}, FACT + "Divide the logits by 2 before use."),
        ({"temperature": 0.5}, FACT + "Multiply the logits by 2 before use."),
        (
            {"confirmed": False},
            FACT + "Divide the logits by 2 before use, if new samples confirm it.",
        ),
        ({"temperature": None}, FACT + f"Apply the saved map ({MAP}) before use."),
        ({"looks_wrong": LOOKS_WRONG}, f"Look at the file first. {LOOKS_WRONG}"),
        (
            {"name": "none"},
            "Use it with care: it is 90 % sure on average, and right 80 % of the time, and no map "
            "that was tried mends it.",
        ),
        # of an event the answers are told where they are further off
        (
            {"event": TOO_PROBABLE, "name": "none", "excess": {"value": 0.05}},
            f"Use it with care: {EVENT_FACT}, and no map that was tried mends it.",
        ),
        (
            {"event": TOO_PROBABLE, "name": "none", "excess": {"value": 0.2}},
            f"Use it with care: it is 90 % sure of its answers, and 80 % are right; {EVENT_FACT}, "
            "and no map that was tried mends it.",
        ),
    ],
)  # fmt: skip
def test_the_line_that_decides_says_the_fact_and_what_to_do(changes, decision):
    assert decided(**changes) == decision


def test_what_would_not_show_is_told_of_a_model_that_may_be_calibrated():
    fine = {"p_value": 0.5, "name": "none"}
    small = ERROR | {"value": 0.005, "low": 0.0, "high": 0.015}
    assert decided(**fine, error=small).startswith("Use it as it is: it is 90 % sure")
    bearable = decided(**fine, error=small | {"high": 0.055})
    assert bearable.startswith("Use it as it is for what bears an error of 5.5 %: it")
    open_ = decided(**fine, error=small | {"high": 0.1})
    assert open_.startswith("1,000 samples cannot tell, about 4,000 would: it is 90 %")
    clusters = decided(**fine, error=small | {"high": 0.1}, clusters=500)
    assert clusters.startswith("500 clusters cannot tell, about 2,000 would: it is")


@pytest.mark.parametrize(
    ("task", "side", "shown"),
    [
        ("pairs", "over", "60 answers show that it is too sure"),
        ("pairs", "under", "60 answers show that it is not sure enough"),
        ("labels", "over", "60 questions show that its probabilities are too high"),
        ("labels", "under", "60 questions show that its probabilities are too low"),
    ],
)
def test_few_samples_say_to_which_side_a_model_is_off(task, side, shown):
    sentence = words.cannot_tell(basis(task=task), Lack(60, "shown", 400, side))
    rest = ", by 7.0 to 13 points; how much exactly, about 400 would tell"
    assert sentence == shown + rest


GAIN = "the loss (NLL) falls by 0.12"
OF_ERROR = (
    "The calibration error is 10 %, between 7.0 % and 13 %; "
    "a calibrated model of this size would show 2.0 %."
)
BY_CHANCE = (
    "The calibration error, 10 %, is what chance alone shows of a calibrated model of this size "
    "(2.0 % on average, up to 3.0 %): an error up to 13 % would not show."
)
AFTER = f"After the map the error is 2.5 % (calibrated: 2.0 %), and {GAIN}, on held-out samples."
UNCONFIRMED = "So few samples do not confirm that gain."
SINGLE = (
    f"Single probabilities get better: {GAIN} on held-out samples; "
    "the error is 2.5 % (calibrated: 2.0 %)."
)
OF_ANSWERS = OF_ERROR.replace("error", "error of its answers", 1)
ANSWERS = "It is 90 % sure of its answers, and right 80 % of the time."
NONE_HELPS = "None of the maps that were tried lowers the loss"
FEW_RIGHT = {"ECE": ERROR | {"p_value": 0.5}, "accuracy": {"value": 1}}
LOSS = {"difference": -0.02, "low": -0.03, "high": -0.01}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, f"{OF_ERROR} {AFTER}"),
        ({"confirmed": False}, f"{OF_ERROR} {AFTER} {UNCONFIRMED}"),
        ({"p_value": 0.5}, f"{BY_CHANCE} {SINGLE}"),
        ({"p_value": 0.5, "confirmed": False}, f"{BY_CHANCE} {AFTER} {UNCONFIRMED}"),
        ({"p_value": 0.5, "name": "none"}, BY_CHANCE),
        (
            {"comparison": [ROW | {"accuracy_change": LOSS}]},
            f"{OF_ERROR} {AFTER} It costs accuracy: 2.0 points, between 1.0 points and 3.0 points.",
        ),
        # digits that tell a number and its ends apart
        (
            {"error": ERROR | {"value": 0.1001, "low": 0.1, "high": 0.104}},
            f"{OF_ERROR} {AFTER}".replace("10 %, between 7.0 % and 13 %",
                                          "10.01 %, between 10.00 % and 10.40 %"),
        ),
        (
            {"looks_wrong": LOOKS_WRONG},
            "As it was read, it is 90 % sure on average, and right 80 % of the time. "
            "No map is judged before that is clear.",
        ),
        (
            {"lack_of_samples": "few", "before": FEW_RIGHT},
            "Confidence less accuracy is 10 %, between 7.0 % and 13 %. Samples are few.",
        ),
        (
            {"lack_of_samples": "few", "before": FEW_RIGHT, "excess": {"value": 0.1}},
            "Confidence less accuracy is 10 %. Samples are few.",
        ),
        (
            {"event": TOO_PROBABLE, "excess": {"value": 0.05}},
            "'ill' is said to be too probable by 10 points, between 8.0 points and 12 points. "
            f"{ANSWERS} {OF_ANSWERS} {AFTER}",
        ),
        # what the decision says of the answers is not said again
        (
            {"event": event(-0.1, -0.12, -0.08)},
            "'ill' is said to be too improbable by 10 points, between 8.0 points and 12 points. "
            f"{ANSWERS} {OF_ANSWERS} {AFTER}",
        ),
        ({"event": ILL}, f"{OF_ANSWERS} {AFTER}"),
        ({"event": ILL, "excess": {"value": 0.0}}, f"{ANSWERS} {OF_ANSWERS} {AFTER}"),
    ],
)  # fmt: skip
def test_the_sentence_says_the_error_what_chance_shows_and_what_a_map_gains(
    changes, sentence
):
    assert rests_on(**changes) == sentence


def test_where_no_map_helps_an_error_beyond_chance_that_is_said():
    assert rests_on(name="none").startswith(f"{OF_ERROR} {NONE_HELPS}")


@pytest.mark.parametrize(
    ("changes", "instruction"),
    [
        ({"temperature": 1.0}, "divide the logits by 1"),
        ({"temperature": 0.3}, "multiply the logits by 3.33"),
        ({"kind": "probabilities"}, "divide the logarithms of the probabilities by 2"),
        ({"task": "pairs"}, "divide the log odds of the confidence by 2"),
        ({"task": "labels"}, "divide the log odds by 2"),
        # what 0, and of one score 1, count as
        ({"floor": 0.001}, "divide the logits by 2 (a probability of 0 counts as 0.001)"),
        (
            {"floor": 0.001, "task": "labels"},
            "divide the log odds by 2 (0 and 1 count as 0.001 and 0.999)",
        ),
        ({"floor": SMALLEST_PROBABILITY}, "divide the logits by 2"),
        ({"temperature": None}, f"apply the saved map ({MAP})"),
    ],
)  # fmt: skip
def test_an_instruction_names_what_one_number_divides(changes, instruction):
    assert words.instruction(basis(**changes)) == instruction


@pytest.mark.parametrize(
    ("first", "second", "texts"),
    [
        (0.5, 0.52, ("50 %", "52 %")),
        (0.5, 0.519, ("50.0 %", "51.9 %")),
        (0.5, 0.502, ("50.0 %", "50.2 %")),
        (0.5, 0.5019, ("50.00 %", "50.19 %")),
        (0.0994, 0.5, ("9.9 %", "50.0 %")),
        (0.0996, 0.5, ("10 %", "50 %")),
        (0.000004, 0.5, ("0.0004 %", "50.0000 %")),
        (0.0, 1.0, ("0.0 %", "100.0 %")),
    ],
)
def test_two_shares_have_the_digits_that_tell_them_apart(first, second, texts):
    assert words.shares({"value": first}, {"value": second}) == texts


BETTER = {"difference": -0.05, "low": -0.07, "high": -0.03}
BY = "by 0.0500 (-0.0700 to -0.0300)"
ALIKE = {"difference": 0.01, "low": -0.01, "high": 0.03}


@pytest.mark.parametrize(
    ("loss", "accuracy", "clauses"),
    [
        (BETTER, ALIKE, f"better in NLL, {BY}; no clear difference in accuracy"),
        (ALIKE, BETTER, f"no clear difference in NLL; worse in accuracy, {BY}"),
    ],
)
def test_a_lower_loss_is_better_and_a_lower_accuracy_is_worse(loss, accuracy, clauses):
    text = words.comparison_in_words({"NLL": loss, "accuracy": accuracy})
    assert text == f"The second beside the first: {clauses}."
