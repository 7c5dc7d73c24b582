"""Situations in which files, or what options made of them, are easily read as something else.

Each is made anew, small. What may be read wrongly is refused, or proposed rightly first.
"""

import json

import numpy as np
import pandas as pd
import pytest

import calib
import calib_report
from calib_report.commands.main import main
from calib_report.contract import ReadingError

N = 400
RNG = np.random.default_rng(7)
D = 2 * RNG.normal(size=N) + 1
Y = (RNG.random(N) < 1 / (1 + np.exp(-D))).astype(int)
P = 1 / (1 + np.exp(-1.8 * D))
SURE, HIT = np.maximum(P, 1 - P), ((P > 0.5) == Y).astype(int)
Z = 2 * RNG.normal(size=(N, 3))
K = (Z + RNG.gumbel(size=Z.shape)).argmax(axis=1)
GRADE = np.clip((5 * SURE).round(), 1, 5).astype(int)


def first(columns, **said):
    """Return the first proposal: the options that it adds, and its outputs."""
    reading = calib_report.propose(pd.DataFrame(columns), **said)[0]
    return reading.options.changed(), reading.outputs


def is_event(outputs, y, p):
    assert outputs.task == "classes"
    np.testing.assert_array_equal(outputs.y, y)
    np.testing.assert_allclose(outputs.prob[:, 1], p, atol=1e-9)


def is_stated(outputs, hit, confidence):
    assert outputs.task == "pairs"
    np.testing.assert_array_equal(outputs.y, hit)
    np.testing.assert_allclose(outputs.prob[:, 1], confidence, atol=1e-9)


class TestOneColumn:
    """One column of scores beside labels 0 and 1."""

    def test_of_the_other_label(self):
        options, outputs = first({"label": 1 - Y, "p": P})
        assert options["positive"] == "0"
        is_event(outputs, Y, P)

    def test_of_the_prediction(self):
        columns = {"label": Y, "prediction": (P > 0.5).astype(int), "probability": SURE}
        is_stated(first(columns)[1], HIT, SURE)

    @pytest.mark.parametrize("value", [-1, -999])
    def test_with_a_sentinel(self, value):
        with pytest.raises(
            ReadingError, match=f"row 0 holds {value}, expected a probability"
        ):
            calib_report.propose(
                pd.DataFrame({"label": Y, "score": np.r_[value, P[1:]]})
            )

    def test_below_zero_by_rounding(self):
        is_event(
            first({"label": Y, "score": np.r_[-1e-9, P[1:]]})[1], Y, np.r_[0, P[1:]]
        )

    def test_beside_labels_that_are_empty(self):
        label = np.where(np.arange(N) % 9 == 0, "NA", np.where(Y == 1, "sick", "well"))
        with pytest.raises(ReadingError, match="--leave-out-empty label"):
            calib_report.read(pd.DataFrame({"label": label, "p_sick": P}))

    def test_of_logarithms(self):
        is_event(first({"label": Y, "logprob": np.log(P)})[1], Y, P)

    def test_of_each_of_two_models(self):
        columns = {"label": Y, "score_old": 0.4 * D + Z[:, 0], "score_new": 1.2 * D}
        readings = calib_report.propose(pd.DataFrame(columns))
        assert {reading.scores for reading in readings} == {
            ("score_old",),
            ("score_new",),
        }


def test_a_number_beside_scores_is_no_class():
    columns = {f"score_{name}": Z[:, k] for k, name in enumerate("abc")}
    time = {"score_time_ms": 3 * RNG.random(N)}
    options, outputs = first({"label": K} | columns | time)
    assert options["scores"] == "score_a,score_b,score_c"
    np.testing.assert_array_equal(outputs.scores, Z)


class TestHits:
    """A hit and how sure an answer is, or how doubtful."""

    def test_of_an_error(self):
        table = {"confidence": SURE, "error": 1 - HIT}
        is_stated(
            first(table, y="error", pairs=True, scores="confidence")[1], HIT, SURE
        )

    def test_of_a_doubt(self):
        is_stated(first({"correct": HIT, "uncertainty": 1 - SURE})[1], HIT, SURE)

    @pytest.mark.parametrize("said", [{}, {"percent": 10}, {"percent": 5}])
    def test_of_grades(self, said):
        with pytest.raises(ReadingError, match="grades"):
            calib_report.propose(
                pd.DataFrame({"correct": HIT, "confidence": GRADE}), **said
            )

    @pytest.mark.parametrize("sure", [0.0, 1.0])
    def test_that_are_all_alike_are_claims(self, sure):
        outputs = calib_report.read({"confidence": np.full(N, sure), "correct": HIT})
        is_stated(outputs, HIT, np.full(N, sure))


class TestLabelsOfTheirOwn:
    """An array of scores, and labels as numpy and pandas write them."""

    @pytest.fixture
    def scores(self, tmp_path):
        np.save(tmp_path / "p.npy", calib.softmax(Z))
        return tmp_path / "p.npy"

    @pytest.mark.parametrize("form", ["%d", "%.18e"])
    def test_without_a_heading(self, scores, form):
        labels = scores.with_name("y.txt")
        np.savetxt(labels, K, fmt=form)
        np.testing.assert_array_equal(calib_report.read(scores, labels=labels).y, K)

    def test_with_an_index(self, scores):
        labels = scores.with_name("y.csv")
        pd.Series(K).to_csv(labels)
        np.testing.assert_array_equal(calib_report.read(scores, labels=labels).y, K)
        with pytest.raises(ReadingError):
            calib_report.read(scores, labels=labels, ids="")

    @pytest.mark.parametrize("kind", [int, float])
    def test_are_joined_on_ids_of_either_type(self, tmp_path, kind):
        mixed = RNG.permutation(N)
        pd.DataFrame({"id": np.arange(N) + 7, "p_1": P}).to_csv(
            tmp_path / "p.csv", index=False
        )
        labels = pd.DataFrame({"id": (mixed + 7).astype(kind), "label": Y[mixed]})
        labels.to_csv(tmp_path / "y.csv", index=False)
        options = {"labels": tmp_path / "y.csv", "scores": "p_1"}
        is_event(calib_report.read(tmp_path / "p.csv", **options), Y, P)


