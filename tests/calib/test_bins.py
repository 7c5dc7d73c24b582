"""Bins against literal loops."""

import loops
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calib
from calib.bins import (
    NORMS,
    ClassEntries,
    between,
    group_tied,
    in_type_of,
    off_scores,
)
from calib.metrics import class_gaps, classwise_norm


@pytest.mark.parametrize("n_bins", [1, 3, 7, 10, 15, 49, 100])
@pytest.mark.parametrize("closed", ["right", "left"])
def test_scores_on_the_edges(n_bins, closed):
    edges = np.arange(n_bins + 1) / n_bins
    score = np.concatenate([edges, np.nextafter(edges, 0), np.nextafter(edges, 1)])
    bins = calib.equal_width(n_bins, closed)(score, np.zeros(len(score)))
    assert bins.assign(score).tolist() == [
        loops.width_bin(s, n_bins, closed) for s in score
    ]


@pytest.mark.parametrize("weight", [0.1, 1 / 3, 1e-9, 7.7e8])
def test_equal_weights_give_the_equal_mass_bins_of_none(weight):
    rng = np.random.default_rng(0)
    for n in (1, 15, 30, 150, 300, 30_000):
        score = rng.random(n).round(3) if n % 2 == 0 else rng.random(n)
        hit = rng.random(n) < score
        unweighted = calib.equal_mass(15)(score, hit)
        weighted = calib.equal_mass(15)(score, hit, np.full(n, weight))
        np.testing.assert_array_equal(weighted.edges, unweighted.edges)
        np.testing.assert_array_equal(weighted.count, unweighted.count)


@pytest.mark.parametrize("n_bins", [1, 2, 15, 1000])
@pytest.mark.parametrize("decimals", [2, 5, 17])
@pytest.mark.parametrize("a", [0.01, 1, 30])
def test_leading_bits_find_what_sorting_finds(n_bins, decimals, a):
    rng = np.random.default_rng(0)
    score = rng.beta(a, 1, 8000).round(decimals)
    score[:5] = [0.0, -0.0, 1.0, 1 + 1e-9, 5e-324]
    bins = calib.equal_mass(n_bins)(score, score > 0.5)
    last = [-(-m * len(score) // n_bins) - 1 for m in range(1, n_bins)]
    assert bins.edges[1:-1].tolist() == np.sort(score)[last].tolist()
    for binned in (bins, calib.equal_width(n_bins)(score, score > 0.5)):
        expected = np.searchsorted(binned.edges[1:-1], score)
        counts, hits, sums = (
            np.bincount(expected, weight, n_bins)
            for weight in (None, score > 0.5, score)
        )
        assert (
            binned.count.tolist() == counts.tolist()
            and binned.hit_sum.tolist() == hits.tolist()
        )
        np.testing.assert_allclose(binned.score_sum, sums, rtol=1e-11, atol=1e-12)
        weight = rng.integers(0, 4, len(score)).astype(float)
        heavy = calib.equal_mass(n_bins)(score, score > 0.5, weight)
        bin_of = heavy.assign(score)
        for totals, w in (
            (heavy.weight, weight),
            (heavy.hit_sum, weight * (score > 0.5)),
        ):
            np.testing.assert_allclose(
                totals, np.bincount(bin_of, w, n_bins), atol=1e-12
            )
        assert heavy.count.tolist() == np.bincount(bin_of, minlength=n_bins).tolist()
        table = score.reshape(80, 100)
        assert binned.assign(table).tolist() == expected.reshape(80, 100).tolist()
    closed_left = calib.equal_width(n_bins, "left")(score, score > 0.5)
    expected = np.searchsorted(closed_left.edges[1:-1], score, side="right")
    assert closed_left.assign(score).tolist() == expected.tolist()


def test_bins_by_hand():
    bins = calib.equal_width(2)([0.1, 0.3, 0.9], [0, 1, 1], [1, 2, 3])
    assert bins.count.tolist() == [2, 1]
    np.testing.assert_allclose(bins.weight, [3, 3])
    np.testing.assert_allclose(bins.mean_score, [0.7 / 3, 0.9])
    np.testing.assert_allclose(bins.mean_hit, [2 / 3, 1])
    np.testing.assert_allclose(bins.gap, bins.mean_hit - bins.mean_score)
    with pytest.raises(ValueError, match="score: row 1 is nan"):
        bins.assign([0.1, np.nan])
    single = np.float32([0.2])  # 0.200000003, which is 0.2 in its type
    assert calib.equal_width(5)(single, [1]).count.tolist() == [1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("norm", "expected"),
    [
        ("l1", (0.3 + 0.9) / 6),
        ("l2", np.sqrt((0.3**2 / 1 + 0.9**2 / 5) / 6)),
        ("max", 0.3),
    ],
)
def test_norms_are_of_gaps_of_either_sign_and_leave_out_empty_bins(norm, expected):
    gap_sum, weight = np.array([0.3, 0.0, -0.9]), np.array([1.0, 0.0, 5.0])
    for sign in (1, -1):
        assert NORMS[norm](sign * gap_sum, weight) == pytest.approx(expected)


@pytest.mark.parametrize("n_bins", [1, 4, 15])
def test_sums_of_class_entries_are_those_of_each_class_by_itself(n_bins):
    """But in the first bin, where the sum of all bins stands; the last ones may be empty."""
    rng = np.random.default_rng(0)
    y, p, weight = (
        rng.integers(3, size=40),
        rng.dirichlet([4, 4, 1], 40),
        rng.random(40),
    )
    sums = class_gaps(p, calib.equal_width(n_bins))(y, weight)
    for k in range(3):
        pairs = loops.one_vs_rest(y, p, k)
        expected = [gap for _, gap in loops.width_gaps(pairs, n_bins, weights=weight)]
        expected[0] = sum(expected)
        np.testing.assert_allclose(sums[k], expected, atol=1e-12)


@pytest.mark.parametrize("closed", ["right", "left"])
@pytest.mark.parametrize("narrow", [np.float64, np.float32, np.float16])
def test_an_entry_on_an_edge_lies_in_the_bin_that_is_closed_there(closed, narrow):
    """Of five bins, 0.2 of class 0 is on the first edge and 0.8 of class 1 on the last."""
    p = np.array([[0.2, 0.8]], narrow)
    entries = calib.equal_width(5, closed).class_entries(p)
    later = [number for number in entries.class_bin.tolist() if number % 5]
    # from 0, and the five of class 0 before those of class 1
    expected = {"right": [5 + 3], "left": [0 + 1, 5 + 4]}
    assert later == expected[closed]


def test_the_first_bin_is_set_apart_in_a_copy():
    """Sums may be read again: a norm taken twice of them is the same number."""
    y, p = np.array([0, 1, 1]), np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    gaps = class_gaps(p, calib.equal_width(4))(y, np.ones(3))
    before = gaps.copy()
    norms = [classwise_norm(gaps, 3.0) for _ in range(2)]
    assert norms == [pytest.approx(calib.classwise_ece(y, p, n_bins=4))] * 2
    np.testing.assert_array_equal(gaps, before)
    apart = ClassEntries.first_bin_apart(gaps)
    np.testing.assert_allclose(apart.sum(axis=1), gaps[:, 0], atol=1e-15)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=20, unique=True))
