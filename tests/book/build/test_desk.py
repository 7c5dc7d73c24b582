"""What the answer desk takes from the application: texts, limits, names of ways."""

import json
import re

import numpy as np
import pytest
from helpers import ROOT

from book.build import desk
from calib import constants
from calib_report import limits
from calib_report.proposing import guesses

FOLDER = ROOT / "book" / "assets" / "desk"
OWN = [path for path in FOLDER.glob("*.js") if path.stem != "papaparse"]


@pytest.fixture(scope="module")
def texts():
    """What the script holds, as a page reads it."""
    name, content = desk.script().split(" = ", 1)
    assert name == "const TEXTS" and content.endswith(";\n")
    return json.loads(content.removesuffix(";\n"))


@pytest.mark.parametrize("group", ["LIMITS", "SUSPICION"])
def test_each_number_that_the_desk_is_given_it_decides_by(group):
    used = {*re.findall(r"\w+", "".join(path.read_text("utf-8") for path in OWN))}
    assert {*getattr(desk, group)} <= used


def test_a_number_of_the_application_is_that_of_the_desk(texts):
    assert texts["limits"] == json.loads(json.dumps(desk.LIMITS))
    assert texts["limits"]["NORMAL_95"] == constants.NORMAL_95
    assert texts["suspicion"] == desk.SUSPICION
    assert texts["few_classes"] == limits.MOST_CLASSES


def test_own_words_stand_beside_those_of_the_application(texts):
    assert texts["page"]["read"] == "Read what is pasted"
    assert texts["contract"].strip() and texts["situations"]
    assert {"limits", "ways", "nothing_said", "pages", "generator"} <= {*texts}


def test_the_state_of_the_generator_keeps_all_its_digits(texts):
    state = np.random.default_rng(0).bit_generator.state["state"]
    assert {name: int(text) for name, text in texts["generator"].items()} == state
    assert int(texts["generator"]["state"]) > 2**53  # a number would have lost some


def test_a_rule_is_titled_as_in_python_and_named_as_in_javascript():
    ways = desk.ways()
    for way in guesses.WAYS:
        name = desk.camel(way.__name__)
        assert ways.get(name, guesses.title_of(way)) == guesses.title_of(way)
        assert (name in ways) == (name not in desk.WITHOUT_ARRAYS)
    assert ways["pastedPairs"] == "Two columns without a heading"


@pytest.mark.parametrize(
    ("name", "spelt"),
    [("doubt_repeated_ids", "doubtRepeatedIds"), ("one", "one"), ("a_1b", "a1b")],
)
def test_a_name_of_python_is_spelt_as_one_of_javascript(name, spelt):
    assert desk.camel(name) == spelt


def test_a_label_above_a_heading_is_of_its_page(tmp_path, monkeypatch):
    monkeypatch.setattr(desk, "CHAPTERS", tmp_path)
    (tmp_path / "use").mkdir()
    (tmp_path / "use" / "one.md").write_text("---\na: b\n---\n(first-one)=\n# One\n")
    (tmp_path / "two.md").write_text("# Two\n\n(not-its-label)=\n## Part\n")
    (tmp_path / "three.md").write_text("(three)=\n# Three\n\n(four)=\n# Four\n")
    assert desk.pages() == {"first-one": "use/one", "three": "three"}
