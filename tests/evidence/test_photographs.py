"""The photographs of the front page: sure predictions, nine right and three wrong."""

import io

import numpy as np
import pytest
from helpers import ROOT
from PIL import Image

from book.evidence import load_zoo
from calib import top_label
from data.training import datasets, photographs

FOLDER = ROOT / "data" / "photographs"


def test_the_rows_are_what_the_rule_chooses():
    test = load_zoo(photographs.NETWORK).test
    rows, labels = np.loadtxt(FOLDER / "fashion.csv", int, delimiter=",", skiprows=1).T
    score, hit = top_label(test.y, test.prob)
    assert (score[rows] > photographs.SURE).all()
    assert sorted(hit[rows]) == [0] * 3 + [1] * 9
    assert labels.tolist() == test.y[rows].tolist()
    assert rows.tolist() == photographs.choose(test, np.random.default_rng(0)).tolist()


def test_the_images_are_those_of_the_data_set(tmp_path, monkeypatch):
    places = [place / "fashion-mnist" for place in datasets.PLACES]
    if not any(place.is_dir() for place in places):
        pytest.skip("Fashion-MNIST is not on this machine")
    monkeypatch.setattr(photographs, "FOLDER", tmp_path)
    photographs.main()
    made, kept = (folder / "fashion.png" for folder in (tmp_path, FOLDER))
    images = [np.asarray(Image.open(io.BytesIO(path.read_bytes()))) for path in (made, kept)]
    np.testing.assert_array_equal(*images)
    assert images[0].shape == (28, 28 * 12)
