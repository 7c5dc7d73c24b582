"""Layouts of real tools, told by their marks, as named arrays."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from calib_report.contract import NAMES, ReadingError, few, is_called, kind_of

RANKED = {"label", "score"}, {"label", "prob"}  # what an entry of a ranking of options holds


@dataclass(frozen=True, eq=False)
class Arrays:
    """Arrays or columns by name, and what the layout of the file says of them.

    Attributes
    ----------
    classes : list of str, optional
        Of the scores, in their order.
    kind : str, optional
        Of the scores.
    y, scores : str, optional
        Which of the arrays they are.
    """

    named: dict[str, np.ndarray]
    classes: list[str] | None = None
    kind: str | None = None
    notes: list[str] = field(default_factory=list)
    y: str | None = None
    scores: str | None = None

    def but(self, **changes: Any) -> "Arrays":
        return replace(self, **changes)


def from_frame(frame: Any) -> Arrays:
    """Return the columns of a data frame; a column of lists is an array of two dimensions."""
    columns = {str(name): column for name, column in frame.items()}
    if len(columns) < frame.shape[1]:
        raise ReadingError("two arrays have one name")
    columns = {name: _sparse_vectors(column) for name, column in columns.items()}
    if any(len(c) and isinstance(c.iloc[0], list | tuple | np.ndarray) for c in columns.values()):
        return from_lists({name: _plain(column.tolist()) for name, column in columns.items()})
    return Arrays({name: _column(column) for name, column in columns.items()})


def _column(column: Any) -> np.ndarray:
    """Return a column as numbers, where one that is missing is nan, or as text."""
    if column.dtype.kind in "biuf":
        numpy_own = isinstance(column.dtype, np.dtype)
        return column.to_numpy() if numpy_own else column.to_numpy(float, na_value=np.nan)
    if column.dtype.kind == "m":
        raise ReadingError(f"{column.name!r} holds spans of time, expected numbers or text")
    return column.astype(object).where(column.notna(), "").to_numpy(str)


def _sparse_vectors(column: Any) -> Any:
    """Return lists for the vectors that Spark ML writes: a type, a size, indices and values."""
    if not len(column) or not isinstance(column.iloc[0], dict):
        return column
    if not {"type", "values"} <= set(column.iloc[0]):
        return column
    return column.map(_vector)


def _vector(entry: Mapping[str, Any]) -> list[float]:
    if entry.get("indices") is None:
        return list(entry["values"])
    dense = np.zeros(int(entry["size"]))
    dense[np.asarray(entry["indices"], int)] = entry["values"]
    return dense.tolist()


def _plain(value: Any) -> Any:
    """Return lists for arrays within lists."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return list(map(_plain, value)) if isinstance(value, list) else value


def from_json(content: Any) -> Arrays:
    """Return the arrays of what was read from JSON: lists by name, or rows, as tools write them."""
    content = _without_wrapping(content)
    if isinstance(content, dict):
        return from_lists({n: v for n, v in flat(content) if isinstance(v, list)})
    rows = content if isinstance(content, list) else []
    rows = [{"scores": row} if _is_ranking(row) else row for row in rows]
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise ReadingError('expected rows with names, such as {"label": 1, "probs": [0.2, 0.8]}')
    for is_layout, layout in LAYOUTS:
        if is_layout(rows[0]):
            return layout(rows)
    flats = [dict(flat(row)) for row in rows]
    names = dict.fromkeys(name for row in flats for name in row)
    return from_lists({name: [row.get(name) for row in flats] for name in names})


def _without_wrapping(content: Any) -> Any:
    """Return the rows within what pandas, Inspect and services put around them."""
    if not isinstance(content, dict):
        return content
    if {"columns", "data"} <= set(content):  # pandas, split
        _refuse_other_index(content)
        return [dict(zip(content["columns"], row, strict=True)) for row in content["data"]]
    if {"schema", "data"} <= set(content):  # pandas, table
        return content["data"]
    if {"eval", "samples"} <= set(content):  # a log of Inspect
        return content["samples"]
    if content and all(isinstance(value, dict) for value in content.values()):
        return _oriented(content)
    rows = {n: v for n, v in content.items() if isinstance(v, list) and v}
    if len(rows) == 1 and all(isinstance(row, dict) for row in next(iter(rows.values()))):
        return next(iter(rows.values()))  # such as {"metadata": …, "predictions": […]}
    return content


