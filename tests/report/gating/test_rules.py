"""Rules: what breaks them, what they refuse, and how often chance alone breaks one."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT
from scipy import stats
from tempered_models import drawn, of_pairs, outputs, write

import calib
import calib_report
from calib_report import make_report, read
from calib_report.command import main
from calib_report.gating.rules import (
    Base,
    Bound,
    Rules,
    check,
    saved_base,
    unpaired,
    verdict_of_bound,
    verdict_of_change,
)
from calib_report.measuring.measure import error_with_chance, numbers_as_they_are
from calib_report.measuring.outcome import outcome_as_is
from calib_report.model_outputs import ModelOutputs
from evidence.files_with_truth.honest_and_damaged import balanced
from evidence.studies.software.promises_about_chance import broken


def weeks(bad=0, seed=0):
    """Probabilities and labels of a calibrated model that is certain and wrong of the first few."""
    y, z = drawn(1500, seed, 3, 1.0)
    p = calib.softmax(z)
    p[:bad] = np.eye(3)[(y[:bad] + 1) % 3]
    return {"y": y, "probabilities": p}


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    place = tmp_path_factory.mktemp("report") / "base.json"
    make_report(weeks(), place)
    return place


def verdicts(source, *arguments, **rules):
    outcome = check(read(source), Rules.of(*arguments, **rules))[1]
    return {verdict.line.split()[0]: verdict.holds for verdict in outcome}


def test_an_infinite_loss_breaks_its_rules(base):
    assert verdicts(weeks(5, 1), ["nll=1.2"]) == {"NLL": False}
    assert verdicts(weeks(5, 1), against=saved_base(base))["NLL"] is False
    assert (
        verdicts(weeks(5, 1), against=Base("base", read(weeks(0, 1))))["NLL"] is False
    )
    both = check(read(weeks(5, 1)), Rules(against=Base("base", read(weeks(5, 1)))))[1]
    assert all(verdict.holds for verdict in both)


def test_a_rule_can_name_every_number():
    numbers, _ = check(read(outputs(1.0, n=300)), Rules())
    names = [name.lower().replace(" ", "-") for name in numbers]
    assert {"classwise-ece", "mce", "aurc", "auroc-of-the-confidence"} <= {*names}
    outcome = check(
        read(outputs(1.0, n=300)), Rules.of([f"{name}=9" for name in names])
    )[1]
    assert len(outcome) == len(names) and all(verdict.holds for verdict in outcome)


def test_an_event_that_is_too_probable_breaks_the_rule_of_the_classwise_error():
    y, p = balanced(np.random.default_rng(0), 5000)
    rules = ["ece=0.05", "classwise-ece=0.05", "mean-probability-less-frequency=0.05"]
    verdicts_of_rules = check(read({"y": y, "p": p}), Rules.of(rules))[1]
    assert [verdict.holds for verdict in verdicts_of_rules] == [True, False, False]


@pytest.mark.slow
def test_chance_alone_seldom_breaks_a_rule_of_the_classwise_error():
    """The model is calibrated, so that any bound is kept; the plain value is above this one."""
    worlds = [read(outputs(1.0, n=400, seed=seed)) for seed in range(40)]
    lines = [check(world, Rules.of(["classwise-ece=0.001"]))[1][0] for world in worlds]
    assert sum(not line.holds for line in lines) <= 5


QUICK = ["ks_error", "mce"]
OTHERS = [pytest.param(n, marks=pytest.mark.slow) for n in ("rmsce", "debiased_ece")]
OF_PATIENTS = [*QUICK, *OTHERS, pytest.param("psce", marks=pytest.mark.slow)]
# more are seen once in a thousand times where 5 of 100 are promised
MOST_BROKEN = {n: stats.binom.isf(0.001, n, 0.05) for n in (100, 500)}


def is_broken(number):
    """Whether a rule is broken that every calibrated model keeps."""
    return not verdict_of_bound(Bound("it", 0.0, True), {"it": number}).holds


@pytest.mark.parametrize("name", OF_PATIENTS)
def test_chance_alone_seldom_breaks_a_rule_of_patients(name):
    """Calibrated models of 100 patients, whose 10 rows are alike."""
    rng, patient, n_broken = np.random.default_rng(1), np.repeat(np.arange(100), 10), 0
    for _ in range(100):
        score = rng.random(100)
        hit = (rng.random(100) < score).astype(int)
        outcome = of_pairs(score[patient], hit[patient], patient)
        n_broken += is_broken(error_with_chance(name, outcome, rng))
    assert n_broken <= MOST_BROKEN[100]


def test_chance_alone_seldom_breaks_a_rule_of_the_classwise_error_of_patients():
    rng, patient, n_broken = np.random.default_rng(2), np.repeat(np.arange(100), 10), 0
    for seed in range(100):
        y, z = (values[patient] for values in drawn(100, seed, 3, 1.0))
        model = ModelOutputs(y, logits=z, clusters=patient)
        numbers = numbers_as_they_are(model, outcome_as_is(model), rng)
        n_broken += is_broken(numbers["classwise ECE"])
    assert n_broken <= MOST_BROKEN[100]


@pytest.mark.parametrize("name", [*QUICK, *OTHERS])
def test_chance_alone_seldom_breaks_a_rule_of_samples(name):
    rng, n_broken = np.random.default_rng(3), 0
    for _ in range(500):
        score = rng.random(1000)
        outcome = of_pairs(score, (rng.random(1000) < score).astype(int))
        n_broken += is_broken(error_with_chance(name, outcome, rng))
    assert n_broken <= MOST_BROKEN[500]


@pytest.mark.parametrize("name", ["accuracy", "NLL"])
def test_a_change_breaks_a_rule_beyond_a_quarter_of_the_error_of_one(name):
    """Four numbers are looked at: 2.4977 standard errors, of which 0.625 % lie beyond."""
    worse = -1 if name == "accuracy" else 1
    assert stats.norm.sf(2.4977) == pytest.approx(0.025 / 4, rel=1e-3)
    for errors, holds in ((1.97, True), (2.49, True), (2.51, False), (-9, True)):
        change = worse * errors
        # the interval of a standard error of one, further on the side that does not matter
        low, high = (
            change - 1.96 * (1 + 4 * (worse < 0)),
            change + 1.96 * (1 + 4 * (worse > 0)),
        )
        verdict = verdict_of_change(
            name, {"difference": change, "low": low, "high": high}, "b"
        )
        assert verdict.holds == holds, verdict.line


def test_a_file_that_looks_wrong_ends_with_three(tmp_path, capsys):
    shifted = outputs(1.0)
    path = write(tmp_path / "a.npz", **shifted | {"y": np.roll(shifted["y"], 1)})
    assert main(["check", path]) == 3
    assert "BROKEN look at the file first" in capsys.readouterr().out


def test_a_promise_is_printed_only_where_it_is_shown(tmp_path, capsys):
    """Of 400 samples none can show that two in a hundred are wrong at most."""
    y, logits = drawn(400, 1, 3, 1.0)
    path = write(tmp_path / "a.npz", y=y, logits=logits)
    assert main(["check", path, "--max-risk", "0.02"]) == 3
    line = capsys.readouterr().out
    assert "BROKEN of no answers it is shown" in line and "may be decided" not in line


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"task": "pairs"}, "it is about pairs, and these are classes"),
        (
            {"classes": [{"class": "a"}, {"class": "b"}]},
            "are not the same: no comparison",
        ),
        ({"classes": []}, "does not name its 'classes'"),
        ({"before": {}}, "accuracy: not there"),
        ({"before": []}, "no numbers 'before'"),
        ({"task": ["classes"]}, "no numbers 'before'"),
    ],
)
def test_a_base_of_another_question_is_refused(base, tmp_path, capsys, change, message):
    path = write(tmp_path / "new.npz", **weeks(seed=1))
    (tmp_path / "other.json").write_text(
        json.dumps(json.loads(base.read_text()) | change)
    )
    assert main(["check", path, "--against", str(tmp_path / "other.json")]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("value", ["NaN", '"0.5"', "[]", "true", "{}", "1e999"])
def test_a_base_whose_numbers_are_none_is_refused(base, tmp_path, capsys, value):
    path = write(tmp_path / "new.npz", **weeks(seed=1))
    content = json.loads(base.read_text())
    content["before"]["Brier"]["low"] = "HERE"
    (tmp_path / "other.json").write_text(json.dumps(content).replace('"HERE"', value))
    assert main(["check", path, "--against", str(tmp_path / "other.json")]) == 2
    assert "other.json: Brier" in capsys.readouterr().err


@pytest.mark.slow
def test_one_look_seldom_breaks_a_rule_of_a_model_that_did_not_change():
    """Of 60 looks at the four numbers of a report; intervals of each alone break 5 to 10."""
    report, _, bound = broken(60, "calibrated, 500 samples", np.random.default_rng(5))
    assert report <= 4 and bound <= 5


def test_what_was_counted_is_what_is_promised():
    """The long run of promises_about_chance.csv: alarms are as rare as promised."""
    from scipy.stats import binom

    table = pd.read_csv(
        ROOT / "data" / "results" / "software" / "promises_about_chance.csv"
    ).dropna(subset="promised")
    surprise = binom.sf(table.counted - 1, table.of, table.promised / 100)
    assert len(table) == 14 and surprise.min() > 0.01


def test_losses_that_are_all_equal_are_compared_with_those_of_a_base():
    constant = {"value": 0.2}
    change = unpaired({"value": 0.1, "low": 0.06, "high": 0.14}, constant)
    assert change["difference"] == pytest.approx(0.1)
    assert (change["low"], change["high"]) == pytest.approx((0.06, 0.14))


def test_a_report_on_equal_losses_is_a_base(tmp_path):
    y = np.random.default_rng(0).integers(2, size=120)
    p = np.where(y == 1, 0.985, 0.015)
    constant = {"y": y, "probabilities": np.column_stack([1 - p, p])}
    report = make_report(constant, tmp_path / "base.html")
    # all losses fall alike, by no known chance
    assert report["recommended"]["name"] == "none"
    base = saved_base(tmp_path / "base.json")
    _, of_rules = check(read(constant), Rules(against=base))
    [nll] = [verdict for verdict in of_rules if verdict.line.startswith("NLL")]
    assert nll.holds


def test_a_rule_is_broken_where_chance_does_not_explain_it(tmp_path, npz, capsys):
    """The error is about .15: a bound inside its interval holds, one below it does not."""
    error = calib_report.make_report(npz)["before"]["ECE"]
    inside, below = (error["low"] + error["value"]) / 2, error["low"] - 0.01
    assert main(["check", npz]) == 0
    printed = dict(line.split(None, 1) for line in capsys.readouterr().out.splitlines())
    assert printed["ECE"].startswith(f"{error['value']:.4f} ({error['low']:.4f} to")
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
    printed = capsys.readouterr().out
    assert (
        "BROKEN NLL less that of better.npz" in printed
        and "BROKEN ECE less that of base" in printed
    )


def test_the_share_decided_alone_keeps_its_bound_on_new_samples(tmp_path, capsys):
    y, logits = drawn(4000, 1, 3, 2.0)
    path = write(tmp_path / "a.npz", y=y, logits=logits)
    assert main(["check", path, "--max-risk", "0.1"]) == 0
    printed = capsys.readouterr().out
    threshold = float(re.search(r"confidence of ([\d.]+) on", printed)[1])
    bound = float(re.search(r"at most ([\d.]+) % \(95 %", printed)[1]) / 100
    assert bound <= 0.1
    y, logits = drawn(50_000, 2, 3, 2.0)
    p = calib.softmax(logits)
    kept = p.max(axis=1) >= threshold
    assert (p.argmax(axis=1) != y)[kept].mean() < bound


@pytest.mark.parametrize(
    ("line", "message"),
    [
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
    ],
)
def test_wrong_arguments_get_one_line_and_leave_nothing(line, message, refused_line):
    assert message in refused_line(line)
