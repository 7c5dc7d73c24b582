"""The contract of files: names, or the user, say which array or column is what.

Classes are columns that bear the values of the labels, or one family of prefixes such as ``prob_``,
or what `scores` names. What is left over is never a class: it is left out, which a note tells, or
the file is refused with the option to type.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from inspect import signature
from os import PathLike
from types import SimpleNamespace as Said
from typing import Any

import numpy as np

from calib_report import values
from calib_report.adapters import Arrays, as_numpy, from_object
from calib_report.contract import KINDS, NAMES, NOTED, PATTERNS, few, kind_of, refused
from calib_report.formats import load, load_log
from calib_report.outputs import ModelOutputs
from calib_report.values import MOST_ATOL, Parts, is_empty, labels_in, of_calibration, texts

SETS = {word: which for which in ("test", "train", "held") for word in NAMES[which]}
OF_SET = re.compile(rf"({'|'.join(SETS)})[_.](.+)|(.+)[_.]({'|'.join(SETS)})", re.IGNORECASE)
OF_A_SET = ("kind", "labels_from", "percent", "atol", "classes", "pairs", "multilabel")
Named = dict[str, np.ndarray]
Family = tuple[str, str, dict[str, str]]  # how columns begin and end; they, by their class
APART = "labels of the second file"  # the name of their array


def read(
    source: Any,
    *,
    y: str | None = None,
    scores: str | None = None,
    kind: str | None = None,
    labels: str | PathLike[str] | None = None,
    labels_from: int | None = None,
    classes: Sequence[str] | None = None,
    positive: object = None,
    percent: bool | float | None = None,
    groups: str | Sequence[str] = (),
    clusters: str | None = None,
    ids: str | None = None,
    ignore: str | Sequence[str] = (),
    leave_out_empty: str | Sequence[str] = (),
    ignore_index: int | Sequence[int] | None = None,
    multilabel: bool = False,
    pairs: bool | None = None,
    atol: float | None = None,
) -> ModelOutputs:
    """Read the outputs of a model, with the labels of its samples.

    Parameters
    ----------
    source : str, Path or object
        A file of a format that ``calib report --help`` names; of json lines a list of several,
        whose names become the column ``file``. Or arrays by name, tensors, a pair (y, scores), or a
        data frame.
    y, scores : str, optional
        Names of the labels, and of the logits or probabilities: an array or column, columns with
        commas between, or what they begin with. Known names such as ``label`` need not be said.
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
    groups : str or sequence of str
        Columns whose values part the samples into groups, such as hospitals.
    clusters, ids : str, optional
        What tells which samples belong together, and are resampled together; what names them.
    ignore, leave_out_empty : str or sequence of str
        Columns to leave out, and columns whose empty rows are left out.
    ignore_index : int or sequence of int, optional
        Samples with this label are left out; of several labels, these entries.
    multilabel : bool
        Read labels (n, K) of 0 and 1 as K yes-or-no questions even if each row has a single 1.
    pairs : bool, optional
        Whether the scores are the confidence in an answer, and the labels say whether it was right.
        By default the names ``confidence`` and ``correct`` say so.
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
    said = _checked(**{name: value for name, value in locals().items() if name != "source"})
    with naming(source):
        arrays = _loaded(source)
        if labels is not None:
            with naming(labels):
                found, told, names = _labels_of_file(load(labels).named, arrays.named, said)
            arrays.notes.append(told)
            arrays.named[APART], said.y, said.classes = found, APART, said.classes or names
        parts = find(arrays, said)
        return values.outputs_of(parts)


