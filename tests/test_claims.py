"""The ledger's rules and tests on hand-made tables, and the ledger of the checkout."""

import pandas as pd
import pytest

from book.evidence import claims
from book.evidence.claims import comparisons, trends

TABLE = pd.DataFrame(
    [
        # network, uncalibrated, temperature, spline
        ("A", 5.0, 1.0, 0.5),
        ("B", 4.0, 0.9, 1.2),
        ("C", 3.0, 0.5, 0.7),
        ("D", 0.4, 0.6, 0.3),
    ],
    columns=["model", "Uncalibrated", "Temperature scaling", "Spline"],
).melt("model", var_name="method")
TABLE = TABLE.assign(metric="KS", dataset="toy", loss="")


def verdict(finding):
    return finding.verdict


def test_wilson_holds_the_share_and_stays_in_the_unit_interval():
    for k in range(11):
        low, high = claims.wilson(k, 10)
        assert 0 <= low <= k / 10 <= high <= 1


def test_wilson_by_hand():
    assert claims.wilson(5, 10) == pytest.approx((0.236593, 0.763407), abs=1e-6)


@pytest.mark.parametrize(
    ("quantifier", "k", "n", "expected"),
    [
        ("always", 4, 4, "holds"),
        ("always", 3, 4, "fails"),
        ("almost always", 9, 10, "holds"),
        ("almost always", 8, 10, "mixed"),
        ("almost always", 10, 30, "fails"),
        ("mostly", 20, 22, "holds"),
        ("mostly", 12, 22, "mixed"),
        ("mostly", 2, 22, "fails"),
        ("sometimes", 1, 9, "holds"),
        ("sometimes", 0, 9, "fails"),
        (9, 9, 13, "holds"),
        (9, 10, 13, "fails"),
        ("always", 0, 0, "not tested"),
    ],
)
def test_quantifiers(quantifier, k, n, expected):
    cases = pd.Series([True] * k + [False] * (n - k), dtype=bool)
    assert claims.judge_share(cases, quantifier, "x").verdict == expected


def test_unknown_quantifier_is_named():
    with pytest.raises(ValueError, match="'often'"):
        claims.judge_share(pd.Series([True]), "often", "x")


@pytest.mark.parametrize(
    ("values", "sign", "margin", "expected"),
    [
        ([1.0, 1.1, 0.9], 1, 0.0, "holds"),
        ([1.0, 1.1, 0.9], -1, 0.0, "fails"),
        ([1.0, -1.1, 0.2], 1, 0.0, "mixed"),
        ([1.0, 1.1, 0.9], 1, 2.0, "fails"),
        ([0.01, -0.01, 0.0], 0, 0.1, "holds"),
        ([1.0, 1.1, 0.9], 0, 0.1, "fails"),
        ([1.0], 1, 0.0, "not tested"),
    ],
)
def test_effects(values, sign, margin, expected):
    assert claims.judge_effect(values, sign, "x", margin=margin).verdict == expected


def test_effect_interval_is_the_t_interval():
    from scipy.stats import ttest_1samp

    values = [1.0, 2.0, 4.0, 4.5]
    finding = claims.judge_effect(values, 1, "x")
    interval = ttest_1samp(values, 0).confidence_interval()
    assert (finding.low, finding.high) == pytest.approx((interval.low, interval.high))


def test_lower_counts_the_networks():
    finding = comparisons.lower(
        TABLE, member="Spline", than="Temperature scaling", quantifier="mostly"
    )
    assert (finding.estimate, finding.n) == (0.5, 4)


def test_lower_by_more_than_a_gap():
    finding = comparisons.lower(
        TABLE, member="Spline", than="Temperature scaling", by=0.4, quantifier=1
    )
    assert finding.verdict == "holds"


def test_lower_with_a_condition_keeps_its_cases():
    finding = comparisons.lower(
        TABLE,
        member="Uncalibrated",
        than="Temperature scaling",
        given={"member": "Uncalibrated", "below": 1.0},
        quantifier="always",
    )
    assert (finding.verdict, finding.n) == ("holds", 1)


