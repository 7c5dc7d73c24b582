"""What the looks at a promise come to: it holds, it is broken, or labels are too few to tell.

Where the promise is kept, no look at all, however many there are, says that it is broken, but in 5
of 100 models (`python -m evidence.studies gate_with_memory` measures how often).
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

import calib
from calib_report.gating.memory import Memory
from calib_report.gating.promise import Promise
from calib_report.limits import SIGNIFICANCE_LEVEL
from calib_report.wording.rendering import signed
from calib_report.wording.words import NOUNS

# chance that a promise which is kept is ever called broken
CHANCE_OF_FALSE_ALARM = SIGNIFICANCE_LEVEL
HOLDS, BROKEN, OPEN = "holds", "BROKEN", "not enough labels"
STATUS = {HOLDS: 0, BROKEN: 3, OPEN: 4}
# by two of the patterns of `calib.DriftEvidence`, how often what is said happens
OFTEN = {"more frequent": "more often", "less frequent": "less often"}


@dataclass(frozen=True)
class StreamVerdict:
    """Which of three a stream comes to, and a line that says why."""

    status: str
    line: str


def report_lines(memory: Memory) -> tuple[str, list[str]]:
    """Return the status of a promise, and lines: what it is about, and what each stream says."""
    by_stream = stream_verdicts(memory)
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


def stream_verdicts(memory: Memory) -> dict[str, StreamVerdict]:
    """Return what each stream comes to, by its name, over all looks together."""
    noun = NOUNS[memory.promise.task]
    return {
        stream: _verdict_of_stream(memory.sums(stream), memory.promise, share, noun)
        for stream, share in memory.promise.share_of_wealth.items()
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
    offset, low, high = calib.offset_sequence(sums, confidence_level=1 - false_alarm)
    line = (
        f"{n:,} {noun}: what happens less what is said is {_points(offset)} points "
        f"({_points(low)} to {_points(high)}), allowed {100 * tolerance:g}"
    )
    if -tolerance <= low and high <= tolerance:
        return StreamVerdict(HOLDS, line)
    return StreamVerdict(OPEN, f"{line}; {_more_labels(sums, tolerance, false_alarm)}")


def _more_labels(sums: np.ndarray, tolerance: float, false_alarm: float) -> str:
    more = calib.labels_to_tell(
        sums, tolerance=tolerance, confidence_level=1 - false_alarm
    )
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
