"""Values that once gave a wrong number, a foreign error or a machine without memory."""

import time

import numpy as np
import pytest

import calib
from calib import simulate
from calib.plots import classwise_diagrams, ece_against_bins
from calib.study import run_study

RNG = np.random.default_rng(0)
Z = 2 * RNG.standard_normal((200, 3))
Y = (Z + RNG.gumbel(size=Z.shape)).argmax(axis=1)
P = calib.softmax(Z)
SCORE = RNG.random(200)
HIT = RNG.random(200) < SCORE


class Raises:
    def __array__(self, *_, **__):
        raise KeyError("from __array__")


def own_metric(y_true, y_prob):
    return float(np.mean(y_prob[:, 0]))


def not_a_number(y_true, y_prob):
    return np.nan


REFUSED = {
    "a billion bins": (lambda: calib.ece(HIT, SCORE, n_bins=10**9), "n_bins: 1000000000, expected"),
    "a billion bins of equal mass": (lambda: calib.equal_mass(10**9), "n_bins: 1000000000"),
    "equal_mass without a number": (
        lambda: calib.calibration_error(HIT, SCORE, bins=calib.equal_mass),
        "bins: <function equal_mass",
    ),
    "equal_width without a number": (
        lambda: calib.reliability_diagram(HIT, SCORE, bins=calib.equal_width),
        "bins: <function equal_width",
    ),
    "weights that no sample has": (
        lambda: calib.BBQ().fit(SCORE, HIT, sample_weight=np.full(200, 1e90)),
        "sample_weight: the weights stand for",
    ),
    "weights beyond all numbers": (
        lambda: calib.BBQ().fit(SCORE, HIT, sample_weight=np.full(200, 1e300)),
        "sample_weight: the weights sum to",
    ),
    "an error inside __array__": (lambda: calib.ece(Raises(), SCORE), "y_true: not an array"),
    "mismatched lengths": (
        lambda: calib.bootstrap(own_metric, Y[:5], P, rng=np.random.default_rng(0)),
        "y_prob: 200 rows, expected 5 as in y_true",
    ),
    "a metric that is not a number": (
        lambda: calib.bootstrap(not_a_number, Y, P, rng=np.random.default_rng(0)),
        "metric: not_a_number is not a number",
    ),
    "no classes to draw": (lambda: classwise_diagrams(Y, P, classes=[]), "classes: none"),
    "one number of bins": (lambda: ece_against_bins(Y, P, n_bins=5), "n_bins: 5, expected numbers"),
    "no numbers of bins": (lambda: ece_against_bins(Y, P, n_bins=[]), "n_bins: .*expected numbers"),
    "a score that is not a number": (
        lambda: simulate.BetaDistorted().hit_probability([0.5, np.nan]),
        "score: row 1 is nan",
    ),
    "what is no accumulator": (lambda: calib.Accumulator().merge(3), "other: int, expected an"),
    "a batch that is no array": (lambda: calib.Accumulator().update(Raises(), P), "not an array"),
    "classes before any batch": (lambda: calib.Accumulator().n_classes, "no samples yet"),
    "errors before any batch": (lambda: calib.Accumulator().by_class(), "no samples yet"),
    "a group without a name": (
        lambda: calib.group_errors(HIT, SCORE, [*"ab" * 99, "a", None]),
        "groups: row 199 is None",
    ),
    "masked groups": (
        lambda: calib.group_errors(HIT, SCORE, np.ma.masked_equal(np.arange(200) % 3, 1)),
        "groups: a masked array",
    ),
    "a coverage of none": (
        lambda: calib.risk_coverage(HIT, SCORE).risk_at(0),
        "coverage: 0, expected a share above 0",
    ),
    "percent signs": (
        lambda: calib.read({"y": [0, 1], "probs": [["90%", "10%"], ["0.1", "0.9"]]}),
        "scores: row 0 holds '90%', expected numbers",
    ),
    "a verdict that is blank": (
        lambda: calib.read({"confidence": [0.9, 0.5], "correct": np.array(["", "yes"])}),
        "row 0: '' says neither right nor wrong",
    ),
    "a map that is none": (lambda: calib.save_map(3, "map.npz"), "int is not a map of calib"),
    "a path that is none": (lambda: calib.load_map(3), "path: 3, expected the path of a file"),
    "names of fewer classes": (
        lambda: calib.save_map(calib.TemperatureScaling().fit(Z, Y), "map.npz", classes=["a"]),
        "classes: 1 different names for 3 classes",
    ),
    "a task that is none": (
        lambda: calib.ModelOutputs(Y, logits=Z, task="l1"),
        "task: 'l1', expected one of",
    ),
    "groups of fewer samples": (
        lambda: calib.ModelOutputs(Y, logits=Z, groups={"ward": [1, 2]}),
        r"ward: shape \(2,\), expected \(200,\)",
    ),
    "studies of no predictions": (
        lambda: run_study([Z], {"none": None}, {"ECE": calib.ece}),
        "predictions: list, expected a dict by name",
    ),
    "a single score": (lambda: calib.read({"logits": np.inf, "y": Y}), "scores: inf, expected"),
    "a path without a name": (lambda: calib.load_map(""), "path: '', expected the path of a file"),
    "labels in no file": (
        lambda: calib.read({"logits": Z}, labels=3),
        "labels: 3, expected the path of a file",
    ),
    "a flag that is none": (
        lambda: calib.read({"logits": Z, "y": Y}, multilabel="no"),
        "multilabel: 'no', expected True or False",
    ),
    "a score above one": (
        lambda: simulate.LabelNoise().hit_probability(2.0),
        "score: row 0 is 2",
    ),
}


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=REFUSED)
def test_is_refused_by_name(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_scores_that_rounding_puts_above_one_have_a_smooth_ece():
    assert calib.smooth_ece([0], [1.00005]) == pytest.approx(calib.smooth_ece([0], [1.0]), abs=1e-4)


def test_all_answers_kept_have_the_risk_of_all():
    assert calib.risk_coverage(HIT, SCORE).risk_at(1.0) == pytest.approx(1 - HIT.mean())


def test_heavy_weights_do_not_make_bbq_slow():
    start = time.process_time()
    heavy = calib.BBQ().fit(SCORE, HIT, sample_weight=np.full(200, 1e6))
    assert time.process_time() - start < 3
    assert len(heavy.n_bins_) <= 1000


def test_no_weights_may_be_said_twice():
    once = calib.bootstrap(calib.nll, Y, P, n_resamples=50, rng=np.random.default_rng(0))
    said = calib.bootstrap(
        calib.nll, Y, P, n_resamples=50, rng=np.random.default_rng(0), sample_weight=None
    )
    assert once == said


@pytest.mark.parametrize("method", ["basic", "percentile"])
def test_an_infinite_loss_has_an_infinite_interval(method):
    p = np.array(P)
    p[3] = np.eye(3)[(Y[3] + 1) % 3]
    found = calib.bootstrap(
        calib.nll, Y, p, n_resamples=50, method=method, rng=np.random.default_rng(0)
    )
    assert (found.value, found.low, found.high) == (np.inf, np.inf, np.inf)
    assert np.isnan(found.standard_error)


STUDY = ({"a": (Z, Y, Z, Y)}, {"none": None}, {"ECE": calib.ece})


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"seed": -1, "n_resamples": 20}, "seed: -1"),
        ({"confidence_level": 95, "n_resamples": 20}, "confidence_level: 95"),
        ({"seed": 1.5}, "seed: 1.5"),
    ],
)
def test_options_of_a_study_are_checked(option, message):
    with pytest.raises((ValueError, TypeError), match=message):
        run_study(*STUDY, n_jobs=1, progress=False, **option)