def _checked(**options: Any) -> Said:
    """Return what the user says, or the default, checked; a tuple where several may be named."""
    default = {name: option.default for name, option in signature(read).parameters.items()}
    said = Said(**{"labelled": True} | default | options)
    for name, right, expected in (
        ("kind", said.kind in (None, "logits", "probabilities"), "'logits' or 'probabilities'"),
        ("atol", said.atol is None or 0 <= said.atol <= MOST_ATOL, f"at most {MOST_ATOL}"),
        ("multilabel", isinstance(said.multilabel, bool), "True or False"),
        ("scores", isinstance(said.scores, str | None), "the name of an array or columns"),
        ("y", isinstance(said.y, str | None), "the name of an array or column"),
        ("percent", said.percent in (None, False) or 1 <= said.percent < 1e9, "1 or more"),
        ("labels", isinstance(said.labels, str | PathLike | None), "the path of a file"),
        ("labels_from", isinstance(said.labels_from, int | None), "0 or 1"),
    ):
        if not right:
            value = " ".join(repr(getattr(said, name)).split())
            raise refused("said", name=name, value=value, expected=expected)
    for name in ("groups", "ignore", "leave_out_empty", "clusters", "ids"):
        given = () if (given := getattr(said, name)) is None else given
        setattr(said, name, (given,) if isinstance(given, str) else tuple(given))
    index = () if said.ignore_index is None else as_numpy(said.ignore_index, "ignore_index")
    said.ignore_index = tuple(np.ravel(index).tolist())
    said.classes = None if said.classes is None else list(map(str, said.classes))
    said.positive = None if said.positive is None else str(said.positive)
    said.percent = 100.0 if said.percent is True else said.percent or None
    return said


def read_new(source: Any, **options: Any) -> tuple[str, np.ndarray, list[str] | None, list[str]]:
    """Return kind, scores, names of the classes and of the columns, without labels."""
    said = _checked(**options, labelled=False)
    with naming(source):
        parts = values.of_kind(find(_loaded(source), said))
        return str(parts.kind), parts.scores, parts.classes, parts.columns


@contextmanager
def naming(source: Any) -> Iterator[None]:
    """Put the name of the file before what is said of it."""
    try:
        yield
    except ValueError as error:
        if isinstance(source, str | PathLike):
            raise ValueError(f"{source}: {error}") from None
        raise


def _loaded(source: Any) -> Arrays:
    if isinstance(source, str | PathLike):
        return load(source)
    several = isinstance(source, list | tuple) and len(source) > 0
    if several and all(isinstance(path, str | PathLike) for path in source):
        return load_log(source)
    return from_object(source)


def in_set(name: str) -> tuple[str, str]:
    """Return which set an array is of, "test", "held", "train" or "", and its name without that."""
    match = OF_SET.fullmatch(name)
    rest = (match[2] or match[3]) if match else name
    if match and rest.lower() in {word for what in ("labels", *KINDS) for word in NAMES[what]}:
        return SETS[(match[1] or match[4]).lower()], rest
    return "", name


def _known(names: Iterable[str], *whats: str) -> list[str]:
    """Return the names that are, or whose last part or part beside a set is, of some kind."""
    wanted = {word for what in whats for word in NAMES[what]}
    low = {name: name.strip().lower() for name in names}
    whole = [name for name in low if low[name] in wanted]
    last = [name for name in low if low[name].rpartition(".")[2] in wanted]
    return whole or last or [name for name in low if in_set(low[name])[1] in wanted]


def _only(found: list[str], named: Named, what: str, option: str, hint: str = "NAME") -> str:
    """Return the one name that was found; more or none is an error."""
    if len(found) == 1:
        return found[0]
    told = {"what": what, "names": few(named), "option": option, "hint": hint}
    raise refused("may_all_be" if found else "none_is", found=few(found), **told)


def _get(named: Named, name: str, option: str) -> np.ndarray:
    if name not in named:
        raise refused("no_such", option=option, name=name, names=few(named))
    return named[name]


