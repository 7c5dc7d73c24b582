"""Which map is recommended where the best is known, and how two models are compared."""

from dataclasses import replace

import numpy as np
import pytest
from tempered_models import drawn

import calib
import calib_report
from calib_report import analyse
from calib_report.deciding import comparison_of_maps
from calib_report.measuring.outcome import Outcome


def test_which_maps_are_tried_goes_by_the_number_of_classes():
    def names(n, n_classes):
        return {
            candidate.name for candidate in comparison_of_maps.candidates(n, n_classes)
        }

    matrix = {"structured matrix scaling"}
    # a matrix of up to twenty classes
    assert names(2000, 20) - names(2000, 21) == matrix
    assert names(2000, 3) == names(2000, 20)
    # of up to a hundred all but the matrix; beyond, what few samples a class allow
    assert names(2000, 100) == names(2000, 21)
    assert names(2000, 101) == {"temperature scaling", "shrunken vector scaling"}


def test_of_both_vector_scalings_the_shrunken_one_shrinks():
    for n_classes in (10, 101):
        maps = comparison_of_maps.candidates(500, n_classes, "classes")
        shrinks = {map_.name: getattr(map_.calibrator, "shrink", None) for map_ in maps}
        assert shrinks[comparison_of_maps.SHRUNKEN_VECTOR_SCALING] is True
        assert not shrinks.get("vector scaling")


def test_cross_validated_losses_keep_the_order_of_samples_and_split_no_cluster():
    """Each sample's loss is that of the map that was fitted to the other folds."""
    y, logits = drawn(2000, 0)
    shop = np.random.default_rng(0).integers(0, 37, len(y))
    for clusters in (None, shop):
        outputs = calib_report.ModelOutputs(y, logits=logits, clusters=clusters)
        parts = comparison_of_maps.rows_of_folds(outputs, np.random.default_rng(0))
        assert sorted(np.concatenate(parts)) == list(range(len(y)))
        scaling, rng = calib.TemperatureScaling(), np.random.default_rng(0)
        losses = comparison_of_maps.outcome_held_out(scaling, outputs, rng)
        for rows in parts:
            rest = np.setdiff1d(np.arange(len(y)), rows)
            p = (
                calib.TemperatureScaling()
                .fit(logits[rest], y[rest])
                .predict_proba(logits[rows])
            )
            np.testing.assert_allclose(
                losses.nll[rows], calib.nll_per_sample(y[rows], p)
            )
    assert sum(len(np.unique(shop[rows])) for rows in parts) == 37


def test_held_out_losses_are_those_of_the_map_fitted_without_them(tmp_path):
    y, logits = drawn(2000, 0)
    half = len(y) // 2
    arrays = {"logits": logits[half:], "y": y[half:]}
    arrays |= {"calibration_logits": logits[:half], "calibration_y": y[:half]}
    np.savez(tmp_path / "a.npz", **arrays)
    row = calib_report.compare_maps(calib_report.read(tmp_path / "a.npz"))[0][1]
    fitted = calib.TemperatureScaling().fit(logits[:half], y[:half])
    assert row["nll"] == pytest.approx(
        calib.nll(y[half:], fitted.predict_proba(logits[half:]))
    )


def test_a_stated_certainty_counts_as_the_page_says():
    """Stated 1.0 has infinite log odds; the factor alone would leave it."""
    rng = np.random.default_rng(0)
    confidence = rng.choice([0.6, 0.8, 0.9, 0.99, 1.0], 2000)
    right = (rng.random(2000) < 0.3 + 0.3 * confidence).astype(int)
    outputs = calib_report.read({"confidence": confidence, "correct": right})
    report = analyse(outputs)
    numbers, outcomes = report.numbers, report.outcomes
    names = [row["name"] for row in numbers["comparison"]]
    assert names[1] == "one factor on the log odds" and "isotonic regression" in names
    stated = outcomes["one factor on the log odds"].score
    assert stated[confidence == 1].max() < 0.95
    if numbers["recommended"]["name"] == names[1]:
        assert f"0 and 1 count as {numbers['floor']:.2g}" in numbers["decision"]


def pairs_of(score):
    score = np.array(score)
    return Outcome(0 * score, 0 * score, score, np.ones(len(score), int), task="pairs")


def test_one_more_mistake_costs_what_the_doubt_fell_by():
    """Where 0.9 becomes 0.99 a mistake costs log 10 more, shared by the samples."""
    before = pairs_of([0.9, 0.8])
    mistake = comparison_of_maps.one_mistake(before, pairs_of([0.99, 0.9]), 1e-6)
    assert mistake == pytest.approx(np.log(10) / 2)
    # a doubt of nothing counts as the floor
    mistake = comparison_of_maps.one_mistake(before, pairs_of([1.0, 0.9]), 0.001)
    assert mistake == pytest.approx(np.log(100) / 2)
    # where a map leaves more doubt everywhere a mistake costs no more
    less_sure = pairs_of([0.7, 0.6])
    assert comparison_of_maps.one_mistake(before, less_sure, 1e-6) == 0


def test_changes_of_a_map_are_those_from_none_and_from_the_best():
    """Losses 4, 4 as it is, 2, 3 of one map and 1, 2 of the best."""
    of_losses = {
        name: replace(pairs_of([0.5, 0.5]), nll=np.array(nll))
        for name, nll in (
            ("none", [4.0, 4.0]),
            ("one", [2.0, 3.0]),
            ("best", [1.0, 2.0]),
        )
    }
    baseline = comparison_of_maps.Baseline.of(of_losses, 1e-6)
    row = baseline.row("one", 1, of_losses["one"])
    assert row["nll"] == 2.5
    assert row["nll_change"]["difference"] == -1.5
    assert row["nll_from_best"]["difference"] == 1


@pytest.mark.parametrize(("n_clusters", "n_folds"), [(None, 5), (3, 3), (5, 5), (8, 5)])
def test_folds_are_five_or_as_many_as_there_are_clusters(n_clusters, n_folds):
    clusters = None if n_clusters is None else np.arange(24) % n_clusters
    outputs = calib_report.ModelOutputs(
        np.arange(24) % 2, logits=np.zeros((24, 2)), clusters=clusters
    )
    assert comparison_of_maps.n_folds(outputs) == n_folds


def test_many_samples_are_split_into_halves():
    for n, n_folds in ((199_999, 5), (200_000, 2)):
        outputs = calib_report.ModelOutputs(
            np.zeros(n, int), probabilities=np.full((n, 2), 0.5)
        )
        assert comparison_of_maps.n_folds(outputs) == n_folds
