"""The ledger's rules and tests on hand-made tables, and the ledger of the checkout."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_ind

import calib
from book.evidence import claims
from book.evidence.claims import comparisons, log, trends
from book.evidence.claims.ledger import quoted_alone

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


def judged(cases, quantifier="mostly", **others):
    return claims.judge(cases, quantifier, **others)


@pytest.mark.parametrize(
    ("quantifier", "k", "n", "counted", "expected"),
    [
        ("always", 5, 5, "holds", "holds"),
        ("always", 4, 4, "holds", "too few cases"),
        ("always", 4, 5, "fails", "mixed"),
        ("almost always", 9, 10, "holds", "holds"),
        ("almost always", 8, 10, "fails", "mixed"),
        ("almost always", 5, 30, "fails", "fails"),
        ("all but one", 9, 10, "holds", "holds"),
        ("exists", 0, 40, "fails", "mixed"),
        ("exists", 2, 7, "holds", "mixed"),
        ("exists", 4, 4, "holds", "too few cases"),
        ("exists", 8, 40, "holds", "holds"),
        ("mostly", 20, 22, "holds", "holds"),
        ("mostly", 12, 22, "holds", "mixed"),
        ("mostly", 2, 22, "fails", "fails"),
        ("mostly", 11, 22, "fails", "mixed"),
        ("in many", 20, 40, "holds", "holds"),
        ("in many", 5, 40, "fails", "fails"),
        ("in many", 0, 9, "fails", "too few cases"),
        ("in many", 2, 12, "fails", "mixed"),
        (9, 9, 13, "holds", "mixed"),
        (9, 10, 13, "fails", "mixed"),
        ("always", 0, 0, "not tested", "not tested"),
    ],
)
def test_quantifiers(quantifier, k, n, counted, expected):
    cases = pd.Series([True] * k + [False] * (n - k), dtype=bool)
    found = judged(claims.Cases(cases, "x"), quantifier)
    assert (found.counted, found.verdict) == (counted, expected)


CELL = st.tuples(st.integers(0, 3), st.integers(0, 5), st.booleans())
ORDER = ["always", "almost always", "mostly", "in many"]


def cases_of(draw):
    """Cases with their data sets and networks, from (data set, network, agrees) triples."""
    index = pd.MultiIndex.from_tuples(
        [(f"d{d}", f"d{d} n{m}", f"m{i}") for i, (d, m, _) in enumerate(draw)],
        names=["dataset", "case", "metric"],
    )
    return pd.Series([agrees for *_, agrees in draw], index=index)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 5), st.booleans()), min_size=1, max_size=40
    )
)
def test_what_holds_for_a_stronger_quantifier_holds_for_a_weaker(drawn):
    found = [judged(claims.Cases(cases_of(drawn), "x"), q) for q in ORDER]
    for verdicts in ([f.counted for f in found], [f.verdict for f in found]):
        for i, verdict in enumerate(verdicts):
            if verdict == "holds":
                assert set(verdicts[i:]) == {"holds"}
            if verdict == "fails":
                assert set(verdicts[: i + 1]) == {"fails"}


def test_cells_of_one_network_are_one_network():
    cells = cases_of([(0, 0, True)] * 30)
    found = judged(claims.Cases(cells, "x"), "always")
    assert (found.n, found.verdict, found.counted) == (1, "too few cases", "holds")


def test_one_data_set_is_too_few_unless_the_sentence_names_it():
    cases = claims.Cases(cases_of([(0, i, True) for i in range(31)]), "x")
    assert judged(cases).verdict == "too few cases"
    assert judged(cases, on=["d0"]).verdict == "holds"


def test_data_sets_that_contradict_each_other_are_told():
    index = [(0, i, i > 0) for i in range(31)] + [(1, i, i < 1) for i in range(11)]
    index = pd.MultiIndex.from_tuples([(f"d{d}", f"{d}{i}", a) for d, i, a in index])
    cases = pd.Series(index.get_level_values(2), index.droplevel(2).set_names(["dataset", "case"]))
    found = judged(claims.Cases(cases, "x"))
    assert found.verdict == "depends on the data"
    assert found.by_data == "d0 30 of 31; d1 1 of 11"
    same = [(d, i, i < 9) for d in range(6) for i in range(10)]
    assert judged(claims.Cases(cases_of(same), "x")).verdict == "holds"


def test_verdicts_quoted_alone_are_those_of_a_false_discovery_rate():
    ledger = pd.DataFrame({"p": [0.01, 0.02, 0.04, 0.9, 0.0], "as_mostly": "holds"})
    ledger["status"] = ["claim"] * 4 + ["ours"]
    assert quoted_alone(ledger).to_list() == ["holds", "holds", "mixed", "mixed", "holds"]


@pytest.mark.parametrize(
    ("values", "sign", "margin", "expected"),
    [
        ([1.0, 1.1, 0.9, 1, 1], 1, 0.0, "holds"),
        ([1.0, 1.1, 0.9, 1, 1], -1, 0.0, "fails"),
        ([1.0, -1.1, 0.2, 1, -1], 1, 0.0, "mixed"),
        ([1.0, 1.1, 0.9, 1, 1], 1, 2.0, "fails"),
        ([0.01, -0.01, 0.0, 0, 0], 0, 0.1, "holds"),
        ([1.0, 1.1, 0.9, 1, 1], 0, 0.1, "fails"),
        ([0.1, 0.3, 0.2, 0.25, 0.15], 0, 0.22, "fails"),
        ([0.4, -0.3, 0.2, 0.25, 0.15], 0, 0.22, "mixed"),
        ([1.0, 1.1, 0.9, 1], 1, 0.0, "too few cases"),
    ],
)
def test_effects(values, sign, margin, expected):
    cases = claims.Cases(pd.Series(values), "x", unit="points", sign=sign, margin=margin)
    assert judged(cases, "none" if sign == 0 else "direction").verdict == expected


def test_lowest_counts_ties_and_names_exceptions():
    finding = judged(comparisons.lowest(TABLE, member="Spline"), "always")
    assert finding.counted == "fails"
    assert finding.reason.split(" (")[0].endswith("2 of 4; not B, C")
    assert (finding.agree, finding.against) == ("A; D", "B; C")


SEEDS = pd.DataFrame(
    [
        (s, d, "r", data, 0.01 * way * d * (1 + i / 10) + 0.001 * s * d / 8)
        for s in range(3)
        for d in (8, 14, 20)
        for i, (data, way) in enumerate([("a", 1), ("b", 1), ("c", 1), ("d", -9)])
    ],
    columns=["seed", "depth", "family", "dataset", "value"],
)


def test_a_trend_is_the_mean_over_settings_of_its_paired_seeds():
    three = SEEDS[SEEDS["dataset"] < "d"]
    found = judged(trends.trend(three, level="depth", sign=1), "direction")
    assert (found.verdict, found.n) == ("holds", 3)
    assert found.estimate == pytest.approx(0.12 * 1.1 + 0.001 * 12 / 8)
    one = SEEDS[SEEDS["dataset"] == "a"]
    assert judged(trends.trend(one, level="depth", sign=1)).verdict == "too few cases"
    few = trends.trend(three[three["seed"] < 2], level="depth", sign=1)
    assert judged(few).verdict == "not tested"


def test_a_trend_that_differs_between_data_sets_depends_on_them():
    found = judged(trends.trend(SEEDS, level="depth", sign=1), "direction")
    assert (found.verdict, found.n) == ("depends on the data", 4)
    again = SEEDS[SEEDS["dataset"] == "d"].assign(dataset="a", epochs=9)
    both = pd.concat([SEEDS.assign(epochs=1), again])
    found = judged(trends.trend(both, level="depth", sign=1), "direction")
    assert found.verdict == "depends on the setting"


def test_what_is_asked_for_is_what_the_verdict_is_by():
    """A share that holds reaches it; an effect that holds has its interval within it."""
    ledger = claims.load_ledger()
    assert (ledger["least"].isna() == ledger["estimate"].isna()).all()
    shares = (ledger["unit"] == "share") & (ledger["as_mostly"] == "holds")
    shares &= ledger["evidence"] != "published"
    assert (ledger["estimate"] >= ledger["least"] - 0.01)[shares].all()
    effects = (ledger["unit"] != "share") & (ledger["as_mostly"] == "holds")
    assert (ledger["low"] >= ledger["least"])[effects].all()
    assert (ledger["high"] <= ledger["most"])[effects].all()


@pytest.mark.parametrize(("metric", "bound"), [("KS", 2.0), ("ECE", 4.0)])
def test_a_calibrated_network_has_the_error_that_is_said(metric, bound):
    """sqrt(pi B / 2n) for KS, at most sqrt(2 M B / (pi n)) for the ECE, against simulation."""
    rng = np.random.default_rng(3)
    score = rng.beta(8, 2, size=2000)
    error = {"KS": calib.ks_error, "ECE": calib.ece}[metric]
    simulated = 100 * np.mean([error(rng.uniform(size=2000) < score, score) for _ in range(400)])
    rows = pd.DataFrame(
        {
            "metric": [metric, "Top-1 Brier"],
            "method": "Spline",
            "dataset": "toy",
            "case": "net",
            "value": [0.5, np.mean(score * (1 - score))],
            "n": 2000,
        }
    )
    chance = comparisons.by_chance(rows, "Spline", metric).item()
    near = 0.95 * chance < simulated < 1.05 * chance
    assert near if metric == "KS" else 0.5 * chance < simulated < chance
    found = judged(comparisons.limit(rows, member="Spline", below=bound, of=metric))
    assert f"toy {chance:.2f} to {chance:.2f} on average (0 of 1" in found.reason


def test_every_comparison_that_the_zoo_can_make_is_made():
    """Each claim about training reads all settings that differ in its factor alone."""
    index = claims.zoo_metrics().drop_duplicates("name")
    about = {}
    for claim in claims.load_claims():
        for spec in claim.evidence.values():
            if spec["test"] in ("trend", "moves_more"):
                assert set(spec.get("rows", {})) <= {"metric", "method"}, claim.id
                about.setdefault(spec["level"], claim)
    seeded = index.dropna(subset=["seed"])
    factors = {f for f in trends.SETTINGS if any(trends.alike_but_for(seeded, f))}
    assert factors - {"dataset", "family", "training_images", "epochs"} <= set(about)
    made = about["batch_norm"].judge("zoo").reason
    assert "20 Newsgroups DAN, with batch normalisation: -" in made
    assert "Fashion-MNIST ConvNet, with batch normalisation: +" in made


def test_between_is_welchs_interval():
    rows = pd.DataFrame({"family": list("aaabbb"), "value": [1.0, 2, 3, 4, 6, 9]})
    rows["case"] = rows.index.astype(str)
    cases = trends.between(rows, column="family", first="a", second="b", sign=1)
    found = judged(cases, "direction")
    welch = ttest_ind([4, 6, 9], [1, 2, 3], equal_var=False)
    interval = welch.confidence_interval()
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
    assert found.p == pytest.approx(welch.pvalue)


def test_a_family_rises_where_its_rank_correlation_is_positive():
    rows = pd.DataFrame(
        [("a", 1, 2.0), ("a", 2, 3.0), ("a", 3, 4.0), ("b", 1, 3.0), ("b", 2, 2.0), ("b", 3, 1.0)],
        columns=["siblings", "size", "value"],
    )
    finding = judged(trends.families_rise(rows, x="size"), "always")
    assert (finding.counted, finding.estimate, finding.n) == ("fails", 0.5, 2)
    assert judged(trends.families_rise(rows, x="size", sign=-1), 1).counted == "holds"
    assert judged(trends.families_rise(rows, x="size", at_least=4)).verdict == "not tested"


def test_families_explain_what_they_made_and_nothing_else():
    rng = np.random.default_rng(0)
    size = np.tile([1.0, 2, 3, 4, 5], 4)
    family = np.repeat(list("abcd"), 5)
    noise = 0.1 * rng.standard_normal(20)
    made = pd.DataFrame({"family": family, "size": size, "case": np.arange(20).astype(str)})
    strong = made.assign(value=np.exp(np.repeat([0, 1, 2, 3], 5) + size + noise))
    assert judged(trends.families_explain(strong, given=["size"])).estimate > 0.9
    none = trends.families_explain(made.assign(value=np.exp(size + noise)), given=["size"])
    assert judged(none).low == 0
    many = pd.DataFrame({"family": rng.integers(60, size=1200).astype(str), "size": 1.0})
    many["case"], many["value"] = many.index.astype(str), np.exp(many["family"].astype(int))
    many["value"] *= np.exp(rng.standard_normal(1200))
    found = judged(trends.families_explain(many, given=["size"]))
    assert 0.99 < found.low < found.estimate < found.high < 1


def test_criteria_disagree_where_they_do_so_beyond_what_halves_do():
    """In A the best differ in nine splits of ten, by one metric alone in one or three."""
    shares = {"A": (0.9, 0.1, 0.3), "B": (0.9, 0.5, 0.5)}
    pairs = [("ECE", "MCE"), ("ECE", "ECE"), ("MCE", "MCE")]
    rows = [
        ("toy", case, *pair, differs)
        for case, own in shares.items()
        for pair, differs in zip(pairs, own, strict=True)
    ]
    rows = pd.DataFrame(rows, columns=["dataset", "case", "first", "second", "differs"])
    for metrics in (("ECE", "MCE"), ("MCE", "ECE")):
        cases = comparisons.winners_differ_by_metric(rows, first=metrics[0], second=metrics[1])
        assert cases.values.droplevel("dataset").to_dict() == {"A": True, "B": False}


@pytest.mark.parametrize("part", claims.PARTS)
def test_the_stored_ledger_is_what_the_evidence_says(part):
    """After a change: look at `python -m book.evidence.claims`, then `--update`."""
    key = ["id", "evidence"]
    stored = claims.load_ledger(part=part).set_index(key)
    judged = claims.judge_all(claims.load_claims(part)).set_index(key)
    assert stored.index.tolist() == judged.index.tolist()
    changed = stored.index[stored["verdict"] != judged["verdict"]]
    assert not len(changed), f"verdicts changed: {list(changed)}"
    assert (stored["n"] == judged["n"]).all()
    for column in ("estimate", "low", "high"):
        assert stored[column].to_numpy() == pytest.approx(
            judged[column].to_numpy(), rel=1e-3, abs=1e-3, nan_ok=True
        )


def test_every_claim_has_its_word():
    used = {claim.word for claim in claims.all_claims()}
    assert used <= {*claims.mapping(), "9 of 13"}
    assert set(claims.mapping()) - used <= {"N of M"}, "a word that no claim has"


def test_no_rule_changed_without_a_line_in_the_log():
    """After a change: `python -m book.evidence.claims --update --because "the reason"`."""
    assert not claims.unlogged(claims.all_claims(), claims.load_log())


def test_a_change_of_a_rule_is_seen_whatever_it_is():
    ledger, lines = claims.all_claims(), claims.load_log()
    claim = next(claim for claim in ledger if "zoo" in claim.evidence)
    weaker = {**claim.evidence, "zoo": {**claim.evidence["zoo"], "above": 0.5}}
    for changed, part in (
        (replace(claim, evidence=weaker), "zoo"),
        (replace(claim, says="Something else."), "wording"),
        (replace(claim, dropped="It failed."), "wording"),
        (replace(claim, word="in many cases"), "wording"),
    ):
        others = [changed if other is claim else other for other in ledger]
        assert claims.unlogged(others, lines) == [(claim.id, part)]
    without = [other for other in ledger if other is not claim]
    gone = claims.unlogged(without, lines)
    assert set(gone) == {(claim.id, part) for part in log.parts(claim)}


def test_a_perfect_order_has_an_interval_with_a_width():
    rows = pd.DataFrame({"x": range(8), "y": range(8)})
    found = judged(trends.correlates(rows, x="x", y="y", sign=1), "direction")
    exchanged = np.arctanh(1 - 12 / (8 * 63))  # two neighbours exchanged
    half = 1.959964 * np.sqrt(1.5 / 5)
    assert (found.estimate, found.verdict) == (pytest.approx(1), "holds")
    assert (found.low, found.high) == pytest.approx(np.tanh([exchanged - half, exchanged + half]))


def test_a_slope_below_one():
    label = np.array([50.0, 60, 70, 80, 90])
    for noise, verdict in (([0, 0.1, 0, -0.1, 0], "holds"), ([9, -9, 9, -9, 9], "mixed")):
        values = {"label": label, "ReaL": 20 + 0.8 * label + noise}
        rows = pd.DataFrame(values, index=list("abcde")).rename_axis("case")
        rows = rows.reset_index().melt("case", var_name="method")
        found = judged(trends.slope(rows, x="label", y="ReaL", sign=-1, of=1.0), "direction")
        assert found.verdict == verdict and found.estimate == pytest.approx(0.798, abs=0.003)
        assert found.low < found.estimate < found.high
    few = judged(trends.slope(rows[rows["case"] < "e"], x="label", y="ReaL", sign=-1, of=1.0))
    assert few.verdict == "too few cases"


def test_on_average_is_counted_by_the_mean():
    values = pd.Series([5.0, 5, 5, -1, -1])
    for sign, quantifier, counted in (
        (1, "direction", "mixed"),
        (1, "average", "holds"),
        (-1, "average", "fails"),
    ):
        cases = claims.Cases(values, "", unit="points", sign=sign)
        assert judged(cases, quantifier).counted == counted


def test_the_second_coding_has_every_claim_and_settles_every_disagreement():
    coded = claims.frames.read_table("second-coder.csv").fillna("").set_index("id")
    now = {claim.id: claims.rule.quantifier_of(claim.word) for claim in claims.load_claims()}
    assert list(coded.index) == list(now)
    assert set(coded["quantifier"]) <= set(claims.mapping().values())
    for name, line in coded.iterrows():
        settled = "count" if isinstance(now[name], int) else now[name]
        same = {line["same_quantity"], line["same_cases"]} == {"same"}
        apart = {line["first"], settled} != {line["quantifier"]} or not same
        assert bool(line["settled"]) == apart, name
