"""What is asked, and what to do by a map: costs, groups and declined answers, advice."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import betaincinv, stdtr, stdtrit

from calib import TemperatureScaling, group_errors, holm, risk_coverage, shrink
from calib_report import measure
from calib_report.contract import few, refused
from calib_report.measure import Found, HeldOut, Rng, mean_with_interval, numbered, rows_of
from calib_report.outputs import ModelOutputs
from calib_report.words import TEXTS

MOST_PERIODS = 12  # of a table of time
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
    known = None if wish.costs is None else read_costs(wish.costs, outputs.names)
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
    outputs: ModelOutputs, found: Found, held: dict[str, HeldOut], map_: Any, wish: Asked, rng: Rng
) -> Found:
    """Return what the recommended map, `map_`, does to decisions, and what is asked of them."""
    own, after = held["none"], held[found["recommended"]["name"]]
    told, groups = Found(), dict(outputs.groups)
    if wish.costs is not None:
        told["costs"] = cost_table(wish.costs, own, after, outputs)
    told["after"] = measure.first_numbers(after, rng=rng)
    if isinstance(map_, TemperatureScaling):
        told["temperature"] = map_.temperature_
    if wish.coverage is not None or wish.risk is not None:
        told["declined"] = declined(after, np.random.default_rng(found["seed"]), wish)
    if wish.time is not None:
        told["time"] = time_table(wish.time, groups.pop(wish.time), own, after)
    risks = {"before": own.curve.risk_at, "after": after.curve.risk_at}
    risks["threshold"] = after.curve.threshold_at
    return told | {
        "bins_after": measure.bin_table(after),
        "risk": [{"kept": c} | {name: at(c) for name, at in risks.items()} for c in COVERAGES],
        "mistakes": mistakes(outputs, own),
        "groups": {name: group_table(own, after, group) for name, group in groups.items()},
    }


def cost_table(costs: Costs, before: HeldOut, after: HeldOut, outputs: ModelOutputs) -> Found:
    """Return what decisions cost: as it is, after the map, and always the best constant one."""
    names = outputs.names
    constant = np.bincount(outputs.y, minlength=len(names)) / len(outputs) @ costs.matrix
    best, square = int(constant.argmin()), costs.matrix.shape[1] == len(names)
    was, then = before.cost, after.cost
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
        return measure.share_with_interval(values[rows], clusters)

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
    names, top = np.array(outputs.names), outputs.prob[worst].argmax(axis=1)
    told = np.ones_like(top) if outputs.task == "pairs" else top
    ids = [None] * len(worst) if outputs.ids is None else map(str, outputs.ids[worst])
    columns = {"row": worst, "id": ids, "label": names[outputs.y[worst]], "prediction": names[told]}
    return rows_of(columns | {"confidence": score[worst]})


def group_table(before: HeldOut, after: HeldOut, groups: np.ndarray) -> list[Found]:
    """Return by group the confidence less the accuracy, as it is and on held-out samples."""
    names, place = np.unique(groups, return_inverse=True)
    n = np.bincount(place)
    accuracy = np.bincount(place, before.hit) / n
    columns = {"group": [str(name) for name in names], "samples": n, "accuracy": accuracy}
    sides = {"before": before, "after": after}
    return rows_of(columns | {side: _gaps(own, place) for side, own in sides.items()})


def _gaps(own: HeldOut, groups: np.ndarray) -> list[Found]:
    """Return the gap of each group with its interval and Holm's p-value, of clusters Student's."""
    found = group_errors(own.hit, own.score, groups)
    gap, se, p_value, quantile = -found.gap, found.standard_error, found.p_value, measure.NORMAL_95
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


def times(values: np.ndarray, name: str) -> np.ndarray:
    """Return moments as numbers: what stands there as a number, or the seconds of a date."""
    for kind in (float, "datetime64[s]"):
        try:
            found = values.astype(str).astype(kind).astype(float)
        except ValueError:
            continue
        if np.isfinite(found).all():
            return found
    raise ValueError(f"time: {name!r} holds no numbers and no dates such as 2026-11-23T14:00")


def time_table(name: str, values: np.ndarray, before: HeldOut, after: HeldOut) -> Found:
    """Return confidence less accuracy in up to a dozen moments, or periods of as many samples."""
    moment = times(values, name)
    different, place = np.unique(moment, return_inverse=True)
    if len(different) > MOST_PERIODS:
        share = np.cumsum(np.bincount(place)) / len(moment)
        place = np.ceil(MOST_PERIODS * share - 1e-9)[place]
    gaps, periods = {"before": before.gap, "after": after.gap}, []
    for period in np.unique(place):
        inside = np.flatnonzero(place == period)
        of_clusters = None if before.clusters is None else numbered(before.clusters[inside])
        ends = moment[inside].argmin(), moment[inside].argmax()
        row: Found = {n: str(values[inside[k]]) for n, k in zip(("from", "to"), ends, strict=True)}
        row |= {"samples": len(inside), "accuracy": float(before.hit[inside].mean())}
        row |= {w: mean_with_interval(gap[inside], of_clusters) for w, gap in gaps.items()}
        periods.append(row)
    trends = {f"trend_{when}": trend(moment, gap, before.clusters) for when, gap in gaps.items()}
    return {"column": name, "periods": periods, **trends}


def trend(moment: np.ndarray, gap: np.ndarray, clusters: np.ndarray | None = None) -> Found:
    """Return by how much gaps rise from the first moment to the last, by rank: least squares.

    Its interval allows for unequal variances (White 1980), of whole clusters where there are.
    """
    n = len(gap)
    rank = (measure.ranks(moment) - (n + 1) / 2) / max(n - 1, 1)
    if not rank.any():
        return {"value": 0.0, "p_value": 1.0}
    slope = float(rank @ gap / (rank @ rank))
    rest = gap - gap.mean() - slope * rank
    found = mean_with_interval(slope + n * rank * rest / (rank @ rank), clusters)
    freedom = np.inf if clusters is None else max(clusters.max(), 1)
    error = (found.get("high", np.inf) - slope) / stdtrit(freedom, 0.975)
    p_value = 2 * stdtr(freedom, -abs(slope) / error) if error > 0 else float(slope == 0)
    return found | {"value": slope, "p_value": float(p_value)}


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
