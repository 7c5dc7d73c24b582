"""Read the predictions of networks, and measure them: one number a row, or one network a row.

What cannot be measured of a network, since a class is absent or no map fits, is left empty with a
note. Maps see one random half of the samples, metrics the other.

`forecasts.sealed_files` measures the networks of the first list with the same maps, views and
metrics, and stops where one of them fails; that list was sealed with what it finds.
"""

import warnings
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd

import calib
import calib_report
from evidence.claims.frames import NOT_PERCENT
from evidence.constants import FLOOR
from evidence.forecasts import sealed_files
from evidence.forecasts.sealed_files import Number
from evidence.forecasts.second.registered import FramesWithNotes, registered_files

FEWEST = 100  # samples of a network
N_CALIBRATED = 50  # samples of a calibrated network
MOST_LEFT_OUT = 0.01  # of the samples; beyond it a network is not used
KEYS = ["dataset", "case", "model", "family", "author"]
ORDERED = {
    "Temperature scaling",
    "Vector scaling",
    "Isotonic regression",
    "Histogram binning",
}
ERRORS = (
    ValueError,
    ArithmeticError,
    LookupError,
    TypeError,
    RuntimeError,
    np.linalg.LinAlgError,
)
Map = Callable[[np.ndarray], np.ndarray]  # of logits to probabilities
View = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
Result = TypeVar("Result")


@dataclass(frozen=True)
class Network:
    """Labels and logits of a whole test set, and how many samples are left out."""

    y: np.ndarray  # shape (n,)
    logits: np.ndarray  # shape (n, K)
    left_out: int = 0

    @property
    def halves(self) -> tuple[np.ndarray, np.ndarray]:
        """The samples that maps see, and those that are measured: one random half each."""
        order = np.random.default_rng(sealed_files.SEED).permutation(len(self.y))
        seen, measured = np.array_split(order, 2)
        return seen, measured


def read_networks(folder: Path | str) -> FramesWithNotes:
    """Return the frames of the networks that are there, and notes of what could not be used."""
    rows, notes = [], []
    for about in registered_files().query("needs.str.startswith('y')").itertuples():
        path = Path(folder) / "networks" / f"{about.Index}.npz"
        if not path.is_file():
            continue
        try:
            network = read_network(path)
        except ValueError as error:
            notes.append(f"{path.name}: {error}")
            continue
        if network.left_out:
            notes.append(
                f"{path.name}: {network.left_out} samples without numbers are left out"
            )
        measured = measure(network)
        notes += [f"{path.name}: {reason}" for reason in measured.reasons]
        rows.append(with_names(measured.rows(), about))
    return FramesWithNotes(
        frames_of(pd.concat(rows, ignore_index=True)) if rows else {}, tuple(notes)
    )


def read_network(path: Path) -> Network:
    """Return the `Network` of a file; a ValueError says why it is none."""
    try:
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
    except (OSError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"not a file of numpy: {error}") from None
    if "y" not in arrays or not {"logits", "probabilities"} & set(arrays):
        raise ValueError(
            f"y and logits, or probabilities, are needed; it has {', '.join(arrays)}"
        )
    return network_of(arrays["y"], arrays.get("logits"), arrays.get("probabilities"))


def network_of(
    y: np.ndarray,
    logits: np.ndarray | None = None,
    probabilities: np.ndarray | None = None,
) -> Network:
    """Return a `Network` of arrays, without the samples that hold no number or no class.

    Examples
    --------
    >>> p = np.full((200, 2), 0.5)
    >>> p[0] = np.nan
    >>> network_of(np.zeros(200), probabilities=p).left_out
    1
    """
    if logits is None:
        scores = np.asarray(probabilities, float)
        if (
            np.nanmin(scores, initial=0.0) < 0
            or np.nanmax(scores, initial=0.0) > 1 + 1e-3
        ):
            raise ValueError("probabilities: some are below zero or above one")
        logits = np.log(np.maximum(scores, FLOOR))
    y, logits = np.asarray(y, float), np.asarray(logits, float)
    if logits.ndim != 2 or logits.shape[1] < 2 or y.shape != logits.shape[:1]:
        raise ValueError(
            f"y of shape {y.shape} and scores of shape {logits.shape} do not go along"
        )
    with np.errstate(invalid="ignore"):
        label = (y == np.floor(y)) & (y >= 0) & (y < logits.shape[1])
    usable = label & np.isfinite(logits).all(axis=1)
    left_out = int((~usable).sum())
    if usable.sum() < FEWEST or left_out > MOST_LEFT_OUT * len(y):
        raise ValueError(f"{left_out} of {len(y)} samples have no numbers or no class")
    return Network(y[usable].astype(int), logits[usable], left_out)


