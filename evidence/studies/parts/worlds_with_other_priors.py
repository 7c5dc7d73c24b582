"""Worlds with other frequencies of the classes, drawn from real predictions.

So what is true in them is known.
"""

from typing import Any, NamedTuple

import numpy as np

PRIOR_SOURCES = (
    "kull-cifar10-resnet110",
    "ferrer-cifar10-resnet20",
    "ferrer-cifar10-repvgg-a2",
    "ferrer-cifar10-vgg19-bn",
    "kerrigan-cifar10-resnet110",
    "netcal-cifar10-wideresnet-16-4",
    "netcal-cifar10-lenet5",
    "ferrer-emotion-wav2vec",
    "ferrer-cifar100-resnet20",
    "netcal-cifar100-wideresnet-16-4",
    "ferrer-pneumonia-resnet50",
    "baan-snli-roberta-s0",
)
N_TARGET = 2000


class NewWorld(NamedTuple):
    """Which samples to fit on, which are drawn in a world with other priors, and both priors."""

    fit: np.ndarray
    chosen: np.ndarray
    old: np.ndarray
    new: np.ndarray


def new_world(y: np.ndarray, k: int, rng: np.random.Generator) -> NewWorld:
    """Draw a half of the samples to fit on, and of the others a world with other priors."""
    order = rng.permutation(len(y))
    fit, test = order[: len(order) // 2], order[len(order) // 2 :]
    # one sample more a class, so that no class has the frequency zero
    old = (np.bincount(y[fit], minlength=k) + 1) / (len(fit) + k)
    prior = rng.dirichlet(np.ones(k))
    # drawn with replacement, each class as often as the new frequencies say
    weight = (prior / np.maximum(np.bincount(y[test], minlength=k), 1))[y[test]]
    chosen = test[rng.choice(len(test), N_TARGET, p=weight / weight.sum())]
    # not `prior`: a class that the half lacks cannot be drawn
    new = np.bincount(y[test], weight, k) / weight.sum()
    return NewWorld(fit, chosen, old, new)


def prior_coverage(em: Any, new: np.ndarray) -> dict[str, float]:
    """The share of the new priors that lie inside their intervals."""
    return {"covered": float(np.mean((em.low <= new) & (new <= em.high)))}
