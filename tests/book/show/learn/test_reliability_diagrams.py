"""Diagrams by binning and by class; errors by chance; which bars are too low, by hand."""

from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawings import labelled, points, texts

import calib
from book.show.learn import reliability_diagrams as diagrams
from evidence.network_outputs import Outputs

RNG = np.random.default_rng(0)
LOGITS = 2 * RNG.normal(size=(400, 3))
LABEL = (LOGITS / 2 + RNG.gumbel(size=LOGITS.shape)).argmax(axis=1)
TEST = Outputs(LABEL, logits=LOGITS)


def test_an_error_has_beside_it_what_a_calibrated_network_shows_on_average():
    score, hit = calib.top_label(LABEL, TEST.prob)
    ax = calib.reliability_diagram(hit, score)
    diagrams.add_error_by_chance(ax, score, at=0.2)
    (text,) = [text for text in ax.texts if text.get_gid() == "error"]
    chance = calib.error_if_calibrated(score)
    assert text.get_text() == f"ECE {calib.ece(hit, score):.1%}\nby chance {chance:.1%}"
    assert text.get_position()[0] == 0.2


def test_chance_is_that_of_the_bins_that_are_drawn():
    score, hit = calib.top_label(LABEL, TEST.prob)
    ax = calib.reliability_diagram(hit, score, bins=calib.equal_width(50))
    diagrams.add_error_by_chance(ax, score, calib.equal_width(50))
    chance = calib.error_if_calibrated(score, bins=calib.equal_width(50))
    assert f"by chance {chance:.1%}" in "".join(texts(ax))


def sure_and_wrong(n=1000):
    """Confidences from 0.51 to 0.995, whose answers are right a third as often as they say."""
    confidence = np.linspace(0.51, 0.995, n)
    return confidence, np.arange(n) % 10 < 3


def test_bins_and_sure_answers_are_counted(glued):
    confidence, hit = sure_and_wrong()
    diagrams.glue_bins_and_sure_answers(confidence, hit, TEST)
    fourth = (confidence > 0.6) & (confidence <= 0.8)
    assert glued["reliability-fourth-conf"] == f"{confidence[fourth].mean():.0%}"
    assert glued["reliability-fourth-acc"] == f"{hit[fourth].mean():.0%}"
    assert glued["reliability-last-share"] == f"{(confidence > 0.8).mean():.0%}"
    last = confidence > 14 / 15
    assert glued["reliability-last-mean"] == f"{confidence[last].mean():.1%}"
    assert glued["reliability-last-acc"] == f"{hit[last].mean():.1%}"
    assert glued["reliability-centre"] == "96.7%"  # of the last of fifteen bins
    sure = confidence > 0.99
    assert glued["reliability-sure"] == f"{sure.mean():.0%}"
    assert glued["reliability-sure-wrong"] == f"{np.sum(sure & ~hit)}"
    assert glued["reliability-sure-expected"] == f"{np.sum(1 - confidence[sure]):.1f}"
    counts = [
        np.histogram(TEST.prob[:, k], np.linspace(0, 1, 11))[0][1:-1] for k in range(3)
    ]
    assert glued["reliability-middle"] == f"{np.min(counts)} to {np.max(counts)}"


