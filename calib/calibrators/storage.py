"""Save fitted maps and load them again: an npz file of numbers and one JSON text, no pickles.

The text names the class, its parameters and its learned attributes, what the map was fitted on, and
a checksum; arrays lie beside it. A file is only loaded if it holds exactly what its class learns,
in arrays of matching shapes and ranges, and if the map then predicts probabilities.
"""

import inspect
import io
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from calib.calibrators import binary, cross_validation, reductions, scaling, spline
from calib.calibrators.base import Calibrator, ProbabilityCalibrator, ScoreCalibrator
from calib.checks import (
    check_choice,
    check_fraction,
    check_path,
    check_probabilities,
    check_scores,
)
from calib.files import refuse_special, sealed, unsealed, write_whole
from calib.readers import read_npz

FORMAT = "map", 3
MAPS = {
    cls.__name__: cls
    for cls in (
        binary.HistogramBinning,
        binary.IsotonicCalibration,
        binary.BBQ,
        binary.PlattScaling,
        binary.BetaCalibration,
        binary.ScalingBinning,
        spline.SplineCalibration,
        scaling.TemperatureScaling,
        scaling.VectorScaling,
        scaling.MatrixScaling,
        scaling.DirichletCalibration,
        scaling.EnsembleTemperatureScaling,
        scaling.StructuredMatrixScaling,
        reductions.OneVsRest,
        reductions.RankWise,
        reductions.TopLabel,
        reductions.TopR,
        reductions.WithinTopR,
        cross_validation.CrossValidated,
    )
}
MAY_BE_INFINITE = {"nll_"}  # of combinations of parameters that cannot be fitted


RANGES: dict[str, Callable[[np.ndarray], Any]] = {  # what a learned number must be, beyond finite
    "temperature_": lambda t: t > 0,
    "weights_": lambda w: (w >= 0).all() and abs(w.sum() - 1) < 1e-9,
    "values_": lambda v: ((v >= 0) & (v <= 1)).all(),
    "edges_": lambda e: e[0] == 0 and e[-1] == 1 and (np.diff(e) >= 0).all(),
    "thresholds_": lambda t: (np.diff(t) >= 0).all(),
    "n_bins_": lambda m: (m >= 1).all(),
    "evidence_": lambda e: (e >= 0).all() and abs(e.sum() - 1) < 1e-9,
    "gradient_norm_": lambda g: g >= 0,
    "n_iter_": lambda n: n >= 0,
}


@dataclass(frozen=True)
class SavedMap:
    """A map from a file, and what it was fitted on.

    `kind` is "logits", "probabilities", whose logarithms it takes, or "scores", those of a view. A
    probability counts as `floor` at least where its logarithm is taken. `classes` are the names in
    the order of the columns, `frequencies` how often each came, both None where they are not known.
    """

    map: Calibrator
    kind: str
    floor: float
    classes: list[str] | None
    frequencies: list[float] | None = None


def save_map(
    fitted: Any,
    path: str | Path,
    *,
    kind: str = "logits",
    floor: float = 1e-12,
    classes: list[str] | None = None,
    frequencies: Any = None,
) -> None:
    """Save a fitted map.

    Parameters
    ----------
    fitted : Calibrator
        A fitted map.
    path : str or Path
        The npz file to write; an existing one is replaced when all is written.
    kind : {"logits", "probabilities"}
        What it was fitted on: "probabilities" where its logits are ``calib.as_logits(y_prob)``.
        Maps of one score are of scores, whatever is said.
    floor : float
        The floor of these logarithms.
    classes : list of str, optional
        Names of the classes, in the order of the columns.
    frequencies : sequence of float, optional
        How frequent each class was among the samples that the map was fitted on.

    Raises
    ------
    NotFittedError
        Where `fitted` is not fitted.
    TypeError
        Where it is not one of the maps of `calib`.
    ValueError
        Where an option is not as described.

    Examples
    --------
    >>> import tempfile
    >>> from calib import TemperatureScaling
    >>> fitted = TemperatureScaling().fit([[3.0, 0.0]] * 3, [0, 0, 1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_map(fitted, f"{folder}/map.npz")
    ...     load_map(f"{folder}/map.npz").temperature_ == fitted.temperature_
    True
    """
    write_whole(check_path(path, "path"), map_bytes(fitted, kind, floor, classes, frequencies))


