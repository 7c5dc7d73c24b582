"""Compute bad_arguments.csv: what comes of bad arguments to every public callable.

`python -m evidence.studies bad_arguments` from the root calls each of the library and the
application a hundred times. A callable is called by the names of its parameters: `GOOD` has a value
for each name. One of them is then replaced by a bad value. A new public callable whose required
parameters have no value here fails the tests. `wrong` is what is neither an answer nor an error of
our own; the first example of each is printed.
"""

import contextlib
import inspect
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

import matplotlib.pyplot as plt
import numpy as np

import calib
import calib_report
from evidence.rows import Row
from evidence.studies.parts.outcomes_of_calls import (
    HIT,
    RNG,
    SCORE,
    SEED,
    K,
    N,
    Y,
    Z,
    count_outcomes,
    judged,
    row_of_counts,
)

Arguments = dict[str, Any]  # by the names of parameters
N_CALLS = 100
P = calib.softmax(Z)
FITTED = calib.TemperatureScaling().fit(Z, Y)
GOOD = {
    "accuracy": RNG.random(5),
    "alpha": 0.1,
    "bins": calib.equal_width(5),
    "calibrator": calib.TemperatureScaling(),
    "error": RNG.random(5),
    "fitted": FITTED,
    "folds": calib.folds(N, 3),
    "groups": np.arange(N) % 4,
    "hit": HIT,
    "hits": 3,
    "k": 1,
    "logits": Z,
    "looks": [calib.look_sums(HIT, SCORE)] * 3,
    "metric": calib.ece,
    "n": N,
    "new_priors": np.full(K, 1 / K),
    "p_true": SCORE,
    "p_value": SCORE,
    "path": "map.json",
    "priors": np.bincount(Y, minlength=K) / N,
    "r": 2,
    "rng": 0,
    "sample_weight": RNG.integers(0, 4, N) + 1,
    "score": SCORE,
    "sets": P > 0.2,
    "source": None,
    "values": P,
    "statistic": lambda rows: SCORE[rows].mean(),
    "y": Y,
    "y_prob": P,
    "y_prob_a": P,
    "y_prob_b": np.roll(P, 1, axis=0),
    "y_true": Y,
}
QUICK = {"n_resamples": 20}  # options that make a call quick
# What is the business of matplotlib and of who looks on, and files that would stay.
NOT_ASKED = {"ax", "axes", "label", "output", "progress"}
INNER: dict[str, Any] = {
    "OneVsRest": calib.HistogramBinning(),
    "RankWise": calib.IsotonicCalibration(),
    "TopLabel": calib.PlattScaling(),
    "ScalingBinning": calib.PlattScaling(),
    "CrossValidated": calib.MatrixScaling(),
}
# Bases, what holds checked arrays, errors, numbers of folds, what tells a type of numbers, and
# what scikit-learn's checks ask.
APART = {"Calibrator", "ConvergenceError", "NotFittedError", "Pairs", "Vectors"}
APART |= {"folds", "shrink", "is_bfloat16"}
OF_REPORT = ("ModelOutputs", "make_report", "read")  # public in the application


class Raises:
    """An object that cannot be made an array."""

    shape = (120, 3)

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        raise KeyError("from __array__")

    def __len__(self) -> int:
        return self.shape[0]


SCALARS: list[Any] = [
    None, True, -1, 0, 1, 2, 1.5, -0.5, 1e-320, 1e300, 10**12, -(10**12), np.nan, np.inf, -np.inf,
    "", "a", "l1", b"x", [], [1], {}, (), set(), object(), 1j, np.float32(0.5), np.int64(3),
    np.array([0.5]), np.array(2), np.datetime64("2020"), Raises(), calib.ece, type,
]  # fmt: skip


def mangled(array: np.ndarray, rng: np.random.Generator) -> list[Any]:
    """Return an array, or what stands in its place, with something wrong or merely unusual."""
    flat = array.astype(float)
    at = tuple(int(rng.integers(size)) for size in array.shape)

    def put(value: float) -> np.ndarray:
        changed = flat.copy()
        changed[at] = value
        return changed

    return [
        put(np.nan), put(np.inf), put(-np.inf), put(-1), put(2), put(1e308), put(0.5), put(-1e-320),
        flat[:0], flat[:1], flat[:-1], np.concatenate([flat, flat]), flat[None], flat[..., None],
        flat.astype(object), flat.astype(str), flat.astype(complex), array.tolist(),
        [list(map(str, np.ravel(array)))], flat.astype(np.float16), flat.astype(np.float32),
        flat.astype(np.longdouble), (flat * 255).astype(np.uint8), flat > 0, flat[::-1],
        np.asfortranarray(flat), np.ma.masked_less(flat, 0.5), np.zeros_like(flat),
        np.ones_like(flat), flat * 1e308, flat * 1e-308, np.full_like(flat, 1e300), flat + 1e9,
        flat.astype(">f8"), flat.astype("datetime64[s]"), [flat.tolist(), [1]], [[1], [1, 2]],
        flat.reshape(-1), iter(flat.tolist()), memoryview(np.ascontiguousarray(flat)),  # type: ignore[arg-type]
    ]  # fmt: skip


def public() -> dict[str, Any]:
    """Return all public callables of the two products by name, but for results and errors."""
    functions = {name: getattr(calib, name) for name in calib.__all__}
    functions |= {name: getattr(calib_report, name) for name in OF_REPORT}
    return {
        name: function
        for name, function in functions.items()
        if callable(function) and not is_result(name, function) and name not in APART
    }


