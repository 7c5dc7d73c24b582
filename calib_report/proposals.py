"""How a file could be read: a list of small rules, each tried as if its options had been typed."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calib_report.arrays import Arrays
from calib_report.contract import (
    NAMES,
    PATTERNS,
    NotJudgedError,
    ReadingError,
    is_called,
    kind_of,
    plain,
)
from calib_report.model_outputs import ModelOutputs
from calib_report.options import Options
from calib_report.reader import opened
from calib_report.reading import Reading, interpreted, naming
from calib_report.roles import families, is_column, is_mask, label_values, trailing_numbers
from calib_report.rows import APART, id_names, is_unique
from calib_report.samples import says_confidence
from calib_report.values import are_whole, are_words, labels_in, matched, texts

MOST = 3  # proposals
MOST_CLASSES = 2000  # distinct values of what may be a column of labels
DEEPEST = 4  # options that errors show, one after the other
LIKELY_POSITIVE = (
    "1",
    "yes",
    "true",
    "positive",
    "pos",
    "sick",
    "event",
    "default",
    "churn",
    "fraud",
    "wahr",
    "ja",
    "oui",
)
Guess = Mapping[str, Any]  # options


@dataclass(frozen=True)
class Clues:
    """The arrays of a file that may have a role, and what is said of them."""

    named: Mapping[str, np.ndarray]
    options: Options

    def scores(self, *without: str) -> list[str]:
        """Return columns of numbers, but for those that name or number something."""
        return [n for n, a in self.named.items() if n not in without and _may_be_scores(n, a)]

    def labels(self) -> list[str]:
        """Return what may be the labels, the likeliest first."""
        if self.options.y is not None:
            return [self.options.y] if self.options.y in self.named else []
        if APART in self.named:
            return [APART]
        contract = [n for n in self.named if n.strip().lower() in NAMES["label"]]
        called = [n for n in self.named if is_called(n, "labels") or _in_set(n, "labels")]
        others = [n for n, a in self.named.items() if _may_be_labels(n, a)]
        return list(dict.fromkeys((*contract, *called, *others)))

    def values(self, name: str) -> list[str]:
        return label_values(self.named, name, list(self.named))


def _may_be_scores(name: str, array: np.ndarray) -> bool:
    if not is_column(array) or array.dtype.kind == "b" or are_words(array):
        return False
    return not (PATTERNS["id"].fullmatch(name.strip()) and array.dtype.kind != "f")


def _may_be_labels(name: str, array: np.ndarray) -> bool:
    if array.ndim != 1 or array.dtype.kind not in "biufU" or len(array) == 0:
        return False
    if is_called(name, "predicted") or is_called(name, "scores"):
        return False
    whole = array.dtype.kind != "f" or bool(np.isin(array[:100], np.arange(1000)).all())
    few = len(np.unique(array[:5000])) <= min(MOST_CLASSES, max(2, len(array) / 2))
    return whole and few and PATTERNS["id"].fullmatch(name.strip()) is None


def _in_set(name: str, what: str) -> bool:
    parts = re.split("[._]", name.strip().lower(), maxsplit=1)
    ends = name.strip().lower().rpartition("_")
    sets = (*NAMES["test"], *NAMES["held"])
    return (len(parts) == 2 and parts[0] in sets and parts[1] in NAMES[what]) or (
        ends[2] in sets and ends[0] in NAMES[what]
    )


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
    >>> answers = {"gold": ["a", "b"] * 9, "pred": ["a", "a"] * 9, "confidence": [0.9, 0.6] * 9}
    >>> (reading, *_) = propose(answers)
    >>> reading.options.changed()
    {'y': 'gold', 'scores': 'confidence', 'predicted': 'pred'}
    >>> reading.rows(1)
    ['row 1: says it is right with 0.9, and is right']
    """
    with naming(source):
        options = Options.of(**typed)
        arrays, joined = opened(source, options)
    try:
        return [interpreted(arrays, joined)]
    except NotJudgedError:
        with naming(source):
            raise
    except ReadingError:
        pass
    readings: list[Reading] = []
    errors: list[ReadingError] = []
    for reading in _proposed(arrays, joined, errors):
        kept = replace(
            reading, options=reading.options.but(classes=_said_classes(reading, options, joined))
        )
        if not any(_same(reading.outputs, other.outputs) for other in readings):
            readings.append(kept)
        if len(readings) == MOST:
            break
    if not readings:
        with naming(source):
            raise errors[-1]
    return readings


