"""Is the advice of a report right? 25 simulated worlds whose truth is known.

`python tests/benchmarks/worlds.py [REPORTS] [SEED] [MOST] [SCALE]` from the root draws that many
samples of each world of at most MOST samples, of logits with the standard deviation SCALE, and
prints thousandths of a nat: by how much the expected loss under the true probabilities exceeds that
of the best map fitted to the same samples, as advised, always with one temperature and with no map;
the worst harm, against no map; and what was advised. A larger scale makes mistakes rarer.
"""

import sys
from collections import Counter
from contextlib import suppress

import numpy as np

import calib
from calib_report.comparison import candidates, fitted_to
from calib_report.outputs import ModelOutputs
from calib_report.page import analyse

N_FRESH = 20_000


def softened(z, share):
    """Logits of probabilities mixed with equal ones, as labels with noise have them."""
    return np.log((1 - share) * calib.softmax(z) + share / z.shape[1])


WORLDS = {  # what the truth is, (n, K), given what a model says; how many samples, classes
    "calibrated": (lambda z: z, (100, 2), (300, 10), (1000, 10), (3000, 100)),
    "too sure, T = 1 / .6": (lambda z: 0.6 * z, (100, 2), (300, 2), (1000, 2)),
    "too sure, T = 1 / .85": (lambda z: 0.85 * z, (300, 10), (3000, 10)),
    "too sure, T = 2": (lambda z: 0.5 * z, (100, 5), (1000, 10), (3000, 100)),
    "not sure enough, T = .7": (lambda z: z / 0.7, (300, 3), (1000, 3)),
    "bias of a class": (lambda z: z + np.arange(z.shape[1]) % 2, (300, 4), (1000, 10)),
    "rotation": (lambda z: (z + 0.5 * np.roll(z, 1, axis=1)) / 1.2, (1000, 4), (3000, 4)),
    "kink": (lambda z: np.where(z > 0, z / 2, 1.5 * z), (300, 2), (3000, 2)),
    "noise of labels": (lambda z: softened(z, 0.2), (300, 10), (1000, 10), (3000, 10)),
    "power": (lambda z: np.sign(z) * np.abs(z) ** 0.7, (300, 5), (3000, 5)),
}


def drawn(truth, n, k, scale, rng):
    """Logits of a model, and the true probabilities."""
    z = scale * rng.standard_normal((n, k))
    return z, calib.softmax(truth(z))


def losses(truth, n, k, scale, rng):
    """The expected loss of each map and of none, and the name of the map that is advised."""
    z, p = drawn(truth, n, k, scale, rng)
    outputs = ModelOutputs((rng.random((n, 1)) > p.cumsum(axis=1)[:, :-1]).sum(axis=1), logits=z)
    fresh, p_fresh = drawn(truth, N_FRESH if k < 50 else N_FRESH // 4, k, scale, rng)
    found = {"none": calib.softmax(fresh)}
    for candidate in candidates(n, k):
        with suppress(calib.ConvergenceError, ValueError):
            fitted = fitted_to(candidate.calibrator, outputs, outputs.floor)
            found[candidate.name] = fitted.predict_proba(fresh)
    advised = analyse(outputs).found["recommended"]
    loss = {m: -np.mean((p_fresh * np.log(np.maximum(q, 1e-12))).sum(1)) for m, q in found.items()}
    return loss, advised["name"], advised["confirmed"]


def main(reports=27, seed=0, most=3000, scale=2):
    """Print a row for each world."""
    print(f"{'world':25s}{'n':>5s}{'K':>4s}{'advice':>8s}{'always T':>9s}{'none':>7s}{'harm':>7s}")
    for number, (name, (truth, *sizes)) in enumerate(WORLDS.items()):
        for n, k in (size for size in sizes if size[0] <= most):
            rows, advice = [], Counter()
            for report in range(reports):
                rng = np.random.default_rng([seed, number, n, k, report])
                loss, advised, confirmed = losses(truth, n, k, scale, rng)
                best, none = min(loss.values()), loss["none"]
                always = loss.get("temperature scaling", none)
                rows.append(
                    [loss[advised] - best, always - best, none - best, loss[advised] - none]
                )
                advice[advised + ", unconfirmed" * (not confirmed)] += 1
            a, t, o, _ = 1000 * np.mean(rows, axis=0)
            harm = 1000 * max(0, np.max(rows, axis=0)[3])
            told = ", ".join(f"{m} {times}" for m, times in advice.most_common())
            print(f"{name:25s}{n:5d}{k:4d}{a:8.1f}{t:9.1f}{o:7.1f}{harm:7.1f}  {told}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
