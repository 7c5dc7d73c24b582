"""Two models on the same samples: matched, and compared in pairs."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import calib
from calib import METRICS, NoIntervalError
from calib_report.checked_numbers import check_seed
from calib_report.columns.second_file import notes_of_samples_left_out, rows_in_both
from calib_report.contract import Note, listed
from calib_report.limits import MOST_NUMBERS
from calib_report.measuring import measure
from calib_report.measuring.estimates import change_with_interval
from calib_report.measuring.outcome import Outcome
from calib_report.model_outputs import ModelOutputs
from calib_report.schema import Difference
from calib_report.values import cluster_numbers, texts

N_RESAMPLES_OF_TWO = 200  # of two models
MEANS = (
    "accuracy",
    "mean confidence",
    "confidence less accuracy",
    "NLL",
    "Brier",
    "top-1 Brier",
)
RESAMPLED = (
    "ece",
    "classwise_ece",
    *measure.OTHERS_OF_PAIRS,
    *measure.OTHERS_OF_VECTORS,
    "aurc",
)
# by the title of a metric; where bins go without saying
NAMES_IN_A_REPORT = {METRICS["ece"].title: "ECE"}


def compare(
    first: ModelOutputs,
    second: ModelOutputs,
    *,
    seed: int = 0,
    resampled: Sequence[str] = RESAMPLED,
) -> dict[str, Difference]:
    """Return the paired differences of two models on the same samples, second less first.

    Samples are matched by their ids where both have them, else they are in the same order. Means of
    losses have the interval of a mean of paired differences; other metrics, named by `resampled`
    and by default all, that of :func:`calib.paired_difference`, of whole clusters where there are;
    ``refused`` holds why a metric has none. A probability of zero counts, in the NLL of both, as
    the smaller of their floors.
    """
    check_seed(seed)
    first, second = samples_of_both(first, second)
    second = align(first, second)
    clusters = cluster_numbers(first.clusters)
    rows = _mean_differences(first, second, clusters)
    sides = _metric_input(first), _metric_input(second)
    options: Any = {"clusters": clusters, "seed": seed}
    has_vectors = first.task == "classes" and first.prob.size <= MOST_NUMBERS
    for metric in map(METRICS.__getitem__, resampled):
        if has_vectors or metric.reads == "pairs":
            name = NAMES_IN_A_REPORT.get(metric.title, metric.title)
            rows[name] = metric_difference(metric.function, *sides, **options)
    return rows


def _mean_differences(
    first: ModelOutputs, second: ModelOutputs, clusters: np.ndarray | None
) -> dict[str, Difference]:
    """Return the differences of what is a mean over samples."""
    floor = min(first.floor, second.floor)
    columns = _means_of(first, floor), _means_of(second, floor)
    rows = dict[str, Difference]()
    for name, a, b in zip(MEANS, *columns, strict=True):
        change = change_with_interval(b, a, clusters)
        rows[name] = {
            "first": float(a.mean()),
            "second": float(b.mean()),
            "difference": change["difference"],
        }
        if "low" in change:
            rows[name] |= {"low": change["low"], "high": change["high"]}
    return rows


def _means_of(outputs: ModelOutputs, floor: float) -> tuple[np.ndarray, ...]:
    """Return the values of each sample whose means are `MEANS`."""
    as_is = Outcome.of(outputs.y, outputs.prob, floor, outputs.task)
    return as_is.hit, as_is.score, as_is.excess, as_is.nll, as_is.brier, as_is.excess**2


def _metric_input(outputs: ModelOutputs) -> tuple[np.ndarray, np.ndarray]:
    """Return labels and what metrics take of outputs: vectors, or scores of a question."""
    return outputs.y, outputs.prob if outputs.task == "classes" else outputs.prob[:, 1]


def metric_difference(
    metric: Callable[..., float],
    first: tuple[np.ndarray, np.ndarray],
    second: tuple[np.ndarray, np.ndarray],
    *,
    clusters: np.ndarray | None = None,
    seed: int = 0,
) -> Difference:
    """Return the paired difference of a metric, second less first; ``refused`` where it has none.

    What is a mean over samples needs no draws: it is compared in `_mean_differences`.
    """
    (y_first, p_first), (y_second, p_second) = first, second
    before, after = float(metric(*first)), float(metric(*second))
    row: Difference = {"first": before, "second": after, "difference": after - before}
    options: Any = {
        "clusters": clusters,
        "n_resamples": N_RESAMPLES_OF_TWO,
        "rng": seed,
    }
    try:
        # the difference is that of the first argument less the second's
        change = calib.paired_difference(
            metric, y_second, p_second, p_first, y_true_b=y_first, **options
        )
    except NoIntervalError as error:
        return {**row, "refused": str(error)}
    row |= {"difference": change.value, "low": change.low, "high": change.high}
    return row


def samples_of_both(
    first: ModelOutputs, second: ModelOutputs
) -> tuple[ModelOutputs, ModelOutputs]:
    """Return the samples that both hold, in the first's order, where both name theirs; else all."""
    if first.ids is None or second.ids is None:
        return first, second
    rows_of_first, rows_of_second = rows_in_both(
        texts(first.ids), texts(second.ids), "ids"
    )
    return first.take(rows_of_first), second.take(rows_of_second)


