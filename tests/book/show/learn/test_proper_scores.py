"""Parts of a squared loss, by drawing what the network does not see; scores by forecast."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from drawings import heights, labelled, points, segments
from scipy.special import expit

from book.show.learn import proper_scores


def test_known_parts_are_what_a_large_sample_shows():
    rng = np.random.default_rng(0)
    one, two = rng.normal(size=(2, 1_000_000))
    chance, said = expit(2 + 1.5 * one + 1.5 * two), expit(2 * (2 + 1.5 * one))
    parts = proper_scores.known_parts()["before"]
    assert parts["noise"] == pytest.approx(np.mean(chance * (1 - chance)), abs=5e-4)
    loss = np.mean((chance - said) ** 2)
    assert parts["thrown away"] + parts["miscalibrated"] == pytest.approx(
        loss, abs=5e-4
    )


def test_a_temperature_takes_nearly_all_of_one_part_and_nothing_of_the_others():
    before, after = proper_scores.known_parts().values()
    assert before["noise"] == after["noise"]
    assert before["thrown away"] == after["thrown away"]
    assert after["miscalibrated"] < 0.02 * before["miscalibrated"]


def test_parts_stand_beside_each_other_and_end_at_the_loss():
    worlds = {
        name: {"noise": 0.1, "thrown away": 0.05, "miscalibrated": m}
        for name, m in (("before", 0.02), ("after", 0.01))
    }
    real = [
        SimpleNamespace(uncertainty=0.2, resolution=0.08, reliability=r, score=0.12 + r)
        for r in (0.03, 0.01)
    ]
    figure = proper_scores.draw_parts_of_squared_loss(worlds, real, [0.002, 0.001])
    top, bottom = figure.axes
    assert heights(top)[:3, [0, 2]] == pytest.approx(
        np.array([[0, 0.1], [0.1, 0.05], [0.15, 0.02]])
    )
    assert heights(bottom)[:, [0, 2]] == pytest.approx(
        np.array([[0, 0.12], [0.12, 0.03], [0, 0.12], [0.12, 0.01]])
    )
    chance = [segments(bottom.collections[i])[0].tolist() for i in (0, 1)]
    assert chance == [
        pytest.approx([0.122, -0.4, 0.122, 0.4]),
        pytest.approx([0.121, 0.6, 0.121, 1.4]),
    ]


def test_two_scores_are_least_at_the_belief_and_two_are_not():
    (ax,) = proper_scores.draw_losses_by_forecast().axes
    drawn = labelled(ax)
    at = {name: curve[np.argmin(curve[:, 1]), 0] for name, curve in drawn.items()}
    assert at["logarithmic"] == pytest.approx(0.7)
    assert at["squared (Brier)"] == pytest.approx(0.7)
    assert at["absolute"] == pytest.approx(0.995)
    x, zero_one = drawn["zero-one"].T
    assert zero_one == pytest.approx(np.where(x < 0.5, 0.7, 0.3))
    forecast, loss = drawn["squared (Brier)"][40]
    assert loss == pytest.approx(0.7 * (1 - forecast) ** 2 + 0.3 * forecast**2)
    assert (
        len(ax.lines) == 4 + 3 + 1
    )  # curves, their lowest points but of zero-one, the belief


def test_the_share_that_bins_see_is_beside_that_of_isotonic_steps(glued):
    columns = ["score", "reliability", "resolution"]
    corp = pd.DataFrame(
        [[0.1, 0.02, 0.1], [0.09, 0.01, 0.2]], ["before", "after"], columns
    )
    index = pd.MultiIndex.from_tuples([("before", "15 bins")])
    decomposed = pd.DataFrame([[0.1, 0.015, 0.09]], index, columns)
    prob = np.array([[0.95, 0.05], [0.5, 0.5], [0.92, 0.08], [0.01, 0.99]])
    proper_scores.glue_parts_of_brier_score(corp, decomposed, prob)
    assert glued == {
        "proper-before": "0.1000",
        "proper-after": "0.0900",
        "proper-rel-before": "0.0200",
        "proper-rel-after": "0.0100",
        "proper-res-before": "0.1000",
        "proper-res-after": "0.2000",
        "proper-rel-seen": "75%",
        "proper-res-seen": "90%",
        "proper-last": "50%",
    }


def networks(monkeypatch, parts):
    """Let networks of two classes have these parts and accuracies."""
    y, prob = np.array([0, 0, 1, 1]), np.full((4, 2), 0.5)

    def scaled_network(name):
        return SimpleNamespace(y=y, name=name), prob

    halves = iter([x for part in parts for x in (part, part)])
    monkeypatch.setattr(proper_scores, "scaled_network", scaled_network)
    monkeypatch.setattr(
        proper_scores.calib,
        "corp_decomposition",
        lambda hit, score: SimpleNamespace(**next(halves)),
    )
    accuracy = iter([0.7, 0.9, 0.8])
    monkeypatch.setattr(proper_scores.calib, "accuracy", lambda y, p: next(accuracy))


@pytest.mark.parametrize(
    ("reliability", "resolution", "said"),
    [
        ([0.01, 0.02, 0.01], [0.1, 0.3, 0.2], None),
        ([0.01, 0.05, 0.01], [0.1, 0.3, 0.2], "hardly in reliability"),
        ([0.01, 0.02, 0.01], [0.1, 0.2, 0.3], "rises with accuracy"),
    ],
)
def test_networks_differ_in_resolution_which_rises_with_accuracy(
    monkeypatch, reliability, resolution, said
):
    parts = [
        {"reliability": a, "resolution": b}
        for a, b in zip(reliability, resolution, strict=True)
    ]
    networks(monkeypatch, parts)
    if said is None:
        proper_scores.check_parts_of_networks(["a", "b", "c"])
    else:
        with pytest.raises(ValueError, match=said):
            proper_scores.check_parts_of_networks(["a", "b", "c"])


def test_points_of_the_lowest_losses_lie_on_their_curves():
    (ax,) = proper_scores.draw_losses_by_forecast().axes
    assert points(ax, 1)[0] == pytest.approx(
        [0.7, -0.7 * np.log(0.7) - 0.3 * np.log(0.3)]
    )
