"""Apply a saved map to new outputs, and write them as they came."""

import io
import json
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import kolmogorov

import calib
from calib_report.contract import NOTED
from calib_report.formats import as_written, ending_of, extra, load
from calib_report.measure import ENDS, confidences
from calib_report.table import in_set, naming, read_new
from calib_report.words import percent
from calib_report.writing import output_path, refuse_places, write_together

TABLES = (".csv", ".tsv", ".parquet")
MOVED = 0.05  # a difference of two distributions of the confidence from which it is told
SAYS_LOGITS = re.compile(r"^(log_?prob(s|abilities|ability)?|log_?likelihoods?|logits?|z)(?![a-z])")


@dataclass(frozen=True)
class Confidences:
    """The mean confidence of samples, and how many lie in each range."""

    mean: float
    counts: np.ndarray

    @classmethod
    def of(cls, p: np.ndarray) -> "Confidences":
        """Return those of probabilities, (n, K)."""
        numbers = confidences(p)
        return cls(numbers["mean"], np.array(numbers["counts"]))

    @classmethod
    def saved(cls, numbers: dict[str, Any], path: Any) -> "Confidences":
        """Return those that a file of a map holds, of which `load_map` has checked the rest."""
        if len(numbers["counts"]) != len(ENDS):
            raise ValueError(f"{path}: confidences: expected {len(ENDS)} counts")
        return cls(float(numbers["mean"]), np.array(numbers["counts"]))


@dataclass(frozen=True)
class SavedMap:
    """A fitted map, and what its file says of it."""

    fitted: Any
    kind: str
    floor: float
    classes: list[str] | None
    confidences: Confidences | None

    @classmethod
    def load(cls, path: Any) -> "SavedMap":
        """Load a map that predicts probabilities; all that is used of its file is checked."""
        fitted, about = saved_map(path)
        if not hasattr(fitted, "predict_proba"):
            name = type(fitted).__name__
            raise ValueError(f"{path}: {name} maps one score, and predicts no probabilities")
        seen = None
        if "confidences" in about:
            seen = Confidences.saved(about["confidences"], path)
        return cls(fitted, about["kind"], about["floor"], about["classes"], seen)


def saved_map(path: Any) -> tuple[Any, dict[str, Any]]:
    fitted = calib.load_map(path)
    return fitted, json.loads(Path(path).read_text("utf-8"))


def moved(old: Confidences, new: Confidences) -> list[str]:
    """Say where new confidences are not those that a map was fitted on: Kolmogorov and Smirnov."""
    n, m = old.counts.sum(), new.counts.sum()
    shares = np.cumsum(old.counts) / n - np.cumsum(new.counts) / m
    distance = float(np.abs(shares).max())
    p_value = float(kolmogorov(distance * np.sqrt(n * m / (n + m))))
    if distance < MOVED or p_value > 0.01:
        return []
    means = {"new": percent(new.mean), "old": percent(old.mean)}
    return [NOTED["moved"].format(distance=distance, p=p_value, **means)]


def apply_map(map_path: Any, path: Any, output: Any, **reading: Any) -> list[str]:
    """Apply a saved map to a model's outputs and write probabilities in their place.

    What else the file holds, such as labels and names of samples, stays as it is: before and after
    can be compared; a calibration set is left out. Of one column of scores, the probability of the
    second class takes its place. The output is npz or, of a table, one of its format. `reading`
    holds options of :func:`calib_report.read`; labels are not needed.

    Returned is what one should know: that the confidences are not those that the map was fitted on.
    An error says that a file is not what it should be, or that the map was fitted on something
    else: logits or probabilities, the number of classes, their names. Nothing is written then.
    """
    endings = {".npz", ending_of(path)} & {".npz", *TABLES}
    output = output_path(output, *sorted(endings))
    refuse_places([output], inputs=[map_path, path])
    saved = SavedMap.load(map_path)
    kind, scores, classes, columns = read_new(path, classes=saved.classes, **reading)
    with naming(path):
        p = probabilities_after(saved, kind, scores)
        write_together({output: _written(path, output, p, columns, saved.classes or classes)})
    if saved.confidences is None:
        return []
    before = calib.softmax(scores) if kind == "logits" else scores
    return moved(saved.confidences, Confidences.of(before))


def probabilities_after(saved: SavedMap, kind: str, scores: np.ndarray) -> np.ndarray:
    """Return what a map makes of logits or probabilities, of what it was fitted on alone."""
    if kind != saved.kind:
        raise ValueError(f"it holds {kind}, and the map was fitted on {saved.kind}")
    k, expected = scores.shape[1], len(saved.fitted.classes_)
    if k != expected:
        raise ValueError(f"{k} classes, and the map has {expected}")
    logits = scores if kind == "logits" else calib.as_logits(scores, floor=saved.floor)
    p: np.ndarray = saved.fitted.predict_proba(logits)
    return p


def _written(path: Any, output: Any, p: np.ndarray, columns: list[Any], classes: Any) -> bytes:
    """Return the bytes of a file of outputs with probabilities in the place of the scores."""
    content = io.BytesIO()
    if (ending := ending_of(output)) == ".parquet":
        extra("pyarrow", "parquet files")
        _with_columns(as_written(path), columns, p).to_parquet(content)
        return content.getvalue()
    if ending != ".npz":
        table = _with_columns(as_written(path), columns, p)
        return table.to_csv(index=False, sep="\t" if ending == ".tsv" else ",").encode()
    return _npz(load(path).named, columns, p, classes)


def _npz(arrays: dict[str, np.ndarray], columns: list[str], p: np.ndarray, classes: Any) -> bytes:
    """Return an npz of the arrays, without a calibration set, probabilities for the scores."""
    column = columns[0]
    _, name = in_set(column)
    place = column.replace(name, "probabilities") if name != column else "probabilities"
    if place in arrays and place not in columns:
        raise ValueError(f"an array is named {place!r} already, as the probabilities would be")
    content = io.BytesIO()
    results = {n: a for n, a in arrays.items() if n not in columns and in_set(n)[0] != "held"}
    results[place] = p
    if classes and "classes" not in results:
        results["classes"] = np.array(classes)
    with zipfile.ZipFile(content, "w") as archive:  # numpy's own holds the time
        for name, array in results.items():
            buffer = io.BytesIO()
            np.save(buffer, array)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), buffer.getvalue())
    return content.getvalue()


def _with_columns(frame: Any, columns: list[Any], p: np.ndarray) -> Any:
    """Return a table with the probabilities where the scores stood."""
    one = len(columns) == 1
    in_lists = one and isinstance(frame[columns[0]].iloc[0], list | tuple | np.ndarray)
    values = [p.tolist()] if in_lists else [p[:, 1]] if one else list(p.T)
    new = [SAYS_LOGITS.sub("probability", name) for name in columns]
    taken = set(new) & (set(frame.columns) - set(columns))
    if taken or len(set(new)) < len(new):
        raise ValueError(f"a column is named {new[0]!r} already, as the probabilities would be")
    for name, column in zip(columns, values, strict=True):
        frame[name] = column
    return frame.rename(columns=dict(zip(columns, new, strict=True)))