def find(arrays: Arrays, said: Said) -> Parts:
    """Return which array or column is what; a ValueError says what to type where it is not said."""
    named, notes, beside = dict(arrays.named), [*arrays.notes], {}
    for column in said.leave_out_empty:
        column = APART if column not in named and APART in named else column
        empty = is_empty(_get(named, column, "--leave-out-empty"))
        if empty.ndim > 1:  # of labels in columns, single entries are left out later
            continue
        if {*map(len, named.values())} != {len(empty)}:
            raise refused("other_rows", column=column)
        named = {name: array[~empty] for name, array in named.items()}
        notes.append(NOTED["emptied"].format(n=empty.sum(), of=len(empty), name=column))
    for what in ("groups", "clusters", "ids", "ignore"):
        for name in getattr(said, what):
            beside[what, name] = _get(named, name, f"--{what}")
    for name in [] if said.ids else _id_names(named)[:1]:
        if name not in {n for _, n in beside} and len({*named[name].tolist()}) == len(named[name]):
            beside["ids", name] = named[name]
            notes.append(NOTED["named"].format(name=name))
    apart = {name for _, name in beside}
    sets: dict[str, Named] = {"": {}, "test": {}, "held": {}, "train": {}}
    for name, array in named.items():
        if name not in apart and not (name in NAMES["index"] and _counts_up(array)):
            sets[in_set(name)[0]][name] = array
    named, held = sets[""] | sets["test"], sets["held"]
    if "" in named and len(named) > 1 + said.labelled:
        raise refused("no_name")
    if any(_known(sets["test"], *r) and _known(sets[""], *r) for r in (("labels",), KINDS)):
        raise refused("two_sets", names=few(named))
    if held and not _known(named, *KINDS):
        named, held = named | held, {}
    notes += [NOTED["train"].format(names=few(sets["train"]))] * bool(sets["train"])
    parts = _roles(named, said, arrays.classes)
    parts.kind, parts.said = arrays.kind or parts.kind, said
    parts.beside = {key: array for key, array in beside.items() if key[0] != "ignore"}
    parts.notes = [*notes, *parts.notes]
    if held and said.labelled:
        options = {name: getattr(said, name) for name in OF_A_SET}
        options["classes"] = parts.classes if parts.task == "classes" else said.classes
        with of_calibration():
            parts.held = find(Arrays(held), _checked(**options))
    return parts


def _id_names(named: Named) -> list[str]:
    """Return columns that name samples, but for an index that only counts the rows."""
    index, is_id = NAMES["index"], PATTERNS["id"].fullmatch
    some = {n: a for n, a in named.items() if a.ndim == 1 and a.dtype.kind in "iuU"}
    some = {n: a for n, a in some.items() if is_id(n.strip()) or n in index}
    return [n for n, a in some.items() if n not in index or not _counts_up(a)]


def _counts_up(column: np.ndarray) -> bool:
    """Tell whether a column counts the rows, from 0 or 1."""
    counts = column.ndim == 1 and len(column) > 0 and column.dtype.kind in "iuf"
    return bool(counts and column[0] in (0, 1) and (np.diff(column) == 1).all())


def _roles(named: Named, said: Said, listed: list[str] | None) -> Parts:
    low, y_name = {name.strip().lower() for name in named}, None
    y_names = [said.y] if said.y else _known(named, "labels") or _known(named, "correct")
    if low & {*NAMES["times"]} and low & {*NAMES["events"]} and not y_names:
        raise refused("survival")
    if y_names and said.labelled:
        y_name = _only(y_names, named, "the labels", "--y")
    y = np.empty(0) if y_name is None else _get(named, y_name, "--y")
    rest = {name: array for name, array in named.items() if name != y_name}
    for name in _known(rest, "classes"):
        listed = rest.pop(name).ravel().astype(str).tolist()
    lacking, more = said.labelled and y_name is None, ""
    try:
        found = _scores(rest, said.classes or labels_in(y), said)
    except ValueError as error:
        if y_name in _known(named, "correct") and not said.scores:
            raise ValueError(str(error).replace("--scores", "--pairs --scores")) from None
        if not lacking:
            raise
        found = Parts(y, y, None, [])
        more = "".join(re.findall(" --scores (?!NAME)[^,]*$", str(error)))
    for word in NAMES["labels"] if lacking and found.classes else ():
        of_labels = [f"{word}_{name}" for name in found.classes or []]
        if set(of_labels) <= set(rest):
            y_name, y = word, np.column_stack([rest.pop(column) for column in of_labels])
    taken = {*found.columns}
    left = [name for name in rest if name not in taken]
    if said.labelled and y_name is None:
        words = [n for n in left if n not in _known(left, "predicted")]
        hint = next((n for n in words if rest[n].dtype.kind in "biuU"), "NAME")
        two = labels_in(rest[hint]) if hint in rest and rest[hint].dtype.kind == "U" else []
        more = more if hint != "NAME" and more != f" --scores {hint}" else ""
        if len(two) == 2 and len(found.columns) + bool(more) == 1:
            more += f" --positive {' or '.join(two)}"
        _only([], named, "the labels", "--y", f"{hint}{more}, or --labels FILE")
    if said.classes and {*said.classes} & {*(listed or [])} and said.classes != listed:
        raise refused("other_classes", theirs=few(listed or []), ours=few(said.classes))
    found.y, found.y_name = y, y_name or ""
    found.classes = said.classes or found.classes or listed
    labels = f"; labels from {y_name!r}" * (y_name not in (None, APART))
    found.notes += [NOTED["left_out"].format(names=few(left))] * bool(left)
    found.notes.append(NOTED["scores"].format(names=few(found.columns, 4), labels=labels))
    return _pairs(found, named, said)