class TestArraysOfAnotherLength:
    """An archive with an array `id`, `idx` or `names` that names no samples."""

    @pytest.mark.parametrize("name", ["id", "idx", "names"])
    def test_are_left_out(self, name):
        arrays = {"y": K, "logits": Z, name: np.array(["cat", "dog", "hen"])}
        outputs = calib_report.read(arrays)
        assert outputs.ids is None
        np.testing.assert_array_equal(outputs.scores, Z)

    @pytest.mark.parametrize("name", ["id", "idx", "names"])
    def test_are_left_out_beside_labels_to_ignore(self, name):
        arrays = {
            "y": np.r_[-100, K[1:]],
            "logits": Z,
            name: np.array(["cat", "dog", "hen"]),
        }
        outputs = calib_report.read(arrays, ignore_index=-100)
        np.testing.assert_array_equal(outputs.y, K[1:])

    def test_that_are_named_as_ids_are_refused_with_the_way_out(self):
        arrays = {
            "y": np.r_[-100, K[1:]],
            "logits": Z,
            "names": np.array(["cat", "dog", "hen"]),
        }
        with pytest.raises(ValueError, match=r"names.*--ignore names"):
            calib_report.read(arrays, ids="names", ignore_index=-100)


SPANS = np.array([1, 2], "timedelta64[s]")
ODD = {
    "rows with other keys": [{"y": 0, "logits": [1.0, 2.0]}, {"y": 1}],
    "batches with other keys": [{"y": np.zeros(2, int)}, {"logits": Z[:2]}],
    "a structure in an array": {
        "y": [0, 1],
        "logits": np.zeros((2, 2), [("a", float)]),
    },
    "a structured array": np.zeros(2, [("a", float), ("b", SPANS.dtype)]),
    "spans of time": {"y": SPANS, "logits": Z[:2]},
    "spans of time as scores": {"y": [0, 1], "logits": SPANS},
    "spans of time in a table": pd.DataFrame({"y": [0, 1], "p_1": SPANS}),
    "a label without an axis": {"y": np.array(1), "logits": Z[:2]},
    "scores without an axis": {"y": [0, 1], "logits": np.array(1.0)},
    "an array without an axis": np.array(3.0),
}


@pytest.mark.parametrize("what", ODD)
def test_objects_in_memory_are_refused_by_an_error_of_the_reader(what):
    with pytest.raises(ReadingError):
        calib_report.read(ODD[what])
    with pytest.raises(ReadingError):
        calib_report.propose(ODD[what])


def test_what_apply_writes_of_decision_values_is_compared_as_probabilities(
    tmp_path, capsys
):
    value, new = tmp_path / "svm.csv", tmp_path / "new.csv"
    pd.DataFrame({"label": Y, "decision_function": 3 * D}).to_csv(value, index=False)
    options = ["--y", "label", "--scores", "decision_function", "--positive", "1"]
    assert main(["report", str(value), *options, "-o", str(tmp_path / "svm.html")]) == 0
    saved = str(tmp_path / "svm-map.json")
    assert main(["apply", saved, str(value), *options[2:4], "-o", str(new)]) == 0
    capsys.readouterr()
    assert main(["compare", str(value), str(new), *options]) == 0
    assert "is read without options" in capsys.readouterr().err
    nll = json.loads((tmp_path / "svm.json").read_text())["after"]["NLL"]["value"]
    outputs = calib_report.read(new)
    assert calib.nll(outputs.y, outputs.prob) < nll + 0.05


@pytest.mark.parametrize("names", [["01", "1", "2"], ["None", "low", "high"]])
def test_labels_that_look_like_numbers_or_like_nothing(tmp_path, names):
    p = calib.softmax(Z)
    table = pd.DataFrame({f"p_{name}": p[:, k] for k, name in enumerate(names)})
    table.assign(label=np.array(names)[K]).to_csv(tmp_path / "a.csv", index=False)
    outputs = calib_report.read(tmp_path / "a.csv")
    order = [names.index(name) for name in outputs.names]
    np.testing.assert_array_equal(np.array(order)[outputs.y], K)
    np.testing.assert_allclose(outputs.prob, p[:, order])


def test_masked_labels_beside_numbered_columns_are_the_first_advice():
    p = np.array([0.7, 0.6, 0.2])
    table = pd.DataFrame({"label": [-100, 1, 0], "prob_0": 1 - p, "prob_1": p})
    with pytest.raises(ReadingError) as caught:
        calib_report.read(table)
    assert caught.value.suggestions == ({"ignore_index": (-100,)},)


def test_ids_that_stand_several_times_are_asked_about():
    table = {"id": np.arange(N) // 5, "p_1": P, "label": Y}
    with pytest.raises(ReadingError, match="--clusters id, or --ignore id"):
        calib_report.read(pd.DataFrame(table))


def test_votes_of_a_table_are_tied_for_one_class_against_the_rest():
    votes = RNG.multinomial(10, calib.softmax(Z)) / 10
    fitted = calib.OneVsRest(calib.HistogramBinning(strategy="mass")).fit(
        calib.as_logits(votes), K
    )
    rows = [[0.6, other / 10, (4 - other) / 10] for other in range(5)]
    score = np.exp(calib.as_logits(rows))[:, 0]
    assert len(np.unique(fitted.maps_[0].predict(score))) == 1
