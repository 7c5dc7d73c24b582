"""Two models are matched, and compared in pairs."""

import numpy as np
import pytest
from tempered_models import outputs

import calib
import calib_report
from calib_report import compare
from calib_report.measuring.two_models import metric_difference
from calib_report.model_outputs import ModelOutputs


def test_a_common_floor_lets_no_better_model_look_worse():
    """A gives ten true classes nothing; B gives all of them at least as much as A."""
    y = np.arange(200) % 2
    right = np.where(np.arange(200) < 10, 0.0, 0.9)
    a = np.stack([right, 1 - right], axis=1)
    b = np.where(a == 0, 1e-9, a)
    b[:10, 1] = 1 - 1e-9
    first, second = (np.where(y[:, None] == 0, p, p[:, ::-1]) for p in (a, b))
    outputs = [calib_report.read({"y": y, "p": p}) for p in (first, second)]
    assert compare(*outputs)["NLL"]["difference"] <= 1e-9


def test_models_are_matched_by_ids_and_pairs_by_their_questions():
    rng = np.random.default_rng(5)
    n = 300
    source, order = outputs(2.0, n=n), rng.permutation(n)
    shuffled = {name: np.asarray(values)[order] for name, values in source.items()}
    names = np.arange(n)
    first = calib_report.read(source | {"id": names})
    rows = compare(first, calib_report.read(shuffled | {"id": names[order]}))
    assert {abs(row["difference"]) < 1e-12 for row in rows.values()} == {True}
    assert len(rows) > 15 and all({"low", "refused"} & {*row} for row in rows.values())
    with pytest.raises(ValueError, match="--ids NAME"):
        compare(first, calib_report.read(shuffled))
    with pytest.raises(ValueError, match="0 names in 'ids' are in both"):
        compare(first, calib_report.read(shuffled | {"id": names + n}))
    floats = names[order].astype(float)  # as pandas writes ids once one was missing
    rows = compare(first, calib_report.read(shuffled | {"id": floats}))
    assert {abs(row["difference"]) < 1e-12 for row in rows.values()} == {True}
    turned = source | {"logits": np.asarray(source["logits"])[:, ::-1], "id": names}
    turned = calib_report.read(turned, classes=first.class_names[::-1])
    assert compare(first, turned)["NLL"]["difference"] == pytest.approx(0)
    with pytest.raises(ValueError, match="cannot be paired"):
        compare(first, first.take(np.arange(9)).annotated(ids=None))
    score = rng.random(500)
    right, surer = rng.random((2, 500)) < score
    one = calib_report.read({"confidence": score, "correct": right.astype(int)})
    other = calib_report.read(
        {"confidence": score, "correct": (right | surer).astype(int)}
    )
    change = compare(one, other)["accuracy"]
    assert change["low"] > 0 and change["second"] == pytest.approx(
        (right | surer).mean()
    )


def test_names_that_are_numbers_in_one_file_and_text_in_the_other_are_the_same():
    source = outputs(2.0, n=300)
    first = calib_report.read(source | {"id": np.arange(300)})
    names = [str(row) for row in range(299)] + ["x299"]
    rows = compare(first, calib_report.read(source | {"id": np.array(names)}))
    assert rows["NLL"]["difference"] == 0


@pytest.mark.parametrize("seed", [-1, 1.5, None])
def test_a_seed_that_is_none_is_refused_before_a_metric_is(seed):
    same = ModelOutputs([0, 1], probabilities=[[0.5, 0.5], [0.2, 0.8]])
    with pytest.raises(ValueError, match=f"seed: {seed}, expected an integer"):
        compare(same, same, seed=seed)


def _metric_failing_in_draws(error):
    """Return a metric that is a number of the samples, and raises an error of samples drawn."""

    def metric(y_true, y_prob):
        if len(np.unique(y_prob)) < len(y_prob):
            raise error
        return 0.5

    return metric


@pytest.mark.parametrize("error", [ValueError("a fault"), TypeError("a fault")])
def test_what_is_no_lack_of_an_interval_is_raised(error):
    sides = (np.arange(50) % 2, np.linspace(0, 1, 50))
    with pytest.raises(type(error), match="a fault"):
        metric_difference(_metric_failing_in_draws(error), sides, sides)


def test_a_metric_without_an_interval_is_refused_and_keeps_its_numbers():
    sides = [(np.arange(50) % 2, np.linspace(0, end, 50)) for end in (0.5, 1)]
    row = metric_difference(calib.mce, *sides)
    first, second = (calib.mce(*side) for side in sides)
    assert (row["first"], row["second"]) == (first, second)
    assert row["difference"] == second - first and "low" not in row
    assert "no interval of a difference of mce" in row["refused"]
