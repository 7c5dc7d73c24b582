"""A gate with memory: looks at a model after every batch of labels, and what is kept of them.

The file of the memory holds sums of each look, no sample.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

import calib
from calib_report.contract import listed
from calib_report.gating.promise import (
    Promise,
    Streams,
    check_promise,
    refuse_other_promise,
    streams_of,
)
from calib_report.limits import TOLERANCE
from calib_report.model_outputs import ModelOutputs

NO_SAMPLE = np.zeros_like(calib.look_sums([0], [0.5]))  # its sums


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
        refuse_other_promise(memory.promise, asked, tolerance is not None, bool(model))
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


def digest_of(outputs: ModelOutputs) -> str:
    """Return the SHA-256 of samples: of ids where there are any, of labels and of what is said."""
    content = hashlib.sha256()
    # not of the streams, which depend on what is asked of the same samples
    content.update(np.ascontiguousarray(outputs.prob, "<f8").tobytes())
    content.update(np.ascontiguousarray(outputs.y, "<i8").tobytes())
    if outputs.ids is not None:
        content.update(json.dumps(outputs.ids.astype(str).tolist()).encode())
    return content.hexdigest()


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
