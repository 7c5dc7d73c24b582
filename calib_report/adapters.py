"""Layouts of real tools, told by their marks, as named arrays: twenty lines for each."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

LABELS = (
    *("y", "y_true", "true", "true_label", "label", "labels", "label_ids", "target", "targets"),
    *("truth", "ground_truth", "gold", "gold_label", "reference", "references", "class", "actual"),
)
LOGITS = (
    *("logits", "logit", "z", "log_probs", "logprobs", "log_probabilities", "log_likelihoods"),
    *("log_prob", "logprob", "log_probability", "log_likelihood", "decision_function"),
)
PROBABILITIES = (
    *("probabilities", "probability", "probs", "prob", "proba", "p", "softmax"),
    *("y_prob", "y_proba", "predict_proba", "predicted_probabilities"),
)
SCORES = (
    *("scores", "score", "outputs", "output", "predictions", "preds", "pred"),
    *("y_score", "y_pred"),
)
HARNESS = {"doc_id", "target", "filtered_resps"}  # keys of a line of lm-evaluation-harness' log
OPTIONS = ("option_keys", "options", "choices", "keys", "classes")
DETECTIONS = (
    "these are detections, boxes with scores, which calib does not judge: the package netcal "
    "measures the calibration of detectors"
)
Rows = list[dict[str, Any]]


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


def kind_of(name: str) -> str | None:
    """Return what the name of an array, or its last part, says of its kind."""
    word = name.strip().lower().rpartition(".")[2]
    return "logits" if word in LOGITS else "probabilities" if word in PROBABILITIES else None


def joined(parts: list[Arrays], files: list[str]) -> Arrays:
    """Return the rows of several files of one layout as those of one, with a column ``file``."""
    first, named = parts[0], {}
    for file, part in zip(files, parts, strict=True):
        same = part.kind == "logits" or part.classes == first.classes
        if (part.table, part.kind) != (first.table, first.kind) or not same:
            raise ValueError(f"{file}: another layout, or other classes, than {files[0]}")
    notes = dict.fromkeys(note for part in parts for note in part.notes)
    for name in dict.fromkeys(name for part in parts for name in part.named):
        arrays = [part.named[name] for part in parts if name in part.named]
        between = {bool(a.min() >= 0 and a.max() <= 1) for a in arrays if a.dtype.kind == "f"}
        if len(arrays) < len(parts):
            if between:
                raise ValueError(f"{name!r} is a column of some of the files only")
            notes[f"Only some of the files hold {name!r}, so it is left out."] = None
        elif name.lower() == "classes":
            if any(array.tolist() != arrays[0].tolist() for array in arrays):
                raise ValueError("the files name other classes")
            named[name] = arrays[0]
        elif len(between) > 1 and arrays[0].ndim > 1:
            raise ValueError(f"{name!r} holds probabilities in some of the files, logits in others")
        elif len({array.shape[1:] for array in arrays}) == 1:
            named[name] = np.concatenate(arrays)
        elif first.kind != "logits" or arrays[0].ndim != 2:
            raise ValueError(f"{name!r} has rows of other shapes in other files")
        else:  # log-likelihoods of other numbers of choices
            named[name] = stacked(name, [row for array in arrays for row in array.tolist()])
    n = [len(next(reversed(part.named.values()))) for part in parts]
    named.setdefault("file", np.repeat(files, n))
    classes = max((part.classes or [] for part in parts), key=len)
    if any(part.classes != classes for part in parts):  # a class is a place in the list
        classes = [f"choice {k}" for k in range(len(classes))]
    return Arrays(named, first.table, classes or None, first.kind, list(notes))


def from_columns(columns: Mapping[str, Any]) -> Arrays:
    """Return the columns of a data frame; a column of lists is an array of two dimensions."""
    if any(len(c) and isinstance(c.iloc[0], list | tuple | np.ndarray) for c in columns.values()):
        lists = {name: column.tolist() for name, column in columns.items()}
        for rows in lists.values():
            rows[:] = [row.tolist() if hasattr(row, "tolist") else row for row in rows]
        return from_lists(lists)
    named = {}
    for name, column in columns.items():
        if column.dtype.kind in "biuf":  # where a number is missing, it is nan
            plain = isinstance(column.dtype, np.dtype)
            named[name] = column.to_numpy() if plain else column.to_numpy(float, na_value=np.nan)
        else:
            named[name] = _vectors(column.astype(object).where(column.notna(), "").to_numpy(str))
    return Arrays(named, table=True)


def _vectors(text: np.ndarray) -> np.ndarray:
    """Return texts such as "[0.1, 0.9]" or "[0.1 0.9]" as rows of numbers; others as they are."""
    if all(value[:1] == "[" and value[-1:] == "]" for value in text):
        with suppress(ValueError):
            rows = [re.split(r"[,\s]+", value[1:-1].strip()) for value in text]
            return np.array([[float(value) for value in row] for row in rows])
    return text


def from_json(content: Any) -> Arrays:
    """Return the arrays of what was read from JSON: lists by name, or rows, as tools write them."""
    keys = set(content) if isinstance(content, dict) else set()
    if {"columns", "data"} <= keys:  # pandas, split
        content = [dict(zip(content["columns"], row, strict=True)) for row in content["data"]]
    elif {"schema", "data"} <= keys:  # pandas, table
        content = content["data"]
    elif {"images", "annotations"} <= keys:
        raise ValueError(DETECTIONS)
    elif keys and all(isinstance(value, dict) for value in content.values()):
        inner = list(next(iter(content.values())))
        if not any(name.lower() in LABELS for name in inner):  # pandas, columns; else by index
            content = {row: {name: content[name].get(row) for name in content} for row in inner}
        content = list(content.values())
    if isinstance(content, dict):
        return from_lists({n: v for n, v in flat(content).items() if isinstance(v, list)})
    rows = content if isinstance(content, list) else []
    if rows and all(map(_is_ranking, rows)):
        rows = [{"scores": row} for row in rows]
    if rows and all(isinstance(row, dict) for row in rows):
        return _from_rows(rows)
    raise ValueError('expected rows with names, such as {"label": 1, "probs": [0.2, 0.8]}')


def _from_rows(rows: Rows) -> Arrays:
    if "bbox" in rows[0] or "boxes" in rows[0]:
        raise ValueError(DETECTIONS)
    if HARNESS <= set(rows[0]):
        return _harness_log(rows)
    if len(places := [path for path, _ in _mappings(rows[0])]) == 1:
        return _with_options(rows, places[0])
    return _stacked_lists(_transposed(rows), table=True)


def _transposed(rows: Rows) -> dict[str, list[Any]]:
    flats = [flat(row) for row in rows]
    return {
        n: [row.get(n) for row in flats] for n in dict.fromkeys(n for row in flats for n in row)
    }


def flat(row: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return a nested dict with names joined by dots."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        nested = isinstance(value, dict)
        found |= flat(value, f"{prefix}{name}.") if nested else {f"{prefix}{name}": value}
    return found


def from_lists(lists: Mapping[str, list[Any]]) -> Arrays:
    """Return lists by name as arrays; those that hold a log, or labels with scores, row by row."""
    rankings = any(rows and all(map(_is_ranking, rows)) for rows in lists.values())
    if rankings or set(lists) >= HARNESS:
        return _from_rows(
            [dict(zip(lists, r, strict=True)) for r in zip(*lists.values(), strict=True)]
        )
    return _stacked_lists(lists)


def _stacked_lists(lists: Mapping[str, list[Any]], table: bool = False) -> Arrays:
    named = {name: stacked(name, value) for name, value in lists.items()}
    notes = [note for name, array in named.items() for note in _uneven(name, lists[name], array)]
    return Arrays(named, table and all(array.ndim == 1 for array in named.values()), notes=notes)


def stacked(name: str, values: Any) -> np.ndarray:
    """Return rows of numbers as one array; rows of fewer end in -inf, of probabilities in 0."""
    if not isinstance(values, list):
        return np.asarray(values)
    lists = [value for value in values if isinstance(value, list | tuple)]
    if None in values:
        if lists:
            raise ValueError(f"row {values.index(None)} has no {name!r}, and other rows have")
        numbers = {*map(type, values)} <= {int, float, type(None)}
        values = [(np.nan if numbers else "") if value is None else value for value in values]
    plain = not any(isinstance(v, list | dict | str) for row in lists for v in row)
    if plain and len({*map(len, lists)}) > 1 and len(lists) == len(values):
        empty, most = 0.0 if kind_of(name) == "probabilities" else -np.inf, max(map(len, lists))
        values = [[*row, *[empty] * (most - len(row))] for row in values]
    try:
        array = np.array(values)
    except ValueError:  # lists of other lengths or depths: text, or what no score is made of
        array = np.array(list(map(str, values)))
    return array.astype(str) if array.dtype.kind == "O" else array


def _uneven(name: str, rows: Any, array: np.ndarray) -> Iterator[str]:
    """Yield a note where :func:`stacked` filled rows."""
    lengths = {len(row) for row in rows} if array.ndim == 2 else {0}
    if len(lengths) > 1:
        yield (
            f"Rows of {name!r} hold {min(lengths)} to {max(lengths)} numbers: a class is a place "
            "in the list, of probability zero where there is none, so that errors class by class "
            "mean little."
        )


def _is_ranking(row: Any) -> bool:
    """Tell whether a row is a list of {label, score}, as pipelines of Hugging Face return."""
    items = row if isinstance(row, list) and row else [None]
    return all(isinstance(item, dict) and set(item) == {"label", "score"} for item in items)


def _mappings(row: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, float]]]:
    """Yield where a row maps options to scores: by keys, in two lists, or as a ranking."""
    keys = next((row[k] for k in OPTIONS if isinstance(row.get(k), list)), None)
    for name, value in row.items():
        known = name.lower() in (*PROBABILITIES, *LOGITS, *SCORES)
        if _is_ranking(value):
            yield f"{path}{name}", {str(item["label"]): item["score"] for item in value}
        elif isinstance(value, list) and known and keys and len({*map(str, keys)}) == len(value):
            yield f"{path}{name}", dict(zip(map(str, keys), value, strict=True))
        elif isinstance(value, dict):
            numbers = len(value) > (not known) and {*map(type, value.values())} <= {int, float}
            if numbers and (known or abs(sum(value.values()) - 1) < 0.05):
                yield f"{path}{name}", value
            else:
                yield from _mappings(value, f"{path}{name}.")


def _with_options(rows: Rows, path: str) -> Arrays:
    """Return rows that map options to scores; a class is an option, or its place in the row."""
    maps = [dict(_mappings(row)).get(path, {}) for row in rows]
    if {} in maps:
        row = maps.index({})
        raise ValueError(f"row {row} has no scores of options in {path!r}, and row 0 has")
    columns, inside = _transposed(rows), path.rpartition(".")[0]
    ranking = _is_ranking(columns.get(path, [None])[0])
    taken = {path, *(f"{inside}.{name}".lstrip(".") for name in OPTIONS)}
    columns = {n: v for n, v in columns.items() if n not in taken and not n.startswith(f"{path}.")}
    options = list(dict.fromkeys(option for scores in maps for option in scores))
    kind, most = kind_of(path), max(map(len, maps))
    short = [row for row, scores in enumerate(maps) if len(scores) < len(options)]
    if ranking and short:
        raise ValueError(
            f"row {short[0]} has the labels {sorted(maps[short[0]])[:5]}, and others have more: "
            "all classes are needed, which a pipeline gives with top_k=None"
        )
    if ranking or all(option.isdecimal() for option in options):
        options.sort(key=_natural)
    if len(options) <= most + most // 2:
        empty = -np.inf if kind == "logits" else 0.0
        table = np.array([[scores.get(option, empty) for option in options] for scores in maps])
        found = _stacked_lists(columns)
        told = f"{len(short)} of {len(maps)} rows do not hold all options; those that are missing "
        found.notes.extend([f"{told}have probability zero."] * bool(short))
        return Arrays(found.named | {path: table}, False, options, kind, found.notes)
    for name in [name for name in columns if name.rpartition(".")[2].lower() in LABELS][:1]:
        label = list(map(str, columns[name]))
        if unknown := [row for row, scores in enumerate(maps) if label[row] not in scores]:
            raise ValueError(f"row {unknown[0]}: {label[unknown[0]]!r} is no option of it")
        columns[name] = [list(scores).index(k) for k, scores in zip(label, maps, strict=True)]
    found = _stacked_lists(columns | {path: [list(scores.values()) for scores in maps]})
    return Arrays(found.named, kind=kind, notes=found.notes)


def _natural(name: str) -> tuple[str, int, str]:
    """Order LABEL_2 before LABEL_10."""
    start, _, number = name.rpartition("_")
    return (start, int(number), "") if number.isdecimal() else (name, -1, "")


def _harness_log(rows: Rows) -> Arrays:
    """Return the choices' log-likelihoods of lm-evaluation-harness' log of samples.

    Each line holds under ``filtered_resps`` a pair (log-likelihood, whether it is the greedy
    continuation) for each choice, as text, and under ``target`` the right choice.
    """
    notes = ["Log-likelihoods are read as logged, not divided by the length of the choice."]
    if len({row.get("filter") for row in rows}) > 1:
        kept = rows[0].get("filter")
        rows = [row for row in rows if row.get("filter") == kept]
        notes.append(f"The log holds its questions once for each filter; read is {kept!r}.")
    texts, scores, y = zip(*(_question(n, row) for n, row in enumerate(rows)), strict=True)
    if any(len(s) < len(row["filtered_resps"]) for s, row in zip(scores, rows, strict=True)):
        notes.append(
            "Each row holds two log-likelihoods a choice, for mutual information; read are the "
            "first, of the choice after the question."
        )
    padded = stacked("filtered_resps", list(scores))
    docs = _transposed([{"doc": row.get("doc") or {}, "doc_id": row["doc_id"]} for row in rows])
    named = {n: np.array(list(map(str, v))) for n, v in docs.items() if not isinstance(v[0], list)}
    one = list(texts[0])
    named_once = len({*map(tuple, texts)}) == 1 and len({*one}) == padded.shape[1]  # as yes and no
    classes = one if named_once else [f"choice {k}" for k in range(padded.shape[1])]
    notes += _uneven("filtered_resps", scores, padded)
    return Arrays(named | {"y": np.array(y), "logits": padded}, False, classes, "logits", notes)


def _question(number: int, row: dict[str, Any]) -> tuple[list[str], list[float], int]:
    """Return the texts and log-likelihoods of the choices, and the place of the right one."""
    if missing := sorted(HARNESS - set(row)):
        raise ValueError(f"row {number} has no {missing[0]!r}, and the first row has")
    doc, asked = row.get("doc"), row.get("arguments") or []
    doc = doc if isinstance(doc, dict) else {}
    choices = doc.get("choices")
    choices = choices.get("text") if isinstance(choices, dict) else choices
    if not isinstance(choices, list) or not choices:  # of what the model was asked
        pairs = list(asked.values()) if isinstance(asked, dict) else asked
        pairs = [list(pair.values()) if isinstance(pair, dict) else pair for pair in pairs]
        choices = [pair[1] for pair in pairs if len(pair) > 1]
    texts, target = [str(text).strip() for text in choices], str(row["target"]).strip()
    try:
        greedy = {str(told) for _, told in row["filtered_resps"]}
        likely = [float(value) for value, _ in row["filtered_resps"]]
    except (TypeError, ValueError):
        greedy, likely = {""}, []
    if greedy - {"True", "False"}:
        raise ValueError(
            f"row {number} holds no log-likelihoods of choices; of generated answers, save a table "
            "with columns 'confidence' and 'correct'"
        )
    if len(likely) == 2 * len(texts) and "acc_mutual_info" in row:
        likely = likely[: len(texts)]
    n, save = len(likely), "save a table of the choices' logits with labels"
    if texts and n != len(texts):
        told = f"row {number} holds {n} log-likelihoods, and its question {len(texts)} choices"
        raise ValueError(f"{told}: which are whose is not known; {save}")
    right = ord(target.upper()) - ord("A") if len(target) == 1 and target.isalpha() else -1
    if len({*texts}) == 1 < n:  # winogrande: one ending after n beginnings
        right = int(doc["answer"]) - 1 if str(doc.get("answer")).isdecimal() else -1
    elif target.isdecimal() and int(target) < n:
        right = int(target)
    elif texts.count(target) == 1:
        right = texts.index(target)
    if not 0 <= right < n:
        raise ValueError(f"row {number}: the target {target!r} is none of the {n} choices")
    first, acc = int(np.argmax(likely)), row.get("acc")
    if acc not in (0, 1, None):
        raise ValueError(
            f"row {number}: acc is {acc}, neither 0 nor 1: several choices may be right, as in "
            "truthfulqa_mc2, so no choice is the label; truthfulqa_mc1, say, can be read"
        )
    if acc not in (None, first == right):
        raise ValueError(
            f"row {number} does not agree with the log's own acc: it is {acc:g}, the likeliest "
            f"choice {first}, the target {right}, which is not what the log counted; {save}"
        )
    return texts, likely, right


def from_nested(value: Any) -> Arrays:
    """Return the arrays of a dict, a pair of labels and scores, one array, or lists of batches."""
    if isinstance(value, list) and value and all(isinstance(batch, dict) for batch in value):
        value = {name: [batch[name] for batch in value] for name in value[0]}
    if isinstance(value, dict):
        arrays = {str(n): _whole(str(n), v) for n, v in value.items() if _is_array(v)}
        left = [str(n) for n in value if str(n) not in arrays and value[n] is not None]
        return Arrays(arrays, notes=[f"No arrays, so left out: {', '.join(left)}."] * bool(left))
    if isinstance(value, list | tuple) and len(value) == 2:
        both = [_whole("", part) for part in value]
        y, scores = sorted(both, key=lambda array: (array.ndim, array.dtype.kind))
        if y.ndim == scores.ndim:
            raise ValueError("two arrays of one shape: name them, y and logits or probabilities")
        return Arrays({"y": y, "scores": scores})
    if isinstance(value, list | tuple) and len(value) > 2 and np.ndim(as_numpy(value[0])) > 1:
        raise ValueError(
            f"{len(value)} arrays, such as batches: concatenate them, torch.cat(batches) or "
            "numpy.concatenate(batches)"
        )
    return Arrays({"": as_numpy(value)})


def _is_array(value: Any) -> bool:
    return len(value.shape) > 0 if hasattr(value, "shape") else isinstance(value, list | tuple)


def _whole(name: str, value: Any) -> np.ndarray:
    """Return an array; batches in a list are put behind each other."""
    if not isinstance(value, list | tuple) or not value or not hasattr(value[0], "shape"):
        return as_numpy(value, name)
    parts = [as_numpy(part, name) for part in value]
    rows = parts[0].ndim == 0 or (parts[0].ndim == 1 and name.lower() not in LABELS)
    same = len({part.shape for part in parts}) == 1
    return np.stack(parts) if rows and same else np.concatenate(parts)


def from_object(source: Any, X: Any = None) -> Arrays:
    """Return the arrays of an object in memory; a ValueError says that it is none that is known."""
    if X is not None:
        return _estimator(source, X)
    if hasattr(source, "_asdict"):  # a named tuple, such as a trainer's predictions
        source = {n: v for n, v in source._asdict().items() if n != "metrics"}
    if hasattr(source, "get_columns"):  # polars
        source = source.to_pandas()
    if hasattr(source, "iloc") and hasattr(source, "columns"):  # pandas
        frame = source.reset_index(drop=True)
        return from_columns({str(name): frame.iloc[:, i] for i, name in enumerate(frame.columns)})
    if isinstance(source, dict) or hasattr(source, "keys"):
        values = {str(name): source[name] for name in source.keys()}
        lists = all(
            isinstance(v, list) and not hasattr((v or [0])[0], "shape") for v in values.values()
        )
        return from_lists(values) if lists else from_nested(values)
    return from_nested(source)


def as_numpy(values: Any, name: str = "") -> np.ndarray:
    """Return an array; a tensor leaves its device and its gradient behind, bfloat16 widens."""
    name = name and f"{name}: "
    if np.ma.isMaskedArray(values):
        raise ValueError(f"{name}a masked array, expected an array without masked entries")
    lazy = hasattr(values, "collect") and not hasattr(values, "shape")
    if lazy or isinstance(values, Iterator):
        kind = type(values).__name__
        raise ValueError(f"{name}a {kind}, expected an array: call its collect(), or list it first")
    try:
        if hasattr(values, "detach"):
            values = values.detach().cpu()
            values = (values.float() if "bfloat16" in str(values.dtype) else values).numpy()
        array = np.asarray(values)
    except Exception as error:  # an object's own __array__ may raise anything
        raise ValueError(f"{name}not an array ({error})") from None
    if array.dtype.kind == "V" or "bfloat16" in str(array.dtype):
        return array.astype(np.float32)
    if array.dtype.kind == "O" and array.ndim == 2:  # a data frame whose numbers may be missing
        with suppress(TypeError, ValueError):
            return array.astype(float)
    return array.astype(str) if array.dtype.kind == "O" else array


def several_targets(estimator: Any) -> str:
    """Say what to do with a classifier of several targets."""
    return (
        f"{type(estimator).__name__} gives a list of outputs, one a target: calibrate each by "
        "itself, as MultiOutputClassifier(CalibratedModel(...)) does"
    )


def _estimator(estimator: Any, X: Any) -> Arrays:
    """Return a fitted classifier's decision function, or its probabilities where it has none."""
    kind = type(estimator).__name__
    if getattr(estimator, "classes_", None) is None:
        raise ValueError(f"{kind} has no classes_: fit it first")
    methods = {"decision_function": "logits", "predict_proba": "probabilities"}
    method = next((name for name in methods if hasattr(estimator, name)), None)
    if method is None:
        raise ValueError(f"{kind} has neither probabilities nor a decision")
    scores = getattr(estimator, method)(X)
    if isinstance(scores, list):
        raise ValueError(several_targets(estimator))
    return Arrays({methods[method]: np.asarray(scores)}, classes=[*map(str, estimator.classes_)])
