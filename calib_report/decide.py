"""What is asked, and what to do by a map: costs, groups and declined answers, advice."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import betaincinv, stdtr, stdtrit

from calib import TemperatureScaling, group_errors, holm, risk_coverage, shrink
from calib.constants import NORMAL_95
from calib_report import measure
from calib_report.contract import NAMES, listed
from calib_report.measure import (
    HeldOut,
    Rng,
    cluster_numbers,
    mean_with_interval,
    rows_of,
)
from calib_report.model_outputs import ModelOutputs
from calib_report.schema import (
    AdviceRow,
    Answered,
    CostTable,
    Decided,
    Declined,
    GroupGap,
    GroupRow,
    Mistake,
    Number,
    Period,
    Question,
    RiskRow,
    TimeTable,
)
from calib_report.words import TEXTS

MOST_PERIODS = 12  # of a table of time
COVERAGES = (0.95, 0.9, 0.8)
STEPS_OF_COVERAGE = np.arange(1, 41) / 40  # at which a risk is tried, the surest first
STARTS = (0.1, 0.3, 0.6)  # coverages at which trying begins
LEVEL = 0.95
LEVEL_OF_ONE_START = 1 - (1 - LEVEL) / len(STARTS)
NO_COSTS = {  # of questions that are not about classes
    "pairs": "pairs of a confidence and whether it was right do not tell the classes",
    "labels": "each label has a frequency of its own; take one label at a time",
}
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

    @property
    def to_decline(self) -> bool:
        """Whether it is asked below which confidence to decline."""
        return self.coverage is not None or self.risk is not None


def asked_of(outputs: ModelOutputs, **options: Any) -> Asked:
    """Return what was asked, checked against the outputs; a ValueError where it makes no sense."""
    asked = Asked(**options)
    if asked.costs is not None and outputs.task in NO_COSTS:
        raise ValueError(f"cost: {NO_COSTS[outputs.task]}")
    if asked.coverage is not None and asked.risk is not None:
        raise ValueError("coverage, risk: ask for one of them, and the other follows")
    _check_half("coverage", asked.coverage, len(outputs))
    _check_half("risk", asked.risk, len(outputs))
    # last, since it reads a file
    if asked.costs is not None:
        asked = asked._replace(costs=read_costs(asked.costs, outputs.names))
    return asked


def _check_half(name: str, share: float | None, n: int) -> None:
    """Refuse a share that cannot be found on one half of the samples and tried on the other."""
    if share is None:
        return
    if n < FEWEST_FOR_HALVES:
        raise ValueError(f"{name}: {n} samples, expected {FEWEST_FOR_HALVES}")
    check_share(share, name)


def check_share(value: float, name: str) -> float:
    if not 0 < value < 1:
        raise ValueError(f"{name}: {value!r:.60}, expected a number between 0 and 1")
    return value


def number_typed(text: Any, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{what}: {text!r:.60}, expected a number") from None


def read_costs(text: str | Path, names: list[str]) -> Costs:
    """Return costs of ``alarm=sick,false_alarm=1,miss=10``, or of a csv file of K rows."""
    if not isinstance(text, str | Path):
        raise TypeError(f"costs: {text!r}, expected text, or the name of a csv file")
    # who types costs types an equals sign, which no name of a file needs
    is_typed = "=" in str(text)
    costs = (_costs_of_alarm if is_typed else _costs_of_file)(text, names)
    if len(costs.matrix) != len(names) or not np.isfinite(costs.matrix).all():
        raise ValueError(
            f"cost: shape {costs.matrix.shape}, expected {len(names)} rows of finite numbers"
        )
    return costs


def _costs_of_alarm(text: str | Path, names: list[str]) -> Costs:
    entries = [entry.rpartition("=") for entry in str(text).split(",")]
    costs = {name.strip(): value for name, _, value in entries}
    # a name that is typed twice is one of too many entries
    are_three = len(entries) == 3 and {*costs} == {"alarm", "false_alarm", "miss"}
    if not are_three or len(names) != 2:
        raise ValueError(
            f"cost: {text!r} of the classes {listed(names)}, expected "
            "alarm=CLASS,false_alarm=NUMBER,miss=NUMBER of two classes, or a csv file with a row a "
            "class and a column a decision"
        )
    if costs["alarm"] not in names:
        raise ValueError(
            f"cost: there is no class {costs['alarm']!r}, found {listed(names)}"
        )
    # rows are labels, columns decisions; what is right costs nothing
    alarm, matrix = names.index(costs["alarm"]), np.zeros((2, 2))
    matrix[1 - alarm, alarm] = number_typed(costs["false_alarm"], "cost")
    matrix[alarm, 1 - alarm] = number_typed(costs["miss"], "cost")
    return Costs(matrix, alarm)


def _costs_of_file(path: str | Path, names: list[str]) -> Costs:
    try:
        matrix = np.loadtxt(Path(path).read_text().splitlines(), delimiter=",", ndmin=2)
    except ValueError as error:
        raise ValueError(
            f"cost: {path}: not a table of numbers: {error}; expected no heading, a row a class in "
            "their order, and a column a decision"
        ) from None
    # a square of two classes has an alarm: the second
    is_square_of_two = len(names) == 2 and matrix.shape == (2, 2)
    return Costs(matrix, 1 if is_square_of_two else None)


def decide(
    outputs: ModelOutputs,
    before: HeldOut,
    after: HeldOut,
    fitted: Any,
    asked: Asked,
    rng: Rng,
    seed: int,
) -> Decided:
    """Return what the recommended map, `fitted`, does to decisions, and what is asked of them.

    `rng` is for what every report holds; what is asked draws from generators of its own, by the
    `seed`, so that one answer does not hang on what else is asked.
    """
    numbers = measure.first_numbers(after, rng=rng)
    groups = dict(outputs.groups)
    answers = Answered()
    if asked.costs is not None:
        answers["costs"] = cost_table(asked.costs, before, after, outputs)
    if isinstance(fitted, TemperatureScaling):
        answers["temperature"] = fitted.temperature_
    if asked.to_decline:
        answers["declined"] = declined(after, np.random.default_rng(seed), asked)
    if asked.time is not None:
        # the column of moments is read as one of groups, and shown as a line
        moments = groups.pop(asked.time)
        answers["time"] = time_table(asked.time, moments, before, after)
    return {
        "after": numbers,
        **answers,
        "bins_after": measure.bin_table(after),
        "risk": [risk_at(share, before, after) for share in COVERAGES],
        "mistakes": mistakes(outputs, before),
        "groups": group_tables(before, after, groups),
    }


def risk_at(share: float, before: HeldOut, after: HeldOut) -> RiskRow:
    """Return the errors among the surest share of the answers, and where they begin."""
    return {
        "kept": share,
        "before": before.curve.risk_at(share),
        "after": after.curve.risk_at(share),
        "threshold": after.curve.threshold_at(share),
    }


def cost_table(
    costs: Costs, before: HeldOut, after: HeldOut, outputs: ModelOutputs
) -> CostTable:
    """Return what decisions cost: as it is, after the map, and always the best constant one."""
    names, clusters = outputs.names, before.clusters
    frequency = np.bincount(outputs.y, minlength=len(names)) / len(outputs)
    constant = frequency @ costs.matrix
    best = int(constant.argmin())
    # a column a class decides for the class; other decisions have no names
    is_square = costs.matrix.shape[1] == len(names)
    table: CostTable = {
        "before": mean_with_interval(before.cost, clusters),
        "after": mean_with_interval(after.cost, clusters),
        "change": mean_with_interval(after.cost - before.cost, clusters),
        "constant": float(constant[best]),
        "constant_decision": names[best] if is_square else f"decision {best + 1}",
    }
    if costs.alarm is None or not 0 <= threshold(costs) <= 1:
        return table  # of negative costs, say, one of the decisions is always cheaper
    return {
        **table,
        "alarm": names[costs.alarm],
        "threshold": threshold(costs),
    }


def threshold(costs: Costs) -> float:
    """Probability of the class of the alarm from which deciding for it is cheaper."""
    alarm = 1 if costs.alarm is None else costs.alarm
    healthy, sick = costs.matrix[1 - alarm], costs.matrix[alarm]
    # only the differences within a row decide
    false_alarm = healthy[alarm] - healthy[1 - alarm]
    miss = sick[1 - alarm] - sick[alarm]
    if false_alarm + miss == 0:
        return float("nan")
    return float(false_alarm / (false_alarm + miss))


def declined(held_out: HeldOut, rng: Rng, asked: Asked) -> Declined:
    """Return a confidence below which to decline, and what that gives.

    Of a `coverage` it is found on one half of the samples, or clusters, and tried on the other. Of
    a `risk` it keeps a promise. Shares of the answers, the surest first, are tried from three
    beginnings on, as long as the bound on their errors is at most the risk; each beginning has a
    third of the 5 % (fixed sequence testing; Angelopoulos et al. 2021, Learn then Test). So the
    true share of errors exceeds the risk in one of twenty reports at most.

    ``threshold`` is None where no answer can be kept; ``at_most`` is the one-sided bound on the
    share of errors among the kept, exact of samples (Clopper & Pearson 1934).
    """
    answers, question = Answers.of(held_out), Question()
    if asked.risk is None:
        question["coverage"] = asked.coverage or 1.0
        trial = answers.at_coverage(question["coverage"], rng)
    else:
        question["risk"] = asked.risk
        trial = answers.at_risk(question["risk"])
    are_above = answers.sure >= trial.limit
    rows = trial.rows & are_above
    return {
        "asked": question,
        "threshold": trial.limit if np.isfinite(trial.limit) else None,
        "kept": answers.share(are_above.astype(float), trial.rows),
        # where no answer is kept, none is wrong and none is right
        "errors": answers.errors(rows) if rows.any() else None,
        "at_most": answers.bound(rows, trial.level) if rows.any() else None,
    }


class Trial(NamedTuple):
    """A confidence below which to decline, the rows that try it, and with what certainty."""

    limit: float
    rows: np.ndarray
    level: float


@dataclass(frozen=True, eq=False)
class Answers:
    """How sure answers are, which are right, and which cluster each is of."""

    sure: np.ndarray
    right: np.ndarray
    clusters: np.ndarray | None

    @classmethod
    def of(cls, held_out: HeldOut) -> "Answers":
        sure, right, _ = held_out.answers
        return cls(sure, right, held_out.clusters)

    def at_coverage(self, coverage: float, rng: Rng) -> Trial:
        """Return the threshold that keeps a share of the answers."""
        first = self.half(rng)
        curve = risk_coverage(self.right[first], self.sure[first])
        # half finds the threshold, the other half has not seen it
        return Trial(curve.threshold_at(coverage), ~first, LEVEL)

    def at_risk(self, risk: float) -> Trial:
        """Return the threshold that is shown to keep a risk."""
        # found and tried on all rows: the sequence of bounds pays for that
        rows = np.ones(len(self.sure), bool)
        return Trial(self.limit_of_risk(risk), rows, LEVEL_OF_ONE_START)

    def half(self, rng: Rng) -> np.ndarray:
        """Return which rows are of one half, of samples or of clusters."""
        unit = np.arange(len(self.sure)) if self.clusters is None else self.clusters
        n_units = int(unit.max()) + 1
        return (rng.permutation(n_units) < n_units // 2)[unit]

    def share(self, values: np.ndarray, rows: np.ndarray) -> Number:
        """Return the mean of values of 0 and 1 with its interval."""
        return measure.share_with_interval(values[rows], self._clusters_of(rows))

    def _clusters_of(self, rows: np.ndarray) -> np.ndarray | None:
        return None if self.clusters is None else cluster_numbers(self.clusters[rows])

    def errors(self, rows: np.ndarray) -> Number:
        """Return the share of errors of such answers."""
        return self.share(1.0 - self.right, rows)

    def bound(self, rows: np.ndarray, level: float) -> float:
        """Return what the share of errors of such answers is at most, with this certainty."""
        n, n_errors = int(rows.sum()), int((self.right[rows] == 0).sum())
        if n == n_errors:  # of no rows as well
            return 1.0
        clusters = self._clusters_of(rows)
        if clusters is None:
            return float(betaincinv(n_errors + 1, n - n_errors, level))
        return _bound_of_clusters(1.0 - self.right[rows], clusters, level)

    def limit_of_risk(self, risk: float) -> float:
        """Return the lowest threshold that is shown to keep a risk; infinite where none is."""
        limits = np.quantile(self.sure, 1 - STEPS_OF_COVERAGE, method="higher")
        lowest = np.inf
        for start in STARTS:
            for limit in limits[STEPS_OF_COVERAGE >= start - 1e-9]:
                # fixed sequence: what fails ends its beginning, no later one is tried
                if self.bound(self.sure >= limit, LEVEL_OF_ONE_START) > risk:
                    break
                lowest = min(lowest, float(limit))
        return lowest


def _bound_of_clusters(errors: np.ndarray, clusters: np.ndarray, level: float) -> float:
    """Return what the mean of errors is at most, of clusters that are numbered from 0."""
    # m clusters leave m - 1 degrees of freedom
    freedom = int(clusters.max())
    mean = mean_with_interval(errors, clusters)
    # alike in all clusters: each counts as one sample
    if mean["value"] == 0 or "high" not in mean:
        return float(betaincinv(1, freedom + 1, level))
    # the two-sided interval holds the error: divided by its quantile
    error = (mean["high"] - mean["value"]) / stdtrit(freedom, 0.975)
    return min(float(mean["value"] + stdtrit(freedom, level) * error), 1.0)


def mistakes(outputs: ModelOutputs, held_out: HeldOut) -> list[Mistake]:
    """Return the most confident mistakes, the surest first."""
    score, right, _ = held_out.answers
    mistaken = np.flatnonzero(~right)
    # stable, so that ties stand in the order of the file
    worst = mistaken[np.argsort(-score[mistaken], kind="stable")][:N_MISTAKES]
    names, top = np.array(outputs.names), outputs.prob[worst].argmax(axis=1)
    predicted = np.ones_like(top) if outputs.task == "pairs" else top
    ids: list[str | None] = [None] * len(worst)
    if outputs.ids is not None:
        ids = [str(name) for name in outputs.ids[worst]]
    columns = {
        "row": worst,
        "id": ids,
        "label": names[outputs.y[worst]],
        "prediction": names[predicted],
        "confidence": score[worst],
    }
    return rows_of(columns)


def group_tables(
    before: HeldOut, after: HeldOut, groups: Mapping[str, np.ndarray]
) -> dict[str, list[GroupRow]]:
    """Return the table of each column of groups, by its name."""
    return {name: group_table(before, after, group) for name, group in groups.items()}


def group_table(before: HeldOut, after: HeldOut, groups: np.ndarray) -> list[GroupRow]:
    """Return by group the confidence less the accuracy, as it is and on held-out samples."""
    names, place = np.unique(groups, return_inverse=True)
    n = np.bincount(place)
    columns = {
        "group": [str(name) for name in names],
        "samples": n,
        "accuracy": np.bincount(place, before.hit) / n,
        "before": _gaps(before, place),
        "after": _gaps(after, place),
    }
    return rows_of(columns)


def _gaps(held_out: HeldOut, groups: np.ndarray) -> list[GroupGap]:
    """Return the gap of each group with its interval and Holm's p-value, of clusters Student's."""
    errors = group_errors(held_out.hit, held_out.score, groups)
    gap, error, p_value = -errors.gap, errors.standard_error, errors.p_value
    quantile: Any = NORMAL_95
    best_guess = -errors.shrunken
    if held_out.clusters is not None:
        error, freedom = _errors_of_clusters(held_out, groups, errors.group)
        quantile = stdtrit(freedom, 0.975)
        # a group whose error is zero, or unknown, is not flagged
        t = np.divide(np.abs(gap), error, where=error > 0, out=0 * gap)
        p_value = holm(2 * stdtr(freedom, -t))
        # of one cluster the error is infinite; no gap exceeds 1, so that is as much as any
        best_guess, _, _ = shrink(gap, np.minimum(error**2, 1.0))
    columns = {
        "value": gap,
        "low": gap - quantile * error,
        "high": gap + quantile * error,
        "p_value": p_value,
        "best_guess": best_guess,
        "flagged": p_value < 0.05,
    }
    return rows_of(columns)


def _errors_of_clusters(
    held_out: HeldOut, groups: np.ndarray, names: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the standard error of each group's gap, infinite of one cluster, and its freedom."""
    error, freedom = np.full(len(names), np.inf), np.ones(len(names))
    for k, name in enumerate(names):
        rows = groups == name
        clusters: Any = cluster_numbers(np.asarray(held_out.clusters)[rows])
        freedom[k] = max(int(clusters.max()), 1)
        mean = mean_with_interval(held_out.gap[rows], clusters)
        if "high" in mean:
            error[k] = (mean["high"] - mean["value"]) / stdtrit(freedom[k], 0.975)
    return error, freedom


