"""The error of vectors: not overestimated, too sure and too modest told apart."""

import numpy as np
import pytest

import calib


def drawn(n, factor, seed, k=4):
    rng = np.random.default_rng(seed)
    z = 1.5 * rng.standard_normal((n, k))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    return factor * z, y


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("factor", [0.6, 1.0, 2.0])
def test_the_error_of_vectors_is_on_average_at_most_the_true_one(norm, factor):
    order = {"l1": 1, "l2": 2}[norm]
    z, _ = drawn(100_000, factor, 0)
    gap = calib.softmax(z) - calib.softmax(z / factor)
    truth = np.linalg.norm(gap, order, axis=1).mean()
    results = [
        calib.vector_error(*drawn(1000, factor, seed), norm=norm)
        for seed in range(1, 21)
    ]
    errors = np.array([result.error for result in results])
    noise = errors.std(ddof=1) / np.sqrt(len(errors))
    assert errors.mean() <= truth + 3 * noise
    assert errors.mean() >= truth - 0.02 - 3 * noise if factor != 1 else True
    assert (
        0.5
        < errors.std(ddof=1) / np.mean([result.standard_error for result in results])
        < 2
    )


def test_folds_that_see_their_own_labels_would_overestimate(monkeypatch):
    """What the bound above catches: a map that is judged where it was fitted."""
    from calib.maps import out_of_fold

    def cheating(calibrator, logits, y, weight, folds):
        fitted = calibrator.fit(logits, y)
        return iter([fitted.predict_proba(logits[rows]) for rows in folds])

    def errors():
        rich = calib.OneVsRest(calib.HistogramBinning(n_bins=40))
        return [
            calib.vector_error(*drawn(400, 1.0, seed), rich).error for seed in range(10)
        ]

    assert np.mean(errors()) < 0.03
    monkeypatch.setattr(out_of_fold, "out_of_fold", cheating)
    assert np.mean(errors()) > 0.1


def test_folds_know_nothing_of_the_labels_of_others():
    """Folds with their share of each class would: a map then knows the frequency of the others."""
    errors = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        p = rng.beta(5, 2, size=300)
        y = (rng.random(300) < p).astype(int)
        z = np.log(np.column_stack([1 - p, p]))
        errors.append(calib.vector_error(z, y, calib.VectorScaling()).error)
    assert np.mean(errors) < 2 * np.std(errors) / np.sqrt(len(errors))


def test_too_sure_and_too_modest_are_told_apart():
    sharp = calib.vector_error(*drawn(4000, 2.0, 0))
    blunt = calib.vector_error(*drawn(4000, 0.5, 0))
    assert sharp.overconfident > 0.95 * sharp.error > 0
    assert blunt.underconfident > 0.95 * blunt.error > 0
    assert sharp.error == sharp.overconfident + sharp.underconfident


def test_an_unknown_norm_is_named():
    with pytest.raises(ValueError, match="norm: 'l3'"):
        calib.vector_error(*drawn(50, 1.0, 0), norm="l3")


def test_the_map_is_a_temperature_and_the_folds_are_five_unless_others_are_asked_for():
    z, y = drawn(60, 2.0, 0)
    assert calib.vector_error(z, y) == calib.vector_error(
        z, y, calib.TemperatureScaling()
    )
    richer, options = calib.VectorScaling(), {"norm": "l1", "n_folds": 5, "rng": 0}
    told = calib.vector_error(z, y, richer)
    assert told == calib.vector_error(z, y, richer, **options)
    for name, value in {"norm": "l2", "n_folds": 2, "rng": 1}.items():
        assert told != calib.vector_error(z, y, richer, **options | {name: value})
    for n_folds in (1, 61):
        with pytest.raises(ValueError, match=f"n_folds: {n_folds}"):
            calib.vector_error(z, y, n_folds=n_folds)


class Unmoved(calib.maps.base.ProbabilityCalibrator):
    """The probabilities of the logits as they are."""

    def _fit(self, z, y, weight):
        self.classes_ = np.arange(z.shape[1])

    def _predict_proba(self, z):
        return calib.softmax(z)


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_a_map_that_moves_no_vector_finds_no_error(norm):
    z, y = drawn(60, 1.0, seed=0)
    found = calib.vector_error(z, y, calibrator=Unmoved(), norm=norm, rng=0)
    assert (found.error, found.standard_error) == (0, 0)