def _is_stated(name: str) -> bool:
    """Tell whether a name says that a column is the confidence in an answer."""
    return bool({*re.split("[^a-z]+", name.lower())} & {*NAMES["confidence"]})


def _pairs(found: Parts, named: Named, said: Said) -> Parts:
    """Read one column as the confidence in an answer that was right or wrong, where it is said."""
    name, y_name, correct = found.columns[0], found.y_name, _known(named, "correct")
    one = len(found.columns) == 1 and found.scores.size == len(found.scores)
    verdict = not said.y and y_name in correct
    told = [n for n in _known(named, "predicted") if n != name]
    if said.pairs is None and said.labelled:
        if verdict and not one:
            raise refused("verdict", y=y_name)
        if not one or said.positive or not (_is_stated(name) or verdict):
            return found
        numbers = [n for n in told if named[n].dtype.kind != "U"]
        if not verdict or not _known([name], "confidence") or numbers or said.scores:
            raise refused("pairs", name=name)
    elif not said.pairs:
        return found
    if not one:
        raise refused("no_column", name=name)
    if said.labelled and not said.y and told and y_name not in correct:
        raise refused("compare", y=y_name, told=told[0], name=name)
    y = values.truth(y_name, found.y) if said.labelled else found.y
    return replace(found, y=y, kind="probabilities", task="pairs", classes=["wrong", "right"])


def _scores(named: Named, labels: list[str], said: Said) -> Parts:
    """Return the scores: of the first kind of candidates that there are, the only one."""
    known = [n for n in _known(named, *KINDS) if not values.are_words(named[n])]
    columns, listed = [n for n in known if named[n].ndim == 1], (said.scores or "").split(",")
    families = _families(named, labels)
    several = [of for of in families if len(of[2]) > 1]
    several = [of for of in several if labels and {*labels} <= {*of[2]}] or several
    ones = [of for of in families if len(of[2]) == 1 and len(labels) == 2 and {*of[2]} < {*labels}]
    kinds: tuple[list[Family], ...] = (  # of one column as well: prob_yes beside yes and no
        [(n, "", {n: n}) for n in known if named[n].ndim > 1],
        several,
        [*ones, *((n, "", {n: n}) for n in columns if named[n].dtype.kind in "fU")],
        [(n, "", {n: n}) for n in named if _is_stated(n) and n not in columns],
        [(n, "", {n: n}) for n in columns or [""] if n in named],
    )
    if said.scores in named:
        kinds = ([(said.scores, "", {said.scores: said.scores})],)
    elif len(listed) > 1:
        some = {name.strip(): _get(named, name.strip(), "--scores") for name in listed}
        own = {name: name for name in some}
        whole = [of for of in _families(some, labels) if len(of[2]) == len(some)]
        start, _, family = [*whole, ("", "", _by_number(own, labels) or own)][0]
        classes = {column: c for c, column in family.items()}
        kinds = ([(start, "", {classes[n]: n for n in some})],)
    elif said.scores:  # what the columns begin with
        found = {n.removeprefix(said.scores): n for n in named if n.startswith(said.scores)}
        found = {c: n for c, n in found.items() if c.lower() not in NAMES["statistics"]}
        order = sorted(found, key=lambda c: int(c) if c.isdecimal() else 0)
        kinds = ([(said.scores, "", {c: found[c] for c in order})] * bool(found),)
    options = next(filter(None, kinds), [])
    if len(options) != 1:
        hints = [n for n, a in named.items() if a.ndim > 1]
        hints += [",".join(n for n, a in named.items() if a.dtype.kind in of) for of in ("f", "iu")]
        hint = next((hint for hint in hints if 0 < len(hint) < 200), "NAME")
        texts = [_option(of) for of in options]
        _only(texts, named, "the scores", "--scores", " or --scores ".join(texts) or hint)
    (start, _, members), doubt, names = options[0], None, None
    if options is several:
        members, doubt = _members(named, options[0], labels, said)
    if options[0] in ones:
        names = sorted(labels, key=lambda label: label in members)
    arrays = [values.numbers(name, named[name]) for name in members.values()]
    scores = np.column_stack(arrays) if len(arrays) > 1 else arrays[0]
    if doubt:
        with np.errstate(all="ignore"):
            off = np.abs(scores.sum(axis=1) / (said.percent or 1) - 1)
        if scores.min() < 0 or not off.max() <= MOST_ATOL:
            raise doubt
    names = list(members) if len(members) > 1 else names
    kind = kind_of(in_set(re.split(r"[_ .:(\[-]*$", start)[0])[1])
    return Parts(np.empty(0), scores, kind, list(members.values()), names)


