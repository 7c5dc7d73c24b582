"""Scores beside what people say: of three samples by hand, and as stored."""

import numpy as np
import pytest
from stored_rows import same_of_source

from evidence import Outputs
from evidence.studies.promises import labels_of_people


@pytest.mark.shared
@pytest.mark.parametrize("start", ["baan-snli", "lifeeval gpt"])
def test_sources_of_one_name_are_computed_again(start, monkeypatch):
    same_of_source(labels_of_people.rows, start, "labels_of_people", monkeypatch)


def test_a_network_is_judged_by_labels_by_the_majority_and_by_people(monkeypatch):
    """The first sample is clear: nine of ten people agree; of the others three and six do."""
    shares = np.array([[0.9, 0.1], [0.3, 0.7], [0.6, 0.4]])
    p = np.array([[0.8, 0.2], [0.75, 0.25], [0.7, 0.3]])
    test = Outputs(np.array([0, 0, 1]), probabilities=p)
    people, lives = ("a", test, shares), ("lifeeval m", np.ones(1), np.zeros(1))
    study = labels_of_people
    monkeypatch.setattr(study, "networks_with_people", lambda start: [people])
    monkeypatch.setattr(study, "life_eval", lambda: [lives])
    monkeypatch.setattr(
        study,
        "judged_row",
        lambda about, score, truth: (*about.values(), [*score], [*truth]),
    )
    of_all, of_clear, of_unclear = [0.8, 0.75, 0.7], [0.8], [0.75, 0.7]
    assert [*study.rows()] == [
        ("a", "all", "label", of_all, [1, 1, 0]),
        ("a", "all", "majority", of_all, [1, 0, 1]),
        ("a", "all", "people", of_all, [0.9, 0.3, 0.6]),
        ("a", "clear", "label", of_clear, [1]),
        ("a", "clear", "majority", of_clear, [1]),
        ("a", "clear", "people", of_clear, [0.9]),
        ("a", "unclear", "label", of_unclear, [1, 0]),
        ("a", "unclear", "majority", of_unclear, [0, 1]),
        ("a", "unclear", "people", of_unclear, [0.3, 0.6]),
        ("lifeeval m", "all", "true probability", [1], [0]),
    ]
    assert [row[0] for row in study.rows("a")] == ["a"] * 9
