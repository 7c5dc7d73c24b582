"""Graphs, knots and sentences of the notebook on Gupta et al.: numbers by hand."""

import numpy as np
import pandas as pd
import pytest
from drawings import ends_of_bars, labelled, points

from book.show import gupta2021 as gupta


def graph(ks=0.02):
    t = np.linspace(0, 1, 5)
    columns = {"fractile": t, "cumulative_score": t / 2, "cumulative_hit": t / 3}
    return pd.DataFrame(columns | {"score": t**2, "frequency": t**3, "ks": ks})


def test_the_four_graphs_have_what_the_paper_draws_across():
    axes = gupta.draw_four_graphs(graph()).axes
    t = np.linspace(0, 1, 5)
    scores, probabilities = (t / 2, t / 2, t**2, t**2), (t / 3, t / 3, t**3, t**3)
    drawn = zip(axes, (t, t / 2, t, t**2), scores, probabilities, strict=True)
    for ax, across, score, probability in drawn:
        assert labelled(ax)["score"] == pytest.approx(np.c_[across, score])
        assert labelled(ax)["probability"] == pytest.approx(np.c_[across, probability])
    assert [ax.get_xlabel()[:3] for ax in axes] == ["(a)", "(b)", "(c)", "(d)"]


@pytest.mark.slow
def test_a_column_of_graphs_is_of_one_stage_with_its_error():
    stages = enumerate(gupta.STAGES.values(), 1)
    graphs = pd.concat({at: graph(k / 100) for k, at in stages}).sort_index()
    axes = gupta.draw_graphs_by_stage(graphs).axes
    assert [ax.get_title() for ax in axes[:3]] == [
        f"{stage}\nKS {k}.00 %" for k, stage in enumerate(gupta.STAGES, 1)
    ]


def knots():
    rows = [
        {
            "runout": r,
            "target": t,
            "view": v,
            "n_knots": n,
            "ks": 0.001 * n * (1 + (t == "hits")),
        }
        for r in gupta.RUNOUT_LOOKS
        for t in ("gap", "hits")
        for v in ("top-1", "within-top-2")
        for n in (6, 14)
    ]
    table = pd.DataFrame(rows)
    table["ks"] = 0.02 - table["ks"] * (table["target"] == "gap")
    return table.assign(low=table.ks - 0.002, high=table.ks + 0.002)


@pytest.mark.slow
def test_an_error_stands_over_the_knots_beside_the_printed_one():
    figure = gupta.draw_ks_by_knots(knots(), {"top-1": 1.5, "within-top-2": 0.7})
    first, second = figure.axes
    assert first.get_title() == "top-1"
    assert points(first, 0) == pytest.approx(np.array([[6, 1.4], [14, 0.6]]))
    printed = [ax.lines[-1] for ax in (first, second)]
    assert [line.get_ydata()[0] for line in printed] == [1.5, 0.7]


def test_fewer_knots_leave_more_error(glued):
    spline = pd.Series({"low": 0.9, "high": 1.7})
    printed = {1: pd.Series({"spline": 1.1}), 4: pd.Series({"temp.": 0.7})}
    gupta.glue_ks_by_knots(knots(), spline, printed)
    assert glued == {
        "gupta-gap-6": "1.400 (0.900 to 1.700)",
        "gupta-hits-6": "2.000",
        "gupta-hits-ratio": "1.4",
        "gupta-printed-1": "1.100",
        "gupta-one-14": "0.60",
        "gupta-four-6": "1.40",
        "gupta-four-ratio": "2.3",
        "gupta-four-temperature": "0.70",
    }
    with pytest.raises(ValueError, match="do not meet"):
        gupta.glue_ks_by_knots(knots().assign(high=1.0), spline, printed)
    worse = knots()
    worse.loc[(worse["view"] == "top-1") & (worse["n_knots"] == 14), "ks"] = 0.02
    with pytest.raises(ValueError, match="fourteen knots"):
        gupta.glue_ks_by_knots(worse, spline, printed)


