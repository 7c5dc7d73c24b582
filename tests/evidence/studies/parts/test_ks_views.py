"""Views and the KS error, by hand."""

import numpy as np
import pytest

import calib
from evidence.studies.parts import ks_views as study

P = np.array([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.3, 0.5, 0.2]])
Y = np.array([0, 0, 0])


@pytest.mark.parametrize(
    ("view", "scores", "hits"),
    [
        ("top-1", [0.5, 0.5, 0.5], [1, 0, 0]),
        ("top-2", [0.3, 0.3, 0.3], [0, 0, 1]),
        ("top-3", [0.2, 0.2, 0.2], [0, 1, 0]),
        ("within-top-2", [0.8, 0.8, 0.8], [1, 0, 1]),
        ("within-top-3", [1, 1, 1], [1, 1, 1]),
    ],
)
def test_a_view_holds_the_label_at_its_rank_or_down_to_it(view, scores, hits):
    score, hit = study.VIEWS[view][0](Y, P)
    assert score == pytest.approx(np.array(scores)) and hit.tolist() == hits


def test_of_samples_that_are_all_alike_every_resample_has_the_same_error():
    """Said 3/4, and right every time: 1/4, with an interval that has no width."""
    interval = study.ks_interval(np.full(5, 0.75), np.ones(5, bool))
    assert interval == pytest.approx({"ks": 0.25, "low": 0.25, "high": 0.25})


def test_a_basic_interval_reaches_lower_than_any_error():
    """Resamples err by more than the samples do: mirrored at 0, they lie below."""
    hit = np.array([1, 0, 1, 0])
    interval = study.ks_interval(np.full(4, 0.5), hit)
    assert interval["ks"] == pytest.approx(0)
    assert interval["low"] < 0 and interval["high"] == 0


def test_splines_have_six_knots_and_fourteen_where_choices_are_summed():
    knots = {name: n_knots for name, (_, n_knots) in study.VIEWS.items()}
    alone = dict.fromkeys(("top-1", "top-2", "top-3"), 6)
    assert knots == alone | {"within-top-2": 14, "within-top-3": 14}


def test_resamples_are_drawn_by_one_generator_for_all_networks():
    rng = np.random.default_rng(1)
    score, hit = rng.random(30), rng.integers(2, size=30)
    expected = calib.bootstrap(
        calib.ks_error, hit, score, method="basic", rng=np.random.default_rng(0)
    )
    interval = study.ks_interval(score, hit)
    assert (interval["low"], interval["high"]) == (expected.low, expected.high)
