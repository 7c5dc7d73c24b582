"""Save fitted maps as JSON and load them again: class, parameters, what was learned, in lists.

A float64 number is read as the same bits. A file is loaded only where each field is what its class
expects; nothing in it is run.
"""

import json
from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Any

import numpy as np

from calib import check
from calib.constants import SMALLEST_PROBABILITY
from calib.files import read_file, write_whole
from calib.maps.base import (
    MAPS,
    Array,
    Calibrator,
    Learned,
    LearnedMap,
    ProbabilityCalibrator,
    ScoreCalibrator,
)

FORMAT = "calib map, version 5"
PREDICTED = "learned: what it predicts"
# what a map of whole vectors, and one of single scores, may have been fitted on
KINDS_OF_VECTORS, KINDS_OF_SCORES = ("logits", "probabilities"), ("scores",)
# parameters that earlier files of this format lack
ADDED: dict[str, dict[str, Any]] = {"VectorScaling": {"shrink": False}}


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
        The file to write, such as ``map.json``; an existing one is replaced.
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
    path = check.path(path, "path")
    fields = saved_fields(
        fitted, kind=kind, floor=floor, classes=classes, frequencies=frequencies
    )
    write_whole(path, f"{json.dumps(fields, allow_nan=False)}\n".encode())


def saved_fields(
    fitted: Calibrator,
    *,
    kind: str = "logits",
    floor: float = SMALLEST_PROBABILITY,
    classes: Sequence[object] | None = None,
    frequencies: Sequence[float] | None = None,
) -> dict[str, Any]:
    """Fields of the file of a fitted map, for a program that adds some of its own.

    They are JSON's: texts, numbers, lists, dicts, None. :func:`load_map` leaves fields that it does
    not know alone.

    Parameters
    ----------
    fitted : Calibrator
        A fitted map.
    kind : {"logits", "probabilities"}
        What it was fitted on: "probabilities" where its logits are ``calib.as_logits(y_prob)``.
        Maps of one score are of scores, whatever is said.
    floor : float
        The floor of these logarithms.
    classes : list of str, optional
        Names of the classes, in the order of the columns.
    frequencies : sequence of float, optional
        How frequent each class was among the samples that the map was fitted on.

    Returns
    -------
    dict of str to object

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
    >>> from calib import TemperatureScaling
    >>> fitted = TemperatureScaling().fit([[3.0, 0.0]] * 3, [0, 0, 1])
    >>> saved_fields(fitted, classes=["no", "yes"])["classes"]
    ['no', 'yes']
    """
    if isinstance(classes, str) or not isinstance(classes, Iterable | None):
        raise ValueError(f"classes: {classes!r}, expected a list of names")
    check.choice(kind, "kind", (*KINDS_OF_VECTORS, *KINDS_OF_SCORES))
    check.fraction(floor, "floor")
    description = as_json(fitted)
    if frequencies is not None:
        frequencies = check.probabilities([frequencies], name="frequencies")[0]
    fields = {
        "format": FORMAT,
        "kind": "scores" if isinstance(fitted, ScoreCalibrator) else kind,
        "floor": float(floor),
        "classes": None if classes is None else [str(name) for name in classes],
        "frequencies": _plain(frequencies),
        "n": _plain(fitted._n),
        "map": description,
    }
    # read before it is written: what could not be loaded is not left behind
    _read(json.loads(json.dumps(fields)))
    return fields


def as_json(calibrator: Calibrator, learned: bool = True) -> dict[str, Any]:
    """Return a map as values that JSON can hold: its class, options and, if fitted, the rest."""
    name = type(calibrator).__name__
    if MAPS.get(name) is not type(calibrator):
        raise TypeError(f"{name} is not a map of calib, only these are saved")
    params = {
        k: _plain(v, learned=False)
        for k, v in calibrator.get_params(deep=False).items()
    }
    if not learned:
        return {"class": name, "params": params}
    calibrator._check_fitted()
    values = {
        name: _plain(getattr(calibrator, name)) for name in calibrator._all_learned()
    }
    return {"class": name, "params": params, "learned": values}


def _plain(value: Any, learned: bool = True) -> Any:
    """Return a parameter, or what was learned, as JSON can hold it; what is infinite as None."""
    if isinstance(value, Calibrator):
        return as_json(value, learned)
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, np.generic | Array):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return None if value == np.inf else value


