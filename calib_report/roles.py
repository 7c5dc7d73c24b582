"""Which column is the label and which are the scores: by the contract, or as options say."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calib_report.contract import (
    NAMES,
    NotJudgedError,
    NotSaidError,
    ReadingError,
    few,
    is_called,
    kind_of,
    plain,
)
from calib_report.options import Options
from calib_report.values import are_whole, labels_in, matched

Named = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class ScoreColumns:
    """Names of the columns, or of the one array, of scores; their classes and kind where said."""

    columns: tuple[str, ...]
    classes: tuple[str, ...] | None = None
    kind: str | None = None


def get(named: Named, name: str, option: str) -> np.ndarray:
    if name not in named:
        raise ReadingError(f"--{option}: there is no {name!r}, found {few(named)}")
    return named[name]


def in_contract(name: str, what: str) -> bool:
    return name.strip().lower() in NAMES[what]


def find_labels(named: Named, options: Options) -> str:
    """Return the name of the labels, or of several columns with commas between."""
    if options.y is not None:
        if options.y not in named:
            for name in options.y.split(","):
                get(named, name.strip(), "y")
        return options.y
    names = [name for name in named if in_contract(name, "label")]
    if len(names) == 1:
        return names[0]
    _refuse_survival(named)
    if names:
        problem = f"{few(names)} may all be the labels; the file holds {few(named)}"
    else:
        problem = f"none has a name that says the labels; the file holds {few(named)}"
    ways = [{"y": name} for name in names] or [{"y": "NAME"}, {"labels": "FILE"}]
    raise NotSaidError(problem, *ways, role="y")


def _refuse_survival(named: Named) -> None:
    low = {name.strip().lower() for name in named}
    if low & {*NAMES["times"]} and low & {*NAMES["events"]}:
        raise NotJudgedError(
            "these are times to an event, which calib does not judge: the package scikit-survival "
            "does; of a question such as 'within a year?', save label and probability"
        )


def keeps_pairs(named: Named, options: Options) -> bool:
    """Tell whether a table is one of stated confidences and verdicts, by the contract."""
    low = [name.strip().lower() for name in named]
    unsaid = options.y is None and options.scores is None and options.pairs is None
    both = "confidence" in low and "correct" in low
    other = any(in_contract(name, "label") for name in named)
    other |= any(in_contract(n, "matrix") and array.ndim > 1 for n, array in named.items())
    return unsaid and both and not other


def find_scores(named: Named, labels: Sequence[str], options: Options) -> ScoreColumns:
    """Return the scores: what options name, else the only ones that keep the contract."""
    if options.scores is not None:
        return said_scores(named, labels, options)
    candidates = list(_by_contract(named, labels))
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        _refuse_near(named, labels)
    if candidates:
        ways = [{"scores": typed(scores, named)} for scores in candidates]
        problem = f"{few(w['scores'] for w in ways)} may all be the scores"
    else:
        ways = [{"scores": "NAME"}]
        problem = f"none has a name that says the scores; the file holds {few(named)}"
        problem += _said_of_decisions(named, labels)
    raise NotSaidError(problem, *ways, role="scores")


def _by_contract(named: Named, labels: Sequence[str]) -> Iterator[ScoreColumns]:
    """Yield all that the contract calls scores of these labels."""
    for name, array in named.items():
        if in_contract(name, "matrix") and array.ndim > 1 and array.shape[-1] > 1:
            yield ScoreColumns((name,), None, kind_of(name))
    if len(labels) == 0:
        return
    for start in NAMES["beginnings"]:
        members = {n[len(start) :]: n for n in named if n.lower().startswith(start)}
        members = {c: n for c, n in members.items() if c and is_column(named[n])}
        family = family_of(members, labels, kind_of(f"{start}x"))
        if family is not None:
            yield family
    bare = matched(labels, [name for name, array in named.items() if is_column(array)])
    if len(bare) > 1:
        columns = tuple(name for name in named if name in bare.values())
        yield ScoreColumns(columns, tuple(name.strip() for name in columns))


def _refuse_near(named: Named, labels: Sequence[str]) -> None:
    """Raise where columns are called as scores are, but not by all of the labels."""
    for start in NAMES["beginnings"]:
        columns = [n for n in named if n.lower().startswith(start) and is_column(named[n])]
        members = [name[len(start) :] for name in columns]
        lacking = [label for label in labels if not matched([label], members)]
        if len(columns) < 2 or not lacking:
            continue
        masks = [label for label in lacking if is_mask(label)]
        if masks and masks == lacking:
            raise ReadingError(
                f"no column is of the label {masks[0]!r}; if it marks samples to leave out",
                {"ignore_index": tuple(map(int, masks))},
            )
        if len(lacking) < len(labels):
            raise NotSaidError(
                f"no column is of the label {lacking[0]!r}: found {few(columns)}", role="scores"
            )
        raise NotSaidError(
            f"the labels are {few(labels)}, and the columns {few(columns)} say not which is whose",
            role="scores",
        )


def _said_of_decisions(named: Named, labels: Sequence[str]) -> str:
    """Say which column looks like scores and holds predicted labels alone."""
    for name, array in named.items():
        if is_called(name, "predicted") and labels_in(array) and {*labels_in(array)} <= {*labels}:
            return f"; {name!r} holds decisions, not probabilities"
    return ""


def is_mask(label: str) -> bool:
    """Tell whether a label is a code that usually marks samples to leave out, such as -100."""
    return bool(re.fullmatch(r"-\d+|255", label))


def is_column(array: np.ndarray) -> bool:
    return array.ndim == 1 and array.dtype.kind in "biufU"


def family_of(
    members: Mapping[str, str], labels: Sequence[str], kind: str | None
) -> ScoreColumns | None:
    """Return columns by their classes if each label has one; of two labels one may do."""
    alike = matched(labels, list(members))
    if alike:
        return ordered(members, kind)
    if len(labels) != 2 or len(members) != 1 or kind != "probabilities":
        return None
    (one,) = members
    positive = [label for label in labels if plain(label) == plain(one)]
    if len(positive) != 1:
        return None
    other = next(label for label in labels if label != positive[0])
    return ScoreColumns((members[one],), (other, positive[0]), kind)


def ordered(members: Mapping[str, str], kind: str | None) -> ScoreColumns:
    """Return columns in the order of their classes: of numbers by size, of names as they stand."""
    classes = list(members)
    if are_whole(classes):
        classes.sort(key=int)
    return ScoreColumns(tuple(members[c] for c in classes), tuple(classes), kind)


def families(names: Sequence[str], labels: Sequence[str]) -> list[dict[str, str]]:
    """Return columns by their classes, wherever in a name the label stands.

    What stands before and behind the label is the same in all, and joins it with a sign that is no
    letter: ``P (label=cat)``, ``bought_1_PREDICTION``; what bears no label is a class of its own.
    """
    found: dict[tuple[str, str], dict[str, str]] = {}
    for name in names:
        for start, end in _around(name, labels):
            family = {label: f"{start}{label}{end}" for label in labels}
            if {*family.values()} <= {*names}:
                found[start, end] = family
    for (start, end), family in found.items():
        for name in names:
            inner = name[len(start) : len(name) - len(end)]
            whole = name == f"{start}{inner}{end}" and (start or end) and inner
            if whole and name not in family.values() and inner.lower() not in NAMES["statistics"]:
                family[inner] = name
    return list(found.values())


def _around(name: str, labels: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield what stands around the first of the labels in a name."""
    for place in re.finditer(re.escape(labels[0]), name):
        start, end = name[: place.start()], name[place.end() :]
        glued = start[-1:].isalnum() or end[:1].isalnum()
        digits = start[-1:].isdecimal() or end[:1].isdecimal()
        if not glued or (labels[0].isdecimal() and not digits):
            yield start, end


