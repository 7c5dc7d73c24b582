"""What the probabilities are for: costs, answers declined, sets, mistakes, groups, new priors."""

from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from calib.checks import check_path
from calib.files import read_file
from calib.groups import group_errors, holm
from calib.priors import adjust_priors
from calib.report.measurement import NORMAL_95, mean_with_interval, numbered
from calib.selective import risk_coverage

COVERAGES = (1.0, 0.95, 0.9, 0.8)
PROMISE = 0.9  # coverage of the sets
N_MISTAKES = 10
DOUBTFUL = 0.01  # probability of a label below which it may be wrong
ENTRIES_OF_SETS = 5_000_000  # numbers that the sets are computed from, at most


def read_costs(text: str, n_classes: int) -> Any:
    """Return a matrix of costs, a row a class and a column a decision.

    Parameters
    ----------
    text : str
        ``false_alarm=1,miss=10`` of two classes, or the name of a csv file of K rows of numbers.
    n_classes : int

    Raises
    ------
    ValueError
        Where it is neither.

    Examples
    --------
    >>> read_costs("false_alarm=1,miss=10", 2)
    array([[ 0.,  1.],
           [10.,  0.]])
    """
    if not isinstance(text, str | Path) or "=" not in str(text):
        return _checked_costs(_cost_file(check_path(text, "cost")), n_classes)
    given = dict(part.partition("=")[::2] for part in text.split(","))
    if set(given) != {"false_alarm", "miss"} or n_classes != 2:
        raise ValueError(
            f"cost: {text!r} of {n_classes} classes, expected false_alarm=NUMBER,miss=NUMBER of "
            "two, or a csv file with a row a class and a column a decision"
        )
    try:
        false_alarm, miss = float(given["false_alarm"]), float(given["miss"])
    except ValueError:
        raise ValueError(f"cost: {text!r}, expected numbers") from None
    return _checked_costs(np.array([[0, false_alarm], [miss, 0]]), n_classes)


def _cost_file(path: Path) -> Any:
    try:
        return np.loadtxt(read_file(path).decode().splitlines(), delimiter=",", ndmin=2)
    except ValueError as error:
        raise ValueError(f"cost: {path}: not a table of numbers: {error}") from None


def _checked_costs(costs: Any, n_classes: int) -> Any:
    if len(costs) != n_classes or not np.isfinite(costs).all():
        raise ValueError(f"cost: shape {costs.shape}, expected {n_classes} rows of finite numbers")
    return costs


def cost_table(costs: Any, before: Any, after: Any, y: Any, clusters: Any = None) -> Any:
    """Return what decisions cost: before, after a map, and without looking.

    Parameters
    ----------
    costs : ndarray, shape (K, D)
    before, after : Losses
    y : ndarray, shape (n,)
    clusters : ndarray of int, optional
    """
    constant = costs[y].mean(axis=0)
    found = {
        "before": mean_with_interval(before.cost, clusters),
        "after": mean_with_interval(after.cost, clusters),
        "change": mean_with_interval(after.cost - before.cost, clusters),
        "constant": float(constant.min()),
    }
    return found | ({"threshold": threshold(costs)} if costs.shape == (2, 2) else {})


def threshold(costs: Any) -> Any:
    """Probability of the second class from which deciding for it is cheaper.

    Examples
    --------
    >>> round(threshold(np.array([[0.0, 1.0], [10.0, 0.0]])), 3)
    0.091
    """
    false_alarm, miss = costs[0, 1] - costs[0, 0], costs[1, 0] - costs[1, 1]
    return float(false_alarm / (false_alarm + miss)) if false_alarm + miss else float("nan")


def risk_table(before: Any, after: Any) -> Any:
    """Return the share of errors among the answers that are kept, at some coverages."""
    curves = [risk_coverage(losses.hit, losses.score) for losses in (before, after)]
    return [
        {"kept": c, "before": curves[0].risk_at(c), "after": curves[1].risk_at(c)}
        for c in COVERAGES
        if c < 1
    ]


