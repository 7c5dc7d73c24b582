"""The contract of files: names, or the user, say which array or column is what.

Classes are columns that bear the values of the labels, or one family of prefixes such as ``prob_``,
or what `scores` names. What is left over is never a class: it is left out, which a note tells, or
the file is refused with the option to type.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from calib_report import values
from calib_report.adapters import (
    LABELS,
    LOGITS,
    PROBABILITIES,
    SCORES,
    Arrays,
    as_numpy,
    from_object,
    joined,
    kind_of,
    places_as_rows,
)
from calib_report.formats import load
from calib_report.outputs import ModelOutputs
from calib_report.values import MOST_ATOL, few, is_empty, texts

PREDICTED = (
    *("pred_label", "predicted_label", "predicted", "prediction", "pred", "y_pred", "y_hat"),
    *("predict", "predicted_class", "pred_class", "answer"),
)
CONFIDENCE = ("confidence", "conf", "confidences", "stated", "certainty", "verbalized", "verbal")
CORRECT = ("correct", "is_correct", "hit", "right", "exact_match", "acc", "correctness")
FAMILY = re.compile(
    r"((?:.*?[._ ])?(?:log_?probs?|log_probability|log_likelihood|probability|probabilities|proba"
    r"|probs?|logits?|scores?|confidence|pred|class|p)"
    r"(?:[_ .:-]+|\s?\(.*=|[(\[]|(?=\d)))(.+?)([)\]]?)",
    re.IGNORECASE,
)
STATISTICS = {"mean", "std", "var", "max", "min", "sum", "margin", "entropy", "top", "top1", "best"}
STATISTICS |= {"label", "class", "conf", "confidence", "loss", "diff", "gap", "true", "pred", "id"}
ID = re.compile(r"(.*[_ .])?(id|ids|uid|uuid|guid|key)|idx|index|(file|image|path|name|picture)s?")
INDEX = ("", "Unnamed: 0", "__index_level_0__", "index")  # how pandas writes the index of a table
SETS = {"test": "test", "train": "train", "training": "train"}
SETS |= dict.fromkeys(("calibration", "calib", "cal", "val", "valid", "validation", "dev"), "held")
OF_SET = re.compile(rf"({'|'.join(SETS)})[_.](.+)|(.+)[_.]({'|'.join(SETS)})", re.IGNORECASE)


@dataclass(frozen=True)
class Said:
    """What the user says of a file, see :func:`read`; `labelled` if the labels are in it."""

    y: str | None = None
    scores: str | None = None
    kind: str | None = None
    labels_from: int | None = None
    classes: list[str] | None = None
    groups: tuple[str, ...] = ()
    clusters: str | None = None
    ids: str | None = None
    ignore: tuple[str, ...] = ()
    ignore_index: tuple[int, ...] = ()
    leave_out_empty: tuple[str, ...] = ()
    multilabel: bool = False
    pairs: bool | None = None
    positive: str | None = None
    percent: float | None = None
    class_axis: int | None = None
    atol: float | None = None
    labelled: bool = True


Named = dict[str, np.ndarray]
GIVEN = "y given apart"  # name of labels from another place


@dataclass
class Parts:
    """What was found; `columns` are the names of the scores in the file, in order of the classes.

    `y` is empty where there are no labels. `doubt` says what to type unless the scores prove to be
    probabilities. `beside` holds groups, clusters and ids under (what, name).
    """

    y: np.ndarray
    scores: np.ndarray
    kind: str | None
    columns: list[str]
    classes: list[str] | None = None
    y_name: str = "y"
    task: str = "classes"
    doubt: str = ""
    held: Named = field(default_factory=dict)
    beside: dict[tuple[str, str], np.ndarray] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def read(
    source: Any,
    *,
    X: Any = None,
    y: Any = None,
    scores: str | None = None,
    kind: str | None = None,
    labels: str | PathLike[str] | None = None,
    labels_from: int | None = None,
    classes: Sequence[str] | None = None,
    positive: object = None,
    percent: bool | float | None = None,
    groups: Any = (),
    clusters: Any = None,
    ids: Any = None,
    ignore: str | Sequence[str] = (),
    ignore_index: int | Sequence[int] | None = None,
    leave_out_empty: str | Sequence[str] = (),
    multilabel: bool = False,
    pairs: bool | None = None,
    class_axis: int | None = None,
    atol: float | None = None,
) -> ModelOutputs:
    """Read the outputs of a model, with the labels of its samples.

    Parameters
    ----------
    source : str, Path or object
        A file, or a list of files of one layout, whose rows follow each other and whose names
        become the column ``file``. Read are npz, npy, csv, tsv, txt, parquet, feather, json, json
        lines, torch's pt and safetensors; text may be gzipped. Or arrays, tensors, a pair
        (y, scores), a dict of them, a data frame, or a fitted classifier with `X` and `y`.
    X : array_like, optional
        Samples, where `source` is a classifier in the manner of scikit-learn.
    y : str or array_like, optional
        The labels, or the name of their array or column. Known names, such as ``labels`` or
        ``y_true``, are found without.
    scores : str, optional
        Name of the array or column of logits or probabilities, names of columns with commas
        between them, or what the columns of classes begin with.
    kind : {"logits", "probabilities"}, optional
        What the scores are, where neither their name nor their values say it.
    labels : str or Path, optional
        A second file, of the labels. Where both files hold names of the samples, found or named by
        `ids`, they are joined on them, else paired by position.
    labels_from : {0, 1}, optional
        The number of the first class in the labels.
    classes : list of str, optional
        Names of the classes in the order of the scores.
    positive : str, optional
        The label of which one column of scores is the probability.
    percent : bool or float
        Probabilities are per cent, or parts of this number, such as 255.
    groups : str, sequence of str, or dict of str to array_like
        Columns whose values part the samples into groups, such as hospitals.
    clusters : str or array_like, optional
        What tells which samples belong together, such as the image of a pixel: intervals then
        resample clusters.
    ids : str or array_like, optional
        What names the samples; found by names such as ``id`` where each is there once.
    ignore : str or sequence of str
        Columns or arrays to leave out.
    ignore_index : int or sequence of int, optional
        Samples with this label are left out; of several labels, these entries.
    leave_out_empty : str or sequence of str
        Columns or arrays whose empty rows are left out, such as a confidence that was not stated; a
        note says how many.
    multilabel : bool
        Read labels (n, K) of 0 and 1 as K yes-or-no questions even if each row has a single 1.
    pairs : bool, optional
        Whether the scores are the confidence in an answer, and the labels say whether it was right.
        By default names such as ``confidence`` and ``correct`` say so.
    class_axis : int, optional
        Axis of the classes in scores of more than two axes, where the shapes leave it open.
    atol : float, optional
        How far from one the sum of a row of probabilities may be, at most 0.05; by default what
        rounding to the digits written explains. Rows are then divided by their sums.

    Returns
    -------
    ModelOutputs

    Raises
    ------
    ValueError
        Where it is not clear which part is what, or a part is not what it should be; the message
        names the file and the option to type.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> outputs = read({"labels": [0, 1], "probs": [[0.9, 0.1], [0.4, 0.6]]})
    >>> outputs.kind, outputs.y.tolist()
    ('probabilities', [0, 1])
    """
    if kind not in (None, "logits", "probabilities"):
        raise ValueError(f"kind: {kind!r}, expected 'logits' or 'probabilities'")
    if atol is not None and not 0 <= atol <= MOST_ATOL:
        raise ValueError(f"atol: {atol}, expected at most {MOST_ATOL}: rounding explains no more")
    if not isinstance(labels_from, int | None):
        raise TypeError(f"labels_from: {labels_from!r}, expected 0 or 1")
    if not isinstance(multilabel, bool):
        raise TypeError(f"multilabel: {multilabel!r}, expected True or False")
    if not isinstance(scores, str | None):
        raise TypeError(f"scores: {scores!r}, expected the name of an array or columns")
    if not isinstance(labels, str | PathLike | None):
        raise TypeError(f"labels: {labels!r}, expected the path of a file")
    given: Named = {}  # arrays in memory stand among those of the file, under a name of their own

    def name_of(what: str, value: Any) -> str | None:
        if value is None or isinstance(value, str):
            return value
        given[f"{what} given apart"] = as_numpy(value, what)
        return f"{what} given apart"

    if isinstance(groups, dict):
        given |= {name: as_numpy(group, "groups") for name, group in groups.items()}
    said = Said(
        y=name_of("y", y),
        scores=scores,
        kind=kind,
        labels_from=labels_from,
        classes=None if classes is None else [str(name) for name in classes],
        groups=_several(groups),
        clusters=name_of("clusters", clusters),
        ids=name_of("ids", ids),
        ignore=_several(ignore),
        ignore_index=() if ignore_index is None else tuple(np.atleast_1d(ignore_index).tolist()),
        leave_out_empty=_several(leave_out_empty),
        multilabel=multilabel,
        pairs=pairs,
        positive=None if positive is None else str(positive),
        percent=100.0 if percent is True else percent or None,
        class_axis=class_axis,
        atol=atol,
    )
    with _naming(source):
        arrays = _loaded(source, X)
        if labels is not None:
            with _naming(labels):
                y, told, names = _labels_of_file(load(labels).named, arrays.named, said)
            arrays.notes.append(told)
            said = replace(said, y=name_of("y", y), classes=said.classes or names)
        arrays.named.update(given)
        return _outputs(find(arrays, said), said)


def read_new(source: Any, **options: Any) -> tuple[str, np.ndarray, list[str] | None, list[str]]:
    """Read outputs whose labels are not needed; options are fields of :class:`Said`.

    Returned are the kind, "logits" or "probabilities"; the scores, shape (n, K); the names of the
    classes, or None; and the names under which the scores stand in the file.
    """
    said = Said(**options, labelled=False)
    with _naming(source):
        parts = _of_kind(find(_loaded(source), said), said)
        return str(parts.kind), parts.scores, parts.classes, parts.columns


@contextmanager
def _naming(source: Any) -> Iterator[None]:
    """Put the name of the file before what is said of it."""
    try:
        yield
    except ValueError as error:
        if isinstance(source, str | PathLike):
            raise ValueError(f"{source}: {error}") from None
        raise


def _several(names: str | Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def is_files(source: Any) -> bool:
    """Tell whether a source is a list of files."""
    several = isinstance(source, list | tuple) and len(source) > 0
    return several and all(isinstance(path, str | PathLike) for path in source)


def _loaded(source: Any, X: Any = None) -> Arrays:
    if not is_files(source):
        return load(source) if isinstance(source, str | PathLike) else from_object(source, X)
    parts = []
    for path in source:
        with _naming(path):
            parts.append(load(path))
    return joined(parts, [Path(path).name for path in source])


def _known(names: Iterable[str], *synonyms: Sequence[str]) -> list[str]:
    """Return the names that are, or whose last part is, among synonyms, whatever their case."""
    wanted = {word for words in synonyms for word in words}
    low = {name: name.strip().lower() for name in names}
    whole = [name for name in low if low[name] in wanted]
    return whole or [name for name in low if low[name].rpartition(".")[2] in wanted]


def _only(found: list[str], named: Named, what: str, option: str, hint: str = "NAME") -> str:
    """Return the one name that was found; more or none is an error."""
    if len(found) == 1:
        return found[0]
    told = f"{few(found)} may all be {what}" if found else f"none has a name that says {what}"
    raise ValueError(f"{told}; the file holds {few(named)}; say which: {option} {hint}")


def _get(named: Named, name: str, option: str) -> np.ndarray:
    if name not in named:
        raise ValueError(f"{option}: there is no {name!r}, found {few(named)}")
    return named[name]


def find(arrays: Arrays, said: Said) -> Parts:
    """Return which array or column is what; a ValueError says what to type where it is not said."""
    named, notes = dict(arrays.named), [*arrays.notes]
    notes += [_leave_out(named, name) for name in said.leave_out_empty]
    asked = [("ignore", name) for name in said.ignore] + [("groups", name) for name in said.groups]
    single = ("clusters", said.clusters), ("ids", said.ids)
    asked += [(what, name) for what, name in single if name is not None]
    beside = {(what, name): _get(named, name, f"--{what}") for what, name in asked}
    gone = {name for _, name in asked}
    named = {name: array for name, array in named.items() if name not in gone}
    for name in [] if said.ids else _id_names(named)[:1]:
        if len(np.unique(named[name])) == len(named[name]):
            beside["ids", name] = named.pop(name)
            notes.append(f"Samples are named by {name!r}.")
    held: Named = {}
    full = {name: name for name in named}
    if arrays.table:
        named = {n: a for n, a in named.items() if n not in INDEX or not _counts_up(a)}
        if "" in named:
            raise ValueError("a column has no name, and does not count the rows")
    else:
        named, held, full, left = _sets(named)
        notes += [f"Left out, as of the training set: {few(left)}."] * bool(left)
        back = {name: rest for rest, name in full.items()} | {None: None}
        said = replace(said, y=back.get(said.y, said.y), scores=back.get(said.scores, said.scores))
    parts = _pairs(named, said) or _of_classes(named, said, arrays.classes)
    if held and said.labelled:
        other = _array_of_scores(held, said)
        if kind_of(other) != kind_of(parts.columns[0]):
            raise ValueError(f"the calibration set holds {other!r}, the other {parts.columns[0]!r}")
        held_y = _only(_known(held, LABELS), held, "the labels of the calibration set", "--ignore")
        parts.held = {"y": held[held_y], "scores": held[other]}
    parts.columns = [full.get(name, name) for name in parts.columns]
    parts.kind = arrays.kind or parts.kind
    parts.beside = {key: array for key, array in beside.items() if key[0] != "ignore"}
    parts.notes = [*notes, *parts.notes]
    return parts


def _leave_out(named: Named, column: str) -> str:
    """Leave out the rows in which a column is empty, and say how many they are."""
    column = GIVEN if column not in named and GIVEN in named else column
    empty = is_empty(_get(named, column, "--leave-out-empty"))
    if empty.ndim > 1:  # of labels in columns, single entries are left out later
        return f"Empty entries of {column!r} are left out."
    for name, array in named.items():
        if len(array) != len(empty):
            raise ValueError(f"--leave-out-empty: {name!r} has other rows than {column!r}")
        named[name] = array[~empty]
    return (
        f"{int(empty.sum())} of {len(empty)} rows leave {column!r} empty and are left out: every "
        f"number is of the other {int((~empty).sum())}."
    )


def _id_names(named: Named) -> list[str]:
    """Return columns that name samples, but for an index that only counts the rows."""
    some = {n: a for n, a in named.items() if ID.fullmatch(n.strip().lower()) or n in INDEX}
    some = {n: a for n, a in some.items() if a.ndim == 1 and a.dtype.kind in "iuU"}
    return [n for n, a in some.items() if n not in INDEX or not _counts_up(a)]


def _counts_up(column: np.ndarray) -> bool:
    """Tell whether a column counts the rows, from 0 or 1."""
    if len(column) == 0 or column.dtype.kind not in "iuf":
        return False
    return bool(column[0] in (0, 1) and (np.diff(column) == 1).all())


def in_set(name: str) -> tuple[str, str]:
    """Return which set an array is of, "test", "held", "train" or "", and its name without that.

    Examples
    --------
    >>> in_set("val_logits"), in_set("y_test"), in_set("logits")
    (('held', 'logits'), ('test', 'y'), ('', 'logits'))
    """
    match = OF_SET.fullmatch(name)
    rest = (match[2] or match[3]) if match else name
    if match and _known([rest], LABELS, LOGITS, PROBABILITIES, SCORES):
        return SETS[(match[1] or match[4]).lower()], rest
    return "", name


def _sets(named: Named) -> tuple[Named, Named, dict[str, str], list[str]]:
    """Return arrays to judge and of a calibration set, full names, and those of a training set."""
    sets: dict[str, dict[str, str]] = {"": {}, "test": {}, "held": {}, "train": {}}
    scores = LOGITS, PROBABILITIES, SCORES
    for name in named:
        of, rest = in_set(name)
        sets[of][rest] = name
    if sets["test"] and _known(sets[""], LABELS, *scores):
        raise ValueError(f"two sets, one of them named 'test': --ignore one, found {few(named)}")
    main, held = sets[""] | sets["test"], sets["held"]
    if held and not _known(main, *scores):
        main, held = main | held, {}
    arrays = [{rest: named[name] for rest, name in of.items()} for of in (main, held)]
    return arrays[0], arrays[1], main, list(sets["train"].values())


def _of_classes(named: Named, said: Said, listed: list[str] | None) -> Parts:
    """Find labels and scores of classes."""
    _refuse_times(named)
    y_names = [said.y] if said.y else _known(named, LABELS) if said.labelled else []
    y_name = _only(y_names, named, "the labels", "--y") if y_names else ""
    y = _get(named, y_name, "--y") if y_name else np.empty(0)
    named = {name: array for name, array in named.items() if name != y_name or not y_name}
    if list(named) == [""]:
        if said.labelled and not y_name:
            raise ValueError("this is one array; its labels are a second: --labels FILE")
        return Parts(y, named[""], None, [""], said.classes or listed)
    for name in _known(named, ["classes", "class_names"]):
        listed = named.pop(name).ravel().astype(str).tolist()
    try:
        found = _scores(named, said.classes or _values(y), said)
    except ValueError:
        if said.labelled and not y_name:
            _refuse_no_labels(named, [])
        raise
    for word in LABELS if said.labelled and not y_name and found.classes else ():
        of_labels = [f"{word}_{name}" for name in found.classes or []]
        if set(of_labels) <= set(named):
            y_name, y = word, np.column_stack([named.pop(column) for column in of_labels])
    if said.labelled and not y_name:
        _refuse_no_labels(named, found.columns)
    if said.classes and {*said.classes} & {*(listed or [])} and said.classes != listed:
        raise ValueError(f"the file names its classes {few(listed or [])}, not {few(said.classes)}")
    found.y, found.y_name, found.classes = y, y_name, said.classes or found.classes or listed
    _refuse_unsaid_pairs(found, said)
    columns = set(found.columns)
    left = [name for name in named if name not in columns]
    found.notes += [f"Columns that were left out: {few(left)}."] * bool(left)
    labels = f"; labels from {y_name!r}" * bool(y_name and y_name != GIVEN)
    found.notes.append(f"Scores are read from {few(found.columns, 4)}{labels}.")
    return found


def _refuse_no_labels(named: Named, columns: list[str]) -> None:
    """Raise a ValueError that names a column that may be the labels."""
    some = {n: a for n, a in named.items() if n not in columns and n.lower() not in PREDICTED}
    text = [name for name, array in some.items() if array.dtype.kind in "iuU"]
    _only([], named, "the labels", "--y", f"{(text or ['NAME'])[0]}, or --labels FILE")


def _values(y: np.ndarray) -> list[str]:
    """Return the values of labels as text."""
    return sorted({*texts(np.unique(y[~is_empty(y)])).tolist()}) if y.ndim == 1 and len(y) else []


def _refuse_times(named: Named) -> None:
    names = {name.strip().lower() for name in named}
    times = names & {"time", "duration", "survival_time", "tte", "followup"}
    if times and names & {"event", "censored", "observed", "death"} and not _known(named, LABELS):
        raise ValueError(
            "these are times to an event, which calib does not judge: the package scikit-survival "
            "does; of a question such as 'within a year?', save label and probability"
        )


def _array_of_scores(named: Named, said: Said) -> str:
    """Return the name of the array, or of the one column, of scores."""
    found = [said.scores] if said.scores in named else _candidates(named)
    floats = [name for name in found if named[name].dtype.kind in "fU"]  # not predicted classes
    wide = [name for name in floats if named[name].ndim > 1]
    found = found if len(found) < 2 else wide or floats or found
    unknown = [name for name, array in named.items() if array.ndim > 1]
    numbers = {n: a.dtype.kind for n, a in named.items() if a.ndim == 1 and a.dtype.kind in "iuf"}
    columns = [name for name, kind in numbers.items() if kind == "f"] or list(numbers)
    starts = {re.sub(r"\d+$", "", name) for name in columns}
    start = starts.pop() if len(starts) == 1 < len(columns) else ""
    hint = (unknown or ([start] if start else [",".join(columns[:20])]))[0]
    hint = "NAME" if found or not hint else hint
    return _only(found, named, "the logits or probabilities", "--scores", hint)


def _candidates(named: Named) -> list[str]:
    """Return arrays that are named as scores, but for words, such as of predicted classes."""
    found = _known(named, LOGITS, PROBABILITIES, SCORES)
    words = [n for n in found if named[n].dtype.kind == "U" and named[n].ndim == 1]
    words = [n for n in words if not any(values.NUMBER.match(v.strip()) for v in named[n])]
    return [name for name in found if name not in words]


def _scores(named: Named, labels: list[str], said: Said) -> Parts:
    """Return the scores: an array, the columns of a family, or one column."""
    wide = [name for name in _candidates(named) if named[name].ndim > 1]
    families: dict[tuple[str, str], dict[str, str]] = {}
    members, doubt, start = {}, "", said.scores or ""
    if said.scores is not None and said.scores not in named:
        members = _as_said(named, said.scores)
    elif said.scores is None and not wide:
        families = _families(named, labels)
        several = {of: family for of, family in families.items() if len(family) > 1}
        whole = {of: family for of, family in several.items() if labels and {*labels} <= {*family}}
        if len(several := whole or several) > 1:
            options = [f"--scores {of[0] or ','.join(f.values())}" for of, f in several.items()]
            raise ValueError(f"several sets of columns may be the classes: {' or '.join(options)}")
        for (start, _), family in several.items():
            members, doubt = _members(named, start, family, labels, said)
            for name in _known(named, LOGITS, PROBABILITIES):  # it may be that one instead
                doubt = f"say which: --scores {start or ','.join(family.values())} or {name}"
    classes = list(members) if len(members) > 1 else None
    for (one, _), family in families.items():  # one column, such as prob_yes beside yes and no
        if not members and len(labels) == 2 and len(family) == 1 and {*family} < {*labels}:
            rivals = [name for name in _candidates(named) if named[name].dtype.kind in "fU"]
            if rivals:
                _only([*family.values(), *rivals], named, "the scores", "--scores")
            members, start = family, one
            classes = sorted(labels, key=lambda label: label in members)
    if not members:
        name = _array_of_scores(named, said)
        members, start = {name: name}, name
    columns = [values.numbers(name, named[name]) for name in members.values()]
    scores = np.column_stack(columns) if len(columns) > 1 else columns[0]
    kind = kind_of(re.split(r"[_ .:(\[-]*$", start)[0])
    return Parts(np.empty(0), scores, kind, list(members.values()), classes, doubt=doubt)


def _as_said(named: Named, scores: str) -> dict[str, str]:
    """Return the columns that the user names, all of them or what they begin with, by class."""
    listed = [name.strip() for name in scores.split(",")]
    if len(listed) > 1:
        return {name: name for name in listed if len(_get(named, name, "--scores"))}
    found = {name[len(scores) :]: name for name in named if name.startswith(scores)}
    found = {c: n for c, n in found.items() if c.lower() not in STATISTICS}
    if not found:
        raise ValueError(f"--scores: no column is {scores!r} or begins so, found {few(named)}")
    by_number = all(name.isdecimal() for name in found)
    return dict(sorted(found.items(), key=lambda of: int(of[0]))) if by_number else found


def _families(named: Named, labels: list[str]) -> dict[tuple[str, str], dict[str, str]]:
    """Return columns by what they begin and end with, each under the class that it names."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    single = {*PREDICTED, *CONFIDENCE, *CORRECT, *LABELS, *LOGITS, *PROBABILITIES, *SCORES}
    for name in named:
        match = FAMILY.fullmatch(name)
        if match and name.strip(" .").lower() not in single and named[name].ndim == 1:
            if match[2].lower() not in STATISTICS or match[2] in labels:
                found.setdefault((match[1], match[3]), {})[match[2]] = name
        if name.isdecimal():
            found.setdefault(("", ""), {})[name] = name
    ends = [] if all(label.isdecimal() for label in labels) else ["", ")", "]", '"']
    for name, end in ((name, end) for name in named for end in ends):
        start = name.removesuffix(labels[0] + end)
        family = {label: f"{start}{label}{end}" for label in labels}
        if start != name and not start[-1:].isalnum() and {*family.values()} <= {*named}:
            found[start, end] = family | found.get((start, end), {})
    return found


