"""A study: every calibrator on every network, measured by every metric, in one tidy table."""

import hashlib
import inspect
import json
import warnings
from functools import cache
from pathlib import Path

import numpy as np

from calib.calibrators.base import ConvergenceError, clone
from calib.calibrators.views import ViewCalibrator
from calib.checks import MOST_RESAMPLES, check_count, check_fraction, softmax
from calib.checks import logits as log_probabilities
from calib.files import sealed, unsealed, write_whole
from calib.metrics import unwrapped
from calib.resampling import bootstrap

COLUMNS = ["prediction", "calibrator", "metric", "value", "low", "high", "note"]
CACHED = "cached results", 1
# A change of these files makes cached results stale.
SOURCES = [
    *("checks", "views", "bins", "errors", "scores", "selective", "metrics", "resampling"),
    *("study", "calibrators/*"),
]


def run_study(
    predictions,
    calibrators,
    metrics,
    *,
    n_resamples=0,
    confidence_level=0.95,
    seed=0,
    n_jobs=2,
    cache_folder=None,
    progress=True,
):
    """Fit each calibrator to each calibration set and measure it on the test set.

    Parameters
    ----------
    predictions : dict of (Predictions or tuple)
        By name: an object with `calibration` and `test`, each a `calib.Split`, or four arrays
        ``(logits, y, test_logits, test_y)``.
    calibrators : dict of (Calibrator or None)
        By name; None leaves the probabilities as they are.
    metrics : dict of callable
        By name: ``metric(y_true, y_prob) -> float``. Options are set by ``functools.partial``.
        Maps of one score, such as :class:`calib.TopLabel`, give their scores and hits to it.
    n_resamples : int
        Bootstrap resamples of the test set for the intervals; 0 for none.
    confidence_level : float
    seed : int
        Seed of the resamples. Each entry's generator also depends on its arrays and calibrator, not
        on the order or on the number of processes.
    n_jobs : int
        Processes.
    cache_folder : str or Path, optional
        Where each pair of network and calibrator is kept when it is done, under a hash of all that
        it was computed from. What is there is not computed again, so that an interrupted study
        resumes; a file whose checksum is wrong is, with a warning.
    progress : bool
        Whether a progress bar is shown.

    Returns
    -------
    pandas.DataFrame
        One row a network, calibrator and metric: `value`, `low`, `high`, and a `note` that says why
        where the value is missing. `low` and `high` are missing without resamples.

    Raises
    ------
    ValueError
        Where an option is not as described, predictions have no calibration set or not four
        arrays, or a metric cannot be identified for the cache.

    Examples
    --------
    >>> from functools import partial
    >>> import calib
    >>> def network(seed):
    ...     rng = np.random.default_rng(seed)
    ...     z = 2 * rng.standard_normal((4000, 5))
    ...     y = (z + 2 * rng.gumbel(size=z.shape)).argmax(axis=1)
    ...     return z[:2000], y[:2000], z[2000:], y[2000:]
    >>> table = run_study(
    ...     {"a": network(0), "b": network(1)},
    ...     {"none": None, "temperature": calib.TemperatureScaling()},
    ...     {"ECE": partial(calib.ece, n_bins=10)},
    ...     n_jobs=1,
    ...     progress=False,
    ... )
    >>> print(table.drop(columns=["low", "high", "note"]).round(2).to_string(index=False))
    prediction  calibrator metric  value
             a        none    ECE   0.19
             a temperature    ECE   0.02
             b        none    ECE   0.20
             b temperature    ECE   0.03

    On a Dask cluster, the same call::

        from dask.distributed import Client

        with Client("scheduler:8786"), joblib.parallel_config(backend="dask"):
            table = run_study(predictions, calibrators, metrics, n_jobs=-1)
    """
    from joblib import Parallel, delayed
    from pandas import DataFrame
    from tqdm import tqdm

    check_count(n_resamples, "n_resamples", low=0, high=MOST_RESAMPLES)
    check_fraction(confidence_level, "confidence_level")
    check_count(seed, "seed", low=0)
    resampling = (n_resamples, confidence_level, seed)
    entries = [
        (name, calibrator_name, _four_arrays(name, prediction), calibrator)
        for name, prediction in predictions.items()
        for calibrator_name, calibrator in calibrators.items()
    ]
    tasks = (
        delayed(_entry)(arrays, calibrator, metrics, resampling, cache_folder)
        for _, _, arrays, calibrator in entries
    )
    results = Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
    results = tqdm(results, total=len(entries), disable=not progress, unit="fit")
    rows = [
        (name, calibrator_name, *row)
        for (name, calibrator_name, _, _), entry in zip(entries, results, strict=True)
        for row in entry
    ]
    return DataFrame(rows, columns=COLUMNS)


