"""The curves of the four panels, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence.studies.papers import ks_curves as study

SCORE = np.array([0.75, 0.25, 0.5, 1.0])
HIT = np.array([1, 0, 0, 1])


@pytest.fixture
def points(monkeypatch):
    """The points of four samples by fractile."""

    class Spline:
        def __init__(self, floor):
            assert floor == 0

        def fit(self, score, hit):
            # by rising score
            assert score.tolist() == [0.25, 0.5, 0.75, 1] and hit.tolist() == [
                0,
                0,
                1,
                1,
            ]
            return self

        def predict(self, score):
            return score / 2

    monkeypatch.setattr(study.calib, "SplineCalibration", Spline)
    monkeypatch.setattr(study, "ks_interval", lambda score, hit: {"ks": 7})
    points = study.graph({"source": "a"}, SCORE, HIT)
    return {round(200 * point["fractile"]): point for point in points}


def test_cumulated_curves_begin_at_zero_and_rise_by_a_sample_at_a_time(points):
    assert len(points) == 201
    assert all((point["source"], point["ks"]) == ("a", 7) for point in points.values())
    expected = {
        0: (0, 0),
        50: (1, 0),
        75: (2, 0),
        150: (6, 4),
        175: (8, 6),
        200: (10, 8),
    }
    # of sixteenths; between two samples the curves are straight
    for at, (scores, hits) in expected.items():
        found = [points[at][f"cumulative_{name}"] for name in ("score", "hit")]
        assert found == pytest.approx([scores / 16, hits / 16]), at


def test_the_score_of_a_fractile_is_that_of_the_sample_that_it_begins(points):
    scores = [points[at]["score"] for at in (0, 49, 50, 149, 150, 200)]
    assert scores == [0.25, 0.25, 0.5, 0.75, 1, 1]
    assert points[50]["frequency"] == 0.25


def test_a_spline_is_fitted_to_each_view_and_drawn_beside_the_network(monkeypatch):
    """One view of one network: before and after a map, on both of its sets."""
    fits = []

    class Halved:
        def __init__(self, n_knots, floor):
            self.options = n_knots, floor

        def fit(self, score, hit):
            fits.append((*self.options, [*score], [*hit]))
            return self

        def predict(self, score):
            return score / 2

    def outputs(score):
        return SimpleNamespace(pairs=([score], [1]), y=1, prob=score)

    net = SimpleNamespace(calibration=outputs(0.5), test=outputs(0.75))
    net.to_fit = net.calibration
    monkeypatch.setattr(study.calib, "SplineCalibration", Halved)
    monkeypatch.setattr(study, "load_source", lambda name: net)
    views = {"top": (lambda y, p: (np.array([p]), np.array([y])), 6)}
    monkeypatch.setattr(study, "VIEWS", views)
    monkeypatch.setattr(study, "graph", lambda about, score, hit: [(about, *score)])
    first, *others = study.rows()
    about = {"source": study.DENSENET, "view": "top-1", "split": "test"}
    assert first == (about | {"spline": False}, 0.75)
    assert fits == [(6, 0, [0.5], [1])]
    found = [(about["split"], about["spline"], score) for about, score in others]
    assert found == [
        ("calibration", False, 0.5),
        ("calibration", True, 0.25),
        ("test", False, 0.75),
        ("test", True, 0.375),
    ]
