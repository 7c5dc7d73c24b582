"""What to do: the map, what it changes for costs, groups and declined answers, and advice."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from calib import ConformalSets, TemperatureScaling, group_errors, holm, risk_coverage, shrink
from calib_report.arena import decided
from calib_report.asked import FEWEST_FOR_HALVES, Asked, Costs
from calib_report.comparison import candidates, compare, fitted_to
from calib_report.losses import HeldOut, Purpose, names_of, numbered, rows_kept
from calib_report.measure import (
    CALIBRATED,
    FEWEST_SAMPLES,
    NORMAL_95,
    Number,
    bin_table,
    first_numbers,
    mean_at,
    mean_with_interval,
    share_with_interval,
)
from calib_report.outputs import ModelOutputs
from calib_report.trend import time_table
from calib_report.words import TEXTS

SMALL = 1000  # samples, or clusters, below which one temperature may be worth a try
COVERAGES = (0.95, 0.9, 0.8)
PROMISE = 0.9  # coverage of the sets
N_MISTAKES = 10
DOUBTFUL = 0.01  # probability of a label below which it may be wrong
GROUP = ("group", "samples", "accuracy", "before", "after")
GAP = ("value", "low", "high", "p_value", "best_guess", "flagged")
MOST_LABELS = 100  # of a sample, for which a map is sought one by one


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
        told["costs"] = cost_table(asked, own, after, outputs)
    cost = told["costs"]["after"] if "costs" in told else None
    told["after"] = first_numbers(after, rng=rng, labels=groups.get("label"), cost=cost)
    if isinstance(fitted, TemperatureScaling):
        told["temperature"] = fitted.temperature_
    if asked.purpose.new is not None:
        told["priors"] = prior_table(asked.purpose, own, after, outputs)
    if asked.coverage is not None or asked.risk is not None:
        told["declined"] = declined(after, np.random.default_rng(seed), asked)
    if asked.time is not None:
        told["time"] = time_table(asked.time, groups.pop(asked.time), own, after)
    classes, n = outputs.task == "classes", len(outputs.calibration or outputs)
    risks = {"before": own.curve.risk_at, "after": after.curve.risk_at}
    risks["threshold"] = after.curve.threshold_at
    return told | {
        "bins_after": bin_table(after),
        "arena": decided(n, outputs.n_classes) if classes else None,
        "risk": [{"kept": c} | {name: at(c) for name, at in risks.items()} for c in COVERAGES],
        "mistakes": mistakes(outputs, own, fitted),
        "groups": {name: group_table(own, after, group) for name, group in groups.items()},
        "groups_of_class": _groups_of_class(outputs, groups, own, after, asked.costs),
        "labels": [] if outputs.task != "labels" else _label_by_label(outputs, seed),
    }, fitted


def recommend(
    comparison: list[dict[str, Any]], outputs: ModelOutputs, p_value: float = 1.0
) -> dict[str, Any]:
    """Choose a map, or none, from a comparison: its ``name``, the ``reason``, and ``confirmed``.

    A map is worth having if the interval of its change in NLL lies below zero. Of those, the one
    with the fewest parameters is chosen whose paired difference from the best has an interval that
    holds zero. Where there is none, but fewer than a thousand samples and a test of calibration
    that rejects, `p_value`, the map of one number is chosen, unless its loss is higher.
    """
    n, what = len(outputs), "samples"
    if outputs.clusters is not None:
        n, what = len(np.unique(outputs.clusters)), "clusters"
    none, chosen, confirmed = {"name": "none"}, comparison[1], True
    better = [row for row in comparison[1:] if row.get("nll_change", {}).get("high", 0) < 0]
    gain = -chosen.get("nll_change", {}).get("difference", np.inf)
    if n < FEWEST_SAMPLES:
        chosen, reason = none, f"{n} {what} are too few to judge a map by; "
        reason += f"{FEWEST_SAMPLES} are needed"
    elif len(np.unique(outputs.y)) < 2:
        chosen = none
        reason = "all samples are of one class, so nothing can be learnt about the others"
    elif better:
        best = min(better, key=lambda row: row["nll"])
        close = [row for row in better if row["nll_from_best"]["low"] <= 0]
        chosen = min(close, key=lambda row: row["n_parameters"])
        low, change, high = (-chosen["nll_change"][e] for e in ("high", "difference", "low"))
        reason = f"it lowers the NLL by {change:.4f} ({low:.4f} to {high:.4f}) on held-out samples"
        if chosen is not best:
            reason += f"; {best['name']} reaches {best['nll']:.4f}, which is no clear gain over it"
    elif n >= SMALL or p_value > CALIBRATED or gain <= 0:
        chosen, reason = none, "no map lowers the NLL by more than chance would"
    else:
        confirmed = False
        reason = (
            f"the test of calibration rejects (p = {p_value:.2g}), and one number is the least "
            f"that can help; it lowers the NLL by {gain:.4f} on held-out samples, which {n} "
            f"{what} do not confirm"
        )
    return {"name": chosen["name"], "reason": reason, "confirmed": confirmed}


def recommended_map(outputs: ModelOutputs, name: str) -> Any:
    """Fit the recommended map on the calibration set, or on all samples; None if it is "none"."""
    for candidate in candidates(len(outputs), outputs.n_classes, outputs.task):
        if candidate.name == name:
            return fitted_to(candidate.calibrator, outputs.calibration or outputs, outputs.floor)
    return None


def cost_of(asked: Asked, own: HeldOut, y: np.ndarray) -> Number | None:
    """Return the mean cost of decisions by the probabilities as they are; None if not known."""
    if asked.costs is None:
        return None
    return mean_at(own.losses.cost, y, asked.purpose.new, own.clusters)


def cost_table(
    asked: Asked, before: HeldOut, after: HeldOut, outputs: ModelOutputs
) -> dict[str, Any]:
    """Return what decisions cost, at new frequencies where there are: as it is, advised, blind."""
    new, y, names, costs = asked.purpose.new, outputs.y, names_of(outputs), asked.costs
    assert costs is not None
    last = after.losses.decision_cost(asked.purpose)
    shares = np.bincount(y, minlength=len(names)) / len(y) if new is None else new
    constant = shares @ costs.matrix
    best, square = int(constant.argmin()), costs.matrix.shape[1] == len(names)
    found = {
        "before": cost_of(asked, before, y),
        "after": mean_at(last, y, new, before.clusters),
        "change": mean_at(last - before.losses.cost, y, new, before.clusters),
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


def prior_table(
    purpose: Purpose, before: HeldOut, after: HeldOut, outputs: ModelOutputs
) -> dict[str, Any]:
    """Return the NLL at new class frequencies: as it is, after the map, and adjusted as well."""
    shares = zip(names_of(outputs), purpose.old.tolist(), purpose.new.tolist(), strict=True)
    losses = {"before": before.losses.nll, "mapped": after.losses.nll}
    losses["after"] = after.losses.adjusted_nll
    found = {
        name: mean_at(nll, outputs.y, purpose.new, before.clusters) for name, nll in losses.items()
    }
    return {"classes": [{"class": name, "old": a, "new": b} for name, a, b in shares], **found}


def declined(own: HeldOut, rng: np.random.Generator, asked: Asked) -> dict[str, Any]:
    """Return a threshold from one half of the samples, or clusters, and what it gives on the other.

    ``threshold`` is None where no answer can be kept; ``at_most`` the exact one-sided bound of 95 %
    on the share of errors (Clopper & Pearson 1934), None of clusters.
    """
    sure, right = own.answers
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
    bound = float(stats.beta.ppf(0.95, errors + 1, n - errors)) if errors < n else 1.0
    return {
        "asked": {"coverage": asked.coverage} if asked.risk is None else {"risk": asked.risk},
        "threshold": least if np.isfinite(least) else None,
        "kept": of_others(kept.astype(float), ~first),
        "errors": of_others(1.0 - right, tried) if n else None,
        "at_most": bound if n and own.clusters is None else None,
    }


def conformal(
    outputs: ModelOutputs, after: HeldOut, rng: np.random.Generator
) -> dict[str, Any] | None:
    """Return size and coverage of sets whose threshold comes from the other half; None if few."""
    y = outputs.y[rows_kept(outputs)]
    if len(y) < FEWEST_FOR_HALVES or outputs.clusters is not None or outputs.task != "classes":
        return None
    first = rng.permutation(len(y)) < len(y) // 2
    sets = ConformalSets(coverage=PROMISE).fit(after.prob[first], y[first])
    members = sets.predict(after.prob[~first])
    held = members[np.arange(len(members)), y[~first]]
    return {
        "promised": PROMISE,
        "coverage": share_with_interval(held.astype(float)),
        "size": mean_with_interval(members.sum(axis=1).astype(float)),
        "threshold": float(1 - sets.threshold_),
    }


def mistakes(outputs: ModelOutputs, own: HeldOut, fitted: Any) -> list[dict[str, Any]]:
    """Return the most confident mistakes; labels of a probability below 0.01 are doubtful.

    Right labels that follow the probabilities are doubtful with `doubtful_by_chance`, given that
    the answer is wrong: of many classes more often.
    """
    score, right = own.answers
    wrong = np.flatnonzero(right == 0)
    worst = wrong[np.argsort(-score[wrong], kind="stable")][:N_MISTAKES]
    if not len(worst):
        return []
    some, names = outputs.take(worst), names_of(outputs)
    p = some.prob if fitted is None else fitted.predict_proba(some.as_logits(outputs.floor))
    told = np.ones(len(worst), int) if outputs.task == "pairs" else some.prob.argmax(axis=1)
    chance = share_doubtful(p, told)
    return [
        {
            "row": int(i),
            "id": None if some.ids is None else str(some.ids[j]),
            "label": names[some.y[j]],
            "prediction": names[told[j]],
            "confidence": float(score[i]),
            "label_doubtful": bool(p[j, some.y[j]] < DOUBTFUL),
            "doubtful_by_chance": float(chance[j]),
        }
        for j, i in enumerate(worst)
    ]


def share_doubtful(p: np.ndarray, told: np.ndarray) -> np.ndarray:
    """Return how probable a doubtful label is by p, given that it is not what was told, (n,)."""
    others = p.copy()
    others[np.arange(len(p)), told] = 0
    doubtful = np.where(others < DOUBTFUL, others, 0).sum(axis=1)
    total = others.sum(axis=1)
    return np.divide(doubtful, total, out=np.ones(len(p)), where=total > 0)


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
        quantile = stats.t.ppf(0.975, freedom)
        told = [mean_with_interval(*part) for part in parts]
        se = np.array([one.get("high", np.inf) - one["value"] for one in told]) / quantile
        t = np.divide(np.abs(gap), se, where=se > 0, out=0 * gap)
        p_value = holm(2 * stats.t.sf(t, freedom))
        best_guess, _, _ = shrink(gap, np.minimum(se**2, 1.0))
    ends = gap - quantile * se, gap + quantile * se
    columns = (gap, *ends, p_value, best_guess, p_value < 0.05)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [dict(zip(GAP, row, strict=True)) for row in rows]


def _groups_of_class(
    outputs: ModelOutputs, groups: Any, before: HeldOut, after: HeldOut, costs: Costs | None
) -> dict[str, Any] | None:
    """Return, of two classes, the groups' gaps of the probability of the alarm, or the second."""
    if not groups or outputs.task != "classes" or outputs.n_classes != 2:
        return None
    k, y = 1 if costs is None or costs.alarm is None else costs.alarm, outputs.y

    def of_class(own: HeldOut) -> HeldOut:
        score, hit = own.losses.score, own.losses.hit
        score = np.where((hit == 1) == (y == k), score, 1 - score)
        return replace(own, losses=replace(own.losses, score=score, hit=(y == k).astype(int)))

    both = of_class(before), of_class(after)
    tables = {name: group_table(*both, group) for name, group in groups.items()}
    return {"class": names_of(outputs)[k], "groups": tables}


