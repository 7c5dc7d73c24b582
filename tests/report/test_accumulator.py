"""Batches, merged in any order, give what all samples give at once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calib
import calib_report
from calib_report.sums import Accumulator, accumulate, fit_temperature

RNG = np.random.default_rng(0)
Z = 2 * RNG.standard_normal((900, 7))
Y = (Z + RNG.gumbel(size=Z.shape)).argmax(axis=1)
P = calib.softmax(1.7 * Z)
EXACT = {
    "accuracy": calib.accuracy,
    "NLL": calib.nll,
    "Brier": calib.brier,
    "top-1 Brier": calib.top1_brier,
    "ECE, 15 bins": calib.ece,
    "RMSCE": calib.rmsce,
    "MCE": calib.mce,
    "classwise ECE": calib.classwise_ece,
}


def of(rows):
    return Accumulator().update(Y[rows], P[rows])


def test_batches_give_what_all_samples_give():
    found = Accumulator()
    for start in range(0, 900, 128):
        found.update(Y[start : start + 128], P[start : start + 128])
    numbers = found.compute()
    for name, metric in EXACT.items():
        assert numbers[name] == pytest.approx(metric(Y, P), abs=1e-12), name
    chance = calib.error_if_calibrated(P.max(axis=1))
    assert numbers["ECE, 15 bins, if calibrated"] == pytest.approx(chance, rel=0.05)
    assert found.n == 900
    ks = calib.ks_error(Y, P)
    assert numbers["KS, at least"] - 1e-12 <= ks <= numbers["KS, at most"] + 1e-12
    assert numbers["KS, at most"] - numbers["KS, at least"] < 0.02


def test_confidences_above_one_by_rounding_count_as_they_do_in_the_metrics():
    p = np.float16([[1.005, 0.0], [1.005, 0.0], [0.75, 0.25]])
    numbers = Accumulator().update([0, 1, 0], p).compute()
    assert p.max() > 1
    for name, metric in EXACT.items():
        assert numbers[name] == pytest.approx(metric([0, 1, 0], p), abs=1e-12), name
    assert numbers["KS, at most"] >= calib.ks_error([0, 1, 0], p) - 1e-12


@given(st.lists(st.integers(0, 3), min_size=900, max_size=900), st.permutations(range(4)))
@settings(max_examples=20, deadline=None)
def test_merging_is_associative_and_in_any_order(process, order):
    process = np.array(process)
    parts = [np.flatnonzero(process == k) for k in order if (process == k).any()]
    left = of(parts[0])
    for rows in parts[1:]:
        left.merge(of(rows))
    right = of(parts[-1])
    for rows in parts[-2::-1]:
        right = of(rows).merge(right)
    for name, value in of(slice(None)).compute().items():
        assert left.compute()[name] == pytest.approx(value, abs=1e-12)
        assert right.compute()[name] == pytest.approx(value, abs=1e-12)


def bfloat16(p):
    """Round to bfloat16, as float32."""
    return ((p.astype("<f4").view("<u4") + 0x8000) & 0xFFFF0000).view("<f4")


def test_rows_of_bfloat16_are_taken_and_others_are_not():
    rounded = bfloat16(P)
    assert np.abs(rounded.sum(axis=1) - 1).max() > 1e-3
    found = Accumulator().update(Y, rounded).compute()
    assert found["NLL"] == pytest.approx(calib.nll(Y, P), abs=0.005)
    assert found["ECE, 15 bins"] == pytest.approx(calib.ece(Y, rounded), abs=1e-6)
    with pytest.raises(ValueError, match="row 0 sums to"):
        Accumulator().update(Y, P / 1.01)


@pytest.mark.parametrize("n_bins", [10, 20, 50])
def test_scores_on_an_edge_fall_where_they_do_in_one_call(n_bins):
    edge = np.arange(1, n_bins) / n_bins
    p, y = np.stack([edge, 1 - edge], axis=1), np.arange(n_bins - 1) % 2
    found = Accumulator(n_bins).update(y, p).compute()
    assert found[f"ECE, {n_bins} bins"] == pytest.approx(calib.ece(y, p, n_bins=n_bins))
    expected = calib.classwise_ece(y, p, n_bins=n_bins)
    assert found["classwise ECE"] == pytest.approx(expected, abs=1e-12)


def test_batches_whose_scores_lie_all_in_the_first_bin_count_in_fractions():
    flat = calib.softmax(0.3 * np.random.default_rng(1).standard_normal((50, 40)))
    y = np.arange(50) % 40
    batches = accumulate(np.split(y, 25), np.split(flat, 25))
    assert batches.compute()["classwise ECE"] == pytest.approx(calib.classwise_ece(y, flat))


def test_a_refused_batch_leaves_nothing():
    found = of(slice(0, 10))
    before = found.compute()
    with pytest.raises(ValueError):
        found.update([99], P[:1])
    assert found.compute() == before


BLOCKS = [slice(start, start + 200) for start in range(0, 900, 200)]
LOGITS = 1.7 * Z
Y_BLOCKS, LOGIT_BLOCKS = [Y[rows] for rows in BLOCKS], [LOGITS[rows] for rows in BLOCKS]


@pytest.mark.parametrize("masked", [False, True])
def test_the_temperature_of_blocks_is_that_of_all_samples(masked):
    z = LOGITS.copy()
    if masked:
        z[::3, 0] = np.where(Y[::3] == 0, z[::3, 0], -np.inf)
    found = fit_temperature([z[rows] for rows in BLOCKS], Y_BLOCKS, tol=1e-9)
    whole = calib.TemperatureScaling(tol=1e-9).fit(z, Y)
    assert found.temperature_ == pytest.approx(whole.temperature_, abs=1e-12)
    np.testing.assert_allclose(found.predict_proba(z), whole.predict_proba(z), atol=1e-12)
    assert found.gradient_norm_ < 1e-6 and found.n_iter_ >= 1
    right = np.flatnonzero(z.argmax(axis=1) == Y)[:5]  # of a first block no temperature is best
    rest = np.setdiff1d(np.arange(900), right)
    found = fit_temperature([z[right], z[rest]], [Y[right], Y[rest]], tol=1e-9)
    assert found.temperature_ == pytest.approx(whole.temperature_, abs=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Accumulator().compute(), "no samples yet"),
        (lambda: Accumulator().by_class(), "no samples yet"),
        (lambda: of([0]).update([0], [[0.5, 0.5]]), "2 classes, expected 7"),
        (lambda: of([0]).merge(Accumulator().update([0], [[0.5, 0.5]])), "2 classes, expected 7"),
        (lambda: of([0]).merge(Accumulator(n_bins=3)), "3 bins, expected 15"),
        (lambda: Accumulator().update([7], P[:1]), "row 0 is 7"),
        (lambda: Accumulator().update([0], Z[:1]), "row 0 holds"),
        (lambda: Accumulator().update([0, 1], [0.5, 0.5]), r"numpy\.column_stack\(\[1 - p, p\]\)"),
        (lambda: accumulate(Y_BLOCKS[1:], LOGIT_BLOCKS), "4 blocks, expected 5"),
        (lambda: accumulate([], []), "0 blocks, expected at least one"),
        (lambda: accumulate(Y_BLOCKS, iter(LOGIT_BLOCKS)), "y_prob: list_iterator, expec"),
        (lambda: fit_temperature(iter(LOGIT_BLOCKS), Y_BLOCKS), "logits: list_iterator, expected"),
        (lambda: fit_temperature(LOGIT_BLOCKS, (y for y in Y_BLOCKS)), "y: generator, expected"),
        (lambda: accumulate([Y], [P[:-1]]), r"y_true: shape \(900,\), expected \(899,\)"),
        (lambda: fit_temperature([P], [Y]), "these are probabilities"),
        (lambda: fit_temperature([P, P[:0], P], [Y, Y[:0], Y]), "these are probabilities"),
        (lambda: fit_temperature([Z[:0]], [Y[:0]]), "logits: no rows in any block"),
        (lambda: accumulate([Y[:0]], [P[:0]]).compute(), "no samples yet"),
        (lambda: Accumulator().update(Y[:1], P[:0]), r"y_prob: shape \(0, 7\)"),
        (lambda: of([0]).update(Y[:0], P[:0, :5]), "5 classes, expected 7"),
        (lambda: fit_temperature([Z, Z[:, :5]], [Y, Y % 5]), "5 classes, expected 7"),
        (lambda: fit_temperature([Z], [Y], max_iter=0), "max_iter: 0"),
    ],
)
def test_blocks_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_blocks_without_rows_change_nothing():
    none, p_none, z_none = Y[:0], P[:0], LOGITS[:0].astype(np.float32)
    found = accumulate([none, Y, none], [p_none, P, p_none])
    assert found.compute() == of(slice(None)).compute()
    found = fit_temperature([z_none, LOGITS, z_none], [none, Y, none], tol=1e-9)
    whole = calib.TemperatureScaling(tol=1e-9).fit(LOGITS, Y)
    assert found.temperature_ == pytest.approx(whole.temperature_, abs=1e-12)
    assert Accumulator().update(none, p_none).n_classes == 7
    whole = of(slice(None)).compute()
    for merged in (Accumulator().merge(of(slice(None))), of(slice(None)).merge(Accumulator())):
        assert merged.compute() == whole


def test_one_block_of_logits_may_look_like_probabilities():
    votes = np.random.default_rng(0).integers(0, 3, (300, 3)).astype(float)
    y = (2 * votes + np.random.default_rng(1).gumbel(size=votes.shape)).argmax(axis=1)
    assert (votes.sum(axis=1) == 1).any()
    found = fit_temperature(np.split(votes, 300), np.split(y, 300), tol=1e-9)
    whole = calib.TemperatureScaling(tol=1e-9).fit(votes, y)
    assert found.temperature_ == pytest.approx(whole.temperature_, abs=1e-9)


MASKED = np.ma.array(Y, mask=np.arange(900) > 5)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: Accumulator().update(MASKED, P), "y_true"),
        (lambda: accumulate([Y], [np.ma.array(P, mask=P < 0.1)]), "y_prob"),
        (lambda: fit_temperature([LOGITS], [MASKED]), "y"),
        (lambda: calib_report.read(P, y=Y, groups={"half": MASKED}), "groups"),
        (lambda: calib_report.read(P, y=Y, ids=MASKED), "ids"),
    ],
)
def test_masked_arrays_are_refused_by_name(call, name):
    with pytest.raises(ValueError, match=f"^{name}: a masked array"):
        call()


def test_blocks_without_a_best_temperature():
    with pytest.raises(calib.ConvergenceError, match="no temperature is best: stopped at T"):
        fit_temperature([[[4.0, 0.0]]] * 2, [[0]] * 2)


def test_dask_arrays_come_out_as_in_memory():
    array = pytest.importorskip("dask.array")
    y, p, z = (array.from_array(a, chunks=250) for a in (Y, P, LOGITS))
    found = accumulate(y, p.rechunk((250, 3))).compute()
    for name, metric in EXACT.items():
        assert found[name] == pytest.approx(metric(Y, P), abs=1e-12), name
    whole = calib.TemperatureScaling(tol=1e-9).fit(LOGITS, Y)
    found = fit_temperature(z, Y, tol=1e-9)
    assert found.temperature_ == pytest.approx(whole.temperature_, abs=1e-12)
    unknown = p[array.from_array(np.full(900, True), chunks=250)]  # of unknown length
    assert accumulate(array.from_array(Y, chunks=250), unknown).n == 900