def _option(family: Family) -> str:
    """Return what `scores` should be to name a family: its beginning, or its columns."""
    start, end, members = family
    return start if start and not end else ",".join(members.values())


def _families(named: Named, labels: list[str]) -> list[Family]:
    """Return columns that bear the values of the labels, or follow a word such as ``prob_``."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    whats = (*KINDS, "labels", "predicted", "confidence", "correct")
    single = {word for what in whats for word in NAMES[what]}
    for name in (name for name, array in named.items() if array.ndim == 1):
        match = PATTERNS["family"].fullmatch(name)
        if match and name.strip(" .").lower() not in single:
            if match[2].lower() not in NAMES["statistics"] or match[2] in labels:
                found.setdefault((match[1], match[3]), {})[match[2]] = name
        if name.isdecimal():
            found.setdefault(("", ""), {})[name] = name
    words = not all(label.isdecimal() for label in labels)
    for start, label, end in (n.rpartition(labels[0]) for n in named if words and labels[0] in n):
        family = {label: f"{start}{label}{end}" for label in labels}
        if {*family.values()} <= {*named} and not any(map(str.isalnum, start[-1:] + end[:1])):
            found[start, end] = family | found.get((start, end), {})
    return [(*ends, _by_number(own, labels) or own) for ends, own in found.items()]


def _by_number(family: dict[str, str], labels: list[str]) -> dict[str, str]:
    """Return columns by the numbers that alone tell their names apart, as P_BAD1 and P_BAD0."""
    parts = {name: re.split(r"(\d+)", name) for name in family.values()}
    places = [k for k, some in enumerate(zip(*parts.values(), strict=False)) if len({*some}) > 1]
    found = {part[k]: name for name, part in parts.items() for k in places}
    numbers = len(places) == 1 and len(found) == len(parts)
    numbers = numbers and all(map(str.isdecimal, [*found, *labels]))
    return found if numbers and {*labels} <= {*found} else {}


def _members(
    named: Named, of: Family, labels: list[str], said: Said
) -> tuple[dict[str, str], ValueError | None]:
    """Return the columns of a family in order, and an error unless they are probabilities."""
    (start, end, family), its, told = of, {*of[2].values()}, few(of[2].values())
    if said.classes is not None and set(said.classes) <= set(family):
        return {name: family[name] for name in said.classes}, None
    digits = {c: family[c] for c in sorted(filter(str.isdecimal, family), key=int)}
    numbers = all(re.fullmatch(r"-?\d+", label) for label in labels)
    of_name = {name: c for c, name in family.items()}
    members = digits or {of_name[name]: name for name in named if name in its}
    for name in (name for c, name in family.items() if c not in members):
        raise refused("among", name=name, names=told)
    for k in range(min([*map(int, digits), 1]), max([*map(int, digits), 0])):
        if str(k) not in digits:
            raise refused("gap", names=told, start=start, k=k)
    for label in (c for c in labels if not digits and not numbers and c not in family):
        raise refused("no_column_of", label=label, names=told)
    rivals = [name for name in _known(named, *KINDS[:2]) if name not in its]
    others = [n for c, n in members.items() if c not in labels and labels]
    if start and (digits or numbers):
        others = []
    elif not start and not digits:
        others = [n for n, a in named.items() if a.dtype.kind == "f" and n not in its]
    for name in (*rivals, *others):
        every = name if rivals else ",".join(dict.fromkeys([*members.values(), *others]))
        return members, refused("doubt", name=name, every=every)
    counts = (start or end) and not digits and not PATTERNS["family"].match(f"{start}x")
    return members, refused("counts", option=_option(of)) if counts else None


def _labels_of_file(
    theirs: Named, ours: Named, said: Said
) -> tuple[np.ndarray, str, list[str] | None]:
    """Return labels of a second file in the order of the first, how so, and their classes."""
    known, pair = [said.y] if said.y else _known(theirs, "labels"), _paired_ids(theirs, ours, said)
    no_labels = {*_id_names(theirs), *NAMES["index"], *said.ids}
    names, classes = [n for n in theirs if n not in no_labels] or list(theirs), None
    marks = [n for n in names if np.isin(theirs[n][~is_empty(theirs[n])], (-1, 0, 1)).all()]
    if marks == names and len(names) > 1 and not said.y and (not known or {*names} <= {*ours}):
        y, classes = np.column_stack([theirs[name] for name in names]), names
    else:
        known = known or names * (len(names) == 1)
        y = _get(theirs, _only(known, theirs, "the labels", "--y"), "--y")
    if pair is None:
        if len(y) != (n := max(map(len, ours.values()), default=0)):
            raise refused("lengths", n=len(y), of=n)
        return y, NOTED["by_position"], classes
    ids = [_get(file, name, "--ids") for file, name in zip((ours, theirs), pair, strict=True)]
    first, second = (texts(column).tolist() for column in ids)
    for several in (first, second):
        for twice in [name for name, times in Counter(several).most_common(1) if times > 1]:
            raise refused("twice", id=twice, name=pair[0])
    lacking = {*first} - {*second} or (set() if said.leave_out_empty else {*second} - {*first})
    if lacking:
        raise refused("lacking", n=len(lacking), name=pair[0], id=min(lacking))
    place = {name: row for row, name in enumerate(second)}
    return y[[place[name] for name in first]], NOTED["joined"].format(name=pair[0]), classes


def _paired_ids(theirs: Named, ours: Named, said: Said) -> tuple[str, str] | None:
    """Return columns of two files that name their samples."""
    for name in (n for n in NAMES["index"] if n in ours and n in theirs):
        counts = _counts_up(ours[name]) + _counts_up(theirs[name])
        if counts == 1 and name not in (*said.ids, *said.ignore):
            raise refused("orders", name=name)
    first, second = _names_of(ours, theirs, said), _names_of(theirs, ours, said)
    pairs = [(name, name) for name in first if name in second]
    return next(iter(pairs or zip(first, second, strict=False)), None)


def _names_of(named: Named, others: Named, said: Said) -> list[str]:
    """Return what may name the samples of one of two files: by its name, or values that differ."""
    some = {n: a for n, a in named.items() if n not in said.ignore and a.dtype.kind in "iuU"}
    differ = {n: own for n, a in some.items() if len(own := {*a.ravel().tolist()}) == len(a)}
    alike = [{*a.ravel().tolist()} for a in others.values() if a.dtype.kind in "iu"]
    far = [n for n, own in differ.items() if own in alike and max(own) - min(own) >= len(own)]
    words = [n for n in differ if some[n].dtype.kind == "U" or n in others or n in far]
    return list(said.ids) or _id_names(some) or [n for n in words if n not in NAMES["index"]]
