"""The diagrams draw the metrics' numbers, on the axes given, and change nothing else."""

import sys

import drawings
import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from calib import (
    Pairs,
    consistency_band,
    ece,
    equal_mass,
    equal_width,
    one_vs_rest,
    plots,
    softmax,
    top_label,
)


def test_without_matplotlib_its_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for draw in (plots.reliability_diagram, plots.classwise_diagrams):
        with pytest.raises(
            ModuleNotFoundError, match=r"the extra 'plots' brings it: pip install"
        ):
            draw([0, 1], [[0.9, 0.1], [0.2, 0.8]])


@pytest.fixture
def data():
    rng = np.random.default_rng(5)
    z = 2 * rng.normal(size=(600, 4))
    y = (softmax(z).cumsum(axis=1) < rng.random((600, 1))).sum(axis=1)
    return y, softmax(1.7 * z)


@pytest.fixture
def ax():
    return Figure().add_subplot()


def container(ax, label):
    (bars,) = [c for c in ax.containers if c.get_label() == label]
    return bars


def curves(ax):
    return [line for line in ax.lines if line.get_gid() == "curve"]


@pytest.mark.parametrize("binning", [equal_width(15), equal_mass(7)])
def test_bars_are_the_bins(data, ax, binning):
    bins = binning(*top_label(*data))
    full = bins.count > 0
    drawn_ax = plots.reliability_diagram(*data, bins=binning, ax=ax)
    assert drawn_ax is ax
    accuracy, gap = container(ax, "Accuracy"), container(ax, "Gap")
    assert len(accuracy) == len(gap) == full.sum()
    np.testing.assert_allclose([b.get_height() for b in accuracy], bins.mean_hit[full])
    np.testing.assert_allclose([b.get_x() for b in accuracy], bins.edges[:-1][full])
    np.testing.assert_allclose(
        [b.get_width() for b in accuracy], np.diff(bins.edges)[full]
    )
    ends = [b.get_y() + b.get_height() for b in gap]
    np.testing.assert_allclose(ends, bins.mean_score[full])
    np.testing.assert_allclose([b.get_y() for b in gap], bins.mean_hit[full])
    (note,) = [text.get_text() for text in ax.texts if text.get_gid() == "error"]
    assert (
        note == f"ECE {np.abs(bins.hit_sum - bins.score_sum).sum() / len(data[0]):.4f}"
    )
    ready_ax = Figure().add_subplot()
    plots.reliability_diagram(bins, ax=ready_ax)
    assert [[b.get_height() for b in c] for c in ready_ax.containers[:2]] == [
        [b.get_height() for b in c] for c in (accuracy, gap)
    ]


def test_empty_bins_draw_nothing(ax):
    plots.reliability_diagram(
        [1, 0, 1], [0.95, 0.91, 0.05], bins=equal_width(10), band=0.9, ax=ax
    )
    assert [b.get_x() for b in container(ax, "Frequency")] == pytest.approx([0, 0.9])
    (strip,) = ax.child_axes
    assert [b.get_height() for b in strip.patches] == pytest.approx([1 / 3, 2 / 3])
    whiskers = ax.containers[-1]
    assert len(whiskers.lines[2][0].get_segments()) == 2
    second_ax = Figure().add_subplot()
    plots.reliability_diagram([0, 0], [0.5, 0.7], bins=equal_width(1), ax=second_ax)
    (gap,) = container(second_ax, "Gap")
    assert (gap.get_y(), gap.get_height()) == (0, pytest.approx(0.6))


def test_sample_weights_are_repetition(data, ax):
    y, p = data
    repeats = np.random.default_rng(0).integers(0, 3, len(y))
    weighted_ax = Figure().add_subplot()
    plots.reliability_diagram(y, p, sample_weight=repeats, ax=ax)
    plots.reliability_diagram(
        np.repeat(y, repeats), np.repeat(p, repeats, axis=0), ax=weighted_ax
    )
    for label in ("Accuracy", "Gap"):
        repeated, weighted = container(ax, label), container(weighted_ax, label)
        np.testing.assert_allclose(
            [b.get_height() for b in repeated], [b.get_height() for b in weighted]
        )


