"""Layouts of real tools, told by their marks, as named arrays: twenty lines for each."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

HARNESS = {"doc_id", "target", "filtered_resps"}  # keys of a line of lm-evaluation-harness' log
OPTIONS = ("option_keys", "options", "choices", "keys", "classes")
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


def joined(parts: list[Arrays], files: list[str]) -> Arrays:
    """Return the rows of several files of one layout as those of one, with a column ``file``.

    Choices of unequal number are filled, as in one evaluation log.
    """
    first, named = parts[0], {}
    for file, part in zip(files, parts, strict=True):
        same = part.kind == "logits" or part.classes == first.classes
        if (part.table, part.kind) != (first.table, first.kind) or not same:
            raise ValueError(f"{file}: another layout, or other classes, than {files[0]}")
    everything = dict.fromkeys(name for part in parts for name in part.named)
    left = [name for name in everything if not all(name in part.named for part in parts)]
    for name in left:
        if any(name in part.named and part.named[name].dtype.kind == "f" for part in parts):
            raise ValueError(f"{name!r} is a column of some of the files only")
    for name in (name for name in everything if name not in left):
        arrays = [part.named[name] for part in parts]
        if name.lower() == "classes":
            if any(array.tolist() != arrays[0].tolist() for array in arrays):
                raise ValueError("the files name other classes")
            named[name] = arrays[0]
            continue
        if len({array.shape[1:] for array in arrays}) > 1:
            if first.kind != "logits" or {array.ndim for array in arrays} != {2}:
                raise ValueError(f"{name!r} has rows of other shapes in other files")
            most = max(array.shape[1] for array in arrays)
            fill = [((0, 0), (0, most - array.shape[1])) for array in arrays]
            arrays = [
                np.pad(a, f, constant_values=-np.inf) for a, f in zip(arrays, fill, strict=True)
            ]
        between = {bool(a.min() >= 0 and a.max() <= 1) for a in arrays if a.dtype.kind == "f"}
        if len(between) > 1 and arrays[0].ndim > 1:
            raise ValueError(f"{name!r} holds probabilities in some of the files, logits in others")
        named[name] = np.concatenate(arrays)
    n = [len(next(reversed(part.named.values()))) for part in parts]
    named.setdefault("file", np.repeat(files, n))
    notes = dict.fromkeys(note for part in parts for note in part.notes)
    if left:
        notes[f"Only some of the files hold, so left out are: {', '.join(left)}."] = None
    classes = max((part.classes or [] for part in parts), key=len)
    if any(part.classes != classes for part in parts):  # a class is a place in the list
        classes = [f"choice {k}" for k in range(len(classes))]
    return Arrays(named, first.table, classes or None, first.kind, list(notes))


def from_columns(columns: Mapping[str, Any]) -> Arrays:
    """Return the columns of a data frame; a column of lists is an array of two dimensions."""
    if any(len(c) and isinstance(c.iloc[0], list | tuple | np.ndarray) for c in columns.values()):
        lists = {name: column.tolist() for name, column in columns.items()}
        listed = {n: [v.tolist() if hasattr(v, "tolist") else v for v in lists[n]] for n in lists}
        return from_lists(listed)
    named = {}
    for name, column in columns.items():
        if column.dtype.kind in "biuf" and isinstance(column.dtype, np.dtype):
            named[name] = column.to_numpy()
        elif column.dtype.kind in "biuf":  # a number may be missing
            named[name] = column.to_numpy(float, na_value=np.nan)
        else:
            text = column.astype(object).where(column.notna(), "").to_numpy(dtype=str)
            named[name] = _vectors(text)
    return Arrays(named, table=True)


def _vectors(text: np.ndarray) -> np.ndarray:
    """Return texts such as "[0.1, 0.9]" or "[0.1 0.9]" as rows of numbers; others as they are."""
    if not all(value[:1] == "[" and value[-1:] == "]" for value in text):
        return text
    try:
        return np.array([[float(v) for v in re.split(r"[,\s]+", t[1:-1].strip())] for t in text])
    except ValueError:
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
            rows = [{name: content[name].get(row) for name in content} for row in inner]
            content = dict(zip(inner, rows, strict=True))
        content = list(content.values())
    if isinstance(content, dict):
        return from_lists({n: v for n, v in flat(content).items() if isinstance(v, list)})
    rows = content if isinstance(content, list) else []
    if rows and all(map(_is_ranking, rows)):
        return _rankings(rows)
    if rows and all(isinstance(row, dict) for row in rows):
        return _from_rows(rows)
    raise ValueError('expected rows with names, such as {"label": 1, "probs": [0.2, 0.8]}')


DETECTIONS = (
    "these are detections, boxes with scores, which calib does not judge: the package netcal "
    "measures the calibration of detectors"
)


def _from_rows(rows: list[dict[str, Any]]) -> Arrays:
    if "bbox" in rows[0] or "boxes" in rows[0]:
        raise ValueError(DETECTIONS)
    if HARNESS <= set(rows[0]):
        return _harness_log(rows)
    if len(places := [path for path, _ in _mappings(rows[0])]) == 1:
        return _with_options(rows, places[0])
    flats = [flat(row) for row in rows]
    names = dict.fromkeys(name for row in flats for name in row)
    return from_lists({name: [row.get(name) for row in flats] for name in names}, table=True)


def flat(row: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return a nested dict with names joined by dots.

    Examples
    --------
    >>> flat({"a": {"b": 1}, "c": [2]})
    {'a.b': 1, 'c': [2]}
    """
    found: dict[str, Any] = {}
    for name, value in row.items():
        inner = flat(value, f"{prefix}{name}.") if isinstance(value, dict) else None
        found |= {f"{prefix}{name}": value} if inner is None else inner
    return found


