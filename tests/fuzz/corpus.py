"""Every public callable, what it is called with, and what that is replaced by.

A callable is called by the names of its parameters: `GOOD` has a value for each name. One of them
is then replaced by a bad value. A new public callable whose required parameters have no value here
fails the suite.
"""

import contextlib
import inspect
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
from cases import PUBLIC
from helpers import ROOT

import calib
import calib_report
from book.evidence.study import run_study

N, K = 60, 3
RNG = np.random.default_rng(0)
Z = 2 * RNG.standard_normal((N, K))
Y = (Z + RNG.gumbel(size=Z.shape)).argmax(axis=1)
P = calib.softmax(Z)
SCORE = RNG.random(N)
HIT = RNG.random(N) < SCORE
GOOD = {
    "accuracy": RNG.random(5),
    "alpha": 0.1,
    "calibrator": None,  # by class, below
    "error": RNG.random(5),
    "estimator": None,
    "gamma": 2.0,
    "groups": np.arange(N) % 4,
    "hit": HIT,
    "k": 1,
    "logits": Z,
    "metric": calib.ece,
    "new_priors": np.full(K, 1 / K),
    "p_true": SCORE,
    "priors": np.bincount(Y, minlength=K) / N,
    "r": 2,
    "hits": 3,
    "n": N,
    "p_value": SCORE,
    "statistic": lambda rows: SCORE[rows].mean(),
    "rng": None,  # a new generator for each call
    "sample_weight": RNG.integers(0, 4, N) + 1,
    "score": SCORE,
    "sets": P > 0.2,
    "y": Y,
    "y_prob": P,
    "y_prob_a": P,
    "y_prob_b": np.roll(P, 1, axis=0),
    "y_true": Y,
}
QUICK = {"n_resamples": 20}  # options that make a call quick
# Options whose values are the business of matplotlib, joblib or tqdm.
DRAWN = {"ax", "axes", "label", "progress", "n_jobs"}
# What functions return and raise; they are made here, and told as text.
RECORDS = {
    "Band": lambda: calib.consistency_band(SCORE),
    "Bins": lambda: calib.equal_mass(5)(SCORE, HIT),
    "CalibrationTest": lambda: calib.spiegelhalter_test(HIT, SCORE),
    "Decomposition": lambda: calib.murphy_decomposition(HIT, SCORE),
    "Estimate": lambda: calib.bootstrap(calib.ece, Y, P, rng=rng(), n_resamples=20),
    "GroupErrors": lambda: calib.group_errors(HIT, SCORE, np.arange(N) % 4),
    "PriorEstimate": lambda: calib.estimate_priors(P, np.full(K, 1 / K)),
    "RiskCoverage": lambda: calib.risk_coverage(Y, P),
}
INNER = {
    "OneVsRest": calib.HistogramBinning(),
    "RankWise": calib.IsotonicCalibration(),
    "TopLabel": calib.PlattScaling(),
    "TopR": calib.BetaCalibration(),
    "WithinTopR": calib.HistogramBinning(),
    "ScalingBinning": calib.PlattScaling(),
    "CrossValidated": calib.MatrixScaling(),
    "CalibratedModel": calib.TemperatureScaling(),
}


def rng():
    return np.random.default_rng(0)


OWN = {"TopR": {"r": 2}, "WithinTopR": {"r": 2}, "CrossValidated": {"grid": {"lam": [0.1, 1.0]}}}
ROOMS = ("calib", "calib_report", "book")
SECONDS = 5  # of processor time that no call may take


class Raises:
    """An object that cannot be made an array."""

    def __array__(self, *_, **__):
        raise KeyError("from __array__")

    def __len__(self):
        return N


SCALARS = [
    None, True, -1, 0, 1, 2, 1.5, -0.5, 1e-320, 1e300, 10**12, -(10**12), np.nan, np.inf, -np.inf,
    "", "a", "l1", b"x", [], [1], {}, (), set(), object(), 1j, np.float32(0.5), np.int64(3),
    np.array([0.5]), np.array(2), np.datetime64("2020"), Raises(), calib.ece, type,
]  # fmt: skip


def mangled(array, rng):
    """Return an array, or what stands in its place, with something wrong or merely unusual."""
    array = np.asarray(array)
    flat = array.astype(float)
    at = tuple(int(rng.integers(size)) for size in array.shape)

    def put(value):
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
        flat.reshape(-1), iter(flat.tolist()), memoryview(np.ascontiguousarray(flat)),
    ]  # fmt: skip


# What holds checked arrays, what draws numbers of folds, and what takes a statistic of rows.
APART = {"Pairs", "Vectors", "folds", "held_out", "shrink", "bootstrap_statistic"}


