"""Which array is what: labels, scores, groups. Known names are enough; doubt is an error."""

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from calib.reading.tables import Arrays

LABELS = (
    *("y", "y_true", "true", "true_label", "label", "labels", "label_ids", "target", "targets"),
    *("truth", "ground_truth", "gold", "reference", "references", "class"),
)
LOGITS = (
    *("logits", "logit", "z", "log_probs", "logprobs", "log_probabilities", "log_likelihoods"),
    *("log_prob", "logprob", "log_probability", "log_likelihood"),
)
PROBABILITIES = (
    *("probabilities", "probability", "probs", "prob", "proba", "p", "softmax"),
    *("y_prob", "y_proba", "predict_proba", "predicted_probabilities"),
)
UNSAID = (
    *("scores", "score", "outputs", "output", "predictions", "preds", "pred", "y_score", "y_pred"),
)
PREDICTED = ("pred_label", "predicted_label", "predicted", "prediction", "pred", "y_pred", "y_hat")
CONFIDENCE = ("confidence", "conf", "confidences")
SAYS_SURE = {"confidence", "conf", "confidences", "stated", "certainty", "verbal", "verbalized"}
SAYS_RIGHT = {"correct", "correctness", "right", "hit", "acc"}
CORRECT = ("correct", "is_correct", "hit", "right", "exact_match", "acc")
PREFIXES = {"test_": "test", "calibration_": "calibration", "cal_": "calibration"}
PREFIXES |= {"val_": "calibration", "valid_": "calibration", "validation_": "calibration"}
CLASS_COLUMN = re.compile(
    r"(log_?probs?|log_probability|log_likelihood|probability|proba|probs?|logits?|scores?|p)"
    r"[_ .:-]?(.+)",
    re.IGNORECASE,
)
NO_CLASS = {"id", "idx", "index", "row", "confidence", "score", "__index_level_0__"}
NO_CLASS |= set(LABELS) | set(PREDICTED)
WORDS = {"true": 1, "yes": 1, "right": 1, "correct": 1, "t": 1, "y": 1, "1": 1, "1.0": 1}
WORDS |= {"false": 0, "no": 0, "wrong": 0, "incorrect": 0, "f": 0, "n": 0, "0": 0, "0.0": 0}
ZERO_ONE = [0, 1, True, False]
COUNTERS = ("", "Unnamed: 0", "__index_level_0__")  # how pandas writes the index of a table


@dataclass
class Parts:
    """What was found: `task` is "classes", or "pairs" of a confidence and whether it was right.

    `columns` are the names under which the scores stand in the file, in the order of the classes.
    """

    y: np.ndarray | None
    scores: np.ndarray
    kind: str | None
    classes: list[str] | None = None
    task: str = "classes"
    calibration_y: np.ndarray | None = None
    calibration_scores: np.ndarray | None = None
    groups: dict[str, np.ndarray] = field(default_factory=dict)
    clusters: np.ndarray | None = None
    ids: np.ndarray | None = None
    notes: list[str] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)


def find(arrays: Arrays, choice: Any, labelled: bool = True) -> Parts:
    """Return which array is what; `choice` has what the user said."""
    named, side = dict(arrays.named), {}
    notes = [*arrays.notes]
    notes += [_leave_out(named, column) for column in choice.leave_out_empty]
    for name in choice.ignore:
        if name not in named:
            raise ValueError(f"there is no column {name!r} to ignore, found {few(list(named))}")
        del named[name]
    for what in ("groups", "clusters", "ids"):
        side[what] = {name: _taken(named, name, what) for name in getattr(choice, what)}
    given = {name: named.pop(name) for name in list(named) if name.startswith("\0")}
    parts = (_of_columns if arrays.table else _of_arrays)(named, choice, labelled)
    if parts.scores.ndim == 0:
        raise ValueError(f"scores: {parts.scores}, expected rows of numbers")
    if "\0y" in given:
        parts.y = given["\0y"]
    parts.kind = choice.kind or parts.kind or arrays.kind
    parts.classes = choice.classes or parts.classes or arrays.classes
    parts.groups = side["groups"]
    parts.clusters = next(iter(side["clusters"].values()), None)
    parts.ids = next(iter(side["ids"].values()), None)
    parts.notes = [*notes, *parts.notes]
    return parts