def map_bytes(fitted: Any, kind: str, floor: float, classes: Any, frequencies: Any = None) -> bytes:
    """Return what :func:`save_map` writes."""
    arrays: dict[str, Any] = {}
    about = {
        "map": _describe(fitted, arrays),
        "kind": _kind_of(fitted, kind),
        "floor": check_fraction(floor, "floor"),
        "classes": _class_names(classes, fitted),
        "frequencies": None if frequencies is None else np.asarray(frequencies, float).tolist(),
    }
    text = json.dumps(sealed(*FORMAT, about, _payload(arrays)), allow_nan=False)
    content = io.BytesIO()
    np.savez_compressed(content, about=np.frombuffer(text.encode(), np.uint8), **arrays)
    return content.getvalue()


def _class_names(classes: Any, fitted: Any) -> list[str] | None:
    """Return names of the classes of a map as text; as many different ones as it has classes."""
    if classes is None:
        return None
    if isinstance(classes, str) or not isinstance(classes, Iterable):
        raise ValueError(f"classes: {classes!r}, expected a list of names")
    names, n_classes = [str(name) for name in classes], len(getattr(fitted, "classes_", []))
    if len(set(names)) != n_classes or len(names) != n_classes:
        raise ValueError(f"classes: {len(set(names))} different names for {n_classes} classes")
    return names


def load_map(path: str | Path) -> Any:
    """Load a map that :func:`save_map` has written.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    Calibrator
        The fitted map.

    Raises
    ------
    FileNotFoundError
        Where there is no such file.
    ValueError
        Where the file is not a saved map, or what it holds does not fit together.

    Examples
    --------
    >>> load_map("no-such-map.npz")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'no-such-map.npz'
    """
    return read_map(path).map


def read_map(path: Any) -> "SavedMap":
    """Load a map that :func:`save_map` has written, with what it was fitted on."""
    path = check_path(path, "path")
    try:
        refuse_special(path)
        arrays = read_npz(path)
        text = arrays.pop("about", np.array([], np.uint8)).astype(np.uint8).tobytes()
        found = json.loads(text) if text else None
        about = unsealed(*FORMAT, found, _payload(arrays))
        with np.errstate(all="ignore"):
            fitted = _rebuild(about["map"], arrays)
            _probe(fitted)
        if about["kind"] != _kind_of(fitted, about["kind"]):
            raise ValueError(f"kind: {about['kind']!r} does not go with {type(fitted).__name__}")
        classes = _class_names(about["classes"], fitted)
        frequencies = about.get("frequencies")
        if frequencies is not None:
            check_probabilities([frequencies], name="frequencies")
            if len(frequencies) != len(fitted.classes_):
                raise ValueError(f"frequencies: {len(frequencies)} numbers for other classes")
        floor = check_fraction(about["floor"], "floor")
        return SavedMap(fitted, about["kind"], floor, classes, frequencies)
    except FileNotFoundError:
        raise
    except Exception as error:  # what is wrong in a hostile file can raise nearly anything
        raise ValueError(f"{path}: not a saved map: {error}") from None


def _kind_of(fitted: Any, kind: Any) -> str:
    if isinstance(fitted, ScoreCalibrator):
        return "scores"
    return check_choice(kind, "kind", ("logits", "probabilities"))


def _payload(arrays: Any) -> Any:
    """Yield what the checksum covers of each array: name, type, shape and numbers."""
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        yield f"{name} {array.dtype.str} {array.shape}".encode()
        yield array.tobytes()


def _probe(fitted: Any) -> Any:
    """Refuse a map that does not turn some inputs into probabilities."""
    if isinstance(fitted, ScoreCalibrator):
        check_scores(fitted.predict(np.linspace(0, 1, 101)))
        return
    n_classes = len(fitted.classes_)
    z = np.zeros((5, n_classes))
    z[1:] = np.random.default_rng(0).standard_normal((4, n_classes)) * [[1], [10], [100], [1e4]]
    if isinstance(fitted, ProbabilityCalibrator):
        check_probabilities(fitted.predict_proba(z))
    else:
        check_scores(fitted.predict_score(z))


def _describe(calibrator: Any, arrays: Any) -> dict[str, Any]:
    """Return a fitted map as values that JSON can hold, its arrays put into `arrays`."""
    description = _describe_unfitted(calibrator)
    calibrator._check_fitted()
    learned = {key: _put(getattr(calibrator, key), arrays) for key in calibrator._learned_shapes()}
    return description | {"learned": learned}