def is_result(name: str, function: Any) -> bool:
    """Tell whether a callable is a class of what functions return."""
    is_used = hasattr(function, "fit") or name in USES
    return inspect.isclass(function) and not is_used


def good_arguments(function: Callable[..., Any], **more: Any) -> Arguments:
    """Good arguments of a function by name; KeyError where one has no value."""
    arguments = {}
    for name, option in inspect.signature(function).parameters.items():
        several = option.kind in (option.VAR_KEYWORD, option.VAR_POSITIONAL)
        if several or name in {"self", *NOT_ASKED}:
            continue
        if (
            name in {"sample_weight", "rng", "y_prob", *QUICK}
            or option.default is option.empty
        ):
            arguments[name] = (
                QUICK[name] if name in QUICK else more.get(name, GOOD[name])
            )
        else:
            arguments[name] = more.get(name, option.default)
    return arguments


def read_outputs(**options: Any) -> tuple[Any, ...]:
    outputs = calib_report.ModelOutputs(**options)
    return outputs.prob, outputs.pairs, outputs.as_logits


def read(y: Any, logits: Any, source: Any, **options: Any) -> Any:
    return calib_report.read(
        {"y": y, "logits": logits} if source is None else source, **options
    )


def report(y: Any, logits: Any, source: Any, **options: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        source = {"y": y, "logits": logits} if source is None else source
        return calib_report.make_report(source, Path(folder) / "report.html", **options)


def saved(path: Any, fitted: Any, **options: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        calib.save_map(fitted, path, **options)
        return calib.load_map(path)


# How what is no plain function is used, and with what.
USES: dict[str, tuple[Callable[..., Any], Arguments]] = {
    "ModelOutputs": (read_outputs, {"y": Y, "logits": Z}),
    "load_map": (saved, {"path": "map.json", "fitted": FITTED}),
    "save_map": (saved, {**good_arguments(calib.save_map), "path": "map.json"}),
    "held_out": (
        lambda **arguments: list(calib.held_out(**arguments)),
        good_arguments(calib.held_out),
    ),
    "make_report": (
        report,
        {**good_arguments(calib_report.make_report), "y": Y, "logits": Z},
    ),
    "read": (read, {**good_arguments(calib_report.read), "y": Y, "logits": Z}),
}


def call_of(name: str) -> tuple[Callable[..., Any], Arguments]:
    """Return a function of keyword arguments, and good ones; KeyError where one is not known."""
    if name in USES:
        return USES[name]
    target = public()[name]
    if not isinstance(target, type):
        return target, good_arguments(target)
    return use_of_map(name, target)


def use_of_map(name: str, target: Any) -> tuple[Callable[..., Any], Arguments]:
    """Return what fits a map and applies it to what it was fitted to, and its good arguments."""
    options = good_arguments(
        target, **({"calibrator": INNER[name]} if name in INNER else {})
    )
    if name == "CrossValidated":
        options["grid"] = {"lam": [0.1, 1.0]}
    data = good_arguments(target.fit)

    def use(**arguments: Any) -> Any:
        fitted = target(**{option: arguments[option] for option in options})
        fitted.fit(**{option: arguments[option] for option in data})
        ways = ("predict_proba", "predict_score", "predict")
        predict = next(getattr(fitted, way) for way in ways if hasattr(fitted, way))
        more = {"rng": arguments["rng"]} if "rng" in data else {}
        return predict(arguments[next(iter(data))], **more)

    return use, options | data


def with_counts(arguments: Arguments) -> Arguments:
    """Return arguments that say, where it can be said, that weights are repetitions."""
    changed = dict(arguments)
    if "frequency_weights" in arguments:
        changed["frequency_weights"] = True
    inner: Any = arguments.get("calibrator")
    if hasattr(inner, "frequency_weights"):
        changed["calibrator"] = inner.__class__(frequency_weights=True)
    return changed


def bad_calls(
    name: str, rng: np.random.Generator
) -> Iterator[tuple[str, Callable[..., Any], Arguments]]:
    """Yield (what was replaced, function, arguments) without end."""
    function, arguments = call_of(name)
    names = sorted(arguments)
    while True:
        option = names[int(rng.integers(len(names)))]
        value = arguments[option]
        choices = SCALARS
        if isinstance(value, np.ndarray) and rng.random() < 0.8:
            with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
                choices = mangled(value, rng)
        yield (
            option,
            function,
            {**arguments, option: choices[int(rng.integers(len(choices)))]},
        )


def outcome(function: Callable[..., Any], arguments: Arguments) -> str:
    """Call a function with arguments that it must not change; return what `judged` finds."""
    before = {
        name: np.array(v) for name, v in arguments.items() if isinstance(v, np.ndarray)
    }
    verdict, _ = judged(lambda: function(**arguments))
    plt.close("all")
    for name, copy in before.items():
        if not np.array_equal(copy, arguments[name], equal_nan=copy.dtype.kind == "f"):
            verdict = f"{name} was changed"
    return verdict


def fuzz(name: str, n_calls: int, seed: int = 0) -> tuple[Counter[str], dict[str, str]]:
    """Call with bad arguments; return counts, and examples of what is wrong."""
    calls = bad_calls(name, np.random.default_rng([seed, *name.encode()]))
    outcomes = (
        (outcome(function, arguments), f"{option}={arguments[option]!r:.100}")
        for option, function, arguments in islice(calls, n_calls)
    )
    return count_outcomes(outcomes, ("returned", "refused"))


def rows() -> Iterator[Row]:
    plt.switch_backend("agg")
    for name in public():
        outcomes = fuzz(name, N_CALLS, SEED)
        yield row_of_counts(
            "callable", name, ("returned", "refused", "wrong"), outcomes
        )
