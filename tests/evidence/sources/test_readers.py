"""Files of others become outputs."""

import io
import json
import pickle

import numpy as np
import pytest

from evidence.sources.readers import READERS


def test_probabilities_in_a_pickle_and_logits_in_an_archive():
    """Two files of others: a pair of arrays, and arrays by their names."""
    row, y = {"order": "some"}, np.array([1, 0])
    p = np.array([[0.25, 0.75], [0.5, 0.5]])
    outputs = READERS["pickled"](row, pickle.dumps((p, y[:, None])))["test"]
    assert np.array_equal(outputs.prob, p) and np.array_equal(outputs.y, y)
    outputs = READERS["npz_logits"](row, npz_of(logits=np.log(p), targets=y))["test"]
    assert np.allclose(outputs.prob, p) and np.array_equal(outputs.y, y)
    with pytest.raises(TypeError, match="targets"):
        READERS["npz_logits"](row, npz_of(logits=p))


def test_cifar10h_has_the_label_then_ten_counts_of_people_then_ten_probabilities():
    counts = [[50, 1, *[0] * 7, 0], [0, 2, *[0] * 7, 48]]
    p = np.array([[0.55, *[0.05] * 9], [*[0.05] * 9, 0.55]])
    lines = []
    for y, people, network in zip([3, 9], counts, p, strict=True):
        lines.append(",".join(map(str, [y, *people, *network])))
    read = READERS["cifar10h"]({"order": "some"}, "\n".join(lines).encode())
    assert read["human_counts"].tolist() == counts
    assert read["test"].y.tolist() == [3, 9]
    np.testing.assert_allclose(read["test"].prob, p)


def npz_of(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def test_people_and_networks_have_their_classes_in_one_order():
    """ChaosNLI counts entailment, neutral, contradiction; a network has the last two exchanged."""
    test = lines_of(
        {"uid": "one", "true": 0, "logits": [3, 1, 2]},
        {"uid": "asked of nobody", "true": 1, "logits": [0, 0, 0]},
    )
    development = lines_of({"uid": "two", "true": 2, "logits": [4, 5, 6]})
    counts = lines_of(
        {"uid": "two", "label_count": [5, 94, 1]},
        {"uid": "of no network", "label_count": [0, 0, 100]},
        {"uid": "one", "label_count": [70, 20, 10]},
    )
    read = READERS["nli"]({"order": "some"}, test, development, counts)
    assert read["human_counts"].tolist() == [[5, 1, 94], [70, 10, 20]]
    assert read["test"].y.tolist() == [2, 0]
    assert read["test"].logits.tolist() == [[4, 5, 6], [3, 1, 2]]


def lines_of(*rows):
    return "\n".join(json.dumps(row) for row in rows).encode()


SOME = {"name": "net", "order": "some"}


def bytes_of(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def test_the_most_probable_classes_are_sorted_and_ties_keep_the_order_of_the_file():
    p = np.array([[0.1, 0.5, 0.2], [0.3, 0.3, 0.4]])
    classes = np.array([[7, 8, 9], [4, 5, 6]])
    read = READERS["top5"](SOME, *map(bytes_of, (p, classes, np.array([8, 5]))))
    test = read["test"]
    assert set(read) == {"test"} and test.order == "some"
    assert test.scores.tolist() == [[0.5, 0.2, 0.1], [0.4, 0.3, 0.3]]
    assert test.classes.tolist() == [[8, 9, 7], [6, 4, 5]]
    assert test.y.tolist() == [8, 5]


def test_of_two_splits_the_calibration_set_comes_first_and_has_an_order_of_its_own():
    """The first pair of arrays is what maps learn from; labels may be a column."""
    own, test = np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [6.0, 5.0]])
    pairs = ((own, np.array([[1]])), (test, np.array([[0], [1]])))
    read = READERS["kull"](SOME, pickle.dumps(pairs))
    assert read["calibration"].logits.tolist() == own.tolist()
    assert read["calibration"].y.tolist() == [1]
    assert read["calibration"].order == "net, calibration"
    assert read["test"].logits.tolist() == test.tolist()
    assert read["test"].y.tolist() == [0, 1] and read["test"].order == "some"


@pytest.mark.parametrize(
    ("reader", "first", "second"),
    [
        ("top1", "true_label,pred_label,confidence\n3,3,0.75", "1,{},0.5"),
        (
            "mehul0x",
            "predictions,true_label,Output,probabilities\n3,3,0,0.75",
            "{},1,0,0.5",
        ),
    ],
)
def test_a_table_of_first_choices_has_label_choice_and_score(reader, first, second):
    read = READERS[reader](SOME, f"{first}\n{second.format(2)}\n".encode())
    score, hit = read["test"].pairs
    assert (score.tolist(), hit.tolist()) == ([0.75, 0.5], [1, 0])
    with pytest.raises(ValueError, match=r"2.5 is not an integer"):
        READERS[reader](SOME, f"{first}\n{second.format(2.5)}\n".encode())


def test_scores_and_labels_in_two_files():
    p, y = np.array([[0.25, 0.75], [0.5, 0.5]]), np.array([1, 0])
    read = READERS["probabilities"](SOME, bytes_of(p), bytes_of(y))["test"]
    assert read.prob.tolist() == p.tolist() and read.y.tolist() == [1, 0]
    read = READERS["log_scores"](SOME, bytes_of(10 * p), bytes_of(y))["test"]
    assert read.logits.tolist() == (10 * p).tolist() and read.y.tolist() == [1, 0]
    read = READERS["netcal"](SOME, npz_of(predictions=p, ground_truth=y))["test"]
    assert read.prob.tolist() == p.tolist() and read.y.tolist() == [1, 0]
