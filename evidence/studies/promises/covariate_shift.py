"""Compute covariate_shift.csv: images drawn the more often, the more people disagree about them.

`python -m evidence.studies covariate_shift` from the root. New worlds are made by drawing from real
predictions, so that what is true in them is known.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.stats import entropy

import calib
from evidence.data import generator
from evidence.rows import Row, means
from evidence.studies.parts.human_labels import networks_with_people

Proba = Callable[[np.ndarray], np.ndarray]  # probabilities of logits

TILTS = (0.0, 1.0, 2.0, 3.0)
TILTED = (
    "kerrigan-cifar10-resnet110",
    "kull-cifar10-resnet110",
    "netcal-cifar10-wideresnet-16-4",
)
N_WORLDS = 20
N_TARGET, N_LABELLED, N_FEWER = 4000, 500, 100


@dataclass(frozen=True, eq=False)
class Images:
    """Labelled images, a network's logits, and how much people disagree about each, 0 to 1."""

    z: np.ndarray
    y: np.ndarray
    doubt: np.ndarray


@dataclass(frozen=True, eq=False)
class World:
    """What is drawn of the images: positions, and how much oftener each is met than before."""

    weight: np.ndarray
    fit: np.ndarray  # the calibration set of the old world
    target: np.ndarray
    labelled: np.ndarray
    fewer: np.ndarray


def rows() -> Iterator[Row]:
    """Yield what each way reaches of each network, a row a tilt and way."""
    for name, test, shares in networks_with_people():
        if name not in TILTED and not name.startswith("baan"):
            continue
        doubt = entropy(shares, axis=1) / np.log(shares.shape[1])
        images = Images(np.asarray(test.as_logits(), float), test.y, doubt)
        for tilt in TILTS:
            yield from over_worlds(name, images, tilt)


def over_worlds(name: str, images: Images, tilt: float) -> Iterator[Row]:
    """Yield the means of each way over the worlds of a tilt."""
    worlds = [in_world(name, images, tilt, number) for number in range(N_WORLDS)]
    for way in worlds[0]:
        measured = [world[way] for world in worlds]
        yield {"source": name, "tilt": tilt, "way": way} | means(measured)


def in_world(name: str, images: Images, tilt: float, number: int) -> dict[str, Row]:
    """Return by its name what each way reaches in one world."""
    world = drawn_world(images.doubt, tilt, generator(name, tilt, number))
    ways = ways_of(images, world)
    measured = {}
    for way, proba in ways.items():
        row = measured_in_world(proba, images.z, images.y, world.target)
        # the same function, where too few labels find no temperature of their own
        row["old_kept"] = float(proba is ways["source labels"])
        rng = generator(name, way, tilt, number)
        row["ece_chance"] = ece_by_chance(proba(images.z), world.target, rng)
        measured[way] = row
    return measured


def drawn_world(doubt: np.ndarray, tilt: float, rng: np.random.Generator) -> World:
    """Return a half of the images to fit on, and three draws of the others by their weight."""
    order = rng.permutation(len(doubt))
    fit, later = order[: len(order) // 2], order[len(order) // 2 :]
    weight = np.exp(tilt * doubt)
    share = weight[later] / weight[later].sum()
    target, labelled, fewer = (
        later[rng.choice(len(later), n, p=share)]
        for n in (N_TARGET, N_LABELLED, N_FEWER)
    )
    return World(weight, fit, target, labelled, fewer)


def ways_of(images: Images, world: World) -> dict[str, Proba]:
    """Return by name what each way makes of logits."""
    z, y, fit = images.z, images.y, world.fit
    old = scaling_of(z[fit], y[fit])
    try:
        from_fewer = scaling_of(z[world.fewer], y[world.fewer])
    except calib.ConvergenceError:
        # all of them are right: the old temperature stays
        from_fewer = old
    return {
        "as it is": calib.softmax,
        "source labels": old,
        "source labels, weighted": scaling_of(z[fit], y[fit], world.weight[fit]),
        "500 target labels": scaling_of(z[world.labelled], y[world.labelled]),
        "100 target labels": from_fewer,
    }


def measured_in_world(
    proba: Proba, z: np.ndarray, y: np.ndarray, target: np.ndarray
) -> Row:
    """Return ECE, NLL and the confidence less the accuracy on the samples of a world."""
    p = proba(z[target])
    gap = p.max(axis=1).mean() - calib.accuracy(y[target], p)
    metrics = {"ece": calib.ece(y[target], p), "nll": calib.nll(y[target], p)}
    return metrics | {"gap": float(gap)}


def ece_by_chance(p: np.ndarray, target: np.ndarray, rng: np.random.Generator) -> float:
    """Return the ECE where labels are drawn from the scores: what chance alone makes of it."""
    top = p.max(axis=1)
    hit = rng.random(len(top)) < top
    return calib.ece(hit[target], top[target])


def scaling_of(z: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None) -> Proba:
    scaling = calib.TemperatureScaling(no_optimum="raise")
    return scaling.fit(z, y, sample_weight=weight).predict_proba
