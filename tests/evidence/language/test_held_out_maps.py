"""Maps of one half of the answers, used on the other."""

import numpy as np
from simulated_answers import drawn_pairs

from evidence.language.held_out_maps import mapped_halves, random_halves


def test_maps_are_fitted_on_the_other_half():
    hit, score = drawn_pairs(2000)
    flipped = hit.copy()
    first = random_halves(len(hit), np.random.default_rng(0))[0][0]
    flipped[first] = ~hit[first]  # does not touch what the first half's scores become
    before, after = (
        list(mapped_halves("platt", h, score, np.random.default_rng(0)))
        for h in (hit, flipped)
    )
    # the map of the second half comes of the first, whose hits are flipped
    (of_second, its_hits), (of_first, _) = before
    assert np.array_equal(its_hits, hit[~first])
    assert np.array_equal(of_first, after[1][0])
    assert not np.allclose(of_second, after[0][0])