def _leave_out(named: Any, column: str) -> str:
    """Leave out the rows in which a column is empty, and say how many they are."""
    values = _taken(dict(named), column, "leave_out_empty")
    empty = values == "" if values.dtype.kind == "U" else np.isnan(values.astype(float))
    if empty.ndim > 1:
        raise ValueError(f"leave_out_empty: {column!r} is no single column")
    for name, array in named.items():
        if len(array) != len(empty):
            raise ValueError(f"leave_out_empty: {name!r} has other rows than {column!r}")
        named[name] = array[~empty]
    return (
        f"{int(empty.sum())} of {len(empty)} rows leave {column!r} empty and are left out: every "
        f"number is of the other {int((~empty).sum())}."
    )


def _taken(named: Any, name: str, what: str) -> np.ndarray:
    if name not in named:
        raise ValueError(f"{what}: there is no {name!r}, found {few(list(named))}")
    return named.pop(name)


def few(names: Any, most: Any = 8) -> str:
    """Write the first names, quoted."""
    return ", ".join(map(repr, names[:most])) + ", …" * (len(names) > most) or "nothing"


def _known(named: Any, *synonyms: Any) -> list[Any]:
    """Return the names that are among synonyms, whatever their case."""
    wanted = {word for words in synonyms for word in words}
    return [name for name in named if name.strip().lower() in wanted]


def _only(found: Any, named: Any, what: str, option: Any, needed: Any = True) -> Any:
    """Return the one name that was found; more, or none where one is needed, is an error."""
    if len(found) == 1:
        return found[0]
    if not found and not needed:
        return None
    told = f"{few(found)} may all be {what}" if found else f"none has a name that says {what}"
    raise ValueError(f"{told}; the file holds {few(list(named))}; say which: {option} NAME")


def _labels(named: Any, choice: Any, labelled: Any) -> tuple[str | None, np.ndarray | None]:
    """Take the labels out of the arrays: their name and themselves, None where they are not."""
    if choice.labels_given:
        return None, None
    if choice.y is not None:
        return choice.y, _taken(named, choice.y, "--y")
    name = _only(_known(named, LABELS), named, "the labels", "--y", labelled)
    return name, None if name is None else named.pop(name)


def labels_of(named: Any, choice: Any) -> np.ndarray | None:
    """Return the array that is named as labels, or that the user names."""
    return _labels(dict(named), choice, True)[1]


def _words(name: str) -> Any:
    return set(re.split(r"[^a-z]+", name.strip().lower()))


def _refuse_unsaid_pairs(y_name: Any, y: Any, name: str, scores: Any, choice: Any) -> None:
    """Refuse one column of scores that may be a confidence, or that of the second of two classes.

    The errors of the two differ: whoever saved the file has to say which it is.
    """
    one = scores.ndim == 1 or scores.shape[1:] == (1,)
    if choice.pairs is not None or not one or y is None or not np.isin(y, ZERO_ONE).all():
        return
    if _words(y_name or "") & SAYS_RIGHT or _words(name) & SAYS_SURE:
        raise ValueError(
            f"{name!r} may be the confidence in an answer that {y_name or 'the labels'!r} says to "
            "be right or wrong: then say --pairs; or the probability of the second of two classes: "
            "then say --no-pairs"
        )


