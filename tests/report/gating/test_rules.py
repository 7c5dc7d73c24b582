"""Rules: what breaks them, and how often chance alone breaks one."""

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT
from scipy import stats
from tempered_models import drawn, of_pairs, outputs
from weeks import week_of_three_classes

from calib_report import read
from calib_report.gating.references import ReferenceOutputs, read_reference
from calib_report.gating.rules import Bound, Rules, judge, verdict_of_bound
from calib_report.measuring.measure import error_with_chance, numbers_as_they_are
from calib_report.measuring.outcome import outcome_as_is
from calib_report.model_outputs import ModelOutputs
from evidence.files_with_truth.honest_and_damaged import balanced


def verdicts(source, *arguments, **rules):
    outcome = judge(read(source), Rules.parsed(*arguments, **rules))[1]
    return {verdict.line.split()[0]: verdict.holds for verdict in outcome}


def test_an_infinite_loss_breaks_its_rules(base):
    wrong = week_of_three_classes(5, 1)
    finite = ReferenceOutputs("base", read(week_of_three_classes(0, 1)))
    assert verdicts(wrong, ["nll=1.2"]) == {"NLL": False}
    assert verdicts(wrong, against=read_reference(base))["NLL"] is False
    assert verdicts(wrong, against=finite)["NLL"] is False
    itself = ReferenceOutputs("base", read(wrong))
    assert all(verdicts(wrong, against=itself).values())


def test_a_rule_can_name_every_number():
    numbers, _ = judge(read(outputs(1.0, n=300)), Rules())
    names = [name.lower().replace(" ", "-") for name in numbers]
    assert {"classwise-ece", "mce", "aurc", "auroc-of-the-confidence"} <= {*names}
    outcome = judge(
        read(outputs(1.0, n=300)), Rules.parsed([f"{name}=9" for name in names])
    )[1]
    assert len(outcome) == len(names) and all(verdict.holds for verdict in outcome)


def test_a_rule_of_the_least_is_broken_from_below():
    rules = Rules.parsed(maxima=["ece=0.1"], minima=["AUROC = 0.9"])
    assert rules.bounds == (Bound("ece", 0.1, True), Bound("auroc", 0.9, False))
    for bound, kept in zip(rules.bounds, (0.05, 0.95), strict=True):
        assert bound.is_kept(kept) and bound.is_kept(bound.limit)
        assert not bound.is_kept(2 * bound.limit - kept)


def test_an_event_that_is_too_probable_breaks_the_rule_of_the_classwise_error():
    y, p = balanced(np.random.default_rng(0), 5000)
    rules = ["ece=0.05", "classwise-ece=0.05", "mean-probability-less-frequency=0.05"]
    verdicts_of_rules = judge(read({"y": y, "p": p}), Rules.parsed(rules))[1]
    assert [verdict.holds for verdict in verdicts_of_rules] == [True, False, False]


@pytest.mark.slow
def test_chance_alone_seldom_breaks_a_rule_of_the_classwise_error():
    """The model is calibrated, so that any bound is kept; the plain value is above this one."""
    worlds = [read(outputs(1.0, n=400, seed=seed)) for seed in range(40)]
    lines = [
        judge(world, Rules.parsed(["classwise-ece=0.001"]))[1][0] for world in worlds
    ]
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


def test_what_was_counted_is_what_is_promised():
    """The long run of promises_about_chance.csv: alarms are as rare as promised."""
    from scipy.stats import binom

    table = pd.read_csv(
        ROOT / "data" / "results" / "software" / "promises_about_chance.csv"
    ).dropna(subset="promised")
    surprise = binom.sf(table.counted - 1, table.of, table.promised / 100)
    assert len(table) == 14 and surprise.min() > 0.01


# an interval from .2 to .4, a bound, and whether chance leaves it possible that it is kept
HELD = [(True, 0.3, True), (True, 0.1, False), (False, 0.3, True), (False, 0.5, False)]


@pytest.mark.parametrize(("is_upper", "limit", "holds"), HELD)
def test_a_rule_is_broken_where_the_whole_interval_is_beyond_it(is_upper, limit, holds):
    number = {"value": 0.25 if is_upper else 0.35, "low": 0.2, "high": 0.4}
    verdict = verdict_of_bound(Bound("it", limit, is_upper), {"it": number})
    assert verdict.holds == holds


@pytest.mark.parametrize(("limit", "holds"), [(0.3, False), (0.2, True)])
def test_a_least_value_without_interval_is_given_nothing_for_chance(limit, holds):
    """Chance makes an error of calibration larger: it excuses no number that is too small."""
    number = {"value": 0.25, "chance_high": 0.1}
    assert verdict_of_bound(Bound("it", limit, False), {"it": number}).holds == holds
