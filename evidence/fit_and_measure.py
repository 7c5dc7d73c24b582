"""Every calibrator on every network, measured by every metric, in one tidy table."""

import hashlib
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import chain
from time import process_time
from typing import Any

import numpy as np

from calib import TopLabel
from calib.maps.base import ScoreCalibrator
from calib.registry import reads_pairs, unwrapped
from calib.sampled_metrics import value_of
from evidence.network_outputs import Outputs

COLUMNS_OF_METRICS = ["prediction", "calibrator", "n", "metric", "value", "note"]
SECONDS = ["fit_seconds", "predict_seconds"]


def measure_maps(
    predictions: dict[Any, Any],
    calibrators: dict[str, Any],
    metrics: dict[str, Callable[..., float]],
    *,
    sizes: Any = (None,),
    n_jobs: int = 2,
    seconds: bool = False,
    progress: bool = True,
) -> Any:
    """Fit each calibrator to each calibration set and measure it on the test set.

    Parameters
    ----------
    predictions : dict
        By name: an object with `calibration` and `test`, each `Outputs`; the two as a pair; four
        arrays ``(logits, y, test_logits, test_y)``; or a function that loads one of these where it
        is worked on.
    calibrators : dict of (Calibrator or None)
        By name, see `calibrated`. What one of them raises, an exit as well, is a note of its rows.
    metrics : dict of callable
        By name: ``metric(y_true, y_prob) -> float``, see `measured_on`. What one raises is a note.
    sizes : sequence of (int or None)
        Numbers of samples to fit on, the smaller sets within the larger; None for all of them. A
        size that exceeds the calibration set is left out.
    n_jobs : int
        Processes, or tasks of the backend that ``joblib.parallel_config`` sets, such as "dask".
    seconds, progress : bool
        Whether the table tells the processor time of `fit` and of `predict_proba`, and whether a
        progress bar is shown.

    Returns
    -------
    pandas.DataFrame
        One row a network, calibrator, size and metric: the number `n` of samples that the map was
        fitted on, `value`, and a `note` that says why where the value is missing. The samples of a
        size depend on the arrays alone, not on the order or on the number of processes.

    Raises
    ------
    ValueError
        Where arrays do not fit together; what a calibrator or a metric raises is a note.

    Examples
    --------
    >>> from functools import partial
    >>> import calib
    >>> def network(seed):
    ...     rng = np.random.default_rng(seed)
    ...     z = 2 * rng.standard_normal((4000, 5))
    ...     y = (z + 2 * rng.gumbel(size=z.shape)).argmax(axis=1)
    ...     return z[:2000], y[:2000], z[2000:], y[2000:]
    >>> table = measure_maps(
    ...     {"a": network(0), "b": network(1)},
    ...     {"none": None, "temperature": calib.TemperatureScaling()},
    ...     {"ECE": partial(calib.ece, n_bins=10)},
    ...     n_jobs=1,
    ...     progress=False,
    ... )
    >>> print(table.drop(columns="note").round(2).to_string(index=False))
    prediction  calibrator    n metric  value
             a        none    0    ECE   0.19
             a temperature 2000    ECE   0.02
             b        none    0    ECE   0.20
             b temperature 2000    ECE   0.03
    """
    from joblib import Parallel, delayed
    from pandas import DataFrame
    from tqdm import tqdm

    tasks = [
        delayed(_entry)((name, key), prediction, calibrator, metrics, sizes)
        for name, prediction in predictions.items()
        for key, calibrator in calibrators.items()
    ]
    results = Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
    results = tqdm(results, total=len(tasks), disable=not progress, unit="fit")
    table = DataFrame(
        chain.from_iterable(results), columns=COLUMNS_OF_METRICS + SECONDS
    )
    return table if seconds else table[COLUMNS_OF_METRICS]


def calibrated(calibrator: Any, calibration: Outputs, test: Outputs) -> Outputs:
    """Fit a map to one set of outputs and return what it makes of another.

    A map of scores is fitted to and applied to ``pairs``, any other, also one that is no part of
    `calib` but has `fit` and `predict_proba`, to ``as_logits()``. It stays as it is, and so do the
    outputs: a copy is fitted, to copies. None leaves the outputs as they are, and needs no
    calibration set. Only pairs are known after a map of one score.
    """
    return _timed(calibrator, calibration, test)[0]


