"""Save fitted maps and load them again: an npz file of numbers and one JSON text, no pickles.

The text names the class, its parameters and its learned attributes; arrays lie beside it. A file is
only loaded if it holds exactly what its class learns, in arrays of matching shapes.
"""

import inspect
import io
import json
from pathlib import Path

import numpy as np

from calib.calibrators import binary, cross_validation, scaling, spline, views
from calib.calibrators.base import Calibrator
from calib.files import write_whole
from calib.readers import read_npz

FORMAT = "calib map, version 2"
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
        views.OneVsRest,
        views.RankWise,
        views.TopLabel,
        views.TopR,
        views.WithinTopR,
        cross_validation.CrossValidated,
    )
}
FORMER_NAMES = {"AllRanks": "RankWise"}  # of classes in files written before version 0.3
MAY_BE_INFINITE = {"nll_"}  # of combinations of parameters that cannot be fitted


def save_map(fitted, path):
    """Save a fitted map.

    Parameters
    ----------
    fitted : Calibrator
        A fitted map.
    path : str or Path
        The npz file to write; an existing one is replaced when all is written.

    Raises
    ------
    NotFittedError
        Where `fitted` is not fitted.
    TypeError
        Where it is not one of the maps of `calib`.

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
    arrays = {}
    text = json.dumps({"format": FORMAT, "map": _describe(fitted, arrays)}, allow_nan=False)
    content = io.BytesIO()
    np.savez_compressed(content, about=np.frombuffer(text.encode(), np.uint8), **arrays)
    write_whole(path, content.getvalue())


def load_map(path):
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
    try:
        arrays = read_npz(Path(path).read_bytes())
        about = arrays.pop("about", np.array([], np.uint8))
        description = json.loads(about.astype(np.uint8).tobytes().decode())
        if not isinstance(description, dict) or description.get("format") != FORMAT:
            raise ValueError(f"expected the format {FORMAT!r}; fit and save the map again")
        return _rebuild(description["map"], arrays)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path}: not a saved map: {error}") from None


def _describe(calibrator, arrays):
    """Return a fitted map as values that JSON can hold, its arrays put into `arrays`."""
    calibrator._check_fitted()
    description = _describe_unfitted(calibrator)
    learned = {key: _put(getattr(calibrator, key), arrays) for key in calibrator._learned_shapes()}
    return description | {"learned": learned}


def _describe_unfitted(calibrator):
    if type(calibrator) not in MAPS.values():
        raise TypeError(f"{type(calibrator).__name__} is not a map of calib, only these are saved")
    params = {
        key: _describe_unfitted(value) if isinstance(value, Calibrator) else _plain(value)
        for key, value in calibrator.get_params(deep=False).items()
    }
    return {"class": type(calibrator).__name__, "params": params}


def _plain(value):
    return value.item() if isinstance(value, np.generic) else value


def _put(value, arrays):
    if isinstance(value, Calibrator):
        return _describe(value, arrays)
    if isinstance(value, list):
        return [_put(item, arrays) for item in value]
    if isinstance(value, np.ndarray):
        key = f"array{len(arrays)}"
        arrays[key] = value
        return {"array": key}
    return _plain(value)


def _rebuild(description, arrays):
    """Return the map that a description stands for, or raise an error where it does not fit."""
    calibrator = _rebuild_unfitted(description)
    learned, expected = description["learned"], calibrator._learned_shapes()
    if set(learned) != set(expected):
        raise ValueError(f"it holds {sorted(learned)}, expected {sorted(expected)}")
    sizes = {}
    for key, shape in expected.items():
        value = _get(learned[key], arrays)
        if not _fits(value, shape, sizes, "iU" if key == "classes_" else "bif"):
            raise ValueError(f"{key} does not have the expected shape {shape}")
        if key not in MAY_BE_INFINITE and not _is_finite(value):
            raise ValueError(f"{key} holds numbers that are not finite")
        setattr(calibrator, key, value)
    return calibrator


def _rebuild_unfitted(description):
    cls = MAPS[FORMER_NAMES.get(description["class"], description["class"])]
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


def _kind(value):
    return float if type(value) is int else type(value)


def _get(value, arrays):
    if isinstance(value, list):
        return [_get(item, arrays) for item in value]
    if isinstance(value, dict):
        return arrays[value["array"]] if "array" in value else _rebuild(value, arrays)
    return value


def _fits(value, shape, sizes, kinds):
    if shape is Calibrator:
        return isinstance(value, Calibrator)
    if shape == [Calibrator]:
        return isinstance(value, list) and all(isinstance(item, Calibrator) for item in value)
    array = np.asarray(value)
    if array.dtype.kind not in kinds or array.ndim != len(shape):
        return False
    return all(_size(size, n, sizes) == n for size, n in zip(shape, array.shape, strict=True))


def _is_finite(value):
    if isinstance(value, Calibrator | list) or np.asarray(value).dtype.kind == "U":
        return True
    return np.isfinite(value).all()


def _size(size, length, sizes):
    """Return the length that a declared size, such as 3, "m" or "m + 1", stands for."""
    if isinstance(size, int):
        return size
    letter, _, more = size.partition(" + ")
    return sizes.setdefault(letter, length - int(more or 0)) + int(more or 0)
