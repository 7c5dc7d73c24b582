"""How a file could be read: a list of small rules, each tried as if its options had been typed."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, filterfalse, islice, product
from typing import Any

import numpy as np

from calib_report.arrays import Arrays, without
from calib_report.contract import (
    NAMES,
    PATTERNS,
    NotJudgedError,
    ReadingError,
    all_called,
    is_called,
    is_called_scores,
    plain,
)
from calib_report.model_outputs import ModelOutputs
from calib_report.options import Options
from calib_report.reader import opened
from calib_report.reading import Reading, interpreted, naming
from calib_report.roles import (
    families,
    is_column,
    is_mask,
    label_values,
    trailing_numbers,
)
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
# of which one more may be typed
REPEATED = ("where", "ignore", "leave_out_empty", "clusters")
TURNED = ("predicted", "positive")  # what an error may take back
Guess = Mapping[str, Any]  # options


@dataclass(frozen=True)
class Clues:
    """The arrays of a file that may have a role, and what is said of them."""

    named: Mapping[str, np.ndarray]
    options: Options

    def called(self, *roles: str) -> list[str]:
        """Return what bears the name of one of some roles, such as "predicted"."""
        return all_called(self.named, *roles)

    def where(self, rule: Callable[[str, np.ndarray], bool]) -> list[str]:
        """Return what keeps a rule of names and arrays."""
        return [name for name, array in self.named.items() if rule(name, array)]

    def scores(self, *without: str) -> list[str]:
        """Return columns of numbers, but for those that name or number something."""
        return _but(self.where(_may_be_scores), *without)

    def labels(self) -> list[str]:
        """Return what may be the labels, the likeliest first."""
        if self.options.y is not None:
            return [self.options.y] if self.options.y in self.named else []
        if APART in self.named:
            return [APART]
        # names of the contract, then what people call labels, then what looks like them
        rules = (_is_label, _is_called_labels, _may_be_labels)
        return list(dict.fromkeys(chain.from_iterable(map(self.where, rules))))

    def labels_in_columns(self) -> list[str]:
        """Return what is called labels and has a column a class."""
        return [name for name in self.called("labels") if self.named[name].ndim > 1]

    def values(self, name: str) -> list[str]:
        """Return the labels that occur in a column; of several columns none."""
        return label_values(self.named, name, list(self.named))


def _but(names: Sequence[str], *without: str) -> list[str]:
    return [name for name in names if name not in without]


def _may_be_scores(name: str, array: np.ndarray) -> bool:
    if not is_column(array) or array.dtype.kind == "b" or are_words(array):
        return False
    # case_id is a name of samples, unless it holds fractions
    return array.dtype.kind == "f" or not _is_id(name)


def _is_id(name: str) -> bool:
    return PATTERNS["id"].fullmatch(name.strip()) is not None


def _is_label(name: str, array: np.ndarray) -> bool:
    return name.strip().lower() in NAMES["label"]


def _is_called_labels(name: str, array: np.ndarray) -> bool:
    return is_called(name, "labels") or _in_set(name, "labels")


def _may_be_labels(name: str, array: np.ndarray) -> bool:
    if _is_id(name) or is_called(name, "predicted", "scores"):
        return False
    return is_column(array) and len(array) > 0 and _has_few_values(array)


def _has_few_values(array: np.ndarray) -> bool:
    """Tell whether a column holds words or small whole numbers, few of them for its rows."""
    # some thousand rows are enough to see that values are as many as rows
    n_values = len(np.unique(array[:5000]))
    most = min(MOST_CLASSES, max(2, len(array) / 2))
    return n_values <= most and _are_codes(array)


def _are_codes(array: np.ndarray) -> bool:
    """Tell whether a column holds words, or numbers that are small and whole."""
    return array.dtype.kind != "f" or bool(np.isin(array[:100], np.arange(1000)).all())


def _in_set(name: str, role: str) -> bool:
    """Tell whether a name is of a role in a set: test_labels, or labels_test."""
    low = name.strip().lower()
    sets = (*NAMES["test"], *NAMES["held"])
    start = re.split("[._]", low, maxsplit=1)[0]
    before, _, end = low.rpartition("_")
    is_behind_set = start in sets and low[len(start) + 1 :] in NAMES[role]
    is_before_set = end in sets and before in NAMES[role]
    return is_behind_set or is_before_set


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
        # a second file of labels may name the classes
        arrays, joined = opened(source, options)
        try:
            return [interpreted(arrays, joined)]
        except NotJudgedError:
            raise
        except ReadingError:
            return _likeliest(arrays, options, joined)


def _likeliest(arrays: Arrays, options: Options, joined: Options) -> list[Reading]:
    """Return the first different readings; the last error of the likeliest rule where none is."""
    errors: list[ReadingError] = []
    readings = []
    # rules are tried one after the other, so none is that nobody will see
    for reading in islice(_different(_proposed(arrays, joined, errors)), MOST):
        classes = _said_classes(reading, options, joined)
        readings.append(replace(reading, options=reading.options.but(classes=classes)))
    if not readings:
        raise errors[-1]
    return readings


def _different(readings: Iterable[Reading]) -> Iterator[Reading]:
    """Yield the readings that give no outputs which an earlier one gave."""
    earlier: list[ModelOutputs] = []
    for reading in readings:
        if not any(_same(reading.outputs, outputs) for outputs in earlier):
            earlier.append(reading.outputs)
            yield reading


def _said_classes(
    reading: Reading, options: Options, joined: Options
) -> tuple[str, ...] | None:
    """Return names of classes that have to be typed: not those of a second file of labels."""
    classes = reading.options.classes
    return options.classes if classes == joined.classes else classes


def _same(first: ModelOutputs, second: ModelOutputs) -> bool:
    if first.task != second.task or first.known.shape != second.known.shape:
        return False
    return np.array_equal(first.y, second.y) and np.allclose(first.prob, second.prob)


def _proposed(
    arrays: Arrays, options: Options, errors: list[ReadingError]
) -> Iterator[Reading]:
    """Yield the readings of all rules; the errors of the first rule that guessed stay behind."""
    for title, guess in _guesses(Clues(_with_a_role(arrays, options), options)):
        failed: list[ReadingError] = []
        for reading in readings_tried(
            arrays, options.but(**_to_type(guess)), DEEPEST, failed
        ):
            yield replace(reading, rule=title)
        if len(errors) < 2:  # as it stands, and as the likeliest rule has it
            errors += failed[:1]


def _with_a_role(arrays: Arrays, options: Options) -> dict[str, np.ndarray]:
    """Return the arrays that may be labels or scores: none that the user put aside."""
    aside = {*options.ignore, *options.groups, *options.clusters, *options.ids}
    aside -= {options.y, options.scores}
    return without(arrays.named, aside)


def _guesses(clues: Clues) -> Iterator[tuple[str, Guess]]:
    """Yield what each rule guesses, behind its title, unless the user has said something else."""
    for rule in RULES:
        for guess in rule(clues):
            if _agrees(guess, clues.options):
                yield _title(rule), guess


def _title(rule: Callable[[Clues], Iterator[Guess]]) -> str:
    """Return the first words of what a rule says of itself."""
    return (rule.__doc__ or "").split(":")[0].rstrip(".")


def _to_type(guess: Guess) -> dict[str, Any]:
    """Return the options of a guess, but for labels of a second file, which that file says."""
    return {
        name: value for name, value in guess.items() if (name, value) != ("y", APART)
    }


def _agrees(guess: Guess, options: Options) -> bool:
    """Tell whether the user has said nothing else."""
    return all(
        getattr(options, name) in (None, (), value) for name, value in guess.items()
    )


def readings_tried(
    arrays: Arrays, options: Options, depth: int, failed: list[ReadingError]
) -> Iterator[Reading]:
    """Yield the reading that options give, or those of the options that its error shows."""
    try:
        yield interpreted(arrays, options)
    except ReadingError as error:
        failed.append(error)
        for way in _ways_to_try(error, options) if depth else ():
            yield from readings_tried(arrays, options.but(**way), depth - 1, failed)
    except (ValueError, TypeError, IndexError):
        return  # a guess may be absurd, such as labels that are dates


def _ways_to_try(error: ReadingError, options: Options) -> list[Guess]:
    """Return what an error shows that is an answer, and that the user has not given already."""
    return [way for way in error.ways if _may_be_tried(way, options)]


def _may_be_tried(way: Guess, options: Options) -> bool:
    return all(_is_answer(name, value, options) for name, value in way.items())


def _is_answer(name: str, value: Any, options: Options) -> bool:
    if value in ("NAME", "NAMES", "FILE") or name == "yes":
        return False
    if name == "ignore_index":
        return all(map(is_mask, map(str, value)))
    return name in REPEATED or name in TURNED or getattr(options, name) in (None, value)


# ---- rules: each yields guesses, options that would say what is what; its first words are shown


def as_it_stands(clues: Clues) -> Iterator[Guess]:
    """Names say most of it."""
    yield {}


def long_table(clues: Clues) -> Iterator[Guess]:
    """A row for each sample and class: ids that stand as often as there are classes."""
    ids = [name for name in id_names(clues.named) if not is_unique(clues.named[name])]
    for sample in ids:
        for column in _columns_of_classes(clues, sample, ids):
            yield from _long_table_of(clues, sample, column)


def _long_table_of(clues: Clues, sample: str, column: str) -> Iterator[Guess]:
    for y in _but(clues.labels(), sample, column)[:2]:
        for scores in _single_scores(clues, y)[:2]:
            yield {"y": y, "scores": scores, "ids": (sample,), "long": column}


def _columns_of_classes(clues: Clues, sample: str, ids: Sequence[str]) -> Iterator[str]:
    """Yield columns of as many words as there are rows of each sample."""
    # in a long table each sample has a row for each class
    ids_of_rows = clues.named[sample]
    times = len(ids_of_rows) / len(np.unique(ids_of_rows))
    for name in _but(clues.where(_is_text), *ids):
        if len(np.unique(clues.named[name])) == times:
            yield name


def _is_text(name: str, array: np.ndarray) -> bool:
    return array.dtype.kind == "U"


def class_columns(clues: Clues) -> Iterator[Guess]:
    """A column for each class: its name bears the label's value."""
    for y in clues.labels():
        labels = clues.values(y)
        if len(labels) > 1:
            yield from _columns_bearing(clues, y, labels)


