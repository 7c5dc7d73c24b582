"""A map that an earlier version saved is read by this one, and answers as it did."""

import json
from pathlib import Path

import numpy as np
import pytest
from maps import LOGIT_MAPS, SCORE_MAPS, outputs

import calib
from calib.maps.saved import FORMAT

FOLDER = Path(__file__).parent / "golden"
MAPS = sorted(FOLDER.glob("calib-map-*.json"))


@pytest.mark.parametrize("place", MAPS, ids=lambda place: place.stem)
def test_a_map_that_was_saved_answers_as_it_did(place, tmp_path):
    golden = json.loads(place.read_text())
    (tmp_path / "map.json").write_text(json.dumps(golden["map"]))
    map_ = calib.load_map(tmp_path / "map.json")
    answer = outputs(map_, np.array(golden["input"]))
    np.testing.assert_allclose(answer, golden["output"], rtol=1e-12, atol=1e-300)


def test_each_map_is_there_in_the_present_format():
    present = [json.loads(place.read_text())["map"] for place in MAPS]
    present = {map_["map"]["class"] for map_ in present if map_["format"] == FORMAT}
    maps = {type(map_).__name__ for map_ in [*SCORE_MAPS, *LOGIT_MAPS]}
    assert present == maps, "make golden writes a new one"
