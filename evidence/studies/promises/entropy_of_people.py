"""Compute entropy_of_people.csv: people and networks, a temperature for labels or for people."""

from collections.abc import Iterator

import numpy as np
from scipy.stats import entropy, spearmanr

import calib
from evidence.data import generator
from evidence.network_outputs import Outputs
from evidence.rows import Row
from evidence.studies.parts.human_labels import (
    metrics_against_shares,
    networks_with_people,
)


def rows() -> Iterator[Row]:
    """Entropy of the people and of the network, and one temperature for labels or for people."""
    for name, test, shares in networks_with_people():
        if test.scores is not None:
            continue
        rng, n = generator(name), len(test)
        of_network, theirs = entropy(test.prob, axis=1), entropy(shares, axis=1)

        def correlation(
            rows: np.ndarray,
            of_network: np.ndarray = of_network,
            theirs: np.ndarray = theirs,
        ) -> float:
            return spearmanr(of_network[rows], theirs[rows]).statistic

        estimate = calib.bootstrap_statistic(correlation, n, n_resamples=200, rng=rng)
        row = {"network": float(of_network.mean()), "people": float(theirs.mean())}
        row |= {
            "correlation": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
        }
        yield {"source": name, "n": n} | row | temperatures(test, shares, rng)


def temperatures(
    test: Outputs, shares: np.ndarray, rng: np.random.Generator
) -> dict[str, float]:
    """Temperatures fitted on half of the samples, to labels and to people; ECE by people."""
    order = rng.permutation(len(test))
    fit, test_rows = order[: len(order) // 2], order[len(order) // 2 :]
    z = test.as_logits()
    k = z.shape[1]
    label = calib.TemperatureScaling().fit(z[fit], test.y[fit])
    # each sample once a class, weighted by the share of people who name it
    repeated = np.repeat(z[fit], k, axis=0), np.tile(np.arange(k), len(fit))
    person = calib.TemperatureScaling().fit(
        *repeated, sample_weight=shares[fit].ravel()
    )
    row: Row = {"t_label": label.temperature_, "t_people": person.temperature_}
    probabilities = {
        "none": test.prob[test_rows],
        "label": label.predict_proba(z[test_rows]),
    }
    probabilities["people"] = person.predict_proba(z[test_rows])
    y, theirs = test.y[test_rows], shares[test_rows]
    for key, p in probabilities.items():
        named_by = theirs[np.arange(len(y)), p.argmax(axis=1)]
        correlation = spearmanr(entropy(p, axis=1), entropy(theirs, axis=1)).statistic
        row |= {
            f"ece_label_{key}": calib.ece(y, p),
            f"ece_people_{key}": metrics_against_shares(p.max(axis=1), named_by)["ece"],
            f"distance_{key}": float(np.abs(p - theirs).sum(axis=1).mean() / 2),
            f"correlation_{key}": float(correlation),
        }
    return row