def _columns_bearing(clues: Clues, y: str, labels: Sequence[str]) -> Iterator[Guess]:
    names = clues.scores(y)
    for family in _bearing(names, labels):
        columns = _summing(clues.named, names, family, labels)
        yield {"y": y, "scores": ",".join(_by_class(columns, family))}


def _by_class(columns: list[str], family: Mapping[str, str]) -> list[str]:
    """Return columns in the order of classes that are numbers; of others as they stand."""
    if not are_whole([*family]):
        return columns
    of_column = {name: int(label) for label, name in family.items()}
    return sorted(columns, key=of_column.__getitem__)


def _bearing(names: Sequence[str], labels: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield families of columns that bear all labels, as they are or without case and signs."""
    bare = matched(labels, names)
    if bare and not are_whole(labels):
        yield dict(zip(names, names, strict=True)) | bare
    yield from families(names, labels)
    yield from _bearing_plainly(names, labels)
    yield from _by_number(names, labels)


def _bearing_plainly(
    names: Sequence[str], labels: Sequence[str]
) -> Iterator[dict[str, str]]:
    of_plain = {plain(name): name for name in names}
    # names that are alike without case and signs may mean two things
    if len(of_plain) < len(names):
        return
    for family in families(list(of_plain), [*map(plain, labels)]):
        yield {label: of_plain[name] for label, name in family.items()}


def _by_number(names: Sequence[str], labels: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield columns by the one number in their names, as P_BAD1 and P_BAD0."""
    if are_whole(labels):
        for family in _alike_but_for_a_number(names):
            if {*labels} <= {*family}:
                yield family


def _alike_but_for_a_number(names: Sequence[str]) -> Iterable[dict[str, str]]:
    """Return names by their number, a family for each text that stands around numbers."""
    of_text: dict[str, dict[str, str]] = {}
    for name in names:
        for match in re.finditer(r"\d+", name):
            around = f"{name[: match.start()]}#{name[match.end() :]}"
            of_text.setdefault(around, {})[str(int(match[0]))] = name
    return of_text.values()


def _summing(
    named: Mapping[str, np.ndarray],
    names: Sequence[str],
    family: Mapping[str, str],
    labels: Sequence[str],
) -> list[str]:
    """Return the columns of a family, of which some bear no label: all where they sum to one."""
    columns = [name for name in names if name in family.values()]
    bearing = _of_labels(family, labels)
    if len(bearing) == len(columns) or _sum_to_one(named, columns):
        return columns
    return [name for name in columns if name in bearing]


def _of_labels(family: Mapping[str, str], labels: Sequence[str]) -> list[str]:
    """Return the columns of a family whose classes are labels."""
    of_labels = {*map(plain, labels)}
    return [column for name, column in family.items() if plain(name) in of_labels]


def _sum_to_one(named: Mapping[str, np.ndarray], columns: Sequence[str]) -> bool:
    """Tell whether the first rows sum to one, or to a hundred; of text that is not known."""
    try:
        total = sum(named[name][:100].astype(float) for name in columns)
    except ValueError:
        return True
    return bool(np.allclose(total, 1, atol=0.02) or np.allclose(total, 100, atol=2))


def arrays_of_classes(clues: Clues) -> Iterator[Guess]:
    """An array with a column a class: beside labels, of one set where there are several."""
    for scores in clues.where(_has_columns):
        word = _other_set(clues, scores)
        to_fit = {} if word is None else {"calibration": word}
        for y in _labels_of_set(clues, scores):
            yield {"y": y, "scores": scores, **to_fit}


def _has_columns(name: str, array: np.ndarray) -> bool:
    """Tell whether an array holds numbers in more than one column."""
    return array.ndim > 1 and array.dtype.kind in "iuf" and array.shape[-1] > 1


def _labels_of_set(clues: Clues, scores: str) -> list[str]:
    """Return what may be the labels of scores: of their set, else of a set to judge."""
    names = clues.labels()
    if clues.options.y is None:
        names += clues.labels_in_columns()
    names = _but(names, scores)
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
    judged = _set_of(scores)
    if judged not in ("", "test"):
        return None
    words = map(_set_of, clues.where(_is_of_vectors))
    to_fit = {*NAMES["held"]} - {"", judged}
    return next(filter(to_fit.__contains__, words), None)


def _is_of_vectors(name: str, array: np.ndarray) -> bool:
    return array.ndim > 1


def stated_confidences(clues: Clues) -> Iterator[Guess]:
    """A confidence and a verdict: the probability that an answer is right, and whether it was."""
    verdicts = _verdicts(clues)
    for says in (says_confidence, is_called_scores):  # the likelier names first
        for y in verdicts:
            for scores in filter(says, clues.scores(y)):
                yield _stated(y, scores)


def _stated(y: str, scores: str) -> Guess:
    # a column `error` holds 1 where the answer is wrong
    guess = {"y": y, "scores": scores, "pairs": True}
    return guess | ({"positive": "0"} if is_called(y, "incorrect") else {})


def _verdicts(clues: Clues) -> list[str]:
    """Return columns of right and wrong."""
    names = clues.called("correct", "incorrect")
    if clues.options.y is not None:
        names = [name for name in names if name == clues.options.y]
    return [name for name in names if _holds_verdicts(clues.named[name])]


def _holds_verdicts(array: np.ndarray) -> bool:
    words = {*map(str.lower, labels_in(array))}
    return words <= {*NAMES["true"], *NAMES["false"]}


def stated_doubts(clues: Clues) -> Iterator[Guess]:
    """An uncertainty and a verdict: the probability that an answer is wrong, turned round."""
    for y in _verdicts(clues):
        # how probable it is that 1 is beside an error, or 0 beside what is correct
        positive = "1" if is_called(y, "incorrect") else "0"
        for scores in all_called(clues.scores(y), "uncertainty"):
            yield {"y": y, "scores": scores, "pairs": True, "positive": positive}


def answers(clues: Clues) -> Iterator[Guess]:
    """A label, a prediction and a confidence in it: right where label and prediction are equal."""
    # any label may go with any prediction, the likelier label first
    for y, name in product(clues.labels(), clues.called("predicted")):
        if clues.named[name].ndim == 1 and _share_a_label(clues, y, name):
            for scores in _but(_single_scores(clues, y), name):
                yield {"y": y, "scores": scores, "predicted": name}


def _share_a_label(clues: Clues, y: str, predicted: str) -> bool:
    answers = texts(clues.named[predicted]).tolist()
    return y != predicted and not {*clues.values(y)}.isdisjoint(answers)


def _single_scores(clues: Clues, y: str) -> list[str]:
    """Return columns that may each be the whole score, those whose names say so first."""
    names = [name for name in clues.scores(y) if not _is_aside(name)]
    likely = [name for name in _saying_score(names) if not _is_coded(clues.named[name])]
    return likely or _only_fractions(clues, names)


def _only_fractions(clues: Clues, names: Sequence[str]) -> list[str]:
    """Return the one column of fractions, or those beside the one that is said to be the score."""
    # without a name that says so, a column is the score only if no other could be
    fractions = [name for name in names if clues.named[name].dtype.kind == "f"]
    is_only = len(fractions) == 1 or clues.options.scores in fractions
    return fractions if is_only else []


def _saying_score(names: Sequence[str]) -> dict[str, None]:
    """Return the names that say a score, once each, those that say it best first."""
    return dict.fromkeys(name for says in SAY_SCORES for name in filter(says, names))


def _says_score(name: str) -> bool:
    return is_called_scores(name) or "score" in name.lower()


def _says_prediction(name: str) -> bool:
    return PATTERNS["percent"].search(name) is not None or "pred" in name.lower()


SAY_SCORES = (says_confidence, _says_score, _says_prediction)  # the likeliest first


def _risks(clues: Clues, y: str) -> list[str]:
    """Return columns called a risk: beside an event it is the event's, beside a verdict a doubt."""
    names = [name for name in clues.scores(y) if "risk" in _words_of(name)]
    return [name for name in names if clues.named[name].dtype.kind == "f"]


def _words_of(name: str) -> list[str]:
    return re.split("[._ ]", name.strip().lower())


def _is_coded(array: np.ndarray) -> bool:
    return array.dtype.kind in "iu" and len(np.unique(array)) <= 2


def _is_aside(name: str) -> bool:
    """Tell whether a name says that a column is the end of an interval, or a measure of doubt."""
    aside = (*NAMES["ends"], *NAMES["spread"], "loss", "weight")
    return _words_of(name)[-1] in aside or is_called(name, "uncertainty", "incorrect")


def one_of_two(clues: Clues) -> Iterator[Guess]:
    """One column and two labels: the probability, or the log odds, of one of them."""
    for y in clues.labels():
        labels = clues.values(y)
        if 1 <= len(labels) <= 2 and not is_called(y, "correct"):
            yield from _events(clues, y, labels)


def _events(clues: Clues, y: str, labels: Sequence[str]) -> Iterator[Guess]:
    """Yield each column that may be of an event, with each of two labels as the event."""
    columns = _single_scores(clues, y) or _risks(clues, y)
    for scores in _but(columns, y):
        for label in _likely_events(scores, labels):
            yield {"y": y, "scores": scores, "positive": label, "pairs": False}


def _likely_events(scores: str, labels: Sequence[str]) -> list[str]:
    """Return the labels that a column may be the probability of, the likeliest first."""
    # p_sick says of which label it is; p_1 may be a number of anything
    words = [label for label in labels if not label.isdecimal()]
    borne = [label for label in words if plain(scores).endswith(plain(label))]
    # p_unwell ends in both of well and unwell
    first = borne if len(borne) == 1 else []
    return list(dict.fromkeys((*first, _usual_event(labels), *labels)))


def _usual_event(labels: Sequence[str]) -> str:
    """Return the label that people usually give an event, else the last."""
    of_word = {label.lower(): label for label in reversed(labels)}
    words = [word for word in LIKELY_POSITIVE if word in of_word]
    return of_word[words[0]] if words else labels[-1]


def numbered_columns(clues: Clues) -> Iterator[Guess]:
    """As many columns as labels have numbers: the first column is of the first number."""
    for y in clues.labels():
        labels = clues.values(y)
        if not are_whole(labels):
            yield from _numbered_for_names(clues, y, labels)
        elif len(labels) > 2:
            yield from _in_number(clues, y, _n_counted(labels))


def _in_number(clues: Clues, y: str, k: int) -> Iterator[Guess]:
    """Yield columns that begin alike and are as many as the classes."""
    for columns in _groups(clues.scores(y)):
        if len(columns) == k:
            yield {"y": y, "scores": ",".join(columns)}


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
    for columns in groups.values():
        of_classes = [*filterfalse(_says_statistic, columns)]
        # a class may well be called max
        yield from [of_classes] if of_classes == columns else [of_classes, columns]


def _says_statistic(column: str) -> bool:
    return _end_of(column).lower() in NAMES["statistics"]


def label_columns(clues: Clues) -> Iterator[Guess]:
    """A column of labels for each column of scores: marks of 0 and 1."""
    marks = clues.where(_holds_marks)
    for columns in _groups(marks):
        if len(columns) > 1:
            yield from _beside_marks(columns, clues.scores(*marks))


def _beside_marks(marks: Sequence[str], names: Sequence[str]) -> Iterator[Guess]:
    """Yield columns of scores whose names end as those of marks do, in the order of these."""
    classes = [*map(_end_of, marks)]
    for columns in _groups(names):
        of_class = dict(zip(map(_end_of, columns), columns, strict=True))
        if {*of_class} == {*classes}:
            scores = ",".join(map(of_class.__getitem__, classes))
            yield {"y": ",".join(marks), "scores": scores}


def _holds_marks(name: str, array: np.ndarray) -> bool:
    return is_column(array) and {*labels_in(array)} <= {"0", "1"}


def _start_of(name: str) -> str:
    """Return what a name begins with, up to its last sign: ``p_`` of ``p_cat``."""
    match = re.match(r".*[_. :-]", name)
    return match[0] if match else ""


def _end_of(name: str) -> str:
    return name[len(_start_of(name)) :]


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
    first, *later = readings
    title = f" ({_in_a_sentence(first.rule)})" if first.rule else ""
    lines = [f"It could be read so{title}:", shown(first, words)]
    for reading in later:
        lines += [f"or so ({_in_a_sentence(reading.rule)}):", shown(reading, words)]
    return "\n".join(lines)


def _in_a_sentence(title: str) -> str:
    return f"{title[0].lower()}{title[1:]}"