def moments_of(values: np.ndarray, name: str) -> np.ndarray:
    """Return moments as numbers: what stands there as a number, or the seconds of a date."""
    words = np.char.lower(np.char.strip(values.astype(str)))
    empty = np.isin(words, NAMES["empty"]) | (words == "nat")
    if empty.any():
        raise ValueError(
            f"{name!r} is empty in {empty.sum()} of {len(empty)} rows, the first is row "
            f"{empty.argmax()}: --leave-out-empty {name} leaves such rows out"
        )
    no_moments = (
        f"time: {name!r} holds no numbers and no dates such as 2026-11-23T14:00"
    )
    # numpy reads these as dates, and each time as another one
    if np.isin(words, ("now", "today")).any():
        raise ValueError(no_moments)
    for kind in (float, "datetime64[s]"):
        moments = _moments(values.astype(str), kind)
        if moments is not None:
            return moments
    raise ValueError(no_moments)


def _moments(texts: np.ndarray, kind: Any) -> np.ndarray | None:
    """Return texts as finite moments of a type of numpy; None where one of them is none."""
    with suppress(ValueError):
        moments = texts.astype(kind)
        if np.isfinite(moments).all():
            return moments.astype(float)
    return None


def time_table(
    name: str, values: np.ndarray, before: HeldOut, after: HeldOut
) -> TimeTable:
    """Return confidence less accuracy in up to a dozen moments, or periods of as many samples."""
    moment = moments_of(values, name)
    different, place = np.unique(moment, return_inverse=True)
    if len(different) > MOST_PERIODS:
        share = np.cumsum(np.bincount(place)) / len(moment)
        place = np.ceil(MOST_PERIODS * share - 1e-9)[place]
    periods = []
    for number in np.unique(place):
        rows = np.flatnonzero(place == number)
        first, last = rows[moment[rows].argmin()], rows[moment[rows].argmax()]
        ends = str(values[first]), str(values[last])
        periods.append(_period(ends, rows, before, after))
    return {
        "column": name,
        "periods": periods,
        "trend_before": trend(moment, before.gap, before.clusters),
        "trend_after": trend(moment, after.gap, after.clusters),
    }


