"""How a file could be read: each guess of a way is tried as if its options had been typed."""

# Mirrored by the answer desk, book/assets/desk/proposals.js: change both.

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from calib_report.arrays import Arrays, without
from calib_report.columns.roles import is_mask
from calib_report.columns.second_file import SECOND_LABELS
from calib_report.contract import NotJudgedError, ReadingError
from calib_report.model_outputs import ModelOutputs
from calib_report.options import SEVERAL, TAKEN_BACK, Options
from calib_report.proposing.clues import Clues
from calib_report.proposing.guesses import WAYS, Guess, title_of
from calib_report.reading.interpretation import Reading, interpret, naming
from calib_report.reading.reader import arrays_and_options
from calib_report.texts import uncapitalised

MOST_PROPOSED = 3
DEEPEST = 4  # options that errors show, one after the other


def propose(source: Any, **typed: Any) -> list[Reading]:
    """Return how a source could be read: at most three readings, the likeliest first.

    Parameters
    ----------
    source : str, Path or object
        As :func:`calib_report.read` takes it.
    **typed
        Options of :func:`calib_report.read`, which every reading keeps.

    Returns
    -------
    list of Reading
        Each has the options that would give it, its first rows in words, accuracy, mean confidence
        and what is left out. What names and options say already is the only one.

    Raises
    ------
    ValueError, OSError
        Where the file cannot be opened, or no reading is likely; the error says why not.

    Examples
    --------
    >>> table = {"gold": ["a", "b"] * 9, "pred": ["a", "a"] * 9, "confidence": [0.9, 0.6] * 9}
    >>> (reading, *_) = propose(table)
    >>> reading.options.changed()
    {'y': 'gold', 'scores': 'confidence', 'predicted': 'pred'}
    >>> reading.rows(1)
    ['row 0: says it is right with 0.9, and is right']
    """
    with naming(source):
        options = Options.of(**typed)
        # a second file of labels may name the classes
        arrays, joined = arrays_and_options(source, options)
        try:
            return [interpret(arrays, joined)]
        except NotJudgedError:
            raise
        except ReadingError:
            return _likeliest_readings(arrays, options, joined)


def _likeliest_readings(
    arrays: Arrays, options: Options, joined: Options
) -> list[Reading]:
    """Return the first different readings; the last error of the likeliest way where none is."""
    errors: list[ReadingError] = []
    readings = []
    # ways are tried one after the other, so none is that nobody will see
    for reading in islice(
        _different_readings(_readings_of_all_ways(arrays, joined, errors)),
        MOST_PROPOSED,
    ):
        classes = _classes_to_type(reading, options, joined)
        readings.append(
            replace(reading, options=reading.options.replaced(classes=classes))
        )
    if not readings:
        raise errors[-1]
    return readings


def _different_readings(readings: Iterable[Reading]) -> Iterator[Reading]:
    """Yield the readings that give no outputs which an earlier one gave."""
    earlier: list[ModelOutputs] = []
    for reading in readings:
        if not any(_are_alike(reading.outputs, outputs) for outputs in earlier):
            earlier.append(reading.outputs)
            yield reading


def _classes_to_type(
    reading: Reading, options: Options, joined: Options
) -> tuple[str, ...] | None:
    """Return names of classes that have to be typed: not those of a second file of labels."""
    classes = reading.options.classes
    return options.classes if classes == joined.classes else classes


def _are_alike(first: ModelOutputs, second: ModelOutputs) -> bool:
    if first.task != second.task or first.scores.shape != second.scores.shape:
        return False
    return np.array_equal(first.y, second.y) and np.allclose(first.prob, second.prob)


def _readings_of_all_ways(
    arrays: Arrays, options: Options, errors: list[ReadingError]
) -> Iterator[Reading]:
    """Yield the readings of all ways; the errors of the first way that guessed stay behind."""
    for title, guess in _guesses(Clues(_with_a_role(arrays, options), options)):
        failed: list[ReadingError] = []
        for reading in readings_tried(
            arrays, options.with_more(**_options_to_type(guess)), DEEPEST, failed
        ):
            yield replace(reading, way=title)
        if len(errors) < 2:  # as it stands, and as the likeliest way has it
            errors += failed[:1]