def _said_classes(reading: Reading, options: Options, joined: Options) -> tuple[str, ...] | None:
    """Return names of classes that have to be typed: not those of a second file of labels."""
    own = reading.options.classes
    return options.classes if own == joined.classes else own


def _same(one: ModelOutputs, other: ModelOutputs) -> bool:
    alike = one.task == other.task and one.known.shape == other.known.shape
    return alike and np.array_equal(one.y, other.y) and np.allclose(one.prob, other.prob)


def _proposed(arrays: Arrays, options: Options, errors: list[ReadingError]) -> Iterator[Reading]:
    """Yield the readings of all rules; the errors of the first rule that guessed stay behind."""
    aside = {*options.ignore, *options.groups, *options.clusters, *options.ids}
    named = {n: a for n, a in arrays.named.items() if n not in aside - {options.y, options.scores}}
    clues = Clues(named, options)
    for rule in RULES:
        for guess in rule(clues):
            changes = {n: v for n, v in guess.items() if getattr(options, n) in (None, (), v)}
            if len(changes) < len(guess) and not _agrees(guess, options):
                continue
            if changes.get("y") == APART:
                del changes["y"]
            title = (rule.__doc__ or "").split(":")[0].rstrip(".")
            failed: list[ReadingError] = []
            for reading in tried(arrays, options.but(**changes), DEEPEST, failed):
                yield replace(reading, rule=title)
            if len(errors) < 2:  # as it stands, and as the likeliest rule has it
                errors += failed[:1]


def _agrees(guess: Guess, options: Options) -> bool:
    return all(getattr(options, n) in (None, (), v) for n, v in guess.items())


def tried(
    arrays: Arrays, options: Options, depth: int, failed: list[ReadingError]
) -> Iterator[Reading]:
    """Yield the reading that options give, or those of the options that its error shows."""
    try:
        yield interpreted(arrays, options)
    except ReadingError as error:
        failed.append(error)
        for way in error.ways if depth else ():
            if _may_be_tried(way, options):
                yield from tried(arrays, options.but(**way), depth - 1, failed)
    except (ValueError, TypeError, IndexError):
        return


def _may_be_tried(way: Guess, options: Options) -> bool:
    """Tell whether an option that an error shows is an answer, and none that the user has given."""
    for name, value in way.items():
        if value in ("NAME", "NAMES", "FILE") or name == "yes":
            return False
        if name == "ignore_index" and not all(is_mask(str(v)) for v in value):
            return False
        if name not in ("where", "ignore", "leave_out_empty", "ignore_index", "clusters"):
            if getattr(options, name) not in (None, value) and name not in (
                "predicted",
                "positive",
            ):
                return False
    return True


# ---- rules: each yields guesses, options that would say what is what; its first words are shown


def as_it_stands(clues: Clues) -> Iterator[Guess]:
    """Names say most of it."""
    yield {}


def long_table(clues: Clues) -> Iterator[Guess]:
    """A row for each sample and class: ids that stand as often as there are classes."""
    names = [n for n in id_names(clues.named) if not is_unique(clues.named[n])]
    words = [n for n, a in clues.named.items() if a.dtype.kind == "U" and n not in names]
    for sample in names:
        times = len(clues.named[sample]) / len(np.unique(clues.named[sample]))
        for column in words:
            if len(np.unique(clues.named[column])) != times:
                continue
            labels = [n for n in clues.labels() if n not in (sample, column)]
            for y in labels[:2]:
                for scores in _single_scores(clues, y)[:2]:
                    yield {"y": y, "scores": scores, "ids": (sample,), "long": column}


