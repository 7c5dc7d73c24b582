"""The contract of files: names, or the user, say which array or column is what.

Classes are columns that bear the values of the labels, or one family of prefixes such as ``prob_``,
or what `scores` names. What is left over is never a class: it is left out, which a note tells, or
the file is refused with the option to type.
"""

import re
from collections import Counter
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
ROLES = LABELS, (*LOGITS, *PROBABILITIES, *SCORES)
TIMES = {"time", "duration", "survival_time", "tte", "followup"}
EVENTS = {"event", "censored", "observed", "death"}
EXPECTED = {
    "kind": "'logits' or 'probabilities'",
    "atol": f"at most {MOST_ATOL}: rounding explains no more",
    "multilabel": "True or False",
    "scores": "the name of an array or columns",
    "labels_from": "0 or 1",
}
Named = dict[str, np.ndarray]
Family = dict[str, str]  # columns by the class that they name
APART = "{} given apart".format  # the name of an array that is in no file


@dataclass(frozen=True)
class Said:
    """What the user says of a file, see :func:`read`; `labelled` if the labels are in it."""

    y: str | None = None
    scores: str | None = None
    kind: str | None = None
    labels_from: int | None = None
    classes: list[str] | None = None
    positive: str | None = None
    percent: float | None = None
    groups: tuple[str, ...] = ()
    clusters: str | None = None
    ids: str | None = None
    ignore: tuple[str, ...] = ()
    ignore_index: tuple[int, ...] = ()
    leave_out_empty: tuple[str, ...] = ()
    multilabel: bool = False
    pairs: bool | None = None
    class_axis: int | None = None
    atol: float | None = None
    labelled: bool = True


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
        become the column ``file``: npz, npy, csv, tsv, txt, parquet, feather, json, json lines,
        torch's pt, safetensors; text may be gzipped. Or arrays, tensors, a pair (y, scores), a dict
        of them, a data frame, or a fitted classifier with `X` and `y`.
    X : array_like, optional
        Samples, where `source` is a classifier in the manner of scikit-learn.
    y : str or array_like, optional
        The labels, or the name of their array or column, where it is no known one as ``y_true``.
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
        What tells which samples belong together, as pixels of an image: intervals resample these.
    ids : str or array_like, optional
        What names the samples; found by names such as ``id`` where each is there once.
    ignore : str or sequence of str
        Columns or arrays to leave out.
    ignore_index : int or sequence of int, optional
        Samples with this label are left out; of several labels, these entries.
    leave_out_empty : str or sequence of str
        Columns or arrays whose empty rows are left out, such as a confidence that was not stated.
    multilabel : bool
        Read labels (n, K) of 0 and 1 as K yes-or-no questions even if each row has a single 1.
    pairs : bool, optional
        Whether the scores are the confidence in an answer, and the labels say whether it was right.
        By default the names ``confidence`` and ``correct`` say so.
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
    options = {n: v for n, v in locals().items() if n not in ("source", "X", "labels")}
    if not isinstance(labels, str | PathLike | None):
        raise TypeError(f"labels: {labels!r}, expected the path of a file")
    said, apart = _checked(options)
    with _naming(source):
        arrays = _loaded(source, X)
        if labels is not None:
            with _naming(labels):
                y, told, names = _labels_of_file(load(labels).named, arrays.named, said)
            arrays.notes.append(told)
            apart[APART("y")] = y
            said = replace(said, y=APART("y"), classes=said.classes or names)
        arrays.named.update(apart)
        return _outputs(find(arrays, said), said)


