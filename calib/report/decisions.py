"""What the probabilities are for: costs, answers declined, sets, mistakes, groups, new priors."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from calib.checks import check_fraction, check_path
from calib.conformal import ConformalSets
from calib.files import read_file
from calib.groups import group_errors, holm, shrink
from calib.reading.roles import few
from calib.report.comparison import rows_kept
from calib.report.measurement import (
    NORMAL_95,
    answers,
    mean_at,
    mean_with_interval,
    numbered,
    share_with_interval,
)
from calib.selective import risk_coverage

COVERAGES = (0.95, 0.9, 0.8)
PROMISE = 0.9  # coverage of the sets
FEWEST_FOR_HALVES = 200  # samples below which a threshold is not found on half of them
N_MISTAKES = 10
DOUBTFUL = 0.01  # probability of a label below which it may be wrong
WANTED = "alarm=CLASS,false_alarm=NUMBER,miss=NUMBER"


class Costs(NamedTuple):
    """What decisions cost: a row of the matrix a class, and a column a decision.

    `alarm` is, of two classes, the one that an alarm is about; `presumed`, whether nobody said so.
    """

    matrix: np.ndarray
    alarm: int | None = None
    presumed: bool = False


def read_costs(text: str, names: list[str]) -> Costs:
    """Return the costs of decisions, of classes whose names are given.

    They are text, ``alarm=sick,false_alarm=1,miss=10`` of two classes, where the alarm is about the
    second if nothing is said; or the name of a csv file of K rows of numbers.

    Examples
    --------
    >>> read_costs("alarm=sick,false_alarm=1,miss=10", ["healthy", "sick"]).matrix
    array([[ 0.,  1.],
           [10.,  0.]])
    >>> read_costs("alarm=sick,false_alarm=1,miss=10", ["sick", "healthy"]).matrix
    array([[ 0., 10.],
           [ 1.,  0.]])
    """
    if not isinstance(text, str | Path) or "=" not in str(text):
        matrix = _matrix_of(check_path(text, "cost"), len(names))
        return Costs(matrix, 1 if matrix.shape == (2, 2) else None)
    given = _named(str(text), "cost", f"{WANTED} of two classes")
    presumed, alarm = "alarm" not in given, given.pop("alarm", names[-1])
    if set(given) != {"false_alarm", "miss"} or len(names) != 2:
        raise ValueError(
            f"cost: {text!r} of {len(names)} classes, expected {WANTED} of two, or a csv file with "
            "a row a class and a column a decision"
        )
    if alarm not in names:
        raise ValueError(f"cost: there is no class {alarm!r}, found {few(names)}")
    positive = names.index(alarm)
    matrix = np.zeros((2, 2))
    matrix[1 - positive, positive] = _number(given["false_alarm"], "cost")
    matrix[positive, 1 - positive] = _number(given["miss"], "cost")
    return Costs(_checked_costs(matrix, 2), positive, presumed)


def _matrix_of(path: Path, n_classes: int) -> Any:
    try:
        rows = read_file(path).decode().splitlines()
        return _checked_costs(np.loadtxt(rows, delimiter=",", ndmin=2), n_classes)
    except ValueError as error:
        raise ValueError(
            f"cost: {path}: not a table of numbers: {error}; expected no heading, a row a class in "
            "their order, and a column a decision"
        ) from None


def _checked_costs(costs: Any, n_classes: int) -> np.ndarray:
    if len(costs) != n_classes or not np.isfinite(costs).all():
        raise ValueError(f"cost: shape {costs.shape}, expected {n_classes} rows of finite numbers")
    return costs


def _named(text: str, what: str, wanted: str) -> dict[str, str]:
    """Return what stands before and after each equals sign."""
    parts = [part.rpartition("=") for part in text.split(",")]
    if not all(name for name, _, _ in parts) or len({name for name, _, _ in parts}) < len(parts):
        raise ValueError(f"{what}: {text!r}, expected {wanted}")
    return {name.strip(): value for name, _, value in parts}


def _number(text: Any, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{what}: {text!r}, expected a number") from None


def read_priors(given: Any, names: list[str]) -> np.ndarray:
    """Return new frequencies of the classes, shape (K,).

    They are text, ``sick=0.03``, or a mapping, where the class that is left out gets the rest; or
    numbers in the order of the classes.

    Examples
    --------
    >>> read_priors("sick=0.03", ["healthy", "sick"])
    array([0.97, 0.03])
    """
    if isinstance(given, str):
        wanted = "NAME=SHARE, or a number for each class, with commas between"
        given = _named(given, "priors", wanted) if "=" in given else given.split(",")
    if isinstance(given, Mapping):
        given = _filled_up(given, names)
    priors = np.array([_number(share, "priors") for share in given])
    if len(priors) != len(names):
        raise ValueError(f"priors: {len(priors)} shares, expected one for each of {few(names)}")
    if not (priors >= 0).all() or not abs(priors.sum() - 1) < 1e-6:
        raise ValueError(f"priors: {priors.tolist()}, expected shares that sum to 1")
    return priors


def _filled_up(given: Any, names: list[str]) -> list[Any]:
    """Return a share for each class; the only one that was not named gets what is left."""
    unknown = [name for name in given if name not in names]
    if unknown:
        raise ValueError(f"priors: there is no class {unknown[0]!r}, found {few(names)}")
    left = [name for name in names if name not in given]
    if len(left) > 1:
        raise ValueError(f"priors: name all classes but one; {few(left)} are left out")
    shares = {name: _number(share, "priors") for name, share in given.items()}
    rest = 1 - sum(shares.values())
    return [shares.get(name, rest) for name in names]


def frequencies(outputs: Any) -> np.ndarray:
    """Return how often each class is there, shape (K,); none may be missing."""
    old = np.bincount(outputs.y, minlength=outputs.n_classes) / len(outputs)
    if (old == 0).any():
        raise ValueError(f"priors: class {outputs.class_names[old.argmin()]!r} has no samples here")
    return old


def cost_table(costs: Costs, purpose: Any, before: Any, after: Any, outputs: Any) -> dict[str, Any]:
    """Return what decisions cost: as it is, after what is advised, and without looking.

    With new frequencies of the classes, all costs are at these.
    """
    y, names, new = outputs.y, outputs.class_names, purpose.new
    clusters = numbered(outputs.clusters)
    last = after.cost if new is None else after.adjusted_cost
    shares = np.bincount(y, minlength=len(names)) / len(y) if new is None else new
    constant = shares @ costs.matrix
    found = {
        "before": mean_at(before.cost, y, new, clusters),
        "after": mean_at(last, y, new, clusters),
        "change": mean_at(last - before.cost, y, new, clusters),
        "constant": float(constant.min()),
        "constant_decision": _decision(costs, int(constant.argmin()), names),
    }
    if costs.alarm is None:
        return found
    return found | {"alarm": names[costs.alarm], "threshold": threshold(costs)}


def _decision(costs: Costs, column: int, names: list[str]) -> str:
    square = costs.matrix.shape[1] == len(names)
    return names[column] if square else f"decision {column + 1}"


def threshold(costs: Costs) -> float:
    """Probability of the class of the alarm from which deciding for it is cheaper.

    Examples
    --------
    >>> costs = read_costs("alarm=sick,false_alarm=1,miss=10", ["sick", "healthy"])
    >>> round(threshold(costs), 3)
    0.091
    """
    alarm = 1 if costs.alarm is None else costs.alarm
    other, own = costs.matrix[1 - alarm], costs.matrix[alarm]
    false_alarm, miss = other[alarm] - other[1 - alarm], own[1 - alarm] - own[alarm]
    return float(false_alarm / (false_alarm + miss)) if false_alarm + miss else float("nan")


def prior_table(purpose: Any, before: Any, after: Any, outputs: Any) -> dict[str, Any]:
    """Return the NLL at new class frequencies: as it is, after the map, and adjusted as well."""
    y, clusters = outputs.y, numbered(outputs.clusters)
    shares = zip(outputs.class_names, purpose.old.tolist(), purpose.new.tolist(), strict=True)
    return {
        "classes": [{"class": name, "old": old, "new": new} for name, old, new in shares],
        "before": mean_at(before.nll, y, purpose.new, clusters),
        "mapped": mean_at(after.nll, y, purpose.new, clusters),
        "after": mean_at(after.adjusted_nll, y, purpose.new, clusters),
    }


def risk_table(before: Any, after: Any, task: str) -> list[Any]:
    """Return the share of errors among the answers that are kept, at some coverages.

    The threshold is the confidence, after the map, below which an answer is declined.
    """
    first, last = (
        risk_coverage(right, sure)
        for sure, right in (answers(losses.score, losses.hit, task) for losses in (before, after))
    )
    return [
        {
            "kept": c,
            "before": first.risk_at(c),
            "after": last.risk_at(c),
            "threshold": last.threshold_at(c),
        }
        for c in COVERAGES
    ]


def halves(outputs: Any, rng: np.random.Generator) -> np.ndarray:
    """Return which samples are of the first half, by lot; a cluster is never split."""
    unit = np.arange(len(outputs)) if outputs.clusters is None else numbered(outputs.clusters)
    n = int(unit.max()) + 1
    return (rng.permutation(n) < n // 2)[unit]


def declined(
    outputs: Any, losses: Any, rng: np.random.Generator, *, coverage: Any = None, risk: Any = None
) -> dict[str, Any]:
    """Return a threshold from one half of the samples, and what it gives on the other.

    `coverage` is the share of the answers to keep, or `risk` the share of errors that is allowed
    among them. The losses are on samples that the map was not fitted on. ``threshold`` is None
    where no answer can be kept.
    """
    asked = {"coverage": coverage} if risk is None else {"risk": risk}
    sure, right = answers(losses.score, losses.hit, outputs.task)
    first, clusters = halves(outputs, rng), numbered(outputs.clusters)
    curve = risk_coverage(right[first], sure[first])
    least = curve.threshold_for(risk) if risk is not None else curve.threshold_at(coverage)
    kept = sure >= least

    def of_others(values: Any, rows: Any) -> dict[str, Any]:
        own = None if clusters is None else numbered(clusters[rows])
        return share_with_interval(values[rows], own)

    return {
        "asked": asked,
        "threshold": least if np.isfinite(least) else None,
        "kept": of_others(kept.astype(float), ~first),
        "errors": of_others(1.0 - right, ~first & kept) if (~first & kept).any() else None,
    }


def check_declining(outputs: Any, coverage: Any, risk: Any) -> None:
    """Raise ValueError where a threshold was asked for that cannot be found."""
    if coverage is not None and risk is not None:
        raise ValueError("coverage, risk: ask for one of them, and the other follows")
    for name, share in (("coverage", coverage), ("risk", risk)):
        if share is not None:
            check_fraction(share, name)
            if len(outputs) < FEWEST_FOR_HALVES:
                raise ValueError(f"{name}: {len(outputs)} samples, expected {FEWEST_FOR_HALVES}")


def conformal(outputs: Any, after: Any, rng: np.random.Generator) -> dict[str, Any] | None:
    """Return size and coverage of sets whose threshold comes from the other half; None if few.

    A set holds every class whose probability, after the recommended map, is at least the threshold.
    """
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


def mistakes(outputs: Any, fitted: Any) -> list[Any]:
    """Return the most confident mistakes; where the label itself is doubtful, it is said.

    A label is doubtful where the probabilities after the map give it less than one in a hundred.
    Labels that follow these probabilities, and so are all right, are doubtful as well, with the
    probability `doubtful_by_chance`, given that the answer is wrong: of many classes more often.
    """
    said, hit = outputs.pairs
    score, right = answers(said, hit, outputs.task)
    wrong = np.flatnonzero(right == 0)
    worst = wrong[np.argsort(-score[wrong], kind="stable")][:N_MISTAKES]
    if not len(worst):
        return []
    some, names = outputs.take(worst), outputs.class_names
    p = some.prob if fitted is None else fitted.predict_proba(some.as_logits(outputs.floor))
    told = np.ones(len(worst), int) if outputs.task == "pairs" else some.prob.argmax(axis=1)
    chance = _share_doubtful(p, told)
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


def _share_doubtful(p: np.ndarray, told: np.ndarray) -> np.ndarray:
    """Return how probable a doubtful label is by p, given that it is not what was told, (n,).

    Examples
    --------
    >>> _share_doubtful(np.array([[0.99, 0.008, 0.002], [0.6, 0.392, 0.008]]), np.array([0, 0]))
    array([1.  , 0.02])
    """
    others = p.copy()
    others[np.arange(len(p)), told] = 0
    total = others.sum(axis=1)
    doubtful = np.where(others < DOUBTFUL, others, 0).sum(axis=1)
    return np.divide(doubtful, total, out=np.ones(len(p)), where=total > 0)


def group_table(before: Any, after: Any, groups: Any, clusters: Any = None) -> list[Any]:
    """Return by group the confidence less the accuracy, before and after a map.

    `before` and `after` are score and hit, (n,) each, as it is and on samples that the map was not
    fitted on. Of clusters, numbers from 0, standard errors are of sums over clusters. A row holds
    group, samples, accuracy, and for ``before`` and ``after`` the gap, its interval, its p-value
    after Holm's correction, and the gap drawn towards the mean.
    """
    first, last = (_gaps(score, hit, groups, clusters) for score, hit in (before, after))
    names, place = np.unique(groups, return_inverse=True)
    n = np.bincount(place)
    accuracy = np.bincount(place, before[1]) / n
    return [
        {
            "group": str(g),
            "samples": int(n[i]),
            "accuracy": float(accuracy[i]),
            "before": first[i],
            "after": last[i],
        }
        for i, g in enumerate(names)
    ]


def _gaps(score: np.ndarray, hit: np.ndarray, groups: np.ndarray, clusters: Any) -> list[Any]:
    """Return the gap of each group, score less hit, with its interval and p-value.

    Of clusters both are Student's, with a degree of freedom less than the group has clusters.
    """
    found = group_errors(hit, score, groups)
    gap, se, p_value, quantile = -found.gap, found.standard_error, found.p_value, NORMAL_95
    best_guess = -found.shrunken
    if clusters is not None:
        se = np.array([_clustered_se(hit - score, groups == g, clusters) for g in found.group])
        t = np.divide(np.abs(gap), se, where=se > 0, out=0 * gap)
        m = np.array([len(np.unique(clusters[groups == g])) for g in found.group])
        freedom = np.maximum(m - 1, 1)
        p_value, quantile = holm(2 * stats.t.sf(t, freedom)), stats.t.ppf(0.975, freedom)
        best_guess, _, _ = shrink(gap, np.minimum(se**2, 1.0))
    half = quantile * se
    return [
        {
            "value": float(gap[i]),
            "low": float(gap[i] - half[i]),
            "high": float(gap[i] + half[i]),
            "p_value": float(p_value[i]),
            "best_guess": float(best_guess[i]),
            "flagged": bool(p_value[i] < 0.05),
        }
        for i in range(len(gap))
    ]


def of_class(y: Any, losses: Any, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the probability of class k of two, and whether it was that one.

    The score of the losses is that of the more probable class.
    """
    told = np.where(losses.hit == 1, y, 1 - y)
    return np.where(told == k, losses.score, 1 - losses.score), (y == k).astype(int)


def _clustered_se(error: np.ndarray, inside: np.ndarray, clusters: np.ndarray) -> Any:
    sums = np.bincount(numbered(clusters[inside]), error[inside] - error[inside].mean())
    m = len(sums)
    return (sums @ sums * m / (m - 1)) ** 0.5 / inside.sum() if m > 1 else np.inf