def class_columns(clues: Clues) -> Iterator[Guess]:
    """A column for each class: its name bears the label's value."""
    for y in clues.labels():
        labels = clues.values(y)
        if len(labels) < 2:
            continue
        names = clues.scores(y)
        for family in _bearing(names, labels):
            columns = _summing(clues.named, names, family, labels)
            if are_whole([*family]):
                of_column = {name: int(label) for label, name in family.items()}
                columns.sort(key=of_column.__getitem__)
            yield {"y": y, "scores": ",".join(columns)}


def _bearing(names: Sequence[str], labels: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield families of columns that bear all labels, as they are or without case and signs."""
    bare = matched(labels, names)
    if bare and not are_whole(labels):
        yield {name: name for name in names} | bare
    yield from families(names, labels)
    of_plain = {plain(name): name for name in names}
    if len(of_plain) == len(names):
        for family in families(list(of_plain), [plain(label) for label in labels]):
            yield {label: of_plain[name] for label, name in family.items()}
    yield from _by_number(names, labels)


def _by_number(names: Sequence[str], labels: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield columns by the one number in their names, as P_BAD1 and P_BAD0."""
    if not are_whole(labels):
        return
    found: dict[str, dict[str, str]] = {}
    for name in names:
        for match in re.finditer(r"\d+", name):
            rest = f"{name[: match.start()]}#{name[match.end() :]}"
            found.setdefault(rest, {})[str(int(match[0]))] = name
    for family in found.values():
        if {*labels} <= {*family}:
            yield family


def _summing(
    named: Mapping[str, np.ndarray],
    names: Sequence[str],
    family: Mapping[str, str],
    labels: Sequence[str],
) -> list[str]:
    """Return the columns of a family, of which some bear no label: all where they sum to one."""
    columns = [name for name in names if name in family.values()]
    own = {plain(label) for label in labels}
    bearing = [family[c] for c in family if plain(c) in own]
    if len(bearing) == len(columns):
        return columns
    try:
        total = sum(named[name][:100].astype(float) for name in columns)
    except ValueError:
        return columns
    whole = bool(np.allclose(total, 1, atol=0.02) or np.allclose(total, 100, atol=2))
    return columns if whole else [name for name in columns if name in bearing]


def arrays_of_classes(clues: Clues) -> Iterator[Guess]:
    """An array with a column a class: beside labels, of one set where there are several."""
    for scores, array in clues.named.items():
        if array.ndim < 2 or array.dtype.kind not in "iuf" or array.shape[-1] < 2:
            continue
        for y in _labels_of_set(clues, scores):
            guess: dict[str, Any] = {"y": y, "scores": scores}
            word = _other_set(clues, scores)
            if word is not None:
                guess["calibration"] = word
            yield guess


def _labels_of_set(clues: Clues, scores: str) -> list[str]:
    names = [n for n in clues.labels() if n != scores]
    if clues.options.y is None:
        many = [
            n
            for n, a in clues.named.items()
            if a.ndim > 1 and n != scores and is_called(n, "labels")
        ]
        names = [*names, *many]
    same = [name for name in names if _set_of(name) == _set_of(scores)]
    return same or [name for name in names if _set_of(name) in ("", *NAMES["test"])]


def _set_of(name: str) -> str:
    parts = re.split("[._]", name.strip().lower())
    sets = (*NAMES["test"], *NAMES["held"], *NAMES["train"])
    return next((part for part in (parts[0], parts[-1]) if part in sets and len(parts) > 1), "")


def _other_set(clues: Clues, scores: str) -> str | None:
    """Return the word of another set that holds scores, to fit maps on."""
    if clues.options.calibration is not None:
        return clues.options.calibration
    own = _set_of(scores)
    for name, array in clues.named.items():
        word = _set_of(name)
        held = word in NAMES["held"] and word not in ("", own)
        if held and array.ndim > 1 and own in ("", "test"):
            return word
    return None


def stated_confidences(clues: Clues) -> Iterator[Guess]:
    """A confidence and a verdict: the probability that an answer is right, and whether it was."""
    for y in _verdicts(clues):
        for scores in clues.scores(y):
            if says_confidence(scores):
                yield _stated(y, scores)
    for y in _verdicts(clues):
        for scores in clues.scores(y):
            if kind_of(scores) or is_called(scores, "scores"):
                yield _stated(y, scores)


def _stated(y: str, scores: str) -> Guess:
    guess = {"y": y, "scores": scores, "pairs": True}
    return guess | ({"positive": "0"} if is_called(y, "incorrect") else {})


def _verdicts(clues: Clues) -> list[str]:
    """Return columns of right and wrong."""
    known = {*NAMES["true"], *NAMES["false"]}
    names = []
    for name, array in clues.named.items():
        if not (is_called(name, "correct") or is_called(name, "incorrect")):
            continue
        if {value.lower() for value in labels_in(array)} <= known:
            names.append(name)
    return [n for n in names if clues.options.y in (None, n)]


def stated_doubts(clues: Clues) -> Iterator[Guess]:
    """An uncertainty and a verdict: the probability that an answer is wrong, turned round."""
    for y in _verdicts(clues):
        positive = "1" if is_called(y, "incorrect") else "0"
        for scores in clues.scores(y):
            if is_called(scores, "uncertainty"):
                yield {"y": y, "scores": scores, "pairs": True, "positive": positive}


def answers(clues: Clues) -> Iterator[Guess]:
    """A label, a prediction and a confidence in it: right where label and prediction are equal."""
    predicted = [n for n, a in clues.named.items() if is_called(n, "predicted") and a.ndim == 1]
    for y in clues.labels():
        labels = {*clues.values(y)} if clues.named[y].ndim == 1 else set()
        for name in (n for n in predicted if n != y):
            if not labels & {*texts(clues.named[name]).tolist()}:
                continue
            for scores in _single_scores(clues, y):
                if scores != name:
                    yield {"y": y, "scores": scores, "predicted": name}


def _single_scores(clues: Clues, y: str) -> list[str]:
    """Return columns that may each be the whole score, those whose names say so first."""
    names = [n for n in clues.scores(y) if not _is_aside(n)]
    stated = [n for n in names if says_confidence(n)]
    called = [n for n in names if kind_of(n) or is_called(n, "scores") or "score" in n.lower()]
    called += [n for n in names if PATTERNS["percent"].search(n) or "pred" in n.lower()]
    floats = [n for n in names if clues.named[n].dtype.kind == "f"]
    likely = [n for n in dict.fromkeys((*stated, *called)) if not _is_coded(clues.named[n])]
    return likely or (floats if len(floats) == 1 or clues.options.scores in floats else [])


def _risks(clues: Clues, y: str) -> list[str]:
    """Return columns called a risk: beside an event it is the event's, beside a verdict a doubt."""
    names = [n for n in clues.scores(y) if "risk" in re.split("[._ ]", n.strip().lower())]
    return [n for n in names if clues.named[n].dtype.kind == "f"]


def _is_coded(array: np.ndarray) -> bool:
    return array.dtype.kind in "iu" and len(np.unique(array)) <= 2


def _is_aside(name: str) -> bool:
    """Tell whether a name says that a column is the end of an interval, or a measure of doubt."""
    last = re.split("[._ ]", name.strip().lower())[-1]
    aside = (*NAMES["ends"], *NAMES["spread"], "loss", "weight")
    return last in aside or is_called(name, "uncertainty") or is_called(name, "incorrect")


def one_of_two(clues: Clues) -> Iterator[Guess]:
    """One column and two labels: the probability, or the log odds, of one of them."""
    for y in clues.labels():
        labels = clues.values(y) if clues.named[y].ndim == 1 else []
        if not 1 <= len(labels) <= 2:
            continue
        positive = next((p for p in LIKELY_POSITIVE for n in labels if n.lower() == p), labels[-1])
        positive = next(n for n in labels if n.lower() == positive.lower())
        other = next((n for n in labels if n != positive), positive)
        for scores in _single_scores(clues, y) or _risks(clues, y):
            if scores == y or is_called(y, "correct"):
                continue
            borne = [n for n in labels if plain(scores).endswith(plain(n)) and not n.isdecimal()]
            first = borne[0] if len(borne) == 1 else positive
            for label in dict.fromkeys((first, positive, other)):
                yield {"y": y, "scores": scores, "positive": label, "pairs": False}


def numbered_columns(clues: Clues) -> Iterator[Guess]:
    """As many columns as labels have numbers: the first column is of the first number."""
    for y in clues.labels():
        labels = clues.values(y) if clues.named[y].ndim == 1 else []
        if not are_whole(labels):
            yield from _numbered_for_names(clues, y, labels)
            continue
        if len(labels) < 3:
            continue
        k = max(map(int, labels)) - min(0, *map(int, labels)) + 1
        k -= min(map(int, labels)) == 1
        for columns in _groups(clues.scores(y)):
            if len(columns) == k:
                yield {"y": y, "scores": ",".join(columns)}


def _numbered_for_names(clues: Clues, y: str, labels: list[str]) -> Iterator[Guess]:
    """Yield columns that are numbered 0, 1, 2 for labels that are names, in alphabetical order."""
    for columns in _groups(clues.scores(y)):
        if trailing_numbers(columns) == list(range(len(labels))):
            yield {"y": y, "scores": ",".join(columns), "classes": tuple(labels)}


def _groups(names: Sequence[str]) -> Iterator[list[str]]:
    """Yield columns that begin alike, first without those that say a statistic, then with them."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_start_of(name), []).append(name)
    for start, columns in groups.items():
        own = [n for n in columns if n[len(start) :].lower() not in NAMES["statistics"]]
        yield own
        if len(own) < len(columns):
            yield columns


def label_columns(clues: Clues) -> Iterator[Guess]:
    """A column of labels for each column of scores: marks of 0 and 1."""
    marks = [n for n, a in clues.named.items() if is_column(a) and {*labels_in(a)} <= {"0", "1"}]
    for columns in _groups(marks):
        start = _start_of(columns[0]) if columns else ""
        classes = [name[len(start) :] for name in columns]
        if len(columns) < 2:
            continue
        for scores in _groups(clues.scores(*marks)):
            own = {name[len(_start_of(name)) :]: name for name in scores}
            if {*own} == {*classes}:
                yield {"y": ",".join(columns), "scores": ",".join(own[c] for c in classes)}


def _start_of(name: str) -> str:
    match = re.match(r".*[_. :-]", name)
    return match[0] if match else ""


RULES: tuple[Callable[[Clues], Iterator[Guess]], ...] = (
    as_it_stands,
    long_table,
    label_columns,
    class_columns,
    arrays_of_classes,
    stated_confidences,
    stated_doubts,
    answers,
    one_of_two,
    numbered_columns,
)


def shown(reading: Reading, words: Sequence[str]) -> str:
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


def shown_all(readings: Sequence[Reading], words: Sequence[str]) -> str:
    """Return proposals in words, the likeliest first."""
    first, *others = readings
    title = f" ({first.rule[0].lower()}{first.rule[1:]})" if first.rule else ""
    lines = [f"It could be read so{title}:", shown(first, words)]
    for other in others:
        lines += [f"or so ({other.rule[0].lower()}{other.rule[1:]}):", shown(other, words)]
    return "\n".join(lines)
