"""What is asked, and what to do: the map, its costs, groups and declined answers, advice."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import betaincinv, stdtr, stdtrit

from calib import TemperatureScaling, group_errors, holm, risk_coverage, shrink
from calib_report.comparison import candidates, fitted_to
from calib_report.contract import few, refused
from calib_report.losses import Found, HeldOut, Rng, names_of, numbered, rows_of
from calib_report.measure import (
    CALIBRATED,
    FEWEST_SAMPLES,
    NORMAL_95,
    bin_table,
    first_numbers,
    mean_with_interval,
    share_with_interval,
    time_table,
)
from calib_report.outputs import ModelOutputs
from calib_report.words import TEXTS

SMALL = 1000  # samples, or clusters, below which one temperature may be worth a try
COVERAGES = (0.95, 0.9, 0.8)
N_MISTAKES = 10
FEWEST_FOR_HALVES = 200  # samples below which a threshold is not found on half of them


class Costs(NamedTuple):
    """What decisions cost: a row a class, a column a decision; of two, which is the alarm's."""

    matrix: np.ndarray
    alarm: int | None = None


class Asked(NamedTuple):
    """What a user asks of a report."""

    costs: Any = None
    coverage: float | None = None
    risk: float | None = None
    time: str | None = None


def asked_of(outputs: ModelOutputs, **options: Any) -> Asked:
    """Return what was asked, checked against the outputs; a ValueError where it makes no sense."""
    wish = Asked(**options)
    if wish.costs is not None and outputs.task != "classes":
        raise refused(f"no_question_of_{outputs.task}", name="cost")
    shares = {n: getattr(wish, n) for n in ("coverage", "risk") if getattr(wish, n) is not None}
    if len(shares) > 1:
        raise refused("one_of_two")
    for name, share in shares.items():
        if len(outputs) < FEWEST_FOR_HALVES:
            raise refused("fewest", name=name, n=len(outputs), least=FEWEST_FOR_HALVES)
        check_share(share, name)
    known = None if wish.costs is None else read_costs(wish.costs, names_of(outputs))
    return wish._replace(costs=known)


def check_share(value: float, name: str) -> float:
    if not 0 < value < 1:
        raise refused("said", name=name, value=repr(value), expected="a number between 0 and 1")
    return value


