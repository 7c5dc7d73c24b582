"""Layouts of real tools, told by their marks, as named arrays."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from calib_report.contract import KINDS, NAMES, NOTED, few, is_called, kind_of, refused

RANKED = {"label", "score"}, {"label", "prob"}  # what an entry of a ranking of options holds


@dataclass(frozen=True, eq=False)
class Arrays:
    """Arrays or columns by name; `classes`, and `kind` of scores, where the layout says them."""

    named: dict[str, np.ndarray]
    classes: list[str] | None = None
    kind: str | None = None
    notes: list[str] = field(default_factory=list)


def from_frame(frame: Any) -> Arrays:
    """Return the columns of a data frame; a column of lists is an array of two dimensions."""
    columns = {str(name): column for name, column in frame.items()}
    if len(columns) < frame.shape[1]:
        raise refused("one_name")
    if any(len(c) and isinstance(c.iloc[0], list | tuple | np.ndarray) for c in columns.values()):
        return from_lists({name: _plain(column.tolist()) for name, column in columns.items()})
    named = {}
    for name, column in columns.items():
        if column.dtype.kind in "biuf":  # where a number is missing, it is nan
            plain = isinstance(column.dtype, np.dtype)
            named[name] = column.to_numpy() if plain else column.to_numpy(float, na_value=np.nan)
        else:
            named[name] = column.astype(object).where(column.notna(), "").to_numpy(str)
    return Arrays(named)


def _plain(value: Any) -> Any:
    """Return lists for arrays within lists."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return list(map(_plain, value)) if isinstance(value, list) else value


def from_json(content: Any) -> Arrays:
    """Return the arrays of what was read from JSON: lists by name, or rows, as tools write them."""
    keys = set(content) if isinstance(content, dict) else set()
    if {"columns", "data"} <= keys:  # pandas, split
        content = [dict(zip(content["columns"], row, strict=True)) for row in content["data"]]
    elif {"schema", "data"} <= keys:  # pandas, table
        content = content["data"]
    elif keys and all(isinstance(value, dict) for value in content.values()):
        inner = list(next(iter(content.values())))
        if not any(is_called(name, "labels") for name in inner):  # pandas, columns; else by index
            content = {row: {name: content[name].get(row) for name in content} for row in inner}
        content = list(content.values())
    if isinstance(content, dict):
        return from_lists({n: v for n, v in flat(content) if isinstance(v, list)})
    rows = content if isinstance(content, list) else []
    rows = [{"scores": row} if _is_ranking(row) else row for row in rows]
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise refused("no_rows")
    if set(rows[0]) >= {*NAMES["harness"]}:
        return _harness_log(rows)
    flats = [dict(flat(row)) for row in rows]
    names = dict.fromkeys(name for row in flats for name in row)
    return from_lists({name: [row.get(name) for row in flats] for name in names})