def _period(
    ends: tuple[str, str], rows: np.ndarray, before: HeldOut, after: HeldOut
) -> Period:
    """Return the gap of the rows between two moments, as it is and on held-out samples."""
    clusters = before.clusters
    if clusters is not None:
        clusters = cluster_numbers(clusters[rows])
    return {
        "from": ends[0],
        "to": ends[1],
        "samples": len(rows),
        "accuracy": float(before.hit[rows].mean()),
        "before": mean_with_interval(before.gap[rows], clusters),
        "after": mean_with_interval(after.gap[rows], clusters),
    }


def trend(
    moment: np.ndarray, gap: np.ndarray, clusters: np.ndarray | None = None
) -> Number:
    """Return by how much gaps rise from the first moment to the last, by rank: least squares.

    Its interval allows for unequal variances (White 1980), of whole clusters where there are.
    """
    n = len(gap)
    rank = (measure.ranks(moment) - (n + 1) / 2) / max(n - 1, 1)
    if not rank.any():
        return {"value": 0.0, "p_value": 1.0}
    slope = float(rank @ gap / (rank @ rank))
    residual = gap - gap.mean() - slope * rank
    line = mean_with_interval(slope + n * rank * residual / (rank @ rank), clusters)
    freedom = np.inf if clusters is None else max(clusters.max(), 1)
    error = (line.get("high", np.inf) - slope) / stdtrit(freedom, 0.975)
    return {**line, "value": slope, "p_value": _p_value(slope, error, freedom)}


