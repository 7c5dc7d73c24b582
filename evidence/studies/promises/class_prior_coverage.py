"""Compute class_prior_coverage.csv: how often intervals of new priors hold the truth."""

import numpy as np

import calib
from evidence import load_source
from evidence.data import generator
from evidence.pieces import compute_pieces
from evidence.rows import Row, means
from evidence.simulate import drawn_labels
from evidence.studies.parts.worlds_with_other_priors import (
    N_TARGET,
    PRIOR_SOURCES,
    new_world,
    prior_coverage,
)

N_COVERAGE = 40


def coverage_of_priors(name: str) -> list[Row]:
    """How often intervals of new priors hold the truth although the vectors are calibrated.

    Labels are drawn from the vectors of `VectorScaling`, so that these are calibrated by
    construction. Design "as in class_priors.csv" then goes on as `class_priors` does: frequencies
    of old and new classes are those of the drawn labels, and the samples of a world are drawn again
    and again from one half. Design "whole population" draws from all images by their exact
    densities.
    """
    test = load_source(name).test
    z = np.asarray(test.as_logits(), float)
    k = z.shape[1]
    p = calib.VectorScaling().fit(z, test.y).predict_proba(z)
    mean = p.mean(axis=0)
    # of each world the samples, the old frequencies of the classes and the new ones
    inside_of: dict[str, list[tuple[np.ndarray, np.ndarray, np.ndarray]]]
    inside_of = {"as in class_priors.csv": [], "whole population": []}
    for world in range(N_COVERAGE):
        rng = generator(name, "coverage", world)
        y = drawn_labels(p, rng)
        _, chosen, old, new = new_world(y, k, rng)
        inside_of["as in class_priors.csv"].append((chosen, old, new))
        prior = rng.dirichlet(np.ones(k))
        weight = (p / mean) @ prior
        chosen = rng.choice(len(p), N_TARGET, p=weight / weight.sum())
        inside_of["whole population"].append((chosen, mean, prior))
    rows = []
    for design, inside in inside_of.items():
        row = {"source": name, "design": design, "n_worlds": N_COVERAGE, "n_classes": k}
        distinct = float(np.mean([len(set(chosen)) for chosen, *_ in inside]))
        covered = [
            prior_coverage(calib.estimate_priors(p[chosen], old), new)
            for chosen, old, new in inside
        ]
        rows.append(row | {"n_images": len(p), "distinct": distinct} | means(covered))
    return rows


def rows() -> list[Row]:
    return compute_pieces("class_prior_coverage", coverage_of_priors, PRIOR_SOURCES)
