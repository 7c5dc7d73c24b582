"""Files of others become outputs."""

import io
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


def npz_of(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()
