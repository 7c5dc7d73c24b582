"""Rows as JSON holds them: nested names, lists of scores, scores by the names of options."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

import numpy as np

from calib_report.arrays import Arrays, numbers_or_text
from calib_report.contract import (
    NAMES,
    Note,
    ReadingError,
    ScoreKind,
    all_called,
    is_called_scores,
    kind_of,
    listed,
)

# what an entry of a ranking of options holds
RANKED = ({"label", "score"}, {"label", "prob"})
FEWEST_ROWS = 3  # from which one row alone may be another than all others
Row = Mapping[str, Any]
Lists = Mapping[str, list[Any]]


def flat(row: Row, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield what a nested dict holds, under names joined by dots; scores of options as one dict."""
    # scores stand in the order of names that another entry lists
    options = _listed_options(row)
    for name, value in row.items():
        scores = _scores_by_option(value, options, is_called_scores(name))
        if isinstance(scores, dict) and not _are_scores(name, scores):
            yield from flat(scores, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", scores


def _listed_options(row: Row) -> list[str]:
    """Return the names of options that a row lists beside their scores."""
    for name in NAMES["options"]:
        if isinstance(row.get(name), list):
            return [*map(str, row[name])]
    return []


def _scores_by_option(value: Any, options: list[str], may_be_scores: bool) -> Any:
    """Return scores by the names of their options, of a ranking or a list; else the value."""
    if is_ranking(value):
        return _scores_by_label(value)
    is_list = may_be_scores and isinstance(value, list)
    if is_list and len({*options}) == len(value) > 0:
        return dict(zip(options, value, strict=True))
    return value


def _scores_by_label(ranking: list[Mapping[str, Any]]) -> dict[str, Any]:
    """Return scores by labels, in the order of these: a ranking has another in each row."""
    scores = []
    for entry in ranking:
        (name,) = entry.keys() - {"label"}
        scores.append((str(entry["label"]), entry[name]))
    return dict(sorted(scores))


def _are_scores(name: str, value: Row) -> bool:
    are_numbers = all(type(entry) in (int, float) for entry in value.values())
    return bool(value) and are_numbers and is_called_scores(name)


def is_ranking(row: Any) -> bool:
    """Tell whether a row is a list of {label, score}, as pipelines of Hugging Face return."""
    return isinstance(row, list) and bool(row) and all(map(_is_ranked, row))


def _is_ranked(entry: Any) -> bool:
    return isinstance(entry, dict) and set(entry) in RANKED


def from_rows(rows: Sequence[Row]) -> Arrays:
    """Return the arrays of rows, of which one may lack what others hold."""
    # a dict keeps the order in which names first stand
    names = dict.fromkeys(chain.from_iterable(rows))
    return from_lists({name: [row.get(name) for row in rows] for name in names})


def from_lists(lists: Lists) -> Arrays:
    """Return the arrays of lists by name, of which one may hold scores of options."""
    if {*NAMES["boxes"]} & set(lists):
        raise ReadingError(
            "these are detections, boxes with scores, which calib does not judge: the package "
            "netcal measures the calibration of detectors"
        )
    lists = {name: _with_options(name, values) for name, values in lists.items()}
    by_option = [name for name, values in lists.items() if _begins_with_dict(values)]
    if not by_option:
        return _arrays_of_vectors(lists)
    if len(by_option) > 1:
        raise ReadingError(
            f"{listed(by_option)} hold scores of options each: keep one of them"
        )
    return ScoresByOption.of(lists, by_option[0]).arrays()


def _begins_with_dict(values: list[Any]) -> bool:
    return bool(values) and isinstance(values[0], dict)


def _arrays_of_vectors(lists: Lists) -> Arrays:
    """Return the arrays of lists by name, whose entries are numbers, words or lists of these."""
    for name in filter(kind_of, lists):
        _refuse_lone_length(name, lists[name])
    notes: list[Note] = []
    return Arrays(stacked(lists, notes), notes=notes)


def _with_options(name: str, values: list[Any]) -> list[Any]:
    """Return values of which rankings are dicts of scores by label."""
    return [dict(flat({name: value})).get(name, value) for value in values]


def _refuse_lone_length(name: str, rows: list[Any]) -> None:
    """Refuse scores of which one row alone has another number: it is damaged, not a question."""
    if len(rows) < FEWEST_ROWS or not all(map(_is_vector, rows)):
        return
    lengths = [*map(len, rows)]
    counts = Counter(lengths)
    lone = _once_in(counts)
    # of rows that all have one number of scores, none is odd
    if len(counts) > 1 and lone:
        usual = counts.most_common(1)[0][0]
        raise ReadingError(
            f"row {lengths.index(lone[0])} alone holds {lone[0]} scores in {name!r}, and other "
            f"rows {usual}"
        )


def _once_in(counts: Mapping[Any, int]) -> list[Any]:
    """Return what was counted once."""
    return [value for value, count in counts.items() if count == 1]


def _is_vector(value: Any) -> bool:
    return isinstance(value, list | tuple)


@dataclass(frozen=True)
class ScoresByOption:
    """Rows that map options to scores: a class is an option, or its place in the row."""

    path: str
    kind: ScoreKind | None
    rows: list[dict[str, float]]
    columns: dict[str, list[Any]]  # what stands beside
    options: list[str]

    @classmethod
    def of(cls, lists: Lists, path: str) -> "ScoresByOption":
        rows = lists[path]
        for number, scores in enumerate(rows):
            if not isinstance(scores, dict):
                raise ReadingError(
                    f"row {number} has no scores of options in {path!r}, and row 0 has"
                )
        # the options' scores are the table, all other columns stand beside
        columns = _without_listed(lists, path)
        return cls(path, kind_of(path), rows, columns, _options_of(rows))

    def arrays(self) -> Arrays:
        self._refuse_lone_option()
        # half as many again may be missing here and there; more are options of each question
        most = max(map(len, self.rows))
        is_shared = len(self.options) <= most + most // 2
        return self._arrays_by_name() if is_shared else self._arrays_by_place()

    def _refuse_lone_option(self) -> None:
        """Refuse an option of one row alone where rows share the others: its name is damaged."""
        counts = Counter(chain.from_iterable(self.rows))
        lone = {*_once_in(counts)} - self._labels()
        # beside the damaged one all options are there, so that they are one more
        may_be_damaged = len(counts) <= max(map(len, self.rows)) + 1
        if len(lone) != 1 or len(self.rows) < FEWEST_ROWS or not may_be_damaged:
            return
        (option,) = lone
        row = [option in scores for scores in self.rows].index(True)
        raise ReadingError(
            f"row {row} alone holds the option {option!r}, which no label is"
        )

    def _label_names(self) -> list[str]:
        return all_called(self.columns, "labels")

    def _labels(self) -> set[str]:
        columns = map(self.columns.__getitem__, self._label_names())
        return {*map(str, chain.from_iterable(columns))}

    def _arrays_by_name(self) -> Arrays:
        """Return rows that hold the same options: each is a class."""
        kind, notes = self.kind, list[Note]()
        short = sum(len(scores) < len(self.options) for scores in self.rows)
        if short:
            kind = kind or "probabilities"
            notes.append(
                Note(
                    f"{short} of {len(self.rows)} rows do not hold all options; those that are "
                    "missing have probability zero."
                )
            )
        # what a row does not hold is impossible there
        absent = dict.fromkeys(self.options, -np.inf if kind == "logits" else 0.0)
        table = [[*(absent | scores).values()] for scores in self.rows]
        named = stacked(self.columns, notes) | {self.path: np.array(table)}
        return Arrays(named, self.options, kind, notes)

    def _arrays_by_place(self) -> Arrays:
        """Return rows that hold options of their own: a class is a place among them."""
        notes: list[Note] = []
        columns = dict(self.columns)
        for name in self._label_names()[:1]:
            columns[name] = [*map(_place_of, columns[name], self.rows, count())]
        columns[self.path] = [list(scores.values()) for scores in self.rows]
        return Arrays(stacked(columns, notes), kind=self.kind, notes=notes)


def _without_listed(lists: Lists, path: str) -> dict[str, list[Any]]:
    """Return columns but for scores, and the lists of options that stand beside them."""
    # options are listed in the same dict as their scores
    folder = path.rpartition(".")[0]
    listed = {path}
    for name in NAMES["options"]:
        column = f"{folder}.{name}".lstrip(".")
        if list in map(type, lists.get(column, [])):
            listed.add(column)
    return {name: column for name, column in lists.items() if name not in listed}


def _options_of(rows: list[dict[str, float]]) -> list[str]:
    options = list(dict.fromkeys(chain.from_iterable(rows)))
    if all(option[-1:].isdecimal() for option in options):  # LABEL_2 before LABEL_10
        options.sort(key=lambda option: int(re.findall(r"\d+", option)[-1]))
    return options


def _place_of(label: Any, scores: Mapping[str, float], row: int) -> int:
    option = str(label)
    if option not in scores:
        raise ReadingError(f"row {row}: {option!r} is no option of it")
    return list(scores).index(option)


def stacked(lists: Lists, notes: list[Note]) -> dict[str, np.ndarray]:
    """Return rows of numbers as arrays; rows of fewer end in -inf, of probabilities in 0."""
    return {name: stack(name, values, notes) for name, values in lists.items()}


def stack(name: str, values: list[Any], notes: list[Note]) -> np.ndarray:
    """Return values, or lists of them, as one array."""
    rows = [*filter(_is_vector, values)]
    if rows:
        values = _filled_to_one_length(name, values, rows, notes)
    else:
        values = _without_none(values)
    try:
        array = np.array(values)
    except ValueError:
        # lists of other lengths or depths: text, or what no score is made of
        array = np.array([*map(str, values)])
    return numbers_or_text(array, f"{name}: ")


def _without_none(values: list[Any]) -> list[Any]:
    """Return values of which one that is missing is nan among numbers, else empty."""
    if None not in values:
        return values
    # True, False and None stay words: a hit that is missing is no number
    are_numbers = {*map(type, values)} <= {int, float, type(None)}
    empty = np.nan if are_numbers else ""
    return [empty if value is None else value for value in values]


def _filled_to_one_length(
    name: str, values: list[Any], rows: list[Any], notes: list[Note]
) -> list[Any]:
    """Return rows of scores, of which shorter ones are filled up with what is impossible."""
    if None in values:
        raise ReadingError(
            f"row {values.index(None)} has no {name!r}, and other rows have"
        )
    kind, lengths = kind_of(name), {*map(len, rows)}
    if kind is None or len(rows) < len(values) or len(lengths) == 1:
        return values
    notes.append(
        Note(
            "Rows hold other numbers of scores: a class is a place in the list, of probability "
            "zero where there is none, so that errors class by class mean little."
        )
    )
    impossible = 0.0 if kind == "probabilities" else -np.inf
    return [[*row, *[impossible] * (max(lengths) - len(row))] for row in rows]