def _checked(options: dict[str, Any]) -> tuple[Said, Named]:
    """Return what the user says, and the arrays in memory by the names that they get."""
    kind, atol, classes, given = (options[name] for name in ("kind", "atol", "classes", "groups"))
    for name, right in (
        ("kind", kind in (None, "logits", "probabilities")),
        ("atol", atol is None or 0 <= atol <= MOST_ATOL),
        ("multilabel", isinstance(options["multilabel"], bool)),
        ("scores", isinstance(options["scores"], str | None)),
        ("labels_from", isinstance(options["labels_from"], int | None)),
    ):
        if not right:
            raise ValueError(f"{name}: {options[name]!r}, expected {EXPECTED[name]}")
    arrays = {name: options[name] for name in ("y", "clusters", "ids")}
    arrays = {n: v for n, v in arrays.items() if not isinstance(v, str | None)}
    apart = {APART(name): as_numpy(value, name) for name, value in arrays.items()}
    if isinstance(given, dict):
        apart |= {name: as_numpy(group, "groups") for name, group in given.items()}
    for name in ("groups", "ignore", "leave_out_empty"):
        options[name] = (options[name],) if isinstance(options[name], str) else tuple(options[name])
    index, percent, positive = (options[n] for n in ("ignore_index", "percent", "positive"))
    options |= {
        **{name: APART(name) for name in arrays},
        "classes": None if classes is None else list(map(str, classes)),
        "ignore_index": () if index is None else tuple(np.atleast_1d(index).tolist()),
        "positive": None if positive is None else str(positive),
        "percent": 100.0 if percent is True else percent or None,
    }
    return Said(**options), apart


def read_new(source: Any, **options: Any) -> tuple[str, np.ndarray, list[str] | None, list[str]]:
    """Return kind, scores, names of the classes and of the columns; `options` are those of Said."""
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


def _loaded(source: Any, X: Any = None) -> Arrays:
    if isinstance(source, str | PathLike):
        return load(source)
    several = isinstance(source, list | tuple) and len(source) > 0
    if not several or not all(isinstance(path, str | PathLike) for path in source):
        return from_object(source, X)
    parts = []
    for path in source:
        with _naming(path):
            parts.append(load(path))
    return joined(parts, [Path(path).name for path in source])


def in_set(name: str) -> tuple[str, str]:
    """Return which set an array is of, "test", "held", "train" or "", and its name without that."""
    match = OF_SET.fullmatch(name)
    rest = (match[2] or match[3]) if match else name
    if match and rest.lower() in {*ROLES[0], *ROLES[1]}:
        return SETS[(match[1] or match[4]).lower()], rest
    return "", name


def _known(names: Iterable[str], *synonyms: Sequence[str]) -> list[str]:
    """Return the names that are, or whose last part or part beside a set is, among synonyms."""
    wanted = {word for words in synonyms for word in words}
    low = {name: name.strip().lower() for name in names}
    whole = [name for name in low if low[name] in wanted]
    last = [name for name in low if low[name].rpartition(".")[2] in wanted]
    return whole or last or [name for name in low if in_set(low[name])[1] in wanted]


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
    asked += [(w, n) for w, n in (("clusters", said.clusters), ("ids", said.ids)) if n is not None]
    beside = {(what, name): _get(named, name, f"--{what}") for what, name in asked}
    named = {n: array for n, array in named.items() if n not in {name for _, name in asked}}
    for name in [] if said.ids else _id_names(named)[:1]:
        if len(np.unique(named[name])) == len(named[name]):
            beside["ids", name] = named.pop(name)
            notes.append(f"Samples are named by {name!r}.")
    held: Named = {}
    if arrays.table:
        named = {n: a for n, a in named.items() if n not in INDEX or not _counts_up(a)}
        if "" in named:
            raise ValueError("a column has no name, and does not count the rows")
    else:
        sets: dict[str, Named] = {"": {}, "test": {}, "held": {}, "train": {}}
        for name, array in named.items():
            sets[in_set(name)[0]][name] = array
        if any(_known(sets["test"], role) and _known(sets[""], role) for role in ROLES):
            told = "two sets, one of them named 'test'"
            raise ValueError(f"{told}: --ignore one, found {few(named)}")
        named, held = sets[""] | sets["test"], sets["held"]
        if held and not _known(named, ROLES[1]):
            named, held = named | held, {}
        left = f"Left out, as of the training set: {few(sets['train'])}."
        notes += [left] * bool(sets["train"])
    parts = _pairs(named, said) or _of_classes(named, said, arrays.classes)
    parts.kind, parts.held = arrays.kind or parts.kind, held
    parts.beside = {key: array for key, array in beside.items() if key[0] != "ignore"}
    parts.notes = [*notes, *parts.notes]
    return parts