def _members(
    named: Named, start: str, family: dict[str, str], labels: list[str], said: Said
) -> tuple[dict[str, str], str]:
    """Return the columns of a family in the order of the classes, and what speaks against them."""
    if said.classes is not None and set(said.classes) <= set(family):
        return {name: family[name] for name in said.classes}, ""
    if digits := sorted((name for name in family if name.isdecimal()), key=int):
        if other := [name for label, name in family.items() if not label.isdecimal()]:
            raise ValueError(f"{other[0]!r} is among {few(family.values())}: --ignore {other[0]}")
        for k in range(min(int(digits[0]), 1), int(digits[-1])):
            if str(k) not in family:
                raise ValueError(f"columns {few(family.values())}, but none is {start}{k}")
        rare = [family[name] for name in digits if name not in labels] if start == "" else []
        every = ",".join(family[name] for name in digits)
        doubt = f"no label is {rare[0]}: --ignore {rare[0]}, or --scores {every}" if rare else ""
        return {name: family[name] for name in digits}, doubt * bool(labels)
    order = {name: k for k, name in enumerate(named)}
    members = dict(sorted(family.items(), key=lambda of: order[of[1]]))
    if all(re.fullmatch(r"-?\d+", label) for label in labels):
        return members, ""
    if unknown := [label for label in labels if label not in family]:
        raise ValueError(f"no column is of the label {unknown[0]!r}: found {few(family.values())}")
    floats = [n for n, a in named.items() if a.ndim == 1 and a.dtype.kind == "f"]
    others = [name for label, name in members.items() if label not in labels]
    others = others if start else [name for name in floats if name not in family]
    if others:
        every = ",".join([*members.values(), *others])
        rest = "--classes FILE of all classes" if start else f"--scores {every}"
        return members, f"no label is {others[0]!r}: --ignore {others[0]}, or if a class, {rest}"
    if start == "" or FAMILY.match(f"{start}x"):
        return members, ""
    return members, f"{few(family.values(), 3)} may be counts: if they are scores, --scores {start}"


