"""Probabilities where an event is more frequent, counted; worlds that tilt; gaps that drift."""

import numpy as np
import pandas as pd
import pytest
from drawings import band, heights, labelled, points, texts

from book.show.learn import a_moving_world as moving


def test_a_photograph_has_other_probabilities_in_another_season(monkeypatch):
    monkeypatch.setattr(moving, "photograph", lambda place: np.eye(2))
    ax = moving.draw_boot_by_season(np.array([70.0, 30, 20, 80])).axes[1]
    assert heights(ax)[:, 2].tolist() == [70, 30, 20, 80]
    assert texts(ax) == ["70 %", "30 %", "20 %", "80 %"]


def test_a_probability_moves_as_counting_says():
    """Of 1000 people 20 have the flu, of whom 10 cough so, as do 90 others: that is 10 %."""
    with_flu, without = 0.5, 90 / 980  # the shares that cough so
    now = 300 * with_flu / (300 * with_flu + 700 * without)
    assert moving.where_more_frequent(0.1, 0.02, 0.3) == pytest.approx(now)
    assert moving.where_more_frequent(0.1, 0.02, 0.02) == pytest.approx(0.1)


def test_each_curve_of_the_flu_is_of_one_share():
    (ax,) = moving.draw_flu_by_season().axes
    for number, share in ((1, 0.05), (2, 0.1), (3, 0.3)):
        said, now = points(ax, number)[40] / 100
        assert now == pytest.approx(moving.where_more_frequent(said, 0.02, share))
    assert points(ax, 4)[0] == pytest.approx([10, 70], abs=0.1)  # as written beside it
    assert texts(ax) == ["5 %", "10 %", "30 %", "10 % → 70 %"]


def test_sources_are_counted_whose_loss_a_known_or_a_guessed_prior_lowers(
    glued, monkeypatch
):
    ways = ["as it is", "known", "EM", "EM, one more a class"]
    columns = pd.MultiIndex.from_product([["none", "temperature", "vector"], ways])
    nll = pd.DataFrame(
        [[1, 0.9, 0.8, 1.1] * 3, [1, 1.1, 0.9, 0.8] * 3], columns=columns
    )
    nll["vector", "known"] = 0.5
    rows = [
        (source, calibrator, way, error, covered)
        for source, error, covered in (("a", 0.1, 1), ("b", 0.3, 0))
        for calibrator in ("none", "temperature", "vector")
        for way in ("EM", "known")
    ]
    priors = pd.DataFrame(
        rows, columns=["source", "calibrator", "way", "prior_error", "covered"]
    )
    coverage = pd.DataFrame(
        {
            "design": ["as in class_priors.csv"] * 2 + ["other"],
            "covered": [0.9, 1.0, 0.0],
        }
    )
    monkeypatch.setattr(moving, "load_results", lambda name: coverage)
    moving.glue_priors_known_and_guessed(priors, nll)
    assert glued["world-n"] == 2 and glued["world-control"] == "95"
    assert glued["world-known-none"] == 1 and glued["world-known-vector"] == 2
    assert (
        glued["world-em-better-none"] == 2 and glued["world-one-more-better-none"] == 1
    )
    assert (
        glued["world-em-temperature"] == "20.0"
        and glued["world-covered-vector"] == "50"
    )
    assert len(glued) == 2 + 15


WAYS = ["as it is", "source labels", "source labels, weighted", "100 target labels"]
WAYS += ["500 target labels"]


def tilted(far=(0.3, 0.2, 0.1, 0.25, 0.15)):
    """ECEs of four sources, at home and in the farthest world."""
    rows = [
        {"source": source, "kind": kind, "tilt": tilt, "way": way, "ece": ece * scale}
        for source, kind, scale in (
            ("a-cifar10", "CIFAR-10", 1),
            ("b-cifar10", "CIFAR-10", 2),
            ("c-nli", "ChaosNLI", 1),
            ("d-nli", "ChaosNLI", 1),
        )
        for tilt, eces in ((0, (0.2, 0.1, 0.1, 0.1, 0.1)), (3, far))
        for way, ece in zip(WAYS, eces, strict=True)
    ]
    return pd.DataFrame(rows).assign(ece_sd=0.1, ece_chance=0.02)


def test_a_curve_is_a_mean_over_sources_with_the_error_of_twenty_draws():
    axes = moving.draw_ece_by_tilt(tilted()).axes
    curve = labelled(axes[0])["old labels"]
    assert curve == pytest.approx(np.array([[0, 15], [3, 30]]))
    half = 196 * np.sqrt(2 * 0.1**2 / 20) / 2  # of the mean of two
    assert band(axes[0].collections[0], 3) == pytest.approx((30 - half, 30 + half))
    assert labelled(axes[1])["by chance"][:, 1] == pytest.approx(2)
    assert [ax.get_title() for ax in axes] == ["CIFAR-10", "ChaosNLI"]
    assert set(labelled(axes[0])) == {
        "old labels",
        "weighted",
        "100 new labels",
        "500 new labels",
        "by chance",
    }


def test_sources_are_counted_that_a_tilt_makes_worse(glued):
    moving.glue_sources_worse_by_tilt(tilted())
    assert glued == {
        "world-tilt-n": 4,
        "world-tilt-worse": 4,
        "world-tilt-still": 4,
        "world-tilt-few-text": "0 of 2",
    }
    for far in ((0.3, 0.2, 0.1, 0.25, 0.22), (0.3, 0.2, 0.1, 0.19, 0.15)):
        with pytest.raises(ValueError, match="in which order"):
            moving.glue_sources_worse_by_tilt(tilted(far))


def test_a_gap_is_the_mean_of_the_last_thousand():
    rng = np.random.default_rng(0)
    score = rng.uniform(0.5, 1, 1200)
    said, hit = score - 0.1, (rng.uniform(size=1200) < score).astype(float)
    (ax,) = moving.draw_gap_by_time(said, score, hit).axes
    seen, gap = points(ax, 0)[50]
    assert (seen, gap) == pytest.approx((1050, 100 * np.mean((score - hit)[50:1050])))
    assert points(ax, 1)[50, 1] == pytest.approx(gap - 10)
    half = 196 * np.sqrt(np.mean((score * (1 - score))[50:1050]) / 1000)
    assert band(ax.collections[0], 1050) == pytest.approx((-half, half))
