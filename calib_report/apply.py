"""Apply a saved map to new outputs, and write them as they came."""

import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import expit, kolmogorov

import calib
from calib_report.asked import read_priors
from calib_report.formats import as_written, ending_of, extra, load
from calib_report.table import in_set, read_new
from calib_report.words import percent
from calib_report.writing import output_path, refuse_places, write_together

TABLES = (".csv", ".tsv", ".parquet", ".feather")
FORMATS = (".npz", ".npy", *TABLES, ".json", ".jsonl", ".safetensors")
ENDS = np.append(expit(np.arange(-4, 16.25, 0.25)), np.inf)  # of ranges of the confidence
MOVED = 0.05  # a difference of two distributions of the confidence from which it is told
SAYS_LOGITS = re.compile(r"^(log_?prob(s|abilities|ability)?|log_?likelihoods?|logits?|z)(?![a-z])")


def saved_map(path: Any) -> tuple[Any, dict[str, Any]]:
    """Return a map that was saved, and all that its file says of it."""
    fitted = calib.load_map(path)
    return fitted, json.loads(Path(path).read_text("utf-8"))


def confidences(p: np.ndarray) -> dict[str, Any]:
    """Return the mean confidence and how many lie in each range, to be saved with a map."""
    top = p.max(axis=1).astype(float)
    counts = np.bincount(np.searchsorted(ENDS, top), minlength=len(ENDS))
    return {"mean": float(top.mean()), "counts": counts.tolist()}


def moved(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Say where new confidences are not those that a map was fitted on: Kolmogorov and Smirnov."""
    was, now = np.array(old["counts"]), np.array(new["counts"])
    n, m = was.sum(), now.sum()
    distance = float(np.abs(np.cumsum(was) / n - np.cumsum(now) / m).max())
    p_value = float(kolmogorov(distance * np.sqrt(n * m / (n + m))))
    if distance < MOVED or p_value > 0.01:
        return []
    return [
        f"the confidences are not those that the map was fitted on: {percent(new['mean'])} on "
        f"average, {percent(old['mean'])} there (Kolmogorov-Smirnov distance {distance:.2f}, "
        f"p = {p_value:.2g}). Of another population the map promises nothing: measure on labels"
    ]


def apply_map(
    map_path: Any,
    path: Any,
    output: Any,
    *,
    priors: Any = None,
    old_priors: Any = None,
    **reading: Any,
) -> list[str]:
    """Apply a saved map to a model's outputs and write probabilities in their place.

    What else the file holds, such as labels and names of samples, stays as it is: before and after
    can be compared; a calibration set is left out. Of one column of scores, the probability of the
    second class takes its place. The name of the output says its format: that of the outputs, or
    npz. `priors` are the frequencies of the classes where the map is used, ``sick=0.03`` or one a
    class; `old_priors` those where it was fitted, by default those that it was saved with.
    `reading` holds options of :func:`calib_report.read`; labels are not needed.

    Returned is what one should know: that the confidences are not those that the map was fitted on.
    An error says that a file is not what it should be, or that the map was fitted on something
    else: logits or probabilities, the number of classes, their names. Nothing is written then.
    """
    output = output_path(output, *FORMATS, *(f"{ending}.gz" for ending in (".csv", ".tsv")))
    allowed = {".npz", ending_of(path)}
    if ending_of(output) not in allowed:
        expected = " or ".join(sorted(allowed & set(FORMATS)))
        raise ValueError(f"{output}: the name of the output must end in {expected}")
    refuse_places([output], inputs=[map_path, path])
    fitted, about = saved_map(map_path)
    if not hasattr(fitted, "predict_proba"):
        name = type(fitted).__name__
        raise ValueError(f"{map_path}: {name} maps one score, and predicts no probabilities")
    kind, scores, classes, columns = read_new(path, classes=about["classes"], **reading)
    n_classes = len(fitted.classes_)
    if kind != about["kind"]:
        raise ValueError(f"{path}: it holds {kind}, and the map was fitted on {about['kind']}")
    if scores.shape[1] != n_classes:
        raise ValueError(f"{path}: {scores.shape[1]} classes, and the map has {n_classes}")
    names = about["classes"] or classes
    try:
        logits = scores if kind == "logits" else calib.as_logits(scores, floor=about["floor"])
        p = fitted.predict_proba(logits)
        if priors is not None:
            old = about["frequencies"] if old_priors is None else old_priors
            if old is None:
                raise ValueError("priors: the map does not hold its own: --old-priors 0.5,0.5")
            own = names or [str(k) for k in range(n_classes)]
            p = calib.adjust_priors(p, read_priors(old, own), read_priors(priors, own))
        write_together({output: _written(path, output, p, columns, names)})
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    before = calib.softmax(scores) if kind == "logits" else scores
    return moved(about["confidences"], confidences(before)) if "confidences" in about else []


def _written(path: Any, output: Any, p: np.ndarray, columns: list[Any], classes: Any) -> bytes:
    """Return the bytes of a file of outputs with probabilities in the place of the scores."""
    ending = ending_of(output)
    if ending in TABLES:
        return _table_bytes(_with_columns(as_written(path), columns, p), output)
    if ending == ".npy":
        content = io.BytesIO()
        np.save(content, p)
        return content.getvalue()
    held, (_, name) = load(path).named, in_set(columns[0])
    named = {n: a for n, a in held.items() if n not in columns and in_set(n)[0] != "held"}
    named[columns[0].replace(name, "probabilities") if name != columns[0] else "probabilities"] = p
    if classes and "classes" not in named and ending != ".safetensors":
        named["classes"] = np.array(classes)
    return WRITERS[ending](named)


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


def _table_bytes(frame: Any, output: Any) -> bytes:
    ending, content = ending_of(output), io.BytesIO()
    if ending in (".parquet", ".feather"):
        extra("pyarrow", f"{ending} files")
        getattr(frame, f"to_{ending[1:]}")(content)
        return content.getvalue()
    text = frame.to_csv(index=False, sep="\t" if ending == ".tsv" else ",").encode()
    return gzip.compress(text, mtime=0) if Path(output).suffix == ".gz" else text


def _npz(named: dict[str, Any]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, array in named.items():
            inner = io.BytesIO()
            np.save(inner, array)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), inner.getvalue())
    return content.getvalue()


def _listed(named: dict[str, Any]) -> dict[str, list[Any]]:
    """Return arrays as lists, with None for what is not a number."""
    lists = {name: array.tolist() for name, array in named.items()}
    return {name: [None if v != v else v for v in values] for name, values in lists.items()}


def _json_lines(named: Any) -> bytes:
    lists = _listed(named)
    rows = {name: v for name, v in lists.items() if len(v) == len(lists["probabilities"])}
    lines = (dict(zip(rows, line, strict=True)) for line in zip(*rows.values(), strict=True))
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def _safetensors(named: Any) -> bytes:
    extra("safetensors", "safetensors files")
    from safetensors.numpy import save

    return save({name: np.ascontiguousarray(array) for name, array in named.items()})


WRITERS: dict[str, Callable[[Any], bytes]] = {
    ".npz": _npz,
    ".json": lambda named: json.dumps(_listed(named)).encode(),
    ".jsonl": _json_lines,
    ".safetensors": _safetensors,
}