def _refuse_unsaid_pairs(found: Parts, said: Said) -> None:
    """Refuse one column that may be a confidence, or a probability of the second of two classes."""
    name, y = found.columns[0], found.y
    if found.scores.size != len(found.scores) or y.dtype.kind == "U" or not len(y):
        return
    sure = _words(name) & {*CONFIDENCE, "sure"} or _words(found.y_name) & {*CORRECT}
    if said.pairs is None and said.positive is None and sure and np.isin(y, (0, 1)).all():
        raise ValueError(
            f"{name!r} may be the confidence in an answer that {found.y_name!r} says to be right "
            "or wrong: then say --pairs; or the probability of the second of two classes: then say "
            "--no-pairs"
        )


def _words(name: str) -> set[str]:
    return set(re.split(r"[^a-z]+", name.strip().lower()))


def _pairs(named: Named, said: Said) -> Parts | None:
    """Return pairs of a confidence and whether the answer was right; None where there are none."""
    if said.pairs is False or (not said.pairs and (said.scores or said.y)):
        return None
    confidence, right = _known(named, CONFIDENCE), _known(named, CORRECT)
    labels, predicted = _known(named, LABELS), _known(named, PREDICTED)
    if said.pairs:
        some = confidence or _known(named, PROBABILITIES, SCORES)
        name = said.scores or _only(some, named, "the confidence", "--scores")
        _refuse_empty(name, _get(named, name, "--scores"))
        if not said.labelled:
            return _of_pairs(named, name, np.zeros(len(named[name])))
        verdict = said.y or _only(right or labels, named, "right or wrong", "--y")
        return _of_pairs(named, name, values.truth(verdict, _get(named, verdict, "--y")))
    if len(right) == 1 and not confidence and not labels and said.labelled:
        floats = [name for name in named if named[name].dtype.kind == "f"]
        sure = [name for name in floats if _words(name) & {*CONFIDENCE, "sure"}]
        hint = (sure or floats or ["NAME"])[0]
        _only([], named, f"the confidence that {right[0]!r} judges", "--pairs --scores", hint)
    if len(confidence) != 1 or not (right or (labels and predicted)):
        return None
    agreed = np.empty(0)
    if len(labels) == len(predicted) == 1:
        agreed = _agreed(labels[0], named[labels[0]], predicted[0], named[predicted[0]])
    _refuse_empty(confidence[0], named[confidence[0]])
    if right:
        _only(right, named, "right or wrong", "--pairs --y")
        hit = values.truth(right[0], named[right[0]])
        verdicts = bool(predicted) and not len(agreed)
        verdicts = verdicts and bool(labels or np.isin(named[predicted[0]], (0, 1)).all())
        vectors = any(len(family) > 1 for family in _families(named, []).values())
        vectors |= bool(_known(named, LOGITS, PROBABILITIES))
        if vectors or verdicts or (len(agreed) and (agreed != hit).any()):
            raise ValueError(
                f"{right[0]!r} may be the verdict on an answer of which {confidence[0]!r} is the "
                f"confidence: then say --pairs; or not, as the file holds {few(named)}: then say "
                "--no-pairs"
            )
        return _of_pairs(named, confidence[0], hit)
    beside = {*labels, *predicted, *confidence, *_id_names(named)}
    if not len(agreed) or any(a.dtype.kind == "f" for n, a in named.items() if n not in beside):
        return None
    found = _of_pairs(named, confidence[0], agreed)
    found.notes.append(f"Right is where {labels[0]!r} equals {predicted[0]!r}.")
    two = _values(named[predicted[0]])
    second = texts(named[predicted[0]]) == two[-1]
    if len(two) == 2 and ((found.scores.ravel() >= 0.5) == second).all():
        raise ValueError(
            f"{confidence[0]!r} is below one half where {predicted[0]!r} is {two[0]!r}, so it is "
            f"the probability of {two[1]!r}: --no-pairs --scores {confidence[0]} --y {labels[0]} "
            f"--positive {two[1]}"
        )
    return found