def _leave_out(named: Named, column: str) -> str:
    """Leave out the rows in which a column is empty, and say how many they are."""
    column = APART("y") if column not in named and APART("y") in named else column
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
    counts = len(column) > 0 and column.dtype.kind in "iuf" and column[0] in (0, 1)
    return bool(counts and (np.diff(column) == 1).all())


def _of_classes(named: Named, said: Said, listed: list[str] | None) -> Parts:
    """Find labels and scores of classes."""
    low = {name.strip().lower() for name in named}
    if low & TIMES and low & EVENTS and not _known(named, LABELS):
        raise ValueError(
            "these are times to an event, which calib does not judge: the package scikit-survival "
            "does; of a question such as 'within a year?', save label and probability"
        )
    y_names = [said.y] if said.y else _known(named, LABELS) if said.labelled else []
    y_name = _only(y_names, named, "the labels", "--y") if y_names else ""
    y = _get(named, y_name, "--y") if y_name else np.empty(0)
    lacking = said.labelled and not y_name
    named = {name: array for name, array in named.items() if name != y_name or not y_name}
    if list(named) == [""]:
        if lacking:
            raise ValueError("this is one array; its labels are a second: --labels FILE")
        return Parts(y, named[""], None, [""], said.classes or listed)
    for name in _known(named, ["classes", "class_names"]):
        listed = named.pop(name).ravel().astype(str).tolist()
    try:
        found = _scores(named, said.classes or _values(y), said)
    except ValueError:
        found = Parts(y, y, None, [])
        if not lacking:
            raise
    for word in LABELS if lacking and found.classes else ():
        of_labels = [f"{word}_{name}" for name in found.classes or []]
        if set(of_labels) <= set(named):
            y_name, y = word, np.column_stack([named.pop(column) for column in of_labels])
    taken = {*found.columns}
    left = [name for name in named if name not in taken]
    if said.labelled and not y_name:
        some = [n for n in left if n.lower() not in PREDICTED and named[n].dtype.kind in "iuU"]
        _only([], named, "the labels", "--y", f"{(some or ['NAME'])[0]}, or --labels FILE")
    if said.classes and {*said.classes} & {*(listed or [])} and said.classes != listed:
        raise ValueError(f"the file names its classes {few(listed or [])}, not {few(said.classes)}")
    found.y, found.y_name, found.classes = y, y_name, said.classes or found.classes or listed
    labels = f"; labels from {y_name!r}" * (y_name not in ("", APART("y")))
    found.notes += [f"Columns that were left out: {few(left)}."] * bool(left)
    found.notes.append(f"Scores are read from {few(found.columns, 4)}{labels}.")
    return found


def _values(y: np.ndarray) -> list[str]:
    """Return the values of labels as text."""
    return sorted({*texts(np.unique(y[~is_empty(y)])).tolist()}) if y.ndim == 1 and len(y) else []


def _candidates(named: Named) -> list[str]:
    """Return arrays that are named as scores, but for words, such as of predicted classes."""
    found = _known(named, ROLES[1])
    words = [n for n in found if named[n].dtype.kind == "U" and named[n].ndim == 1]
    words = [n for n in words if not any(values.NUMBER.match(v.strip()) for v in named[n])]
    return [name for name in found if name not in words]


