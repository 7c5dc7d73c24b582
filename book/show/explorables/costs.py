"""Thresholds, and what mistakes cost."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from book.show import stills
from book.show.explorables.element import Contents, explorable, in_base64, rounded


@explorable
def decision_costs(event: np.ndarray, scores: Any) -> Contents:
    """Costs and the frequency of an event give a threshold, and the threshold a cost, for the
    probabilities of a network before and after calibration.
    """
    data = {
        "event": rounded(event, 0),
        "scores": {name: rounded(score) for name, score in scores.items()},
    }
    return data, stills.reliability_diagrams(
        **{name: (score, event) for name, score in scores.items()}
    )


def mean_cost(
    event: np.ndarray, p: np.ndarray, threshold: float, *, miss: int, alarm: int
) -> float:
    """Return the mean cost of alarms from a threshold on, and of the events below it."""
    costs = np.where(p >= threshold, alarm * (1 - event), miss * event)
    return float(np.mean(costs))


def cost_curves(
    event: np.ndarray,
    scores: Mapping[str, np.ndarray],
    n_shown: int,
    *,
    miss: int,
    alarm: int,
) -> dict[str, list[tuple[float, float]]]:
    """Return by name of the scores the cost of `n_shown` cases at each percent of a threshold."""
    thresholds = np.linspace(0, 1, 101)
    curves = {}
    for name, score in scores.items():
        costs = [
            n_shown * mean_cost(event, score, threshold, miss=miss, alarm=alarm)
            for threshold in thresholds
        ]
        curves[name] = list(zip(thresholds, costs, strict=True))
    return curves


@explorable
def people_threshold(
    event: np.ndarray,
    scores: Mapping[str, np.ndarray],
    names: tuple[str, str],
    *,
    miss: int,
    alarm: int,
    axis: str,
    task: str = "dearer",
    n_shown: int = 200,
) -> Contents:
    """Cases in the order of their scores, a threshold, and what its mistakes cost.

    The first `n_shown` are drawn, all are in the interval. `axis` says what a score is the chance
    of; `task` is what is asked, "where" the threshold belongs or with which scores it is "dearer".
    """
    data = {
        "event": rounded(event[:n_shown], 0),
        "names": names,
        "miss": miss,
        "alarm": alarm,
    }
    drawn = {name: rounded(score[:n_shown]) for name, score in scores.items()}
    data |= {"scores": drawn}
    # of all cases: two bytes a score are a third of its digits
    chances = {
        name: in_base64(np.round(65535 * np.asarray(score)), "<u2")
        for name, score in scores.items()
    }
    data |= {
        "axis": axis,
        "task": task,
        "all": {"event": in_base64(event, "u1"), "scores": chances},
    }
    curves = cost_curves(event, scores, n_shown, miss=miss, alarm=alarm)
    return data, stills.line_plot(
        f"threshold, {axis}", f"cost of {n_shown}, €", **curves
    )