def _agreed(label_name: str, label: np.ndarray, name: str, answer: np.ndarray) -> np.ndarray:
    """Return where labels and predictions are equal, 1 and 0; what is doubtful is refused."""
    _refuse_empty(label_name, label)
    _refuse_empty(name, answer)
    one, other = texts(label), texts(answer)
    doubtful = (np.char.lower(one) == np.char.lower(other)) & (one != other)
    if (label.dtype.kind == "U") != (answer.dtype.kind == "U"):
        text = one if label.dtype.kind == "U" else other
        doubtful |= np.array([values.NUMBER.fullmatch(value) is None for value in text])
    if doubtful.any():
        row = int(doubtful.argmax())
        raise ValueError(
            f"row {row}: {label_name!r} is {str(one[row])!r} and {name!r} is {str(other[row])!r}: "
            "write the answers in one way, and leave out rows without an answer"
        )
    return (one == other).astype(int)


def _refuse_empty(name: str, column: np.ndarray) -> None:
    empty: np.ndarray = is_empty(column).reshape(len(column), -1).max(axis=1)
    if empty.any():
        raise ValueError(
            f"{name!r} is empty in {int(empty.sum())} of {len(empty)} rows, the first is row "
            f"{int(empty.argmax())}: --leave-out-empty {name} leaves such rows out"
        )


