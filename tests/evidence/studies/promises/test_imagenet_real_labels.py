"""Labels that people accept, in the order of the networks."""

import json

import pytest

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