def said_scores(named: Named, labels: Sequence[str], options: Options) -> ScoreColumns:
    """Return the scores that an option names: an array, columns, or what columns begin with."""
    name = options.scores or ""
    if name in named:
        return ScoreColumns((name,), None, kind_of(name))
    if "," in name:
        columns = tuple(part.strip() for part in name.split(","))
        for column in columns:
            get(named, column, "scores")
        return of_columns(columns, labels, options.classes)
    columns = tuple(n for n in named if n.startswith(name) and is_column(named[n]))
    if len(columns) < 2:
        raise ReadingError(f"--scores: there is no {name!r}, found {few(named)}")
    return _of_beginning(columns, name, labels, options.classes)


def _of_beginning(
    columns: tuple[str, ...], start: str, labels: Sequence[str], classes: Sequence[str] | None
) -> ScoreColumns:
    members = {column[len(start) :]: column for column in columns}
    if classes is not None and {*classes} <= {*members}:
        return ScoreColumns(tuple(members[c] for c in classes), tuple(classes), kind_of(columns[0]))
    if matched(labels, list(members)):
        return ordered(members, kind_of(f"{start}x"))
    scores = of_columns(columns, labels, classes)
    if scores.classes == columns:
        return ScoreColumns(columns, tuple(members), scores.kind)
    return scores


