"""Save fitted maps as JSON and load them again: class, parameters, what was learned, in lists.

Python writes a float64 number so that reading gives the same bits. A file is loaded only where
each field is what its class expects; nothing in it is run.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np

from calib.check import (
    SMALLEST_PROBABILITY,
    check_choice,
    check_fraction,
    check_path,
    check_probabilities,
    check_scores,
)
from calib.files import read_file, write_whole
from calib.maps.base import Calibrator, LogitCalibrator, ScoreCalibrator

FORMAT = "calib map, version 4"
MAY_BE_INFINITE = ("nll_",)  # of parameters that cannot be fitted; null in a file
RISING = ("edges_", "thresholds_", "score_")


@dataclass(frozen=True)
class SavedMap:
    """A map from a file, and what it was fitted on.

    `kind` is "logits", "probabilities", whose logarithms it takes, or "scores", those of a view. A
    probability counts as `floor` at least where its logarithm is taken. `classes` are the names in
    the order of the columns, `frequencies` how often each came, both None where they are not known.
    """

    map: Any
    kind: str = "logits"
    floor: float = SMALLEST_PROBABILITY
    classes: list[Any] | None = None
    frequencies: Any = None


def save_map(
    fitted: Calibrator,
    path: str | PathLike[str],
    *,
    kind: str = "logits",
    floor: float = SMALLEST_PROBABILITY,
    classes: Sequence[object] | None = None,
    frequencies: Sequence[float] | None = None,
) -> None:
    """Save a fitted map as JSON.

    Parameters
    ----------
    fitted : Calibrator
        A fitted map.
    path : str or Path
        The file to write, such as ``map.json``; an existing one is replaced when all is written.
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
        Where an option is not as described, or the map could not be loaded again.

    Examples
    --------
    >>> import tempfile
    >>> from calib import TemperatureScaling
    >>> fitted = TemperatureScaling().fit([[3.0, 0.0]] * 3, [0, 0, 1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_map(fitted, f"{folder}/map.json")
    ...     load_map(f"{folder}/map.json").temperature_ == fitted.temperature_
    True
    """
    if isinstance(classes, str) or not isinstance(classes, Iterable | None):
        raise ValueError(f"classes: {classes!r}, expected a list of names")
    check_choice(kind, "kind", ("logits", "probabilities", "scores"))
    check_fraction(floor, "floor")
    names = None if classes is None else [*classes]
    saved = SavedMap(fitted, kind, floor, names, frequencies)
    write_whole(check_path(path, "path"), map_bytes(saved))


def map_bytes(saved: SavedMap) -> bytes:
    """Return what :func:`save_map` writes, after it was read back."""
    fitted, classes = saved.map, saved.classes
    description = as_json(fitted)
    about = {
        "format": FORMAT,
        "kind": "scores" if isinstance(fitted, ScoreCalibrator) else saved.kind,
        "floor": saved.floor,
        "classes": None if classes is None else [str(name) for name in classes],
        "frequencies": _plain(saved.frequencies),
        "n": _plain(fitted._n),
        "map": description,
    }
    text = json.dumps(about, allow_nan=False)
    _read(json.loads(text))
    return f"{text}\n".encode()


def as_json(fitted: Calibrator) -> dict[str, Any]:
    """Return a fitted map as values that JSON can hold: its class, options and what it learned."""
    description = _unfitted_as_json(fitted)
    fitted._check_fitted()
    learned = {name: _plain(getattr(fitted, name)) for name in fitted._learned_shapes()}
    return description | {"learned": learned}


def _unfitted_as_json(calibrator: Calibrator) -> dict[str, Any]:
    name, params = type(calibrator).__name__, {}
    if _class_of(name) is not type(calibrator):
        raise TypeError(f"{name} is not a map of calib, only these are saved")
    for key, value in calibrator.get_params(deep=False).items():
        nested = isinstance(value, Calibrator)
        params[key] = _unfitted_as_json(value) if nested else _plain(value)
    return {"class": name, "params": params}


def _plain(value: Any) -> Any:
    """Return a parameter, or what was learned, as JSON can hold it; what is infinite as None."""
    if isinstance(value, Calibrator):
        return as_json(value)
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return None if value == np.inf else value


def load_map(path: str | PathLike[str]) -> Any:
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
    >>> load_map("no-such-map.json")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'no-such-map.json'
    """
    return read_map(path).map


def read_map(path: str | PathLike[str]) -> SavedMap:
    """Load a map that :func:`save_map` has written, with what it was fitted on."""
    path = check_path(path, "path")
    try:
        return _read(json.loads(read_file(path)))
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(f"{path}: not a saved map: {error}") from None


def _read(found: Any) -> SavedMap:
    """Return what a file holds as a map; an error names the field that is wrong."""
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        held = found.get("format") if isinstance(found, dict) else None
        raise ValueError(f"format: {held!r}, expected {FORMAT!r}")
    fields = ("map", "kind", "floor", "classes", "frequencies")
    about = SavedMap(*(_field(found, name) for name in fields))
    fitted = _fitted(about.map, {})
    fitted._n = _field(found, "n")
    of_scores = isinstance(fitted, ScoreCalibrator)
    check_choice(about.kind, "kind", ("scores",) if of_scores else ("logits", "probabilities"))
    check_fraction(about.floor, "floor")
    n_classes = 0 if of_scores else len(fitted.classes_)
    if about.classes is not None and not len(about.classes) == len(set(about.classes)) == n_classes:
        raise ValueError(f"classes: {about.classes!r:.60}, expected {n_classes} different names")
    if about.frequencies is not None:
        p = check_probabilities([about.frequencies], name="frequencies")
        if p.shape[1] != n_classes:
            raise ValueError(f"frequencies: {p.shape[1]} numbers for {n_classes} classes")
    _refuse_other_than_probabilities(fitted, n_classes)
    return replace(about, map=fitted)


def _field(found: Any, name: str) -> Any:
    if not isinstance(found, dict) or name not in found:
        raise ValueError(f"{name}: it is missing")
    return found[name]


def _class_of(name: object) -> type[Calibrator] | None:
    """Return the map of `calib` of this name, None where there is none."""
    import calib

    found = getattr(calib, str(name)) if name in calib.__all__ else None
    is_map = isinstance(found, type) and issubclass(found, ScoreCalibrator | LogitCalibrator)
    return found if is_map else None


def _unfitted(found: Any) -> Calibrator:
    cls, params = _class_of(_field(found, "class")), _field(found, "params")
    if cls is None:
        raise ValueError(f"class: {found['class']!r} is not a map of calib")
    if not isinstance(params, dict) or set(params) != set(cls._parameters()):
        raise ValueError(f"params: {params!r:.60}, expected those named {cls._parameters()}")
    nested = {name: _unfitted(params[name]) for name in params if name == "calibrator"}
    calibrator = cls(**params | nested)
    calibrator._check_parameters()
    return calibrator


def _fitted(found: Any, sizes: dict[str, int]) -> Any:
    """Return the map of a description; `sizes` holds K where it is known."""
    calibrator, learned, sizes = _unfitted(found), _field(found, "learned"), {**sizes}
    shapes = calibrator._learned_shapes()
    for name, shape in sorted(shapes.items(), key=lambda item: item[0] != "classes_"):
        setattr(calibrator, name, _learned(name, _field(learned, name), shape, sizes))
    if "m+1" in sizes and sizes["m+1"] != sizes["m"] + 1:
        raise ValueError(f"edges_: {sizes['m+1']} for {sizes['m']} bins")
    return calibrator


def _learned(name: str, value: Any, shape: str, sizes: dict[str, int]) -> Any:
    """Return what a map learned; a letter of its shape is a size that all must agree on."""
    if shape == "map":
        return _fitted(value, {size: sizes[size] for size in sizes if size == "K"})
    if shape == "K maps":
        if not isinstance(value, list) or len(value) != sizes["K"]:
            raise ValueError(f"{name}: expected a list of {sizes['K']} maps")
        return [_fitted(one, {}) for one in value]
    if name in MAY_BE_INFINITE:
        value = [np.inf if one is None else one for one in value]
    array, letters = np.array(value), shape.split()
    for letter, size in zip(letters, array.shape, strict=False):
        sizes.setdefault(letter, int(letter) if letter.isdigit() else size)
    if array.dtype.kind not in "if" or [*array.shape] != [sizes.get(letter) for letter in letters]:
        raise ValueError(f"{name}: shape {array.shape}, expected numbers of shape ({shape})")
    if not (np.isfinite(array) | (name in MAY_BE_INFINITE) & (array > 0)).all():
        raise ValueError(f"{name}: a number is not finite")
    wrong = {
        "from 0 to 1": name == "values_" and not ((array >= 0) & (array <= 1)).all(),
        "above 0": name == "temperature_" and not array > 0,
        "that rise": name in RISING and (np.diff(array) < 0).any(),
    }
    for what, is_so in wrong.items():
        if is_so:
            raise ValueError(f"{name}: expected numbers {what}")
    return array if letters else array.item()


def _refuse_other_than_probabilities(fitted: Any, n_classes: int) -> None:
    """Try a map that was read on some inputs."""
    if isinstance(fitted, ScoreCalibrator):
        check_scores(fitted.predict(np.linspace(0, 1, 101)), name="learned: what it predicts")
        return
    scale = np.array([[0], [1], [10], [100], [1e4]])
    z = scale * np.random.default_rng(0).standard_normal((5, n_classes))
    if hasattr(fitted, "predict_proba"):
        check_probabilities(fitted.predict_proba(z), name="learned: what it predicts")
    else:
        check_scores(fitted.predict_score(z), name="learned: what it predicts")