def flat(row: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield what a nested dict holds, under names joined by dots; scores of options as one dict."""
    keys = next((row[k] for k in NAMES["options"] if isinstance(row.get(k), list)), list[Any]())
    for name, value in row.items():
        scores = is_called(name, *KINDS)
        if _is_ranking(value):
            value = dict(
                sorted((str(item.pop("label")), *item.values()) for item in map(dict, value))
            )
        elif scores and isinstance(value, list) and len({*map(str, keys)}) == len(value) > 0:
            value = dict(zip(map(str, keys), value, strict=True))
        numbers = isinstance(value, dict) and {*map(type, value.values())} <= {int, float}
        if isinstance(value, dict) and not (value and numbers and scores):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _is_ranking(row: Any) -> bool:
    """Tell whether a row is a list of {label, score}, as pipelines of Hugging Face return."""
    items = row if isinstance(row, list) and row else [None]
    return all(isinstance(item, dict) and set(item) in RANKED for item in items)


def from_lists(lists: Mapping[str, list[Any]]) -> Arrays:
    if {*NAMES["boxes"]} & set(lists):
        raise refused("detections")
    lists = {n: [dict(flat({n: v})).get(n, v) for v in rows] for n, rows in lists.items()}
    notes: list[str] = []
    of_options = [name for name, rows in lists.items() if rows and isinstance(rows[0], dict)]
    if len(of_options) > 1:
        raise refused("several_maps", names=few(of_options))
    if of_options:
        return _with_options(lists, *of_options)
    return Arrays(stacked(lists, notes), notes=notes)


def _with_options(columns: dict[str, list[Any]], path: str) -> Arrays:
    """Return rows that map options to scores; a class is an option, or its place in the row."""
    maps, kind, inside = columns.pop(path), kind_of(path), path.rpartition(".")[0]
    keys = {f"{inside}.{name}".lstrip(".") for name in NAMES["options"]}
    columns = {name: rows for name, rows in columns.items() if name not in keys}
    if holes := [row for row, scores in enumerate(maps) if not isinstance(scores, dict)]:
        raise refused("no_options", row=holes[0], name=path)
    options = list(dict.fromkeys(option for scores in maps for option in scores))
    if all(option[-1:].isdigit() for option in options):  # LABEL_2 before LABEL_10
        options.sort(key=lambda option: int(re.findall(r"\d+", option)[-1]))
    most, notes = max(map(len, maps)), list[str]()
    if len(options) <= most + most // 2:
        if short := sum(len(scores) < len(options) for scores in maps):
            kind = kind or "probabilities"
            notes.append(NOTED["sparse"].format(n=short, of=len(maps)))
        empty = -np.inf if kind == "logits" else 0.0
        table = np.array([[scores.get(option, empty) for option in options] for scores in maps])
        return Arrays(stacked(columns, notes) | {path: table}, options, kind, notes)
    for name in [name for name in columns if is_called(name, "labels")][:1]:
        label = list(map(str, columns[name]))
        if unknown := [row for row, scores in enumerate(maps) if label[row] not in scores]:
            raise refused("no_option", row=unknown[0], label=label[unknown[0]])
        columns[name] = [list(scores).index(k) for k, scores in zip(label, maps, strict=True)]
    columns[path] = [list(scores.values()) for scores in maps]
    return Arrays(stacked(columns, notes), kind=kind, notes=notes)


def stacked(lists: Mapping[str, list[Any]], notes: list[str]) -> dict[str, np.ndarray]:
    """Return rows of numbers as arrays; rows of fewer end in -inf, of probabilities in 0."""
    found = {}
    for name, values in lists.items():
        rows = [value for value in values if isinstance(value, list | tuple)]
        if None in values:
            if rows:
                raise refused("hole", row=values.index(None), name=name)
            empty: Any = np.nan if {*map(type, values)} <= {int, float, type(None)} else ""
            values = [empty if value is None else value for value in values]
        kind, lengths = kind_of(name), {*map(len, rows)}
        if kind and len(lengths) > 1 and len(rows) == len(values):
            empty = 0.0 if kind == "probabilities" else -np.inf
            values = [[*row, *[empty] * (max(lengths) - len(row))] for row in values]
            notes.append(NOTED["places"])
        try:
            array = np.array(values)
        except ValueError:  # lists of other lengths or depths: text, or what no score is made of
            array = np.array(list(map(str, values)))
        found[name] = array.astype(str) if array.dtype.kind == "O" else array
    return found


def _harness_log(rows: list[dict[str, Any]]) -> Arrays:
    """Return log-likelihoods of choices of lm-evaluation-harness' log, "filtered_resps"."""
    notes = [NOTED["as_logged"]]
    if len({row.get("filter") for row in rows}) > 1:
        first = rows[0].get("filter")
        rows = [row for row in rows if row.get("filter") == first]
        notes.append(NOTED["filters"].format(kept=first))
    texts, scores, y = zip(*map(_question, range(len(rows)), rows), strict=True)
    logits, one = stacked({"logits": list(scores)}, notes)["logits"], list(texts[0])
    kept = ("doc", "doc_id", "file")
    beside = [dict(flat({name: row[name] for name in kept if name in row})) for row in rows]
    some = [name for name, value in beside[0].items() if not isinstance(value, list)]
    named = {name: np.array([str(row.get(name)) for row in beside]) for name in some}
    named_once = len({*texts}) == 1 and len({*one}) == logits.shape[1]  # as yes and no
    classes = one if named_once else [f"choice {k}" for k in range(logits.shape[1])]
    return Arrays(named | {"y": np.array(y), "logits": logits}, classes, "logits", notes)


def _question(number: int, row: dict[str, Any]) -> tuple[tuple[str, ...], list[float], int]:
    """Return the texts and log-likelihoods of the choices, and the place of the right one."""
    for name in (name for name in NAMES["harness"] if name not in row):
        raise refused("no_key", row=number, name=name)
    doc, asked = row.get("doc"), row.get("arguments") or []
    doc = doc if isinstance(doc, dict) else {}
    choices = doc.get("choices")
    choices = choices.get("text") if isinstance(choices, dict) else choices
    if not isinstance(choices, list) or not choices:  # of what the model was asked
        pairs = list(asked.values()) if isinstance(asked, dict) else asked
        pairs = [list(pair.values()) if isinstance(pair, dict) else pair for pair in pairs]
        choices = [pair[1] for pair in pairs if len(pair) > 1]
    texts, target = tuple(str(text).strip() for text in choices), str(row["target"]).strip()
    try:
        greedy = {str(told) for _, told in row["filtered_resps"]}
        likely = [float(value) for value, _ in row["filtered_resps"]]
    except (TypeError, ValueError):
        greedy, likely = {""}, []
    if greedy - {"True", "False"}:
        raise refused("generated", row=number)
    if len(likely) == 2 * len(texts) and "acc_mutual_info" in row:
        likely = likely[: len(texts)]
    n = len(likely)
    if texts and n != len(texts):
        raise refused("choices", row=number, n=n, of=len(texts))
    places = {text: k for k, text in enumerate(texts) if texts.count(text) == 1}
    places |= {name: k for k in range(n) for name in (str(k), chr(ord("A") + k), chr(ord("a") + k))}
    if len({*texts}) == 1 < n:  # winogrande: one ending after n beginnings
        places = {target: int(doc["answer"]) - 1} if str(doc.get("answer")).isdecimal() else {}
    right, first, acc = places.get(target, -1), int(np.argmax(likely)), row.get("acc")
    if not 0 <= right < n:
        raise refused("no_choice", row=number, target=target, n=n)
    if acc not in (0, 1, None):
        raise refused("acc", row=number, acc=acc)
    if acc not in (None, first == right):
        raise refused("acc_differs", row=number, acc=acc, first=first, right=right)
    return texts, likely, right


def from_nested(value: Any) -> Arrays:
    """Return the arrays of a dict, a pair of labels and scores, one array, or lists of batches."""
    if isinstance(value, list) and value and all(isinstance(batch, dict) for batch in value):
        value = {name: [batch[name] for batch in value] for name in value[0]}
    if isinstance(value, dict):
        value = {
            f"{name}.{inner}" if inner else name: array
            for name, part in value.items()
            for inner, array in (part if isinstance(part, dict) else {"": part}).items()
        }
        lists = (n for n, v in value.items() if getattr(v, "shape", isinstance(v, list | tuple)))
        return Arrays({str(n): _whole(str(n), value[n]) for n in lists})
    if isinstance(value, list) and all(map(_is_batch, value)):
        value = [np.concatenate(list(map(as_numpy, whole))) for whole in zip(*value, strict=True)]
    if isinstance(value, list | tuple) and len(value) == 2:
        both = [_whole("", part) for part in value]
        y, scores = sorted(both, key=lambda array: (array.ndim, array.dtype.kind))
        if y.ndim == scores.ndim:
            raise refused("alike")
        return Arrays({"y": y, "scores": scores})
    if (array := as_numpy(value)).ndim == 0:
        raise refused("no_numbers", shape=(), dtype=array.dtype)
    return Arrays({"": array})


def _is_batch(value: Any) -> bool:
    """Tell whether something is a pair of arrays, such as the logits and labels of a batch."""
    pair = isinstance(value, list | tuple) and len(value) == 2
    return pair and all(len(getattr(part, "shape", ())) > 0 for part in value)


def _whole(name: str, value: Any) -> np.ndarray:
    """Return an array; batches in a list are put behind each other."""
    if not isinstance(value, list | tuple) or not value or not hasattr(value[0], "shape"):
        return as_numpy(value, name)
    parts = [as_numpy(part, name) for part in value]
    rows = parts[0].ndim == 0 or (parts[0].ndim == 1 and not is_called(name, "labels"))
    same = len({part.shape for part in parts}) == 1
    return np.stack(parts) if rows and same else np.concatenate(parts)


def from_object(source: Any) -> Arrays:
    """Return the arrays of an object in memory; a ValueError says that it is none that is known."""
    if hasattr(source, "iloc") and hasattr(source, "columns"):  # pandas
        return from_frame(source.reset_index(drop=True))
    if hasattr(source, "keys"):
        source = {str(name): source[name] for name in source.keys()}
        if all(type(v) is list and not hasattr((v or [0])[0], "shape") for v in source.values()):
            return from_lists(source)
    return from_nested(source)


def as_numpy(values: Any, name: str = "") -> np.ndarray:
    """Return an array; a tensor leaves its device and its gradient behind, bfloat16 widens."""
    name = name and f"{name}: "
    if np.ma.isMaskedArray(values):
        raise refused("masked", name=name)
    try:
        if hasattr(values, "detach"):
            values = values.detach().cpu()
            values = (values.float() if "bfloat16" in str(values.dtype) else values).numpy()
        array = np.asarray(values)
    except Exception as error:  # an object's own __array__ may raise anything
        raise refused("no_array", name=name, error=error) from None
    if array.dtype.kind == "O" and array.ndim == 2:  # a data frame whose numbers may be missing
        with suppress(TypeError, ValueError):
            return array.astype(float)
    return array.astype(str) if array.dtype.kind == "O" else array