def of_columns(
    columns: tuple[str, ...], labels: Sequence[str], classes: Sequence[str] | None
) -> ScoreColumns:
    """Return columns in the order in which they were named, with the classes that names bear."""
    kinds = {kind_of(column) for column in columns}
    kind = kinds.pop() if len(kinds) == 1 else None
    if classes is not None and len(classes) == len(columns):
        own = {c: n for c in classes for n in columns if plain(n).endswith(plain(c))}
        if len(own) == len(classes) == len({*own.values()}):
            return ScoreColumns(tuple(own[c] for c in classes), tuple(classes), kind)
        return ScoreColumns(columns, tuple(classes), kind)
    for family in families(columns, labels) if labels else []:
        if len(family) == len(columns):
            of_column = {name: label for label, name in family.items()}
            return ScoreColumns(columns, tuple(of_column[name] for name in columns), kind)
    bare = matched(labels, columns)
    if bare or not labels or not are_whole(labels):
        return ScoreColumns(columns, columns if len(columns) > 1 else None, kind)
    _refuse_other_number(columns, labels)
    return ScoreColumns(columns, columns if len(columns) > 1 else None, kind)


def _refuse_other_number(columns: Sequence[str], labels: Sequence[str]) -> None:
    """Refuse columns in another number than that of the labels' codes, which do not name them."""
    codes = sorted(int(label) for label in labels)
    numbers = trailing_numbers(columns)
    if numbers and numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        if codes != sorted(numbers):
            raise ReadingError(
                f"columns are numbered {few(numbers)}, and labels are {few(codes)}: which is whose "
                "is said by --classes A,B,C, in the order of the columns"
            )
    n_codes = codes[-1] - min(codes[0], 1) + 1 if codes else 0
    if 2 < len(columns) and n_codes < len(columns):
        raise ReadingError(
            f"{len(columns)} columns of scores, and labels from {codes[0]} to {codes[-1]}: "
            f"--scores with {n_codes} of them; or, where classes do not occur, name all in the "
            "order of the columns: --classes A,B,C"
        )


def trailing_numbers(columns: Sequence[str]) -> list[int]:
    """Return the numbers that names end in; nothing where one has none."""
    matches = [re.search(r"(\d{1,18})$", column) for column in columns]
    return [int(match[1]) for match in matches if match] if all(matches) else []


def typed(scores: ScoreColumns, named: Named) -> str:
    """Return what `--scores` should be to name columns: how they begin, if that is shorter."""
    columns = scores.columns
    whole = ",".join(columns)
    if (len(columns) <= 8 and len(whole) <= 200) or scores.classes is None:
        return whole
    ends = [len(column) - len(c) for column, c in zip(columns, scores.classes, strict=True)]
    start = columns[0][: ends[0]]
    begins = [name for name in named if name.startswith(start)]
    return start if start and {*begins} == {*columns} else whole


def is_label_like(name: str) -> bool:
    return is_called(name, "labels")


def label_values(named: Named, name: str, columns: Sequence[str]) -> list[str]:
    """Return the labels that occur; "NA" is a label where a column bears it."""
    parts = {part for column in columns for part in re.split(r"[^0-9A-Za-z/]+", column)}
    return labels_in(named[name], sorted(parts)) if name in named else []