def _of_arrays(named: Any, choice: Any, labelled: Any) -> Parts:
    """Find labels and scores among arrays, with those of a calibration set."""
    if list(named) == [""]:
        if labelled and not choice.labels_given:
            raise ValueError("this is one array; its labels are a second: --labels FILE")
        return Parts(None, named[""], choice.kind, columns=[""])
    sets: dict[str, Any] = {"": {}, "test": {}, "calibration": {}}
    for name, array in named.items():
        prefix = next((p for p in PREFIXES if name.lower().startswith(p)), "")
        sets[PREFIXES.get(prefix, "")][name[len(prefix) :]] = array
    apart = {name: array for name, array in sets[""].items() if name.lower() != "classes"}
    main = {k: v for k, v in apart.items() if _known([k], LABELS, LOGITS, PROBABILITIES, UNSAID)}
    if main and sets["test"]:
        raise ValueError(
            f"labels and scores of two sets, one named 'test_'; keep one, found {few(list(named))}"
        )
    main = sets["test"] or apart
    classes = next((v for k, v in sets[""].items() if k.lower() == "classes"), None)
    pairs = _pairs(main, choice)
    if pairs is not None:
        return pairs
    y_name, y = _labels(main, choice, labelled)
    name, kind = _scores(main, choice)
    _refuse_unsaid_pairs(y_name, y, name, main[name], choice)
    found = Parts(y, main[name], kind, None if classes is None else classes.ravel().tolist())
    found.columns = [full for full, array in named.items() if array is main[name]]
    if sets["calibration"]:
        held = sets["calibration"]
        _, found.calibration_y = _labels(held, choice, labelled)
        other, other_kind = _scores(held, choice)
        if kind != other_kind:
            raise ValueError(f"the calibration set holds {other!r}, and the other {name!r}")
        found.calibration_scores = held[other]
    return found


def _scores(named: Any, choice: Any) -> tuple[str, str | None]:
    """Return the name of the scores, and their kind where the name says it."""
    if choice.scores is not None:
        _taken(dict(named), choice.scores, "--scores")
        name = choice.scores
    else:
        found = _known(named, LOGITS, PROBABILITIES, UNSAID)
        if len(found) > 1:  # beside them there may be the predicted classes, which are integers
            found = [name for name in found if named[name].dtype.kind == "f"] or found
        name = _only(found, named, "the logits or probabilities", "--scores")
    return name, kind_of_name(name)


def kind_of_name(name: str) -> str | None:
    """Return what the name of an array says of its kind.

    Examples
    --------
    >>> kind_of_name("Logits"), kind_of_name("probs"), kind_of_name("scores")
    ('logits', 'probabilities', None)
    """
    word = name.strip().lower()
    return "logits" if word in LOGITS else "probabilities" if word in PROBABILITIES else None


def _pairs(named: Any, choice: Any) -> Parts | None:
    """Return pairs of a confidence and whether the answer was right; None where there are none."""
    if choice.pairs:
        return _pairs_as_told(named, choice)
    if choice.pairs is False or choice.scores is not None or choice.y is not None:
        return None
    confidence, right = _known(named, CONFIDENCE), _known(named, CORRECT)
    labels, predicted = _known(named, LABELS), _known(named, PREDICTED)
    if len(right) == 1 and not (confidence or labels or choice.labels_given):
        numbers = [name for name in named if named[name].dtype.kind == "f"]
        name = next((n for n in numbers if _words(n) & SAYS_SURE), None) or next(
            iter(numbers), "NAME"
        )
        raise ValueError(
            f"{right[0]!r} says whether an answer was right, and none has a name that says the "
            f"confidence in it; the file holds {few(list(named))}; say which: "
            f"--pairs --scores {name}"
        )
    if len(confidence) != 1:
        return None
    score = named[confidence[0]]
    if len(right) == 1:
        _refuse_doubtful_pairs(named, right[0], labels, predicted, confidence[0])
        return _parts_of_pairs(confidence[0], score, named[right[0]])
    others = set(named) - {*labels, *predicted, *confidence, *COUNTERS}
    if len(labels) != 1 or len(predicted) != 1 or any(named[n].dtype.kind == "f" for n in others):
        return None
    hit = _agree(labels[0], named[labels[0]], predicted[0], named[predicted[0]])
    found = _parts_of_pairs(confidence[0], score, hit)
    found.notes.append(f"Right is where {labels[0]!r} equals {predicted[0]!r}.")
    return found