def public():
    """Return all public callables, by name."""
    found = {path.rpartition(".")[2]: value for path, value in PUBLIC.items()}
    return {name: value for name, value in found.items() if name not in APART}


def call_of(name):
    """Return a function of keyword arguments, and good ones; KeyError where one is not known."""
    target = public()[name]
    if name in RECORDS:
        held = vars(RECORDS[name]())
        given = {n: held[n] for n in inspect.signature(target).parameters if n in held}
        return lambda **fields: str(target(**fields)), given
    if name in OTHERS:
        return OTHERS[name]()
    if not inspect.isclass(target):
        options = dict(inspect.signature(target).parameters)
        needed = [n for n, p in options.items() if p.default is p.empty and p.kind != p.VAR_KEYWORD]
        given = {option: GOOD[option] for option in needed}
        extra = {option: QUICK[option] for option in options if option in QUICK}
        given |= {
            n: p.default for n, p in options.items() if p.default is not p.empty and n not in DRAWN
        }
        optional = {"sample_weight": GOOD["sample_weight"]} if "sample_weight" in options else {}
        if name in ("reliability_diagram", "reliability_plot"):
            optional |= {"y_prob": P}
        return target, given | extra | optional
    own = {**({"calibrator": INNER[name]} if name in INNER else {}), **OWN.get(name, {})}
    options = {n: p.default for n, p in inspect.signature(target).parameters.items()} | own
    return fitted_of(name, target, options)


def defaults(function):
    """The options of a function that have a default."""
    options = inspect.signature(function).parameters.items()
    return {n: p.default for n, p in options if p.default is not p.empty and n not in DRAWN}


def outputs():
    def use(**options):
        made = calib_report.ModelOutputs(**options)
        return made.prob, made.pairs, made.as_logits()

    return use, defaults(calib_report.ModelOutputs) | {"y": Y, "logits": Z, "calibration": None}


def accumulator():
    def use(n_bins, y_true, y_prob, other):
        own = calib_report.Accumulator(n_bins).update(y_true, y_prob)
        own.merge(
            calib_report.Accumulator(n_bins).update(y_true, y_prob) if other is None else other
        )
        return own.compute(), own.by_class()

    return use, {"n_bins": 15, "y_true": Y, "y_prob": P, "other": None}


def base():
    def use(**parameters):
        return calib.MatrixScaling().set_params(**parameters).get_params()

    return use, calib.MatrixScaling().get_params()


def reading():
    def use(source, y_array, logits, **options):
        return calib_report.read(
            {"y": y_array, "logits": logits} if source is None else source, **options
        )

    return use, defaults(calib_report.read) | {"source": None, "y_array": Y, "logits": Z}


def study():
    def use(predictions, logits, y, **options):
        if predictions is None:
            predictions = {"one": (logits, y, Z, Y)}
        return run_study(predictions, n_jobs=1, progress=False, **options)

    maps = {"none": None, "T": calib.TemperatureScaling()}
    data = {"predictions": None, "logits": Z, "y": Y, "calibrators": maps}
    return use, defaults(run_study) | data | {"metrics": {"ECE": calib.ece}}


def in_a_folder(function):
    """Call a function with the path of a file that is removed afterwards, unless told another."""

    def use(path, **options):
        with tempfile.TemporaryDirectory() as folder:
            with contextlib.chdir(folder):
                return function(Path(folder) / "file" if path is None else path, **options)

    return use


def page():
    def write(path, logits, y, **options):
        path = path.with_suffix(".html") if isinstance(path, Path) else path
        return calib_report.make_report({"y": y, "logits": logits}, path, **options)

    options = {n: v for n, v in defaults(calib_report.make_report).items() if n != "output"}
    return in_a_folder(write), options | {"path": None, "logits": Z, "y": Y}


def saving():
    def save(path, fitted, **options):
        calib.save_map(fitted, path, **options)

    fitted = calib.TemperatureScaling().fit(Z, Y)
    return in_a_folder(save), defaults(calib.save_map) | {"path": None, "fitted": fitted}


def loading():
    def load(path, of):
        if isinstance(path, Path):
            calib.save_map(of, path)
        return calib.load_map(path)

    return in_a_folder(load), {"path": None, "of": calib.TemperatureScaling().fit(Z, Y)}


OTHERS = {
    "Accumulator": accumulator,
    "Calibrator": base,
    "ConvergenceError": lambda: (
        lambda text, norm: str(calib.ConvergenceError(text, norm)),
        {"text": "it", "norm": 0.1},
    ),
    "ModelOutputs": outputs,
    "NotFittedError": lambda: (lambda text: str(calib.NotFittedError(text)), {"text": "it"}),
    "load_map": loading,
    "make_report": page,
    "read": reading,
    "run_study": study,
    "save_map": saving,
}