def from_lists(lists: Mapping[str, list[Any]], table: bool = False) -> Arrays:
    """Return lists by name as arrays."""
    if HARNESS <= set(lists):
        rows = zip(*lists.values(), strict=True)
        return _harness_log([dict(zip(lists, row, strict=True)) for row in rows])
    ranked = [name for name, rows in lists.items() if rows and all(map(_is_ranking, rows))]
    named = {name: stacked(name, value) for name, value in lists.items() if name not in ranked}
    notes = [note for name, array in named.items() for note in _uneven(name, lists[name], array)]
    if len(ranked) > 1:
        raise ValueError(f"labels with scores in {ranked[0]!r} and {ranked[1]!r}, expected one")
    if not ranked:
        flat_ = table and all(array.ndim == 1 for array in named.values())
        return Arrays(named, table=flat_, notes=notes)
    found = _rankings(lists[ranked[0]])
    return Arrays(named | found.named, classes=found.classes, notes=notes)


def stacked(name: str, values: Any) -> np.ndarray:
    """Return rows of numbers as one array; rows of fewer end in -inf, of probabilities in 0.

    Examples
    --------
    >>> stacked("logits", [[1, 2], [3]])
    array([[  1.,   2.],
           [  3., -inf]])
    """
    if not isinstance(values, list):
        return np.asarray(values)
    lengths = {len(v) if isinstance(v, list | tuple) else -1 for v in values if v is not None}
    if None in values:
        if lengths - {-1}:
            raise ValueError(f"row {values.index(None)} has no {name!r}, and other rows have")
        numbers = {type(v) for v in values if v is not None} <= {int, float}
        values = [(np.nan if numbers else "") if v is None else v for v in values]
    if len(lengths) <= 1:
        try:
            array = np.array(values)
        except ValueError:
            raise ValueError(f"{name!r}: rows of different shapes") from None
        return array.astype(str) if array.dtype.kind == "O" else array
    if -1 in lengths or any(isinstance(v, list | dict | str) for row in values for v in row):
        return np.array([str(v) for v in values])  # text, or what no score is made of
    empty = 0.0 if kind_of(name) == "probabilities" else -np.inf
    padded = np.full((len(values), max(lengths)), empty)
    for row, value in zip(padded, values, strict=True):
        row[: len(value)] = value
    return padded


def _uneven(name: str, rows: Any, array: np.ndarray) -> Iterator[str]:
    """Yield a note where :func:`stacked` filled rows."""
    lengths = {len(row) for row in rows} if array.ndim == 2 else {0}
    if len(lengths) > 1:
        yield (
            f"Rows of {name!r} hold {min(lengths)} to {max(lengths)} numbers; those of fewer are "
            "filled with classes of probability zero. Errors class by class, and maps with numbers "
            "for each class, then mean little: a class is a place in the list."
        )


