"""The words of the advice, and what the application does, go by the same limits."""

import numpy as np
import pytest
from scipy.stats import beta

import calib_report
from calib_report.commands.arguments import parser
from calib_report.deciding.advice import MAPS_BY_SIZE, size_of
from calib_report.deciding.comparison_of_maps import candidates
from calib_report.limits import (
    FEWEST_FOR_SETS,
    FEWEST_SAMPLES,
    MOST_CLASSES,
    SHARE_KEPT,
    SMALL_SAMPLE,
    TITLE_OF_KEPT,
    TOLERANCE,
)
from calib_report.texts import TEXTS

CHOICE = {row["name"]: row for row in MAPS_BY_SIZE}


def rules(n, n_classes=10, **fields):
    report = {"n": n, "n_classes": n_classes, "task": "classes", "clusters": None}
    return [row["when"] for row in calib_report.advice(report | fields)]


def test_advice_names_the_limits_by_which_a_report_recommends():
    assert CHOICE["few"]["below"] == FEWEST_SAMPLES
    assert CHOICE["two-hundreds"]["below"] == SMALL_SAMPLE
    assert CHOICE["many"]["a_class_below"] == FEWEST_SAMPLES
    (sets,) = [row for row in TEXTS["purposes"] if row["name"] == "sets"]
    assert sets["least"] == FEWEST_FOR_SETS
    sized = [row for row in MAPS_BY_SIZE if "below" in row]
    assert all(str(row["below"]) in row["said"] for row in sized)


@pytest.mark.parametrize(
    ("below", "above", "limit"),
    [("few", "some", FEWEST_SAMPLES), ("some", "many", SMALL_SAMPLE)],
)
def test_advice_parts_at_a_limit_of_samples_and_of_clusters(below, above, limit):
    assert below in rules(limit - 1) and above not in rules(limit - 1)
    assert above in rules(limit) and below not in rules(limit)
    # of clusters, and not of their rows
    assert below in rules(10 * limit, clusters=limit - 1)


def test_advice_parts_at_the_most_classes():
    assert "several" == size_of(MOST_CLASSES) and "many" == size_of(MOST_CLASSES + 1)
    assert "too_many" not in rules(5000, MOST_CLASSES)
    assert "too_many" in rules(5000, MOST_CLASSES + 1)


def test_of_many_classes_maps_of_each_class_are_tried_from_so_many_samples_on():
    enough = FEWEST_SAMPLES * (MOST_CLASSES + 1)
    before, after = (
        {candidate.name for candidate in candidates(n, MOST_CLASSES + 1)}
        for n in (enough - 1, enough)
    )
    assert after - before == {"histogram binning", "isotonic regression"}


def test_a_promise_of_sets_turns_out_as_the_chooser_says():
    """Of n samples the coverage is Beta(l, n + 1 - l), with l the smallest rank that suffices."""
    (sets,) = [row for row in TEXTS["purposes"] if row["name"] == "sets"]

    def limits_of(n):
        rank = np.ceil((n + 1) * 0.9)
        return np.round(100 * beta.ppf([0.025, 0.975], rank, n + 1 - rank))

    low, high = limits_of(FEWEST_FOR_SETS)
    said = (
        f"Of {FEWEST_FOR_SETS} a promise of 90 % turns out as {low:.0f} to {high:.0f} %"
    )
    assert said in sets["few"]
    low, high = limits_of(50)
    assert f"of 50 as {low:.0f} to {high:.0f} %" in sets["few"]
    assert max(90 - limits_of(150)[0], limits_of(150)[1] - 90) > 4
    # one fewer, and no threshold keeps the promise
    assert "below 9 no set" in sets["few"]
    assert np.ceil((9 + 1) * 0.9) <= 9 and np.ceil((8 + 1) * 0.9) > 8


def test_words_name_the_limits():
    assert (
        f"{100 * SHARE_KEPT:.0f} %" in TITLE_OF_KEPT
        and TITLE_OF_KEPT in TEXTS["meaning"]
    )
    (declining,) = [row for row in TEXTS["situations"] if row["when"] == "declining"]
    assert TITLE_OF_KEPT in declining["number"]
    (check,) = [
        action.choices["check"] for action in parser()._actions if action.choices
    ]
    assert f"{TOLERANCE:g} in a new memory" in check.format_help()
