"""Read the sealed files, and turn them into frames: one number a row, or one network a row.

The files of the second list are measured by `second.network_frames`. It takes the maps, views and
metrics from here, and where one of them fails it leaves a number empty; here what fails stops the
reader. Both stand, since each list of forecasts was sealed with what its own reader finds.
"""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import chi2

import calib
import calib_report
from evidence.claims.frames import METRIC_NAMES, NOT_PERCENT, read_table


class Number(NamedTuple):
    """One number of a network, a row of a frame."""

    metric: str
    method: str
    value: float


SEED = 2021
LEVEL = 0.9  # what prediction sets are to cover, the default of `ConformalSets`
# what is varied in each table of answers
VARIED = {"stated": "wording", "kinds": "kind"}
MAPS_OF_LOGITS: dict[str, Any] = {
    "Temperature scaling": calib.TemperatureScaling(),
    "Vector scaling": calib.VectorScaling(),
    "Vector scaling (no bias)": calib.VectorScaling(bias=False),
    "Matrix scaling": calib.MatrixScaling(),
    "MS-ODIR": calib.MatrixScaling(lam=10, mu=1e-2),
    "Dir-ODIR": calib.DirichletCalibration(lam=10, mu=1e-2),
    "Histogram binning": calib.OneVsRest(calib.HistogramBinning(n_bins=20)),
    "Isotonic regression": calib.OneVsRest(calib.IsotonicCalibration()),
    "BBQ": calib.OneVsRest(calib.BBQ()),
    "Spline (all ranks)": calib.RankWise(calib.SplineCalibration(floor=0)),
}
MEASURES: dict[str, Callable[..., float]] = {
    name: getattr(calib, key)
    for key, name in METRIC_NAMES.items()
    if hasattr(calib, key)
}
OF_PAIRS: dict[str, Callable[..., float]] = {
    "Accuracy": MEASURES["Accuracy"],
    "ECE": MEASURES["ECE"],
    "KS": MEASURES["KS"],
    "Confidence": lambda hit, score: float(np.mean(score)),
    "ECE (25 bins)": lambda hit, score: calib.ece(hit, score, n_bins=25),
    "ECE by chance": lambda hit, score: calib.error_if_calibrated(score),
    "AURC": calib.aurc,
}
VIEWS: dict[str, Callable[..., tuple[np.ndarray, np.ndarray]]] = {
    "": calib.top_label,
    " top-2": calib.top_r(2),
    " top-3": calib.top_r(3),
}
VIEWS[" within-top-2"] = calib.within_top_r(2)


def registered_files() -> pd.DataFrame:
    """Return the sealed files: name, data set, model, beginning of the SHA-256, what they need."""
    return read_table("forecasts/registered-files.csv").fillna("").set_index("name")


def read_registered(folder: Path | str, name: str, needs: str) -> Any:
    """Return a network's arrays, or a table; None if it is not there."""
    path = Path(folder) / (
        f"predictions/{name}.npz" if "logits" in needs else f"{name}.csv"
    )
    if not path.is_file():
        return None
    content = dict(np.load(path)) if path.suffix == ".npz" else pd.read_csv(path)
    lacking = [name for name in needs.split() if name not in content]
    if lacking:
        raise ValueError(
            f"{path.name}: {lacking[0]!r} is not there; it has {', '.join(content)}"
        )
    return content


def originals(folder: Path | str) -> list[str]:
    """Return which sealed files lie in ``originals``, whatever their names, by their SHA-256."""
    files = filter(Path.is_file, Path(folder, "originals").glob("**/*"))
    there = [hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in files]
    return registered_files().index[registered_files()["sha256"].isin(there)].tolist()


def frames(folder: Path | str) -> dict[str, pd.DataFrame]:
    """Return the frames that forecasts are judged on; a file that is not there makes none."""
    tables: dict[str, pd.DataFrame] = {}
    networks: list[pd.DataFrame] = []
    for row in registered_files().itertuples():
        content = read_registered(folder, row.Index, row.needs)
        if content is None:
            continue
        if row.Index == "classifiers":
            tables |= frames_of_classifiers(content)
        elif row.Index in VARIED:
            tables |= frames_of_models(row.Index, content)
        else:
            about = {"dataset": row.dataset, "model": row.model, "case": row.Index}
            networks.append(measure_network(content).assign(**about))
    if networks:
        rows = pd.concat(networks, ignore_index=True)
        cells = rows.assign(cell=rows["metric"] + " " + rows["method"])
        cells = cells.pivot(
            index=["dataset", "case", "model"], columns="cell", values="value"
        )
        tables |= {"networks": rows, "files": cells.reset_index()}
    return tables