def _is_ranking(row: Any) -> bool:
    """Tell whether a row is a list of {label, score}, as pipelines of Hugging Face return."""
    return (
        isinstance(row, list)
        and bool(row)
        and all(isinstance(item, dict) and set(item) == {"label", "score"} for item in row)
    )


def _rankings(rows: list[Any]) -> Arrays:
    """Return the probabilities of rows of {label, score}, whose order may differ by row."""
    classes = sorted((str(item["label"]) for item in rows[0]), key=_natural)
    scores = np.empty((len(rows), len(classes)))
    for number, row in enumerate(rows):
        given = {str(item["label"]): item["score"] for item in row}
        if set(given) != set(classes) or len(row) != len(classes):
            raise ValueError(
                f"row {number} has the labels {sorted(given)[:5]}, and row 0 others: all classes "
                "are needed, which a pipeline gives with top_k=None"
            )
        scores[number] = [given[name] for name in classes]
    return Arrays({"scores": scores}, classes=classes)


def _natural(name: str) -> tuple[str, int, str]:
    """Order LABEL_2 before LABEL_10."""
    start, _, number = name.rpartition("_")
    return (start, int(number), "") if number.isdecimal() else (name, -1, "")


def _mappings(row: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, float]]]:
    """Yield where a row of a decision service maps options to scores, by keys or in two lists."""
    keys = next((row[k] for k in OPTIONS if isinstance(row.get(k), list)), None)
    for name, value in row.items():
        known = name.lower() in (*PROBABILITIES, *LOGITS, *SCORES)
        if isinstance(value, list) and known and keys and len(set(map(str, keys))) == len(value):
            yield f"{path}{name}", dict(zip(map(str, keys), value, strict=True))
        elif isinstance(value, dict):
            numbers = len(value) > (not known) and all(
                type(v) in (int, float) for v in value.values()
            )
            if numbers and (known or abs(sum(value.values()) - 1) < 0.05):
                yield f"{path}{name}", value
            else:
                yield from _mappings(value, f"{path}{name}.")


def _with_options(rows: list[dict[str, Any]], path: str) -> Arrays:
    """Return rows that map options to scores; a class is an option, or its place in the row."""
    maps = []
    for number, row in enumerate(rows):
        maps.append(dict(_mappings(row)).get(path, {}))
        if not maps[-1]:
            raise ValueError(f"row {number} has no scores of options in {path!r}, and row 0 has")
    inside = path.rpartition(".")[0]
    taken = {path, *(f"{inside}.{name}".lstrip(".") for name in OPTIONS)}
    flats = [flat(row) for row in rows]
    names = dict.fromkeys(name for row in flats for name in row)
    left = [name for name in names if name not in taken and not name.startswith(f"{path}.")]
    columns = {name: [row.get(name) for row in flats] for name in left}
    options = list(dict.fromkeys(option for scores in maps for option in scores))
    if all(option.isdecimal() for option in options):
        options.sort(key=int)
    kind = kind_of(path)
    most = max(map(len, maps))
    if len(options) <= most + most // 2:
        empty = -np.inf if kind == "logits" else 0.0
        scores = np.array([[scores.get(option, empty) for option in options] for scores in maps])
        notes = [
            f"{sum(len(scores) < len(options) for scores in maps)} of {len(maps)} rows do not hold "
            "all options; those that are missing have probability zero."
        ]
        found = from_lists(columns)
        notes = found.notes + notes * (len({len(scores) for scores in maps}) > 1)
        return Arrays(found.named | {path: scores}, False, options, kind, notes)
    label = [name for name in columns if name.rpartition(".")[2].lower() in LABELS]
    for name in label[:1]:
        if unknown := [i for i, m in enumerate(maps) if str(columns[name][i]) not in m]:
            raise ValueError(f"row {unknown[0]}: {columns[name][unknown[0]]!r} is no option of it")
        columns[name] = [list(m).index(str(k)) for k, m in zip(columns[name], maps, strict=True)]
    found = from_lists(columns | {path: [list(m.values()) for m in maps]})
    return Arrays(found.named, kind=kind, notes=found.notes)


