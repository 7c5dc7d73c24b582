"""Two models are matched, and compared in pairs."""

import numpy as np
import pytest
from tempered_models import outputs

import calib
import calib_report
from calib_report import compare
from calib_report.measuring import two_models
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


N, NAMES = 300, np.arange(300)
SOURCE, ORDER = outputs(2.0, n=N), np.random.default_rng(5).permutation(N)
IN_ANOTHER_ORDER = {name: np.asarray(values)[ORDER] for name, values in SOURCE.items()}


@pytest.fixture(scope="module")
def named():
    """Outputs whose samples have ids."""
    return calib_report.read(SOURCE | {"id": NAMES})


# as pandas writes ids once one was missing, they are floats
@pytest.mark.parametrize("kind", [int, float])
def test_models_are_matched_by_ids(named, kind):
    again = calib_report.read(IN_ANOTHER_ORDER | {"id": NAMES[ORDER].astype(kind)})
    rows = compare(named, again)
    assert max(abs(row["difference"]) for row in rows.values()) < 1e-12
    assert len(rows) > 15 and all({"low", "refused"} & {*row} for row in rows.values())


@pytest.mark.parametrize(
    ("ids", "message"),
    [({}, "--ids NAME"), ({"id": NAMES + N}, "0 names in 'ids' are in both")],
)
def test_samples_that_nothing_matches_are_refused(named, ids, message):
    with pytest.raises(ValueError, match=message):
        compare(named, calib_report.read(IN_ANOTHER_ORDER | ids))


def test_two_numbers_of_samples_cannot_be_paired(named):
    few = named.take(np.arange(9)).annotated(ids=None)
    with pytest.raises(ValueError, match="300 rows of classes and 9 of classes cannot"):
        compare(named, few)


def test_classes_in_another_order_are_put_into_that_of_the_first(named):
    turned = SOURCE | {"logits": np.asarray(SOURCE["logits"])[:, ::-1], "id": NAMES}
    turned = calib_report.read(turned, classes=named.class_names[::-1])
    rows = compare(named, turned, resampled=())
    assert rows["NLL"]["difference"] == pytest.approx(0)


def test_each_of_two_models_has_answers_of_its_own():
    """Of one question the second may be right and the first wrong."""
    rng = np.random.default_rng(5)
    score = rng.random(500)
    right, surer = rng.random((2, 500)) < score
    first, second = (
        calib_report.read({"confidence": score, "correct": correct.astype(int)})
        for correct in (right, right | surer)
    )
    change = compare(first, second, resampled=())["accuracy"]
    assert change["low"] > 0
    assert change["second"] == pytest.approx((right | surer).mean())


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


@pytest.mark.parametrize(("most", "has_vectors"), [(6, True), (5, False)])
def test_errors_of_vectors_are_compared_up_to_so_many_numbers(
    most, has_vectors, monkeypatch
):
    monkeypatch.setattr(two_models, "MOST_NUMBERS", most)
    same = ModelOutputs([0, 1, 0], probabilities=[[0.5, 0.5], [0.2, 0.8], [0.9, 0.1]])
    rows = compare(same, same, resampled=["ece", "classwise_ece"])
    assert [name for name in rows if name not in two_models.MEANS] == (
        ["ECE", "classwise ECE"] if has_vectors else ["ECE"]
    )


def test_answers_have_no_vectors_to_compare():
    p = [[0.5, 0.5], [0.2, 0.8], [0.9, 0.1]]
    same = ModelOutputs([0, 1, 0], probabilities=p, task="pairs")
    rows = compare(same, same, resampled=["ece", "classwise_ece"])
    assert [name for name in rows if name not in two_models.MEANS] == ["ECE"]