def _refuse_doubtful_pairs(
    named: Any, right: str, labels: Any, predicted: Any, confidence: str
) -> None:
    """Refuse a table in which a verdict may be something else, or a distribution stands beside."""
    vectors = _known(named, LOGITS, PROBABILITIES)
    vectors += list(_prefixed({n: c for n, c in named.items() if c.dtype.kind in "biuf"})[0])
    if vectors:
        raise ValueError(
            f"it holds scores of classes, {few(vectors)}, and {confidence!r} with {right!r}: say "
            "--no-pairs to read the first, --pairs to read the second"
        )
    if not predicted:
        return
    if labels:
        hit = _agree(labels[0], named[labels[0]], predicted[0], named[predicted[0]])
        off = np.flatnonzero(hit != _truth(named[right]))
        if len(off):
            raise ValueError(
                f"{right!r} is not where {labels[0]!r} equals {predicted[0]!r}: row {off[0]} "
                f"differs, and {len(off) - 1} more; keep one of them, or say --pairs"
            )
    elif np.isin(named[predicted[0]], ZERO_ONE).all():
        raise ValueError(
            f"{right!r} may be the right answer, or say whether {predicted[0]!r} was right: name "
            "the answer 'label' if it is that; if it is a verdict, say --pairs"
        )


def _agree(label_name: str, label: Any, predicted_name: str, predicted: Any) -> np.ndarray:
    """Return where labels and predictions are equal, 1 and 0; what is missing is refused."""
    for name, values in ((label_name, label), (predicted_name, predicted)):
        is_text = values.dtype.kind in "US"
        missing = np.char.strip(values) == "" if is_text else np.isnan(values.astype(float))
        if missing.any():
            raise ValueError(
                f"{name!r} is empty in {int(missing.sum())} of {len(values)} rows, the first is "
                f"row {int(missing.argmax())}: no answer is neither right nor wrong; "
                f"--leave-out-empty {name} leaves these rows out, and the report says how many"
            )
    if (label.dtype.kind in "US") != (predicted.dtype.kind in "US"):
        text_name, text = (
            (label_name, label) if label.dtype.kind in "US" else (predicted_name, predicted)
        )
        row = int(np.argmax([not re.fullmatch(r"\s*-?[\d.]+\s*", value) for value in text]))
        raise ValueError(
            f"{label_name!r} and {predicted_name!r} are not of one type: row {row} of "
            f"{text_name!r} is {str(text[row])!r}, and the other holds numbers; leave out the rows "
            "without an answer"
        )
    if label.dtype.kind in "US":
        label, predicted = np.char.strip(label), np.char.strip(predicted)
        alike = (np.char.lower(label) == np.char.lower(predicted)) & (label != predicted)
        if alike.any():
            row = int(alike.argmax())
            raise ValueError(
                f"row {row}: {str(label[row])!r} and {str(predicted[row])!r} differ in capitals "
                "only; write the answers in one way"
            )
    return (label == predicted).astype(int)


def _pairs_as_told(named: Any, choice: Any) -> Parts:
    """Return the pairs of a file that the user says to hold pairs."""
    right = choice.y or _only(
        _known(named, CORRECT) or _known(named, LABELS), named, "right or wrong", "--y"
    )
    confidence = choice.scores or _only(
        _known(named, CONFIDENCE) or _known(named, PROBABILITIES, UNSAID),
        named,
        "the confidence",
        "--scores",
    )
    hit, score = _taken(dict(named), right, "--y"), _taken(dict(named), confidence, "--scores")
    return _parts_of_pairs(confidence, score, hit)


def _parts_of_pairs(name: str, score: Any, hit: Any) -> Parts:
    """Return pairs whose confidences are one column of numbers, none of them missing."""
    if score.dtype.kind not in "biuf" or score.size != len(score):
        raise ValueError(f"{name!r} is not one column of numbers, such as 0.95")
    missing = np.isnan(score.ravel())
    if missing.any():
        raise ValueError(
            f"{name!r} is empty in {int(missing.sum())} of {len(score)} rows, the first is row "
            f"{int(missing.argmax())}: --leave-out-empty {name} "
            "leaves these rows out, and the report says how many they are"
        )
    return Parts(_truth(hit), score, "probabilities", task="pairs", columns=[name])


def _truth(values: Any) -> np.ndarray:
    """Return what says right or wrong as numbers, 1 and 0."""
    if values.dtype.kind != "U":
        return values
    for row, value in enumerate(values):
        if value.strip().lower() not in WORDS:
            raise ValueError(
                f"row {row}: {str(value)!r} says neither right nor wrong, expected one of "
                f"{', '.join(WORDS)}"
            )
    return np.array([WORDS[value.strip().lower()] for value in values])


