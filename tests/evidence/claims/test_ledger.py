"""The judge of the ledger: each verdict on networks made by hand, and what is stored."""

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT

from evidence import claims
from evidence.claims import frames, kin, ledger, stored
from evidence.claims.cases import Cases, measured_networks
from evidence.claims.claim import Claim
from evidence.claims.correlations import correlates
from evidence.claims.estimates import likelihood_of
from evidence.claims.ledger import Gathered, judge_all, judge_claim
from evidence.claims.reasons import clusters_in_words
from evidence.claims.trends import over_settings


@pytest.fixture(scope="module")
def gathered():
    return ledger.gather(claims.all_claims())


@pytest.mark.slow
def test_the_stored_networks_are_what_the_tests_find(gathered):
    """After a change: look at `python -m evidence.claims`, then `--update`."""
    text = (ROOT / "data" / "ledger" / "ledger-networks.csv").read_text()
    assert stored.as_csv(gathered.networks) == text
    used = {claim.word for claim in claims.all_claims()}
    assert used <= {*claims.mapping(), "9 of 13"}
    assert set(claims.mapping()) - used <= {"N of M"}, "a word that no claim has"
    assert not claims.unlogged(claims.all_claims(), claims.load_log(), text)


SAMPLE = 12  # claims of each part whose estimates are computed again


@pytest.mark.slow
@pytest.mark.parametrize("part", claims.PARTS)
def test_the_stored_ledger_is_what_the_model_says(part, gathered):
    rows = claims.load_ledger(part=part).set_index("id")
    large = gathered.networks.groupby("id").size()
    small = [
        claim for claim in claims.load_claims(part) if large.get(claim.id, 0) < 120
    ]
    sample = np.random.default_rng(5).choice(
        len(small), size=min(SAMPLE, len(small)), replace=False
    )
    chosen = [small[i] for i in np.sort(sample)]
    again = claims.judge_all(chosen, gathered=gathered)
    stored = rows.loc[[claim.id for claim in chosen]].reset_index()
    assert stored["evidence"].tolist() == again["evidence"].tolist()
    for column in ("verdict", "counted", "label", "n"):
        assert stored[column].tolist() == again[column].tolist()
    for column in (
        "agreeing",
        "cases",
        "share",
        "share_low",
        "p_half",
        "p_word",
        "estimate",
        "low",
        "next_high",
    ):
        assert stored[column].astype(float).to_numpy() == pytest.approx(
            again[column].astype(float).to_numpy(), rel=1e-3, abs=1e-3, nan_ok=True
        )


def test_a_share_of_our_networks_on_a_page_is_the_ledgers():
    """No author is drawn of our networks, as one says nothing of how authors differ."""
    cases = frames.zoo_cases().drop_duplicates("case")["case"].to_numpy()
    index = pd.Index(cases, name="case")
    won = pd.Series(np.arange(len(cases)) < 3, index)
    drawn = {**kin.relatives(index), "author": "", "networks": 1}
    rows = pd.DataFrame(drawn).assign(total=won.to_numpy(float))
    expected = ledger.share(likelihood_of(rows), ledger.load_scales())
    assert np.allclose(claims.share_of(won).quantiles(), expected.quantiles())


SCALES = {"dataset": 0.8, "author": 0.3, "kin": 0.3}
TEST = {"test": "lower", "member": "Temperature scaling", "than": "Uncalibrated"}
ELSEWHERE, AT_HOME = ("public", "kull2019"), ("published", "guo2017")


def gathered_of(cases, word, evidence, paper, rows=None, part="papers"):
    """A claim, and what its test found, as if the test had returned these cases."""
    claim = Claim("a", paper, "", "", word, {evidence: TEST}, part=part)
    measured = measured_networks(cases, claim.quantifier, rows)
    counts = claim.counts_on(evidence, measured)
    networks = pd.DataFrame({"id": [], "evidence": []}) if counts is None else counts
    return claim, Gathered({("a", evidence): measured}, networks)