def _label_by_label(outputs: ModelOutputs, seed: int) -> list[dict[str, Any]]:
    """Return what helps each label by itself, where several may hold."""
    found, labels = [], outputs.groups["label"]
    for label in np.unique(labels)[:MOST_LABELS]:
        part = outputs.take(labels == label)
        comparison, _ = compare(part, seed=seed)
        name = recommend(comparison, part)["name"]
        row = next(row for row in comparison if row["name"] == name)
        numbers = {"nll": comparison[0]["nll"], "ece": comparison[0]["ece"]}
        numbers |= {"nll_after": row["nll"], "ece_after": row["ece"]}
        found.append({"label": str(label), "samples": len(part), "map": name, **numbers})
    return found


class Situation(NamedTuple):
    """What one has, what to report of it, and what to do.

    `when` names the condition of `HOLDS` under which this is such a case. `number` is to be
    reported with the `interval`, beside the `chance` level; `method` to be done, but `not_when`.
    The `sentence` is to be pasted into a paper, with what stands in braces filled in; `chapters`
    derive it.
    """

    when: str
    have: str
    number: str
    interval: str
    chance: str
    method: str
    not_when: str
    sentence: str
    chapters: list[str]

    def applies(self, facts: dict[str, Any]) -> bool:
        """Tell from the facts of a report whether this is such a case."""
        return bool(HOLDS[self.when](facts))


