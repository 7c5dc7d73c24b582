"""Every map brings scores that are known to be wrong nearer to the truth; no constant does.

A map of the right form that fits nothing, or answers alike whatever it is asked, keeps every
contract of `test_maps_base`. So each is held to a world whose truth is known: 4000 samples of a
network that is too sure by a factor of two, and as many that it has not seen.
"""

import numpy as np
import pytest
from maps import LOGIT_MAPS, SCORE_MAPS, outputs

import calib
from calib.maps.base import ScoreCalibrator, clone

N = 4000
TOO_SURE = 2.0
RNG = np.random.default_rng(11)
TRUE_LOGITS = RNG.normal(scale=1.5, size=(2 * N, 3))
TRUE_PROB = calib.softmax(TRUE_LOGITS)
Y = (TRUE_LOGITS + RNG.gumbel(size=TRUE_LOGITS.shape)).argmax(axis=1)
LOGITS = TOO_SURE * TRUE_LOGITS
# of one class: the true probability is that of the logit divided by two
TRUE_LOGIT = RNG.normal(scale=1.5, size=2 * N)
TRUE_SCORE = 1 / (1 + np.exp(-TRUE_LOGIT))
SCORE = 1 / (1 + np.exp(-TOO_SURE * TRUE_LOGIT))
HIT = RNG.random(2 * N) < TRUE_SCORE
# of the distance of the network or of a constant, whichever is nearer: four bins are at .68 of it,
# all other maps below .41
NEAR = 0.75


def distances(calibrator):
    """Mean distance from the truth of new samples: of the map, the network, and a constant."""
    fitted, new = clone(calibrator), slice(N, None)
    if isinstance(calibrator, ScoreCalibrator):
        mapped = outputs(fitted.fit(SCORE[:N], HIT[:N]), SCORE[new])
        truth, before = TRUE_SCORE[new], SCORE[new]
        constant = HIT[:N].mean()
    else:
        mapped = outputs(fitted.fit(LOGITS[:N], Y[:N]), LOGITS[new])
        truth, before = TRUE_PROB[new], calib.softmax(LOGITS[new])
        constant = np.bincount(Y[:N], minlength=3) / N
        if mapped.ndim == 1:  # a map of the top label alone
            top = LOGITS[new].argmax(axis=1)
            rows = np.arange(N)
            truth, before = truth[rows, top], before[rows, top]
            constant = (LOGITS[:N].argmax(axis=1) == Y[:N]).mean()
    return [np.abs(each - truth).mean() for each in (mapped, before, constant)]


@pytest.mark.parametrize("calibrator", SCORE_MAPS + LOGIT_MAPS, ids=repr)
def test_a_map_is_nearer_to_the_truth_than_the_network_and_than_any_constant(
    calibrator,
):
    mapped, before, constant = distances(calibrator)
    assert mapped < NEAR * min(before, constant), (
        "the world is too sure by a factor of two and right on average: a map that mends something "
        "else needs a world of its own here"
    )


class AlwaysHalf(calib.PlattScaling):
    def _predict(self, score):
        return np.full(len(score), 0.5)


class AsItIs(calib.PlattScaling):
    def _predict(self, score):
        return score


@pytest.mark.parametrize("calibrator", [AlwaysHalf(), AsItIs()], ids=repr)
def test_a_map_that_answers_a_half_or_what_it_is_asked_is_found_out(calibrator):
    mapped, before, constant = distances(calibrator)
    assert mapped > NEAR * min(before, constant)