def test_lowest_counts_ties_and_names_exceptions():
    finding = comparisons.lowest(TABLE, member="Spline", quantifier="always")
    assert finding.verdict == "fails"
    assert finding.reason.endswith("2 of 4; not B, C")


def test_second_when_beaten_looks_only_where_it_is_beaten():
    assert comparisons.second_when_beaten(TABLE, member="Spline", by="Temperature scaling").n == 2


def test_close_when_beaten():
    by = {"member": "Spline", "by": "Temperature scaling"}
    assert comparisons.close_when_beaten(TABLE, **by, gap=0.31).verdict == "holds"
    assert comparisons.close_when_beaten(TABLE, **by, gap=0.25).verdict == "fails"


def test_limit_and_unchanged():
    assert comparisons.limit(TABLE, member="Spline", below=1.0, quantifier=3).verdict == "holds"
    same = {"member": "Spline", "reference": "Temperature scaling", "quantifier": 3}
    assert comparisons.unchanged(TABLE, **same, within=0.3).verdict == "holds"


def test_correlation_of_a_monotone_relation_is_one():
    rows = pd.DataFrame({"x": range(10), "y": [v**3 for v in range(10)]})
    finding = trends.correlates(rows, x="x", y="y", sign=1)
    assert finding.verdict == "holds"
    assert finding.estimate == pytest.approx(1)


def test_five_networks_do_not_resolve_a_correlation_of_nine_tenths():
    """Ten of the 120 orders of five have one as far from zero: more than one in twenty."""
    rows = pd.DataFrame({"x": [1, 2, 3, 4, 5], "y": [5, 4, 3, 1, 2]})
    finding = trends.correlates(rows, x="x", y="y", sign=1)
    assert finding.estimate == pytest.approx(-0.9)
    assert finding.verdict == "mixed"


def test_trend_needs_every_seed_on_one_side():
    rows = pd.DataFrame(
        [(s, d, 0.01 * d + 0.001 * s * d / 8) for s in range(3) for d in (8, 14, 20)],
        columns=["seed", "depth", "value"],
    )
    assert trends.trend(rows, level="depth", sign=1).verdict == "holds"
    assert trends.rises(rows, level="depth", quantifier="always").verdict == "holds"


def test_a_wrong_entry_is_named():
    with pytest.raises(ValueError, match=r"x: unknown test 'guess'"):
        claims.check_spec("x", "published", {"test": "guess"})
    with pytest.raises(ValueError, match=r"x: unknown parameters \['colour'\]"):
        claims.check_spec("x", "published", {"test": "lowest", "colour": 1})
    with pytest.raises(ValueError, match="x: unknown evidence 'hearsay'"):
        claims.check_spec("x", "hearsay", {"test": "lowest"})


def test_between_is_welchs_interval():
    from scipy.stats import ttest_ind

    rows = pd.DataFrame({"family": list("aaabbb"), "value": [1.0, 2, 3, 4, 6, 9]})
    finding = trends.between(rows, column="family", first="a", second="b", sign=1)
    interval = ttest_ind([4, 6, 9], [1, 2, 3], equal_var=False).confidence_interval()
    assert (finding.low, finding.high) == pytest.approx((interval.low, interval.high))


def test_a_family_rises_where_its_rank_correlation_is_positive():
    rows = pd.DataFrame(
        [("a", 1, 2.0), ("a", 2, 3.0), ("a", 3, 4.0), ("b", 1, 3.0), ("b", 2, 2.0), ("b", 3, 1.0)],
        columns=["siblings", "size", "value"],
    )
    finding = trends.families_rise(rows, x="size", quantifier="always")
    assert (finding.verdict, finding.estimate, finding.n) == ("fails", 0.5, 2)
    assert trends.families_rise(rows, x="size", quantifier=1, sign=-1).verdict == "holds"
    assert trends.families_rise(rows, x="size", quantifier=1, at_least=4).verdict == "not tested"