def _describe_unfitted(calibrator: Any) -> dict[str, Any]:
    if type(calibrator) not in MAPS.values():
        raise TypeError(f"{type(calibrator).__name__} is not a map of calib, only these are saved")
    params = {
        key: _describe_unfitted(value) if isinstance(value, Calibrator) else _plain(value)
        for key, value in calibrator.get_params(deep=False).items()
    }
    return {"class": type(calibrator).__name__, "params": params}


def _plain(value: Any) -> Any:
    """Return the value of a parameter as JSON can hold it."""
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else value


def _put(value: Any, arrays: Any) -> Any:
    if isinstance(value, Calibrator):
        return _describe(value, arrays)
    if isinstance(value, list):
        return [_put(item, arrays) for item in value]
    if isinstance(value, np.ndarray):
        key = f"array{len(arrays)}"
        arrays[key] = value
        return {"array": key}
    return _plain(value)


def _rebuild(description: Any, arrays: Any) -> Any:
    """Return the map that a description stands for, or raise an error where it does not fit."""
    calibrator = _rebuild_unfitted(description)
    learned, expected = description["learned"], calibrator._learned_shapes()
    if set(learned) != set(expected):
        raise ValueError(f"it holds {sorted(learned)}, expected {sorted(expected)}")
    sizes: dict[str, int] = {}
    for key, shape in expected.items():
        value = _get(learned[key], arrays)
        if not _fits(value, shape, sizes, "iU" if key == "classes_" else "bif"):
            raise ValueError(f"{key} does not have the expected shape {shape}")
        if key not in MAY_BE_INFINITE and not _is_finite(value):
            raise ValueError(f"{key} holds numbers that are not finite")
        if key in RANGES and not RANGES[key](np.asarray(value)):
            raise ValueError(f"{key} is out of range")
        setattr(calibrator, key, value)
    return calibrator


def _rebuild_unfitted(description: Any) -> Any:
    cls = MAPS[description["class"]]
    params = {
        key: _rebuild_unfitted(value) if isinstance(value, dict) and "class" in value else value
        for key, value in description["params"].items()
    }
    if set(params) != set(cls._parameters()):
        raise ValueError(f"it has the parameters {sorted(params)}, expected {cls._parameters()}")
    for key, value in params.items():
        default = inspect.signature(cls).parameters[key].default
        if default not in (None, inspect.Parameter.empty) and _kind(value) != _kind(default):
            raise ValueError(f"{key}: {value!r}, expected a value such as {default!r}")
    return cls(**params)


def _kind(value: Any) -> Any:
    return float if type(value) is int else type(value)


def _get(value: Any, arrays: Any) -> Any:
    if isinstance(value, list):
        return [_get(item, arrays) for item in value]
    if isinstance(value, dict):
        return arrays[value["array"]] if "array" in value else _rebuild(value, arrays)
    return value


def _fits(value: Any, shape: Any, sizes: Any, kinds: Any) -> bool:
    if shape is Calibrator:
        return isinstance(value, Calibrator)
    if shape == [Calibrator]:
        return isinstance(value, list) and all(isinstance(item, Calibrator) for item in value)
    array = np.asarray(value)
    if array.dtype.kind not in kinds or array.ndim != len(shape):
        return False
    return all(_size(size, n, sizes) == n for size, n in zip(shape, array.shape, strict=True))


def _is_finite(value: Any) -> Any:
    if isinstance(value, Calibrator | list) or np.asarray(value).dtype.kind == "U":
        return True
    return np.isfinite(value).all()


def _size(size: Any, length: Any, sizes: Any) -> int:
    """Return the length that a declared size, such as 3, "m" or "m + 1", stands for."""
    if isinstance(size, int):
        return size
    letter, _, more = size.partition(" + ")
    return sizes.setdefault(letter, length - int(more or 0)) + int(more or 0)


def as_json(fitted: Any) -> dict[str, Any]:
    """Return a fitted map as values that JSON can hold: its class, options and what it learned."""
    arrays: dict[str, np.ndarray] = {}
    return _with_numbers(_describe(fitted, arrays), arrays)


def _with_numbers(value: Any, arrays: Any) -> Any:
    if isinstance(value, dict):
        if set(value) == {"array"}:
            return arrays[value["array"]].tolist()
        return {name: _with_numbers(inner, arrays) for name, inner in value.items()}
    if isinstance(value, list):
        return [_with_numbers(inner, arrays) for inner in value]
    return value
