"""What to do: the map, what it changes for costs, groups and declined answers, and advice."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import betaincinv, stdtr, stdtrit

from calib import TemperatureScaling, group_errors, holm, risk_coverage, shrink
from calib_report.asked import Asked, Costs
from calib_report.comparison import candidates, fitted_to
from calib_report.losses import HeldOut, names_of, numbered
from calib_report.measure import (
    CALIBRATED,
    FEWEST_SAMPLES,
    NORMAL_95,
    Number,
    bin_table,
    first_numbers,
    mean_with_interval,
    share_with_interval,
)
from calib_report.outputs import ModelOutputs
from calib_report.trend import time_table
from calib_report.words import TEXTS

SMALL = 1000  # samples, or clusters, below which one temperature may be worth a try
COVERAGES = (0.95, 0.9, 0.8)
N_MISTAKES = 10
GROUP = ("group", "samples", "accuracy", "before", "after")
GAP = ("value", "low", "high", "p_value", "best_guess", "flagged")


def decide(
    outputs: ModelOutputs,
    found: dict[str, Any],
    held: dict[str, HeldOut],
    asked: Asked,
    rng: np.random.Generator,
) -> tuple[dict[str, Any], Any]:
    """Decide on a map by what was found, and say what it does; beside it stands the map, fitted."""
    chosen = recommend(found["comparison"], outputs, found["before"]["ECE"]["p_value"])
    own, after, seed = held["none"], held[chosen["name"]], found["seed"]
    fitted, groups = recommended_map(outputs, chosen["name"]), dict(outputs.groups)
    told: dict[str, Any] = {"recommended": chosen}
    if asked.costs is not None:
        told["costs"] = cost_table(asked.costs, own, after, outputs)
    more: Any = {"labels": groups.get("label"), "cost": cost_of(after)}
    told["after"] = first_numbers(after, rng=rng, **more)
    if isinstance(fitted, TemperatureScaling):
        told["temperature"] = fitted.temperature_
    if asked.coverage is not None or asked.risk is not None:
        told["declined"] = declined(after, np.random.default_rng(seed), asked)
    if asked.time is not None:
        told["time"] = time_table(asked.time, groups.pop(asked.time), own, after)
    risks = {"before": own.curve.risk_at, "after": after.curve.risk_at}
    risks["threshold"] = after.curve.threshold_at
    return told | {
        "bins_after": bin_table(after),
        "risk": [{"kept": c} | {name: at(c) for name, at in risks.items()} for c in COVERAGES],
        "mistakes": mistakes(outputs, own),
        "groups": {name: group_table(own, after, group) for name, group in groups.items()},
    }, fitted


def recommend(
    comparison: list[dict[str, Any]], outputs: ModelOutputs, p_value: float = 1.0
) -> dict[str, Any]:
    """Choose a map, or none, from a comparison: its ``name``, the ``reason``, and ``confirmed``.

    A map is worth having if the interval of its change in NLL lies below zero. Of those, the one
    with the fewest parameters is chosen whose paired difference from the best has an interval that
    holds zero. Of fewer than a thousand samples, which may hold no mistake of those that cost a map
    most, it has to lie below zero with one more, where the map is surest. Where there is no such
    map, but a test of calibration that rejects, `p_value`, the map of one number is chosen, unless
    its loss is higher.
    """
    n, what = len(outputs), "samples"
    if outputs.clusters is not None:
        n, what = len(np.unique(outputs.clusters)), "clusters"
    none, chosen, confirmed = {"name": "none"}, comparison[1], True
    clear = [row for row in comparison[1:] if row.get("nll_change", {}).get("high", 0) < 0]
    better = [row for row in clear if n >= SMALL or _survives(row)]
    gain = -chosen.get("nll_change", {}).get("difference", np.inf)
    told: dict[str, Any] = {"n": n, "what": what, "p": p_value, "gain": gain}
    if n < FEWEST_SAMPLES:
        chosen, case = none, "few"
    elif len(np.unique(outputs.y)) < 2:
        chosen, case = none, "one_class"
    elif better:
        best = min(better, key=lambda row: row["nll"])
        close = [row for row in better if row["nll_from_best"]["low"] <= 0] or [best]
        chosen = min(close, key=lambda row: row["n_parameters"])
        change = chosen["nll_change"]
        told |= {"gain": -change["difference"], "low": -change["high"], "high": -change["low"]}
        told |= {"best": best["name"], "nll": best["nll"]}
        case = "clear" if chosen is best else "close"
    elif n >= SMALL or p_value > CALIBRATED or gain <= 0:
        chosen, case = none, "undone" if clear else "chance"
    else:
        confirmed, case = False, "unconfirmed"
    reason = TEXTS["reason"][case].format(least=FEWEST_SAMPLES, **told)
    return {"name": chosen["name"], "reason": reason, "confirmed": confirmed}


def _survives(row: dict[str, Any]) -> bool:
    """Tell whether one more mistake, where a map is surest, would leave its gain clear."""
    return float(row["nll_change"]["high"] + row.get("one_mistake", 0.0)) < 0


def recommended_map(outputs: ModelOutputs, name: str) -> Any:
    """Fit the recommended map on the calibration set, or on all samples; None if it is "none"."""
    for candidate in candidates(len(outputs), outputs.n_classes, outputs.task):
        if candidate.name == name:
            return fitted_to(candidate.calibrator, outputs.calibration or outputs, outputs.floor)
    return None


def cost_of(own: HeldOut) -> Number | None:
    """Return the mean cost of the decisions that are best by the probabilities; None if unknown."""
    return None if own.losses.cost is None else mean_with_interval(own.losses.cost, own.clusters)


def cost_table(
    costs: Costs, before: HeldOut, after: HeldOut, outputs: ModelOutputs
) -> dict[str, Any]:
    """Return what decisions cost: as it is, after the map, and always the best constant one."""
    names = names_of(outputs)
    constant = np.bincount(outputs.y, minlength=len(names)) / len(outputs) @ costs.matrix
    best, square = int(constant.argmin()), costs.matrix.shape[1] == len(names)
    found = {
        "before": cost_of(before),
        "after": cost_of(after),
        "change": mean_with_interval(after.losses.cost - before.losses.cost, before.clusters),
        "constant": float(constant[best]),
        "constant_decision": names[best] if square else f"decision {best + 1}",
    }
    if costs.alarm is None:
        return found
    return found | {"alarm": names[costs.alarm], "threshold": threshold(costs)}


def threshold(costs: Costs) -> float:
    """Probability of the class of the alarm from which deciding for it is cheaper."""
    alarm = 1 if costs.alarm is None else costs.alarm
    other, own = costs.matrix[1 - alarm], costs.matrix[alarm]
    false_alarm, miss = other[alarm] - other[1 - alarm], own[1 - alarm] - own[alarm]
    return float(false_alarm / (false_alarm + miss)) if false_alarm + miss else float("nan")


def declined(own: HeldOut, rng: np.random.Generator, asked: Asked) -> dict[str, Any]:
    """Return a threshold from one half of the samples, or clusters, and what it gives on the other.

    ``threshold`` is None where no answer can be kept; ``at_most`` the exact one-sided bound of 95 %
    on the share of errors (Clopper & Pearson 1934), None of clusters.
    """
    sure, right, _ = own.answers
    unit = np.arange(len(sure)) if own.clusters is None else own.clusters
    m = int(unit.max()) + 1
    first = (rng.permutation(m) < m // 2)[unit]
    curve = risk_coverage(right[first], sure[first])
    if asked.risk is not None:
        least = curve.threshold_for(asked.risk)
    else:
        least = curve.threshold_at(asked.coverage or 1.0)
    kept = sure >= least
    tried = ~first & kept

    def of_others(values: np.ndarray, rows: np.ndarray) -> Number:
        clusters = None if own.clusters is None else numbered(unit[rows])
        return share_with_interval(values[rows], clusters)

    n, errors = int(tried.sum()), int((right[tried] == 0).sum())
    bound = float(betaincinv(errors + 1, n - errors, 0.95)) if errors < n else 1.0
    return {
        "asked": {"coverage": asked.coverage} if asked.risk is None else {"risk": asked.risk},
        "threshold": least if np.isfinite(least) else None,
        "kept": of_others(kept.astype(float), ~first),
        "errors": of_others(1.0 - right, tried) if n else None,
        "at_most": bound if n and own.clusters is None else None,
    }


def mistakes(outputs: ModelOutputs, own: HeldOut) -> list[dict[str, Any]]:
    """Return the most confident mistakes."""
    score, right, _ = own.answers
    wrong = np.flatnonzero(~right)
    worst = wrong[np.argsort(-score[wrong], kind="stable")][:N_MISTAKES]
    names, top = names_of(outputs), outputs.prob[worst].argmax(axis=1)
    told = np.ones_like(top) if outputs.task == "pairs" else top
    return [
        {
            "row": int(i),
            "id": None if outputs.ids is None else str(outputs.ids[i]),
            "label": names[outputs.y[i]],
            "prediction": names[k],
            "confidence": float(score[i]),
        }
        for i, k in zip(worst, told, strict=True)
    ]


def group_table(before: HeldOut, after: HeldOut, groups: np.ndarray) -> list[dict[str, Any]]:
    """Return by group the confidence less the accuracy, as it is and on held-out samples."""
    names, place = np.unique(groups, return_inverse=True)
    n = np.bincount(place)
    accuracy = np.bincount(place, before.losses.hit) / n
    sides = (_gaps(own, place) for own in (before, after))
    rows = zip(map(str, names), n.tolist(), accuracy.tolist(), *sides, strict=True)
    return [dict(zip(GROUP, row, strict=True)) for row in rows]


def _gaps(own: HeldOut, groups: np.ndarray) -> list[dict[str, Any]]:
    """Return the gap of each group with its interval and Holm's p-value, of clusters Student's."""
    error = own.losses.score - own.losses.hit
    found = group_errors(own.losses.hit, own.losses.score, groups)
    gap, se, p_value, quantile = -found.gap, found.standard_error, found.p_value, NORMAL_95
    best_guess = -found.shrunken
    if own.clusters is not None:
        inside = [groups == g for g in found.group]
        parts: list[Any] = [(error[rows], numbered(own.clusters[rows])) for rows in inside]
        freedom = np.array([max(int(np.max(clusters)), 1) for _, clusters in parts])
        quantile = stdtrit(freedom, 0.975)
        told = [mean_with_interval(*part) for part in parts]
        se = np.array([one.get("high", np.inf) - one["value"] for one in told]) / quantile
        t = np.divide(np.abs(gap), se, where=se > 0, out=0 * gap)
        p_value = holm(2 * stdtr(freedom, -t))
        best_guess, _, _ = shrink(gap, np.minimum(se**2, 1.0))
    ends = gap - quantile * se, gap + quantile * se
    columns = (gap, *ends, p_value, best_guess, p_value < 0.05)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [dict(zip(GAP, row, strict=True)) for row in rows]


HOLDS: dict[str, Callable[[dict[str, Any]], Any]] = {  # by the word of a row of the table
    "few": lambda facts: facts["units"] < 100,
    "some": lambda facts: 100 <= facts["units"] < 1000,
    "many": lambda facts: (
        facts["task"] == "classes" and facts["units"] >= 1000 and facts["n_classes"] <= 100
    ),
    "too_many": lambda facts: facts["n_classes"] > 100,
    "costs": lambda facts: "costs" in facts,
    "declining": lambda facts: facts["task"] != "labels",
    "sets": lambda facts: (
        facts["task"] == "classes" and facts["n"] >= 200 and not facts.get("clusters")
    ),
    "grouped": lambda facts: facts.get("groups") and facts["task"] != "labels",
    "clustered": lambda facts: facts.get("clusters") and facts["task"] != "labels",
    "labels": lambda facts: facts["task"] == "labels",
    "pairs": lambda facts: facts["task"] == "pairs",
    "priors": lambda facts: "priors" in facts,
}
SITUATIONS: list[dict[str, Any]] = TEXTS["situations"]


def advice(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the table of advice, `SITUATIONS`, that apply to what a report found.

    Of a report count ``n``, ``clusters``, ``n_classes``, ``task``, and whether it has ``costs``,
    ``priors`` or ``groups``.
    """
    facts = found | {"units": found.get("clusters") or found["n"]}
    return [row for row in SITUATIONS if HOLDS[row["when"]](facts)]
