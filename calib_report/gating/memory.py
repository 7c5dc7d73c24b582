"""A gate with memory: a promise about a model that is looked at after every batch of labels.

The file of the memory holds sums of each look, no sample. Its promise: the offset between what is
said and what happens is within a tolerance, on average and in no region of probability. Where the
promise is kept, no look at all, however many there are, says that it is broken, but in 5 of 100
models (`python -m evidence.studies gate_with_memory` measures how often).
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

import calib
from calib_report.contract import listed
from calib_report.limits import SIGNIFICANCE_LEVEL, TOLERANCE
from calib_report.measuring.outcome import outcome_as_is
from calib_report.model_outputs import ModelOutputs
from calib_report.wording.rendering import signed
from calib_report.wording.words import NOUNS

# chance that a promise which is kept is ever called broken
CHANCE_OF_FALSE_ALARM = SIGNIFICANCE_LEVEL
ALL = "all"
NO_SAMPLE = np.zeros_like(calib.look_sums([0], [0.5]))  # its sums
HOLDS, BROKEN, OPEN = "holds", "BROKEN", "not enough labels"
STATUS = {HOLDS: 0, BROKEN: 3, OPEN: 4}
# by two of the patterns of `calib.DriftEvidence`, how often what is said happens
OFTEN = {"more frequent": "more often", "less frequent": "less often"}

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
    def share(self) -> dict[str, float]:
        """The share of the wealth that bets on each stream: half on all, the rest on the others."""
        inner = [name for name in self.streams if name != ALL]
        if ALL not in self.streams:
            return dict.fromkeys(inner, 1 / len(inner))
        if not inner:
            return {ALL: 1.0}
        return {ALL: 0.5} | dict.fromkeys(inner, 0.5 / len(inner))


@dataclass(frozen=True)
class Look:
    """What is remembered of one file.

    Attributes
    ----------
    number : int
        From 1. Looks of one number, of several machines, are one look.
    name, digest : str
        Of the file, and of the samples in it.
    sums : dict of str to ndarray, shape (6, 6)
        By stream, see :func:`calib.look_sums`.
    """

    number: int
    name: str
    digest: str
    sums: dict[str, np.ndarray]


@dataclass(frozen=True)
class Memory:
    """A promise, and all looks at it."""

    promise: Promise
    looks: tuple[Look, ...] = ()

    def sums(self, stream: str) -> np.ndarray:
        """Return the sums of a stream by number of the look, shape (T, 6, 6)."""
        numbers = sorted({look.number for look in self.looks})
        # looks of several machines at one time are one look: their sums add up
        total = np.zeros((len(numbers), *NO_SAMPLE.shape))
        for look in self.looks:
            total[numbers.index(look.number)] += look.sums[stream]
        return total

    def has(self, look: Look) -> bool:
        """Tell whether the samples of a look are in the memory already."""
        return any(earlier.digest == look.digest for earlier in self.looks)

    def with_look(self, look: Look) -> "Memory":
        """Return the memory after one more look."""
        # after all of them: some machines may have looked more often
        last = max((earlier.number for earlier in self.looks), default=0)
        return replace(self, looks=(*self.looks, replace(look, number=last + 1)))


@dataclass(frozen=True)
class StreamVerdict:
    """Which of three a stream comes to, and a line that says why."""

    status: str
    line: str


def remember(
    outputs: ModelOutputs,
    memory: Memory | None,
    name: str,
    *,
    model: str = "",
    tolerance: float | None = None,
    by_class: bool = False,
) -> tuple[Memory, list[str]]:
    """Return the memory after one more look, and notes: what was not counted.

    Parameters
    ----------
    outputs : ModelOutputs
    memory : Memory or None
        None begins one.
    name : str
        Of the file that was looked at.
    model : str
        Name of the model, kept in the memory.
    tolerance : float, optional
        By default that of the memory, `TOLERANCE` of a new one.
    by_class : bool
        Whether each class is watched.

    Raises
    ------
    ValueError
        Where the memory is that of another model or promise, or rows belong together, of which
        nobody knows the chance.
    """
    streams = streams_of(outputs, by_class)
    asked = Promise(
        model,
        outputs.task,
        tuple(outputs.names),
        tuple(streams),
        TOLERANCE if tolerance is None else tolerance,
    )
    if memory is None:
        memory = Memory(check_promise(asked))
    else:
        _refuse_other(memory.promise, asked, tolerance is not None, bool(model))
    look = _look_at(streams, memory.promise, name, digest_of(outputs))
    notes = _notes_of_new_streams(streams, memory.promise)
    if not memory.has(look):
        return memory.with_look(look), notes
    again = f"{name}: these samples are in the memory; they are not counted again"
    return memory, [*notes, again]


def _look_at(streams: Streams, promise: Promise, name: str, digest: str) -> Look:
    """Return the look at a file: the sums of what the promise watches."""
    # a group that does not occur this time bets nothing
    sums = dict.fromkeys(promise.streams, NO_SAMPLE)
    for stream in sums.keys() & streams.keys():
        p, happened = streams[stream]
        sums[stream] = calib.look_sums(happened, p)
    # its number is given when it is added
    return Look(0, name, digest, sums)


def _notes_of_new_streams(streams: Streams, promise: Promise) -> list[str]:
    """Say which classes or groups occur that the promise does not watch."""
    new = [stream for stream in streams if stream not in promise.streams]
    if not new:
        return []
    return [
        f"{listed(new, 5)}: not in the first look, so counted among all samples only"
    ]


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
        raise ValueError(
            f"groups: {min(names)!r} is the name of others as well: rename the column"
        )


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
        raise ValueError(
            "clusters: rows belong together, and a gate with memory counts each sample as new; "
            "leave one row of each (--where), or name groups that hold one row of each (--groups)"
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


def digest_of(outputs: ModelOutputs) -> str:
    """Return the SHA-256 of samples: of ids where there are any, of labels and of what is said."""
    content = hashlib.sha256()
    # not of the streams, which depend on what is asked of the same samples
    content.update(np.ascontiguousarray(outputs.prob, "<f8").tobytes())
    content.update(np.ascontiguousarray(outputs.y, "<i8").tobytes())
    if outputs.ids is not None:
        content.update(json.dumps(outputs.ids.astype(str).tolist()).encode())
    return content.hexdigest()


def verdicts(memory: Memory) -> dict[str, StreamVerdict]:
    """Return what each stream comes to, by its name, over all looks together."""
    noun = NOUNS[memory.promise.task]
    return {
        stream: _verdict_of_stream(memory.sums(stream), memory.promise, share, noun)
        for stream, share in memory.promise.share.items()
    }


def status_of_promise(statuses: Iterable[str]) -> str:
    """Return the status of a promise by those of its streams: it holds where all hold."""
    seen = set(statuses)
    return next(status for status in (BROKEN, OPEN, HOLDS) if status in seen)


def _verdict_of_stream(
    sums: np.ndarray, promise: Promise, share: float, noun: str
) -> StreamVerdict:
    """Return what one stream comes to, which has a share of the chance of a false alarm."""
    n = int(sums[..., 0].sum())
    if n == 0:
        return StreamVerdict(OPEN, f"no {noun} yet")
    false_alarm, tolerance = CHANCE_OF_FALSE_ALARM * share, promise.tolerance
    for look in range(len(sums)):
        drift = calib.drift_evidence(sums[: look + 1], tolerance=tolerance)
        # once broken, always broken: later looks do not mend a promise
        if drift.breaks(false_alarm):
            return StreamVerdict(BROKEN, _broken_line(sums, look, drift))
    offset, low, high = calib.offset_sequence(sums, level=1 - false_alarm)
    line = (
        f"{n:,} {noun}: what happens less what is said is {_points(offset)} points "
        f"({_points(low)} to {_points(high)}), allowed {100 * tolerance:g}"
    )
    if -tolerance <= low and high <= tolerance:
        return StreamVerdict(HOLDS, line)
    return StreamVerdict(OPEN, f"{line}; {_more_labels(sums, tolerance, false_alarm)}")


def _more_labels(sums: np.ndarray, tolerance: float, false_alarm: float) -> str:
    more = calib.labels_to_tell(sums, tolerance=tolerance, level=1 - false_alarm)
    if more is None:
        return "the offset is so near to what is allowed that ten million labels would not tell"
    digits = 10 ** max(len(str(more)) - 2, 0)
    return f"about {-(-more // digits) * digits:,} more labels would tell"


def _broken_line(sums: np.ndarray, look: int, drift: calib.DriftEvidence) -> str:
    """Say since when a promise is broken, by what, and which repair is enough."""
    since = sums[drift.start :]
    offset = since[..., 1].sum() / since[..., 0].sum()
    shift, p_value = calib.log_odds_shift(since)
    repair = f"shift the offset: add {signed(shift)} to the log odds"
    if np.isinf(shift):
        often = "always" if shift > 0 else "never"
        repair = f"look at the labels: it {often} happens, which no offset gives"
    elif p_value < CHANCE_OF_FALSE_ALARM:
        repair = "fit the map again: one offset does not repair it"
    pattern = drift_in_words(drift.pattern, drift.region)
    return (
        f"at look {look + 1}: {pattern}; from look {drift.start + 1} on "
        f"what happens less what is said is {_points(offset)} points; {repair}"
    )


def drift_in_words(pattern: str, region: tuple[float, float]) -> str:
    """Say what is wrong.

    Examples
    --------
    >>> drift_in_words("less frequent", (0.818, 0.953))
    'what is said with 0.82 to 0.95 happens less often'
    >>> drift_in_words("too far from a half", (0, 1))
    'probabilities are too far from a half'
    """
    if pattern not in OFTEN:  # too near a half, or too far from it
        return f"probabilities are {pattern}"
    low, high = region
    where = "" if region == (0, 1) else f" with {low:.2g} to {high:.2g}"
    return f"what is said{where} happens {OFTEN[pattern]}"


def _points(value: float) -> str:
    return f"{100 * value:.1f}"


def check_promise(promise: Promise) -> Promise:
    if not 0 < promise.tolerance < 1:
        raise ValueError(
            f"--tolerance: {promise.tolerance!r}, expected a number between 0 and 1, "
            f"such as {TOLERANCE:g}"
        )
    return promise


def _refuse_other(
    remembered: Promise, asked: Promise, says_tolerance: bool, says_model: bool
) -> None:
    """Raise ValueError where outputs or options are of another promise than the memory's."""
    _refuse_unequal("task", remembered.task, asked.task)
    _refuse_unequal("classes", remembered.classes, asked.classes)
    # a memory without a name takes looks at a model without one
    if says_model or remembered.model:
        _refuse_unequal("--model-name", remembered.model, asked.model)
    # who types no tolerance means that of the memory
    if says_tolerance:
        _refuse_unequal("--tolerance", remembered.tolerance, asked.tolerance)
    if set(asked.streams).isdisjoint(remembered.streams):
        raise ValueError(
            f"--groups, --by-class: {listed(asked.streams, 5)}; the memory watches "
            f"{listed(remembered.streams, 5)}"
        )