@dataclass
class Measured:
    """Numbers of a network, and why others are lacking."""

    numbers: list[Number] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)

    def attempt(
        self, what: str, method: str, compute: Callable[[], Result]
    ) -> Result | None:
        """Return what `compute` returns, or None with a reason where it cannot."""
        try:
            return compute()
        except ERRORS as error:
            self.reasons.append(f"{what} of {method}: {error}")
            return None

    def record(self, metric: str, method: str, value: float) -> None:
        """Add a number that is known."""
        self.numbers.append(Number(metric, method, value))

    def add(
        self,
        metric: str,
        method: str,
        compute: Callable[[], float],
        factor: float = 1.0,
    ) -> None:
        """Add a number, empty where it cannot be measured."""
        value = self.attempt(metric, method, compute)
        value = np.nan if value is None else factor * float(value)
        self.record(metric, method, value)

    def add_rows(
        self, what: str, method: str, compute: Callable[[], list[Number]]
    ) -> None:
        """Add the rows that a function returns: metric, method, value."""
        self.numbers += self.attempt(what, method, compute) or []

    def rows(self) -> pd.DataFrame:
        """Return the numbers as a table."""
        return pd.DataFrame(self.numbers, columns=Number._fields)


def measure(network: Network) -> Measured:
    """Return all that is measured of a network."""
    measured = Measured()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # of what is lacking the reasons tell
        add_vectors(network, measured)
        add_views(network, measured)
        add_spread_over_bins(network, measured)
        fit, test = network.halves
        measured.add_rows(
            "sets",
            "adaptive",
            partial(sealed_files.numbers_of_sets, network.logits, network.y, fit, test),
        )
    measured.record("n", "", len(network.halves[1]))
    return measured


def probabilities_after_maps(
    network: Network, measured: Measured
) -> dict[str, np.ndarray]:
    """Return the probabilities of the measured half before and after each map."""
    fit, test = network.halves
    y, logits, rest = network.y[fit], network.logits[fit], network.logits[test]
    maps: dict[str, Map | None] = {"Uncalibrated": calib.softmax}
    maps["Report"] = measured.attempt("fit", "Report", partial(recommended, y, logits))
    for method, calibrator in sealed_files.MAPS_OF_LOGITS.items():
        fitted_map = measured.attempt("fit", method, partial(calibrator.fit, logits, y))
        maps[method] = fitted_map.predict_proba if fitted_map else None
        if method == "Temperature scaling" and fitted_map:
            measured.record("Temperature", method, float(fitted_map.temperature_))
    after = {
        method: measured.attempt("map", method, partial(apply, rest))
        for method, apply in maps.items()
        if apply is not None
    }
    return {method: p for method, p in after.items() if p is not None}


def recommended(y: np.ndarray, logits: np.ndarray) -> Map:
    """Return what the report on this half recommends: logits in, probabilities out."""
    outputs = calib_report.ModelOutputs(y, logits=logits)
    table, _ = calib_report.compare_maps(outputs)
    name = calib_report.recommend(table, outputs)["name"]
    chosen = calib_report.fitted_map(outputs, name)
    return chosen.predict_proba if chosen else calib.softmax


def add_vectors(network: Network, measured: Measured) -> None:
    """Add the metrics of whole vectors and of the first choice, before and after each map."""
    y = network.y[network.halves[1]]
    for method, p in probabilities_after_maps(network, measured).items():
        for name, metric in sealed_files.MEASURES.items():
            factor = 1 if name in NOT_PERCENT else 100
            measured.add(name, method, partial(metric, y, p), factor)
        score, hit = calib.top_label(y, p)
        for name, metric in sealed_files.OF_PAIRS.items():
            measured.add(name, method, partial(metric, hit, score), 100)
        for name, view in sealed_files.VIEWS.items():
            measured.add(f"KS{name}", method, partial(ks_of_view, view, y, p), 100)
        measured.add(
            "TACE 0.0001", method, partial(calib.tace, y, p, threshold=1e-4), 100
        )
    add_changes_of_order(measured)