def load_map(path: str | PathLike[str]) -> ProbabilityCalibrator | Any:
    """Load a map that :func:`save_map` has written.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    ProbabilityCalibrator, or another map of calib
        The fitted map. A type checker takes it for one of whole vectors, as most are, and leaves
        what only a map of scores has unchecked.

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
    path = check.path(path, "path")
    try:
        return _read(json.loads(read_file(path)))
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(f"{path}: not a saved map: {error}") from None


def _read(content: Any) -> Any:
    """Return the map that a file holds; an error names the field that is wrong."""
    version = content.get("format") if isinstance(content, dict) else None
    _expect(version == FORMAT, f"format: {version!r}, expected {FORMAT!r}")
    fitted = _fitted(_field(content, "map"), Calibrator)
    fitted._n = _count(_field(content, "n"))
    of_scores = isinstance(fitted, ScoreCalibrator)
    kinds = KINDS_OF_SCORES if of_scores else KINDS_OF_VECTORS
    check.choice(_field(content, "kind"), "kind", kinds)
    check.fraction(_field(content, "floor"), "floor")
    n_classes = 0 if of_scores else len(fitted.classes_)
    _check_classes(_field(content, "classes"), n_classes)
    _check_frequencies(_field(content, "frequencies"), n_classes)
    _try_predictions(fitted, n_classes)
    return fitted


def _check_classes(names: Any, n_classes: int) -> None:
    fits = names is None or len(names) == len(set(names)) == n_classes
    _expect(fits, f"classes: {names!r:.60}, expected {n_classes} different names")


def _check_frequencies(frequencies: Any, n_classes: int) -> None:
    if frequencies is not None:
        n = check.probabilities([frequencies], name="frequencies").shape[1]
        _expect(n == n_classes, f"frequencies: {n} numbers for {n_classes} classes")


def _try_predictions(fitted: Any, n_classes: int) -> None:
    """Refuse a map whose numbers, each within its bounds, do not give probabilities together."""
    z = np.random.default_rng(0).standard_normal((5, n_classes))
    z *= np.array([[0], [1], [10], [100], [1e4]])
    if hasattr(fitted, "predict_proba"):
        check.probabilities(fitted.predict_proba(z), name=PREDICTED)
    elif isinstance(fitted, ScoreCalibrator):
        check.scores(fitted.predict(np.linspace(0, 1, 101)), name=PREDICTED)
    else:
        check.scores(fitted.predict_score(z), name=PREDICTED)


def _count(n: Any) -> int | None:
    return None if n is None else check.count(n, "n")


def _expect(is_so: Any, message: str) -> None:
    if not is_so:
        raise ValueError(message)


def _field(fields: Any, name: str) -> Any:
    _expect(isinstance(fields, dict) and name in fields, f"{name}: it is missing")
    return fields[name]


def _unfitted(state: Any) -> Calibrator:
    title, params = str(_field(state, "class")), _field(state, "params")
    if title not in MAPS:
        raise ValueError(f"class: {state['class']!r} is not a map of calib")
    cls = MAPS[title]
    if isinstance(params, dict):
        params = ADDED.get(cls.__name__, {}) | params
    complete = isinstance(params, dict) and set(params) == set(cls._parameters())
    _expect(
        complete, f"params: {params!r:.60}, expected those named {cls._parameters()}"
    )
    nested = {name: _unfitted(params[name]) for name in params if name == "calibrator"}
    calibrator = cls(**params | nested)
    calibrator._check_parameters()
    return calibrator


def _fitted(
    state: Any, base_class: type[Calibrator], n_classes: int | None = None
) -> Any:
    """Return the map of a description; a map inside another is of as many classes, if of any."""
    calibrator, values = _unfitted(state), _field(state, "learned")
    title = type(calibrator).__name__
    _expect(
        isinstance(calibrator, base_class),
        f"class: {title}, expected a {base_class.__name__}",
    )
    sizes = {} if n_classes is None else {"K": n_classes}
    learned = calibrator._all_learned()
    for name in sorted(learned, key=lambda name: name != "classes_"):
        # which says what K is
        value, expected = _field(values, name), learned[name]
        if isinstance(expected, LearnedMap):
            setattr(calibrator, name, _maps(name, value, expected, sizes))
        else:
            setattr(calibrator, name, _numbers(name, value, expected, sizes))
    return calibrator


def _maps(name: str, value: Any, expected: LearnedMap, sizes: dict[str, int]) -> Any:
    """Return a map that another one holds, or those of its classes."""
    if not expected.each_class:
        return _fitted(value, expected.base_class, sizes.get("K"))
    fits = isinstance(value, list) and len(value) == sizes["K"]
    _expect(fits, f"{name}: expected a list of {sizes['K']} maps")
    return [_fitted(state, expected.base_class) for state in value]


def _numbers(name: str, value: Any, expected: Learned, sizes: dict[str, int]) -> Any:
    """Return numbers that a map learned; sizes that have been seen before must be the same."""
    if not expected.finite and isinstance(value, list):
        value = [np.inf if number is None else number for number in value]
    array = np.array(value)
    shape = f"{name}: shape {array.shape}, expected numbers of shape {_named(expected.shape)}"
    _expect(array.dtype.kind in "if" and array.ndim == len(expected.shape), shape)
    for size, letter in zip(array.shape, expected.shape, strict=True):
        length = letter if isinstance(letter, int) else _size(letter, size, sizes)
        _expect(size == length > 0, f"{shape}, {letter} being {length}")
    refusal = expected.refusal(array)
    _expect(refusal is None, f"{name}: {refusal}")
    return array if expected.shape else array.item()


def _size(letter: str, size: int, sizes: dict[str, int]) -> int:
    """Return the size that a letter stands for: the first that was seen, of edges one more."""
    if letter == "m+1":
        return sizes.setdefault("m", size - 1) + 1
    return sizes.setdefault(letter, size)


def _named(shape: tuple[str | int, ...]) -> str:
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