def _of_pairs(named: Named, name: str, hit: np.ndarray) -> Parts:
    """Return pairs whose confidences are one column of numbers, none of them missing."""
    score = _get(named, name, "--scores")
    if score.size != len(score):
        raise ValueError(f"{name!r} is not one column of numbers, such as 0.95")
    score = values.numbers(name, score)
    return Parts(hit, score, "probabilities", [name], ["wrong", "right"], task="pairs")


def _labels_of_file(
    theirs: Named, ours: Named, said: Said
) -> tuple[np.ndarray, str, list[str] | None]:
    """Return the labels of a second file in the order of the first, and how they were paired.

    Of labels that have a column each, their names are the third.
    """
    names = [n for n in theirs if n not in (*_id_names(theirs), *INDEX, said.ids)] or list(theirs)
    marks = [theirs[name] for name in names if theirs[name].dtype.kind in "biuf"]
    marks = [mark for mark in marks if np.isin(mark[~is_empty(mark)], (-1, 0, 1)).all()]
    classes = None
    if said.y is None and 1 < len(names) == len(marks) and not _known(names, LABELS):
        y, classes = np.column_stack([theirs[name] for name in names]), names
    else:
        found = [said.y] if said.y else names if len(names) == 1 else _known(names, LABELS)
        y = _get(theirs, _only(found, theirs, "the labels", "--y"), "--y")
    for a, b in _paired_ids(theirs, ours, said):
        first, second = texts(ours[a]).tolist(), texts(theirs[b]).tolist()
        for some in (first, second):
            if len({*some}) < len(some):
                twice = next(name for row, name in enumerate(some) if name in some[:row])
                raise ValueError(
                    f"{twice!r} stands twice in {a!r}: --ids NAME of what names each sample once; "
                    f"--ignore {a} pairs the files by position"
                )
        lacking = {*first} - {*second} or (set() if said.leave_out_empty else {*second} - {*first})
        if lacking:
            raise ValueError(
                f"{len(lacking)} names in {a!r} are in one of the two files only, such as "
                f"{min(lacking)!r}; --ignore {a} pairs the files by position"
            )
        place = {name: row for row, name in enumerate(second)}
        return y[[place[name] for name in first]], f"Labels are joined on {a!r}.", classes
    n = max(map(len, ours.values()), default=0)
    if len(y) != n:
        raise ValueError(f"{len(y)} labels, and {n} rows of scores")
    return y, "Labels of the second file are paired by position, row by row.", classes


