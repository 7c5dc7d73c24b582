"""The ledger of the checkout: its networks, its estimates, its log and its second coding."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT

from evidence import claims
from evidence.claims import frames, ledger, log, stored, trends
from evidence.claims.estimates import likelihood_of, tells_likeness
from evidence.claims.reasons import reason_of
from evidence.claims.shares import learn


def test_every_comparison_that_the_zoo_can_make_is_made():
    """Each claim about training reads all settings that differ in its factor alone."""
    index = claims.zoo_metrics().drop_duplicates("name")
    about = {}
    for claim in claims.load_claims():
        for spec in claim.tests.values():
            if spec["test"] in ("trend", "moves_more"):
                assert set(spec.get("rows", {})) <= {"metric", "method"}, claim.id
                about.setdefault(spec["level"], claim)
    seeded = index.dropna(subset=["seed"])
    factors = {f for f in trends.SETTINGS if any(trends.alike_but_for(seeded, f))}
    assert factors - {"dataset", "family", "training_images", "epochs"} <= set(about)
    reason = reason_of(about["batch_norm"].measured_on("zoo"), (0, 0, 0))
    assert "20 Newsgroups DAN, with batch normalisation: -" in reason
    assert "Fashion-MNIST ConvNet, with batch normalisation: +" in reason


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
        "share",
        "share_low",
        "p_half",
        "p_word",
        "estimate",
        "low",
        "next_high",
    ):
        assert stored[column].to_numpy() == pytest.approx(
            again[column].to_numpy(dtype=float), rel=1e-3, abs=1e-3, nan_ok=True
        )


@pytest.mark.slow
def test_the_spreads_are_those_that_all_counts_teach():
    """The likelihoods of all sentences with fewer than two hundred cells are computed again."""
    networks, counts = claims.load_networks(), []
    for _, rows in networks.groupby(["id", "evidence"]):
        shares_of = ((rows["total"] >= 0) & (rows["total"] <= rows["networks"])).all()
        if shares_of and len(rows) < 40 and tells_likeness(rows):
            counts.append(likelihood_of(rows))
    learnt, stored = learn(counts), claims.load_scales()
    assert len(counts) > 80
    assert learnt["dataset"] == pytest.approx(stored["dataset"], rel=0.5)


def test_a_change_of_a_rule_is_seen_whatever_it_is():
    whole, lines = claims.all_claims(), claims.load_log()
    networks = (ROOT / "data" / "ledger" / "ledger-networks.csv").read_text()
    claim = next(claim for claim in whole if "zoo" in claim.tests)
    weaker = {**claim.tests, "zoo": {**claim.tests["zoo"], "above": 0.5}}
    words = {
        "says": "Something else.",
        "dropped": "It failed.",
        "word": "in many cases",
    }
    for change in [
        {"tests": weaker},
        *({name: text} for name, text in words.items()),
    ]:
        changed = [
            replace(entry, **change) if entry is claim else entry for entry in whole
        ]
        aspect = "zoo" if "tests" in change else "wording"
        assert claims.unlogged(changed, lines, networks) == [(claim.id, aspect)]
    without = [entry for entry in whole if entry is not claim]
    gone = claims.unlogged(without, lines, networks)
    assert set(gone) == {(claim.id, aspect) for aspect in log.parts(claim)}
    assert claims.unlogged(whole, lines, networks + "one more network") == [log.COUNTS]


def test_the_second_coding_settles_every_disagreement():
    """A claim may stand without a second coding; the page of the rules says how many do."""
    coded = (
        claims.frames.read_table("ledger/second-coder.csv").fillna("").set_index("id")
    )
    now = {claim.id: claim.quantifier for claim in claims.load_claims()}
    assert coded.index.is_unique and set(coded.index) <= set(now)
    assert set(coded["quantifier"]) <= set(claims.mapping().values())
    for name, line in coded.iterrows():
        word = "count" if isinstance(now[name], int) else now[name]
        same = {line["same_quantity"], line["same_cases"]} == {"same"}
        differs = {line["first"], word} != {line["quantifier"]} or not same
        assert bool(line["settled"]) == differs, name


def test_a_share_of_our_networks_on_a_page_is_the_ledgers():
    """No author is drawn of our networks, as one says nothing of how authors differ."""
    cases = frames.zoo_cases().drop_duplicates("case")["case"].to_numpy()
    index = pd.Index(cases, name="case")
    won = pd.Series(np.arange(len(cases)) < 3, index)
    drawn = {**frames.relatives(index), "author": "", "networks": 1}
    rows = pd.DataFrame(drawn).assign(total=won.to_numpy(float))
    expected = ledger.share(likelihood_of(rows), ledger.load_scales())
    assert np.allclose(claims.share_of(won).quantiles(), expected.quantiles())