def test_whiskers_are_the_band(data, ax):
    band = consistency_band(top_label(*data)[0], confidence_level=0.9)
    full = band.count > 0
    plots.reliability_diagram(*data, band=0.9, ax=ax)
    segments = np.array(ax.containers[-1].lines[2][0].get_segments())
    np.testing.assert_allclose(segments[:, 0, 1], band.low[full], atol=1e-12)
    np.testing.assert_allclose(segments[:, 1, 1], band.high[full], atol=1e-12)
    assert "90% range if calibrated" in ax.get_legend_handles_labels()[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y_true": [0, 1]}, "y_prob: None"),
        (
            {"y_true": [0, 1], "y_prob": [0.5, 0.5], "band": 1.5},
            "confidence_level: 1.5",
        ),
        (
            {
                "y_true": [0, 1],
                "y_prob": [0.5, 0.5],
                "band": 0.9,
                "sample_weight": [1, 2],
            },
            "band: not defined for weighted",
        ),
        ({"y_true": equal_width(2)([0.5], [1]), "band": 0.9}, "y_true: bins"),
        ({"y_true": [0, 2], "y_prob": [0.5, 0.5]}, "y_true: row 1 is 2"),
    ],
)
@pytest.mark.parametrize("draw", [plots.reliability_diagram, plots.reliability_plot])
def test_bad_input_is_named(draw, arguments, message, ax):
    with pytest.raises(ValueError, match=message):
        draw(**arguments, ax=ax)


def test_plot_is_the_bins(data, ax):
    bins = equal_width(15)(*top_label(*data))
    full = bins.count > 0
    assert plots.reliability_plot(*data, band=0.95, ax=ax) is ax
    assert ax.get_ylabel() == "Accuracy"
    (curve,) = curves(ax)
    points = np.column_stack([bins.mean_score[full], bins.mean_hit[full]])
    np.testing.assert_allclose(curve.get_xydata(), points)
    band = consistency_band(top_label(*data)[0])
    vertices = ax.collections[0].get_paths()[0].vertices
    assert vertices[:, 1].min() == pytest.approx(np.nanmin(band.low))
    assert vertices[:, 1].max() == pytest.approx(np.nanmax(band.high))


def test_curves_differ_in_colour_and_marker(data, ax):
    for k in range(4):
        plots.reliability_plot(*data, view=one_vs_rest(k), label=f"{k}", ax=ax)
    lines = curves(ax)
    assert len({line.get_color() for line in lines}) == len(
        {line.get_marker() for line in lines}
    )
    assert len(lines) == 4
    assert sum(line.get_gid() == "diagonal" for line in ax.lines) == 1
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Score", "Frequency")


def test_the_legend_speaks_of_confidence_only_where_the_score_is_one(ax):
    for view, words in ((top_label, "confident"), (one_vs_rest(1), "score too")):
        plots.reliability_diagram(
            [0, 1, 1], [[0.9, 0.1], [0.7, 0.3], [0.35, 0.65]], view=view, ax=ax
        )
        labels = [
            t.get_text() for t in ax.get_legend().get_texts() if "Gap" in t.get_text()
        ]
        assert len(labels) == 2 and all(words in text for text in labels)
        ax.clear()


def test_classwise_panels_are_one_vs_rest(data):
    (y, p), before = data, dict(matplotlib.rcParams)
    with pytest.raises(ValueError, match="names: 3 names, expected 4"):
        plots.classwise_diagrams(y, p, names=list("abc"))
    panels = plots.classwise_diagrams(y, p, names=list("abcd"))
    assert [ax.get_title()[0] for ax in panels[0].figure.axes] == list("abcd")
    all_axes = [
        plots.reliability_diagram(y, p),
        plots.reliability_plot(y, p),
        panels[0],
    ]
    axes = plots.classwise_diagrams(y, p, classes=[2, 0])
    assert len({id(ax.figure) for ax in (*all_axes, axes[0])}) == 4
    assert dict(matplotlib.rcParams) == before
    for ax, k in zip(axes, [2, 0], strict=True):
        bins = equal_width(15)(*one_vs_rest(k)(y, p))
        heights = [b.get_height() for b in container(ax, "Frequency")]
        np.testing.assert_allclose(heights, bins.mean_hit[bins.count > 0])
        assert (
            ax.get_title() == f"class {k} · {np.abs(bins.gap_sum).sum() / len(y):.3f}"
        )
    matplotlib.pyplot.close("all")


