"""Compute ks_against_ece.csv: KS and ECE as measures of simulated models."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import numpy as np

import calib
from evidence.rows import Row
from evidence.simulate import BetaDistorted


def rows() -> Iterator[Row]:
    """KS and ECE as measures: bias and spread on samples of simulated models, known truth."""
    models = {
        "calibrated": BetaDistorted().calibrated(),
        "overconfident": BetaDistorted(),
    }
    metrics: dict[str, Callable[..., float]] = {
        "KS": calib.ks_error,
        "ECE, 15 bins": calib.ece,
    }
    metrics["ECE, 50 bins"] = partial(calib.ece, n_bins=50)
    for (name, model), n in product(
        models.items(), (500, 1000, 2000, 5000, 10_000, 20_000)
    ):
        rng = np.random.default_rng(0)
        draws = [model.sample(n, rng) for _ in range(200)]
        for metric, function in metrics.items():
            values = np.array([function(hit, score) for hit, score in draws])
            truth = model.true_ks() if metric == "KS" else model.true_ece()
            row = {"model": name, "n": n, "metric": metric, "truth": truth}
            yield row | {"mean": values.mean(), "sd": values.std(ddof=1)}
