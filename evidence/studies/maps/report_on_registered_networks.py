"""Compute report_on_registered_networks.csv: its map against one temperature, on fresh halves.

`CALIB_OPENED=FOLDER python -m evidence.studies report_on_registered_networks` from the root. The
networks are the seven of data/forecasts/registered-files.csv, whose files lie in FOLDER,
`predictions/NAME.npz` with `y` and `logits` beside the files as published, `originals`. A report
sees a random half, twenty times each. Its map is read from the file that it writes, floor included,
and judged on the other half, as are one temperature and nothing.

`python -m evidence.studies.maps.report_on_registered_networks FOLDER [SPLITS]` does the same to
every `NAME.npz` of FOLDER, and prints what the report's map gains and harms. Harm is what it loses
against one temperature.
"""

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import calib
from calib_report import ModelOutputs, analyse
from evidence.forecasts.sealed_files import originals, read_registered, registered_files
from evidence.pieces import compute_pieces
from evidence.rows import Row

FOLDER = "CALIB_OPENED"
N_SPLITS, SEED = 20, 2026


def rows() -> Iterator[Row]:
    """Yield a row for each network and split."""
    folder = opened_folder()
    networks = registered_files().query("needs.str.contains('logits')")
    lacking = networks.index.difference(originals(folder)).tolist()
    if lacking:
        raise FileNotFoundError(
            f"{folder}/originals: {', '.join(lacking)} is not there, by the SHA-256 of "
            "data/forecasts/registered-files.csv"
        )
    yield from compute_pieces(
        "report_on_registered_networks", of_network, networks.index.tolist()
    )


def of_network(name: str) -> list[Row]:
    """Return what each random split of a network shows, from the folder of the opened files."""
    folder = opened_folder()
    arrays = read_registered(folder, name, registered_files().loc[name, "needs"])
    if arrays is None:
        raise FileNotFoundError(f"{folder}/predictions/{name}.npz is not there")
    return list(splits(name, arrays["y"], arrays["logits"].astype(float)))


def opened_folder() -> Path:
    """Return the folder of the opened files, of which none is a part of the checkout."""
    if not os.environ.get(FOLDER):
        raise FileNotFoundError(
            f"{FOLDER} names no folder: the opened files are not committed, and "
            "data/README.md says where they are from"
        )
    return Path(os.environ[FOLDER])


def splits(
    name: str, y: np.ndarray, logits: np.ndarray, n_splits: int = N_SPLITS
) -> Iterator[Row]:
    """Yield what each random split of a network shows."""
    rng = np.random.default_rng(SEED)
    for split in range(n_splits):
        fit, test = np.array_split(rng.permutation(len(y)), 2)
        yield {"network": name, "split": split, **on_fresh_half(y, logits, fit, test)}


def on_fresh_half(
    y: np.ndarray, logits: np.ndarray, fit: np.ndarray, test: np.ndarray
) -> Row:
    """Return the map recommended to those who see `fit`, and the losses of all on `test`."""
    report = analyse(ModelOutputs(y[fit], logits=logits[fit]))
    one = calib.TemperatureScaling().fit(logits[fit], y[fit])
    before = calib.softmax(logits[test])
    saved = None if report.map_file is None else read_back(report.map_file)
    predictions = {
        "none": before,
        "temperature": one.predict_proba(logits[test]),
        "report": before if saved is None else saved.predict_proba(logits[test]),
    }
    row: Row = {"n_fit": len(fit), "n_test": len(test)}
    row["recommended"] = report.numbers["recommended"]["name"]
    for side, p in predictions.items():
        row |= {f"nll_{side}": nll(y[test], p)}
        row |= {f"accuracy_{side}": calib.accuracy(y[test], p)}
    return row


def nll(y: np.ndarray, p: np.ndarray) -> float:
    """Return the NLL, infinite where a label has the probability zero."""
    with np.errstate(divide="ignore"):
        return calib.nll(y, p)


def read_back(content: bytes) -> Any:
    """Return a map as its file has it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "map.json")
        path.write_bytes(content)
        return calib.load_map(path)


def print_harm(folder: str, n_splits: int = N_SPLITS) -> None:
    """Print what the splits of each network of a folder show, and the worst harm of all."""
    worst, paths = -np.inf, sorted(Path(folder).glob("*.npz"))
    if not paths:
        raise SystemExit(f"{folder}: it holds no NAME.npz")
    for path in paths:
        with np.load(path) as arrays:
            y, logits = arrays["y"], arrays["logits"].astype(float)
        table = pd.DataFrame(splits(path.stem, y, logits, n_splits))
        worst = max(worst, float(harm_of(table).max()))
        print(splits_in_words(path.stem, table), flush=True)
    print(f"worst harm {worst:+.4f} nats")


def harm_of(table: pd.DataFrame) -> pd.Series:
    """Return by how much the NLL of the report's map is above that of one temperature."""
    return table["nll_report"] - table["nll_temperature"]


def splits_in_words(name: str, table: pd.DataFrame) -> str:
    """Say what the splits of a network show."""
    harm = harm_of(table)
    lost = 100 * (table["accuracy_temperature"] - table["accuracy_report"])
    nll = table[["nll_none", "nll_report", "nll_temperature"]].mean()
    return (
        f"{name}: {dict(Counter(table['recommended']))}; mean NLL as it is {nll.iloc[0]:.4f}, "
        f"recommended {nll.iloc[1]:.4f}, temperature {nll.iloc[2]:.4f}; harm "
        f"{harm.mean():+.4f}, worst {harm.max():+.4f}; accuracy lost {lost.mean():+.2f}, "
        f"worst {lost.max():+.2f}; infinite in {np.isinf(table['nll_report']).sum()}"
    )


if __name__ == "__main__":
    print_harm(sys.argv[1], *map(int, sys.argv[2:]))