def luminance(colour):
    c = np.array(to_rgb(colour))
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


@pytest.mark.parametrize(
    "colour", [*(plots.COLOURS[name] for name in plots.LINES), plots.GREY]
)
def test_lines_stand_out_against_white(colour):
    assert 1.05 / (luminance(colour) + 0.05) >= 3


def test_a_bin_of_one_score_is_seen():
    """Six in ten scores are exactly 0, and a quarter of these are hits: the gap is there."""
    rng = np.random.default_rng(0)
    score = np.where(rng.random(2000) < 0.6, 0.0, rng.random(2000))
    hit = rng.random(2000) < np.where(score == 0, 0.25, score)
    bins = equal_mass(10)
    diagram = plots.reliability_diagram(hit, score, bins=bins, band=0.95)
    (panel,) = plots.classwise_diagrams(
        hit, np.column_stack([1 - score, score]), classes=[1], bins=bins
    )
    for ax in (diagram, panel):
        bars = [bar for bar in ax.containers[0] if bar.get_x() == 0]
        assert {bar.get_width() > 0.01 for bar in bars} == {True}
        at_zero = min(bars, key=lambda bar: bar.get_width())
        assert at_zero.get_height() == pytest.approx(hit[score == 0].mean())
        assert at_zero is ax.containers[0][-1]  # drawn over its neighbour


def test_a_band_of_pairs_with_weights_is_refused():
    score = np.array([0.2, 0.7, 0.9])
    pairs = Pairs(score, score > 0.5, np.array([1.0, 2.0, 1.0]))
    with pytest.raises(ValueError, match="band: not defined for weighted samples"):
        plots.reliability_plot(pairs, score, band=0.95)


@pytest.fixture
def weighted(data):
    """Labels, probabilities and weights, and the bins that they fall in."""
    weight = np.random.default_rng(2).random(len(data[0]))
    y, p = data
    bins = equal_width(15)(*top_label(y, p), weight)
    return y, p, weight, bins


def test_a_black_line_marks_the_mean_score_of_each_bin_over_its_width(weighted, ax):
    y, p, weight, bins = weighted
    plots.reliability_diagram(y, p, sample_weight=weight, ax=ax)
    full = bins.weight > 0
    left, right = bins.edges[:-1][full], bins.edges[1:][full]
    mean = bins.mean_score[full]
    (lines,) = [c for c in ax.collections if c.get_label() == "Mean confidence"]
    expected = np.column_stack([left, mean, right, mean])
    np.testing.assert_allclose(drawings.segments(lines), expected)


def test_the_strip_shows_the_share_of_the_weight_and_the_corner_its_error(weighted, ax):
    y, p, weight, bins = weighted
    plots.reliability_diagram(y, p, sample_weight=weight, ax=ax)
    (strip,) = ax.child_axes
    share = bins.weight[bins.weight > 0] / weight.sum()
    np.testing.assert_allclose([bar.get_height() for bar in strip.patches], share)
    np.testing.assert_allclose(strip.get_yticks(), [0, share.max()])
    assert drawings.ticks(strip.yaxis) == ["0", f"{share.max():.2f}"]
    assert strip.get_xlim() == ax.get_xlim()
    assert drawings.texts(ax) == [f"ECE {ece(y, p, sample_weight=weight):.4f}"]