def ks_of_view(view: View, y: np.ndarray, p: np.ndarray) -> float:
    """Return the KS error of a view of vectors."""
    score, hit = view(y, p)
    return calib.ks_error(hit, score)


def add_changes_of_order(measured: Measured) -> None:
    """Add what the ledger's four maps change of the AURC, in percent of it."""
    aurc = {method: value for name, method, value in measured.numbers if name == "AURC"}
    before = aurc["Uncalibrated"] or np.nan  # of a network that never errs
    for method in sorted(ORDERED & set(aurc)):
        change = 100 * (aurc[method] / before - 1)
        measured.record(f"Change of AURC by {method}", "every map", change)


def add_views(network: Network, measured: Measured) -> None:
    """Add the metrics of splines that map one score: of the first choice, the second and others."""
    fit, test = network.halves
    p = calib.softmax(network.logits)
    for choice, view in sealed_files.VIEWS.items():
        pairs = measured.attempt(
            "view", choice.strip() or "top-1", partial(view, network.y, p)
        )
        if pairs is None:
            continue
        score, hit = pairs
        after = measured.attempt(
            "fit", "Spline", partial(splined, score[fit], hit[fit], score[test])
        )
        if after is None:
            continue
        for name, metric in sealed_files.OF_PAIRS.items():
            measured.add(
                name + choice, "Spline", partial(metric, hit[test], after), 100
            )


def splined(score: np.ndarray, hit: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Return what a spline fitted to scores and hits makes of new scores."""
    return calib.SplineCalibration(floor=0).fit(score, hit).predict(new)


def add_spread_over_bins(network: Network, measured: Measured) -> None:
    """Add how the ECE comes about, and how bins alone change that of a calibrated network."""
    test = network.halves[1]
    logits = network.logits[test]
    score, hit = calib.top_label(network.y[test], calib.softmax(logits))
    predicted = logits.argmax(axis=1)
    measured.add_rows(
        "details",
        "Uncalibrated",
        partial(sealed_files.numbers_of_ece, score, hit, predicted),
    )
    rng = np.random.default_rng(sealed_files.SEED)
    calibrated = [rng.random(len(score)) < score for _ in range(N_CALIBRATED)]
    measured.add(
        "ece_range by chance",
        "Uncalibrated",
        partial(mean_range, score, calibrated),
        100,
    )


def mean_range(score: np.ndarray, hits: list[np.ndarray]) -> float:
    """Return the mean range of the ECE over numbers of bins, over several samples of hits."""
    ranges = [
        np.ptp([calib.ece(hit, score, n_bins=n) for n in range(5, 55, 5)])
        for hit in hits
    ]
    return np.mean(ranges)


def with_names(rows: pd.DataFrame, about: Any) -> pd.DataFrame:
    """Return measured rows with the network's names, and its number of samples."""
    n = rows.loc[rows["metric"] == "n", "value"].iloc[0]
    rows = rows[rows["metric"] != "n"]
    family = about.model.partition("-")[0]
    names = {"dataset": about.dataset, "case": about.model, "model": about.model}
    names |= {"family": family, "author": about.evidence, "kin": about.model}
    temperature = rows.loc[rows["metric"] == "Temperature", "value"]
    hot = bool((temperature > 1).any())
    return rows.assign(**names, n=n, hot=hot, evidence=about.evidence)


def frames_of(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the frames of networks: the fourteen and the ensembles, long and wide."""
    frames: dict[str, pd.DataFrame] = {}
    groups = dict(list(rows.groupby("evidence")))
    for evidence, numbers, table in (
        ("fourteen networks", "networks", "network table"),
        ("sampled ensemble", "ensembles", "ensemble table"),
    ):
        if evidence in groups:
            frames |= {
                numbers: groups[evidence],
                table: one_row_a_network(groups[evidence]),
            }
    if {"network table", "ensemble table"} <= set(frames):
        medians = frames["network table"].median(numeric_only=True)
        ensembles = frames["ensemble table"]
        beside = pd.DataFrame(
            [medians.add_prefix("fourteen: ")] * len(ensembles), index=ensembles.index
        )
        frames["ensemble table"] = pd.concat([ensembles, beside], axis=1)
    return frames


def one_row_a_network(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one row a network, with a column for each metric and method."""
    cells = rows.assign(cell=rows["metric"] + " " + rows["method"])
    table = cells.pivot_table(index=KEYS, columns="cell", values="value", dropna=False)
    return table.dropna(how="all").reset_index()
