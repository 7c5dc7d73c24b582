"""Sets of labels that hold the true one as often as promised."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

import calib
from book.show import stills
from book.show.explorables.element import Contents, explorable, rounded
from book.show.explorables.photographs import photograph_data
from evidence.constants import ROUNDED_95


@dataclass(frozen=True)
class SetScores:
    """The scores of labels at one temperature: the lower, the earlier a label joins the set."""

    true: np.ndarray  # of the true label of each calibration image
    tested: np.ndarray  # of each label of each test image

    def sizes(self, rows: Any, rank: int) -> np.ndarray:
        """Return the sizes of the test images' sets, by some of the calibration images.

        `rank` is that of the threshold among the sorted scores of their true labels.
        """
        threshold = np.partition(self.true[rows], rank)[rank]
        sizes: np.ndarray = (self.tested <= threshold).sum(axis=1)
        return sizes


def label_scores(p: np.ndarray, score: str, lot: np.ndarray) -> np.ndarray:
    """Return the score of each label; `lot` is where in a label's mass an adaptive one starts."""
    scores: np.ndarray = calib.ConformalSets(score).scores(p)
    return scores - lot * p if score == "aps" else scores


def size_change(
    network: Any,
    score: str,
    coverage: float,
    *,
    temperatures: tuple[float, float],
    rng: np.random.Generator,
    n_resamples: int = 100,
) -> list[float]:
    """Return how the mean size of sets changes between two temperatures, with a 95 % interval.

    Calibration images are drawn again, the same at both temperatures; the sizes on the test images
    vary from image to image.
    """
    y = network.calibration.y
    n, splits = len(y), (network.calibration, network.test)
    lots = [rng.random((len(split.y), 1)) for split in splits]
    scores = []
    for temperature in temperatures:
        of_labels, tested = (
            label_scores(calib.softmax(split.logits / temperature), score, lot)
            for split, lot in zip(splits, lots, strict=True)
        )
        scores.append(SetScores(of_labels[np.arange(n), y], tested))
    # the conformal quantile: of n sorted scores the ceil((n + 1) coverage)-th
    rank = min(math.ceil((n + 1) * coverage), n) - 1
    changes = []
    for _ in range(n_resamples):
        rows = rng.integers(n, size=n)
        before, after = (np.mean(at.sizes(rows, rank)) for at in scores)
        # its sign does not matter: the variance alone is used
        changes.append(before - after)
    first, second = (at.sizes(slice(None), rank) for at in scores)
    value = float(np.mean(second - first))
    # calibration images and test images are drawn apart: their variances add
    error = ROUNDED_95 * np.sqrt(np.var(changes) + np.var(second - first) / len(first))
    return rounded([value, value - error, value + error])


def set_measures(
    network: Any,
    score: str,
    temperature: float,
    coverage: float,
    rng: np.random.Generator,
) -> list[float]:
    """Return the threshold of label sets, their mean size and how often they hold the label."""
    calibration, test = network.calibration, network.test
    prob = [calib.softmax(split.logits / temperature) for split in (calibration, test)]
    fitted = calib.ConformalSets(score, coverage, randomize=score == "aps")
    sets = fitted.fit(prob[0], calibration.y, rng=rng).predict(prob[1], rng=rng)
    size = sets.sum(axis=1).mean()
    return rounded([fitted.threshold_, size, calib.set_coverage(test.y, sets)])


@explorable
def label_sets(
    sprite: Any,
    rows: Any,
    network: Any,
    classes: Sequence[str],
    temperatures: Any,
    coverages: Any,
    *,
    rng: np.random.Generator,
) -> Contents:
    """A photograph, and the set of labels that holds the true one as often as promised."""
    scores = ("lac", "aps")
    grid: dict[str, list[Any]] = {score: [] for score in scores}
    for score, temperature in product(scores, temperatures):
        row = [
            set_measures(network, score, temperature, coverage, rng)
            for coverage in coverages
        ]
        grid[score].append(row)
    change: dict[str, list[Any]] = {score: [] for score in scores}
    for score, coverage in product(scores, coverages):
        of_pair = size_change(network, score, coverage, temperatures=(1, 2), rng=rng)
        change[score].append(of_pair)
    data = {
        "classes": classes,
        "temperatures": rounded(temperatures),
        "coverages": coverages,
    }
    data |= {"grid": grid, "change": change} | photograph_data(
        sprite, rows, network.test
    )
    # where in a label's mass an adaptive set starts: drawn here, or it would jump in the page
    for image in data["images"]:
        image["u"] = float(rng.random())
    return data, stills.probability_bars(classes, data["images"][0]["logits"])
