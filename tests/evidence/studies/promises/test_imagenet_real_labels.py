"""Labels that people accept, in the order of the networks."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from evidence import Outputs
from evidence.studies.promises import imagenet_real_labels as study

PATHS = ["a/x_00000002.JPEG", "b/x_00000001.JPEG"]
ACCEPTED = [[0, 2], [1]]  # of the first image by name, and of the second


@pytest.fixture
def small(monkeypatch):
    files = {"imagenet.paths": PATHS, "imagenet.real": ACCEPTED}
    monkeypatch.setattr(study, "read_source", lambda name: json.dumps(files[name]))
    monkeypatch.setattr(study, "N_IMAGES", 2)
    monkeypatch.setattr(study, "N_CLASSES", 3)
    return files


def test_the_labels_of_an_image_follow_its_number_to_its_place(small):
    assert study.accepted_labels().tolist() == [
        [False, True, False],
        [True, False, True],
    ]


def test_a_list_with_an_image_twice_is_refused(small):
    small["imagenet.paths"] = [PATHS[0], PATHS[0]]
    with pytest.raises(ValueError, match="each of the validation images once"):
        study.accepted_labels()


def test_networks_are_judged_on_images_with_some_one_or_several_labels(
    small, monkeypatch
):
    """The first image has one accepted label and is right by it, the second has two."""
    p = np.array([[0.3, 0.6, 0.1], [0.1, 0.2, 0.7]])
    whole = Outputs(np.array([0, 2]), order="imagenet-validation", probabilities=p)
    other = Outputs(np.array([0, 2]), order="another", probabilities=p)
    nets = {"a": SimpleNamespace(test=whole), "b": SimpleNamespace(test=other)}
    monkeypatch.setattr(study, "source_names", lambda: [*nets])
    monkeypatch.setattr(study, "load_source", nets.get)
    monkeypatch.setattr(
        study,
        "judged_row",
        lambda about, score, truth: (*about.values(), [*score], [*truth]),
    )
    assert [*study.rows()] == [
        ("a", "any", "label", [0.6, 0.7], [0, 1]),
        ("a", "any", "ReaL", [0.6, 0.7], [1, 1]),
        ("a", "one", "label", [0.6], [0]),
        ("a", "one", "ReaL", [0.6], [1]),
        ("a", "several", "label", [0.7], [1]),
        ("a", "several", "ReaL", [0.7], [1]),
    ]