def kind_of(name: str) -> str | None:
    """Return what the name of an array, or its last part, says of its kind.

    Examples
    --------
    >>> kind_of("Logits"), kind_of("test.probs"), kind_of("scores")
    ('logits', 'probabilities', None)
    """
    word = name.strip().lower().rpartition(".")[2]
    return "logits" if word in LOGITS else "probabilities" if word in PROBABILITIES else None


def _harness_log(rows: list[dict[str, Any]]) -> Arrays:
    """Return the choices' log-likelihoods of lm-evaluation-harness' log of samples.

    Each line holds under ``filtered_resps`` a pair (log-likelihood, whether it is the greedy
    continuation) for each choice, as text, and under ``target`` the right choice. What was read has
    to give the log's own ``acc``, question by question.
    """
    notes = ["Log-likelihoods are read as logged, not divided by the length of the choice."]
    if len({row.get("filter") for row in rows}) > 1:
        kept = rows[0].get("filter")
        rows = [row for row in rows if row.get("filter") == kept]
        notes.append(f"The log holds its questions once for each filter; read is {kept!r}.")
    scores, y, names = [], [], set()
    for number, row in enumerate(rows):
        if missing := sorted(HARNESS - set(row)):
            raise ValueError(f"row {number} has no {missing[0]!r}, and the first row has")
        texts = _choices(row)
        likely = _likelihoods(number, row, len(texts))
        if len(likely) < len(row["filtered_resps"]):
            notes.append(MUTUAL)
        scores.append(likely)
        y.append(_right_choice(number, row, texts or [""] * len(likely), likely))
        names.add(tuple(texts))
    _check_accuracy(rows, scores, y)
    padded = stacked("filtered_resps", scores)
    docs = [flat({"doc": row.get("doc") or {}}) for row in rows]
    beside = {name: [str(doc.get(name, "")) for doc in docs] for name in docs[0]}
    columns = {
        name: np.array(v) for name, v in beside.items() if not isinstance(docs[0][name], list)
    }
    columns["doc_id"] = np.array([str(row["doc_id"]) for row in rows])
    classes = [f"choice {k}" for k in range(padded.shape[1])]
    one = names.pop() if len(names) == 1 else ()
    if len(set(one)) == len(classes):  # such as yes and no
        classes = list(one)
    notes = [*dict.fromkeys(notes), *_uneven("filtered_resps", scores, padded)]
    return Arrays(columns | {"y": np.array(y), "logits": padded}, False, classes, "logits", notes)


MUTUAL = (
    "Each row holds two log-likelihoods a choice, for mutual information; read are the first, of "
    "the choice after the question."
)


def _choices(row: dict[str, Any]) -> list[str]:
    """Return the texts of the choices, from the question or from what the model was asked."""
    doc, asked = row.get("doc") or {}, row.get("arguments") or []
    choices = doc.get("choices") if isinstance(doc, dict) else None
    texts = choices.get("text") if isinstance(choices, dict) else choices
    if isinstance(texts, list) and texts:
        return [str(text).strip() for text in texts]
    pairs = list(asked.values()) if isinstance(asked, dict) else asked
    pairs = [list(p.values()) if isinstance(p, dict) else p for p in pairs]
    return [str(pair[1]).strip() for pair in pairs if len(pair) > 1]


def _likelihoods(number: int, row: dict[str, Any], n_choices: int) -> list[float]:
    """Return the log-likelihoods of the choices; others for mutual information stand behind."""
    try:
        pairs = [(float(value), str(greedy)) for value, greedy in row["filtered_resps"]]
    except (TypeError, ValueError):
        pairs = [(np.nan, "")]
    if {greedy for _, greedy in pairs} - {"True", "False"}:
        raise ValueError(
            f"row {number} holds no log-likelihoods of choices; of generated answers, save a table "
            "with columns 'confidence' and 'correct'"
        )
    likely = [value for value, _ in pairs]
    if len(likely) == 2 * n_choices and "acc_mutual_info" in row:
        return likely[:n_choices]
    if n_choices and len(likely) != n_choices:
        raise ValueError(
            f"row {number} holds {len(likely)} log-likelihoods, and its question {n_choices} "
            "choices: which are whose is not known; save a table of the choices' logits with labels"
        )
    return likely


