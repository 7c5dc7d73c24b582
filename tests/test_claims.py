"""The ledger's rules and tests on hand-made tables, and the ledger of the checkout."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t

import calib
from book.evidence import claims
from book.evidence.claims import comparisons, findings, frames, log, trends

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
    ("quantifier", "k", "n", "counted", "expected"),
    [
        ("always", 5, 5, "holds", "holds"),
        ("always", 4, 4, "holds", "too few cases"),
        ("always", 4, 5, "fails", "fails"),
        ("almost always", 9, 10, "holds", "holds"),
        ("almost always", 8, 10, "fails", "mixed"),
        ("almost always", 10, 30, "fails", "fails"),
        ("mostly", 20, 22, "holds", "holds"),
        ("mostly", 12, 22, "holds", "mixed"),
        ("mostly", 2, 22, "fails", "fails"),
        ("mostly", 11, 22, "fails", "mixed"),
        ("in many", 20, 40, "holds", "holds"),
        ("in many", 5, 40, "fails", "fails"),
        (9, 9, 13, "holds", "holds"),
        (9, 10, 13, "fails", "fails"),
        ("always", 0, 0, "not tested", "not tested"),
    ],
)
def test_quantifiers(quantifier, k, n, counted, expected):
    cases = pd.Series([True] * k + [False] * (n - k), dtype=bool)
    found = claims.judge_share(cases, quantifier, "x")
    assert (found.counted, found.by_words) == (counted, expected)


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
    found = [claims.judge_share(cases_of(drawn), q, "x") for q in ORDER]
    for verdicts in ([f.counted for f in found], [f.by_words for f in found]):
        for i, verdict in enumerate(verdicts):
            if verdict == "holds":
                assert set(verdicts[i:]) == {"holds"}
            if verdict == "fails":
                assert set(verdicts[: i + 1]) == {"fails"}


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 5), st.booleans()), min_size=5, max_size=40
    )
)
def test_data_sets_never_narrow_an_interval(drawn):
    cases = cases_of(drawn)
    found = claims.judge_share(cases, "mostly", "x")
    alone = claims.judge_share(cases.droplevel("dataset"), "mostly", "x")
    assert found.low <= alone.low + 1e-12
    assert found.high >= alone.high - 1e-12


def test_cells_of_one_network_are_one_network():
    cells = cases_of([(0, 0, True)] * 30)
    found = claims.judge_share(cells, "always", "x")
    assert (found.n, found.by_words, found.counted) == (1, "too few cases", "holds")


def test_a_data_set_is_one_however_many_of_its_images_a_network_saw():
    cases = frames.zoo_cases()
    seen = cases[cases["name"].str.startswith("cifar100-")]
    assert set(seen["training_images"]) == {10_000, 22_500}
    assert set(seen["dataset"]) == {"cifar100"}


def test_data_sets_that_contradict_each_other_are_told():
    drawn = [(0, i, i > 0) for i in range(31)] + [(1, i, i < 2) for i in range(11)]
    found = claims.judge_share(cases_of(drawn), "mostly", "x")
    assert found.by_words == "depends on the data"
    assert found.by_data == "d0 30 of 31; d1 2 of 11"
    same = [(d, i, i < 8) for d in (0, 1) for i in range(10)]
    assert claims.judge_share(cases_of(same), "mostly", "x").by_words == "holds"


def test_holm_by_hand():
    adjusted = findings.holm(np.array([0.01, 0.04, 0.03, 0.005]))
    assert adjusted == pytest.approx([0.03, 0.06, 0.06, 0.02])


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
        ([1.0, 1.1], 1, 0.0, "too few cases"),
        ([1.0], 1, 0.0, "too few cases"),
    ],
)
def test_effects(values, sign, margin, expected):
    found = claims.judge_effect(values, sign, "x", margin=margin, fewest=3)
    assert found.verdict == expected
    assert claims.judge_effect(values, sign, "x", margin=margin).verdict == "too few cases"


def test_effect_interval_is_the_t_interval():
    from scipy.stats import ttest_1samp

    values = [1.0, 2.0, 4.0, 4.5]
    finding = claims.judge_effect(values, 1, "x")
    interval = ttest_1samp(values, 0).confidence_interval()
    assert (finding.low, finding.high) == pytest.approx((interval.low, interval.high))
    assert finding.p == pytest.approx(ttest_1samp(values, 0).pvalue)


def test_lower_counts_the_networks():
    finding = comparisons.lower(
        TABLE, member="Spline", than="Temperature scaling", quantifier="mostly"
    )
    assert (finding.estimate, finding.n) == (0.5, 4)


def test_lower_by_more_than_a_gap():
    finding = comparisons.lower(
        TABLE, member="Spline", than="Temperature scaling", by=0.4, quantifier=1
    )
    assert finding.counted == "holds"


def test_lower_with_a_condition_keeps_its_cases():
    finding = comparisons.lower(
        TABLE,
        member="Uncalibrated",
        than="Temperature scaling",
        given={"member": "Uncalibrated", "below": 1.0},
        quantifier="always",
    )
    assert (finding.counted, finding.n) == ("holds", 1)


def test_lowest_counts_ties_and_names_exceptions():
    finding = comparisons.lowest(TABLE, member="Spline", quantifier="always")
    assert finding.counted == "fails"
    assert finding.reason.endswith("2 of 4; not B, C")
    assert (finding.agree, finding.against) == ("A; D", "B; C")


def test_each_network_of_a_kind_is_a_case_that_has_to_be_below_all_others():
    """The mean of two of them is below all others on d, and one of the two is not."""
    rows = pd.DataFrame(
        [
            ("d", "a", "old", 1.0),
            ("d", "b", "old", 3.5),
            ("d", "c", "new", 3.0),
            ("d", "e", "new", 9.0),
            ("f", "g", "old", 2.0),
            ("f", "h", "new", 2.0),
        ],
        columns=["dataset", "case", "model", "value"],
    )
    rule = {"column": "model", "member": "old", "quantifier": "always"}
    found = comparisons.below_all_others(rows, **rule)
    assert (found.agree, found.against, found.n) == ("d a", "d b; f g", 3)
    assert "d b 3.5, least 3" in found.reason
    assert comparisons.below_all_others(rows[rows.case != "b"][:3], **rule).counted == "holds"


def test_second_when_beaten_looks_only_where_it_is_beaten():
    assert comparisons.second_when_beaten(TABLE, member="Spline", by="Temperature scaling").n == 2


def test_close_when_beaten():
    by = {"member": "Spline", "by": "Temperature scaling"}
    assert comparisons.close_when_beaten(TABLE, **by, gap=0.31).counted == "holds"
    assert comparisons.close_when_beaten(TABLE, **by, gap=0.25).counted == "fails"


def test_limit_and_unchanged():
    assert comparisons.limit(TABLE, member="Spline", below=1.0, quantifier=3).counted == "holds"
    same = {"member": "Spline", "reference": "Temperature scaling", "quantifier": 3}
    assert comparisons.unchanged(TABLE, **same, within=0.3).counted == "holds"


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


SEEDS = pd.DataFrame(
    [
        (s, d, "r", data, 0.01 * way * d + 0.001 * s * d / 8)
        for s in range(3)
        for d in (8, 14, 20)
        for data, way in (("a", 1), ("b", -1))
    ],
    columns=["seed", "depth", "family", "dataset", "value"],
)


def test_a_trend_pairs_seeds_within_a_setting():
    one = SEEDS[SEEDS["dataset"] == "a"]
    found = trends.trend(one, level="depth", sign=1)
    assert (found.verdict, found.n) == ("holds", 3)
    assert trends.trend(one[one["seed"] < 2], level="depth", sign=1).verdict == "too few cases"


def test_a_trend_that_differs_between_data_sets_depends_on_them():
    found = trends.trend(SEEDS, level="depth", sign=1)
    assert (found.verdict, found.n) == ("depends on the data", 6)
    same = trends.trend(SEEDS.assign(epochs=SEEDS["dataset"], dataset="a"), level="depth", sign=1)
    assert same.verdict == "depends on the setting"


def test_what_was_found_in_each_setting_is_kept():
    """Its ends and its mean are those of the whole."""
    ledger = claims.load_ledger()
    several = ledger[ledger["settings"] != ""]
    assert {"guo-batch-norm", "vasilev-losses-ece", "nixon-label-noise"} <= set(several["id"])
    for row in several.itertuples():
        settings = pd.DataFrame(json.loads(row.settings))
        assert settings["setting"].is_unique
        ends = settings["estimate"].mean(), settings["low"].min(), settings["high"].max()
        assert ends == pytest.approx((row.estimate, row.low, row.high), rel=2e-3, abs=2e-3)


def test_what_is_asked_for_is_what_the_verdict_is_by():
    """A share that holds reaches it; an effect that holds has its interval within it."""
    ledger = claims.load_ledger()
    assert (ledger["least"].isna() == ledger["estimate"].isna()).all()
    shares = (ledger["unit"] == "share") & (ledger["verdict"] == "holds")
    assert (ledger["estimate"] >= ledger["least"] - 0.01)[shares].all()
    effects = (ledger["unit"] != "share") & (ledger["as_mostly"] == "holds")
    assert (ledger["low"] >= ledger["least"])[effects].all()
    assert (ledger["high"] <= ledger["most"])[effects].all()


def test_a_single_case_has_no_interval_and_no_p_value():
    found = claims.judge_effect([0.5], 1, "x", unit="tau")
    assert np.isnan(found.p) and found.reason == "x: +0.5 tau, n = 1"
    assert not claims.load_ledger()["reason"].str.contains("nan").any()


def test_a_trend_that_turns_between_its_ends_is_mixed():
    turning = SEEDS[SEEDS["dataset"] == "a"].copy()
    turning.loc[turning["depth"] == 14, "value"] += 1
    found = trends.trend(turning, level="depth", sign=1)
    assert found.verdict == "mixed"
    assert "from 14 to 20" in found.reason


def test_a_calibrated_network_has_the_ks_error_that_is_said():
    """sqrt(pi B / 2n), against simulation."""
    from calib import errors

    rng = np.random.default_rng(3)
    score = rng.beta(8, 2, size=2000)
    simulated = [errors.ks_error(rng.uniform(size=2000) < score, score) for _ in range(400)]
    rows = pd.DataFrame(
        {
            "metric": ["KS", "Top-1 Brier"],
            "method": "Spline",
            "case": "net",
            "value": [0.5, np.mean(score * (1 - score))],
            "n": 2000,
        }
    )
    found = comparisons.ks_below(rows, member="Spline", below=1.0, quantifier="mostly")
    said = float(found.reason.split("has ")[1].split(" to")[0])
    assert said == pytest.approx(100 * np.mean(simulated), rel=0.05)


def test_a_count_of_the_best_or_the_worst_tells_what_chance_makes_of_it():
    """Each by its own metric; what compares networks, not methods, has no such line."""
    told = claims.load_ledger().set_index(["id", "evidence"])["reason"]
    counted = ("lowest", "near_lowest", "second_when_beaten", "highest")
    for claim in claims.load_claims():
        for kind in {"public", "zoo"} & set(claim.evidence):
            spec = claim.evidence[kind]
            place = "worst" if spec["test"] == "highest" else "best"
            line = f"by chance the {place} of two halves differ in"
            of_methods = spec["test"] in counted and "column" not in spec
            assert (line in told[claim.id, kind]) == of_methods, claim.id
    assert "(KS within-top-2)" in told["gupta-within-top2", "zoo"]
    rows = claims.frames.split_half().query("methods == 'guo' and first == second == 'ECE'")
    found = claims.chance_of_another_best("guo", "ECE", worst=True)
    assert found == pytest.approx(rows["worst_differs"].mean())


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


def test_settings_that_differ_in_more_than_one_thing_are_not_compared():
    rows = SEEDS.assign(width=SEEDS["depth"])
    assert not list(trends.alike_but_for(rows, "depth"))


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
    welch = ttest_ind([4, 6, 9], [1, 2, 3], equal_var=False)
    interval = welch.confidence_interval()
    assert (finding.low, finding.high) == pytest.approx((interval.low, interval.high))
    assert finding.p == pytest.approx(welch.pvalue)


def test_families_widen_differences_of_groups_and_of_pairs():
    """Three families of three alike networks are three networks, not nine."""
    value = [1.0, 1, 1, 2, 2, 2, 5, 5, 5]
    old = pd.DataFrame({"family": list("aaabbbccc"), "value": value})
    new = pd.DataFrame({"family": "v", "value": [9.0, 10, 11]})
    rows = pd.concat([old, new], ignore_index=True)
    rule = {"column": "family", "second": "v", "sign": 1}
    wide = trends.between(rows, first=list("abc"), **rule)
    alone = rows.replace({"family": dict.fromkeys("abc", "o")})
    narrow = trends.between(alone, first="o", **rule)
    assert wide.estimate == narrow.estimate
    assert wide.high - wide.low > 1.2 * (narrow.high - narrow.low)

    pairs = [
        (f"{f}{i}", f, data, (data == "more") * change)
        for f, change in zip("abc", (1.0, 2.0, 5.0), strict=True)
        for i in range(3)
        for data in ("less", "more")
    ]
    pairs = pd.DataFrame(pairs, columns=["case", "family", "data", "value"])
    rule = {"column": "data", "first": "less", "second": "more", "keys": ["case"], "sign": 1}
    wide, narrow = (trends.paired(p, **rule) for p in (pairs, pairs.drop(columns="family")))
    assert wide.estimate == narrow.estimate == pytest.approx(8 / 3)
    critical = t.ppf(0.975, 2) / t.ppf(0.975, 8)  # of three families, and of nine networks
    assert (wide.high - wide.low) / (narrow.high - narrow.low) == pytest.approx(2 * critical)
    assert wide.reason.endswith("n = 9 in 3 families")


def test_a_metric_agrees_more_with_another_than_a_third_does():
    methods = list("abcde")
    orders = {"ECE": [1, 2, 3, 4, 5], "TACE": [1, 2, 3, 5, 4], "ACE": [5, 4, 3, 2, 1]}
    rows = pd.DataFrame(
        [(f"net{i}", metric, method, value) for i in range(5)
         for metric, order in orders.items()
         for method, value in zip(methods, order, strict=True)],
        columns=["case", "metric", "method", "value"],
    ).assign(dataset="toy")  # fmt: skip
    found = comparisons.agrees_more(rows, pair=["TACE", "ECE"], than=["ACE"])
    assert found.verdict == "holds" and found.estimate == pytest.approx(0.8 - -1)
    both = comparisons.agrees_more(rows, pair=["TACE", "ECE"], than=["ACE", "TACE"])
    assert both.estimate == pytest.approx(0.8 - (0.8 - 1) / 2)
    assert comparisons.agrees_more(rows, pair=["ACE", "ECE"], than=["TACE"]).verdict == "fails"
    # A method that fails by one metric is left out, its network is not.
    failed = rows[(rows["metric"] != "TACE") | (rows["method"] != "e")]
    assert comparisons.agreement(failed, pair=["ECE", "TACE"]).estimate == pytest.approx(1.0)


def test_two_metrics_of_a_public_network_are_of_the_same_images():
    rows = frames.on_one_sample()
    sources = rows.groupby("case")["source"].agg(lambda names: names.isna().nunique())
    assert (sources == 1).all()
    pairs = rows[rows["method"] == "Uncalibrated"].pivot(
        index="case", columns="metric", values="value"
    )
    ours = pairs.index.isin(frames.held_out()["case"])
    assert pairs.loc[ours, ["Confidence", "Accuracy", "ECE", "KS"]].notna().all(axis=None)
    assert not set(frames.calarena()["same"].dropna()) - set(pairs.index)


def test_seeds_are_not_networks():
    rows = pd.DataFrame(
        [(f"{f}{i}", f, s, 1.0 * i + (f == "b") + 0.01 * s)
         for f in "ab" for i in range(3) for s in range(3)],
        columns=["case", "family", "seed", "value"],
    )  # fmt: skip
    assert trends.between(rows, column="family", first="a", second="b", sign=1).n == 6
    few = trends.families_explain(rows.assign(size=0.0), given=["size"])
    assert (few.verdict, few.n) == ("too few cases", 6)


def test_a_family_rises_where_its_rank_correlation_is_positive():
    rows = pd.DataFrame(
        [("a", 1, 2.0), ("a", 2, 3.0), ("a", 3, 4.0), ("b", 1, 3.0), ("b", 2, 2.0), ("b", 3, 1.0)],
        columns=["siblings", "size", "value"],
    )
    finding = trends.families_rise(rows, x="size", quantifier="always")
    assert (finding.counted, finding.estimate, finding.n) == ("fails", 0.5, 2)
    assert trends.families_rise(rows, x="size", quantifier=1, sign=-1).counted == "holds"
    assert trends.families_rise(rows, x="size", quantifier=1, at_least=4).verdict == "not tested"


def test_pareto_by_hand():
    table = pd.DataFrame({"error": [1, 2, 3, 2, 1], "ece": [3, 1, 2, 1, 4]})
    assert trends.pareto(table, "error", "ece").tolist() == [True, True, False, True, False]


def test_families_explain_what_they_made_and_nothing_else():
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
    assert trends.overfits(curve, **also).counted == "holds"
    assert trends.overfits(curve[curve.step < 3], **also).counted == "fails"


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


def test_names_are_of_one_claim_in_all_parts():
    names = [claim.id for claim in claims.all_claims()]
    assert len(set(names)) == len(names)


def test_a_paper_is_counted_on_its_own_answers_and_nowhere_else():
    ledger = claims.load_ledger(part="language").set_index(["id", "evidence"])
    own = ledger.loc["plaut-no-correlation", "plaut"]
    assert (own["verdict"], own["as_mostly"]) == ("holds", "mixed")
    other = ledger.loc["plaut-no-correlation", "tao"]
    assert other["verdict"] == other["as_mostly"] == "fails"


def test_known_verdicts_on_the_papers_own_tables():
    ledger = claims.load_ledger().set_index(["id", "evidence"])["verdict"]
    assert ledger["gupta-nine-of-thirteen", "published"] == "holds"
    assert ledger["gupta-second-when-beaten", "published"] == "fails"
    assert ledger["gupta-top2-one-exception", "published"] == "fails"
    assert ledger["vasilev-temperature-keeps-accuracy", "published"] == "holds"


def test_on_its_own_tables_a_paper_is_taken_by_its_words():
    ledger = claims.load_ledger()
    home = ledger["evidence"] == "published"
    assert set(ledger[home]["verdict"]) <= {"holds", "mixed", "fails", "not tested"}
    assert (ledger[home]["verdict"] == ledger[home]["by_words"]).all()
    assert (ledger[~home]["verdict"] == ledger[~home]["as_mostly"]).all()


def test_a_correction_only_takes_verdicts_away():
    ledger = claims.load_ledger()
    changed = ledger[ledger["holm"] != ledger["as_mostly"]]
    assert set(changed["as_mostly"]) <= {"holds", "fails"}
    assert set(changed["holm"]) <= {"mixed"}


def test_no_rule_changed_without_a_line_in_the_log():
    """After a change: `python -m book.evidence.claims --update --because "the reason"`."""
    assert not claims.unlogged(claims.all_claims(), claims.load_log())


def test_a_change_of_a_rule_is_seen_whatever_it_is():
    ledger, lines = claims.all_claims(), claims.load_log()
    claim = next(claim for claim in ledger if "zoo" in claim.evidence)
    weaker = {**claim.evidence, "zoo": {**claim.evidence["zoo"], "quantifier": "in many"}}
    for changed, part in (
        (replace(claim, evidence=weaker), "zoo"),
        (replace(claim, says="Something else."), "wording"),
        (replace(claim, dropped="It failed."), "wording"),
    ):
        others = [changed if other is claim else other for other in ledger]
        assert claims.unlogged(others, lines) == [(claim.id, part)]
    without = [other for other in ledger if other is not claim]
    gone = claims.unlogged(without, lines)
    assert set(gone) == {(claim.id, part) for part in log.parts(claim)}


def test_a_change_of_the_code_of_all_tests_is_seen(monkeypatch):
    monkeypatch.setitem(log.CODE, "evidence rule", comparisons)
    seen = claims.unlogged(claims.all_claims(), claims.load_log())
    assert seen == [("all", "evidence rule")]


def test_the_log_says_why_and_what_became_of_the_verdict():
    lines = claims.load_log()
    assert (lines["reason"] != "").all()
    assert lines["date"].str.slice(0, 10).is_monotonic_increasing
    dropped = {claim.id for claim in claims.load_claims() if claim.status == "dropped"}
    assert dropped >= {"guo-every-method-helps", "minderer-clip-nearest"}
    assert dropped <= set(lines["claim"])
    assert dropped <= set(claims.load_ledger()["id"])


def test_a_perfect_order_has_an_interval_with_a_width():
    rows = pd.DataFrame({"x": range(8), "y": range(8)})
    found = trends.correlates(rows, x="x", y="y", sign=1)
    exchanged = np.arctanh(1 - 12 / (8 * 63))  # two neighbours exchanged
    half = 1.959964 * np.sqrt(1.5 / 5)
    assert (found.estimate, found.verdict) == (1, "holds")
    assert (found.low, found.high) == pytest.approx(np.tanh([exchanged - half, exchanged + half]))


def test_families_widen_a_correlation_that_they_make():
    """Ten copies of five networks tell no more than five; other networks tell what they tell."""
    rng = np.random.default_rng(1)
    five = pd.DataFrame({"x": rng.normal(size=5), "y": rng.normal(size=5)})
    copies = pd.concat([five.assign(family=list("abcde"))] * 10, ignore_index=True)
    copies["x"] += 1e-6 * rng.normal(size=50)
    copies["y"] += 1e-6 * rng.normal(size=50)
    alone = trends.correlates(copies.drop(columns="family"), x="x", y="y", sign=1)
    found = trends.correlates(copies, x="x", y="y", sign=1)
    assert found.estimate == alone.estimate and "in 5 families" in found.reason
    width, without = (np.diff(np.arctanh([f.low, f.high]))[0] for f in (found, alone))
    fewer = t.ppf(0.975, 4) / 1.959964  # five families in place of a normal distribution
    assert 2 < width / without / fewer < 5
    apart = copies.assign(x=rng.normal(size=50), y=rng.normal(size=50))
    widened = trends.correlates(apart, x="x", y="y", sign=1)
    unknown = trends.correlates(apart.drop(columns="family"), x="x", y="y", sign=1)
    widths = [np.diff(np.arctanh([f.low, f.high]))[0] for f in (widened, unknown)]
    assert 1 <= widths[0] / widths[1] < 1.6 * fewer


def test_chance_makes_no_more_of_an_ece_than_its_bound():
    rng = np.random.default_rng(3)
    score = rng.uniform(0.5, 1, (200, 400))
    drawn = [calib.ece(rng.random(400) < s, s) for s in score]
    brier = np.mean(score * (1 - score))
    rows = pd.DataFrame(
        {
            "metric": ["ECE", "Top-1 Brier"],
            "method": "Uncalibrated",
            "case": "a",
            "value": [100 * np.mean(drawn), brier],
            "n": 400,
        }
    )
    most = comparisons.by_chance(rows, "Uncalibrated", 30 / np.pi).item()
    assert 0.5 * most < 100 * np.mean(drawn) < most
    rule = {"member": "Uncalibrated", "above": 1.0, "quantifier": "mostly"}
    told = comparisons.ece_above(rows, **rule).reason
    assert told.endswith("of the 1 with known size 1 could be chance (a)")
    far = comparisons.ece_above(rows.replace({rows.value[0]: 50.0}), **rule).reason
    assert far.endswith("of the 1 with known size 0 could be chance")


def test_a_slope_below_one():
    label = np.array([50.0, 60, 70, 80, 90])
    for noise, verdict in (([0, 0.1, 0, -0.1, 0], "holds"), ([9, -9, 9, -9, 9], "mixed")):
        values = {"label": label, "ReaL": 20 + 0.8 * label + noise}
        rows = pd.DataFrame(values, index=list("abcde")).rename_axis("case")
        rows = rows.reset_index().melt("case", var_name="method")
        found = trends.slope(rows, x="label", y="ReaL", sign=-1, of=1.0)
        assert found.verdict == verdict and found.estimate == pytest.approx(0.798, abs=0.003)
        assert found.low < found.estimate < found.high
    few = trends.slope(rows[rows["case"] < "e"], x="label", y="ReaL", sign=-1, of=1.0)
    assert few.verdict == "too few cases"


def test_on_average_is_counted_by_the_mean_and_beyond_chance_by_a_twentieth():
    values = [5.0, 5, 5, -1, -1]
    assert findings.judge_effect(values, +1, "").counted == "mixed"
    assert findings.judge_effect(values, +1, "", on_average=True).counted == "holds"
    assert findings.judge_effect(values, -1, "", on_average=True).counted == "fails"
    for k, verdict in ((7, "holds"), (1, "mixed"), (0, "mixed")):
        cases = dict(enumerate([True] * k + [False] * (21 - k)))
        assert findings.judge_share(cases, "beyond chance", "").as_mostly == verdict
