"""What a report recommends for networks that nobody saw, tried on fresh halves: gain and harm.

`PYTHONPATH=.:tests python -m tests.report.harm FOLDER [SPLITS]` reads every `NAME.npz` with `y`
and `logits` in FOLDER. A report sees a random half; its map, one temperature and nothing are judged
on the other, by NLL in nats and by accuracy. Harm is what the map loses against one temperature.
"""

import sys
from collections import Counter
from pathlib import Path

import numpy as np

import calib
from calib_report import ModelOutputs, compare, recommend, recommended_map

N_SPLITS = 20


def halves(y, logits, rng):
    """Return the rows of a half to fit on, and of the other to judge on."""
    return np.array_split(rng.permutation(len(y)), 2)


def judged(y, p):
    with np.errstate(divide="ignore"):
        return calib.nll(y, p), calib.accuracy(y, p)


def one_split(y, logits, rng):
    """Return the recommended map's name, and NLL and accuracy of nothing, it, one temperature."""
    fit, test = halves(y, logits, rng)
    outputs = ModelOutputs(y[fit], logits=logits[fit])
    comparison = compare(outputs)[0]
    null = calib.consistency_test(
        calib.ece, y[fit], outputs.prob, n_resamples=199, rng=0
    )
    name = recommend(comparison, outputs, null.p_value)["name"]
    chosen = recommended_map(outputs, name)
    one = calib.TemperatureScaling().fit(logits[fit], y[fit])
    sides = [calib.softmax(logits[test])]
    sides += [sides[0] if chosen is None else chosen.predict_proba(logits[test])]
    sides += [one.predict_proba(logits[test])]
    return name, [judged(y[test], p) for p in sides]


def main(folder, n_splits=N_SPLITS):
    worst, paths = -np.inf, sorted(Path(folder).glob("*.npz"))
    if not paths:
        raise SystemExit(f"{folder}: it holds no NAME.npz")
    for path in paths:
        with np.load(path) as arrays:
            y, logits = arrays["y"], arrays["logits"].astype(float)
        rng = np.random.default_rng(2026)
        names, numbers = zip(
            *(one_split(y, logits, rng) for _ in range(n_splits)), strict=True
        )
        nll, accuracy = np.moveaxis(np.array(numbers), -1, 0)  # of splits, sides
        harm = nll[:, 1] - nll[:, 2]
        lost = 100 * (accuracy[:, 2] - accuracy[:, 1])
        worst = max(worst, harm.max())
        print(
            f"{path.stem}: {dict(Counter(names))}; mean NLL as it is {nll[:, 0].mean():.4f}, "
            f"recommended {nll[:, 1].mean():.4f}, temperature {nll[:, 2].mean():.4f}; harm "
            f"{harm.mean():+.4f}, worst {harm.max():+.4f}; accuracy lost {lost.mean():+.2f}, "
            f"worst {lost.max():+.2f}; infinite in {np.isinf(nll[:, 1]).sum()}",
            flush=True,
        )
    print(f"worst harm {worst:+.4f} nats")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