def number(text: Any, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise refused("said", name=what, value=repr(text), expected="a number") from None


def read_costs(text: str | Path, names: list[str]) -> Costs:
    """Return costs of ``alarm=sick,false_alarm=1,miss=10``, or of a csv file of K rows."""
    if not isinstance(text, str | Path):
        raise TypeError(f"costs: {text!r}, expected text, or the name of a csv file")
    k, alarm = len(names), 1 if len(names) == 2 else None
    if "=" not in str(text):
        try:
            matrix = np.loadtxt(Path(text).read_text().splitlines(), delimiter=",", ndmin=2)
        except ValueError as error:
            raise refused("cost_file", path=text, error=error) from None
    else:
        said = [part.rpartition("=") for part in str(text).split(",")]
        given = {name.strip(): value for name, _, value in said}
        if sorted(given) != ["alarm", "false_alarm", "miss"] or len(said) != 3 or k != 2:
            raise refused("costs", text=text, names=few(names))
        if given["alarm"] not in names:
            raise refused("no_class", name="cost", wish=given["alarm"], names=few(names))
        alarm, matrix = names.index(given["alarm"]), np.zeros((2, 2))
        matrix[1 - alarm, alarm] = number(given["false_alarm"], "cost")
        matrix[alarm, 1 - alarm] = number(given["miss"], "cost")
    if len(matrix) != k or not np.isfinite(matrix).all():
        raise refused("cost_shape", shape=matrix.shape, k=k)
    return Costs(matrix, alarm if matrix.shape == (2, 2) else None)


def decide(
    outputs: ModelOutputs, found: Found, held: dict[str, HeldOut], asked: Asked, rng: Rng
) -> tuple[Found, Any]:
    """Decide on a map by what was found, and say what it does; beside it stands the map, fitted."""
    chosen = recommend(found["comparison"], outputs, found["before"]["ECE"]["p_value"])
    own, after, seed = held["none"], held[chosen["name"]], found["seed"]
    fitted, groups = recommended_map(outputs, chosen["name"]), dict(outputs.groups)
    told: Found = {"recommended": chosen}
    if asked.costs is not None:
        told["costs"] = cost_table(asked.costs, own, after, outputs)
    told["after"] = first_numbers(after, rng=rng)
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


def recommend(comparison: list[Found], outputs: ModelOutputs, p_value: float = 1.0) -> Found:
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
    after_one = [row["nll_change"]["high"] + row.get("one_mistake", 0.0) for row in clear]
    better = [r for r, high in zip(clear, after_one, strict=True) if n >= SMALL or high < 0]
    gain = -chosen.get("nll_change", {}).get("difference", np.inf)
    told: Found = {"n": n, "what": what, "p": p_value, "gain": gain}
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


def recommended_map(outputs: ModelOutputs, name: str) -> Any:
    """Fit the recommended map on the calibration set, or on all samples; None if it is "none"."""
    for candidate in candidates(len(outputs), outputs.n_classes, outputs.task):
        if candidate.name == name:
            return fitted_to(candidate.calibrator, outputs.calibration or outputs, outputs.floor)
    return None


def cost_table(costs: Costs, before: HeldOut, after: HeldOut, outputs: ModelOutputs) -> Found:
    """Return what decisions cost: as it is, after the map, and always the best constant one."""
    names = names_of(outputs)
    constant = np.bincount(outputs.y, minlength=len(names)) / len(outputs) @ costs.matrix
    best, square = int(constant.argmin()), costs.matrix.shape[1] == len(names)
    was, then = before.losses.cost, after.losses.cost
    sides = {"before": was, "after": then, "change": then - was}
    found: Found = {
        **{name: mean_with_interval(cost, before.clusters) for name, cost in sides.items()},
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


def declined(own: HeldOut, rng: Rng, asked: Asked) -> Found:
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

    def of_others(values: np.ndarray, rows: np.ndarray) -> Found:
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


def mistakes(outputs: ModelOutputs, own: HeldOut) -> list[Found]:
    """Return the most confident mistakes, the surest first."""
    score, right, _ = own.answers
    wrong = np.flatnonzero(~right)
    worst = wrong[np.argsort(-score[wrong], kind="stable")][:N_MISTAKES]
    names, top = np.array(names_of(outputs)), outputs.prob[worst].argmax(axis=1)
    told = np.ones_like(top) if outputs.task == "pairs" else top
    ids = [None] * len(worst) if outputs.ids is None else map(str, outputs.ids[worst])
    columns = {"row": worst, "id": ids, "label": names[outputs.y[worst]], "prediction": names[told]}
    return rows_of(columns | {"confidence": score[worst]})


def group_table(before: HeldOut, after: HeldOut, groups: np.ndarray) -> list[Found]:
    """Return by group the confidence less the accuracy, as it is and on held-out samples."""
    names, place = np.unique(groups, return_inverse=True)
    n = np.bincount(place)
    accuracy = np.bincount(place, before.losses.hit) / n
    columns = {"group": [str(name) for name in names], "samples": n, "accuracy": accuracy}
    sides = {"before": before, "after": after}
    return rows_of(columns | {side: _gaps(own, place) for side, own in sides.items()})


def _gaps(own: HeldOut, groups: np.ndarray) -> list[Found]:
    """Return the gap of each group with its interval and Holm's p-value, of clusters Student's."""
    found = group_errors(own.losses.hit, own.losses.score, groups)
    gap, se, p_value, quantile = -found.gap, found.standard_error, found.p_value, NORMAL_95
    best_guess = -found.shrunken
    if own.clusters is not None:
        inside = [groups == g for g in found.group]
        parts: list[Any] = [(own.gap[rows], numbered(own.clusters[rows])) for rows in inside]
        freedom = np.array([max(int(np.max(clusters)), 1) for _, clusters in parts])
        quantile = stdtrit(freedom, 0.975)
        told = [mean_with_interval(*part) for part in parts]
        se = np.array([one.get("high", np.inf) - one["value"] for one in told]) / quantile
        t = np.divide(np.abs(gap), se, where=se > 0, out=0 * gap)
        p_value = holm(2 * stdtr(freedom, -t))
        best_guess, _, _ = shrink(gap, np.minimum(se**2, 1.0))
    columns = {"value": gap, "low": gap - quantile * se, "high": gap + quantile * se}
    columns |= {"p_value": p_value, "best_guess": best_guess, "flagged": p_value < 0.05}
    return rows_of(columns)


SITUATIONS: list[Found] = TEXTS["situations"]


def advice(found: Found) -> list[Found]:
    """Return the rows of the table of advice, `SITUATIONS`, that apply to what a report found.

    Of a report count ``n``, ``clusters``, ``n_classes``, ``task``, and whether it has ``costs``,
    ``priors`` or ``groups``.
    """
    n, k, task, clusters = found["n"], found["n_classes"], found["task"], found.get("clusters")
    units, classes = clusters or n, task == "classes"
    holds = {  # by the word of a row
        "few": units < 100,
        "some": 100 <= units < 1000,
        "many": classes and units >= 1000 and k <= 100,
        "too_many": k > 100,
        "costs": "costs" in found,
        "declining": task != "labels",
        "sets": classes and n >= 200 and not clusters,
        "grouped": found.get("groups") and task != "labels",
        "clustered": clusters and task != "labels",
        "labels": task == "labels",
        "pairs": task == "pairs",
        "priors": "priors" in found,
    }
    return [row for row in SITUATIONS if holds[row["when"]]]