def _right_choice(number: int, row: dict[str, Any], texts: list[str], likely: list[float]) -> int:
    """Return the place of the right choice: a number, a letter, or that of its text."""
    target, n = str(row["target"]).strip(), len(likely)
    if len(set(texts)) == 1 and n > 1 and texts[0]:  # winogrande: one ending after n beginnings
        answer = str((row.get("doc") or {}).get("answer", ""))
        if answer.isdecimal() and 1 <= int(answer) <= n:
            return int(answer) - 1
        if n == 2 and row.get("acc") in (0, 1):
            return int(np.argmax(likely)) if row["acc"] else int(np.argmin(likely))
    if target.isdecimal() and int(target) < n:
        return int(target)
    if texts.count(target) == 1:
        return texts.index(target)
    if len(target) == 1 and target.isalpha() and ord(target.upper()) - ord("A") < n:
        return ord(target.upper()) - ord("A")
    raise ValueError(f"row {number}: the target {target!r} is none of the {n} choices")


def _check_accuracy(rows: list[dict[str, Any]], scores: list[list[float]], y: list[int]) -> None:
    """Refuse a log whose own accuracy, question by question, is not that of what was read."""
    for number, row in enumerate(rows):
        if row.get("acc") not in (0, 1, None):
            raise ValueError(
                f"row {number}: acc is {row['acc']}, neither 0 nor 1: several choices may be "
                "right, as in truthfulqa_mc2, so no choice is the label; a log with one right "
                "choice, such as truthfulqa_mc1, can be read"
            )
    hits = [int(np.argmax(z)) == k for z, k in zip(scores, y, strict=True)]
    off = [i for i, row in enumerate(rows) if row.get("acc") not in (None, hits[i])]
    if off:
        raise ValueError(
            f"{len(off)} of {len(rows)} rows disagree with the log's own acc, the first is row "
            f"{off[0]}: acc is {rows[off[0]]['acc']:g}, the likeliest choice "
            f"{int(np.argmax(scores[off[0]]))}, the target {y[off[0]]}. So the target is not what "
            "the log counted as right; save a table of the choices' logits with labels"
        )


def from_nested(value: Any) -> Arrays:
    """Return the arrays of a dict, a pair of labels and scores, one array, or lists of batches."""
    if isinstance(value, list) and value and all(isinstance(batch, dict) for batch in value):
        value = {name: [batch[name] for batch in value] for name in value[0]}
    if isinstance(value, dict):
        arrays = {str(n): _whole(str(n), v) for n, v in value.items() if _is_array(v)}
        left = [str(n) for n in value if str(n) not in arrays and value[n] is not None]
        return Arrays(arrays, notes=[f"No arrays, so left out: {', '.join(left)}."] * bool(left))
    if isinstance(value, list | tuple) and len(value) == 2:
        first, second = (_whole("", part) for part in value)
        y, scores = sorted((first, second), key=lambda array: (array.ndim, array.dtype.kind))
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
        plain = [
            isinstance(v, list) and not hasattr((v or [0])[0], "shape") for v in values.values()
        ]
        return from_lists(values) if all(plain) else from_nested(values)
    return from_nested(source)


def as_numpy(values: Any, name: str = "") -> np.ndarray:
    """Return an array; a tensor leaves its device and its gradient behind, bfloat16 widens."""
    name = name and f"{name}: "
    if np.ma.isMaskedArray(values):
        raise ValueError(f"{name}a masked array, expected an array without masked entries")
    if isinstance(values, Iterator) or (
        hasattr(values, "collect") and not hasattr(values, "shape")
    ):
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


def places_as_rows(
    y: np.ndarray, scores: np.ndarray, class_axis: int | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return labels and scores of all places of images, and the number of the image of each.

    Scores (n, K, ...) or (n, ..., K) go with labels (n, ...).
    """
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
    scores = np.moveaxis(scores, fits[0], -1).reshape(-1, scores.shape[fits[0]])
    return y.reshape(-1), scores, np.repeat(np.arange(len(y)), y[0].size)