def notes_of_unmatched(first: ModelOutputs, second: ModelOutputs) -> list[Note]:
    """Say how many samples only one of two models has, and are left out."""
    if first.ids is None or second.ids is None:
        return []
    rows_of_first, _ = rows_in_both(texts(first.ids), texts(second.ids), "ids")
    return notes_of_samples_left_out(len(first), len(second), len(rows_of_first))


def align(first: ModelOutputs, second: ModelOutputs) -> ModelOutputs:
    """Return the second outputs, of the same samples, with the classes in the first's order."""
    _refuse_other_sizes(first, second)
    if first.task == "pairs":
        # each of two models has answers of its own, right or not
        return second
    if first.task == "classes":
        second = _with_classes_of(first, second)
    if not np.array_equal(first.y, second.y):
        raise ValueError(
            "the labels of the two are not the same, so they cannot be paired; if the samples are, "
            "in another order, say which column names them: --ids NAME"
        )
    return second


def _refuse_other_sizes(first: ModelOutputs, second: ModelOutputs) -> None:
    """Refuse outputs of two questions, or of two numbers of samples."""
    if (first.task, len(first)) != (second.task, len(second)):
        raise ValueError(
            f"{len(first)} rows of {first.task} and {len(second)} of {second.task} cannot be paired"
        )


def _with_classes_of(first: ModelOutputs, second: ModelOutputs) -> ModelOutputs:
    if _are_named_otherwise(first, second):
        raise ValueError(different_classes(first.names, second.names))
    return _with_classes_in_order(second, first.names)


def _are_named_otherwise(first: ModelOutputs, second: ModelOutputs) -> bool:
    """Tell whether classes differ in number, or in the names that both have."""
    if first.n_classes != second.n_classes:
        return True
    names = [outputs.names for outputs in (first, second)]
    # who has numbers for names may have the other's classes
    numbers = [str(k) for k in range(first.n_classes)]
    return numbers not in names and sorted(names[0]) != sorted(names[1])


def different_classes(first: list[str], second: list[str]) -> str:
    """Say that two sets of classes are not one."""
    return f"the classes {listed(first, 4)} and {listed(second, 4)} are not the same: no comparison"


def _with_classes_in_order(outputs: ModelOutputs, names: list[str]) -> ModelOutputs:
    """Return outputs with their classes in another order, where they are the same."""
    if outputs.names == names or sorted(outputs.names) != sorted(names):
        return outputs
    order = np.array([*map(outputs.names.index, names)])
    scores: dict[str, Any] = {outputs.kind: outputs.scores[:, order]}
    y = np.argsort(order)[outputs.y]
    return dataclasses.replace(outputs, y=y, class_names=names, **scores)
