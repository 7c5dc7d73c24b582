"""A reading: what is label, what is score, which rows, and what comes of it; built once."""

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np

from calib_report import doubts, values
from calib_report.arrays import Arrays, without
from calib_report.contract import (
    NAMES,
    READ_AS,
    ROW,
    NotSaidError,
    ReadingError,
    Tally,
    all_called,
    as_typed,
    few,
    is_called,
    is_called_scores,
)
from calib_report.model_outputs import ModelOutputs
from calib_report.options import Options
from calib_report.roles import (
    Named,
    ScoreColumns,
    column_named,
    find_labels,
    find_scores,
    keeps_pairs,
    label_values,
)
from calib_report.rows import APART, chosen, columns_aside, counts_up, widened
from calib_report.samples import (
    Samples,
    by_prediction,
    coded,
    is_of_wrong,
    one_a_row,
    says_confidence,
)
from calib_report.scores import Scores, scores_of


@dataclass(frozen=True, eq=False)
class Reading:
    """One way to read a file.

    Attributes
    ----------
    options : Options
        What is said of the file; typed, they give this reading again.
    label : str
        Name of the labels.
    scores : tuple of str
        Names of the columns of scores, in the order of the classes, or of the one array.
    left_out : tuple of str
        Columns that are not used.
    outputs : ModelOutputs
        What is read.
    rule : str
        Why it is proposed, a few words; empty of what was said.
    """

    options: Options
    label: str
    scores: tuple[str, ...]
    left_out: tuple[str, ...]
    outputs: ModelOutputs
    rule: str = ""

    @property
    def accuracy(self) -> float:
        """Share of answers, of labels where these are asked one by one, that are right."""
        return float(self.outputs.pairs[1].mean())

    @property
    def mean_confidence(self) -> float:
        return float(self.outputs.pairs[0].mean())

    def command(self, *words: str) -> str:
        """Return the command line that gives this reading: the words, and the options."""
        return shlex.join(["calib", *words, *as_typed(self.options.changed())])

    def rows(self, n: int = 3) -> list[str]:
        """Return the first rows as they are understood, a sentence each."""
        return [self._row(row) for row in range(min(n, len(self.outputs)))]

    def _row(self, row: int) -> str:
        outputs, (score, hit) = self.outputs, self.outputs.pairs
        yes, no = ("yes", "no") if outputs.task == "labels" else ("right", "wrong")
        words: dict[str, Any] = {
            "name": row + 1,
            "score": f"{score[row]:.3g}",
            "verdict": yes if hit[row] else no,
        }
        if outputs.task == "labels":
            words["label"] = repr(outputs.groups["label"][row])
        if outputs.task == "classes":
            words["says"] = outputs.names[outputs.prob[row].argmax()]
            words["label"] = outputs.names[outputs.y[row]]
        return ROW[outputs.task].format(**words)


@contextmanager
def naming(source: Any) -> Iterator[None]:
    """Put the name of the file before what is said of it."""
    # several files, and objects in memory, have no name
    if not isinstance(source, str | PathLike):
        yield
        return
    try:
        yield
    except ReadingError as error:
        # of two files it may be the second, which is put down already
        error.source = error.source or source
        raise
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None


def interpreted(arrays: Arrays, options: Options) -> Reading:
    """Return the one reading that names and options give; a ReadingError says what is not clear."""
    # rows first: what is left out must not speak against the rest
    arrays = widened(chosen(arrays, options), options)
    tests, to_fit = sets_of(arrays.named, options)
    samples = _samples(tests, arrays, options)
    tally = Tally(options.yes)
    samples, outputs = _outputs(samples, arrays, options, tally)
    # columns that are left out may still contradict what is read
    doubts.raise_or_note(doubts.Evidence(samples, outputs, options), tally)
    left_out = tuple(name for name in tests if _is_left(name, samples, options))
    calibration = _calibration(to_fit, samples, outputs, options) if to_fit else None
    notes = [
        *arrays.notes,
        *samples.notes,
        *_remarks(samples, left_out, arrays),
        *tally.notes,
    ]
    outputs = _noted(outputs, notes, calibration)
    outputs = outputs.annotated(read_as=_read_as(samples, outputs, options))
    return Reading(options, samples.y_name, samples.columns, left_out, outputs)