def conformal(outputs: Any, rng: np.random.Generator) -> Any:
    """Return size and coverage of sets whose threshold comes from the other half; None if few.

    A set holds every class whose probability is at least the threshold.
    """
    n = min(len(outputs), ENTRIES_OF_SETS // outputs.n_classes)
    if n < 200 or outputs.clusters is not None or outputs.task != "classes":
        return None
    rows = rng.permutation(len(outputs))[:n]
    first, second = rows[: n // 2], rows[n // 2 :]
    true = np.sort(outputs.prob[first, outputs.y[first]])
    least = true[int(np.floor((len(first) + 1) * (1 - PROMISE))) - 1]
    sets = outputs.prob[second] >= least
    held = sets[np.arange(len(second)), outputs.y[second]]
    return {
        "promised": PROMISE,
        "coverage": mean_with_interval(held.astype(float)),
        "size": mean_with_interval(sets.sum(axis=1).astype(float)),
        "threshold": float(least),
    }


def mistakes(outputs: Any, fitted: Any) -> Any:
    """Return the most confident mistakes; where the label itself is doubtful, it is said.

    A label is doubtful where the probabilities after the map give it less than one in a hundred.

    Parameters
    ----------
    outputs : ModelOutputs
    fitted : ProbabilityCalibrator or None
        The recommended map.
    """
    score, hit = outputs.pairs
    wrong = np.flatnonzero(hit == 0)
    worst = wrong[np.argsort(-score[wrong], kind="stable")][:N_MISTAKES]
    some, names = outputs.take(worst), outputs.class_names
    p = some.prob if fitted is None else fitted.predict_proba(some.as_logits(outputs.floor))
    told = some.prob.argmax(axis=1) if outputs.task == "classes" else np.ones(len(worst), int)
    return [
        {
            "row": int(i),
            "id": None if some.ids is None else str(some.ids[j]),
            "label": names[some.y[j]],
            "prediction": names[told[j]],
            "confidence": float(score[i]),
            "label_doubtful": bool(p[j, some.y[j]] < DOUBTFUL),
        }
        for j, i in enumerate(worst)
    ]


def group_table(score: np.ndarray, hit: np.ndarray, groups: Any, clusters: Any = None) -> Any:
    """Return the signed gap of each group, accuracy less confidence, with Holm's p-values.

    Parameters
    ----------
    score, hit : ndarray, shape (n,)
    groups : ndarray, shape (n,)
    clusters : ndarray of int, optional
        Numbers of the clusters, from 0; standard errors are then of sums over clusters.
    """
    found = group_errors(hit, score, groups)
    gap, se = np.asarray(found.gap), np.asarray(found.standard_error)
    p_value = np.asarray(found.p_value)
    if clusters is not None:
        se = np.array([_clustered_se(hit - score, groups == g, clusters) for g in found.group])
        p_value = holm(2 * stats.norm.sf(np.divide(np.abs(gap), se, where=se > 0, out=0 * gap)))
    accuracy = [float(hit[groups == g].mean()) for g in found.group]
    return [
        {
            "group": str(g),
            "samples": int(found.weight[i]),
            "accuracy": accuracy[i],
            "gap": float(gap[i]),
            "low": float(gap[i] - NORMAL_95 * se[i]),
            "high": float(gap[i] + NORMAL_95 * se[i]),
            "p_value": float(p_value[i]),
            "shrunken": float(found.shrunken[i]),
            "flagged": bool(p_value[i] < 0.05),
        }
        for i, g in enumerate(found.group)
    ]


def _clustered_se(error: Any, inside: Any, clusters: Any) -> Any:
    sums = np.bincount(numbered(clusters[inside]), error[inside] - error[inside].mean())
    m = len(sums)
    return (sums @ sums * m / (m - 1)) ** 0.5 / inside.sum() if m > 1 else np.inf


def with_new_priors(outputs: Any, priors: Any) -> Any:
    """Return the NLL under new class frequencies, before and after adjusting for them."""
    y, p = outputs.y, outputs.prob
    old = np.bincount(y, minlength=outputs.n_classes) / len(y)
    if (old == 0).any():
        raise ValueError(f"priors: class {int(old.argmin())} has no samples here")
    adjusted = adjust_priors(p, old, priors)
    weight = (np.asarray(priors) / old)[y]
    rows = np.arange(len(y))

    def weighted(q: Any) -> Any:
        return mean_with_interval(-np.log(np.maximum(q[rows, y], 1e-300)) * weight)

    return {"before": weighted(p), "after": weighted(adjusted)}
