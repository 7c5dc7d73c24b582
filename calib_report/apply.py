"""Apply a saved map to new outputs, and write them as they came."""

import gzip
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from calib.check import as_logits
from calib.files import write_whole
from calib.maps.base import ProbabilityCalibrator
from calib.maps.saved import read_map
from calib.priors import adjust_priors
from calib_report.asked import read_priors
from calib_report.formats import as_written, ending_of, extra, load
from calib_report.table import in_set, read_new
from calib_report.writing import output_path, refuse_places

TABLES = (".csv", ".tsv", ".parquet", ".feather")
FORMATS = (".npz", ".npy", *TABLES, ".json", ".jsonl", ".safetensors")
SAYS_LOGITS = re.compile(r"^(log_?prob(s|abilities|ability)?|log_?likelihoods?|logits?|z)(?![a-z])")


def apply_map(
    map_path: Any,
    path: Any,
    output: Any,
    *,
    priors: Any = None,
    old_priors: Any = None,
    **reading: Any,
) -> None:
    """Apply a saved map to a model's outputs and write probabilities in their place.

    What else the file holds, such as labels and names of samples, stays as it is: before and after
    can be compared; a calibration set is left out. Of one column of scores, the probability of the
    second class takes its place. The name of the output says its format: that of the outputs, or
    npz. `priors` are the frequencies of the classes where the map is used, ``sick=0.03`` or one a
    class; `old_priors` those where it was fitted, by default those that it was saved with.
    `reading` holds options of :func:`calib_report.read`; labels are not needed.

    An error says that a file is not what it should be, or that the map was fitted on something
    else: logits or probabilities, the number of classes, their names. Nothing is written then.
    """
    output = output_path(output, *FORMATS, *(f"{ending}.gz" for ending in (".csv", ".tsv")))
    allowed = {".npz", ending_of(path)}
    if ending_of(output) not in allowed:
        expected = " or ".join(sorted(allowed & set(FORMATS)))
        raise ValueError(f"{output}: the name of the output must end in {expected}")
    refuse_places([output], inputs=[map_path, path])
    saved = read_map(map_path)
    if not isinstance(saved.map, ProbabilityCalibrator):
        name = type(saved.map).__name__
        raise ValueError(f"{map_path}: {name} maps one score, and predicts no probabilities")
    kind, scores, classes, columns = read_new(path, classes=saved.classes, **reading)
    _refuse_other(path, saved, kind, scores, classes)
    try:
        logits = scores if kind == "logits" else as_logits(scores, floor=saved.floor)
        p = saved.map.predict_proba(logits)
        if priors is not None:
            names = saved.classes or classes or [str(k) for k in range(p.shape[1])]
            old = _old(old_priors, saved)
            p = adjust_priors(p, read_priors(old, names), read_priors(priors, names))
        write_whole(output, _written(path, output, p, columns, saved.classes or classes))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _old(priors: Any, saved: Any) -> list[Any]:
    """Return the class frequencies where a map was fitted."""
    if priors is None and saved.frequencies is None:
        raise ValueError("priors: the map does not hold those of its samples: --old-priors 0.5,0.5")
    return saved.frequencies if priors is None else priors


def _refuse_other(path: Any, saved: Any, kind: Any, scores: np.ndarray, classes: Any) -> None:
    """Raise ValueError where outputs are not those that a map was fitted on."""
    if kind != saved.kind:
        raise ValueError(f"{path}: it holds {kind}, and the map was fitted on {saved.kind}")
    n_classes = len(saved.map.classes_)
    if scores.shape[1] != n_classes:
        raise ValueError(f"{path}: {scores.shape[1]} classes, and the map has {n_classes}")
    if classes and saved.classes and classes != saved.classes:
        k = next(k for k, name in enumerate(classes) if saved.classes[k] != name)
        raise ValueError(
            f"{path}: class {k} is {classes[k]!r}, and {saved.classes[k]!r} in the map"
        )


def _written(path: Any, output: Any, p: np.ndarray, columns: list[Any], classes: Any) -> bytes:
    """Return the bytes of a file of outputs with probabilities in the place of the scores."""
    ending = ending_of(output)
    if ending in TABLES:
        return _table_bytes(_with_columns(as_written(path), columns, p), output)
    if ending == ".npy":
        content = io.BytesIO()
        np.save(content, p)
        return content.getvalue()
    named = _beside(load(path).named, columns)
    _, name = in_set(columns[0])
    named[columns[0].replace(name, "probabilities") if name != columns[0] else "probabilities"] = p
    if classes and "classes" not in named and ending != ".safetensors":
        named["classes"] = np.array(classes)
    return WRITERS[ending](named)


def _beside(named: dict[str, Any], columns: list[Any]) -> dict[str, Any]:
    """Return the arrays that stand beside the scores, without those of a calibration set."""
    return {n: a for n, a in named.items() if n not in columns and in_set(n)[0] != "held"}


def _with_columns(frame: Any, columns: list[Any], p: np.ndarray) -> Any:
    """Return a table with the probabilities where the scores stood."""
    one = len(columns) == 1
    in_lists = one and isinstance(frame[columns[0]].iloc[0], list | tuple | np.ndarray)
    values = [p.tolist()] if in_lists else [p[:, 1]] if one else list(p.T)
    new = [probability_name(name) for name in columns]
    taken = set(new) & (set(frame.columns) - set(columns))
    if taken or len(set(new)) < len(new):
        raise ValueError(f"a column is named {new[0]!r} already, as the probabilities would be")
    for name, column in zip(columns, values, strict=True):
        frame[name] = column
    return frame.rename(columns=dict(zip(columns, new, strict=True)))


def probability_name(name: str) -> str:
    """Return how a column of logits is named once it holds probabilities.

    Examples
    --------
    >>> probability_name("logit_sick"), probability_name("sick"), probability_name("p_sick")
    ('probability_sick', 'sick', 'p_sick')
    """
    return SAYS_LOGITS.sub("probability", name)


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


def _json(named: Any) -> bytes:
    return json.dumps({name: _listed(array) for name, array in named.items()}).encode()


def _json_lines(named: Any) -> bytes:
    n = len(named["probabilities"])
    rows = {name: _listed(array) for name, array in named.items() if len(array) == n}
    lines = zip(*rows.values(), strict=True)
    return "".join(json.dumps(dict(zip(rows, line, strict=True))) + "\n" for line in lines).encode()


def _listed(array: Any) -> Any:
    """Return an array as a list, with None for what is not a number."""
    values = array.tolist()
    return [None if value != value else value for value in values]


def _safetensors(named: Any) -> bytes:
    extra("safetensors", "safetensors files")
    from safetensors.numpy import save

    return save({name: np.ascontiguousarray(array) for name, array in named.items()})


WRITERS = {".npz": _npz, ".json": _json, ".jsonl": _json_lines, ".safetensors": _safetensors}