def _p_value(slope: float, error: float, freedom: float) -> float:
    """Return how often chance alone gives a slope as far from zero, by Student's t."""
    if error > 0:
        return float(2 * stdtr(freedom, -abs(slope) / error))
    return float(slope == 0)


CHOICES: list[dict[str, Any]] = TEXTS["choices"]
FEW_CLASSES = 100  # up to which they are several, and beyond many


def size_of(n_classes: int) -> str:
    """Return the word of a number of classes in `CHOICES`."""
    if n_classes <= 2:
        return "two"
    return "several" if n_classes <= FEW_CLASSES else "many"


def choice(n: int, n_classes: int) -> dict[str, Any]:
    """Return the row of `CHOICES` for n samples; a confidence and a verdict are of two classes.

    Examples
    --------
    >>> choice(1500, 10)["do"], choice(5000, 500)["name"]
    ('one temperature', 'many')
    """
    return next(row for row in CHOICES if _holds(row, n, n_classes))


def _holds(row: Mapping[str, Any], n: int, n_classes: int) -> bool:
    of_classes = row.get("classes", size_of(n_classes)) == size_of(n_classes)
    of_each = n < row.get("a_class_below", np.inf) * n_classes
    return bool(of_classes and of_each and n < row.get("below", np.inf))


def _with_method(row: Any) -> AdviceRow:
    """Return a row of advice with what to do, of its choices where the map depends on the size."""
    if "method" in row:
        return row
    choices = [choice for choice in CHOICES if choice["name"] in row["choices"]]
    method = "; ".join(f"{choice['said']}: {choice['do']}" for choice in choices)
    # of one choice the row itself says for which size it is
    return row | {"method": choices[0]["do"] if len(choices) == 1 else method}


