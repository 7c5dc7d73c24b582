"""Compute data/results/interval_coverage.csv: how often bootstrap intervals contain the truth.

`python -m data.results.interval_coverage` from the root. Scores of ResNet-56 on CIFAR-10 before and
after temperature scaling, hits drawn from a smooth curve that was fitted to its own: the true error
is known. `basic` and `percentile` are the shares of the trials whose 95 % interval contains it.
"""

import numpy as np

import calib
from book.evidence import load_zoo
from calib import errors, scores

from .tables import write_table

SIZES, N_TRIALS, N_RESAMPLES, SEED = (5000,), 60, 150, 1979


def worlds():
    """Scores and the true frequency of a hit at each, before and after scaling."""
    network = load_zoo("cifar10-resnet56")
    scaling = calib.TemperatureScaling().fit(network.calibration.logits, network.calibration.y)
    after = scaling.predict_proba(network.test.logits)
    for name, prob in (("as trained", network.test.prob), ("after scaling", after)):
        score, hit = calib.top_label(network.test.y, prob)
        yield name, score, calib.BetaCalibration().fit(score, hit).predict(score)


def ece_mass(hit, score, **options):
    """ECE with 15 bins of equal mass."""
    return errors.calibration_error(hit, score, bins=calib.equal_mass(15), **options)


def true_errors(score, curve):
    """Each metric with its value for unlimited samples."""
    gap = (score - curve)[np.argsort(score, kind="stable")]
    return {
        errors.ece: np.abs(gap).mean(),
        ece_mass: np.abs(gap).mean(),
        errors.ks_error: np.abs(np.cumsum(gap)).max() / len(gap),
        scores.top1_brier: ((score - curve) ** 2 + curve * (1 - curve)).mean(),
    }


def main():
    rng = np.random.default_rng(SEED)
    rows = []
    for name, score, curve in worlds():
        for metric, truth in true_errors(score, curve).items():
            for n in SIZES:
                inside = np.zeros(2)
                for _ in range(N_TRIALS):
                    drawn = rng.integers(len(score), size=n)
                    hit = rng.uniform(size=n) < curve[drawn]
                    found = calib.bootstrap(
                        metric, hit, score[drawn], n_resamples=N_RESAMPLES, rng=rng
                    )
                    low, high = np.quantile(found.resampled, [0.025, 0.975])
                    inside += [found.low <= truth <= found.high, low <= truth <= high]
                basic, percentile = (float(share) for share in inside / N_TRIALS)
                rows.append(
                    {
                        "network": name,
                        "metric": metric.__name__,
                        "n": n,
                        "truth": float(truth),
                        "basic": basic,
                        "percentile": percentile,
                        "n_trials": N_TRIALS,
                    }
                )
                print(rows[-1], flush=True)
    write_table("interval_coverage", rows)


if __name__ == "__main__":
    main()
