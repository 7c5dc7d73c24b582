"""Verdicts as a figure."""

import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from book.show import verdicts
from book.show.verdicts import figure
from calib.plots import COLOURS
from evidence import claims

PERCENT = figure.SHOWN_AS["share"]


def mark(estimate, low=np.nan, high=np.nan, verdict="holds"):
    return {"verdict": verdict, "estimate": estimate, "low": low, "high": high}


def judgement(evidence="zoo", least=0.5, most=1.0):
    row = {"evidence": evidence, "least": least, "most": most}
    return next(pd.DataFrame([row]).itertuples())


LINES = [
    ("temperature", None, None),
    ("our networks", judgement(), mark(0.8, 0.6, 0.9)),
    ("in print", judgement("published"), mark(0.4, 0.3, 0.5, "fails")),
]


@pytest.fixture
def ax():
    _, axes = plt.subplots()
    yield axes
    plt.close()


def test_a_heading_is_lower_than_the_line_of_an_effect():
    assert figure.line_tops(LINES).tolist() == pytest.approx([0, 0.8, 1.8, 2.8])


@pytest.mark.parametrize(
    ("unit", "expected"),
    [("share", (-6, 106)), ("log ratio", (0.94, 2.06)), ("points", (-0.0416, 0.7347))],
)
def test_an_axis_holds_all_ends_the_line_of_no_effect_and_six_of_a_hundred_more(
    unit, expected
):
    show, no_effect = figure.SHOWN_AS.get(unit, (np.asarray, 0))
    top = math.log(2)
    lines = [("heading", None, None), ("ours", judgement(), mark(0.2, 0.1, top))]
    assert figure.effect_limits(lines, show, no_effect) == pytest.approx(
        expected, abs=1e-4
    )


def test_an_effect_is_drawn_with_its_interval_but_of_print_the_number_alone(ax):
    figure.effects_panel(ax, LINES, *PERCENT)
    drawn = {line.get_label(): line.get_xydata().tolist() for line in ax.lines}
    assert drawn == {
        "temperature, our networks, interval": [[60, 1.0], [90, 1.0]],
        "temperature, our networks": [[80, 1.0]],
        "temperature, in print": [[40, 2.0]],
    }
    assert ax.get_xlim() == (-3, 103) and ax.get_ylim() == pytest.approx((2.4, -0.4))
    names = [(text.get_text(), text.get_position()[1]) for text in ax.texts]
    assert names == [
        ("temperature", pytest.approx(-0.05)),
        ("our networks", pytest.approx(0.58)),
        ("in print", pytest.approx(1.58)),
    ]


def test_the_side_of_a_claim_is_shaded_as_far_as_the_axis_goes(ax):
    lines = [("claim", None, None), ("ours", judgement(most=np.inf), mark(0.2, 0.1, 1))]
    figure.effects_panel(ax, lines, np.asarray, 0)
    [shaded] = ax.collections
    x = shaded.get_paths()[0].vertices[:, 0]
    assert (x.min(), x.max()) == pytest.approx((0.5, 1.06))
    assert ax.get_xlim() == pytest.approx((-0.06, 1.06))
    assert ax.lines[-1].get_xdata() == [0, 0]


# verdict, kind of evidence, colour, filling, marker
LOOKS = [
    ("holds", "zoo", "blue", "blue", "^"),
    ("fails", "public", "vermillion", "vermillion", "s"),
    ("open", "zoo", "purple", "white", "^"),
    ("mixed (3 of 5)", "unsealed", "purple", "purple", "D"),
    ("too few cases", "published", None, "white", "o"),
]


@pytest.mark.parametrize(("verdict", "kind", "colour", "filling", "marker"), LOOKS)
def test_colour_tells_the_verdict_and_the_marker_the_evidence(
    ax, verdict, kind, colour, filling, marker
):
    figure.draw_effect(
        ax, 0, mark(0.3, verdict=verdict), kind, np.asarray, label="effect"
    )
    [point] = ax.lines  # without ends no interval
    assert point.get_color() == (COLOURS[colour] if colour else COLOURS["black"])
    assert point.get_markerfacecolor() == COLOURS.get(filling, filling)
    assert point.get_marker() == marker


def test_the_legend_names_verdicts_that_occur_and_the_side_of_a_claim():
    drawing = plt.figure()
    figure.add_legend(drawing, pd.Series(["holds", "open"]))
    texts = [text.get_text() for text in drawing.legends[0].get_texts()]
    assert texts == ["holds", "open", "the claim's side"]
    plt.close(drawing)


def test_print_is_drawn_where_its_count_is():
    """Not where the share of new networks is, which a count of 19 draws towards a half."""
    ledger = claims.load_ledger("guo2017").set_index(["id", "evidence"], drop=False)
    row = ledger.loc["guo-miscalibrated", "published"]
    [effect] = verdicts.drawn_effects(row)
    assert "17 of 19" in row.reason and effect["estimate"] == pytest.approx(17 / 19)
    away = ledger.loc["guo-miscalibrated", "zoo"]
    assert verdicts.drawn_effects(away)[0]["estimate"] == away.share


def test_a_theorem_is_drawn_as_proved_and_without_an_interval():
    ledger = claims.load_ledger("vasilev2021").query("status == 'theorem'")
    marks = {row.evidence: verdicts.drawn_effects(row) for row in ledger.itertuples()}
    for kind in ("public", "zoo"):
        [mark] = marks[kind]
        assert (mark["verdict"], mark["estimate"]) == ("proved", 1)
        assert math.isnan(mark["low"]) and math.isnan(mark["high"])
    assert marks["published"][0]["verdict"] == "holds"