def study(ks=0.5, fifty=5.0):
    rows = [
        {
            "model": model,
            "n": n,
            "metric": metric,
            "mean": bias / 100 + truth,
            "truth": truth,
        }
        for model, truth in (("calibrated", 0.0), ("overconfident", 0.08))
        for n in (1000, 5000)
        for metric, bias in (("KS", ks), ("ECE, 15 bins", 3.0), ("ECE, 50 bins", fifty))
    ]
    return pd.DataFrame(rows).assign(sd=0.01)


def test_a_measure_has_its_scatter_and_its_truth_dashed():
    left, right = gupta.draw_measures_by_sample_size(study()).axes
    assert points(left, 0) == pytest.approx(np.array([[1000, 0.5], [5000, 0.5]]))
    assert ends_of_bars(left, 0)[0] == pytest.approx([-0.5, 1.5])
    dashed = [line for line in right.lines if line.get_linestyle() == "--"]
    assert {line.get_ydata()[0] for line in dashed} == {8.0}


@pytest.mark.parametrize(
    ("wrong", "said"), [({"ks": -3.5}, "least bias"), ({"fifty": 2.9}, "more bins")]
)
def test_the_bias_grows_from_ks_to_many_bins(glued, wrong, said):
    gupta.glue_bias_of_measures(study())
    assert glued == {"gupta-calibrated-bias": "0.5, 3.0, 5.0"}
    with pytest.raises(ValueError, match=said):
        gupta.glue_bias_of_measures(study(**wrong))


def test_a_network_is_a_mark_of_its_evidence():
    networks = pd.DataFrame(
        {"evidence": ["printed", "public"], "temp.": [1.0, 2], "spline": [0.5, 3]}
    )
    (ax,) = gupta.draw_spline_and_temperature(networks).axes
    assert ax.collections[0].get_offsets().tolist() == [[1, 0.5], [2, 3]]


def first_screen(**changes):
    columns = {"value": [0.700, 0.705, 5.0], "chance": [0.6, 0.5, 0.6]}
    return pd.DataFrame(
        columns | changes, ["Spline", "Temperature scaling", "Uncalibrated"]
    )


def test_the_first_screen_tells_that_both_maps_are_alike_and_near_chance():
    gupta.check_first_screen(first_screen())
    for wrong, said in (
        ({"value": [0.7, 0.72, 5]}, "alike"),
        ({"value": [0.7, 0.68, 5]}, "alike"),
        ({"chance": [0.6, 0.3, 1]}, "near chance"),
        ({"chance": [0.8, 0.6, 1]}, "near chance"),
    ):
        with pytest.raises(ValueError, match=said):
            gupta.check_first_screen(first_screen(**wrong))


def targets(**changes):
    columns = {
        "hits (text)": [0.9, 0.8],
        "gap (script)": [0.3, 0.5],
        "by chance": [0.4, 0.4],
    }
    return pd.DataFrame(columns | changes, ["a", "b"])


def test_one_network_is_beyond_chance_after_fits_to_gaps(glued):
    gupta.glue_ks_by_target(targets())
    assert glued == {
        "splines-hits": "0.800 to 0.900",
        "splines-gap": "0.300 to 0.500",
        "splines-within": "1 of 2",
        "splines-beyond": "b",
    }
    for wrong, said in (
        ({"gap (script)": [0.3, 0.3]}, "one network beyond"),
        ({"gap (script)": [0.5, 0.5]}, "one network beyond"),
        ({"hits (text)": [0.9, 0.4]}, "fits to hits"),
    ):
        with pytest.raises(ValueError, match=said):
            gupta.glue_ks_by_target(targets(**wrong))


def test_ks_is_told_by_its_share_of_the_ece(glued):
    rows = [
        {"calibrator": c, "source": s, "metric": m, "value": v}
        for c, scale in (("none", 1), ("temperature", 2))
        for s, ks in (("a", 0.2), ("b", 0.4), (("c", 0.44)))
        for m, v in (("KS", scale * ks), ("ECE", 1.0), ("NLL", 9))
    ]
    gupta.glue_ks_over_ece(pd.DataFrame(rows))
    assert glued["gupta-ratio-none-median"] == "0.40 (quartiles 0.30 and 0.42)"
    assert glued["gupta-ratio-temperature-median"].startswith("0.80 ")
    assert glued["gupta-ratio-none-n"] == 3