def _timed(
    calibrator: Any, calibration: Any, test: Outputs
) -> tuple[Outputs, float, float]:
    """Return what a map makes of the test set, and the processor time of its fit and of that."""
    if calibrator is None:
        return test, 0.0, 0.0
    of_pairs = isinstance(calibrator, ScoreCalibrator)
    before = calibration.pairs if of_pairs else (calibration.as_logits(), calibration.y)
    # copies: a map of others may change what it is given
    before_map = np.array(test.pairs[0] if of_pairs else test.as_logits())
    # a copy, since one map is fitted to many networks at once
    unfitted = deepcopy(calibrator)
    start = process_time()
    fitted = unfitted.fit(*map(np.array, before))
    middle = process_time()
    # a map of scores is given pairs, and only pairs are known after it
    if of_pairs:
        after = Outputs.of_pairs(fitted.predict(before_map), test.pairs[1])
    elif isinstance(fitted, TopLabel):
        after = Outputs.of_pairs(*fitted.predict_pairs(before_map, test.y))
    else:
        prob = fitted.predict_proba(before_map)
        if (shape := np.shape(prob)) != (expected := test.given.shape):
            raise ValueError(
                f"predict_proba: shape {shape}, expected {expected} as the logits"
            )
        after = Outputs(test.y, order=test.order, probabilities=prob)
    return after, middle - start, process_time() - middle


def measured_on(
    metric: Callable[..., float], outputs: Outputs
) -> tuple[np.ndarray, np.ndarray]:
    """Return the two arguments of a metric: labels and probabilities, or hits and scores.

    A metric of `calib` that reads nothing but pairs is given those of the top label, which are all
    that there is to give where no whole vectors are known.
    """
    if outputs.known == "ranked" or (
        reads_pairs(metric) and "view" not in unwrapped(metric)[1]
    ):
        return outputs.pairs[::-1]
    return outputs.y, outputs.prob


def _both_sets(prediction: Any) -> tuple[Outputs | None, Outputs]:
    """Return the calibration set, None where there is none, and the test set."""
    if callable(prediction):
        prediction = prediction()
    if not isinstance(prediction, tuple):
        return prediction.calibration, prediction.test
    # two sets; four arrays are told by their number
    if len(prediction) == 2 and hasattr(prediction[1], "pairs"):
        return prediction
    logits, y, test_logits, test_y = prediction
    return Outputs(y, logits=logits), Outputs(test_y, logits=test_logits)


def _entry(
    names: tuple[Any, Any],
    prediction: Any,
    calibrator: Any,
    metrics: dict[str, Any],
    sizes: Any,
) -> list[tuple[Any, ...]]:
    """Return the rows of one network and calibrator, of these names."""
    calibration, test = _both_sets(prediction)
    if calibrator is None:
        sets: dict[int, Outputs | None] = {0: None}
    elif calibration is None:
        raise ValueError(f"predictions: {names[0]!r} has no calibration set to fit on")
    else:
        sets = dict(_subsets(calibration, test, sizes))
    rows = []
    for n, subset in sets.items():
        done, failure = _or_note(_timed, calibrator, subset, test)
        after, *seconds = done or (None, np.nan, np.nan)
        for name, metric in metrics.items():
            value, note = _or_note(_measure, metric, after) if done else (None, failure)
            rows.append(
                (*names, n, name, np.nan if value is None else value, note, *seconds)
            )
    return rows


def _subsets(
    calibration: Outputs, test: Outputs, sizes: Any
) -> Iterator[tuple[int, Outputs]]:
    """Yield the number of samples and the samples of each size, None being all; the whole last."""
    order = _order(calibration, test)
    numbers = [len(order) if size is None else size for size in sizes]
    for n in numbers:
        if n < len(order):
            yield n, calibration.take(order[:n])
    # the whole set as it is, since taking all rows would copy it
    if len(order) in numbers:
        yield len(order), calibration


def _order(calibration: Outputs, test: Outputs) -> np.ndarray:
    """Return an order of the calibration samples that depends on the arrays alone."""
    digest = hashlib.sha256()
    for outputs in (calibration, test):
        for array in (outputs.given, outputs.y, outputs.classes):
            if array is not None:
                digest.update(f"{outputs.known}{array.dtype}{array.shape}".encode())
                digest.update(np.ascontiguousarray(array).data)
    # so the samples of a size do not depend on processes, names or the order of tasks
    seed = [0, int(digest.hexdigest()[:16], 16)]
    return np.random.default_rng(seed).permutation(len(calibration))


def _or_note(function: Any, *given: Any) -> tuple[Any, str]:
    """Return a result, or what was raised: a map, or a metric, of others may raise anything."""
    try:
        return function(*given), ""
    # the machine is at fault, not the map
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:
        return None, note_on(error)


def _measure(metric: Any, outputs: Outputs) -> float:
    y_true, y_prob = map(np.array, measured_on(metric, outputs))
    return value_of(metric, y_true, y_prob, {})


def note_on(error: BaseException) -> str:
    """Return the type of an error, its message, and what was added to it."""
    added = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
    return f"{type(error).__name__}: {error}{added}"
