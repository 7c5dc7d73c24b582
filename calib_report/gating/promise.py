"""What a gate promises of a model, and the samples that it is about: all, a class, a group.

The offset between what is said and what happens is within a tolerance, on average and in no region
of probability.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from calib_report.contract import OptionError, listed
from calib_report.limits import TOLERANCE
from calib_report.measuring.outcome import outcome_as_is
from calib_report.model_outputs import ModelOutputs

ALL = "all"

# by name, probabilities and whether it was so
Streams = dict[str, tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Promise:
    """What is promised, and of which model.

    Attributes
    ----------
    model : str
        The name that was typed, or "".
    task, classes, streams
        What the outputs are about; what is promised of: all samples, classes, groups.
    tolerance : float
    """

    model: str
    task: str
    classes: tuple[str, ...]
    streams: tuple[str, ...]
    tolerance: float

    @cached_property
    def share_of_wealth(self) -> dict[str, float]:
        """The share of the wealth that bets on each stream: half on all, the rest on the others."""
        inner = [name for name in self.streams if name != ALL]
        if ALL not in self.streams:
            return dict.fromkeys(inner, 1 / len(inner))
        if not inner:
            return {ALL: 1.0}
        return {ALL: 0.5} | dict.fromkeys(inner, 0.5 / len(inner))


def check_promise(promise: Promise) -> Promise:
    if not 0 < promise.tolerance < 1:
        problem = f"{promise.tolerance!r}, expected a number between 0 and 1, such as"
        raise OptionError("tolerance", f"{problem} {TOLERANCE:g}")
    return promise


def refuse_other_promise(
    remembered: Promise, asked: Promise, says_tolerance: bool, says_model: bool
) -> None:
    """Raise ValueError where outputs or options are of another promise than the memory's."""
    _refuse_other_outputs("task", remembered.task, asked.task)
    _refuse_other_outputs("classes", remembered.classes, asked.classes)
    # a memory without a name takes looks at a model without one
    if says_model or remembered.model:
        _refuse_other_option("model_name", remembered.model, asked.model)
    # who types no tolerance means that of the memory
    if says_tolerance:
        _refuse_other_option("tolerance", remembered.tolerance, asked.tolerance)
    if set(asked.streams).isdisjoint(remembered.streams):
        watched = f"the memory watches {listed(remembered.streams, 5)}"
        raise OptionError("groups", f"{listed(asked.streams, 5)}; {watched}")


def _refuse_other_outputs(what: str, remembered: object, asked: object) -> None:
    if asked != remembered:
        raise ValueError(f"{what}: {_other_than_remembered(remembered, asked)}")


def _refuse_other_option(option: str, remembered: object, asked: object) -> None:
    if asked != remembered:
        raise OptionError(option, _other_than_remembered(remembered, asked))


def _other_than_remembered(remembered: object, asked: object) -> str:
    """Say that what is asked is another thing than what a memory holds."""
    return (
        f"{_value_in_words(asked)}, and the memory is of {_value_in_words(remembered)}: "
        "another model or promise begins a memory of its own"
    )


def _value_in_words(value: object) -> str:
    return listed(value, 8) if isinstance(value, tuple) else repr(value)


def streams_of(outputs: ModelOutputs, by_class: bool) -> Streams:
    """Return what is watched: all samples, and each class, label or group."""
    p, happened = _events_of(outputs)
    groups = _rows_of_groups(outputs)
    of_groups = {name: (p[rows], happened[rows]) for name, rows in groups.items()}
    # a row that is a cluster of its own is a sample like any other
    if outputs.clusters is not None and not _are_apart(outputs.clusters):
        alone = _groups_apart(groups, outputs.clusters)
        return {name: of_groups[name] for name in alone}
    streams = {ALL: (p, happened)}
    if by_class and outputs.n_classes > 2:
        streams |= _streams_of_classes(outputs)
    _refuse_hidden(streams.keys() & of_groups.keys())
    return streams | of_groups


def _refuse_hidden(names: set[str]) -> None:
    """Refuse groups that bear the name of other samples that are watched, and would hide them."""
    if names:
        problem = f"{min(names)!r} is the name of others as well: rename the column"
        raise OptionError("groups", problem)


def _events_of(outputs: ModelOutputs) -> tuple[np.ndarray, np.ndarray]:
    """Return the probability of the event of two classes, or that an answer is right."""
    as_is = outcome_as_is(outputs)
    p, happened = as_is.event_probability, as_is.happened
    if p is None or happened is None:
        p, happened = as_is.score, as_is.hit
    # by rounding a float32 may leave [0, 1]
    return np.clip(p, 0, 1), happened


def _groups_apart(groups: Mapping[str, np.ndarray], clusters: np.ndarray) -> list[str]:
    """Return the groups of which each cluster has at most one row."""
    names = [name for name, rows in groups.items() if _are_apart(clusters[rows])]
    if not names:
        raise OptionError(
            "clusters",
            "rows belong together, and a gate with memory counts each sample as new; "
            "leave one row of each (--where), or name groups that hold one row of each (--groups)",
        )
    return names


def _are_apart(clusters: np.ndarray) -> bool:
    """Tell whether no two rows are of one cluster."""
    return len(np.unique(clusters)) == len(clusters)


def _streams_of_classes(outputs: ModelOutputs) -> Streams:
    """Return the probability of each class, and whether it is the label."""
    columns = np.clip(outputs.prob, 0, 1).T
    return {
        f"class {name}": (columns[k], outputs.y == k)
        for k, name in enumerate(outputs.names)
    }


def _rows_of_groups(outputs: ModelOutputs) -> dict[str, np.ndarray]:
    """Return which rows are of each group, by the names of its column and its value."""
    rows = dict[str, np.ndarray]()
    for column, values in outputs.groups.items():
        for value in np.unique(values).tolist():
            stream = f"{column} {value}"
            # of (a, "b c") and ("a b", c) one name would hide one of the two
            _refuse_hidden({stream} & rows.keys())
            rows[stream] = values == value
    return rows
