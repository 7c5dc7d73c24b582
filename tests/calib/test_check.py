"""Checks: what is let through, and what every error names."""

from functools import partial
from inspect import signature

import numpy as np
import pytest
from errors import message
from hypothesis import given, settings
from hypothesis import strategies as st

import calib
from calib import check


def test_the_sum_of_a_row_may_be_off_by_the_tolerance_of_its_type():
    p = np.array([[0.5, 0.495]])
    for half in (p.astype(np.float16), np.float32([[0.5, 0.5]])):
        assert check.probabilities(half) is half
    assert "sums to 0.995" in message(check.probabilities, p)
    assert check.probabilities(p, atol=0.01) is p
    error = message(check.probabilities, [[0.5, 0.5000001]], atol=1e-8)
    assert "row 0 sums to 1.0000001, expected 1 within 1e-08" in error
    p = np.full((100_000, 10), 0.1, np.float32)
    p[77_777, 3] = 0.2
    assert "row 77777 sums to 1.1" in message(check.probabilities, p)


REFUSED = {
    check.probabilities: [
        (
            [[0.5, 0.5], [0.5, 0.41]],
            "y_prob: row 1 sums to 0.91, expected 1 within 0.0001",
        ),
        ([[0.5, 0.5], [1.5, -0.5]], "y_prob: row 1 holds -0.5 in column 1"),
        ([[0.5, 0.5], [np.nan, 0.5]], "y_prob: row 1 holds nan in column 0"),
        ([[np.inf, 0.5]], "y_prob: row 0 sums to inf"),
        ([[3.0, -1.0]], "softmax turns logits into probabilities"),
        ([0.5, 0.5], "y_prob: shape (2,)"),
        ([[1.0], [1.0]], "y_prob: shape (2, 1)"),
        ([[0.5, 0.5], [1.0]], "y_prob: not an array of numbers"),
        ([["a", "b"]], "y_prob: an array of type <U1"),
        ([[0.5 + 1j, 0.5]], "y_prob: an array of type complex128"),
        (None, "y_prob: an array of type object"),
        (np.ma.masked_array([[0.5, 0.5]], [[True, False]]), "y_prob: a masked array"),
    ],
    partial(check.labels, n_classes=3, n=3): [
        ([0, 1234567, 1], "y_true: row 1 is 1234567, expected an integer from 0 to 2"),
        ([[0], [1], [2]], "y_true: shape (3, 1), expected (3,)"),
        ([0, 1], "y_true: shape (2,), expected (3,)"),
        ([], "y_true: shape (0,), expected (3,)"),
        (["a", "b", "c"], "y_true: an array of type <U1"),
        ([0, 1, 10**30], "y_true: an array of type object"),
    ],
    partial(check.weights, n=2): [
        (
            [1.0, -2.0],
            "sample_weight: row 1 is -2, expected a finite number, not negative",
        ),
        ([1.0], "sample_weight: shape (1,), expected (2,)"),
    ],
    lambda pair: check.pairs(*pair): [
        (([0.5, 1.1], [0, 1]), "score: row 1 is 1.1, expected a number from 0 to 1"),
        (([0.5, 1.0], [0, 2]), "hit: row 1 is 2, expected 0 or 1"),
        (([0.5, 1.0], [1]), "hit: shape (1,), expected (2,)"),
        (([], []), "score: shape (0,), expected (n >= 1,)"),
        (([0.5, 1.0], [0, 1], [1, -2]), "sample_weight: row 1 is -2"),
    ],
    check.logit_rows: [
        ([[0.0, 1], [np.nan, 1]], "row 1 holds nan in column 0"),
        ([0.0, 1.0], "shape (2,)"),
    ],
}


@pytest.mark.parametrize("checked", REFUSED)
def test_what_is_refused(checked):
    for bad, words in REFUSED[checked]:
        assert words in message(checked, bad)