def measure_network(arrays: dict[str, np.ndarray]) -> pd.DataFrame:
    """Return all that is measured of a network: maps see one random half, metrics the other."""
    logits, y = np.asarray(arrays["logits"], float), np.asarray(arrays["y"], int)
    fit, test = np.array_split(np.random.default_rng(SEED).permutation(len(y)), 2)
    maps = fitted_maps(logits[fit], y[fit])
    before = calib.softmax(logits)
    rows = numbers_of_vectors(y[test], before[test], "Uncalibrated")
    for method, fitted in maps.items():
        after = fitted.predict_proba(logits) if fitted else before
        rows += numbers_of_vectors(y[test], after[test], method)
    rows += changes_of_order(rows)
    rows += numbers_after_splines(before, y, fit, test)
    predicted = logits[test].argmax(axis=1)
    rows += numbers_of_ece(*calib.top_label(y[test], before[test]), predicted)
    rows += numbers_of_sets(logits, y, fit, test)
    temperature = maps["Temperature scaling"].temperature_
    rows += [Number("Temperature", "Temperature scaling", temperature)]
    if "train_y" in arrays:
        training = calib.softmax(arrays["train_logits"])
        rows += numbers_of_vectors(arrays["train_y"], training, "Training")
    numbers = pd.DataFrame(rows, columns=Number._fields)
    return numbers.assign(hot=temperature > 1)