def _with_a_role(arrays: Arrays, options: Options) -> dict[str, np.ndarray]:
    """Return the arrays that may be labels or scores: none that the user gave another role."""
    with_other_roles = {
        *options.ignore,
        *options.groups,
        *options.clusters,
        *options.ids,
    }
    with_other_roles -= {options.y, options.scores}
    return without(arrays.named, with_other_roles)


def _guesses(clues: Clues) -> Iterator[tuple[str, Guess]]:
    """Yield what each way guesses, behind its title, unless the user has said something else."""
    for way in WAYS:
        for guess in way(clues):
            if _agrees_with_options(guess, clues.options):
                yield title_of(way), guess


def _options_to_type(guess: Guess) -> dict[str, Any]:
    """Return the options of a guess, but for labels of a second file, which that file says."""
    return {
        name: value
        for name, value in guess.items()
        if (name, value) != ("y", SECOND_LABELS)
    }


def _agrees_with_options(guess: Guess, options: Options) -> bool:
    """Tell whether the user has said nothing else."""
    return all(
        getattr(options, name) in (None, (), value) for name, value in guess.items()
    )


def readings_tried(
    arrays: Arrays, options: Options, depth: int, failed: list[ReadingError]
) -> Iterator[Reading]:
    """Yield the reading that options give, or those of the options that its error shows."""
    try:
        yield interpret(arrays, options)
    except ReadingError as error:
        failed.append(error)
        for suggestion in _suggestions_to_try(error, options) if depth else ():
            yield from readings_tried(
                arrays, options.with_more(**suggestion), depth - 1, failed
            )
    except (ValueError, TypeError, IndexError):
        return  # a guess may be absurd, such as labels that are dates


def _suggestions_to_try(error: ReadingError, options: Options) -> list[Guess]:
    """Return the suggestions of an error that say more, and nothing else than the user has said."""
    return [
        suggestion
        for suggestion in error.suggestions
        if _may_be_tried(suggestion, options)
    ]


def _may_be_tried(suggestion: Guess, options: Options) -> bool:
    return all(_says_more(name, value, options) for name, value in suggestion.items())


def _says_more(name: str, value: Any, options: Options) -> bool:
    if value in ("NAME", "NAMES", "FILE"):
        return False
    if name == "ignore_index":
        return all(map(is_mask, map(str, value)))
    # of several values one more may be typed
    if name in SEVERAL or name in TAKEN_BACK:
        return True
    return getattr(options, name) in (None, value)


def reading_in_words(reading: Reading, words: Sequence[str]) -> str:
    """Return a reading in words: its command, its first rows, its numbers, what is left out."""
    lines = [f"  {reading.command(*words)}", f"    {reading.outputs.read_as}"]
    lines += [f"    {row}" for row in reading.rows()]
    task = "answers" if reading.outputs.task == "pairs" else "samples"
    lines.append(
        f"    in all: right {reading.accuracy:.1%}, mean confidence {reading.mean_confidence:.1%}, "
        f"of {len(reading.outputs)} {task}"
    )
    if reading.left_out:
        lines.append(f"    left out: {', '.join(reading.left_out)}")
    return "\n".join(lines)


def proposals_in_words(readings: Sequence[Reading], words: Sequence[str]) -> str:
    """Return proposals in words, the likeliest first."""
    first, *later = readings
    title = f" ({uncapitalised(first.way)})" if first.way else ""
    lines = [f"It could be read so{title}:", reading_in_words(first, words)]
    for reading in later:
        lines += [
            f"or so ({uncapitalised(reading.way)}):",
            reading_in_words(reading, words),
        ]
    return "\n".join(lines)
