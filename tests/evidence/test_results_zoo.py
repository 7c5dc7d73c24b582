"""The zoo's committed results: complete, and the same when a sample is recomputed."""

import sys

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT

from book.evidence import Outputs, load_results

sys.path.insert(0, str(ROOT))
from data.results import details, zoo

SAMPLE = ["cifar10-resnet20", "fashion-resnet8-w8-s1"]


@pytest.fixture(scope="module")
def committed():
    return load_results("zoo")


def test_a_setting_that_lacks_a_seed_supports_nothing(monkeypatch):
    names = [*(f"three-s{seed}" for seed in (1, 2, 3)), "two-s1", "two-s2", "published"]
    index = pd.DataFrame({"name": names, "seed": [1, 2, 3, 1, 2, None]})
    monkeypatch.setattr(zoo, "zoo_index", lambda: index)
    assert zoo.supported() == ["published", "three-s1", "three-s2", "three-s3"]


@pytest.mark.parametrize("name", SAMPLE)
def test_a_network_recomputed_is_the_same(committed, name):
    kept = committed[committed.name == name].set_index(["calibrator", "metric"])["value"]
    some = {key: zoo.CALIBRATORS[key] for key in ("temperature", "histogram")}
    found = zoo.measure(name, some)
    assert {row["calibrator"] for row in found} == {"none", "top-spline", *some}
    for row in found:
        wanted = kept[row["calibrator"], row["metric"]]
        assert wanted == pytest.approx(float(row["value"]), rel=2e-3, abs=1e-5)


def test_a_gap_of_one_class_is_found():
    rng = np.random.default_rng(0)
    prob = np.tile([[0.8, 0.2], [0.2, 0.8]], (5000, 1))
    even = np.where(rng.random(10_000) < 0.8, prob.argmax(axis=1), prob.argmin(axis=1))
    uneven = np.where(prob.argmax(axis=1) == 0, 0, even)
    splits = [Outputs(labels, order="toy", probabilities=prob) for labels in (even, uneven)]
    p_even, p_uneven = map(details.class_gap_p, splits)
    assert p_even > 0.01
    assert p_uneven < 1e-6