def test_edges_lie_between(values):
    values = np.sort(values)
    edges = between(values[:-1], values[1:])
    assert ((values[:-1] <= edges) & (edges < values[1:])).all()


@pytest.mark.parametrize(
    ("score", "moved"),
    [
        ([0.1, 0.5, 0.9], 0.625),  # half way to the middle of the bin, 0.75
        ([0.1, 0.5, 0.6], 0.55),  # half way to the next score
        ([0.1, 1 - 0.5 * (1 + 1e-16), 0.6], 0.55),
        ([0.1, 0.4, 0.6], 0.5),
        ([0.1, 0.5], 0.625),
        ([1.0], 0.5),
    ],
)
def test_an_edge_moves_off_the_score_that_lies_on_it(score, moved):
    edges = off_scores(np.array(score), calib.equal_width(2).edges)
    np.testing.assert_allclose(edges, [0, moved, 1], rtol=1e-14)


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 15), min_size=1, max_size=30), st.sampled_from([3, 5, 15])
)
def test_moved_edges_change_no_bin_of_their_own_scores(votes_of_each, n_bins):
    score = np.array(votes_of_each) / 15
    edges = calib.equal_width(n_bins).edges
    nominal = np.searchsorted(edges[1:-1] * (1 + 1e-12), score)
    for narrow in (np.float64, np.float32, np.float16):
        stored = score.astype(narrow).astype(np.float64)
        moved = off_scores(stored, edges)
        assert (np.diff(moved) > 0).all()
        np.testing.assert_array_equal(np.searchsorted(moved[1:-1], stored), nominal)
        np.testing.assert_array_equal(
            np.searchsorted(in_type_of(stored, edges)[1:-1], stored), nominal
        )
        assert not np.isin(moved[1:-1], stored).any()


@pytest.mark.parametrize("weight", [None, np.ones(4)])
def test_scores_that_differ_by_rounding_are_one_score(weight):
    """0.2 and 1 - 0.8 are two floats next to each other; 0.2 + 1e-12 is another number."""
    score = np.array([0.2, 1 - 0.8, 0.2 + 1e-12, 0.7])
    assert len(np.unique(score)) == 4
    distinct, total, hits = group_tied(score, np.array([1, 1, 0, 1], bool), weight)
    assert distinct.tolist() == [min(0.2, 1 - 0.8), 0.2 + 1e-12, 0.7]
    assert (total.tolist(), hits.tolist()) == ([2, 1, 1], [2, 0, 1])