def _scores(named: Named, labels: list[str], said: Said) -> Parts:
    """Return the scores: an array, the columns of a family, or one column."""
    families: dict[tuple[str, str], Family] = {}
    members, doubt, classes, start = Family(), "", None, said.scores or ""
    listed, known = [name.strip() for name in start.split(",")], _candidates(named)
    if len(listed) > 1:
        members = {name: name for name in listed if _get(named, name, "--scores") is not None}
    elif start and start not in named:  # what the columns begin with
        found = {n[len(start) :]: n for n in named if n.startswith(start)}
        members = {c: n for c, n in found.items() if c.lower() not in STATISTICS}
        if not members:
            raise ValueError(f"--scores: no column is {start!r} or begins so, found {few(named)}")
        if all(name.isdecimal() for name in members):
            members = dict(sorted(members.items(), key=lambda of: int(of[0])))
    elif not start and not any(named[name].ndim > 1 for name in known):
        families = _families(named, labels)
        several = {of: family for of, family in families.items() if len(family) > 1}
        whole = {of: family for of, family in several.items() if labels and {*labels} <= {*family}}
        if len(several := whole or several) > 1:
            options = [f"--scores {of[0] or ','.join(f.values())}" for of, f in several.items()]
            raise ValueError(f"several sets of columns may be the classes: {' or '.join(options)}")
        for (start, _), family in several.items():
            members, doubt = _members(named, start, family, labels, said)
            for name in _known(named, LOGITS, PROBABILITIES):  # it may be that one instead
                if name not in family.values():
                    doubt = f"say which: --scores {start or ','.join(family.values())} or {name}"
    for (one, _), family in families.items():  # one column, such as prob_yes beside yes and no
        if not members and len(labels) == 2 and len(family) == 1 and {*family} < {*labels}:
            if rivals := [name for name in known if named[name].dtype.kind in "fU"]:
                _only([*family.values(), *rivals], named, "the scores", "--scores")
            members, start = family, one
            classes = sorted(labels, key=lambda label: label in members)
    if not members:
        floats = [name for name in known if named[name].dtype.kind in "fU"]  # no predicted classes
        wide = [name for name in floats if named[name].ndim > 1]
        known = [start] if start else known if len(known) < 2 else wide or floats or known
        unknown = [name for name, array in named.items() if array.ndim > 1]
        columns = [name for name, array in named.items() if array.dtype.kind == "f"]
        columns = columns or [name for name, array in named.items() if array.dtype.kind in "iu"]
        hint = unknown[0] if unknown else ",".join(columns) if len(columns) <= 20 else ""
        hint = "NAME" if known or not hint else hint
        start = _only(known, named, "the logits or probabilities", "--scores", hint)
        members = {start: start}
    arrays = [values.numbers(name, named[name]) for name in members.values()]
    scores = np.column_stack(arrays) if len(arrays) > 1 else arrays[0]
    classes = list(members) if len(members) > 1 else classes
    kind = kind_of(in_set(re.split(r"[_ .:(\[-]*$", start)[0])[1])
    return Parts(np.empty(0), scores, kind, list(members.values()), classes, doubt=doubt)


def _families(named: Named, labels: list[str]) -> dict[tuple[str, str], Family]:
    """Return columns by what they begin and end with, each under the class that it names."""
    found: dict[tuple[str, str], Family] = {}
    single = {*PREDICTED, *CONFIDENCE, *CORRECT, *ROLES[0], *ROLES[1]}
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
    named: Named, start: str, family: Family, labels: list[str], said: Said
) -> tuple[Family, str]:
    """Return the columns of a family in the order of the classes, and what speaks against them."""
    if said.classes is not None and set(said.classes) <= set(family):
        return {name: family[name] for name in said.classes}, ""
    if digits := sorted((name for name in family if name.isdecimal()), key=int):
        if other := [name for label, name in family.items() if not label.isdecimal()]:
            raise ValueError(f"{other[0]!r} is among {few(family.values())}: --ignore {other[0]}")
        for k in range(min(int(digits[0]), 1), int(digits[-1])):
            if str(k) not in family:
                raise ValueError(f"columns {few(family.values())}, but none is {start}{k}")
        rare = [family[name] for name in digits if labels and start == "" and name not in labels]
        every = ",".join(family[name] for name in digits)
        doubt = f"no label is {rare[0]}: --ignore {rare[0]}, or --scores {every}" if rare else ""
        return {name: family[name] for name in digits}, doubt
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
        rest = f"--scores {','.join([*members.values(), *others])}"
        rest = "--classes FILE of all classes" if start else rest
        return members, f"no label is {others[0]!r}: --ignore {others[0]}, or if a class, {rest}"
    if start == "" or FAMILY.match(f"{start}x"):
        return members, ""
    return members, f"{few(family.values(), 3)} may be counts: if they are scores, --scores {start}"