SITUATIONS: list[AdviceRow] = [_with_method(row) for row in TEXTS["situations"]]


@dataclass(frozen=True)
class Situation:
    """What of a report says which advice applies."""

    n: int
    clusters: int
    n_classes: int
    task: str
    fields: frozenset[str]  # that are not empty, or there at all

    @classmethod
    def of(cls, report: Mapping[str, Any]) -> "Situation":
        fields: set[str] = {"costs", "priors"} & report.keys()
        if report.get("groups"):
            fields.add("groups")
        clusters = report.get("clusters") or 0
        sizes = report["n"], clusters, report["n_classes"]
        return cls(*sizes, report["task"], frozenset(fields))

    @property
    def units(self) -> int:
        """How many samples, or clusters of them, say something of their own."""
        return self.clusters or self.n

    @property
    def has_answers(self) -> bool:
        return self.task != "labels"


# by the word of a row of advice, when it applies
WHEN: dict[str, Callable[[Situation], bool]] = {
    "few": lambda situation: situation.units < 100,
    "some": lambda situation: 100 <= situation.units < 1000,
    "many": lambda situation: (
        situation.task == "classes"
        and situation.units >= 1000
        and situation.n_classes <= 100
    ),
    "too_many": lambda situation: situation.n_classes > 100,
    "costs": lambda situation: "costs" in situation.fields,
    "declining": lambda situation: situation.has_answers,
    "sets": lambda situation: (
        situation.task == "classes" and situation.n >= 200 and situation.clusters == 0
    ),
    "grouped": lambda situation: "groups" in situation.fields and situation.has_answers,
    "clustered": lambda situation: situation.clusters > 0 and situation.has_answers,
    "labels": lambda situation: situation.task == "labels",
    "pairs": lambda situation: situation.task == "pairs",
    "priors": lambda situation: "priors" in situation.fields,
}


def advice(report: Mapping[str, Any]) -> list[AdviceRow]:
    """Return the rows of the table of advice, `SITUATIONS`, that apply to what a report says.

    Of a report count ``n``, ``clusters``, ``n_classes``, ``task``, and whether it has ``costs``,
    ``priors`` or ``groups``.
    """
    situation = Situation.of(report)
    return [row for row in SITUATIONS if WHEN[row["when"]](situation)]
