"""Maps of studies: each takes what its table says."""

import numpy as np
import pytest

from evidence.studies.parts import maps_of_studies as maps


@pytest.mark.parametrize("name", maps.MAPS_OF_SCORES)
def test_a_map_of_scores_takes_pairs(name):
    rng = np.random.default_rng(0)
    score = rng.random(200)
    after = (
        maps.MAPS_OF_SCORES[name].fit(score, rng.random(200) < score**2).predict(score)
    )
    assert after.shape == (200,) and 0 <= after.min() <= after.max() <= 1
    # less than the scores, which are too sure
    assert after.mean() < score.mean() - 0.05


@pytest.mark.parametrize("name", maps.MAPS_OF_VECTORS)
def test_a_map_of_vectors_takes_logits(name):
    rng = np.random.default_rng(0)
    z = rng.normal(size=(200, 3))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    after = maps.MAPS_OF_VECTORS[name].fit(3 * z, y).predict_proba(3 * z)
    assert after.sum(axis=1) == pytest.approx(1)
    right = after[np.arange(200), y]
    assert np.log(np.maximum(right, 1e-9)).mean() > -1.1  # as without any score