def _pairs(named: Named, said: Said) -> Parts | None:
    """Return pairs of a confidence and whether the answer was right; None where there are none."""
    sure, right = _known(named, CONFIDENCE), _known(named, CORRECT)
    labels, told = _known(named, LABELS), _known(named, PREDICTED)
    if said.pairs is False or (not said.pairs and not said.labelled):
        return None
    if not said.pairs:
        given, labels = bool(said.scores or said.y), [said.y] if said.y in named else labels
        floats = [n for n, a in named.items() if a.dtype.kind == "f" and a.size == len(a)]
        floats = [name for name in floats if name not in (*labels, *told)]
        floats = [said.scores] if said.scores in named else floats
        stated = [n for n in floats if {*re.split("[^a-z]+", n.lower())} & {*CONFIDENCE, "sure"}]
        stated = (not given and sure) or stated or (floats if right else [])
        if len(right) == 1 and not (sure or labels or given):
            hint = (stated or ["NAME"])[0]
            _only([], named, f"the confidence that {right[0]!r} judges", "--pairs --scores", hint)
        asked = bool(told or (labels and np.isin(named[labels[0]], (0, 1)).all()))
        if right and sure and not given:
            numbers = [name for name in told if named[name].dtype.kind != "U"]
            several = any(len(family) > 1 for family in _families(named, []).values())
            asked = bool(several or labels or numbers or _known(named, LOGITS, PROBABILITIES))
        elif said.positive or not labels or len(stated) != 1 or floats not in ([], stated):
            return None
        if asked:
            raise ValueError(
                f"{stated[0]!r} may be the confidence in an answer that is right or wrong: then "
                f"say --pairs --scores {stated[0]}; or not: then say --no-pairs, with --scores "
                f"{stated[0]} where it is the probability of the second of two classes"
            )
        if given or not (right and sure):
            return None
    some = sure or _known(named, PROBABILITIES, SCORES)
    name = said.scores or _only(some, named, "the confidence", "--scores")
    score, hit, notes = _get(named, name, "--scores"), np.zeros(0), []
    _refuse_empty(name, score)
    verdict = said.y or (said.labelled and _only(right or labels, named, "right or wrong", "--y"))
    if verdict and not said.y and not right and len(told) == 1:
        for column in (verdict, told[0]):
            _refuse_empty(column, named[column])
        one, other = texts(named[verdict]), texts(named[told[0]])
        alike = (np.char.lower(one) == np.char.lower(other)) & (one != other)
        if alike.any() or not {*one} & {*other}:
            row = int(alike.argmax())
            raise ValueError(
                f"row {row}: {verdict!r} is {str(one[row])!r} and {told[0]!r} is "
                f"{str(other[row])!r}: write the answers in one way"
            )
        hit = (one == other).astype(int)
        notes = [f"Right is where {verdict!r} equals {told[0]!r}."]
        two = _values(named[told[0]])
        below = values.numbers(name, score) < 0.5
        if len(two) == 2 and (below == (other == two[0])).all():
            raise ValueError(
                f"{name!r} is below one half where {told[0]!r} is {two[0]!r}, so it is the "
                f"probability of {two[1]!r}: --no-pairs --scores {name} --positive {two[1]}"
            )
    elif verdict:
        hit = values.truth(verdict, _get(named, verdict, "--y"))
    if score.size != len(score):
        raise ValueError(f"{name!r} is not one column of numbers, such as 0.95")
    score, classes = values.numbers(name, score), ["wrong", "right"]
    return Parts(hit, score, "probabilities", [name], classes, task="pairs", notes=notes)


def _refuse_empty(name: str, column: np.ndarray) -> None:
    empty: np.ndarray = is_empty(column).reshape(len(column), -1).max(axis=1)
    if empty.any():
        raise ValueError(
            f"{name!r} is empty in {int(empty.sum())} of {len(empty)} rows, the first is row "
            f"{int(empty.argmax())}: --leave-out-empty {name} leaves such rows out"
        )