def hits_in_bins(score, share, n_bins):
    """Hits of which each bin has nearly this share of what its scores say, rounded down."""
    number, hit = (
        np.minimum(n_bins * score // 1, n_bins - 1),
        np.zeros(len(score), bool),
    )
    for bin_ in np.unique(number):
        rows = np.flatnonzero(number == bin_)
        hit[rows[: int(share * score[rows].sum())]] = True
    return hit


def test_bars_that_are_not_all_too_low_stop_the_build():
    confidence, _ = sure_and_wrong()
    with pytest.raises(ValueError, match="below its line"):
        diagrams.glue_bins_and_sure_answers(confidence, np.ones(1000, bool), TEST)
    nearly = hits_in_bins(confidence, 0.99, 15)
    with pytest.raises(ValueError, match="beyond chance"):
        diagrams.glue_bins_and_sure_answers(confidence, nearly, TEST)


def test_four_binnings_are_drawn_with_their_means():
    axes = diagrams.draw_diagrams_by_binning(TEST).axes[:4]
    assert [ax.get_title() for ax in axes] == [
        "5 bins of equal width",
        "15 bins of equal width",
        "50 bins of equal width",
        "15 bins of equal mass",
    ]
    score, hit = calib.top_label(LABEL, TEST.prob)
    bins = calib.equal_mass(15)(score, hit)
    assert points(axes[3], len(axes[3].lines) - 1) == pytest.approx(
        np.c_[bins.mean_score, bins.mean_hit]
    )


def test_isotonic_steps_stand_over_the_bins_as_dots():
    ordered = np.linspace(0.4, 1, 5)
    (ax, *_) = diagrams.draw_isotonic_over_bins(TEST, ordered**2, ordered).axes
    steps = ax.lines[-1]
    assert steps.get_drawstyle() == "steps-post"
    assert points(ax, len(ax.lines) - 1) == pytest.approx(np.c_[ordered, ordered**2])
    assert ax.lines[-2].get_linestyle() == "None"


def test_a_class_has_its_own_diagram_and_chance():
    ten = calib.equal_width(10)
    figure = diagrams.draw_diagrams_of_classes("xyzw", [2, 0, 1, 2], ten, TEST)
    for ax, k in zip(figure.axes[:4], [2, 0, 1, 2], strict=True):
        assert ax.get_xlabel() == f"score, {'xyzw'[k]}"
        hit, score = LABEL == k, TEST.prob[:, k]
        error = calib.calibration_error(hit, score, bins=ten)
        chance = calib.error_if_calibrated(score, bins=ten)
        assert f"ECE {error:.1%}\nby chance {chance:.1%}" in texts(ax)


def confused(bag=0.6, trousers=1.0):
    """Labels and scores of four classes, of which some are hit less often than said."""
    score, label, prob = (
        np.linspace(0.05, 0.95, 2000),
        np.full(8000, -1),
        np.zeros((8000, 4)),
    )
    for k, share in enumerate((0.5, 0.5, trousers, bag)):
        mine = np.arange(2000) + 2000 * k
        prob[mine, k] = score
        label[mine[hits_in_bins(score, share, 10)]] = k
    return SimpleNamespace(y=label, prob=prob)


NAMES = ["pullover", "shirt", "trousers", "bag"]


def test_classes_that_are_confused_are_off_most(monkeypatch):
    ten = calib.equal_width(10)
    errors = {"pullover": 0.2, "shirt": 0.2, "trousers": 0.01, "bag": 0.05}
    found = iter([*errors.values()])
    monkeypatch.setattr(
        calib, "calibration_error", lambda *args, **options: next(found)
    )
    diagrams.check_confused_classes(range(4), ten, confused(), NAMES)
    found = iter([0.2, 0.14, 0.01, 0.05])
    with pytest.raises(ValueError, match="off most"):
        diagrams.check_confused_classes(range(4), ten, confused(), NAMES)
    for wrong in ({"bag": 1.0}, {"trousers": 0.6}):
        found = iter([*errors.values()])
        with pytest.raises(ValueError, match="none of trousers"):
            diagrams.check_confused_classes(range(4), ten, confused(**wrong), NAMES)


def test_a_line_parts_two_clouds_whose_middles_lie_on_its_two_sides():
    x, label, line = diagrams.parted_clouds(np.random.default_rng(0))
    assert (len(x), len(label), len(line)) == (4000, 4000, 3)
    for k, sign in ((0, -1), (1, 1)):
        assert x[label == k].mean(axis=0) == pytest.approx(
            [0.8 * sign, 0.48 * sign], abs=0.1
        )
    side = x @ line[:2] + line[2]
    # the best line between two normal clouds is wrong where a middle is 0.93 sd away: 17.5 %
    assert np.mean((side > 0) == label) == pytest.approx(0.825, abs=0.015)


def test_the_line_and_both_classes_are_drawn_and_three_scores():
    x, label, line = diagrams.parted_clouds(np.random.default_rng(0))
    score = 1 / (1 + np.exp(-2 * (x @ line[:2] + line[2])))
    both = np.c_[1 - score, score]
    ten = calib.equal_width(10)
    figure = diagrams.draw_plot_and_diagrams(label, x, line, ten, score, both)
    data, plot, diagram, predicted = figure.axes[:4]
    assert len(labelled(data)["class 0"]) + len(labelled(data)["class 1"]) == 600
    for x1, x2 in labelled(data)["hyperplane"]:
        assert line @ [x1, x2, 1] == pytest.approx(0)
    for ax, drawn in ((diagram, score), (predicted, both.max(axis=1))):
        chance = calib.error_if_calibrated(drawn, bins=ten)
        assert f"by chance {chance:.1%}" in "".join(texts(ax))
    assert plot.get_xlabel() == "(a) score, class 1"
    plt.close(figure)