def _paired_ids(theirs: Named, ours: Named, said: Said) -> list[tuple[str, str]]:
    """Return columns of two files that name the same samples, at most one pair of them."""
    if said.ids is not None:
        _get(ours, said.ids, "--ids")
        _get(theirs, said.ids, "--ids")
        return [(said.ids, said.ids)]
    for name in set(INDEX) & {*ours} & {*theirs} - {*said.ignore}:
        one, other = ours[name], theirs[name]
        same = one.ndim == other.ndim == 1 and {*one.tolist()} == {*other.tolist()}
        if same and _counts_up(one) != _counts_up(other):
            raise ValueError(
                f"rows are numbered in both files, in other orders: --ids {name!r} joins them on "
                f"the numbers, --ignore {name!r} pairs them by position"
            )
    both = [(a, b) for a in _id_names(ours) for b in _id_names(theirs) if a not in said.ignore]
    alike = [pair for pair in both if pair[0] == pair[1]]
    for a, b in [] if alike else both:  # other names of what is, for the most part, the same
        first, second = {*texts(ours[a])}, {*texts(theirs[b])}
        alike += [(a, b)] * (2 * len(first & second) > len(first))
    return alike[:1]


def _of_kind(parts: Parts, said: Said) -> Parts:
    """Return parts whose scores are checked logits or probabilities, a column a class."""
    options = said.kind, said.percent, said.atol
    try:
        scores, kind, notes = values.settled(parts.scores, parts.kind, *options)
        if parts.doubt and kind == "logits":
            raise ValueError("logits do not tell which columns are classes")
    except ValueError as error:
        raise ValueError(f"{error}; {parts.doubt}" if parts.doubt else str(error)) from None
    if scores.size == len(scores) and parts.task == "classes":
        notes.append(
            "One column of scores: it is read as that of the second of two classes, and errors are "
            "of the more probable one. If it is the confidence in an answer and the labels say "
            "whether that was right, or errors of this column as it stands are wanted: --pairs."
        )
    scores = values.both_classes(scores, kind)
    if parts.held:
        held = values.settled(parts.held["scores"], kind, *options)[0]
        parts.held["scores"] = values.both_classes(held, kind)
    names = set(parts.classes or [])
    if names and not len(names) == len(parts.classes or []) == scores.shape[1]:
        raise ValueError(f"classes: {len(names)} different names for {scores.shape[1]} classes")
    if parts.kind is None and kind == "logits":
        notes.append("Nothing says whether these are logits; by their values they are.")
    return replace(parts, scores=scores, kind=kind, notes=parts.notes + notes)