def _labels_of_file(
    theirs: Named, ours: Named, said: Said
) -> tuple[np.ndarray, str, list[str] | None]:
    """Return labels of a second file in the order of the first, how they were paired, and classes.

    The last are names of labels that have a column each.
    """
    names = [n for n in theirs if n not in (*_id_names(theirs), *INDEX, said.ids)] or list(theirs)
    known, pair = [said.y] if said.y else _known(names, LABELS), _paired_ids(theirs, ours, said)
    some = {n: theirs[n][~is_empty(theirs[n])] for n in names if theirs[n].dtype.kind in "biuf"}
    marks = [name for name, mark in some.items() if np.isin(mark, (-1, 0, 1)).all()]
    classes = names if marks == names and (not known or {*names} <= {*ours}) else None
    if classes and len(names) > 1 and not said.y:
        y = np.column_stack([theirs[name] for name in names])
    else:
        known, classes = known or names * (len(names) == 1), None
        y = _get(theirs, _only(known, theirs, "the labels", "--y"), "--y")
    if pair is None:
        n = max(map(len, ours.values()), default=0)
        if len(y) != n:
            raise ValueError(f"{len(y)} labels, and {n} rows of scores")
        return y, "Labels of the second file are paired by position, row by row.", classes
    first, second = texts(ours[pair[0]]).tolist(), texts(theirs[pair[1]]).tolist()
    for several in (first, second):
        twice, times = Counter(several).most_common(1)[0] if several else ("", 1)
        if times > 1:
            raise ValueError(
                f"{twice!r} stands twice in {pair[0]!r}: --ids NAME of what names each sample "
                f"once; --ignore {pair[0]} pairs the files by position"
            )
    lacking = {*first} - {*second} or (set() if said.leave_out_empty else {*second} - {*first})
    if lacking:
        raise ValueError(
            f"{len(lacking)} names in {pair[0]!r} are in one of the two files only, such as "
            f"{min(lacking)!r}; --ignore {pair[0]} pairs the files by position"
        )
    place = {name: row for row, name in enumerate(second)}
    return y[[place[name] for name in first]], f"Labels are joined on {pair[0]!r}.", classes


def _paired_ids(theirs: Named, ours: Named, said: Said) -> tuple[str, str] | None:
    """Return columns of two files that name the same samples."""
    if said.ids is not None:
        _get(ours, said.ids, "--ids")
        _get(theirs, said.ids, "--ids")
        return said.ids, said.ids
    pairs = [
        (a, b)
        for a, one in ours.items()
        for b, other in theirs.items()
        if a not in said.ignore and one.ndim == other.ndim == 1
        if one.dtype.kind in "iuU" and other.dtype.kind in "iuU"
    ]
    ids = {*_id_names(ours)}, {*_id_names(theirs)}
    for a, b in sorted(pairs, key=lambda pair: pair[0] != pair[1]):  # those of one name first
        first, second = {*texts(ours[a]).tolist()}, {*texts(theirs[b]).tolist()}
        counts = _counts_up(ours[a]) + _counts_up(theirs[b])
        if a == b in INDEX and counts == 1 and first == second:
            raise ValueError(
                f"rows are numbered in both files, in other orders: --ids {a!r} joins them on the "
                f"numbers, --ignore {a!r} pairs them by position"
            )
        kinds, named = {ours[a].dtype.kind, theirs[b].dtype.kind}, a in ids[0] and b in ids[1]
        far = "U" not in kinds and first == second and np.ptp(ours[a]) >= len(first)  # no ranks
        alike = 2 * len(first & second) > len(first) == len(ours[a]) and a not in INDEX
        sure = named or a == b or kinds == {"U"} or far
        if (a == b and named) or (alike and counts < 2 and sure):
            return a, b
    return None


def _of_kind(parts: Parts, said: Said) -> Parts:
    """Return parts whose scores are checked logits or probabilities, a column a class."""
    try:
        scores, kind, told = values.settled(
            parts.scores, parts.kind, said.kind, said.percent, said.atol
        )
        if parts.doubt and kind == "logits":
            raise ValueError("logits do not tell which columns are classes")
    except ValueError as error:
        raise ValueError(f"{error}; {parts.doubt}" if parts.doubt else str(error)) from None
    if parts.scores.size == len(parts.scores) and parts.task == "classes":
        told.append(
            "One column of scores: it is read as that of the second of two classes, and errors are "
            "of the more probable one. If it is the confidence in an answer and the labels say "
            "whether that was right, or errors of this column as it stands are wanted: --pairs."
        )
    names = parts.classes
    if names is not None and not len({*names}) == len(names) == scores.shape[1]:
        raise ValueError(f"classes: {len({*names})} different names for {scores.shape[1]} classes")
    if parts.kind is None and kind == "logits":
        told.append("Nothing says whether these are logits; by their values they are.")
    return replace(parts, scores=scores, kind=kind, notes=parts.notes + told)


