"""Of every public callable: the answer hangs on the numbers, not on how they come.

Containers, types and layouts in memory, the order of the samples, and weights for repetitions.
hypothesis draws the samples, seeded; `FUZZ_EXAMPLES` says how many.
"""

import dataclasses
import os
from numbers import Number

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from evidence.studies.software.bad_arguments import call_of, public, with_counts

mpl.use("Agg")
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "3"))
# a failure is shown as it was drawn: shrinking takes minutes
some = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
)

PICTURES = {"classwise_diagrams", "reliability_diagram", "reliability_plot"}
DRAW = {"bootstrap", "bootstrap_statistic", "consistency_band", "consistency_test"}
DRAW |= {"paired_difference"}
# What is called by numbers, files or folds.
NO_SAMPLES = {
    "equal_width",
    "equal_mass",
    "load_map",
    "save_map",
    "saved_fields",
    "make_report",
    "read",
}
NO_SAMPLES |= {"bootstrap_statistic", "held_out", "wilson_interval", "from_library"}
NO_SAMPLES |= {"drift_evidence", "labels_to_tell", "log_odds_shift", "offset_sequence"}
NAMES = [name for name in public() if name not in PICTURES | NO_SAMPLES]
# Why an answer may hang on the order of the samples.
ORDERED = {
    **dict.fromkeys(DRAW, "samples are drawn by their places"),
    **dict.fromkeys(("CrossValidated", "refine_parts"), "the folds go by the order"),
    "vector_error": "its folds are drawn by their places",
}
# Why a weight of two is not the sample twice.
UNREPEATED = {
    **dict.fromkeys(DRAW, "samples are drawn, not weights"),
    "CrossValidated": "a sample that comes twice may be in two folds",
    "kde_ece": "its bandwidth counts samples",
    "sweep_ece": "it tries at most as many bins as there are samples",
}
SORTED = {"risk_coverage"}  # one value a sample, in the order of the scores


seeds = st.integers(0, 2**32 - 1)
cases = st.tuples(st.sampled_from([61, 83]), st.integers(2, 3), seeds)


def samples(n, n_classes, seed):
    """Arguments of n samples by name, in sixteenths: with ties, and exact in any type."""
    rng = np.random.default_rng(seed)
    cuts = np.sort(rng.integers(0, 17, (n, n_classes - 1)), axis=1)
    shares = np.diff(cuts, axis=1, prepend=0, append=16)
    p = (shares + (shares == 0)) / (shares + (shares == 0)).sum(axis=1, keepdims=True)
    p = np.round(p * 64) / 64
    p[:, 0] += 1 - p.sum(axis=1)
    z = rng.integers(-24, 25, (n, n_classes)) / 8
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    y[:n_classes] = np.arange(n_classes)
    score = rng.integers(1, 16, n) / 16
    hit = rng.random(n) < score
    hit[:2] = False, True
    prior = np.arange(1, n_classes + 1)
    return {
        **{
            "y": y,
            "y_true": y,
            "logits": z,
            "probabilities": p,
            "y_prob": p,
            "y_prob_a": p,
        },
        **{
            "y_prob_b": np.roll(p, 1, axis=0),
            "score": score,
            "hit": hit,
            "p_true": score,
        },
        **{"groups": np.arange(n) % 3, "sets": p > 0.2},
        **{"sample_weight": rng.integers(0, 3, n) + (np.arange(n) < 8)},
        **{
            "priors": np.full(n_classes, 1 / n_classes),
            "new_priors": prior / prior.sum(),
        },
    }


def called(name, given_samples, change=lambda value: value, *, counts=False):
    """Call with samples, each of them changed, and return the numbers of the answer.

    `counts` says that weights are repetitions, to what would take them for weights alone.
    """
    function, good = call_of(name)
    if counts:
        good = with_counts(good)
    replaced = {key for key, value in good.items() if isinstance(value, np.ndarray)}
    arguments = good | {
        key: given_samples[key] for key in replaced & set(given_samples)
    }
    arguments |= {
        k: change(v) for k, v in arguments.items() if isinstance(v, np.ndarray)
    }
    answer = function(**arguments)
    if callable(answer):  # a view of the classes
        answer = answer(change(given_samples["y"]), change(given_samples["y_prob"]))
    return numbers(answer)


def numbers(answer):
    """Return the arrays of an answer, however it is made up."""
    if isinstance(answer, np.ndarray | Number):
        return [np.asarray(answer, float)]
    if dataclasses.is_dataclass(answer):
        answer = [getattr(answer, field.name) for field in dataclasses.fields(answer)]
    if isinstance(answer, dict):
        answer = list(answer.values())
    answers = answer if isinstance(answer, list | tuple) else []
    return [array for item in answers for array in numbers(item)]


def same(found, expected, rtol=1e-9):
    assert len(found) == len(expected) > 0
    for value, expected_value in zip(found, expected, strict=True):
        np.testing.assert_allclose(value, expected_value, rtol=rtol, atol=rtol)


def spread(array):
    """The same numbers, apart from each other in memory and not to be written."""
    twice = np.repeat(np.asfortranarray(array), 2, axis=0)[::2]
    twice.flags.writeable = False
    return twice


def framed(array):
    index = np.arange(len(array))[::-1] + 7
    make = pd.DataFrame if array.ndim == 2 else pd.Series
    return make(array, index=index)


def of_type(code):
    return lambda array: array.astype(code) if array.dtype.kind == "f" else array


@pytest.mark.parametrize("name", NAMES)
@some
@given(cases)
def test_containers_and_types_of_numbers(name, case):
    """Sums are taken in double precision whatever comes in; fits to single ones are a bit off."""
    data = samples(*case)
    exact = called(name, data)
    for change in (np.ndarray.tolist, framed, spread, of_type(np.longdouble)):
        same(called(name, data, change), exact, 1e-12)
    same(called(name, data, of_type(np.float32)), exact, 1e-5)


@pytest.mark.parametrize("name", [n for n in NAMES if n not in ORDERED])
@some
@given(cases, seeds)
def test_order_of_the_samples(name, case, seed):
    data, n = samples(*case), case[0]
    order = np.random.default_rng(seed).permutation(n)
    expected = called(name, data)
    if name not in SORTED:
        expected = [a[order] if a.shape[:1] == (n,) else a for a in expected]
    moved = {key: a[order] if len(a) == n else a for key, a in data.items()}
    same(called(name, moved), expected, 1e-6 if name[0].isupper() else 1e-9)


def takes_weights(name):
    return "sample_weight" in call_of(name)[1]


@pytest.mark.parametrize(
    "name", [n for n in NAMES if n not in UNREPEATED and takes_weights(n)]
)
@some
@given(cases)
def test_whole_weights_are_repetitions(name, case):
    data = samples(*case)
    n, times = len(data["y"]), data["sample_weight"]
    repeated = {
        k: np.repeat(a, times, axis=0) if len(a) == n else a for k, a in data.items()
    }
    repeated["sample_weight"] = None
    expected = called(name, repeated)
    weighted = called(name, data, counts=True)
    if name not in SORTED:
        weighted = [
            np.repeat(a, times, axis=0) if a.shape[:1] == (n,) else a for a in weighted
        ]
    same(weighted, expected, 1e-6 if name[0].isupper() else 1e-9)


def test_exceptions_are_of_callables_that_there_are():
    """A new callable is in none of these lists, so that every property is asked of it."""
    lists = [PICTURES, NO_SAMPLES, DRAW, SORTED, ORDERED, UNREPEATED]
    assert set().union(*lists) <= set(public())