def digits(**changes):
    columns = {
        "method": [
            "Uncalibrated",
            "Temperature scaling",
            "Spline",
            "MS-ODIR",
            "Dir-ODIR",
            "Vector",
        ],
        "table": [1, 1, 1, 2, 4, 1],
        "printed": [5.123, 1.25, 1.1, 0.9, 0.8, 0.7],
        "recomputed": [5.1232, 1.2496, 1.12, 1.5, 1.6, 0.71],
        "low": [0, 0, 1.0, 1.0, 1.0, 0.6],
        "high": [0, 0, 1.2, 2.0, 2.0, 0.8],
        "difference": [0.0002, -0.0004, 0, 0, 0, 0],
        "script": [None, 1.25, 1.105, None, None, None],
        "least": [None, None, None, 0.85, None, None],
        "most": [None, None, None, 0.95, None, None],
        "copied": [None, None, None, "DenseNet-40", None, None],
    }
    return pd.DataFrame(columns | changes)


def test_digits_of_the_same_networks_agree(glued):
    gupta.glue_agreement_of_digits(digits())
    assert glued == {
        "gupta-plain-n": 2,
        "gupta-plain-worst": "0.0004",
        "gupta-fitted-within": "2 of the 4",
        "gupta-fitted-n": 4,
        "gupta-script-moves": "0.015",
        "gupta-odir-same": "0.900",
        "gupta-odir-ours": "1.500",
        "gupta-odir-range": "0.850 to 0.950",
    }
    with pytest.raises(ValueError, match="every digit"):
        gupta.glue_agreement_of_digits(
            digits(recomputed=[5.1236, 1.25, 1.12, 1.5, 1.6, 0.71])
        )
    with pytest.raises(ValueError, match="lie outside"):
        gupta.glue_agreement_of_digits(digits(low=[0, 0, 1.0, 1.0, 0.1, 0.6]))


def test_the_second_choice_is_too_low_by_what_the_first_two_leave(glued, monkeypatch):
    index = {
        "source": "kull-cifar10-densenet40",
        "calibrator": "none",
        "samples": "all",
    }
    rows = pd.DataFrame({"metric": ["confidence", "accuracy"], "value": [0.98, 0.92]})
    monkeypatch.setattr(gupta, "load_results", lambda name: rows.assign(**index))
    gupta.glue_gap_of_first_choice(1.5)
    assert glued == {"gupta-first-gap": "6.00", "gupta-first-second": "4.50"}


def networks():
    index = [f"C{i} R{i}" for i in range(8)]
    both = pd.DataFrame(
        {"temp.": np.full(8, 1.0), "spline": np.linspace(0.3, 0.9, 8)}, index
    )
    both["BBQ"] = 2.0
    both.loc["C7 R7", "spline"] = 1.05
    return dict.fromkeys(("printed", "public", "ours"), both)


def test_networks_are_counted_on_which_a_spline_is_below_a_temperature(
    glued, monkeypatch
):
    monkeypatch.setattr(
        gupta, "share_with_interval", lambda won: f"{won.sum()} of {len(won)}"
    )
    monkeypatch.setattr(
        gupta.claims, "chance_of_another_best", lambda paper, metric: 0.3
    )
    gupta.glue_spline_and_temperature(networks())
    assert glued["gupta-printed-below"] == glued["gupta-ours-below"] == "7 of 8"
    assert glued["gupta-lowest"] == "7 of 8" and glued["gupta-halves-ks"] == "30%"
    assert glued["gupta-worst"] == "0.1" and glued["gupta-losses"].startswith(
        "C7 R7, C6 R6"
    )
    both = networks()["ours"].assign(spline=1 + 0.1 * (-1) ** np.arange(8))
    alike = dict.fromkeys(networks(), both)
    with pytest.raises(ValueError, match="differ"):
        gupta.glue_spline_and_temperature(alike)