def _outputs(parts: Parts, said: Said) -> ModelOutputs:
    """Return the parts as checked outputs."""
    if parts.scores.ndim == 0:
        raise ValueError(f"scores: {parts.scores}, expected rows of numbers")
    if parts.scores.ndim > 2:
        parts = _of_places(parts, said.class_axis)
    if parts.y.ndim == 2 and parts.y.shape[1] > 1:
        parts = _of_columns(parts, said)
    y = parts.y = parts.y.reshape(-1)
    if len(y) != len(parts.scores):
        raise ValueError(f"y: {len(y)} labels, expected {len(parts.scores)}")
    ignored = np.isin(y, said.ignore_index) | (is_empty(y) & (parts.task == "labels"))
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
    groups = {}
    for (_, name), a in [of for of in parts.beside.items() if of[0][0] == "groups"]:
        missing = a == "" if a.dtype.kind == "U" else is_empty(a)
        groups[name] = np.where(missing, "(none)", texts(a))
    outputs = ModelOutputs(
        y,
        **{str(parts.kind): parts.scores},  # type: ignore[arg-type]
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
        rest = Said(
            kind=said.kind, labels_from=said.labels_from, percent=said.percent, atol=said.atol
        )
        named = names if parts.task == "classes" else said.classes
        rest = replace(rest, classes=named, pairs=said.pairs, multilabel=said.multilabel)
        try:
            held = _outputs(find(Arrays(parts.held), rest), rest)
            if (found := (held.kind, held.n_classes)) != (outputs.kind, k):
                raise ValueError(
                    f"it holds {found[0]} of {found[1]}, the other {outputs.kind} of {k}"
                )
            values.refuse_shared(outputs.known, held.known)
        except ValueError as error:
            raise ValueError(f"calibration set: {error}: --ignore NAME leaves it out") from None
    clusters = outputs.clusters
    if clusters is None and (clusters := values.copies(outputs)) is not None:
        notes.append(
            f"{len(y) - len(np.unique(clusters))} of {len(y)} rows repeat another, label "
            "included: copies of a sample are one cluster, which folds and intervals do not part."
        )
    # all of it is checked: setting the rest of a frozen object spares a second check, and softmax
    outputs.__dict__.update(calibration=held, clusters=clusters, notes=tuple(notes))
    return outputs


def _rows(parts: Parts, rows: np.ndarray, are_clusters: bool = True) -> Parts:
    """Return what stands beside the scores for some rows; rows of one sample are a cluster."""
    beside = {key: np.asarray(array)[rows] for key, array in parts.beside.items()}
    if are_clusters and not any(what == "clusters" for what, _ in beside):
        beside["clusters", ""] = rows
    return replace(parts, beside=beside)


def _of_places(parts: Parts, class_axis: int | None) -> Parts:
    """Read scores (n, K, ...) or (n, ..., K), with labels (n, ...), as those of all places."""
    y, scores = parts.y, parts.scores
    fits = [a for a in (1, scores.ndim - 1) if np.delete(scores.shape, a).tolist() == [*y.shape]]
    if class_axis is not None:
        fits = [axis for axis in fits if axis == class_axis % scores.ndim]
    if not fits:
        raise ValueError(
            f"scores {scores.shape} and labels {y.shape}: the labels should have the shape of the "
            "scores without their axis of classes, the second or the last"
        )
    if len(set(fits)) > 1:
        raise ValueError(f"scores {scores.shape}: which axis is the classes? --class-axis 1 or -1")
    rows = np.moveaxis(scores, fits[0], -1).reshape(-1, scores.shape[fits[0]])
    found = _rows(
        replace(parts, y=y.reshape(-1), scores=rows), np.repeat(np.arange(len(y)), y[0].size)
    )
    found.notes.append(f"{len(y)} images; intervals resample images, not their parts.")
    return found


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
    return replace(parts, y=(texts(parts.y) == positive).astype(int), classes=[other, positive])