def _of_columns(named: Any, choice: Any, labelled: Any) -> Parts:
    """Find the labels and the columns of the classes in a table."""
    for name in COUNTERS:
        if name in named and counts_up(named[name]):
            del named[name]
    if "" in named:
        raise ValueError("a column has no name, and does not count the rows")
    pairs = _pairs(named, choice)
    if pairs is not None:
        return pairs
    y_name, y = _labels(named, choice, labelled)
    numbers = {name: column for name, column in named.items() if column.dtype.kind in "biuf"}
    if choice.scores is not None:
        columns = _columns_of(choice.scores, numbers)
        kind = kind_of_name(choice.scores.rstrip("_ .:-"))
    else:
        columns, kind = _prefixed(numbers)
    if not columns:
        left_out = [name for name in named if name not in numbers]
        for name, column in numbers.items():
            _refuse_no_class(name, column, len(numbers))
        columns = {name: name for name in numbers}
        kind = kind_of_name(next(iter(columns))) if len(columns) == 1 else None
    else:
        left_out = [name for name in named if name not in columns]
    if all(name.isdecimal() for name in columns.values()):  # a column is the class that it names
        columns = dict(sorted(columns.items(), key=lambda column: int(column[1])))
    if not columns:
        raise ValueError(f"no column of numbers for the classes, found {few(list(named))}")
    notes = [f"Columns that were left out: {few(left_out)}."] if left_out else []
    table = np.column_stack([numbers[name] for name in columns])
    _refuse_unsaid_pairs(y_name, y, next(iter(columns)), table, choice)
    classes = [str(name) for name in columns.values()] if len(columns) > 1 else None
    scores = table if len(columns) > 1 else table[:, 0]
    return Parts(y, scores, kind, classes, notes=notes, columns=list(columns))


def counts_up(values: Any) -> bool:
    """Tell whether a column counts the rows, from 0 or 1."""
    return (
        len(values) > 0
        and values.dtype.kind in "biuf"
        and bool(values[0] in (0, 1) and (np.diff(values) == 1).all())
    )


def _columns_of(start: Any, numbers: Any) -> Any:
    """Return the columns whose names begin so, with the names of their classes."""
    if start in numbers:
        return {start: start}
    found = {name: name[len(start) :] for name in numbers if name.startswith(start)}
    if not found:
        raise ValueError(f"--scores: no column of numbers is {start!r} or begins so")
    return found


def _prefixed(numbers: Any) -> tuple[dict[str, Any], str | None]:
    """Return columns such as logit_0, logit_1 with the names of their classes, and their kind."""
    sets: dict[str, Any] = {}
    for name in numbers:
        if match := CLASS_COLUMN.fullmatch(name):
            sets.setdefault(match[1].lower(), {})[name] = match[2]
    sets = {start: columns for start, columns in sets.items() if len(columns) > 1}
    if not sets or len(set(next(iter(sets.values())).values())) < 2:
        return {}, None
    if len(sets) > 1:
        raise ValueError(
            f"columns that begin with {few(list(sets))} may all be the classes; say which: "
            "--scores BEGINNING"
        )
    start, columns = next(iter(sets.items()))
    plain = start in ("p", "score", "scores") and not all(v.isdecimal() for v in columns.values())
    if plain and len(columns) < len(numbers):  # words that happen to begin so: pig, pony
        return {}, None
    if start == "p" and not all(name[1:2] in "_ .:-0123456789" for name in columns):
        return {}, None
    return columns, kind_of_name(start)


def _refuse_no_class(name: str, values: Any, n_columns: Any) -> None:
    """Raise a ValueError where a column cannot be a class."""
    named_so = name.strip().lower() in NO_CLASS and n_columns > 1
    if named_so or (len(values) >= 3 and counts_up(values)):
        raise ValueError(
            f"column {name!r} is no class; if so, ignore it: --ignore {name}; or let it name the "
            f"samples: --ids {name}"
        )