def _outputs(parts: Parts, said: Said) -> ModelOutputs:
    """Return the parts as checked outputs."""
    if parts.scores.ndim == 0:
        raise ValueError(f"scores: {parts.scores}, expected rows of numbers")
    if parts.scores.ndim > 2:
        y, scores, image = places_as_rows(parts.y, parts.scores, said.class_axis)
        parts = _rows(replace(parts, y=y, scores=scores), image)
        parts.notes.append(f"{image[-1] + 1} images; intervals resample images, not their parts.")
    if parts.y.ndim == 2 and parts.y.shape[1] > 1:
        parts = _of_columns(parts, said)
    y = parts.y.reshape(-1)
    if len(y) != len(parts.scores):
        raise ValueError(f"y: {len(y)} labels, expected {len(parts.scores)}")
    ignored = np.isin(y, said.ignore_index)
    ignored |= is_empty(y) & (parts.task == "labels")
    if ignored.any():
        which = " or ".join(map(str, said.ignore_index)) or "that is empty"
        parts.notes.append(f"{ignored.sum()} samples with the label {which} are left out.")
        kept = replace(parts, y=y[~ignored], scores=parts.scores[~ignored])
        parts = _rows(kept, np.flatnonzero(~ignored), are_clusters=False)
    if said.positive is not None:
        parts = _of_positive(parts, said.positive)
    parts = _of_kind(parts, said)
    k, names = parts.scores.shape[1], parts.classes
    y = values.numbered(parts.y, names, k, said.labels_from, parts.y_name)
    beside = {what: array for (what, _), array in parts.beside.items()}
    groups = {n: _group_names(a) for (what, n), a in parts.beside.items() if what == "groups"}
    outputs = ModelOutputs(
        y,
        logits=parts.scores if parts.kind == "logits" else None,
        probabilities=parts.scores if parts.kind != "logits" else None,
        class_names=[*map(str, names or range(first := said.labels_from or 0, first + k))],
        task=parts.task,
        groups=groups,
        clusters=beside.get("clusters"),
        ids=beside.get("ids"),
    )
    by_name = names is not None and {*_values(parts.y)} <= {*names}
    if said.labels_from is None and not by_name and k > 2 and y.min() > 0:
        values.refuse_shifted(y, outputs.prob)
    notes, held = [*values.looks_wrong(outputs), *parts.notes], None
    if names is not None and not by_name and parts.columns[1:]:
        notes.append(f"Labels are numbers of the columns, as they stand: 0 is {names[0]!r}.")
    if parts.held:
        held_y = values.numbered(parts.held["y"], names, k, said.labels_from, "calibration y")
        known = {str(parts.kind): parts.held["scores"]}
        held = ModelOutputs(held_y, task=parts.task, **known)  # type: ignore[arg-type]
        values.refuse_shared(outputs.known, held.known)
    clusters = values.copies(outputs) if outputs.clusters is None else None
    if clusters is not None:
        notes.append(
            f"{len(y) - len(np.unique(clusters))} of {len(y)} rows repeat another, label "
            "included: copies of a sample are one cluster, which folds and intervals do not part."
        )
    clusters = outputs.clusters if clusters is None else clusters
    # all of it is checked: setting the rest of a frozen object spares a second check, and softmax
    outputs.__dict__.update(calibration=held, clusters=clusters, notes=tuple(notes))
    return outputs


