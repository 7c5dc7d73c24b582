"""A saved map, and what its file says of the outputs that it was fitted on."""

import json
from itertools import pairwise

import numpy as np
import pytest

import calib
from calib_report.applying.saved_maps import Confidences, SavedMap
from calib_report.measuring.tables import ENDS_OF_RANGES

COUNTS = [1] * len(ENDS_OF_RANGES)
LARGE = 2**53


def saved(numbers):
    return Confidences.saved(numbers, "map.json")


@pytest.mark.parametrize("mean", [0, 0.5, 1])
def test_confidences_of_a_file_are_kept(mean):
    kept = saved({"mean": mean, "counts": [0, LARGE - 1, *COUNTS[2:]]})
    assert kept.mean == mean and type(kept.mean) is float
    assert kept.counts.tolist() == [0, LARGE - 1, *COUNTS[2:]]


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        (None, "mean is None, expected a number"),
        ([], "mean is None"),
        ({"counts": COUNTS}, "mean is None"),
        ({"mean": "0.5", "counts": COUNTS}, "mean is '0.5', expected a number"),
        ({"mean": True, "counts": COUNTS}, "mean is True, expected a number"),
        ({"mean": -0.01, "counts": COUNTS}, "mean is -0.01, expected 0 to 1"),
        ({"mean": 1.01, "counts": COUNTS}, "mean is 1.01, expected 0 to 1"),
        ({"mean": 0.5}, "counts None, expected"),
        ({"mean": 0.5, "counts": COUNTS[1:]}, f"expected {len(COUNTS)} counts"),
        ({"mean": 0.5, "counts": [0] * len(COUNTS)}, "not all of them 0"),
        ({"mean": 0.5, "counts": [-1, *COUNTS[1:]]}, "counts"),
        ({"mean": 0.5, "counts": [1.0, *COUNTS[1:]]}, "counts"),
        ({"mean": 0.5, "counts": [True, *COUNTS[1:]]}, "counts"),
        ({"mean": 0.5, "counts": [LARGE, *COUNTS[1:]]}, "counts"),
    ],
)
def test_what_are_no_confidences_is_refused_by_the_name_of_the_file(numbers, message):
    with pytest.raises(ValueError, match=rf"^map\.json: confidences: .*{message}"):
        saved(numbers)


def test_the_confidences_of_probabilities_are_those_of_the_top_label():
    p = np.array([[0.1, 0.9], [0.5, 0.5], [0.6, 0.4], [0.98, 0.02]])
    found, top = Confidences.of(p), [0.9, 0.5, 0.6, 0.98]
    assert found.mean == pytest.approx(sum(top) / 4)
    ends = [0.0, *ENDS_OF_RANGES]
    in_ranges = [
        sum(low < score <= high for score in top) for low, high in pairwise(ends)
    ]
    assert found.counts.tolist() == in_ranges


@pytest.fixture
def file(tmp_path):
    """What writes the file of a map, with fields in the place of its own."""

    def write(**fields):
        fitted = calib.TemperatureScaling().fit([[0, 1], [1, 0], [0, 2]], [0, 0, 1])
        calib.save_map(fitted, tmp_path / "map.json", classes=["no", "yes"])
        content = json.loads((tmp_path / "map.json").read_text()) | fields
        (tmp_path / "map.json").write_text(json.dumps(content))
        return fitted, tmp_path / "map.json"

    return write


def test_a_map_is_read_with_all_that_its_file_says(file):
    fitted, path = file(confidences={"mean": 0.5, "counts": COUNTS})
    read = SavedMap.read(path)
    assert read.path == path and read.about == json.loads(path.read_text())
    assert read.fitted.temperature_ == fitted.temperature_
    assert read.classes == ["no", "yes"] and not read.is_of_questions
    assert read.confidences().counts.tolist() == COUNTS


def test_a_map_whose_file_tells_no_confidences_has_none(file):
    assert SavedMap.read(file()[1]).confidences() is None


def test_confidences_that_are_none_are_named_with_the_file(file):
    _, path = file(confidences=None)
    with pytest.raises(ValueError, match=r"map\.json: confidences: mean is None"):
        SavedMap.read(path).confidences()


@pytest.mark.parametrize(("task", "is_of"), [("labels", True), ("classes", False)])
def test_a_map_of_labels_is_one_of_questions(file, task, is_of):
    assert SavedMap.read(file(task=task)[1]).is_of_questions == is_of