def _four_arrays(name, prediction):
    if isinstance(prediction, tuple):
        if len(prediction) != 4:
            raise ValueError(f"predictions: {name!r} has {len(prediction)} arrays, expected four")
        return prediction
    if prediction.calibration is None:
        raise ValueError(f"predictions: {name!r} has no calibration set to fit on")
    return *_arrays(prediction.calibration), *_arrays(prediction.test)


def _arrays(split):
    return split.logits if split.logits is not None else log_probabilities(split.prob), split.y


def _entry(arrays, calibrator, metrics, resampling, cache_folder):
    """Return the rows of one network and calibrator, from the cache where they are there."""
    digest = _digest(arrays, repr(calibrator))
    if cache_folder is None:
        return _measure(arrays, calibrator, metrics, resampling, digest)
    identities = [(name, _identity(metric)) for name, metric in metrics.items()]
    known = repr((_code(), _class_source(calibrator), digest, resampling, identities))
    path = Path(cache_folder) / f"{hashlib.sha256(known.encode()).hexdigest()}.json"
    if path.exists():
        try:
            return unsealed(*CACHED, json.loads(path.read_bytes()))["rows"]
        except (ValueError, RecursionError) as error:
            warnings.warn(f"cache_folder: {path.name} is computed again: {error}", stacklevel=2)
    rows = _measure(arrays, calibrator, metrics, resampling, digest)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(sealed(*CACHED, {"rows": rows})).encode())
    return rows


def _measure(arrays, calibrator, metrics, resampling, digest):
    logits, y, test_logits, test_y = arrays
    try:
        y_true, y_prob = _predict(calibrator, logits, y, test_logits, test_y)
    except ConvergenceError as error:
        return [(name, np.nan, np.nan, np.nan, str(error)) for name in metrics]
    return [
        (name, *_value(metric, y_true, y_prob, resampling, digest))
        for name, metric in metrics.items()
    ]


def _predict(calibrator, logits, y, test_logits, test_y):
    """Return what metrics take: labels and probabilities, or hits and scores."""
    if calibrator is None:
        return test_y, softmax(test_logits)
    fitted = clone(calibrator).fit(logits, y)
    if isinstance(fitted, ViewCalibrator):
        return fitted.predict_pairs(test_logits, test_y)[::-1]
    return test_y, fitted.predict_proba(test_logits)


def _value(metric, y_true, y_prob, resampling, digest):
    n_resamples, confidence_level, seed = resampling
    metric, options = unwrapped(metric)
    try:
        if n_resamples == 0:
            return float(metric(y_true, y_prob, **options)), np.nan, np.nan, ""
        estimate = bootstrap(
            metric,
            y_true,
            y_prob,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            rng=np.random.default_rng([seed, int(digest[:16], 16)]),
            **options,
        )
    except ValueError as error:
        return np.nan, np.nan, np.nan, str(error)
    return estimate.value, estimate.low, estimate.high, ""


def _digest(arrays, text):
    digest = hashlib.sha256(text.encode())
    for array in map(np.ascontiguousarray, arrays):
        digest.update(f"{array.dtype}{array.shape}".encode())
        digest.update(array)
    return digest.hexdigest()


@cache
def _code():
    """Return a hash of the code that results depend on."""
    folder = Path(__file__).parent
    files = sorted(file for name in SOURCES for file in folder.glob(f"{name}.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _class_source(calibrator):
    """Return the source of a calibrator's class where it is not part of calib."""
    if calibrator is None or type(calibrator).__module__.startswith("calib."):
        return ""
    return inspect.getsource(type(calibrator))


def _identity(metric):
    """Return a text that changes with what a metric computes."""
    function, options = unwrapped(metric)
    try:
        if inspect.getfile(function) == "<string>":
            raise OSError("evaluated from a string")
        source = inspect.getsource(function)
    except (OSError, TypeError):
        raise ValueError(
            f"metrics: the source of {function!r} is not known, so its results cannot be cached"
        ) from None
    held = [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
    return repr((function.__module__, function.__qualname__, source, held, sorted(options.items())))
