"""Columns and rows of tables as arrays by name, those of evaluation logs among them."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

HARNESS = {"doc_id", "target", "filtered_resps"}  # keys of a line of lm-evaluation-harness' log
NAMED_SCORE = {"label", "score"}  # keys of what Hugging Face's pipelines return for a class


@dataclass(frozen=True, eq=False)
class Arrays:
    """Arrays by name.

    In a `table` they are columns, so that each class may have one of its own. `classes` and `kind`,
    "logits" or "probabilities", are there where the layout says them.
    """

    named: dict[str, np.ndarray]
    table: bool = False
    classes: list[str] | None = None
    kind: str | None = None
    notes: list[str] = field(default_factory=list)


def joined(parts: Any, paths: Any) -> Arrays:
    """Return the rows of several files of one layout as those of one.

    Choices of unequal number are filled, as in one evaluation log; what only some files hold is
    left out. The name of its file stands beside each row, as ``file``.
    """
    first, named, notes = parts[0], {}, []
    for path, part in zip(paths, parts, strict=True):
        if (part.table, part.kind) != (first.table, first.kind):
            raise ValueError(f"{path}: another layout than {paths[0]}")
    common = [name for name in first.named if all(name in part.named for part in parts)]
    everything = dict.fromkeys(name for part in parts for name in part.named)
    if left_out := [name for name in everything if name not in common]:
        notes.append(f"Only some of the files hold, so left out are: {', '.join(left_out)}.")
    for name in common:
        arrays = [part.named[name] for part in parts]
        if name.lower() == "classes":
            if any(array.tolist() != arrays[0].tolist() for array in arrays):
                raise ValueError("the files name other classes")
            named[name] = arrays[0]
            continue
        widths = {array.shape[1:] for array in arrays}
        if len(widths) > 1 and first.kind == "logits" and arrays[0].ndim == 2:
            most = max(array.shape[1] for array in arrays)
            missing = [((0, 0), (0, most - array.shape[1])) for array in arrays]
            padded = zip(arrays, missing, strict=True)
            arrays = [np.pad(array, ends, constant_values=-np.inf) for array, ends in padded]
        elif len(widths) > 1:
            raise ValueError(f"{name!r} has rows of other shapes in other files")
        named[name] = np.concatenate(arrays)
    n = [len(part.named[common[-1]]) for part in parts]
    if "file" not in named and all(len(array) == sum(n) for array in named.values()):
        named["file"] = np.repeat([str(path).rpartition("/")[2] for path in paths], n)
    classes = max((part.classes or [] for part in parts), key=len) or None
    notes = list(dict.fromkeys([note for part in parts for note in part.notes] + notes))
    return Arrays(named, first.table, classes, first.kind, notes)


def from_columns(columns: Any, pandas: Any) -> Arrays:
    """Return the columns of a data frame; a column of lists is an array of two dimensions."""
    named: dict[str, np.ndarray] = {}
    lists = {}
    for name, column in columns.items():
        if len(column) and isinstance(column.iloc[0], list | tuple | np.ndarray):
            lists[name] = column.tolist()
            named[name] = stacked(name, lists[name])
        elif pandas.api.types.is_numeric_dtype(column):
            named[name] = _numbers(column)
        else:
            named[name] = column.astype(object).where(column.notna(), "").to_numpy(dtype=str)
    if HARNESS <= set(columns):
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return harness_log([dict(zip(columns, row, strict=True)) for row in rows])
    return Arrays(named, table=not lists, notes=uneven(lists, named))


def _numbers(column: Any) -> np.ndarray:
    numbers = column.to_numpy()
    if numbers.dtype.kind not in "biuf":  # columns that may miss values
        numbers = column.to_numpy(dtype=float, na_value=np.nan)
    return numbers


def from_rows(content: Any) -> Arrays:
    """Return the arrays of what was read from JSON: a dict of lists, or a list of rows."""
    if isinstance(content, dict):
        return from_lists(content)
    if not isinstance(content, list) or not content:
        raise ValueError("expected rows, or lists by name")
    if all(map(is_ranking, content)):
        return rankings(content)
    if not all(isinstance(row, dict) for row in content):
        raise ValueError("expected an object with names in each row")
    if HARNESS <= set(content[0]):
        return harness_log(content)
    rows = [flat(row) for row in content]
    names = list(dict.fromkeys(name for row in rows for name in row))
    for number, row in enumerate(rows):
        if missing := [name for name in names if name not in row]:
            raise ValueError(f"row {number} has no {missing[0]!r}, and other rows have")
    lists = {name: [row[name] for row in rows] for name in names}
    return from_lists(lists, table=not any(isinstance(v[0], list) for v in lists.values()))


def flat(row: Any, prefix: str = "") -> dict[str, Any]:
    """Return a nested dict with names joined by dots.

    Examples
    --------
    >>> flat({"a": {"b": 1}, "c": [2]})
    {'a.b': 1, 'c': [2]}
    """
    found: dict[str, Any] = {}
    for name, value in row.items():
        whole = f"{prefix}{name}"
        found |= flat(value, f"{whole}.") if isinstance(value, dict) else {whole: value}
    return found


def from_lists(lists: Any, table: Any = False) -> Arrays:
    """Return lists by name as arrays."""
    ranked = [name for name, value in lists.items() if isinstance(value, list) and value]
    ranked = [name for name in ranked if all(map(is_ranking, lists[name]))]
    named = {name: stacked(name, value) for name, value in lists.items() if name not in ranked}
    notes = uneven(lists, named)
    if len(ranked) > 1:
        raise ValueError(f"labels with scores in {ranked[0]!r} and {ranked[1]!r}, expected one")
    if not ranked:
        return Arrays(named, table=table, notes=notes)
    found = rankings(lists[ranked[0]])
    return Arrays(named | found.named, classes=found.classes, kind=found.kind, notes=notes)


def stacked(name: str, values: Any) -> np.ndarray:
    """Return rows of numbers as one array; rows of unequal length end in -inf.

    Examples
    --------
    >>> stacked("logits", [[1, 2], [3]])
    array([[  1.,   2.],
           [  3., -inf]])
    """
    if not isinstance(values, list):
        return np.asarray(values)
    values = [v.tolist() if isinstance(v, np.ndarray) else v for v in values]
    if None in values:
        kinds = {type(v) for v in values if v is not None}
        empty: Any = np.nan if kinds <= {int, float} else ""
        values = [empty if v is None else v for v in values]
    lengths = {len(v) if isinstance(v, list | tuple) else -1 for v in values}
    if lengths == {-1} or len(lengths) == 1:
        try:
            array = np.array(values)
        except ValueError:
            raise ValueError(f"{name!r}: rows of different shapes") from None
        return array.astype(str) if array.dtype.kind == "O" else array
    if -1 in lengths or any(isinstance(v, list | dict | str) for row in values for v in row):
        return np.array([str(v) for v in values])  # text, or what no score is made of
    padded = np.full((len(values), max(lengths)), -np.inf)
    for row, value in zip(padded, values, strict=True):
        row[: len(value)] = value
    return padded


def uneven(lists: Any, arrays: Any) -> list[str]:
    """Return a note for each list whose rows :func:`stacked` filled, or none.

    Examples
    --------
    >>> uneven({"logits": [[1, 2], [3]]}, {"logits": stacked("logits", [[1, 2], [3]])})[0][:32]
    "Rows of 'logits' hold 1 to 2 num"
    """
    notes = []
    for name, array in arrays.items():
        lengths = {len(row) for row in lists[name]} if name in lists and array.ndim == 2 else {0}
        if len(lengths) > 1:
            fewest, most = min(lengths), max(lengths)
            notes.append(
                f"Rows of {name!r} hold {fewest} to {most} numbers; those of fewer are filled with "
                "classes of probability zero. Errors class by class, and maps with numbers for "
                "each class, then mean little: a class is a place in the list."
            )
    return notes


def is_ranking(row: Any) -> bool:
    """Tell whether a row is a list of {label, score}."""
    return (
        bool(row)
        and isinstance(row, list)
        and all(isinstance(item, dict) and set(item) == NAMED_SCORE for item in row)
    )


def rankings(rows: Any) -> Arrays:
    """Return the probabilities of rows of {label, score}, whose order may differ by row."""
    classes = sorted((item["label"] for item in rows[0]), key=_natural)
    scores = np.empty((len(rows), len(classes)))
    for number, row in enumerate(rows):
        given = {item["label"]: item["score"] for item in row}
        if set(given) != set(classes) or len(row) != len(classes):
            raise ValueError(
                f"row {number} has the labels {sorted(map(str, given))[:5]}, and row 0 others: all "
                "classes are needed, which a pipeline gives with top_k=None"
            )
        scores[number] = [given[name] for name in classes]
    return Arrays({"scores": scores}, classes=[str(name) for name in classes])


def _natural(name: str) -> tuple[str, int, str]:
    """Order LABEL_2 before LABEL_10."""
    start, _, number = str(name).rpartition("_")
    return (start, int(number), "") if number.isdecimal() else (str(name), -1, "")


def harness_log(rows: Any) -> Arrays:
    """Return the choices' log-likelihoods of lm-evaluation-harness' log of samples.

    What was read has to give the log's own ``acc``, question by question.

    Each line holds under ``filtered_resps`` a pair (log-likelihood, whether it is the greedy
    continuation) for each choice, as text, and under ``target`` the right choice.
    """
    notes = []
    if len({row.get("filter") for row in rows}) > 1:
        kept = rows[0].get("filter")
        rows = [row for row in rows if row.get("filter") == kept]
        notes.append(f"The log holds its questions once for each filter; read is {kept!r}.")
    scores: list[Any] = []
    target = []
    for number, row in enumerate(rows):
        if missing := sorted(HARNESS - set(row)):
            raise ValueError(f"row {number} has no {missing[0]!r}, and the first row has")
        try:
            scores.append([_likelihood(*pair) for pair in row["filtered_resps"]])
        except (TypeError, ValueError):
            raise ValueError(
                f"row {number} holds no log-likelihoods of choices; of generated answers, save a "
                "table with columns 'confidence' and 'correct'"
            ) from None
        scores[-1], halved = _of_choices(number, row, scores[-1])
        target.append(_right_choice(number, row, len(scores[-1])))
    if halved:
        notes.append(
            "Each row holds two log-likelihoods a choice, for mutual information; read are the "
            "first, of the choice after the question."
        )
    _check_logged_accuracy(rows, scores, target)
    padded = stacked("filtered_resps", scores)
    notes += uneven({"filtered_resps": scores}, {"filtered_resps": padded})
    columns = {}
    for name in flat({"doc": rows[0].get("doc") or {}}):
        values = [flat({"doc": row.get("doc") or {}}).get(name, "") for row in rows]
        if not any(isinstance(value, list) for value in values):
            columns[name] = np.array([str(value) for value in values])
    columns["doc_id"] = np.array([str(row["doc_id"]) for row in rows])
    notes.append("Log-likelihoods are read as logged, not divided by the length of the choice.")
    named = columns | {"y": np.array(target), "logits": padded}
    classes = [f"choice {k}" for k in range(padded.shape[1])]
    return Arrays(named, classes=classes, kind="logits", notes=notes)


def _likelihood(value: Any, greedy: Any) -> float:
    if str(greedy) not in ("True", "False"):
        raise ValueError(f"{greedy!r} does not say whether it is the greedy continuation")
    return float(value)


def _of_choices(number: int, row: Any, likely: Any) -> tuple[list[Any], bool]:
    """Return the log-likelihoods of the choices, and whether others stood behind them."""
    choices = (row.get("doc") or {}).get("choices")
    texts = choices.get("text") if isinstance(choices, dict) else choices
    n_choices = len(texts) if isinstance(texts, list) else len(likely)
    if len(likely) == n_choices:
        return likely, False
    if len(likely) == 2 * n_choices and "acc_mutual_info" in row:
        return likely[:n_choices], True
    raise ValueError(
        f"row {number} holds {len(likely)} log-likelihoods, and its question {n_choices} choices: "
        "which are whose is not known; save a table of the choices' logits with labels"
    )


def _check_logged_accuracy(rows: Any, scores: Any, target: Any) -> None:
    """Refuse a log whose own accuracy, question by question, is not that of what was read."""
    logged = [row.get("acc") for row in rows]
    if any(value is None for value in logged):
        return
    for number, value in enumerate(logged):
        if value not in (0, 1):
            raise ValueError(
                f"row {number}: acc is {value}, neither 0 nor 1: several choices may be right, as "
                "in truthfulqa_mc2, so no choice is the label; of a log with one right choice, "
                "such as truthfulqa_mc1, the probabilities of choices can be judged"
            )
    hit = [int(np.argmax(z)) == y for z, y in zip(scores, target, strict=True)]
    off = [number for number, value in enumerate(logged) if hit[number] != value]
    if off:
        told = "right" if logged[off[0]] else "wrong"
        raise ValueError(
            f"{len(off)} of {len(rows)} rows disagree with the log's own acc, the first in row "
            f"{off[0]}: by acc the answer is {told}, and the likeliest choice is "
            f"{int(np.argmax(scores[off[0]]))}, the target {target[off[0]]}. So the target is not "
            "what the log counted as right; save a table of the choices' logits with labels"
        )


def _right_choice(number: Any, row: Any, n_choices: Any) -> int:
    """Return the place of the right choice: a number, or that of its text in the question."""
    target = str(row["target"]).strip()
    if target.isdecimal() and int(target) < n_choices:
        return int(target)
    choices = (row.get("doc") or {}).get("choices")
    texts = choices.get("text") if isinstance(choices, dict) else choices
    if isinstance(texts, list) and target in [str(text).strip() for text in texts]:
        return [str(text).strip() for text in texts].index(target)
    if len(target) == 1 and target.isalpha() and ord(target.upper()) - ord("A") < n_choices:
        return ord(target.upper()) - ord("A")
    raise ValueError(f"row {number}: the target {target!r} is none of the {n_choices} choices")