def _refuse_unequal(what: str, remembered: object, asked: object) -> None:
    if asked != remembered:
        raise ValueError(
            f"{what}: {_in_words(asked)}, and the memory is of {_in_words(remembered)}: "
            "another model or promise begins a memory of its own"
        )


def _in_words(value: object) -> str:
    return listed(value, 8) if isinstance(value, tuple) else repr(value)


def join(memories: Sequence[Memory]) -> Memory:
    """Return one memory of several machines; looks at the same samples count once.

    Raises
    ------
    ValueError
        Where they are of different promises.
    """
    first = memories[0]
    looks: dict[str, Look] = {}
    for memory in memories:
        if memory.promise != first.promise:
            raise ValueError("the memories are of different models or promises")
        # the first that saw some samples keeps its number of the look
        for look in memory.looks:
            looks.setdefault(look.digest, look)
    by_number = sorted(looks.values(), key=lambda look: look.number)
    return Memory(first.promise, tuple(by_number))


def report_lines(memory: Memory) -> tuple[str, list[str]]:
    """Return the status of a promise, and lines: what it is about, and what each stream says."""
    by_stream = verdicts(memory)
    width = max(map(len, by_stream))
    lines = [
        f"{verdict.status:17s} {stream:{width}s}  {verdict.line}"
        for stream, verdict in by_stream.items()
    ]
    number = max(look.number for look in memory.looks)
    heading = f"look {number}: {_subject(memory.promise)}, over all looks together"
    return status_of_promise(verdict.status for verdict in by_stream.values()), [
        heading,
        *lines,
    ]


def _subject(promise: Promise) -> str:
    """Say which event a promise is about."""
    if promise.task == "pairs":
        return "how often an answer is right, against its confidence"
    if promise.task == "labels":
        return "how often a label is there, against its probability"
    if len(promise.classes) == 2:
        return f"how often it is {promise.classes[1]!r}, against its probability"
    return "how often the surest class is right, against its probability"