def changed(content):
    return content.replace(b"0.", b"0.9", 1)


DAMAGES = {
    "cut": lambda content: content[:40],
    "empty": lambda content: b"",
    "other values": changed,
    "other form": lambda content: b'[["ECE", 0.5, 0.4, 0.6, ""]]',
    "not text": lambda content: b"\xff" + content,
    "deep": lambda content: b"[" * 100_000,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_cache_is_computed_again_and_says_so(tmp_path, damage):
    first = run_study(*STUDY, n_jobs=1, progress=False, cache_folder=tmp_path)
    (entry,) = tmp_path.iterdir()
    written = entry.read_bytes()
    entry.write_bytes(damage(written))
    with pytest.warns(UserWarning, match="is computed again"):
        again = run_study(*STUDY, n_jobs=1, progress=False, cache_folder=tmp_path)
    assert again.equals(first) and entry.read_bytes() == written


def test_a_cache_that_is_whole_is_trusted(tmp_path):
    first = run_study(*STUDY, n_jobs=1, progress=False, cache_folder=tmp_path)
    assert run_study(*STUDY, n_jobs=1, progress=False, cache_folder=tmp_path).equals(first)


@pytest.mark.slow
def test_a_wide_csv_is_read_quickly(tmp_path):
    from calib.reading import read

    names = ",".join(f"class{k}" for k in range(20_000))
    (tmp_path / "wide.csv").write_text(f"y,{names}\n0" + ",0.5" * 20_000)
    start = time.process_time()
    assert read(tmp_path / "wide.csv", kind="logits").known.shape == (1, 20_000)
    assert time.process_time() - start < 3


def test_metrics_as_json_are_json(tmp_path, capsys):
    import json

    from calib.__main__ import main

    p = np.array(P)
    p[3] = np.eye(3)[(Y[3] + 1) % 3]
    np.savez(tmp_path / "a.npz", y=Y, probabilities=p)
    assert main(["metrics", str(tmp_path / "a.npz"), "--json"]) == 0
    printed = capsys.readouterr().out

    def refuse(word):
        raise AssertionError(word)

    assert json.loads(printed, parse_constant=refuse)["NLL"]["value"] is None