def fitted_of(name, target, options):
    """Return a function that makes an object of a class, and uses it."""
    if hasattr(target, "sample"):

        def use(n=20, rng=None, **parameters):
            return target(**parameters).sample(n, rng)

        return use, options | {"n": 20, "rng": None}
    if name == "CalibratedModel":
        from sklearn.linear_model import LogisticRegression

        options["estimator"] = LogisticRegression()

        def use(y, **parameters):  # the features are the classifier's to check
            return target(**parameters).fit(Z, y).predict_proba(Z)

        return use, options | {"y": Y}
    if issubclass(target, calib.maps.base.ScoreCalibrator):

        def use(score, hit, sample_weight, **parameters):
            return target(**parameters).fit(score, hit, sample_weight=sample_weight).predict(score)

        return use, options | {n: GOOD[n] for n in ("score", "hit", "sample_weight")}
    if name == "ConformalSets":

        def use(y_prob, y, sample_weight, rng=None, **parameters):
            fitted = target(**parameters).fit(y_prob, y, sample_weight, rng=rng)
            return fitted.predict(y_prob, rng=rng)

        data = {n: GOOD[n] for n in ("y_prob", "y", "sample_weight")}
        return use, options | data | {"rng": None}
    takes_weights = "sample_weight" in inspect.signature(target.fit).parameters

    def use(logits, y, sample_weight=None, **parameters):
        weights = {"sample_weight": sample_weight} if takes_weights else {}
        fitted = target(**parameters).fit(logits, y, **weights)
        for method in ("predict_proba", "predict_score", "predict_sets", "predict"):
            if hasattr(fitted, method):
                return getattr(fitted, method)(logits)
        return fitted

    weights = {"sample_weight": GOOD["sample_weight"]} if takes_weights else {}
    return use, options | {"logits": Z, "y": Y, **weights}


def bad_calls(name, rng):
    """Yield (what was replaced, function, arguments) without end."""
    function, good = call_of(name)
    names = sorted(good)
    while True:
        option = names[int(rng.integers(len(names)))]
        value = good[option]
        if isinstance(value, np.ndarray) and rng.random() < 0.8:
            with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
                choices = mangled(value, rng)
        else:
            choices = SCALARS
        arguments = dict(good)
        arguments[option] = choices[int(rng.integers(len(choices)))]
        if "rng" in good and option != "rng":
            arguments["rng"] = np.random.default_rng(0)
        yield option, function, arguments


def outcome(function, arguments):
    """Call a function; return "returned", "refused", or what is wrong with how it ended."""
    held = {name: np.array(v) for name, v in arguments.items() if isinstance(v, np.ndarray)}
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            function(**arguments)
        found = "returned"
    except (ValueError, TypeError, calib.ConvergenceError) as error:
        inner = traceback.extract_tb(error.__traceback__)[-1]
        ours = any(Path(inner.filename).is_relative_to(ROOT / room) for room in ROOMS)
        ours |= "sklearn" in inner.filename  # the classifier's own errors, see CalibratedModel
        found = "refused" if ours else f"foreign {type(error).__name__}: {str(error)[:80]}"
    except OSError as error:
        found = "refused" if error.filename is not None else f"foreign {type(error).__name__}"
    except Warning as warning:
        inner = traceback.extract_tb(warning.__traceback__)[-1]
        own = "sklearn" not in inner.filename
        found = f"warning: {str(warning)[:80]}" if own else "returned"
    except BaseException as error:
        found = f"foreign {type(error).__name__}: {str(error)[:80]}"
    finally:
        close_figures()
    if time.process_time() - start > SECONDS:
        found = f"took {time.process_time() - start:.0f} s"
    for name, copy in held.items():
        if not np.array_equal(copy, arguments[name], equal_nan=copy.dtype.kind == "f"):
            found = f"{name} was changed"
    return found


def close_figures():
    import matplotlib.pyplot as plt

    plt.close("all")


def fuzz(name, n_calls, seed=0):
    """Return how often each outcome came, and an example of each that is wrong."""
    rng = np.random.default_rng([seed, *name.encode()])
    counts, wrong = Counter(), {}
    calls = bad_calls(name, rng)
    for _ in range(n_calls):
        option, function, arguments = next(calls)
        found = outcome(function, arguments)
        counts[found if found in ("returned", "refused") else "wrong"] += 1
        if found not in ("returned", "refused"):
            wrong.setdefault(f"{option}: {found}", repr(arguments[option])[:100])
    return counts, wrong
