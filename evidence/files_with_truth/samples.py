"""Samples of three classes, and what files state of them; of the files of tools, 120.

A truth is labels, (n,), and probabilities of all classes, (n, K), or None where nobody knows them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

import calib

Truth = tuple[np.ndarray, np.ndarray | None]
NAMES = ["cat", "dog", "hen"]


def event(y: np.ndarray, prob: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the truth of labels 0 or 1 and the probabilities of 1."""
    return y, np.column_stack([1 - prob, prob])


@dataclass(frozen=True)
class Samples:
    """Logits, (n, 3), labels, and what follows from them."""

    logits: np.ndarray
    y: np.ndarray

    @classmethod
    def drawn(
        cls, n: int, scale: float, digits: int, rng: np.random.Generator
    ) -> "Samples":
        """Draw logits, rounded, and labels with the probabilities that they state."""
        logits = np.round(rng.normal(scale=scale, size=(n, 3)), digits)
        return cls(logits, (logits + rng.gumbel(size=logits.shape)).argmax(axis=1))

    @cached_property
    def prob(self) -> np.ndarray:
        return calib.softmax(self.logits)

    @cached_property
    def best(self) -> np.ndarray:
        """The most probable class."""
        return self.prob.argmax(axis=1)

    @cached_property
    def top(self) -> np.ndarray:
        """The probability of the most probable class."""
        return self.prob.max(axis=1)

    @cached_property
    def hit(self) -> np.ndarray:
        return (self.best == self.y).astype(int)


RNG = np.random.default_rng(16)
N = 120
SAMPLES = Samples.drawn(N, 2.5, 3, RNG)
LOGITS, Y, P = SAMPLES.logits, SAMPLES.y, SAMPLES.prob
BEST, HIT, TOP = SAMPLES.best, SAMPLES.hit, SAMPLES.top.round(3)
NAMED, BEST_NAMES = np.array(NAMES)[Y], np.array(NAMES)[BEST]
YES = (RNG.random((N, 3)) < P).astype(int)  # labels of which several may hold
P_DOG, YES_NO = P[:, 1], np.where(Y == 1, "yes", "no")
IS_DOG = (Y == 1).astype(int)
NOISE = np.round(RNG.normal(size=N), 3)  # what is no score
MIXED = RNG.permutation(N)
EVENT_OF_TWO = np.round(P[:, 1] / (P[:, 0] + P[:, 1]), 2)
HIT_OF_TWO = np.where(RNG.random(N) < EVENT_OF_TWO, 1, 0)

CLASSES: Truth = Y, P
BINARY = event(IS_DOG, P_DOG)
SWAPPED = (1 - BINARY[0], BINARY[1][:, ::-1])
STATED = event(HIT, TOP)
QUESTIONS = event(YES.ravel(), P.ravel())
IN_OTHER_ORDER = np.array([1, 2, 0])[Y], P[:, [2, 0, 1]]

MARKED = np.arange(N) % 10 != 0  # samples whose label is there
UNMARKED = np.where(MARKED, Y, -100)
OF_MARKED = Y[MARKED], P[MARKED]
IMAGES = np.arange(N).reshape(5, 4, 6)  # samples as the pixels of images
IDS = [f"s{i}" for i in range(N)]


def frame(
    names: Sequence[str] = NAMES, values: ArrayLike = P, **more: object
) -> pd.DataFrame:
    """Return a table with a column of scores a class, and others."""
    return pd.DataFrame(dict(zip(names, np.asarray(values).T, strict=True)) | more)


def prefixed(
    start: str, names: Sequence[object] = NAMES, values: ArrayLike = P
) -> pd.DataFrame:
    """Return a table whose columns of scores have names that begin alike."""
    return frame([f"{start}{name}" for name in names], values)


WHOLE = frame(label=NAMED, picture=[f"{i}.png" for i in range(N)])
TRUTH = pd.DataFrame({"id": IDS, "label": NAMED}).iloc[MIXED]