def fitted_maps(logits: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    """Return the map that the report recommends, None if it is none, and those that have a fit."""
    outputs = calib_report.ModelOutputs(y, logits=logits)
    table, _ = calib_report.compare_maps(outputs)
    name = calib_report.recommend(table, outputs)["name"]
    maps = {"Report": calib_report.fitted_map(outputs, name)}
    for method, calibrator in MAPS_OF_LOGITS.items():
        with suppress(calib.ConvergenceError):
            maps[method] = calibrator.fit(logits, y)
    return maps


def changes_of_order(rows: list[Number]) -> list[Number]:
    """Return the change of the AURC by each map, in percent of the AURC before it."""
    aurc = {method: value for name, method, value in rows if name == "AURC"}
    # a network that never errs has an AURC of zero, and no change of it
    first = aurc["Uncalibrated"] or np.nan
    return [
        Number(f"Change of AURC by {method}", "every map", 100 * (value / first - 1))
        for method, value in aurc.items()
    ]


def numbers_after_splines(
    p: np.ndarray, y: np.ndarray, fit: np.ndarray, test: np.ndarray
) -> list[Number]:
    """Return the metrics of each view after a spline that is fitted to it."""
    rows = []
    for choice, view in VIEWS.items():
        score, hit = view(y, p)
        spline = calib.SplineCalibration(floor=0).fit(score[fit], hit[fit])
        after = spline.predict(score[test])
        rows += [
            Number(name + choice, "Spline", 100 * metric(hit[test], after))
            for name, metric in OF_PAIRS.items()
        ]
    return rows


def numbers_of_vectors(y: np.ndarray, p: np.ndarray, method: str) -> list[Number]:
    """Return the metrics of some probabilities."""
    score, hit = calib.top_label(y, p)
    with np.errstate(divide="ignore"):
        values = {name: metric(y, p) for name, metric in MEASURES.items()}
    values |= {name: metric(hit, score) for name, metric in OF_PAIRS.items()}
    values |= {
        f"KS{of}": calib.ks_error(*view(y, p)[::-1]) for of, view in VIEWS.items()
    }
    values["TACE 0.0001"] = calib.tace(y, p, threshold=1e-4)
    return [
        Number(name, method, value if name in NOT_PERCENT else 100 * value)
        for name, value in values.items()
    ]


def numbers_of_ece(
    score: np.ndarray, hit: np.ndarray, predicted: np.ndarray
) -> list[Number]:
    """Return how the ECE comes about: the range over bins, the two heaviest, the classes' gaps."""
    bins = calib.equal_width(15)(score, hit)
    gaps = np.sort(np.abs(bins.hit_sum - bins.score_sum))
    over = [100 * calib.ece(hit, score, n_bins=n) for n in range(5, 55, 5)]
    spread = np.ptp(over)
    values = {
        "two_heaviest_bins": gaps[-2:].sum() / gaps.sum(),
        "ece_range": spread,
        "ece_relative_range": spread / over[2],  # of 15 bins
        "class_gap_p": p_of_class_gaps(score, hit, predicted),
    }
    return [Number(name, "Uncalibrated", value) for name, value in values.items()]


def p_of_class_gaps(score: np.ndarray, hit: np.ndarray, predicted: np.ndarray) -> float:
    """Return the p-value of Cochran's Q: the gaps of the predicted classes are all alike."""
    n = np.bincount(predicted)
    enough = n >= 20  # a class predicted less often has no gap to speak of
    gap = np.bincount(predicted, score - hit)[enough] / n[enough]
    # one hit and one error more: a class that is never wrong has a variance too
    share = (np.bincount(predicted, hit)[enough] + 1) / (n[enough] + 2)
    weight = n[enough] / (share * (1 - share))
    q = (weight * (gap - np.average(gap, weights=weight)) ** 2).sum()
    return chi2.sf(q, len(gap) - 1)


def numbers_of_sets(
    logits: np.ndarray, y: np.ndarray, fit: np.ndarray, test: np.ndarray
) -> list[Number]:
    """Return size and class coverage of sets: half of `fit` for the temperature, half for them."""
    first, second = np.array_split(fit, 2)
    scaling = calib.TemperatureScaling().fit(logits[first], y[first])
    rows: list[Number] = []
    for key, proba in (("none", calib.softmax), ("temperature", scaling.predict_proba)):
        for score in ("lac", "aps", "raps"):
            rng = np.random.default_rng(SEED)
            conformal = calib.ConformalSets(score, randomize=score != "lac")
            conformal = conformal.fit(proba(logits[second]), y[second], rng=rng)
            chosen = conformal.predict(proba(logits[test]), rng=rng)
            covered = pd.Series(chosen[np.arange(len(test)), y[test]])
            of_classes = covered.groupby(y[test]).mean()
            gap = 100 * (of_classes - LEVEL).abs().mean()
            rows.append(Number("Size", f"{score}, {key}", chosen.sum(axis=1).mean()))
            rows.append(Number("Class gap", f"{score}, {key}", gap))
    return rows


def frames_of_classifiers(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the table of ImageNet networks as it is, and with one number a row."""
    table = table.drop_duplicates("model").dropna(
        subset=["ece_15_before", "ece_15_after"]
    )
    about = {"dataset": "ImageNet", "author": "the table", "kin": table["family"]}
    table = table.assign(case=table["model"], **about)
    table["siblings"] = table["family"] + ", " + table["training"]
    table["log_parameters"] = np.log10(table["parameters"])
    table["accuracy"] = table["accuracy_before"]
    table["error"] = 100 - table["accuracy_before"]
    spread = np.ptp(table[[f"ece_{n}_before" for n in (10, 15, 30, 50)]], axis=1)
    ways = {"_before": "Uncalibrated", "_after": "Temperature scaling"}
    printed = {"accuracy": "Accuracy", "confidence": "Confidence", "ece_15": "ECE"}
    cells = {
        (new, way): table[k + w]
        for k, new in printed.items()
        for w, way in ways.items()
    }
    cells["ece_range", "Uncalibrated"] = spread
    cells["ece_relative_range", "Uncalibrated"] = spread / table["ece_15_before"]
    parts = [
        table.assign(metric=k, method=way, value=x) for (k, way), x in cells.items()
    ]
    return {
        "classifiers": table,
        "classifiers by metric": pd.concat(parts, ignore_index=True),
    }


def numbers_of_answers(answers: pd.DataFrame) -> dict[str, float]:
    """Return what a model's answers and their confidence say, those without either left out."""
    answered = answers.dropna(subset=["correct", "confidence"])
    hit = answered["correct"].to_numpy(int)
    score = answered["confidence"].to_numpy(float)
    ece = calib.bootstrap(
        calib.ece, hit, score, method="basic", n_resamples=200, rng=SEED
    )
    return {name: 100 * metric(hit, score) for name, metric in OF_PAIRS.items()} | {
        "AUROC": 0.5 + 0.5 * np.sign(score[hit == 1, None] - score[hit == 0]).mean(),
        "ECE, lower end": 100 * ece.low,
        "Error": 100 * (1 - hit.mean()),
        "Error of the surest half": 100 * calib.risk_coverage(hit, score).risk_at(0.5),
        "Answered": 100 * len(answered) / len(answers),
        "Round": 100 * np.mean(np.abs(20 * score - np.round(20 * score)) < 1e-6),
        "Sure": 100 * np.mean(score >= 0.9),
        "Levels": len(np.unique(score)),
    }


def frames_of_models(name: str, answers: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the numbers as a table, with one number a row, and with one model a row."""
    varied = VARIED[name]
    if name == "kinds":
        keys = ["model", "family", "question", "repeat", "correct"]
        answers = answers.melt(keys, ["stated", "token", "vote"], varied, "confidence")
    else:
        turns = dict(zip(answers["wording"].unique(), ("first", "second"), strict=True))
        answers = answers.assign(wording=answers["wording"].map(turns), repeat=0)
    keys = ["model", "family", varied]
    groups = answers.groupby([*keys, "repeat"], sort=False)
    # a kind of confidence may be missing for a model; such a group has no numbers
    groups = [(k, group) for k, group in groups if group["confidence"].notna().any()]
    rows = [
        dict(zip(keys, k, strict=False)) | numbers_of_answers(group)
        for k, group in groups
    ]
    table = pd.DataFrame(rows).groupby(keys, sort=False).mean().reset_index()
    rows = table.melt(keys, var_name="metric").rename(
        columns={varied: "level", "family": "kin"}
    )
    rows = rows.assign(dataset="questions", case=rows["model"], method=name)
    wide = table.drop(columns="family").set_index(["model", varied]).unstack()
    wide.columns = [" ".join(column) for column in wide.columns]
    return {
        name: table,
        f"{name} by metric": rows,
        f"{name} by model": wide.reset_index(),
    }
