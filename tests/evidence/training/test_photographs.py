"""The photographs that are committed are those that the rule chooses."""

import numpy as np
from helpers import ROOT

from calib import top_label
from evidence import load_zoo
from evidence.training import photographs


def test_the_photographs_are_what_the_rule_chooses():
    test = load_zoo(photographs.NETWORK).test
    file = ROOT / "data" / "photographs" / "fashion.csv"
    rows, labels = np.loadtxt(file, int, delimiter=",", skiprows=1).T
    score, hit = top_label(test.y, test.prob)
    assert (score[rows] > photographs.SURE).all() and sorted(hit[rows]) == [0] * 3 + [
        1
    ] * 9
    assert labels.tolist() == test.y[rows].tolist()
    assert rows.tolist() == photographs.choose(test, np.random.default_rng(0)).tolist()
