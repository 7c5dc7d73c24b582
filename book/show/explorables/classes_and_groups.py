"""What a network says too much of each class, and of each group."""

from typing import Any

import numpy as np

import calib
from book.show import stills
from book.show.explorables.element import (
    Contents,
    explorable,
    in_base64,
    pairs_in_base64,
    rounded,
)
from book.show.explorables.logits import DEEPEST, root_steps


@explorable
def class_matrix(network: Any, classes: list[str], n_shown: int = 4000) -> Contents:
    """A matrix of what the network says too much or too little of each class, to be repaired class
    by class.

    The temperature, and the factor and shift of each class, are fitted on the calibration images.
    """
    calibration, test = network.calibration, network.test
    scaling = calib.TemperatureScaling().fit(calibration.logits, calibration.y)
    # below the largest, as the page has them: with a factor a class a shift of all matters
    tops = [
        split.logits - split.logits.max(axis=1, keepdims=True)
        for split in (calibration, test)
    ]
    vector = calib.VectorScaling().fit(tops[0], calibration.y)
    logits, y = tops[1][:n_shown], np.asarray(test.y)[:n_shown]
    data = {"classes": classes, "y": y.tolist(), "deepest": DEEPEST}
    data |= {"logits": in_base64(root_steps(-logits, []), "u1")}
    data |= {"temperature": round(float(scaling.temperature_), 5)}
    data |= {"factors": rounded(vector.coef_), "shifts": rounded(vector.intercept_)}
    p = calib.softmax(logits / scaling.temperature_)
    gaps = 100 * (p.mean(axis=0) - np.bincount(y, minlength=len(classes)) / len(y))
    return data, stills.first_ten_bars(
        classes, gaps, "points said too much, over all images"
    )


@explorable
def shuffled_groups(
    score: np.ndarray,
    hit: np.ndarray,
    group: np.ndarray,
    names: list[str],
    *,
    n: int,
    n_shown: int = 4000,
) -> Contents:
    """Gaps of groups, whose names you shuffle, and how wide the widest gap is by chance.

    `n` is how many samples are counted at first, `n_shown` how many there are at most.
    """
    score, hit, group = (np.asarray(part)[:n_shown] for part in (score, hit, group))
    pairs = pairs_in_base64(score, hit)
    data = {"pairs": pairs, "groups": in_base64(group, "u1"), "names": names, "n": n}
    gaps = [100 * np.mean((score - hit)[:n][group[:n] == k]) for k in range(len(names))]
    return data, stills.first_ten_bars(names, gaps, "points too sure")