def test_whiskers_stand_in_the_middle_of_bars_and_the_range_at_mean_scores(data, ax):
    band = consistency_band(top_label(*data)[0], confidence_level=0.9)
    bins = equal_width(15)(*top_label(*data))
    full = np.flatnonzero(bins.weight > 0)
    plots.reliability_diagram(*data, band=0.9, ax=ax)
    middle = (bins.edges[:-1] + bins.edges[1:])[full] / 2
    whiskers = drawings.segments(ax.containers[-1].lines[2][0])
    np.testing.assert_allclose(whiskers[:, 0], middle)
    plot = plots.reliability_plot(*data, band=0.9, ax=Figure().add_subplot())
    for k in full:
        ends = drawings.band(plot.collections[0], bins.mean_score[k])
        assert ends == pytest.approx((band.low[k], band.high[k]))


@pytest.mark.parametrize("draw", [plots.reliability_diagram, plots.reliability_plot])
def test_both_axes_go_from_zero_to_one_and_a_diagonal_joins_these(draw, data, ax):
    draw(*data, ax=ax)
    (diagonal,) = [line for line in ax.lines if line.get_gid() == "diagonal"]
    np.testing.assert_array_equal(diagonal.get_xydata(), [[0, 0], [1, 1]])
    assert ax.get_xlim() == ax.get_ylim() == (0, 1)
    for axis in (ax.xaxis, ax.yaxis):
        np.testing.assert_array_equal(axis.get_ticklocs(), [0, 0.25, 0.5, 0.75, 1])
        assert drawings.ticks(axis) == ["0", "", "0.5", "", "1"]


@pytest.mark.parametrize(
    "hits, gaps",
    [
        ([0, 0], ["Gap: score too high"]),
        ([0, 0, 1], ["Gap: score too high"]),
        ([1, 1], ["Gap: score too low"]),
        ([1, 1, 1], ["Gap: score too low"]),
        ([0, 1], ["Gap: score too high", "Gap: score too low"]),
    ],
)
def test_the_legend_explains_the_gaps_that_occur_as_they_are_drawn(hits, gaps, ax):
    plots.reliability_diagram(hits, [0.3, 0.7, 1.0][: len(hits)], ax=ax)
    legend = ax.get_legend()
    texts = [text.get_text() for text in legend.get_texts()]
    assert [text for text in texts if text.startswith("Gap")] == gaps
    patches = dict(zip(gaps, legend.get_patches()[-len(gaps) :], strict=True))
    for bar, hit in zip(container(ax, "Gap"), hits[:2], strict=False):
        patch = patches["Gap: score too low" if hit else "Gap: score too high"]
        assert bar.get_edgecolor() == patch.get_edgecolor()


def test_a_bin_of_the_score_one_ends_there(ax):
    score = [0.9999, 0.9999, 1.0, 1.0]
    plots.reliability_diagram([1, 0, 1, 1], score, bins=equal_mass(2), ax=ax)
    ends = [bar.get_x() + bar.get_width() for bar in container(ax, "Frequency")]
    assert max(ends) == 1 and len(ends) == 2


@pytest.mark.parametrize("n_classes, below", [(3, [0, 1, 2]), (5, [2, 3, 4])])
def test_panels_stand_in_rows_of_three_with_names_at_the_left_and_below(
    n_classes, below
):
    p = np.random.default_rng(0).dirichlet(np.ones(n_classes), 30)
    panels = plots.classwise_diagrams(p.argmax(axis=1), p)
    figure = panels[0].figure
    assert list(panels) == figure.axes and len(panels) == n_classes
    rows = [ax.get_subplotspec().rowspan.start for ax in panels]
    assert rows == [k // 3 for k in range(n_classes)]
    assert panels[0].get_gridspec().nrows == rows[-1] + 1
    assert [k for k, ax in enumerate(panels) if ax.get_ylabel()] == [
        *range(0, n_classes, 3)
    ]
    assert {ax.get_ylabel() for ax in panels} <= {"Frequency", ""}
    assert [k for k, ax in enumerate(panels) if ax.get_xlabel()] == below
    assert panels[0].get_shared_x_axes().joined(panels[0], panels[-1])
    matplotlib.pyplot.close(figure)


def test_ten_curves_have_ten_markers(data, ax):
    for _ in range(10):
        plots.reliability_plot(*data, ax=ax)
    assert len({line.get_marker() for line in curves(ax)}) == 10
