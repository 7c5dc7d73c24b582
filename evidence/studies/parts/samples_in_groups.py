"""Samples in groups, and maps that know the groups: what the tables of groups share.

Groups are the 57 subjects of MMLU, answered by four language models, and the superclasses of the
classes that CIFAR-100 networks predict. Maps are fitted on a random half of the samples and judged
on the other.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import calib
from evidence import load_source
from evidence.derived.multicalibration import Multicalibration
from evidence.language.originals import answer_sources, load_choices
from evidence.studies.parts.set_measures import CIFAR100

SUPERCLASSES = (
    "aquatic mammals",
    "fish",
    "flowers",
    "food containers",
    "fruit and vegetables",
    "household electrical devices",
    "household furniture",
    "insects",
    "large carnivores",
    "large man-made outdoor things",
    "large natural outdoor scenes",
    "large omnivores and herbivores",
    "medium-sized mammals",
    "non-insect invertebrates",
    "people",
    "reptiles",
    "small mammals",
    "trees",
    "vehicles 1",
    "vehicles 2",
)
SUPERCLASS_OF = np.array(
    "4 1 14 8 0 6 7 7 18 3 3 14 9 18 7 11 3 9 7 11 6 11 5 10 7 6 13 15 3 15 0 11 1 10 12 14 16 9 "
    "11 5 5 19 8 8 15 13 14 17 18 10 16 4 17 4 2 0 17 4 18 17 10 3 2 12 12 16 12 1 9 19 2 10 0 1 "
    "16 12 9 13 15 13 16 19 2 4 6 19 5 5 8 19 18 1 2 15 6 0 17 8 14 13".split(),
    int,
)
ALPHAS = (0.003, 0.005, 0.01, 0.02)


class GroupedSet(NamedTuple):
    """Logits and labels of a source, groups, and an attribute that cuts across the groups."""

    name: str
    z: np.ndarray
    y: np.ndarray
    group: np.ndarray
    attribute: np.ndarray


class MappedHalf(NamedTuple):
    """A random half, its hits, which no map changes, and the scores after a map."""

    test: np.ndarray
    hit: np.ndarray
    name: str
    score: np.ndarray


def prediction_sets() -> Iterator[GroupedSet]:
    """Yield answers of language models, then networks of images."""
    for name in answer_sources("choices"):
        columns = load_choices(name)
        chosen = columns.logits.argmax(axis=1).astype(str)
        yield GroupedSet(name, columns.logits, columns.y, columns.group, chosen)
    for name in CIFAR100:
        test = load_source(name).test
        z = np.asarray(test.as_logits(), float)
        ranked = np.argsort(-z, axis=1)[:, :2]
        first, second = SUPERCLASS_OF[ranked].T
        group = np.array(SUPERCLASSES)[first]
        # whether the two most probable classes are of one superclass
        alike = np.where(first == second, "alike", "unlike")
        yield GroupedSet(name, z, test.y, group, alike)


def overlapping_groups(group: np.ndarray, attribute: np.ndarray) -> np.ndarray:
    """Overlapping groups: everyone, each group, each value of the attribute, shape (n, G)."""
    indicators = [np.ones((len(group), 1), bool)]
    indicators += [
        values[:, None] == np.unique(values) for values in (group, attribute)
    ]
    return np.hstack(indicators)


def after_maps(
    z: np.ndarray,
    y: np.ndarray,
    group: np.ndarray,
    attribute: np.ndarray,
    rng: np.random.Generator,
) -> Iterator[MappedHalf]:
    """Fit each map to one random half, and yield what it makes of the other."""
    # a random half: the permutation's numbers below the middle
    fit = rng.permutation(len(y)) < len(y) // 2
    test = ~fit
    score, hit = calib.top_label(y, calib.softmax(z))
    mapped = maps_of_groups(z, y, group, attribute, fit, test, score, hit)
    for name, score in mapped:
        yield MappedHalf(test, hit[test], name, score)


def maps_of_groups(
    z: np.ndarray,
    y: np.ndarray,
    group: np.ndarray,
    attribute: np.ndarray,
    fit: np.ndarray,
    rest: np.ndarray,
    score: np.ndarray,
    hit: np.ndarray,
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield name and scores on the rest."""
    yield "none", score[rest]
    scaling = calib.TemperatureScaling().fit(z[fit], y[fit])
    scaled = scaling.predict_proba(z).max(axis=1)
    yield "temperature", scaled[rest]
    scores = scaled.copy()
    for name in np.unique(group):
        in_group = group == name
        try:
            temperature = calib.TemperatureScaling(no_optimum="raise")
            temperature.fit(z[fit & in_group], y[fit & in_group])
        except (calib.ConvergenceError, ValueError):
            continue  # nothing to learn in this group: the common temperature stays
        scores[in_group] = temperature.predict_proba(z[in_group]).max(axis=1)
    yield "temperature of the group", scores[rest]
    belongs = overlapping_groups(group, attribute)
    for alpha in (*ALPHAS, None):
        patched = Multicalibration(alpha).fit(scaled[fit], hit[fit], belongs[fit])
        key = "by default" if alpha is None else f"{alpha:g}"
        yield f"patches, alpha {key}", patched.predict(scaled[rest], belongs[rest])
