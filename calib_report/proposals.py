"""How a file could be read: a list of small rules, each tried as if its options had been typed."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
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
REPEATED = ("where", "ignore", "leave_out_empty", "clusters")  # of which one more may be typed
TURNED = ("predicted", "positive")  # what an error may take back
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

    def labels_in_columns(self) -> list[str]:
        """Return what is called labels and has a column a class."""
        return [n for n, a in self.named.items() if a.ndim > 1 and is_called(n, "labels")]

    def values(self, name: str) -> list[str]:
        return label_values(self.named, name, list(self.named))


def _may_be_scores(name: str, array: np.ndarray) -> bool:
    if not is_column(array) or array.dtype.kind == "b" or are_words(array):
        return False
    return not (PATTERNS["id"].fullmatch(name.strip()) and array.dtype.kind != "f")


def _may_be_labels(name: str, array: np.ndarray) -> bool:
    if not is_column(array) or len(array) == 0:
        return False
    if is_called(name, "predicted") or is_called(name, "scores"):
        return False
    if PATTERNS["id"].fullmatch(name.strip()) is not None:
        return False
    is_whole = array.dtype.kind != "f" or bool(np.isin(array[:100], np.arange(1000)).all())
    n_values = len(np.unique(array[:5000]))
    return is_whole and n_values <= min(MOST_CLASSES, max(2, len(array) / 2))


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
            raise
        except ReadingError:
            return _likeliest(arrays, options, joined)


def _likeliest(arrays: Arrays, options: Options, joined: Options) -> list[Reading]:
    """Return the first different readings; the last error of the likeliest rule where none is."""
    readings: list[Reading] = []
    errors: list[ReadingError] = []
    for reading in _proposed(arrays, joined, errors):
        if any(_same(reading.outputs, other.outputs) for other in readings):
            continue
        classes = _said_classes(reading, options, joined)
        readings.append(replace(reading, options=reading.options.but(classes=classes)))
        if len(readings) == MOST:
            break
    if not readings:
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
    aside -= {options.y, options.scores}
    named = {name: array for name, array in arrays.named.items() if name not in aside}
    for rule in RULES:
        title = (rule.__doc__ or "").split(":")[0].rstrip(".")
        for guess in rule(Clues(named, options)):
            if not _agrees(guess, options):
                continue
            failed: list[ReadingError] = []
            for reading in tried(arrays, options.but(**_to_type(guess)), DEEPEST, failed):
                yield replace(reading, rule=title)
            if len(errors) < 2:  # as it stands, and as the likeliest rule has it
                errors += failed[:1]


def _to_type(guess: Guess) -> dict[str, Any]:
    """Return the options of a guess, but for labels of a second file, which that file says."""
    return {name: value for name, value in guess.items() if (name, value) != ("y", APART)}


def _agrees(guess: Guess, options: Options) -> bool:
    """Tell whether the user has said nothing else."""
    return all(getattr(options, name) in (None, (), value) for name, value in guess.items())


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
    return all(_is_answer(name, value, options) for name, value in way.items())


def _is_answer(name: str, value: Any, options: Options) -> bool:
    if value in ("NAME", "NAMES", "FILE") or name == "yes":
        return False
    if name == "ignore_index":
        return all(is_mask(str(label)) for label in value)
    return name in REPEATED or name in TURNED or getattr(options, name) in (None, value)


# ---- rules: each yields guesses, options that would say what is what; its first words are shown


def as_it_stands(clues: Clues) -> Iterator[Guess]:
    """Names say most of it."""
    yield {}


def long_table(clues: Clues) -> Iterator[Guess]:
    """A row for each sample and class: ids that stand as often as there are classes."""
    names = [n for n in id_names(clues.named) if not is_unique(clues.named[n])]
    for sample in names:
        for column in _columns_of_classes(clues, sample, names):
            labels = [n for n in clues.labels() if n not in (sample, column)]
            for y in labels[:2]:
                for scores in _single_scores(clues, y)[:2]:
                    yield {"y": y, "scores": scores, "ids": (sample,), "long": column}


def _columns_of_classes(clues: Clues, sample: str, ids: Sequence[str]) -> Iterator[str]:
    """Yield columns of as many words as there are rows of each sample."""
    ids_of_rows = clues.named[sample]
    times = len(ids_of_rows) / len(np.unique(ids_of_rows))
    for name, array in clues.named.items():
        if array.dtype.kind == "U" and name not in ids and len(np.unique(array)) == times:
            yield name


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
    yield from _bearing_plainly(names, labels)
    yield from _by_number(names, labels)


def _bearing_plainly(names: Sequence[str], labels: Sequence[str]) -> Iterator[dict[str, str]]:
    of_plain = {plain(name): name for name in names}
    if len(of_plain) < len(names):
        return
    for family in families(list(of_plain), [plain(label) for label in labels]):
        yield {label: of_plain[name] for label, name in family.items()}


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
    known = {plain(label) for label in labels}
    bearing = [column for name, column in family.items() if plain(name) in known]
    if len(bearing) == len(columns) or _sum_to_one(named, columns):
        return columns
    return [name for name in columns if name in bearing]


def _sum_to_one(named: Mapping[str, np.ndarray], columns: Sequence[str]) -> bool:
    """Tell whether the first rows sum to one, or to a hundred; of text that is not known."""
    try:
        total = sum(named[name][:100].astype(float) for name in columns)
    except ValueError:
        return True
    return bool(np.allclose(total, 1, atol=0.02) or np.allclose(total, 100, atol=2))


def arrays_of_classes(clues: Clues) -> Iterator[Guess]:
    """An array with a column a class: beside labels, of one set where there are several."""
    for scores, array in clues.named.items():
        if array.ndim < 2 or array.dtype.kind not in "iuf" or array.shape[-1] < 2:
            continue
        word = _other_set(clues, scores)
        to_fit = {} if word is None else {"calibration": word}
        for y in _labels_of_set(clues, scores):
            yield {"y": y, "scores": scores, **to_fit}


def _labels_of_set(clues: Clues, scores: str) -> list[str]:
    names = [name for name in clues.labels() if name != scores]
    if clues.options.y is None:
        names += [name for name in clues.labels_in_columns() if name != scores]
    same = [name for name in names if _set_of(name) == _set_of(scores)]
    return same or [name for name in names if _set_of(name) in ("", *NAMES["test"])]


def _set_of(name: str) -> str:
    """Return the word of a set that begins or ends a name; "" where none does."""
    words = re.split("[._]", name.strip().lower())
    sets = (*NAMES["test"], *NAMES["held"], *NAMES["train"])
    ends = (words[0], words[-1]) if len(words) > 1 else ()
    return next((word for word in ends if word in sets), "")


def _other_set(clues: Clues, scores: str) -> str | None:
    """Return the word of another set that holds scores, to fit maps on."""
    if clues.options.calibration is not None:
        return clues.options.calibration
    own = _set_of(scores)
    if own not in ("", "test"):
        return None
    words = [_set_of(name) for name, array in clues.named.items() if array.ndim > 1]
    return next((word for word in words if word in NAMES["held"] and word not in ("", own)), None)


def stated_confidences(clues: Clues) -> Iterator[Guess]:
    """A confidence and a verdict: the probability that an answer is right, and whether it was."""
    verdicts = _verdicts(clues)
    pairs = [(y, scores) for y in verdicts for scores in clues.scores(y)]
    yield from (_stated(y, scores) for y, scores in pairs if says_confidence(scores))
    yield from (_stated(y, scores) for y, scores in pairs if _is_called_scores(scores))


def _is_called_scores(name: str) -> bool:
    return kind_of(name) is not None or is_called(name, "scores")


def _stated(y: str, scores: str) -> Guess:
    guess = {"y": y, "scores": scores, "pairs": True}
    return guess | ({"positive": "0"} if is_called(y, "incorrect") else {})


def _verdicts(clues: Clues) -> list[str]:
    """Return columns of right and wrong."""
    known = {*NAMES["true"], *NAMES["false"]}
    names = [n for n in clues.named if is_called(n, "correct") or is_called(n, "incorrect")]
    names = [n for n in names if clues.options.y in (None, n)]
    return [n for n in names if {value.lower() for value in labels_in(clues.named[n])} <= known]


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
    for y, name in product(clues.labels(), predicted):
        if name == y or not _share_a_label(clues, y, name):
            continue
        for scores in _single_scores(clues, y):
            if scores != name:
                yield {"y": y, "scores": scores, "predicted": name}


def _share_a_label(clues: Clues, y: str, predicted: str) -> bool:
    if clues.named[y].ndim != 1:
        return False
    return not {*clues.values(y)}.isdisjoint(texts(clues.named[predicted]).tolist())


def _single_scores(clues: Clues, y: str) -> list[str]:
    """Return columns that may each be the whole score, those whose names say so first."""
    names = [name for name in clues.scores(y) if not _is_aside(name)]
    likely = [name for says in SAY_SCORES for name in names if says(name)]
    likely = [n for n in dict.fromkeys(likely) if not _is_coded(clues.named[n])]
    floats = [name for name in names if clues.named[name].dtype.kind == "f"]
    is_only = len(floats) == 1 or clues.options.scores in floats
    return likely or (floats if is_only else [])


def _says_score(name: str) -> bool:
    return _is_called_scores(name) or "score" in name.lower()


def _says_prediction(name: str) -> bool:
    return PATTERNS["percent"].search(name) is not None or "pred" in name.lower()


SAY_SCORES = (says_confidence, _says_score, _says_prediction)  # the likeliest first


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
        if not 1 <= len(labels) <= 2 or is_called(y, "correct"):
            continue
        for scores in _single_scores(clues, y) or _risks(clues, y):
            if scores == y:
                continue
            for label in _likely_events(scores, labels):
                yield {"y": y, "scores": scores, "positive": label, "pairs": False}


def _likely_events(scores: str, labels: Sequence[str]) -> list[str]:
    """Return the labels that a column may be the probability of, the likeliest first."""
    borne = [n for n in labels if plain(scores).endswith(plain(n)) and not n.isdecimal()]
    named = borne if len(borne) == 1 else []
    low = {label.lower(): label for label in reversed(labels)}
    usual = [low[word] for word in LIKELY_POSITIVE if word in low][:1] or [labels[-1]]
    return list(dict.fromkeys((*named, *usual, *labels)))


def numbered_columns(clues: Clues) -> Iterator[Guess]:
    """As many columns as labels have numbers: the first column is of the first number."""
    for y in clues.labels():
        labels = clues.values(y) if clues.named[y].ndim == 1 else []
        if not are_whole(labels):
            yield from _numbered_for_names(clues, y, labels)
        elif len(labels) > 2:
            k = _n_counted(labels)
            of_k = [columns for columns in _groups(clues.scores(y)) if len(columns) == k]
            yield from ({"y": y, "scores": ",".join(columns)} for columns in of_k)


def _n_counted(labels: Sequence[str]) -> int:
    """Return how many classes labels count, from 0 or from 1."""
    codes = [int(label) for label in labels]
    return max(codes) - min(*codes, 0) + 1 - (min(codes) == 1)


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
    marks = [name for name, array in clues.named.items() if _holds_marks(array)]
    for columns in _groups(marks):
        if len(columns) < 2:
            continue
        start = _start_of(columns[0])
        classes = [name[len(start) :] for name in columns]
        for scores in _groups(clues.scores(*marks)):
            of_class = {name[len(_start_of(name)) :]: name for name in scores}
            if {*of_class} == {*classes}:
                named = ",".join(of_class[name] for name in classes)
                yield {"y": ",".join(columns), "scores": named}


def _holds_marks(array: np.ndarray) -> bool:
    return is_column(array) and {*labels_in(array)} <= {"0", "1"}


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
