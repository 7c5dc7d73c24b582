"""Entries of the files of claims: what is read, what is refused, and which rows a test reads."""

import inspect
import re
from dataclasses import replace

import pandas as pd
import pytest
import yaml
from entries_of_claims import ENTRY, TEST
from helpers import ROOT

from evidence import claims
from evidence.claims import claim
from evidence.claims.claim import TESTS, ClaimTest, by_halves, claim_of, load_claims
from evidence.claims.entry_types import ClaimError

REFUSED = {
    "a word that has no quantifier": (
        {"word": "perhaps"},
        "word: 'perhaps' is not known; there are",
    ),
    "a key that no claim has": (
        {"sayss": "c"},
        "key: 'sayss' is not known; the nearest name is 'says'",
    ),
    "no evidence": ({"evidence": None}, "it has no 'evidence'"),
    "no sentence": ({"says": None}, "it has no 'says'"),
    "a kind of evidence": (
        {"evidence": {"pubic": TEST}},
        "evidence: key: 'pubic' is not known; the nearest name is 'public'",
    ),
    "a frame": (
        {"evidence": {"published": TEST | {"frame": "tabels"}}},
        "published: frame: 'tabels' is not known; the nearest name is 'tables'",
    ),
    "a test": (
        {"evidence": {"zoo": TEST | {"test": "lowerr"}}},
        "zoo: test: 'lowerr' is not known; the nearest name is 'lower'",
    ),
    "no test": ({"evidence": {"zoo": {"member": "x"}}}, "zoo: it has no 'test'"),
    "a paper": (
        {"paper": "guo2018"},
        "paper: 'guo2018' is not known; the nearest name is 'guo2017'",
    ),
    "a helper of tests": (
        {"evidence": {"zoo": TEST | {"test": "of_metric"}}},
        "test: 'of_metric' is not known",
    ),
    "a keyword of the test": (
        {"evidence": {"zoo": TEST | {"then": "x"}}},
        "zoo: key: 'then' is not known; the nearest name is 'than'",
    ),
    "a keyword is missing": (
        {"evidence": {"zoo": {"test": "lower", "than": "x"}}},
        "zoo: it has no 'member'; it needs member, than",
    ),
    "a keyword of another type": (
        {"evidence": {"zoo": TEST | {"by": "much"}}},
        "zoo: by: 'much' is not a number",
    ),
    "a pair of three": (
        {"evidence": {"zoo": {"test": "agreement", "pair": ["a", "b", "c"]}}},
        r"zoo: pair: \['a', 'b', 'c'\] is not a list of 2 texts",
    ),
    "a limit without its number": (
        {"evidence": {"zoo": TEST | {"given": {"member": "x"}}}},
        "zoo: given: {'member': 'x'} is not a mapping with the keys member, below",
    ),
    "evidence that is no mapping": (
        {"evidence": ["zoo"]},
        "evidence: \\['zoo'\\] is not a mapping",
    ),
    "a test that is no mapping": (
        {"evidence": {"zoo": "lower"}},
        "evidence: zoo: 'lower' is not a mapping",
    ),
    "rows that are no mapping": (
        {"evidence": {"zoo": TEST | {"rows": ["ECE"]}}},
        "zoo: rows: \\['ECE'\\] is not a mapping",
    ),
    "a map compared with itself": (
        {"evidence": {"zoo": TEST | {"than": "Temperature scaling"}}},
        "zoo: member and than: 'Temperature scaling' would be compared with itself",
    ),
    "a map among those that it is compared with": (
        {"evidence": {"zoo": TEST | {"than": ["Spline", "Temperature scaling"]}}},
        "zoo: member and than: 'Temperature scaling' would be",
    ),
    "a map twice": (
        {"evidence": {"zoo": TEST | {"than": ["Spline", "Spline"]}}},
        "zoo: than: 'Spline' stands there twice",
    ),
    "among the lowest none": (
        {"evidence": {"zoo": {"test": "lowest", "member": "Spline", "places": 0}}},
        "zoo: places: 0 is not 1 or more",
    ),
    "a word that is a number": ({"word": 9}, "word: 9 is not a text"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_entry_that_is_none_is_refused(case):
    change, words = REFUSED[case]
    entry = {k: v for k, v in (ENTRY | change).items() if v is not None}
    with pytest.raises(ValueError, match=words):
        claim_of(entry, "papers")


def test_an_entry_is_a_claim_with_the_first_frame_if_none_is_named():
    found = claim_of(ENTRY, "papers").test_on("zoo")
    keywords = {"member": "Temperature scaling", "than": "Uncalibrated"}
    assert found == ClaimTest("lower", "metrics", {}, keywords)
    shift = ENTRY | {"evidence": {"zoo": TEST | {"frame": "shift"}}}
    assert claim_of(shift, "papers").test_on("zoo").frame == "shift"


def test_an_entry_that_is_no_mapping_is_refused():
    with pytest.raises(ClaimError, match="'a' is no mapping; its keys are id, paper"):
        claim_of("a", "papers")


# texts of a file that holds no claims, and what the error says of it
FILES = {
    "id: a": r"claims\.yml: it is no list of claims",
    "- a\n- b": r"claims\.yml: entry 1: 'a' is no mapping",
    "- [": r"claims\.yml: it is no YAML",
}


@pytest.mark.parametrize("text", FILES)
def test_a_file_without_claims_is_refused(text, monkeypatch):
    monkeypatch.setattr(claim, "read_declared", lambda name: text)
    with pytest.raises(ClaimError, match=FILES[text]):
        load_claims()


def test_a_column_that_the_frame_lacks_is_named_with_the_claim(monkeypatch):
    monkeypatch.setattr(claim, "frame_rows", lambda *a, **k: pd.DataFrame({"x": [1]}))
    monkeypatch.setattr(claim, "with_relatives", lambda rows, kind: rows)
    monkeypatch.setattr(claim.Claim, "check_names", lambda *a: None)
    with pytest.raises(ClaimError, match=r"claims\.yml: a: zoo: .*'metrics' have no "):
        claim_of(ENTRY, "papers").measured_on("zoo")


# changes of the second of two entries, and what the error says of it
WRONG = {
    "the same name": ({}, r"claims\.yml: a: it occurs twice"),
    "a paper that is none": (
        {"id": "b", "paper": "x"},
        r"claims\.yml: b: paper: 'x' is not known",
    ),
    "an unknown word": ({"id": "b", "word": "x"}, r"claims\.yml: b: word: 'x'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_an_error_names_the_file_and_the_entry(case, monkeypatch):
    change, words = WRONG[case]
    text = yaml.safe_dump([ENTRY, ENTRY | change])
    monkeypatch.setattr(claim, "read_declared", lambda name: text)
    with pytest.raises(ValueError, match=words):
        load_claims()


STATUS = {
    "claim": {},
    "theorem": {"theorem": True},
    "ours": {"theorem": True, "ours": "it is not in the text"},
    "dropped": {"ours": "it is not in the text", "dropped": "it was wrong"},
}


@pytest.mark.parametrize("status", STATUS)
def test_what_is_dropped_or_ours_does_not_count(status):
    assert claim_of(ENTRY | STATUS[status], "papers").status == status


def test_a_test_reads_the_rows_with_all_of_the_values():
    rows = pd.DataFrame(
        {"metric": ["ECE", "NLL", "ECE"], "loss": ["CE", "CE", "focal"]}
    )
    chosen = {"metric": ["ECE", "KS"], "loss": "CE"}
    assert ClaimTest("lower", "metrics", chosen, {}).select(rows).index.tolist() == [0]


def test_helpers_of_tests_are_no_tests():
    assert {"lower", "trend", "correlates"} <= set(TESTS)
    assert not {"of_metric", "over_settings", "by_chance", "case_table"} & set(TESTS)


def test_two_halves_are_told_of_metrics_that_were_compared():
    told = by_halves("guo", ["ECE", "ECE (25 bins)", "KDE-ECE"], "zoo", "best")
    assert told.startswith("; by chance the best of two halves differ in ")
    assert told.count("(ECE)") == 1 and "KDE" not in told
    assert by_halves("guo", "KDE-ECE", "zoo", "best") == ""


def test_the_second_coding_settles_every_disagreement():
    """A claim may stand without a second coding; the page of the rules says how many do."""
    coded = (
        claims.frames.read_table("ledger/second-coder.csv").fillna("").set_index("id")
    )
    now = {claim.id: claim.quantifier for claim in claims.load_claims()}
    assert coded.index.is_unique and set(coded.index) <= set(now)
    assert set(coded["quantifier"]) <= set(claims.mapping().values())
    for name, line in coded.iterrows():
        word = now[name] if isinstance(now[name], str) else "count"
        same = {line["same_quantity"], line["same_cases"]} == {"same"}
        differs = {line["first"], word} != {line["quantifier"]} or not same
        assert bool(line["settled"]) == differs, name


def test_a_count_of_other_cases_than_those_at_hand_is_refused():
    printed = {claim.id: claim for claim in claims.load_claims()}
    nine = printed["gupta-nine-of-thirteen"]
    assert len(nine.measured_on("published").agree) == 13
    of_twenty = replace(nine, word="9 of 20")
    where = r"claims\.yml: gupta-nine-of-thirteen: published: word: '9 of 20' is of 20"
    with pytest.raises(ClaimError, match=f"{where} cases, and here are 13"):
        of_twenty.measured_on("published")


def test_an_author_finds_each_keyword_of_each_test_in_the_table():
    text = (ROOT / "CONTRIBUTING.md").read_text().partition("### Keywords of tests")[2]
    table = text.partition("## Code")[0]
    heads = " ".join(line.split("|")[1] for line in table.splitlines() if "|" in line)
    signatures = map(inspect.signature, TESTS.values())
    keywords = set().union(*(signature.parameters for signature in signatures))
    assert set(re.findall("`(.*?)`", heads)) == keywords - {"rows"}
