"""Files of others become outputs."""

import io
import json
import pickle

import numpy as np
import pytest

from evidence.sources import READERS


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