def _rows(parts: Parts, rows: np.ndarray, are_clusters: bool = True) -> Parts:
    """Return what stands beside the scores for some rows; rows of one sample are a cluster."""
    beside = {key: np.asarray(array)[rows] for key, array in parts.beside.items()}
    if are_clusters and not any(what == "clusters" for what, _ in beside):
        beside["clusters", ""] = rows
    return replace(parts, beside=beside)


def _of_columns(parts: Parts, said: Said) -> Parts:
    """Read labels (n, K) of 0 and 1: one-hot, or a yes-or-no question a label."""
    y, scores = parts.y, parts.scores
    if y.shape != scores.shape or y.dtype.kind not in "biuf":
        raise ValueError(f"y: shape {y.shape}, expected {scores.shape} of 0 and 1, or (n,)")
    masked = np.isin(y, said.ignore_index) | (is_empty(y) & bool(said.leave_out_empty))
    if (bad := ~(np.isin(y, (0, 1)) | masked)).any():
        row, k = np.argwhere(bad)[0]
        empty = np.isnan(float(y[row, k]))
        option = "--leave-out-empty y" if empty else f"--ignore-index {y[row, k]:g}"
        raise ValueError(f"y: row {row} holds {y[row, k]:g}, expected 0 or 1; mask: {option}")
    if (y.sum(axis=1) == 1).all() and not said.multilabel:
        return replace(parts, y=y.argmax(axis=1))
    n, n_labels = y.shape
    names = np.array(parts.classes or [str(k) for k in range(n_labels)])
    flat = replace(parts, y=y.reshape(-1), scores=scores.reshape(-1), task="labels")
    found = _rows(flat, np.repeat(np.arange(n), n_labels))
    found.beside["groups", "label"], found.classes = np.tile(names, n), ["no", "yes"]
    found.notes.append(
        f"{n_labels} labels, of which a sample may have any number: each is a yes-or-no question. "
        "Errors are of the stated probability of a yes; intervals resample samples."
    )
    return found


def _of_positive(parts: Parts, positive: str) -> Parts:
    """Read one column of scores as that of one label, against the others."""
    labels = _values(parts.y)
    if positive not in labels or parts.scores.size != len(parts.scores):
        raise ValueError(
            f"--positive {positive}: it is one of the labels, {few(labels)}, of which one column "
            "of scores is the probability: --scores NAME"
        )
    others = [label for label in labels if label != positive]
    other = others[0] if len(others) == 1 else f"not {positive}"
    y = (texts(parts.y) == positive).astype(int)
    return replace(parts, y=y, classes=[other, positive])


def _group_names(group: np.ndarray) -> np.ndarray:
    """Return groups as text, "(none)" where one is missing."""
    missing = group == "" if group.dtype.kind == "U" else is_empty(group)
    names = np.full(group.shape, "(none)", dtype=object)
    names[~missing] = texts(group[~missing])
    return names.astype(str)
