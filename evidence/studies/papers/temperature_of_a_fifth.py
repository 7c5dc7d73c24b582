"""Compute temperature_of_a_fifth.csv: fitted to 20 % of the ImageNet images, measured on the rest.

`python -m evidence.studies temperature_of_a_fifth` from the root: the protocol of Minderer et al.
(2021), beside halves, for the public networks of which the five largest probabilities are known.
The mass outside them is spread evenly. `low` and `high`: 95 % basic interval, the temperature held
fixed.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import calib
from evidence import load_source, source_index
from evidence.data import generator
from evidence.rows import Row
from evidence.studies.parts.partial_temperature import N_CLASSES, PartialTemperature

SHARES = (0.2, 0.5)


def networks_with_top_five() -> list[str]:
    """The names of the networks on ImageNet with their five largest probabilities."""
    files = source_index()
    chosen = (files["dataset"] == "ImageNet") & (files["known"] == "top5")
    return files.loc[chosen & files["reader"].notna(), "name"].tolist()


def scaled(name: str, share: float) -> Iterator[Row]:
    """Yield a row before and a row after a temperature that a share of the images was left to."""
    net = load_source(name).test
    order = generator("fifth", name).permutation(len(net))
    n_fit = round(share * len(net))
    calibration, test = net.take(order[:n_fit]), net.take(order[n_fit:])
    scaling = PartialTemperature(N_CLASSES["ImageNet"]).fit(calibration)
    for calibrator, outputs in (
        ("none", test),
        ("temperature-top5", scaling.predict(test)),
    ):
        score, hit = outputs.pairs
        options: dict[str, Any] = {
            "method": "basic",
            "rng": generator("fifth", name, calibrator),
        }
        ece = calib.bootstrap(calib.ece, hit, score, **options)
        row = {"source": name, "share": share, "calibrator": calibrator, "n": len(test)}
        row |= {"temperature": scaling.temperature_, "accuracy": float(np.mean(hit))}
        yield row | {"ece": ece.value, "low": ece.low, "high": ece.high}


def rows() -> Iterator[Row]:
    """Yield the rows of all networks, split in the paper's way and in halves."""
    for name in networks_with_top_five():
        for share in SHARES:
            yield from scaled(name, share)
