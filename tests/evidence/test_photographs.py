"""The photographs of the front page: sure predictions, nine right and three wrong."""

import numpy as np
from helpers import ROOT

from book.evidence import load_zoo
from calib import top_label
from data.training import photographs

FOLDER = ROOT / "data" / "photographs"


def test_the_rows_are_what_the_rule_chooses():
    test = load_zoo(photographs.NETWORK).test
    rows, labels = np.loadtxt(FOLDER / "fashion.csv", int, delimiter=",", skiprows=1).T
    score, hit = top_label(test.y, test.prob)
    assert (score[rows] > photographs.SURE).all()
    assert sorted(hit[rows]) == [0] * 3 + [1] * 9
    assert labels.tolist() == test.y[rows].tolist()
    assert rows.tolist() == photographs.choose(test, np.random.default_rng(0)).tolist()