def test_pareto_by_hand():
    table = pd.DataFrame({"error": [1, 2, 3, 2, 1], "ece": [3, 1, 2, 1, 4]})
    assert trends.pareto(table, "error", "ece").tolist() == [True, True, False, True, False]


def test_families_explain_what_they_made_and_nothing_else():
    import numpy as np

    rng = np.random.default_rng(0)
    size = np.tile([1.0, 2, 3, 4, 5], 4)
    family = np.repeat(list("abcd"), 5)
    noise = 0.1 * rng.standard_normal(20)
    made = pd.DataFrame({"family": family, "size": size})
    strong = made.assign(value=np.exp(np.repeat([0, 1, 2, 3], 5) + size + noise))
    assert trends.families_explain(strong, given=["size"]).estimate > 0.9
    assert trends.families_explain(made.assign(value=np.exp(size + noise)), given=["size"]).low == 0


def test_overfitting_is_a_rise_after_the_minimum():
    curve = pd.DataFrame(
        [(s, m, v) for s, nll, acc in ((1, 0.9, 60), (2, 0.5, 80), (3, 0.7, 81))
         for m, v in (("NLL", nll), ("Accuracy", acc))],
        columns=["step", "metric", "value"],
    ).assign(case="net", split="test")  # fmt: skip
    also = {"metric": "NLL", "while_metric": "Accuracy", "quantifier": "always"}
    assert trends.overfits(curve, **also).verdict == "holds"
    assert trends.overfits(curve[curve.step < 3], **also).verdict == "fails"


def test_a_rise_compared_between_families():
    rows = pd.DataFrame(
        [(f"{f}{i}", f, level, 1.0 + i + (slope + 0.01 * i) * level)
         for f, slope in (("CNN", 2.0), ("ViT", 1.0)) for i in range(3) for level in (0, 5)],
        columns=["case", "family", "severity", "value"],
    )  # fmt: skip
    of = {"level": "severity", "low": 0, "high": 5, "column": "family"}
    finding = trends.rises_more(rows, **of, first="CNN", second="ViT", sign=-1)
    assert (finding.verdict, finding.estimate) == ("holds", pytest.approx(-5))


def test_the_ledger_has_enough_claims_and_evidence():
    ledger = claims.load_claims()
    papers = pd.Series([claim.paper for claim in ledger])
    assert len(ledger) >= 60
    assert set(papers) == set(claims.PAPERS)
    assert papers.value_counts().min() >= 10
    assert sum(len(claim.evidence) >= 2 for claim in ledger) >= len(ledger) / 2
    assert len({claim.says for claim in ledger}) == len(ledger)


def test_the_stored_ledger_is_what_the_evidence_says():
    """After a change: look at `python -m book.evidence.claims`, then `--update`."""
    key = ["id", "evidence"]
    stored = claims.load_ledger().set_index(key)
    judged = claims.judge_all().set_index(key)
    assert stored.index.tolist() == judged.index.tolist()
    changed = stored.index[stored["verdict"] != judged["verdict"]]
    assert not len(changed), f"verdicts changed: {list(changed)}"
    assert (stored["n"] == judged["n"]).all()
    for column in ("estimate", "low", "high"):
        assert stored[column].to_numpy() == pytest.approx(
            judged[column].to_numpy(), rel=1e-3, abs=1e-3, nan_ok=True
        )


def test_known_verdicts_on_the_papers_own_tables():
    ledger = claims.judge_all().set_index(["id", "evidence"])["verdict"]
    assert ledger["gupta-nine-of-thirteen", "published"] == "holds"
    assert ledger["gupta-second-when-beaten", "published"] == "fails"
    assert ledger["gupta-top2-one-exception", "published"] == "fails"
    assert ledger["vasilev-temperature-keeps-accuracy", "published"] == "holds"
