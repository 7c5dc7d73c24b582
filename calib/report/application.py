"""Apply a saved map to new outputs, and write them as they came."""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from calib.calibrators.base import ProbabilityCalibrator
from calib.calibrators.storage import read_map
from calib.checks import as_logits
from calib.files import write_whole
from calib.priors import adjust_priors
from calib.reading import read_new
from calib.reading.files import ending_of, extra
from calib.report.page import output_path, refuse_places

FORMATS = (
    ".npz",
    ".npy",
    ".csv",
    ".tsv",
    ".parquet",
    ".feather",
    ".json",
    ".jsonl",
    ".safetensors",
)


def apply_map(map_path: Any, path: Any, output: Any, *, priors: Any = None, **reading: Any) -> None:
    """Apply a saved map to a model's outputs and write probabilities, shape (n, K).

    Parameters
    ----------
    map_path : str or Path
        A map that a report saved.
    path : str or Path
        Outputs, see :func:`calib.read`; labels are not needed.
    output : str or Path
        The file to write, in the format that its name says: that of the outputs, or npz. Tables
        have a column a class.
    priors : pair of sequences of float, optional
        Frequencies of the classes where the map was fitted, and where it is used.
    **reading
        Options of :func:`calib.read`: `scores`, `kind`, `ignore` and `atol`.

    Raises
    ------
    ValueError, OSError
        If a file is not what it should be, or the map was fitted on something else: logits or
        probabilities, the number of classes, their names. Nothing is written then.
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
    kind, scores, classes = read_new(path, **reading)
    _refuse_other(path, saved, kind, scores, classes)
    try:
        logits = scores if kind == "logits" else as_logits(scores, floor=saved.floor)
        p = saved.map.predict_proba(logits)
        p = p if priors is None else adjust_priors(p, *priors)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    names = saved.classes or classes or [str(k) for k in range(p.shape[1])]
    write_whole(output, _written(p, names, output))


def _refuse_other(path: Any, saved: Any, kind: Any, scores: Any, classes: Any) -> None:
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


def _written(p: Any, names: Any, output: Any) -> Any:
    """Return probabilities as the bytes of a file of a format."""
    ending, content = ending_of(output), io.BytesIO()
    if ending == ".npz":
        np.savez(content, probabilities=p)
    elif ending == ".npy":
        np.save(content, p)
    elif ending == ".json":
        return json.dumps({"probabilities": p.tolist(), "classes": list(names)}).encode()
    elif ending == ".jsonl":
        return "".join(json.dumps({"probabilities": row}) + "\n" for row in p.tolist()).encode()
    elif ending == ".safetensors":
        extra("safetensors", "safetensors files")
        from safetensors.numpy import save

        return save({"probabilities": np.ascontiguousarray(p)})
    else:
        frame = extra("pandas", "tables").DataFrame(p, columns=list(names))
        if ending in (".parquet", ".feather"):
            extra("pyarrow", f"{ending} files")
            getattr(frame, f"to_{ending[1:]}")(content)
        else:
            text = frame.to_csv(index=False, sep="\t" if ending == ".tsv" else ",").encode()
            return gzip.compress(text, mtime=0) if Path(output).suffix == ".gz" else text
    return content.getvalue()