def _refuse_other_index(content: Mapping[str, Any]) -> None:
    index, rows = content.get("index"), content["data"]
    if index is not None and len(index) != len(rows):
        raise ReadingError(f"an index of {len(index)} rows, and {len(rows)} rows of data")


def _oriented(content: dict[str, dict[str, Any]]) -> list[Any]:
    """Return the rows of what pandas wrote by columns, or by its index."""
    inner = list(next(iter(content.values())))
    if any(is_called(name, "labels") for name in inner):
        return list(content.values())
    rows = dict.fromkeys(row for column in content.values() for row in column)
    return [{name: content[name].get(row) for name in content} for row in rows]


def flat(row: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield what a nested dict holds, under names joined by dots; scores of options as one dict."""
    keys = next((row[k] for k in NAMES["options"] if isinstance(row.get(k), list)), list[Any]())
    for name, value in row.items():
        scores = kind_of(name) is not None or is_called(name, "scores")
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
        raise ReadingError(
            "these are detections, boxes with scores, which calib does not judge: the package "
            "netcal measures the calibration of detectors"
        )
    lists = {n: [dict(flat({n: v})).get(n, v) for v in rows] for n, rows in lists.items()}
    notes: list[str] = []
    of_options = [name for name, rows in lists.items() if rows and isinstance(rows[0], dict)]
    if len(of_options) > 1:
        raise ReadingError(f"{few(of_options)} hold scores of options each: keep one of them")
    if of_options:
        return _with_options(lists, *of_options)
    for name, rows in lists.items():
        if kind_of(name):
            _refuse_lone_length(name, rows)
    return Arrays(stacked(lists, notes), notes=notes)


def _refuse_lone_length(name: str, rows: list[Any]) -> None:
    """Refuse scores of which one row alone has another number: it is damaged, not a question."""
    lengths = [len(row) if isinstance(row, list | tuple) else 0 for row in rows]
    counts = Counter(lengths)
    lone = [length for length, count in counts.items() if count == 1]
    if len(counts) > 1 and lone:
        usual = counts.most_common(1)[0][0]
        raise ReadingError(
            f"row {lengths.index(lone[0])} alone holds {lone[0]} scores in {name!r}, and other "
            f"rows {usual}"
        )


def _with_options(columns: dict[str, list[Any]], path: str) -> Arrays:
    """Return rows that map options to scores; a class is an option, or its place in the row."""
    maps, kind, inside = columns.pop(path), kind_of(path), path.rpartition(".")[0]
    keys = {f"{inside}.{name}".lstrip(".") for name in NAMES["options"]}
    columns = {n: rows for n, rows in columns.items() if n not in keys or _are_labels(rows)}
    for row, scores in enumerate(maps):
        if not isinstance(scores, dict):
            raise ReadingError(f"row {row} has no scores of options in {path!r}, and row 0 has")
    options = list(dict.fromkeys(option for scores in maps for option in scores))
    if all(option[-1:].isdigit() for option in options):  # LABEL_2 before LABEL_10
        options.sort(key=lambda option: int(re.findall(r"\d+", option)[-1]))
    _refuse_lone_option(columns, maps)
    most = max(map(len, maps))
    if len(options) <= most + most // 2:
        return _of_named_options(columns, maps, path, options, kind)
    return _of_places(columns, maps, path, kind)


def _refuse_lone_option(columns: Mapping[str, list[Any]], maps: list[dict[str, float]]) -> None:
    """Refuse an option of one row alone where rows share the others: its name is damaged."""
    counts = Counter(option for scores in maps for option in scores)
    labels = {name for name in columns if is_called(name, "labels")}
    known = {str(label) for name in labels for label in columns[name]}
    lone = [option for option, n in counts.items() if n == 1 and option not in known]
    if len(lone) != 1 or len(maps) < 3 or len(counts) > max(map(len, maps)) + 1:
        return
    row = next(row for row, scores in enumerate(maps) if lone[0] in scores)
    raise ReadingError(f"row {row} alone holds the option {lone[0]!r}, which no label is")


def _are_labels(rows: list[Any]) -> bool:
    return not any(isinstance(value, list) for value in rows)


def _of_named_options(
    columns: dict[str, list[Any]],
    maps: list[dict[str, float]],
    path: str,
    options: list[str],
    kind: str | None,
) -> Arrays:
    """Return rows that hold the same options: each is a class."""
    notes: list[str] = []
    short = sum(len(scores) < len(options) for scores in maps)
    if short:
        kind = kind or "probabilities"
        notes.append(
            f"{short} of {len(maps)} rows do not hold all options; those that are missing have "
            "probability zero."
        )
    empty = -np.inf if kind == "logits" else 0.0
    table = np.array([[scores.get(option, empty) for option in options] for scores in maps])
    return Arrays(stacked(columns, notes) | {path: table}, options, kind, notes)


def _of_places(
    columns: dict[str, list[Any]], maps: list[dict[str, float]], path: str, kind: str | None
) -> Arrays:
    """Return rows that hold options of their own: a class is a place among them."""
    notes: list[str] = []
    name = next((name for name in columns if is_called(name, "labels")), None)
    if name is not None:
        labels = list(map(str, columns[name]))
        for row, (label, scores) in enumerate(zip(labels, maps, strict=True)):
            if label not in scores:
                raise ReadingError(f"row {row}: {label!r} is no option of it")
        columns[name] = [list(s).index(k) for k, s in zip(labels, maps, strict=True)]
    columns[path] = [list(scores.values()) for scores in maps]
    return Arrays(stacked(columns, notes), kind=kind, notes=notes)


def stacked(lists: Mapping[str, list[Any]], notes: list[str]) -> dict[str, np.ndarray]:
    """Return rows of numbers as arrays; rows of fewer end in -inf, of probabilities in 0."""
    return {name: _stack(name, values, notes) for name, values in lists.items()}


def _stack(name: str, values: list[Any], notes: list[str]) -> np.ndarray:
    rows = [value for value in values if isinstance(value, list | tuple)]
    if None in values:
        if rows:
            raise ReadingError(f"row {values.index(None)} has no {name!r}, and other rows have")
        empty: Any = np.nan if {*map(type, values)} <= {int, float, type(None)} else ""
        values = [empty if value is None else value for value in values]
    kind, lengths = kind_of(name), {*map(len, rows)}
    if kind and len(lengths) > 1 and len(rows) == len(values):
        empty = 0.0 if kind == "probabilities" else -np.inf
        values = [[*row, *[empty] * (max(lengths) - len(row))] for row in values]
        notes.append(
            "Rows hold other numbers of scores: a class is a place in the list, of probability "
            "zero where there is none, so that errors class by class mean little."
        )
    try:
        array = np.array(values)
    except ValueError:  # lists of other lengths or depths: text, or what no score is made of
        array = np.array(list(map(str, values)))
    if array.dtype.kind == "f" and {*map(type, values)} <= {int, float} and not rows:
        return array
    if array.dtype.kind in "mV":
        raise ReadingError(f"{name}an array of type {array.dtype}, expected numbers or text")
    return array.astype(str) if array.dtype.kind in "OS" else array


def _is_harness(row: Mapping[str, Any]) -> bool:
    return set(row) >= {*NAMES["harness"]}


def _harness_log(rows: list[dict[str, Any]]) -> Arrays:
    """Return log-likelihoods of choices of lm-evaluation-harness' log, "filtered_resps"."""
    notes = ["Log-likelihoods are read as logged, not divided by the length of the choice."]
    first = rows[0].get("filter")
    counts = Counter(str(row.get("filter")) for row in rows)
    if len({*counts.values()}) > 1:
        raise ReadingError(f"not as many rows of each filter: {dict(counts)}")
    if len(counts) > 1:
        rows = [row for row in rows if row.get("filter") == first]
        notes.append(f"The log holds its questions once for each filter; read is {first!r}.")
    questions = [_question(number, row) for number, row in enumerate(rows)]
    texts, scores, y = zip(*questions, strict=True)
    logits, choices = stacked({"logits": list(scores)}, notes)["logits"], list(texts[0])
    beside = [_beside_question(row) for row in rows]
    some = [name for name, value in beside[0].items() if not isinstance(value, list)]
    named = {name: np.array([str(row.get(name)) for row in beside]) for name in some}
    same = len({*texts}) == 1 and len({*choices}) == logits.shape[1]  # as yes and no
    classes = choices if same else [f"choice {k}" for k in range(logits.shape[1])]
    named |= {"y": np.array(y), "logits": logits}
    return Arrays(named, classes, "logits", notes, y="y", scores="logits")


def _beside_question(row: Mapping[str, Any]) -> dict[str, Any]:
    beside = dict(flat({n: row[n] for n in ("doc", "doc_id", "file") if n in row}))
    if "file" in row:  # several logs, each of which counts its questions
        beside["doc_id"] = f"{row['file']} {row['doc_id']}"
    return beside


def _question(number: int, row: dict[str, Any]) -> tuple[tuple[str, ...], list[float], int]:
    """Return the texts and log-likelihoods of the choices, and the place of the right one."""
    for name in NAMES["harness"]:
        if name not in row:
            raise ReadingError(f"row {number} has no {name!r}, and the first row has")
    doc = row.get("doc")
    doc = doc if isinstance(doc, dict) else {}
    texts = tuple(str(text).strip() for text in _choices(doc, row.get("arguments") or []))
    likely = _likelihoods(number, row)
    if len(likely) == 2 * len(texts) and "acc_mutual_info" in row:
        likely = likely[: len(texts)]
    if texts and len(likely) != len(texts):
        raise ReadingError(
            f"row {number} holds {len(likely)} log-likelihoods, and its question {len(texts)} "
            "choices: which are whose is not known; save a table of the choices' logits with labels"
        )
    right = _target(str(row["target"]).strip(), texts, len(likely), doc)
    if not 0 <= right < len(likely):
        raise ReadingError(
            f"row {number}: the target {str(row['target']).strip()!r} is none of the "
            f"{len(likely)} choices"
        )
    _refuse_other_count(number, row.get("acc"), int(np.argmax(likely)), right)
    return texts, likely, right


def _choices(doc: Mapping[str, Any], asked: Any) -> list[Any]:
    """Return the choices of a question: as it lists them, or as the model was asked."""
    choices = doc.get("choices")
    choices = choices.get("text") if isinstance(choices, dict) else choices
    if isinstance(choices, list) and choices:
        return choices
    pairs = list(asked.values()) if isinstance(asked, dict) else asked
    pairs = [list(pair.values()) if isinstance(pair, dict) else pair for pair in pairs]
    return [pair[1] for pair in pairs if len(pair) > 1]


def _likelihoods(number: int, row: Mapping[str, Any]) -> list[float]:
    """Return the log-likelihoods of a row's choices; of a generated answer there are none."""
    try:
        greedy = {str(is_greedy) for _, is_greedy in row["filtered_resps"]}
        likely = [float(value) for value, _ in row["filtered_resps"]]
    except (TypeError, ValueError):
        greedy, likely = {""}, []
    if greedy - {"True", "False"}:
        raise ReadingError(
            f"row {number} holds no log-likelihoods of choices; of generated answers, save a "
            "table with columns 'confidence' and 'correct'"
        )
    return likely


def _target(target: str, texts: tuple[str, ...], n: int, doc: Mapping[str, Any]) -> int:
    """Return the place of the right choice: of its text, its number or its letter."""
    if len({*texts}) == 1 < n:  # winogrande: one ending after n beginnings
        answer = str(doc.get("answer"))
        return int(answer) - 1 if answer.isdecimal() else -1
    places = {text: k for k, text in enumerate(texts) if texts.count(text) == 1}
    for k in range(n):
        places |= {str(k): k, chr(ord("A") + k): k, chr(ord("a") + k): k}
    return places.get(target, -1)


def _refuse_other_count(number: int, acc: Any, first: int, right: int) -> None:
    """Refuse a log whose own accuracy is not that of the likeliest choice."""
    if acc not in (0, 1, None):
        raise ReadingError(
            f"row {number}: acc is {acc}, neither 0 nor 1: several choices may be right, as in "
            "truthfulqa_mc2, so no choice is the label; truthfulqa_mc1, say, can be read"
        )
    if acc not in (None, first == right):
        raise ReadingError(
            f"row {number} does not agree with the log's own acc: it is {acc:g}, the likeliest "
            f"choice {first}, the target {right}, which is not what the log counted; save a table "
            "of the choices' logits with labels"
        )


def _is_openai(row: Mapping[str, Any]) -> bool:
    response = row.get("response")
    return "custom_id" in row and isinstance(response, dict) and "body" in response


def _openai_batch(rows: list[dict[str, Any]]) -> Arrays:
    """Return the answers of a batch: the first token, and the probabilities of those beside it."""
    names, answers, maps = [], [], []
    for number, row in enumerate(rows):
        try:
            choice = row["response"]["body"]["choices"][0]
            token = choice["logprobs"]["content"][0]
            beside = token.get("top_logprobs") or [token]
        except (KeyError, IndexError, TypeError):
            raise ReadingError(f"row {number} holds no log p of tokens (logprobs)") from None
        names.append(str(row["custom_id"]))
        answers.append(str(token["token"]).strip())
        maps.append({str(e["token"]).strip(): float(np.exp(e["logprob"])) for e in beside})
    confidence = [p.get(answer, np.nan) for p, answer in zip(maps, answers, strict=True)]
    named = {"id": names, "predicted": answers, "confidence": confidence}
    return Arrays({name: np.array(values) for name, values in named.items()})


def _is_inspect(row: Mapping[str, Any]) -> bool:
    return {"target", "scores", "output"} <= set(row) and isinstance(row["scores"], dict)


def _inspect_log(rows: list[dict[str, Any]]) -> Arrays:
    """Return ids, targets, answers and verdicts of a log of Inspect, and stated confidences."""
    flats = [_inspect_row(row) for row in rows]
    names = dict.fromkeys(name for row in flats for name in row)
    return from_lists({name: [row.get(name) for row in flats] for name in names})


def _inspect_row(row: Mapping[str, Any]) -> dict[str, Any]:
    scorer, score = next(iter(row["scores"].items()))
    value = score.get("value") if isinstance(score, dict) else score
    marks: dict[Any, Any] = {"C": 1, "I": 0}
    verdict = marks.get(value, value)
    found: dict[str, Any] = {
        "id": str(row.get("id")),
        "target": str(row["target"]),
        "correct": verdict,
    }
    metadata = (score.get("metadata") or {}) if isinstance(score, dict) else {}
    for name, entry in (*(row.get("metadata") or {}).items(), *metadata.items()):
        if isinstance(entry, int | float | str):
            found.setdefault(name, entry)
    if isinstance(score, dict) and score.get("answer") is not None:
        found["answer"] = str(score["answer"])
    return found | {"scorer": scorer}


def _is_zero_shot(row: Mapping[str, Any]) -> bool:
    return (
        isinstance(row.get("labels"), list)
        and isinstance(row.get("scores"), list)
        and len(row["labels"]) == len(row["scores"])
    )


def _zero_shot(rows: list[dict[str, Any]]) -> Arrays:
    """Return scores by class of zero-shot pipelines, which list labels as they are ranked."""
    flats = []
    for number, row in enumerate(rows):
        if not _is_zero_shot(row):
            raise ReadingError(f"row {number} has not as many labels as scores")
        scores = dict(zip(map(str, row["labels"]), row["scores"], strict=True))
        more = {n: v for n, v in row.items() if n not in ("labels", "scores", "sequence")}
        flats.append({**more, "probabilities": scores})
    names = dict.fromkeys(name for row in flats for name in row)
    return from_lists({name: [row.get(name) for row in flats] for name in names})


LAYOUTS = (
    (_is_harness, _harness_log),
    (_is_openai, _openai_batch),
    (_is_inspect, _inspect_log),
    (_is_zero_shot, _zero_shot),
)


def from_nested(value: Any) -> Arrays:
    """Return the arrays of a dict, a pair of labels and scores, one array, or lists of batches."""
    if isinstance(value, list) and value and all(isinstance(batch, dict) for batch in value):
        value = _of_batches(value)
    if isinstance(value, dict):
        return Arrays(_of_dict(value))
    if isinstance(value, list) and all(map(_is_batch, value)):
        value = [np.concatenate(list(map(as_numpy, whole))) for whole in zip(*value, strict=True)]
    if isinstance(value, list | tuple) and len(value) == 2:
        return _of_pair(*(_whole("", part) for part in value))
    array = as_numpy(value)
    if array.ndim == 0:
        raise ReadingError(f"scores: shape () of {array.dtype}, expected numbers (n, K)")
    return Arrays({"": array}, scores="")


def _of_batches(batches: list[dict[str, Any]]) -> dict[str, list[Any]]:
    for number, batch in enumerate(batches):
        lacking = [name for name in batches[0] if name not in batch]
        if lacking:
            raise ReadingError(f"row {number} has no {lacking[0]!r}, and other rows have")
    return {name: [batch[name] for batch in batches] for name in batches[0]}


def _of_dict(value: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Return the arrays of a dict, those of a dict within it under names joined by dots."""
    named: dict[str, np.ndarray] = {}
    for name, part in value.items():
        inner = part if isinstance(part, dict) else {"": part}
        for below, array in inner.items():
            path = f"{name}.{below}" if below else str(name)
            if getattr(array, "shape", isinstance(array, list | tuple)):
                named[path] = _whole(path, array)
    return named


def _of_pair(one: np.ndarray, other: np.ndarray) -> Arrays:
    y, scores = sorted((one, other), key=lambda array: (array.ndim, array.dtype.kind))
    if y.ndim == scores.ndim:
        raise ReadingError("two arrays of one shape: name them, y and logits or probabilities")
    return Arrays({"y": y, "scores": scores}, y="y", scores="scores")


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
    if hasattr(source, "to_pandas") and hasattr(source, "column_names"):  # a table of pyarrow
        source = source.to_pandas()
    elif hasattr(source, "to_dict") and hasattr(source, "get_columns"):  # polars
        return Arrays({column.name: _series(column) for column in source.get_columns()})
    if hasattr(source, "iloc") and hasattr(source, "columns"):  # pandas
        return from_frame(source.reset_index(drop=True))
    if getattr(getattr(source, "dtype", None), "names", None):  # a structured array
        source = {name: source[name] for name in source.dtype.names}
    if hasattr(source, "keys"):
        source = {str(name): source[name] for name in source.keys()}
        if all(type(v) is list and not hasattr((v or [0])[0], "shape") for v in source.values()):
            return from_lists(source)
    return from_nested(source)


def _series(column: Any) -> np.ndarray:
    """Return a column of polars; where a number is missing it is nan, where text is, empty."""
    values = column.to_list()
    if any(isinstance(value, list) for value in values):
        return _stack(column.name, values, [])
    array = column.to_numpy()
    if array.dtype.kind in "biuf":
        return array
    return np.array(["" if value is None else str(value) for value in values])


def as_numpy(values: Any, name: str = "") -> np.ndarray:
    """Return an array; a tensor leaves its device and its gradient behind, bfloat16 widens."""
    name = name and f"{name}: "
    if np.ma.isMaskedArray(values):
        raise ReadingError(f"{name}a masked array, expected an array without masked entries")
    try:
        if hasattr(values, "detach"):
            values = values.detach().cpu()
            values = (values.float() if "bfloat16" in str(values.dtype) else values).numpy()
        array = np.asarray(values)
    except Exception as error:  # an object's own __array__ may raise anything
        raise ReadingError(f"{name}not an array ({error})") from None
    if array.dtype.kind == "O" and array.ndim == 2:  # a data frame whose numbers may be missing
        with suppress(TypeError, ValueError):
            return array.astype(float)
    if array.dtype.kind in "mV":
        raise ReadingError(f"{name}an array of type {array.dtype}, expected numbers or text")
    return array.astype(str) if array.dtype.kind in "OS" else array
