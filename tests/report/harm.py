"""What a report recommends for networks that nobody saw, tried on fresh halves: gain and harm.

`PYTHONPATH=.:tests python -m tests.report.harm FOLDER [SPLITS]` reads every `NAME.npz` with `y`
and `logits` in FOLDER. A report sees a random half; its map, one temperature and nothing are judged
on the other, by NLL in nats and by accuracy. Harm is what the map loses against one temperature.
"""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd

from evidence.studies.opened import N_SPLITS, splits


def told(name, found):
    """Say what the splits of a network show."""
    harm = found["nll_report"] - found["nll_temperature"]
    lost = 100 * (found["accuracy_temperature"] - found["accuracy_report"])
    nll = found[["nll_none", "nll_report", "nll_temperature"]].mean()
    return (
        f"{name}: {dict(Counter(found['recommended']))}; mean NLL as it is {nll.iloc[0]:.4f}, "
        f"recommended {nll.iloc[1]:.4f}, temperature {nll.iloc[2]:.4f}; harm "
        f"{harm.mean():+.4f}, worst {harm.max():+.4f}; accuracy lost {lost.mean():+.2f}, "
        f"worst {lost.max():+.2f}; infinite in {np.isinf(found['nll_report']).sum()}"
    )


def main(folder, n_splits=N_SPLITS):
    worst, paths = -np.inf, sorted(Path(folder).glob("*.npz"))
    if not paths:
        raise SystemExit(f"{folder}: it holds no NAME.npz")
    for path in paths:
        with np.load(path) as arrays:
            y, logits = arrays["y"], arrays["logits"].astype(float)
        found = pd.DataFrame(splits(path.stem, y, logits, n_splits))
        worst = max(worst, (found["nll_report"] - found["nll_temperature"]).max())
        print(told(path.stem, found), flush=True)
    print(f"worst harm {worst:+.4f} nats")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
