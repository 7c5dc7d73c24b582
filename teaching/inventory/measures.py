"""What answers say of items and of the class: test theory, and the calibration of the class."""

from dataclasses import dataclass

import numpy as np

import calib
from teaching.inventory.answers import Answers
from teaching.inventory.statements import TRUE
from teaching.tables import CourseError

BINS = calib.equal_width(5)


def difficulty(answers: Answers) -> np.ndarray:
    """Return the share of the class that leans to the truth, for each item."""
    return answers.right.mean(axis=0)


def discrimination(answers: Answers) -> np.ndarray:
    """Return the correlation of each item with the sum of the others; nan where none varies."""
    points = answers.right
    points_of_others = points.sum(axis=1, keepdims=True) - points
    item = points - points.mean(axis=0)
    total = points_of_others - points_of_others.mean(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (item * total).mean(axis=0) / (item.std(axis=0) * total.std(axis=0))


def reliability(answers: Answers) -> float:
    """Return Cronbach's alpha of the items: 1 where they order students alike, 0 by chance."""
    points = answers.right
    k = points.shape[1]
    with np.errstate(invalid="ignore", divide="ignore"):
        return k / (k - 1) * (1 - points.var(axis=0).sum() / points.sum(axis=1).var())


@dataclass
class Calibration:
    """The class as a forecaster: its ECE, what chance alone gives, and its bins."""

    ece: float
    chance: float
    excess: float  # mean confidence less share that leans to the truth
    bins: calib.Bins


def calibration(answers: Answers) -> Calibration:
    """Return how well confidences of a class agree with the truth of what it leans to.

    An answer of 50 % leans to neither side and is left out.
    """
    leans = np.isfinite(answers.prob) & (answers.prob != 0.5)
    if not leans.any():
        raise CourseError("no answer leans to true or false: all are empty or 50 %")
    prob = answers.prob[leans]
    hit = (prob > 0.5) == np.broadcast_to(TRUE, leans.shape)[leans]
    confidence = np.maximum(prob, 1 - prob)
    ece = float(calib.calibration_error(hit, confidence, bins=BINS))
    chance = float(calib.error_if_calibrated(confidence, bins=BINS))
    excess = float(confidence.mean() - hit.mean())
    return Calibration(ece, chance, excess, BINS(confidence, hit))