def test_labels_of_any_integer_type():
    for dtype in (bool, np.uint8, np.int32, np.float32):
        labels = check.labels(np.array([0, 1], dtype), 2)
        assert labels.dtype == np.int64 and labels.tolist() == [0, 1]


OTHERS = [calib.corp_decomposition, calib.murphy_decomposition, calib.psce_curve]


FULL = [
    metric.function for metric in calib.METRICS.values() if metric.reads == "vectors"
]


VIEWED = [
    metric.function for metric in calib.METRICS.values() if metric.reads == "pairs"
] + OTHERS


VIEWS = [calib.top_label, calib.one_vs_rest(1), calib.top_r(2), calib.within_top_r(2)]


@st.composite
def predictions(draw):
    """Good labels and probabilities: (y_true, y_prob)."""
    n, n_classes = draw(st.integers(1, 30)), draw(st.integers(2, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    p = rng.dirichlet(np.full(n_classes, draw(st.sampled_from([0.05, 1.0]))), n)
    return rng.integers(0, n_classes, n), p.astype(
        draw(st.sampled_from([np.float32, np.float64]))
    )


def spoil_labels(draw, y, p):
    bad, row = y.astype(float), draw(st.integers(0, len(y) - 1))
    bad[row] = draw(
        st.sampled_from([-1, p.shape[1], 0.5, np.nan, np.inf, -np.inf, 1e300])
    )
    return bad, p, "y_true", f"row {row} is {bad[row]:g}"


def spoil_entry(draw, y, p):
    row, column = draw(st.integers(0, len(y) - 1)), draw(st.integers(0, p.shape[1] - 1))
    p = p.copy()
    p[row, column] = draw(st.sampled_from([np.nan, -0.25, -np.inf]))
    return y, p, "y_prob", f"row {row} holds {p[row, column]:g} in column {column}"


def spoil_sum(draw, y, p):
    row, p = draw(st.integers(0, len(y) - 1)), p.copy()
    p[row] *= draw(st.sampled_from([0.0, 0.5, 0.999, 1.001, 3.0]))
    return y, p, "y_prob", f"row {row} sums to"


def spoil_whole(draw, y, p):
    """Logits, another shape, or what is no array of numbers."""
    hot, logits = np.eye(p.shape[1])[y], np.log(p + 0.1) * 3 - 1
    shapes = [
        p[:, :1],
        p[:, :, None],
        p[:0],
        p[:, :0],
        0.5,
        [[0.5, 0.5], [1.0]],
        logits,
    ]
    if draw(st.booleans()):
        return y, draw(st.sampled_from([*shapes, *JUNK])), "y_prob", ""
    shapes = [y[:-1], np.append(y, 0), y[:, None], hot, 0]
    return draw(st.sampled_from([*shapes, *JUNK])), p, "y_true", ""


JUNK = [None, "abc", {}, {1, 2}, object(), [["a", "b"]], [None], 1j, b"x", [10**400]]


SPOILS = [spoil_labels, spoil_entry, spoil_sum, spoil_whole]


drawn = settings(max_examples=100, deadline=None, derandomize=True)


@drawn
@given(st.data(), st.sampled_from(FULL + VIEWED + VIEWS), predictions())
def test_every_fault_is_named(data, function, good):
    y, p, name, words = data.draw(st.sampled_from(SPOILS))(data.draw, *good)
    text = message(function, y, p)
    assert text.startswith(f"{name}: ")
    assert words in text


@drawn
@given(st.data(), st.sampled_from(VIEWED), st.integers(1, 30))
def test_every_fault_of_pairs_is_named(data, function, n):
    rng = np.random.default_rng(data.draw(st.integers(0, 999)))
    pair = {"y_prob": rng.random(n), "y_true": rng.integers(0, 2, n).astype(float)}
    bad = {
        "y_prob": [-0.1, 1.1, np.nan, np.inf, -np.inf],
        "y_true": [-1, 2, 0.5, np.nan, np.inf],
    }
    name, row = data.draw(st.sampled_from(sorted(pair))), rng.integers(n)
    value = pair[name][row] = data.draw(st.sampled_from(bad[name]))
    assert message(function, **pair).startswith(
        f"{name}: row {row} is {value:g}, expected"
    )


@drawn
@given(st.data(), st.sampled_from(FULL + VIEWED), predictions())
def test_every_fault_of_weights_is_named_and_good_input_gives_a_number(
    data, function, good
):
    n, result = len(good[0]), function(*(a.tolist() for a in good))
    assert (
        not isinstance(result, float) or function is calib.nll or 0 <= result < np.inf
    )
    weights, row = np.ones(n), data.draw(st.integers(0, n - 1))
    weights[row] = data.draw(st.sampled_from([-1, np.nan, np.inf]))
    faults = [(weights, f"row {row} is {weights[row]:g}"), (np.zeros(n), "sum to 0")]
    faults += [(np.ones(n + 1), "shape"), ("heavy", "type")]
    weights, words = data.draw(st.sampled_from(faults))
    text = message(function, *good, sample_weight=weights)
    assert text.startswith("sample_weight: ")
    assert words in text


NONSENSE = {
    "n_bins": (0, -3, 1.5, "15", None, True),
    "closed": ("both", None, 1),
    "norm": ("l3", None, ["l1"]),
    "decay": (0, 1, -0.5, np.nan, "0.9", None),
    "threshold": (-0.1, np.nan, "0.01"),
    "average": ("n", None),
    "width": (-1, np.nan, "wide"),
    "bandwidth": (-1, np.nan, np.inf, "wide"),
    "strategy": (15, None),
    "bins": (15, "width"),
    "view": ("top_label", 3),
}


OPTIONS = [
    (function, name, value)
    for function in FULL + VIEWED
    for name in signature(function).parameters
    for value in NONSENSE.get(name, ())
]


@pytest.mark.parametrize(("function", "name", "value"), OPTIONS)
def test_every_fault_of_options_is_named(function, name, value):
    y, p = [0, 1], [[0.5, 0.5], [0.25, 0.75]]
    assert message(function, y, p, **{name: value}).startswith(f"{name}: ")


def test_pairs_are_of_one_type_with_and_without_weights():
    bare = check.pairs([0.5, 1], [0, 1])
    weighted = check.pairs([0.5, 1], [0, 1], [1, 2])
    assert isinstance(bare, check.Pairs) and bare.weight is None
    assert isinstance(weighted, check.Pairs) and weighted.weight.tolist() == [1, 2]
    assert weighted.hit.tolist() == [False, True]


def test_a_number_of_things_is_one_or_more_unless_less_is_allowed():
    assert check.count(1, "n_bins") == check.count(np.int64(1), "n_bins", high=1) == 1
    assert check.count(0, "n_bins", low=0) == 0
    for value, options, expected in (
        (0, {}, "at least 1"),
        (3, {"high": 2}, "from 1 to 2"),
        (1, {"low": 2}, "at least 2"),
    ):
        with pytest.raises(ValueError, match=f"n_bins: {value}, .*{expected}"):
            check.count(value, "n_bins", **options)


def test_kish_counts_equal_weights_as_they_are():
    assert check.sample_counts(np.full(5, 0.2), False).sum() == 5
    assert check.sample_counts(np.array([1.0, 1.0, 2.0]), False).sum() == pytest.approx(
        16 / 6
    )
    assert check.sample_counts(np.array([1.0, 1.0, 2.0]), True).sum() == 4
    assert check.sample_counts(None, False) is None


SCORE = np.linspace(0.1, 0.9, 30)
HIT, WEIGHT = SCORE > 0.4, np.arange(1.0, 31)
PAIRS = calib.Pairs(SCORE, HIT, WEIGHT)
VECTORS = calib.Vectors(HIT.astype(int), np.column_stack([1 - SCORE, SCORE]), WEIGHT)
WITHOUT_WEIGHTS = {
    "bootstrap": lambda: calib.bootstrap(calib.ece, PAIRS, SCORE, rng=0),
    "of vectors": lambda: calib.bootstrap(calib.nll, VECTORS, VECTORS.p, rng=0),
    "consistency": lambda: calib.consistency_test(calib.ece, PAIRS, SCORE, rng=0),
    "paired": lambda: calib.paired_difference(
        calib.ece, PAIRS, SCORE, SCORE, y_true_b=PAIRS, rng=0
    ),
    "spiegelhalter": lambda: calib.spiegelhalter_test(PAIRS, SCORE),
    "cumulative": lambda: calib.cumulative_test(PAIRS, SCORE),
}


@pytest.mark.parametrize("call", WITHOUT_WEIGHTS.values(), ids=WITHOUT_WEIGHTS)
def test_what_knows_no_weights_refuses_those_of_pairs_and_vectors(call):
    with pytest.raises(ValueError, match=r"y_true: (Pairs|Vectors) with"):
        call()


def test_what_would_not_be_looked_at_beside_pairs_is_refused():
    pairs = PAIRS._replace(weight=None)
    paired = partial(calib.paired_difference, calib.ece, pairs, SCORE, SCORE**2, rng=0)
    assert message(paired).startswith("y_true_b: None, expected the Pairs of b")
    second = calib.Pairs(SCORE**2, HIT)
    of_arrays = calib.paired_difference(calib.ece, HIT, SCORE, SCORE**2, rng=0)
    assert paired(y_true_b=second).value == of_arrays.value != 0
    view = calib.one_vs_rest(1)
    assert "beside Pairs" in message(calib.ks_error, pairs, SCORE, view=view)
    assert message(calib.nll, pairs, VECTORS.p).startswith("y_true: Pairs, expected")
    assert message(calib.ece, VECTORS, VECTORS.p).startswith("y_true: Vectors, expe")
    own = partial(calib.bootstrap, lambda y, p: 0.0, pairs, SCORE, rng=0)
    assert message(own).startswith("y_true: Pairs, which metrics of calib take")


@pytest.mark.parametrize("name", calib.METRICS)
def test_weights_of_pairs_and_vectors_are_those_of_arrays(name):
    metric = calib.METRICS[name]
    if metric.reads == "pairs":
        held, arrays = (PAIRS, SCORE), (HIT, SCORE)
    else:
        held, arrays = (VECTORS, VECTORS.p), (VECTORS.y, VECTORS.p)
    assert metric.function(*held) == metric.function(*arrays, sample_weight=WEIGHT)
    with pytest.raises(ValueError, match="sample_weight: given beside Pairs or Vec"):
        metric.function(*held, sample_weight=WEIGHT)


def test_scores_reach_from_zero_to_one():
    assert check.scores([0, 0.5, 1]).tolist() == [0, 0.5, 1]


def test_names_in_a_masked_array_of_which_nothing_is_masked_are_names():
    assert check.names(np.ma.array(["a", "b"]), "groups").tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("weight", "expected"),
    [(0.0, "more than zero"), (2 * check.HEAVIEST, "no weight above")],
)
def test_weights_are_neither_all_zero_nor_beyond_what_has_a_square(weight, expected):
    with pytest.raises(ValueError, match=rf"sum to .*, expected {expected}"):
        check.weights([weight, 0.0], 2)


def test_rows_of_bfloat16_sum_to_one_as_roughly_as_that_type():
    """Eight bits: it comes as float32 of which the last sixteen bits are zero."""
    p = np.full((40, 3), 1 / 3, np.float32)
    coarse = ((p.view(np.uint32) >> 16) << 16).view(np.float32)
    assert abs(coarse.sum(axis=1) - 1).max() > check.ATOL
    assert check.probabilities(coarse) is coarse
    for refused in (coarse * np.float32(0.99), coarse + np.float32(2e-4)):
        with pytest.raises(ValueError, match="row 0 sums to"):
            check.probabilities(refused)
