"""The rule of the first registration on networks made by hand: its verdicts bind."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from evidence.claims.cases import Cases
from evidence.claims.quantifiers import Count
from evidence.claims.trends import over_settings
from evidence.forecasts import former_rule
from evidence.forecasts.former_rule import judge_by_former_rule

FEW, HOLDS, FAILS, MIXED = "too few cases", "holds", "fails", "mixed"
QUANTIFIED = {  # how many of how many agree, what is counted, and the verdict
    "always": [(5, 5, HOLDS, HOLDS), (4, 4, HOLDS, FEW), (4, 5, FAILS, MIXED)],
    "almost always": [
        (9, 10, HOLDS, HOLDS),
        (8, 10, FAILS, MIXED),
        (5, 30, FAILS, FAILS),
    ],
    "all but one": [(9, 10, HOLDS, HOLDS)],
    "exists": [
        (0, 40, FAILS, MIXED),
        (2, 7, HOLDS, MIXED),
        (4, 4, HOLDS, FEW),
        (8, 40, HOLDS, HOLDS),
    ],
    "mostly": [
        (20, 22, HOLDS, HOLDS),
        (12, 22, HOLDS, MIXED),
        (2, 22, FAILS, FAILS),
        (11, 22, FAILS, MIXED),
    ],
    "in many": [
        (20, 40, HOLDS, HOLDS),
        (5, 40, FAILS, FAILS),
        (0, 9, FAILS, FEW),
        (2, 12, FAILS, MIXED),
    ],
    Count(9, 13): [(9, 13, HOLDS, MIXED), (10, 13, FAILS, MIXED)],
}


@pytest.mark.parametrize("quantifier", QUANTIFIED)
def test_quantifiers(quantifier):
    for k, n, *expected in QUANTIFIED[quantifier]:
        cases = Cases(pd.Series(np.arange(n) < k), "x")
        finding = judge_by_former_rule(cases, quantifier)
        assert [finding.counted, finding.verdict] == expected, (k, n)
    nothing = judge_by_former_rule(Cases(pd.Series(dtype=bool), "x"), quantifier)
    assert nothing.counted == nothing.verdict == "not tested"


def cases_of(cells):
    """Cases of (data set, network, agrees), each a cell of its network."""
    index = pd.MultiIndex.from_tuples(
        [(f"d{d}", f"d{d} n{m}", f"m{i}") for i, (d, m, _) in enumerate(cells)],
        names=["dataset", "case", "metric"],
    )
    return Cases(pd.Series([agrees for *_, agrees in cells], index=index), "x")


def test_cells_of_one_network_are_one_network():
    finding = judge_by_former_rule(cases_of([(0, 0, True)] * 30), "always")
    assert (finding.n, finding.verdict, finding.counted) == (1, FEW, HOLDS)


def test_one_data_set_is_too_few_unless_the_sentence_names_it():
    cases = cases_of([(0, i, True) for i in range(31)])
    assert judge_by_former_rule(cases, "mostly").verdict == FEW
    assert judge_by_former_rule(cases, "mostly", named=["d0"]).verdict == HOLDS


def test_data_sets_that_contradict_each_other_are_told():
    cells = [(0, i, i > 0) for i in range(31)] + [(1, i, i < 1) for i in range(11)]
    finding = judge_by_former_rule(cases_of(cells), "mostly")
    assert finding.verdict == "depends on the data"
    assert finding.by_data == "d0 30 of 31; d1 1 of 11"
    same = [(d, i, i < 9) for d in range(6) for i in range(10)]
    assert judge_by_former_rule(cases_of(same), "mostly").verdict == HOLDS


# the data sets of four settings, their mean changes by the seeds, and the verdict
SETTINGS = {
    "all rise": (["a", "b", "c", "d"], [5.0, 5.2, 4.8, 5.1], HOLDS),
    "all fall": (["a", "b", "c", "d"], [-5.0, -5.2, -4.8, -5.1], FAILS),
    "one data set falls": (
        ["a", "b", "c", "d"],
        [5, 5, 5, -5],
        "depends on the data",
    ),
    "of one data set some fall": (
        ["a", "a", "a", "b"],
        [5, -5, 5, -5],
        "depends on the setting",
    ),
    "one data set alone": (["a", "a", "a", "a"], [5, 5, 5, 5], FEW),
}


@pytest.mark.parametrize("case", SETTINGS)
def test_settings_are_judged_by_their_seeds(case):
    datasets, means, verdict = SETTINGS[case]
    changes = {
        (dataset, f"s{i}"): mean + pd.Series([-0.1, 0.0, 0.1])
        for i, (dataset, mean) in enumerate(zip(datasets, means, strict=True))
    }
    cases = over_settings(changes, "width", 1, "points")
    assert judge_by_former_rule(cases, "direction").verdict == verdict


def test_an_effect_is_tested_against_the_end_that_the_claim_asks_for():
    """An effect below -1 that is said to be so has a small p; one that is not has a large one."""
    index = pd.Index([f"n{i}" for i in range(12)], name="case")
    noise = np.linspace(-0.5, 0.5, 12)
    for mean, small in ((-3.0, True), (-1.0, False)):
        effects = pd.Series(mean + noise, index=index)
        cases = Cases(effects, "x", unit="points", sign=-1, margin=1.0)
        finding = judge_by_former_rule(cases, "direction")
        assert (finding.p < 0.01) == small and finding.most == -1.0
        assert finding.verdict == (HOLDS if small else MIXED)


@pytest.mark.parametrize(("k", "n"), [(0, 20), (2, 7), (5, 20), (9, 9)])
def test_the_exact_interval_is_that_of_clopper_and_pearson(k, n):
    result = former_rule.exact_interval(np.arange(n) < k, {})
    exact = binomtest(k, n, 0.05)
    interval = exact.proportion_ci()
    assert (result.low, result.high) == pytest.approx(
        (interval.low, interval.high), abs=1e-6
    )
    assert (result.p(0.05) < 0.05) == (not interval.low <= 0.05 <= interval.high)