def _is_left(name: str, samples: Samples, options: Options) -> bool:
    used = {
        *samples.columns,
        *samples.y_name.split(","),
        samples.y_name,
        options.predicted,
    }
    return name not in used and not is_called(name, "classes")


def sets_of(
    named: Named, options: Options
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return the arrays of the samples, and those of a set to fit maps on, without its name."""
    word = options.calibration or "calibration"
    tests, to_fit = dict(named), dict[str, np.ndarray]()
    for name in named:
        inner = _without_word(name, word)
        if inner is not None and (options.calibration or _has_role(inner)):
            to_fit[inner] = tests.pop(name)
    # without scores it is no set: calibration_date is a column like any other
    return (tests, to_fit) if any(map(is_called_scores, to_fit)) else (dict(named), {})


def _has_role(name: str) -> bool:
    return is_called(name, "labels") or is_called_scores(name)


def _without_word(name: str, word: str) -> str | None:
    """Return a name without a word that begins or ends it, None where none does."""
    for sign in "_.":
        if name.startswith(f"{word}{sign}"):
            return name[len(word) + 1 :]
        if name.endswith(f"{sign}{word}"):
            return name[: -len(word) - 1]
    return None


def _samples(named: dict[str, np.ndarray], arrays: Arrays, options: Options) -> Samples:
    """Return what is label and what is score, by the contract or as options say."""
    aside = columns_aside(named, options)
    candidates = _may_have_a_role(named, aside, options)
    classes = _class_names(candidates, arrays, options)
    options = _by_layout(candidates, arrays, options)
    y_name = find_labels(candidates, options)
    y = _labels(candidates, y_name)
    # of verdicts another error says what is expected
    if not options.pairs:
        values.refuse_regression(y_name, y)
    labels = _labels_that_count(candidates, y_name, options)
    unlabelled = without(candidates, (y_name, *y_name.split(",")))
    scores = find_scores(unlabelled, classes or labels, options)
    if options.scores is None:
        scores = _without_extras(candidates, scores, labels, options)
    samples = Samples(
        y,
        stacked_scores(candidates, scores),
        y_name,
        scores.columns,
        scores.classes or classes,
        scores.kind or arrays.kind,
        beside=_aligned(aside, without(unlabelled, scores.columns), y, options),
    )
    return _asked(samples, candidates, options)


def _by_layout(named: Named, arrays: Arrays, options: Options) -> Options:
    """Return options with the roles that names of stated confidences, or a format, give."""
    if not keeps_pairs(named, options):
        return _as_laid_out(arrays, options)
    y, scores = _called(named, "correct"), _called(named, "confidence")
    return options.but(y=y, scores=scores, pairs=True)


def _may_have_a_role(
    named: dict[str, np.ndarray],
    aside: dict[tuple[str, str], np.ndarray],
    options: Options,
) -> dict[str, np.ndarray]:
    """Return the arrays that may be labels or scores."""
    names = {name for _, name in aside} - {options.y, options.scores}
    names |= _indexes(named)
    if options.calibration is not None:
        names |= set(filter(_is_of_training, named))
    candidates = without(named, names)
    # what pandas writes as an index has no name either, and counts the rows
    if "" in candidates and len(candidates) > 2:
        raise ReadingError("a column has no name, and does not count the rows")
    return candidates


def _indexes(named: Named) -> set[str]:
    """Return the columns that only count the rows."""
    return {name for name in named if name in NAMES["index"] and counts_up(named[name])}


def _labels_that_count(named: Named, y_name: str, options: Options) -> list[str]:
    """Return the labels that occur, but for those of samples that are left out."""
    masked = {str(index) for index in options.ignore_index}
    return [
        label
        for label in label_values(named, y_name, list(named))
        if label not in masked
    ]


def _aligned(
    aside: dict[tuple[str, str], np.ndarray],
    unused: Named,
    y: np.ndarray,
    options: Options,
) -> dict[tuple[str, str], np.ndarray]:
    """Return what stands beside the samples, and columns that are not used, row by row."""
    columns = {
        (role, name): array
        for (role, name), array in aside.items()
        if _is_beside(role, array, y, options)
    }
    for name, array in unused.items():
        if array.ndim == 1 and len(array) == len(y):
            columns["left", name] = array
    return columns


def _is_beside(role: str, array: np.ndarray, y: np.ndarray, options: Options) -> bool:
    """Tell whether a column stands beside the samples."""
    if role == "ids" and not options.ids:
        # found by its name alone, so it may be something else
        return len(array) == len(y)
    return role != "ignore"


def _as_laid_out(arrays: Arrays, options: Options) -> Options:
    """Return options with the roles that the layout of a file gives."""
    y = APART if APART in arrays.named else options.y
    scores = arrays.scores if options.scores is None else options.scores
    return options.but(y=arrays.y if y is None else y, scores=scores)


def _is_of_training(name: str) -> bool:
    return any(_without_word(name, word) is not None for word in NAMES["train"])


def _called(named: Named, word: str) -> str:
    return next(name for name in named if name.strip().lower() == word)


def _class_names(
    named: dict[str, np.ndarray], arrays: Arrays, options: Options
) -> tuple[str, ...] | None:
    """Return names of the classes: of an array of names, which is taken away, or of an option."""
    listed = _listed_classes(named, arrays)
    if options.classes is None:
        return None if listed is None else tuple(listed)
    if listed:
        _refuse_other_names(listed, options.classes)
    return options.classes


def _listed_classes(named: dict[str, np.ndarray], arrays: Arrays) -> list[str] | None:
    """Return the classes that a file names; an array of them is taken away, for it is no column."""
    listed = arrays.classes
    for name in all_called(named, "classes"):
        if named[name].ndim == 1 and len(named) > 1:
            listed = values.texts(named.pop(name)).tolist()
    return listed


def _refuse_other_names(listed: list[str], classes: tuple[str, ...]) -> None:
    """Refuse names of classes that are the file's in part, or in another order."""
    if {*classes} & {*listed} and [*classes] != listed:
        raise ReadingError(
            f"the file names its classes {few(listed)}, not {few(classes)}"
        )


def _labels(named: Named, name: str) -> np.ndarray:
    if name in named:
        return named[name]
    return np.column_stack(
        [column_named(named, part.strip(), "y") for part in name.split(",")]
    )


def stacked_scores(named: Named, scores: ScoreColumns) -> np.ndarray:
    """Return scores as one array of numbers, a column a class."""
    arrays = [values.numbers(name, named[name]) for name in scores.columns]
    if len(arrays) == 1:
        return arrays[0]
    for name, array in zip(scores.columns, arrays, strict=True):
        if array.ndim != 1:
            raise ReadingError(
                f"{name!r} has the shape {array.shape}, expected a column"
            )
    return np.column_stack(arrays)


def _without_extras(
    named: Named, scores: ScoreColumns, labels: Sequence[str], options: Options
) -> ScoreColumns:
    """Leave out what bears the name of probabilities, no label, and takes no part in their sum."""
    if not _may_have_extras(scores):
        return scores
    bearing = scores.of(labels)
    if len(bearing.columns) in (0, 1, len(scores.columns)):
        return scores
    # what sums to one without a column owes it nothing
    sums_with = _off_one(named, scores.columns) <= 0.05
    sums_without = _off_one(named, bearing.columns) <= 0.01 * (options.percent or 1)
    return bearing if sums_without and not sums_with else scores


def _may_have_extras(scores: ScoreColumns) -> bool:
    """Tell whether a column too many would show; logits have no sum that it could disturb."""
    return (
        scores.classes is not None
        and len(scores.columns) > 2
        and scores.kind != "logits"
    )


def _off_one(named: Named, columns: Sequence[str]) -> float:
    """Return how far from one the rows of some columns sum at most."""
    total = sum(values.numbers(column, named[column]) for column in columns)
    return float(np.max(np.abs(total - 1)))


def _asked(samples: Samples, named: Named, options: Options) -> Samples:
    """Return samples of the question that is asked: which class, or whether an answer is right."""
    if options.predicted is not None:
        return _of_predictions(samples, named, options, options.predicted)
    if options.pairs:
        return _as_pairs(samples)
    if options.pairs is None and samples.in_one_column:
        _refuse_two_questions(samples, options)
    return samples


def _as_pairs(samples: Samples) -> Samples:
    if samples.in_one_column:
        return samples.but(task="pairs")
    raise ReadingError(
        f"{few(samples.columns, 4)} is not one column of numbers, such as 0.95"
    )


def _of_predictions(
    samples: Samples, named: Named, options: Options, name: str
) -> Samples:
    """Return the pairs of a column of predictions, which stands beside the samples no more."""
    predicted = column_named(named, name, "predicted")
    samples = one_a_row(samples, options)
    beside = {key: array for key, array in samples.beside.items() if key[1] != name}
    return by_prediction(samples.but(beside=beside), predicted, name)


def _refuse_two_questions(samples: Samples, options: Options) -> None:
    name, y_name = samples.columns[0], samples.y_name
    # who names the event has said that it is the probability of it
    if options.positive is not None:
        return
    if says_confidence(name) or is_called(y_name, "correct", "incorrect"):
        raise ReadingError(
            f"{name!r} may be the confidence in an answer, and {y_name!r} say whether it was "
            "right, or the probability of the second of two classes",
            {"y": y_name, "scores": name, "pairs": True},
            {"y": y_name, "scores": name, "pairs": False},
        )


def _outputs(
    samples: Samples, arrays: Arrays, options: Options, tally: Tally
) -> tuple[Samples, ModelOutputs]:
    """Return checked outputs, and the samples that they are of."""
    samples = coded(one_a_row(samples, options), options)
    scores = _checked_scores(samples, options, tally)
    samples = samples.but(notes=(*samples.notes, *scores.notes))
    k = scores.values.shape[1]
    known: dict[str, Any] = {scores.kind: scores.values}
    outputs = ModelOutputs(
        samples.y,
        task=samples.task,
        class_names=_names_of_classes(samples, k, options),
        **known,
        **_beside_outputs(samples),
    )
    # names say which is which; of two classes one alone is no reason for doubt
    if samples.classes is None and options.labels_from is None and k > 2:
        values.refuse_shifted(outputs.y, outputs.prob)
    return samples, outputs


def _checked_scores(samples: Samples, options: Options, tally: Tally) -> Scores:
    """Return scores by their kind; of doubts those of being right."""
    kind = samples.kind or _kind_of_answers(samples)
    scores = scores_of(samples.scores, kind, options, tally, list(samples.columns))
    if samples.task == "pairs" and is_of_wrong(samples.y_name, options):
        return Scores(scores.values[:, ::-1], scores.kind, scores.notes)
    return scores


def _kind_of_answers(samples: Samples) -> str | None:
    """Return what a confidence in answers is; None of other scores."""
    is_confidence = samples.task != "classes" and says_confidence(samples.columns[0])
    return "probabilities" if is_confidence else None


def _names_of_classes(samples: Samples, k: int, options: Options) -> list[str]:
    names = samples.classes
    if names is None:
        first = options.labels_from or 0
        return [*map(str, range(first, first + k))]
    if not len({*names}) == len(names) == k:
        raise ReadingError(f"classes: {len({*names})} different names for {k} classes")
    return list(names)


def _beside_outputs(samples: Samples) -> dict[str, Any]:
    """Return groups by name, clusters and ids."""
    groups: dict[str, np.ndarray] = {}
    named: dict[str, Any] = {"groups": groups}
    for (what, name), array in samples.beside.items():
        if what == "groups":
            groups[name] = values.texts(array)
        elif what != "left":
            named[what] = array
    return named


def _calibration(
    held: dict[str, np.ndarray],
    samples: Samples,
    outputs: ModelOutputs,
    options: Options,
) -> ModelOutputs:
    """Return the set to fit maps on, of the same kind and classes."""
    classes = samples.classes if samples.task == "classes" else None
    # without those that name columns: here the names have lost the word of the set
    same = Options(
        kind=options.kind, labels_from=options.labels_from, percent=options.percent,
        atol=options.atol, classes=classes, pairs=options.pairs, multilabel=options.multilabel,
    )  # fmt: skip
    try:
        arrays = Arrays(held, y=_only_called(held, "labels"), scores=_only_scores(held))
        calibration = interpreted(arrays, same).outputs
    except ReadingError as error:
        raise ReadingError(
            f"calibration set: {error.problem}: --ignore NAME leaves it out"
        ) from None
    _refuse_other_set(calibration, outputs)
    values.refuse_shared(outputs.known, calibration.known)
    return calibration


def _refuse_other_set(calibration: ModelOutputs, outputs: ModelOutputs) -> None:
    """Refuse a set whose scores are of another kind, or of another number of classes."""
    in_set = calibration.kind, calibration.n_classes
    in_tests = outputs.kind, outputs.n_classes
    if in_set != in_tests:
        raise ReadingError(
            f"calibration set: it holds {in_set[0]} of {in_set[1]}, the other {in_tests[0]} of "
            f"{in_tests[1]}: --ignore NAME leaves it out"
        )


def _only_called(named: Named, what: str) -> str | None:
    names = all_called(named, what)
    return names[0] if len(names) == 1 else None


def _only_scores(named: Named) -> str | None:
    names = list(filter(is_called_scores, named))
    return names[0] if len(names) == 1 else None


def _remarks(
    samples: Samples, left_out: Sequence[str], arrays: Arrays
) -> Iterator[str]:
    """Yield what whoever reads a report should know of what was read, a sentence each."""
    yield from (f"Samples are named by {name!r}." for name in samples.names_of("ids"))
    if left_out:
        yield f"Columns that were left out: {few(left_out)}."
    if samples.y_name in arrays.named:
        yield from _remark_of_numbers(samples, arrays.named[samples.y_name])


def _remark_of_numbers(samples: Samples, labels: np.ndarray) -> Iterator[str]:
    """Yield a remark where labels are numbers, and classes in columns have names, none of them."""
    if samples.task != "classes" or len(samples.columns) < 2 or not samples.classes:
        return
    are_codes = values.are_whole(values.labels_in(labels))
    if are_codes and not values.are_whole(samples.classes):
        yield f"Labels are numbers of the columns, as they stand: 0 is {samples.classes[0]!r}."


def _noted(
    outputs: ModelOutputs, notes: Sequence[str], calibration: ModelOutputs | None
) -> ModelOutputs:
    """Return outputs with notes, a calibration set, and the clusters of copies of samples."""
    notes = [*values.looks_wrong(outputs), *notes]
    clusters = outputs.clusters
    if clusters is None:
        clusters = values.copies(outputs)
        notes += _note_of_copies(clusters)
    return outputs.annotated(
        notes=tuple(notes), calibration=calibration, clusters=clusters
    )


def _note_of_copies(clusters: np.ndarray | None) -> list[str]:
    if clusters is None:
        return []
    n = len(clusters) - len(np.unique(clusters))
    return [
        f"{n} of {len(clusters)} rows repeat another, label included: copies of a sample are one "
        "cluster, which folds and intervals do not part."
    ]


def _read_as(samples: Samples, outputs: ModelOutputs, options: Options) -> str:
    """Return in a sentence what was taken for what."""
    y = samples.y_name
    words = {
        "columns": few(samples.columns, 4),
        "labels": "the second file" if y == APART else repr(y),
        "predicted": repr(options.predicted),
        "event": repr(outputs.names[1]),
        "kind": outputs.kind,
    }
    return READ_AS[_question(samples, outputs, options)].format(**words)


def _question(samples: Samples, outputs: ModelOutputs, options: Options) -> str:
    """Return what scores are of, as ``contract.toml`` names it."""
    if options.predicted is not None:
        return "predicted"
    if samples.task == "pairs":
        return "pairs"
    of_event = "probability" if outputs.kind == "probabilities" else "log_odds"
    is_event = samples.task == "classes" and samples.in_one_column
    return of_event if is_event else "classes"


@dataclass(frozen=True, eq=False)
class NewOutputs:
    """Scores without labels, (n, ..., K), with the names of their classes and columns."""

    kind: str
    scores: np.ndarray
    classes: list[str] | None
    columns: tuple[str, ...]
    in_one_column: bool
    of_wrong: bool
    notes: list[str]


def new_outputs(
    arrays: Arrays,
    options: Options,
    classes: Sequence[str] | None,
    questions: bool = False,
) -> NewOutputs:
    """Return the scores of a file without labels; `classes` are those of the map to apply."""
    named = _scores_alone(arrays, options)
    listed = _class_names(named, arrays, options)
    options = _naming_confidence(named, options, classes)
    columns = _new_columns(named, arrays, options, classes)
    array = _classes_last(stacked_scores(named, columns), options)
    tally = Tally(options.yes)
    scores = _new_scores(array, columns, options, tally, questions)
    names: Sequence[str] | None = options.classes or columns.classes or listed
    in_one_column = _is_one_column(columns, array)
    if in_one_column:
        names = classes  # one column bears no names: those of the map hold
    of_wrong = in_one_column and _says_wrong(options)
    return NewOutputs(
        scores.kind,
        _in_shape(scores, array.shape, questions, of_wrong),
        None if names is None else list(names),
        columns.columns,
        in_one_column,
        of_wrong,
        [*arrays.notes, *scores.notes, *tally.notes],
    )


def _naming_confidence(
    named: Named, options: Options, classes: Sequence[str] | None
) -> Options:
    """Return options that name the scores, where a map of answers is applied and none does."""
    if options.scores is not None or [*(classes or ())] != ["wrong", "right"]:
        return options
    return options.but(scores=_only_confidence(named), pairs=True)


def _new_columns(
    named: Named, arrays: Arrays, options: Options, classes: Sequence[str] | None
) -> ScoreColumns:
    """Return the columns of scores, with the kind that their names or the format says."""
    columns = find_scores(named, classes or (), _as_laid_out(arrays, options))
    return replace(columns, kind=columns.kind or arrays.kind)


def _classes_last(array: np.ndarray, options: Options) -> np.ndarray:
    if options.class_axis is None:
        return array
    return np.moveaxis(array, options.class_axis, -1)


def _is_one_column(columns: ScoreColumns, array: np.ndarray) -> bool:
    return len(columns.columns) == 1 and array.ndim == 1


def _new_scores(
    array: np.ndarray,
    columns: ScoreColumns,
    options: Options,
    tally: Tally,
    questions: bool,
) -> Scores:
    """Return checked scores, a row each; of questions each score is one."""
    names, kind = list(columns.columns), columns.kind
    is_column = _is_one_column(columns, array)
    # a confidence is a probability, whatever its name
    if is_column and options.pairs:
        kind = kind or "probabilities"
    shape = (-1,) if questions or is_column else (-1, array.shape[-1])
    return scores_of(array.reshape(shape), kind, options, tally, names)


def _only_confidence(named: Named) -> str:
    """Return the name of the confidences to which a map of answers is applied."""
    if "confidence" not in [name.strip().lower() for name in named]:
        raise NotSaidError(
            f"none is called 'confidence'; the file holds {few(named)}",
            *({"scores": name} for name in named if says_confidence(name)),
            role="scores",
        )
    return _called(named, "confidence")


def _scores_alone(arrays: Arrays, options: Options) -> dict[str, np.ndarray]:
    """Return the arrays of a file that may be scores: neither labels nor what stands beside."""
    named, _ = sets_of(arrays.named, options)
    aside: set[str | None] = {name for _, name in columns_aside(named, options)}
    aside |= {*all_called(named, "labels", "correct")}
    aside |= {options.y, *_indexes(named)}
    return without(named, aside - {options.scores})


def _says_wrong(options: Options) -> bool:
    return bool(options.pairs) and is_of_wrong(options.y or "correct", options)


def _in_shape(
    scores: Scores, shape: tuple[int, ...], questions: bool, of_wrong: bool
) -> np.ndarray:
    """Return scores in the shape of the file's: of one column two, of questions one each."""
    if questions:
        # two logits of a question are -z / 2 and z / 2
        factor = 1 if scores.kind == "probabilities" else 2
        return factor * scores.values[:, 1].reshape(shape)
    if len(shape) > 1:
        return scores.values.reshape(shape)
    return scores.values[:, ::-1] if of_wrong else scores.values
