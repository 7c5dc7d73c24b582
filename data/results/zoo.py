"""Compute data/results/zoo.csv: every metric of every network of the zoo under every calibrator.

`python -m data.results.zoo` from the root computes the networks that the table lacks and keeps
the others; `--all` computes all anew, which a change of `calib` asks for. A setting that lacks a
seed has no rows, since it supports no claim.
"""

import argparse
import csv
import functools

from joblib import Parallel, delayed

import calib
from book.evidence import load_zoo, zoo_index
from calib import errors

from .evaluate import FULL_METRICS, MAPS, TOP_METRICS, WHOLE, Outcome, outcome, split_pairs
from .tables import FOLDER, write_table

PATH = FOLDER / "zoo.csv"

SEEDS = 3
NOT_USED = {"ece_25", "ece_mass", "rmsce", "kde_ece", "psce", "smooth_ece", "classwise_ks"}
TACE = {f"tace_{t:g}": functools.partial(errors.tace, threshold=t) for t in (1e-3, 1e-4)}
METRICS = {
    name: metric
    for name, metric in (TOP_METRICS | FULL_METRICS | TACE).items()
    if name not in NOT_USED
}
CALIBRATORS = WHOLE | {
    "vector-no-bias": calib.VectorScaling(bias=False),
    "matrix": calib.MatrixScaling(),
}


def outcomes(net):
    """Yield calibrator and outcome; "top-spline" maps the confidence alone."""
    yield "none", Outcome(len(net.test), split_pairs(net.test), net.test.y, net.test.prob)
    score, hit = net.test.pairs
    fitted = MAPS["spline"].fit(*net.calibration.pairs)
    yield "top-spline", Outcome(len(net.test), {"top_1": (fitted.predict(score), hit)})
    for name, calibrator in CALIBRATORS.items():
        try:
            fitted = calibrator.fit(net.calibration.logits, net.calibration.y)
        except calib.ConvergenceError as error:
            print(f"{net.name} {name}: {error}", flush=True)
            continue
        prob = fitted.predict_proba(net.test.logits)
        yield name, outcome(calib.Split(net.test.y, order=net.test.order, probabilities=prob))


def cells(found):
    """Yield for each metric its name and value."""
    for view, (score, hit) in found.pairs.items():
        if view == "top_1":
            for name in TOP_METRICS.keys() & METRICS.keys():
                yield name, METRICS[name](hit, score)
        elif view in ("top_2", "within_2"):
            yield f"ks_{view}", errors.ks_error(hit, score)
    if found.prob is not None:
        for name in METRICS.keys() - TOP_METRICS.keys():
            yield name, METRICS[name](found.y, found.prob)


def measure(name: str) -> list[dict]:
    """All metrics of one network, to six digits."""
    return [
        {
            "name": name,
            "calibrator": calibrator,
            "samples": "held out",
            "n": found.n,
            "metric": metric,
            "value": f"{value:.6g}",
        }
        for calibrator, found in outcomes(load_zoo(name))
        for metric, value in sorted(cells(found))
    ]


def supported():
    """The networks of the settings with all their seeds, and those published by others, sorted."""
    index = zoo_index()
    setting = index["name"].str.replace(r"-s\d+$", "", regex=True)
    complete = setting.map(setting.value_counts()) >= SEEDS
    return sorted(index["name"][complete | index["seed"].isna()])


def main():
    parser = argparse.ArgumentParser(prog="python -m data.results.zoo", description=__doc__)
    parser.add_argument("--all", action="store_true", help="also networks that are in the table")
    parser.add_argument("--processes", type=int, default=2, help="default: 2")
    options = parser.parse_args()
    names = supported()
    done = {}
    if PATH.exists():
        for row in csv.DictReader(PATH.read_text(encoding="utf-8").splitlines()):
            done.setdefault(row["name"], []).append(row)
    missing = names if options.all else [name for name in names if name not in done]
    pool = Parallel(n_jobs=options.processes, return_as="generator")
    for name, rows in zip(missing, pool(map(delayed(measure), missing)), strict=True):
        done[name] = rows
        write_table("zoo", [row for known in names for row in done.get(known, [])])


if __name__ == "__main__":
    main()
