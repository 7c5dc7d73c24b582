"""A claim that misspells a name is refused; a known name without rows is none."""

from collections import defaultdict
from dataclasses import replace
from types import SimpleNamespace

import pytest

from evidence import claims
from evidence.claims import claim, ledger, vocabulary
from evidence.claims.vocabulary import unknown

BY_NAME = {claim.id: claim for claim in claims.load_claims()}
LOWERS = BY_NAME["guo-temperature-lowers"]
ON_ZOO = LOWERS.tests["zoo"]

SLIPS = {
    "a metric": ({"rows": {"metric": "ECEE"}}, "metric: 'ECEE'", "'ECE'"),
    "a metric among others": (
        {"rows": {"metric": ["ECE", "NNL"]}},
        "'NNL'",
        "'NLL'",
    ),
    "a method": (
        {"rows": {"method": "Matrix scalin"}},
        "method:",
        "'Matrix scaling'",
    ),
    "a map": (
        {"member": "Temperature scaling "},
        "member:",
        "'Temperature scaling'",
    ),
    "another map": ({"than": "uncalibrated"}, "than: 'uncal", "'Uncalibrated'"),
    "a data set": ({"rows": {"dataset": "cifar-10"}}, "dataset:", "'cifar10'"),
    "another spelling": ({"rows": {"dataset": "SST-2"}}, "'SST-2'", "'sst2'"),
    "a column": ({"rows": {"metrics": "ECE"}}, "column: 'metrics'", "'metric'"),
    "a column of the test": (
        {"column": "methods"},
        "column: 'methods'",
        "'method'",
    ),
    "within a limit": (
        {"given": {"member": "Uncalibated", "below": 1}},
        "given: 'Uncalibated'",
        "'Uncalibrated'",
    ),
}


def on_zoo(**changes):
    return replace(LOWERS, tests={"zoo": ON_ZOO | changes})


@pytest.fixture(autouse=True)
def few_frames(monkeypatch):
    """All frames of all parts take seconds; these hold every name of the slips."""
    words = [claim.frame_vocabulary("zoo", "", "metrics")]
    monkeypatch.setattr(claim, "every_vocabulary", lambda: words)


@pytest.mark.slow
@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_of_the_pen_is_refused_with_the_nearest_name(slip):
    changes, word, nearest = SLIPS[slip]
    with pytest.raises(ValueError) as error:
        on_zoo(**changes).measured_on("zoo")
    text = str(error.value)
    assert text.startswith("ledger/claims.yml: guo-temperature-lowers: zoo: ")
    assert word in text and f"the nearest name is {nearest}" in text


@pytest.mark.slow
def test_a_misspelt_data_set_that_a_sentence_names_is_refused():
    with pytest.raises(ValueError, match=r"'CIFAR-1O' is not known.*'CIFAR-100?'"):
        replace(on_zoo(), named=("CIFAR-1O",)).measured_on("zoo")


NUMBERS = {
    "a share of wrong labels": (
        {"label_noise": 0.15},
        "label_noise: 0.15 is",
        "0, 0.",
    ),
    "a seed": ({"seed": 9}, "seed: 9 is not known; there are 1, 2, 3", ""),
    "one of two seeds": ({"seed": [1, 9]}, "seed: 9 is not known", ""),
    "a number as a text": (
        {"seed": "1"},
        "seed: '1' is not known; there are 1, 2",
        "",
    ),
    "a number for a name": (
        {"metric": 1},
        "metric: '1' is not known; there",
        "ECE",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("slip", NUMBERS)
def test_a_number_that_no_row_has_is_refused_with_those_that_there_are(slip):
    rows, words, there = NUMBERS[slip]
    with pytest.raises(ValueError) as error:
        on_zoo(rows=rows).measured_on("zoo")
    assert words in str(error.value) and there in str(error.value)


@pytest.mark.slow
def test_a_table_that_a_paper_does_not_have_is_refused():
    with pytest.raises(ValueError, match="published: table: 11 is not known; there"):
        replace(
            LOWERS, tests={"published": ON_ZOO | {"rows": {"table": 11}}}
        ).measured_on("published")


@pytest.mark.slow
def test_numbers_that_rows_have_are_known():
    rows = {"metric": "ECE", "seed": [1, 2], "label_noise": 0.0}
    assert len(on_zoo(rows=rows).measured_on("zoo").cases.values)


@pytest.mark.slow
def test_a_known_name_without_rows_is_no_error():
    """Of the zoo nobody measured the KDE-ECE; the network of fewer images has another name."""
    kde = on_zoo(rows={"metric": "KDE-ECE"})
    fewer = on_zoo(rows={"metric": "ECE", "dataset": "cifar100-25k"})
    for without_rows in (kde, fewer):
        judged = ledger.judge_all([without_rows])
        assert judged["reason"].tolist() == ["no such rows yet"]


def test_what_is_like_nothing_gets_the_names_that_there_are():
    assert unknown("method", "xyz", {"b", "a"}) == (
        "method: 'xyz' is not known; there are a, b"
    )


WORDS = SimpleNamespace(
    names=defaultdict(
        frozenset, dataset=frozenset({"cifar10"}), metric=frozenset({"ECE"})
    ),
    numbers=defaultdict(frozenset, seed=frozenset({1.0, 2.0})),
)
ELSEWHERE = SimpleNamespace(names={"metric": frozenset({"AURC"})})


@pytest.mark.parametrize(("column", "name"), [("metric", "ECE"), ("metric", "AURC")])
def test_a_name_of_the_frame_or_of_other_evidence_is_known(column, name):
    vocabulary.check_value(WORDS, column, name, lambda: [ELSEWHERE])


@pytest.mark.parametrize(
    ("column", "name", "message"),
    [
        (
            "dataset",
            "CIFAR-10",
            "'CIFAR-10' is not known; the nearest name is 'cifar10'",
        ),
        (
            "metric",
            "ECEE",
            "metric: 'ECEE' is not known; the nearest name is 'ECE'",
        ),
        ("seed", "1", "seed: '1' is not known; there are 1, 2"),
    ],
)
def test_a_name_that_nothing_has_is_refused(column, name, message):
    with pytest.raises(ValueError, match=message):
        vocabulary.check_value(WORDS, column, name, lambda: [ELSEWHERE])


@pytest.mark.parametrize(
    ("column", "number", "message"),
    [
        ("seed", 3.0, "seed: 3.0 is not known; there are 1, 2"),
        ("metric", 3, "metric: '3' is not known; there are ECE"),
        (
            "depth",
            3,
            "depth: 3 is not known; there is no number in this column",
        ),
    ],
)
def test_a_number_that_the_frame_lacks_is_refused(column, number, message):
    vocabulary.check_number(WORDS, "seed", 2.0)
    with pytest.raises(ValueError, match=message):
        vocabulary.check_number(WORDS, column, number)


def test_of_many_numbers_the_twenty_nearest_are_named():
    message = vocabulary.no_such_number("depth", 50.5, [*map(float, range(100))])
    assert message.endswith("there are " + ", ".join(map(str, range(41, 61))))


def test_a_data_set_is_known_by_the_frame_by_a_sentence_or_by_other_evidence():
    other = SimpleNamespace(names={"dataset": frozenset({"toy"})})
    vocabulary.check_data_sets(WORDS, ["cifar10", "toy"], lambda: [other])
    with pytest.raises(ValueError, match="named: 'cifar1O' is not known"):
        vocabulary.check_data_sets(WORDS, ["cifar1O"], lambda: [other])