def judged(cases, word, evidence, paper, rows=None):
    claim, gathered = gathered_of(cases, word, evidence, paper, rows)
    return judge_claim(claim, evidence, gathered, SCALES)


def on_data_sets(values):
    """Values of networks, a row of them for each data set."""
    values = np.asarray(values)
    names = [
        (f"d{d}", f"d{d} n{n}")
        for d in range(values.shape[0])
        for n in range(values.shape[1])
    ]
    index = pd.MultiIndex.from_tuples(names, names=["dataset", "case"])
    return pd.Series(values.ravel(), index=index)


def agreeing(k, n_sets=8, each=5):
    """Networks on several data sets, of which k of each data set agree."""
    return Cases(on_data_sets(np.tile(np.arange(each) < k, (n_sets, 1))), "x")


@pytest.mark.parametrize("part", claims.PARTS)
def test_stored_columns_say_of_how_many_and_of_what_as_the_reason_does(part):
    tested = claims.load_ledger(part=part).query("label != 'not tested'")
    for row in tested.itertuples():
        assert row.reason.startswith(f"{row.what}: "), row.id
        clusters = clusters_in_words(row.datasets, row.authors, row.models)
        assert not clusters or f" ({clusters})" in row.reason, row.id


# word, how many of five networks agree on each of eight data sets, the verdict, what is counted
SHARES = {
    "all agree": ("typically", 5, "shown", "holds"),
    "none agrees": ("typically", 0, "refuted", "fails"),
    "three of five agree": ("typically", 3, "open", "holds"),
    "two of five agree": ("typically", 2, "open", "fails"),
    "all, and four of five do": ("all", 4, "shown", "fails"),
    "often, and three of five do": ("often", 3, "shown", "holds"),
    "often, and none does": ("often", 0, "refuted", "fails"),
    "there are examples": ("can", 2, "shown", "holds"),
    "examples are never refuted": ("can", 0, "open", "fails"),
    "a count asks for a half elsewhere": ("40 of 40", 5, "shown", "holds"),
}


@pytest.mark.parametrize("case", SHARES)
def test_elsewhere_the_verdict_is_the_word_of_the_model(case):
    word, k, verdict, counted = SHARES[case]
    judgement = judged(agreeing(k), word, *ELSEWHERE)
    assert (judgement.verdict, judgement.counted) == (verdict, counted)
    assert judgement.verdict == judgement.label
    assert judgement.n == 40 and judgement.unit == "share"
    assert judgement.reason.startswith(f"x: {8 * k} of 40")


def test_a_row_counts_the_cases_that_agree_and_an_effect_counts_none():
    counted = judged(agreeing(3), "typically", *ELSEWHERE)
    assert (counted.agreeing, counted.cases) == (24, 40)
    effects = Cases(on_data_sets([[1.0, 2.0], [-1.0, 3.0]]), "x", "points")
    amount = judged(effects, "a direction", *ELSEWHERE)
    assert (amount.agreeing, amount.cases) == (None, None)


def test_a_network_with_several_cases_is_counted_once_and_each_of_its_cases():
    names = [("n1", "ECE"), ("n1", "NLL"), ("n2", "ECE"), ("n2", "NLL")]
    index = pd.MultiIndex.from_tuples(names, names=["case", "metric"])
    cases = Cases(pd.Series([True, True, True, False], index), "x")
    row = judged(cases, "typically", *ELSEWHERE)
    assert (row.n, row.agreeing, row.cases) == (2, 3, 4)
    assert row.reason.startswith("x: 3 of 4 (2 networks)")


@pytest.mark.parametrize("part", claims.PARTS)
def test_stored_counts_are_those_that_the_reason_tells(part):
    stored_rows = claims.load_ledger(part=part)
    counted = stored_rows[stored_rows["unit"] == "share"]
    assert len(counted) == stored_rows["cases"].notna().sum() > 20
    for row in counted.itertuples():
        assert f": {row.agreeing} of {row.cases}" in row.reason, row.id
        # no more networks than cases; large counts are whole numbers too
        assert row.agreeing <= row.cases >= row.n, row.id