HOLDS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "few": lambda facts: facts["units"] < 100,
    "some": lambda facts: 100 <= facts["units"] < 1000,
    "many": lambda facts: (
        facts["task"] == "classes" and facts["units"] >= 1000 and facts["n_classes"] <= 100
    ),
    "too_many": lambda facts: facts["n_classes"] > 100,
    "costs": lambda facts: facts["costs"],
    "declining": lambda facts: facts["task"] != "labels",
    "sets": lambda facts: facts["sets"] is not None,
    "grouped": lambda facts: facts["grouped"],
    "clustered": lambda facts: facts["clustered"],
    "labels": lambda facts: facts["task"] == "labels",
    "pairs": lambda facts: facts["task"] == "pairs",
    "priors": lambda facts: facts["priors"],
}
SITUATIONS = [Situation(**row) for row in TEXTS["situations"]]


def advice(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the table of advice that apply to the outputs of a report."""
    facts = found | {
        "units": found["clusters"] or found["n"],
        "clustered": found["clusters"] is not None and found["task"] != "labels",
        "grouped": bool(found["groups"]) and found["task"] != "labels",
        "costs": "costs" in found,
        "priors": "priors" in found,
    }
    columns = ("have", "number", "interval", "chance", "method", "not_when")
    return [
        {name: getattr(row, name) for name in columns}
        | {"chapters": [TEXTS["chapters"][label] for label in row.chapters]}
        for row in SITUATIONS
        if row.applies(facts)
    ]
