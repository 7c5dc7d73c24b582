"""Which rows of the advice apply to what a report says."""

import pytest

from calib_report.deciding.advice import WHEN, Situation, map_by_size, size_of


def situation(n, clusters=0, n_classes=3, task="classes", *fields):
    return Situation(n, clusters, n_classes, task, frozenset(fields))


def rows(*facts):
    return {word for word, applies in WHEN.items() if applies(situation(*facts))}


@pytest.mark.parametrize(
    ("n", "clusters", "word"),
    [(99, 0, "few"), (100, 0, "some"), (999, 0, "some"), (1000, 0, "many")],
)
def test_sizes_go_by_samples(n, clusters, word):
    assert rows(n, clusters) & {"few", "some", "many"} == {word}


def test_sizes_go_by_clusters_where_samples_belong_together():
    assert "few" in rows(5000, 99) and "some" in rows(5000, 100)
    assert "clustered" in rows(5000, 1) and "clustered" not in rows(5000)
    # a promise of sets is one of samples that stand alone
    assert "sets" in rows(200) and not {"sets"} & (rows(199) | rows(5000, 2000))


def test_more_than_a_hundred_classes_are_many():
    assert "too_many" in rows(5000, 0, 101) and "too_many" not in rows(5000, 0, 100)
    assert [size_of(k) for k in (2, 3, 100, 101)] == [
        "two",
        "several",
        "several",
        "many",
    ]


@pytest.mark.parametrize(
    ("n", "n_classes", "name"),
    [
        (99, 2, "few"),
        (100, 2, "two-hundreds"),
        (2499, 100, "more-hundreds"),
        (20_099, 201, "many"),
    ],
)
def test_a_size_ends_below_its_bound(n, n_classes, name):
    assert map_by_size(n, n_classes)["name"] == name
    if name != "two-hundreds":
        assert map_by_size(n + 1, n_classes)["name"] != name


def test_what_was_asked_has_its_row_and_questions_have_no_answers_to_decline():
    advice = rows(5000, 0, 2, "labels", "costs", "groups")
    assert {"costs", "labels"} <= advice and not advice & {"declining", "grouped"}
    assert "pairs" in rows(5000, 0, 2, "pairs")


def test_a_report_says_its_own_situation():
    report = {"n": 9, "clusters": None, "n_classes": 2, "task": "pairs", "groups": []}
    assert Situation.of(report) == situation(9, 0, 2, "pairs")
    assert Situation.of(report | {"costs": {}, "groups": [{}]}).fields == {
        "costs",
        "groups",
    }