# what a word asks for of forty cases: between which shares its sentence puts them
ASKED = {
    "typically": (0.5, 1),
    "all": (1, 1),
    "almost all": (0.9, 1),
    "all but one": (39 / 40, 1),
    "often": (1 / 3, 1),
    "can": (0.05, 1),
    "30 of 40": (0.75, 0.75),
}


@pytest.mark.parametrize("word", ASKED)
def test_a_row_says_which_share_its_word_asks_for(word):
    judgement = judged(agreeing(3), word, *ELSEWHERE)
    assert (judgement.least, judgement.most) == pytest.approx(ASKED[word])


def test_one_data_set_leaves_all_of_a_thousand_networks_open():
    judgement = judged(agreeing(5, n_sets=1, each=5), "typically", *ELSEWHERE)
    assert (judgement.verdict, judgement.counted) == ("open", "holds")
    assert 0.5 < judgement.estimate.p_word < 0.99


# word, how many of thirteen cells of print agree, the verdict
COUNTED = {
    "all of all": ("all", 13, "holds"),
    "one exception of all": ("all", 12, "fails"),
    "one exception is allowed": ("all but one", 12, "holds"),
    "all are not all but one": ("all but one", 13, "fails"),
    "nine in ten": ("almost all", 12, "holds"),
    "fewer than nine in ten": ("almost all", 11, "fails"),
    "more than half": ("typically", 7, "holds"),
    "fewer than half": ("typically", 6, "fails"),
    "a third": ("often", 5, "holds"),
    "fewer than a third": ("often", 4, "fails"),
    "one example": ("can", 1, "holds"),
    "no example": ("can", 0, "fails"),
    "the count": ("9 of 13", 9, "holds"),
    "another count": ("9 of 13", 10, "fails"),
    "a direction of every case": ("a direction", 13, "holds"),
    "a direction of some cases": ("a direction", 12, "mixed"),
}


@pytest.mark.parametrize("case", COUNTED)
def test_on_its_own_tables_a_paper_is_counted(case):
    word, k, verdict = COUNTED[case]
    cells = Cases(pd.Series(np.arange(13) < k), "x")
    judgement = judged(cells, word, *AT_HOME)
    assert judgement.verdict == judgement.counted == verdict
    assert judgement.label in ("shown", "open", "refuted")


@pytest.mark.parametrize(("word", "verdict"), [("all", "fails"), ("typically", "open")])
def test_on_its_own_answers_a_source_is_counted_where_it_speaks_of_every_case(
    word, verdict
):
    claim, gathered = gathered_of(agreeing(3), word, "tao", "tao2025", part="language")
    judgement = judge_claim(claim, "tao", gathered, SCALES)
    assert (judgement.verdict, judgement.label) == (verdict, "open")


# word, sign, margin, mean of forty effects with the spread one, verdict, what is counted
AMOUNTS = {
    "a rise": ("a direction", 1, 0.0, 9.0, "shown", "holds"),
    "a fall where a rise is said": ("a direction", 1, 0.0, -9.0, "refuted", "fails"),
    "a fall": ("a direction", -1, 0.0, -9.0, "shown", "holds"),
    "neither": ("a direction", 1, 0.0, 0.0, "open", "mixed"),
    "a mean, not each": ("on average", 1, 0.0, 1.5, "shown", "holds"),
    "no difference": ("no difference", 0, 5.0, 0.0, "shown", "shown"),
    "a difference where none is said": (
        "negligible",
        0,
        5.0,
        9.0,
        "refuted",
        "refuted",
    ),
}


@pytest.mark.parametrize("case", AMOUNTS)
def test_an_amount_is_judged_by_its_mean(case):
    word, sign, margin, mean, verdict, counted = AMOUNTS[case]
    noise = np.random.default_rng(1).standard_normal((8, 5))
    effects = on_data_sets(mean + noise - noise.mean())
    cases = Cases(effects, "x", unit="points", sign=sign, margin=margin)
    judgement = judged(cases, word, *ELSEWHERE)
    assert (judgement.verdict, judgement.counted) == (verdict, counted)
    estimate = judgement.estimate
    assert estimate.low < estimate.estimate < estimate.high
    assert estimate.next_low < estimate.low and estimate.high < estimate.next_high
    assert estimate.estimate == pytest.approx(mean, abs=1e-6)
    inside = {1: (margin, np.inf), -1: (-np.inf, -margin), 0: (-margin, margin)}
    assert (judgement.least, judgement.most) == inside[sign]


