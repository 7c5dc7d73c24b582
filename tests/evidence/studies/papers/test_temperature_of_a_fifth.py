"""A temperature that is fitted to a share of the images."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from evidence import Outputs
from evidence.studies.papers import temperature_of_a_fifth as study

SCORES = np.arange(1, 21) / 32
NET = Outputs(
    np.array([0, 1] * 10), classes=np.zeros((20, 1), int), scores=SCORES[:, None]
)


class Halved:
    """A temperature after which every score is half of what it was."""

    temperature_ = 1.5

    def __init__(self, n_classes):
        assert n_classes == 1000
        self.sets = []

    def fit(self, outputs):
        FITTED.append({*outputs.scores[:, 0]})
        return self

    def predict(self, outputs):
        TESTED.append({*outputs.scores[:, 0]})
        scores = outputs.scores / 2
        return Outputs(outputs.y, classes=outputs.classes, scores=scores)


FITTED, TESTED = [], []


@pytest.mark.parametrize(("share", "n_fitted"), [(0.2, 4), (0.5, 10)])
def test_a_share_is_fitted_and_the_rest_measured(monkeypatch, share, n_fitted):
    monkeypatch.setattr(study, "load_source", lambda name: SimpleNamespace(test=NET))
    monkeypatch.setattr(study, "PartialTemperature", Halved)
    before, after = study.scaled("a", share)
    fitted, tested = FITTED[-1], TESTED[-1]
    assert len(fitted) == n_fitted and fitted | tested == {*SCORES}
    assert not fitted & tested
    assert before["n"] == after["n"] == 20 - n_fitted
    # every second sample is right
    places = [int(32 * score) - 1 for score in tested]
    accuracy = np.mean([place % 2 == 0 for place in places])
    assert before["accuracy"] == after["accuracy"] == pytest.approx(accuracy)
    assert (before["calibrator"], after["calibrator"]) == ("none", "temperature-top5")
    assert before["temperature"] == 1.5
    for row in (before, after):
        assert row["low"] < row["high"]


def test_networks_are_those_of_imagenet_whose_five_largest_are_known(monkeypatch):
    files = pd.DataFrame(
        [
            ("a", "ImageNet", "top5", "npz"),
            ("b", "ImageNet", "top5", None),
            ("c", "ImageNet", "top1", "npz"),
            ("e", "ImageNet", "logits", "npz"),
            ("d", "CIFAR-10", "top5", "npz"),
        ],
        columns=["name", "dataset", "known", "reader"],
    )
    monkeypatch.setattr(study, "source_index", lambda: files)
    assert study.networks_with_top_five() == ["a"]