def networks_along(rho, n, seed=2):
    """Networks on as many data sets whose two columns are correlated."""
    x, noise = np.random.default_rng(seed).standard_normal((2, n))
    rows = pd.DataFrame({"x": x, "y": rho * x + np.sqrt(1 - rho**2) * noise})
    names = [f"d{i}" for i in range(n)]
    return rows.assign(dataset=names, case=names)


# correlation, networks, verdict, what is counted
CORRELATIONS = {
    "a strong one": (0.95, 40, "shown", "holds"),
    "a strong one of the other sign": (-0.95, 40, "refuted", "fails"),
    "a weak one": (0.1, 12, "open", None),
    "too few networks": (0.95, 4, "open", "open"),
}


@pytest.mark.parametrize("case", CORRELATIONS)
def test_a_correlation_has_an_interval_and_no_share(case):
    rho, n, verdict, counted = CORRELATIONS[case]
    cases = correlates(networks_along(rho, n), x="x", y="y", sign=1)
    judgement = judged(cases, "a direction", *ELSEWHERE)
    assert judgement.verdict == verdict
    assert counted is None or judgement.counted == counted
    estimate = judgement.estimate
    assert np.isnan([estimate.share, estimate.p_half, estimate.next_low]).all()
    assert np.isnan(estimate.low) == (n < 5)
    assert judgement.sides.agree == judgement.sides.against == ""


def test_cells_and_seeds_of_one_network_are_one():
    """Of two cells of each network one agrees: no network is more than half."""
    names = [(f"d{d}", f"d{d} n", m) for d in range(8) for m in ("ECE", "NLL")]
    index = pd.MultiIndex.from_tuples(names, names=["dataset", "case", "metric"])
    cells = pd.Series([True, False] * 8, index=index)
    judgement = judged(Cases(cells, "x"), "typically", *ELSEWHERE)
    assert (judgement.n, judgement.verdict, judgement.counted) == (8, "open", "fails")
    assert judgement.estimate.estimate == pytest.approx(0.5, abs=0.01)
    assert judgement.reason.startswith("x: 8 of 16 (8 networks) (8 data sets")
    assert judgement.sides.by_data.startswith("d0 1 of 2; d1 1 of 2")


def test_settings_are_told_with_what_their_seeds_leave():
    seeds = {("d0", "wide"): [1.0, 1.1, 0.9], ("d1", "deep"): [-1.0, -1.1, -0.9]}
    changes = {key: pd.Series(values) for key, values in seeds.items()}
    cases = over_settings(changes, "width", 1, "points")
    judgement = judged(cases, "a direction", *ELSEWHERE)
    assert (judgement.verdict, judgement.counted) == ("open", "mixed")
    assert "settings differ by 1.41 (points) beyond their seeds" in judgement.reason
    assert '"setting": "d0 wide"' in judgement.settings
    assert judgement.sides.agree == "d0 wide +1"
    assert judgement.sides.against == "d1 deep -1"


def test_what_has_no_rows_or_no_evidence_is_not_tested():
    claim = Claim("a", "guo2017", "", "", "all", {"zoo": TEST})
    none = Claim("b", "guo2017", "", "", "all", {})
    nothing = Gathered({("a", "zoo"): None}, pd.DataFrame())
    ledger = judge_all([claim, none], SCALES, nothing).set_index("id")
    assert (ledger[["verdict", "counted", "label"]] == "not tested").all(axis=None)
    assert ledger["reason"].to_dict() == {
        "a": "no such rows yet",
        "b": "no evidence at hand",
    }
    assert ledger["evidence"].to_dict() == {"a": "zoo", "b": "none"}
