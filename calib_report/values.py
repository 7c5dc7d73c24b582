"""What labels and scores are by their values: numbers, probabilities, classes; and what is odd."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from math import sqrt
from types import SimpleNamespace as Said
from typing import Any

import numpy as np

from calib_report.contract import NAMES, NOTED, PATTERNS, few, refused
from calib_report.outputs import LARGE, ModelOutputs
from calib_report.suspicion import suspicion

MOST_ATOL = 0.05
UNITS = (10.0, 100.0, 255.0, 1000.0)


@dataclass
class Parts:
    """What was found, of it `columns` in order of the classes, and `beside` by (what, name)."""

    y: np.ndarray
    scores: np.ndarray
    kind: str | None
    columns: list[str]
    classes: list[str] | None = None
    y_name: str = ""
    task: str = "classes"
    said: Said = field(default_factory=Said)
    held: "Parts | None" = None
    beside: dict[tuple[str, str], np.ndarray] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def is_empty(values: np.ndarray) -> np.ndarray:
    """Tell which entries are missing: nan, or text such as "" and "NA"."""
    if values.dtype.kind == "U":
        return np.isin(np.char.lower(np.char.strip(values)), NAMES["empty"])
    return np.isnan(values) if values.dtype.kind == "f" else np.zeros(values.shape, bool)


def refuse_empty(name: str, column: np.ndarray) -> None:
    if (empty := is_empty(column)).any():
        raise refused("empty", name=name, n=empty.sum(), of=len(empty), row=empty.argmax())


def texts(values: np.ndarray) -> np.ndarray:
    """Return entries as text, whole numbers without a point."""
    whole = values.dtype.kind == "f" and (np.floor(values) == values).all()
    if whole and float(np.abs(values).max(initial=0)) < 2**53:
        values = values.astype(np.int64)
    return np.char.strip(values.astype(str))


def labels_in(y: np.ndarray) -> list[str]:
    """Return the labels that occur, as text."""
    return sorted({*texts(np.unique(y[~is_empty(y)])).tolist()}) if y.ndim == 1 and len(y) else []


def are_words(values: np.ndarray) -> bool:
    """Tell whether a column holds words and no numbers, such as predicted classes."""
    text = values.dtype.kind == "U" and values.ndim == 1
    return text and not any(PATTERNS["number"].match(value.strip(" [")) for value in values)


def numbers(name: str, values: np.ndarray) -> np.ndarray:
    """Return scores as numbers; "85%", "8/10" and "[0.1, 0.9]" are, any other text is an error."""
    if values.ndim == 1:
        refuse_empty(name, values)
    if values.dtype.kind != "U":
        return values
    if values.ndim == 1 and all(value[:1] == "[" and value[-1:] == "]" for value in values):
        with suppress(ValueError):
            return np.array([value[1:-1].replace(",", " ").split() for value in values], float)
    found = np.empty(values.shape)
    for place, value in np.ndenumerate(values):
        text, _, divisor = value.strip().partition("/")
        if text.endswith("%"):
            text, divisor = text[:-1], "100"
        if not all(PATTERNS["number"].fullmatch(part.strip()) for part in (text, divisor or "1")):
            raise refused("number", row=place[0], name=name, value=str(value))
        found[place] = float(text) / (float(divisor or 1) or np.nan)
    return found


def truth(name: str, values: np.ndarray) -> np.ndarray:
    """Return what says right or wrong as numbers, 1 and 0."""
    words, true, both = np.char.lower(texts(values)), NAMES["true"], NAMES["true"] + NAMES["false"]
    for row in np.flatnonzero(~np.isin(words, both))[:1]:
        raise refused("truth", row=row, name=name, value=str(values[row]), words=", ".join(both))
    return np.isin(words, true).astype(int)


def settled(scores: np.ndarray, kind: str | None, said: Said) -> tuple[np.ndarray, str, list[str]]:
    """Return logits or probabilities of all classes, which they are, by their name, and notes."""
    if scores.dtype.kind not in "biuf" or scores.size == 0 or scores.ndim not in (1, 2):
        raise refused("no_numbers", shape=scores.shape, dtype=scores.dtype)
    one, kind = scores.size == len(scores), said.kind or kind
    if said.percent:
        scores, kind = scores / said.percent, "probabilities"
    low, high = scores.min(), scores.max()
    if np.isnan(low):
        raise refused("nan", name=kind or "scores", row=np.argwhere(np.isnan(scores))[0][0])
    with np.errstate(all="ignore"):  # of numbers too large, which are refused later
        total = scores.reshape(len(scores), -1).sum(axis=1, dtype=float)
    if said.kind != "logits" and low >= 0:
        if high == 1 and kind != "logits" and np.isin(scores[:1000], (0, 1)).all():
            if np.isin(scores, (0, 1)).all():
                raise refused("decisions")
        _refuse_parts_of(total, high, one)
    if one:
        column = scores.reshape(-1).astype(np.promote_types(scores.dtype, np.float32), copy=False)
        if kind == "logits" or (not kind and (low < 0 or high > 1)):
            return np.column_stack([-column / 2, column / 2]), "logits", []
        scores, total = np.column_stack([1 - column, column]), np.ones(len(column))
        low, kind = scores.min(), "probabilities"
    off = np.abs(total - 1) if low >= 0 else np.full(len(total), np.inf)
    allowed = _rounding(scores, said.percent or 1) if said.atol is None else said.atol
    # sums of few digits may be far off one by one, but then not all of them
    alike = allowed <= MOST_ATOL or sqrt(np.mean(np.minimum(off, 1e9) ** 2)) <= allowed / 2
    sums = off.max() <= allowed * (1 + 1e-9) and alike
    if kind == "logits" and sums:
        raise refused("are_probabilities")
    if kind != "logits" and not sums:
        bad = ((scores < 0) | (scores > 1)).any(axis=1)
        row = int(np.argmax(bad if bad.any() else off))
        good = ~bad & (np.abs(total - 1) <= allowed)
        if kind or not bad.any() or good.mean() > 0.5:  # else, plainly, they are logits
            told = {"row": row, "low": scores[row].min(), "total": total[row], "allowed": allowed}
            more = "" if kind else ", --kind probabilities, or --kind logits if they are"
            raise refused("sums", most=MOST_ATOL, more=more, **told)
    kind, notes = kind or ("probabilities" if sums else "logits"), []
    if kind == "probabilities" and off.max() > 1e-4:
        scores = scores / total[:, None].astype(np.promote_types(scores.dtype, np.float32))
        notes = [NOTED["divided"].format(off=off.max())]
    large = scores.size >= LARGE and scores.itemsize > 4
    return scores.astype(np.float32) if large else scores, kind, notes


def _rounding(p: np.ndarray, scale: float) -> float:
    """Return how far from one K numbers may sum: K times half a unit of the last digit written."""
    bits = np.ascontiguousarray(p[:1000]).view("u4") if p.dtype == np.float32 else np.ones(1, int)
    if p.dtype == np.float16 or not (bits & 0xFFFF).any():  # the lower half is empty: bfloat16
        return 1e-2
    head = p[:1000].astype(float) * scale
    for digits in range(6 if np.abs(head).max() <= scale else 0):
        if np.abs(np.round(head, digits) - head).max() <= 1e-7 * scale:
            return float(max(1e-4, p.shape[1] * 10.0**-digits / scale / 2))
    return 1e-4


def _refuse_parts_of(total: np.ndarray, high: float, one: bool) -> None:
    """Refuse per cent, parts of a thousand and the like: no logits have such sums."""
    middle = high if one else float(np.median(total))
    if high <= 1 + MOST_ATOL or (not one and np.ptp(total) > 0.1 * middle):
        return
    fits = [u for u in UNITS if (high <= u if one else abs(u - middle) <= 0.05 * u)]
    unit = (fits or [round(float(middle), 3)])[0]
    told = "no number is negative" if one else f"rows of scores sum to about {middle:.6g}"
    option = "--percent" if unit == 100 else f"--percent {unit:g}"
    raise refused("parts_of", told=told, unit=unit, option=option)


def numbered(
    y: np.ndarray, classes: list[str] | None, n_classes: int, labels_from: int | None, name: str
) -> np.ndarray:
    """Return labels as numbers from 0; a label is the name of a class, or its number."""
    refuse_empty(name, y)
    values, place = np.unique(y, return_inverse=True)
    values = texts(values)
    if classes and labels_from is None and set(values) <= set(classes):
        return np.array([classes.index(value) for value in values])[place]
    if n_classes == 2 and {*np.char.lower(values)} <= {"true", "false"}:
        return (np.char.lower(values) == "true").astype(int)[place]
    for k in [k for k, value in enumerate(values) if not re.fullmatch(r"-?\d+", value)][:1]:
        told = {"name": name, "row": np.argmax(place == k), "value": str(values[k])}
        if y.dtype.kind == "f":
            raise refused("regression", **told)
        if classes and set(classes) & set(values):
            raise refused("unknown", **told, classes=few(classes))
        one = f"one column of scores: --positive {values[-1]}; " * (len(values) == n_classes == 2)
        raise refused("names", **told, one=one, n=n_classes)
    found = values.astype(np.int64)
    if n_classes == 2 and set(found.tolist()) == {-1, 1}:
        return (found[place] + 1) // 2
    if classes and labels_from is None and classes[0].isdecimal():
        told = {"labels": few(values, 4), "classes": few(classes, 4)}
        raise refused("named_otherwise", name=name, **told)
    found -= labels_from or 0
    for row in np.flatnonzero(((found < 0) | (found >= n_classes))[place])[:1]:
        value, advice = values[place][row], "if labels count from 1, say --labels-from 1"
        if labels_from is not None or found.min() < 1 or found.max() != n_classes:
            advice = f"to leave out samples with this label, --ignore-index {value}"
        raise refused("label", name=name, row=row, value=value, last=n_classes - 1, advice=advice)
    return found[place]


def refuse_shifted(y: np.ndarray, prob: np.ndarray) -> None:
    """Refuse labels without a 0 that may count from 1, unless they clearly fit as they are."""
    row = np.arange(len(y))
    gain = prob[row, y].astype(float) - prob[row, y - 1]
    if len(y) > 5 and gain.mean() <= (2 * gain.std() / sqrt(len(y)) if len(y) >= 20 else 0):
        raise refused("shifted")


def looks_wrong(outputs: ModelOutputs) -> Iterator[str]:
    """Yield a sentence for each sign that labels or scores are not what they are called."""
    if (finding := suspicion(outputs)) is not None:
        yield finding.sentence
    right = float(np.mean(outputs.prob.argmax(axis=1) == outputs.y))
    if right == 1 and len(outputs) >= 50 and outputs.pairs[0].mean() < 0.97:
        yield NOTED["own"]
    largest = np.logaddexp.reduce(outputs.known[:1000], axis=1, dtype=float)
    if outputs.kind == "logits" and np.abs(largest).max() < 1e-3:
        yield NOTED["log_probabilities"]


def _keys(scores: np.ndarray) -> np.ndarray:
    """Return a number for the first scores of each row; 0 where few digits may make rows alike."""
    rows = np.ascontiguousarray(scores[:, :8])
    some = np.where(np.isfinite(rows), rows, 0)
    fine = (np.abs(np.round(some, 4) - some) > 1e-6).any(axis=1)
    fine |= (some.min(axis=1) < 0) & ((np.abs(np.round(some, 2) - some) > 1e-6).sum(axis=1) > 1)
    digests = b"".join(blake2b(row, digest_size=8).digest() for row in rows)
    return np.frombuffer(digests, np.int64) * fine


def refuse_shared(test: np.ndarray, held: np.ndarray) -> None:
    keys = _keys(test)
    shared = int((np.isin(keys, _keys(held)) & (keys != 0)).sum())
    if shared > len(test) / 100 and len(np.unique(keys)) > len(test) / 2:
        raise refused("shared", n=shared, of=len(test))


def copies(outputs: ModelOutputs) -> np.ndarray | None:
    """Return which rows are copies of one sample, label included; None where there are few."""
    keys = _keys(outputs.known)
    sample, size = np.unique(keys, return_inverse=True, return_counts=True)[1:]
    again = (size[sample] > 1) & (keys != 0)
    labelled = len(np.unique(sample[again] * outputs.n_classes + outputs.y[again]))
    expected = (1 - outputs.pairs[0][again]).sum()  # labels that would differ by chance
    if again.sum() < len(keys) / 50 or labelled > len(np.unique(sample[again])) or expected < 3:
        return None
    own = np.where(again, sample, len(keys) + np.arange(len(keys)))
    return np.unique(own, return_inverse=True)[1]


@contextmanager
def of_calibration() -> Iterator[None]:
    """Say of an error that it is of the calibration set, and how to leave that out."""
    try:
        yield
    except ValueError as error:
        raise refused("calibration", error=error) from None


def outputs_of(parts: Parts) -> ModelOutputs:
    """Return what was found as outputs; a ValueError where a value is not what it should be."""
    parts = of_kind(_by_sample(parts))
    said, names, k = parts.said, parts.classes, parts.scores.shape[1]
    y = numbered(parts.y, names, k, said.labels_from, parts.y_name)
    told: dict[str, Any] = {what: array for (what, _), array in parts.beside.items()}
    told["groups"] = {n: texts(a) for (what, n), a in parts.beside.items() if what == "groups"}
    told["class_names"] = [*map(str, names or range(first := said.labels_from or 0, first + k))]
    outputs = ModelOutputs(y, **told | {str(parts.kind): parts.scores, "task": parts.task})
    by_name = names is not None and {*labels_in(parts.y)} <= {*names}
    if said.labels_from is None and not by_name and k > 2 and y.min() > 0:
        refuse_shifted(y, outputs.prob)
    notes, held, clusters = [*looks_wrong(outputs), *parts.notes], None, outputs.clusters
    if names is not None and not by_name and parts.columns[1:]:
        notes.append(NOTED["counted"].format(name=names[0]))
    if parts.held is not None:
        if parts.task == "classes":
            parts.held.classes = names or parts.held.classes
        with of_calibration():
            held = outputs_of(parts.held)
            if (found := (held.kind, held.n_classes)) != (expected := (outputs.kind, k)):
                raise refused("other_kind", found=found, expected=expected)
            refuse_shared(outputs.known, held.known)
    if clusters is None and (clusters := copies(outputs)) is not None:
        n = len(y) - len(np.unique(clusters))
        notes.append(NOTED["copies"].format(n=n, of=len(y)))
    # all of it is checked: setting the rest of a frozen object spares a second check, and softmax
    outputs.__dict__.update(calibration=held, clusters=clusters, notes=tuple(notes))
    return outputs


def of_kind(parts: Parts) -> Parts:
    """Return parts whose scores are checked logits or probabilities, a column a class."""
    scores, kind, told = settled(parts.scores, parts.kind, parts.said)
    if parts.scores.size == len(parts.scores) and parts.task == "classes":
        told.append(NOTED["one_column"])
    if parts.kind is None and kind == "logits":
        told.append(NOTED["logits"])
    names, k = parts.classes, scores.shape[1]
    if names is not None and not len({*names}) == len(names) == k:
        raise refused("class_names", n=len({*names}), of=k)
    return replace(parts, scores=scores, kind=kind, notes=parts.notes + told)


def _by_sample(parts: Parts) -> Parts:
    """Return parts with a label and a row of scores a sample, without those to leave out."""
    shape, places, said = parts.scores.shape, parts.y.shape, parts.said
    if len(shape) > 2 and shape[:-1] == places != (*shape[:1], *shape[2:]):  # such as of tokens
        parts = _spread(parts, parts.scores.reshape(-1, shape[-1]))
        parts.notes.append(NOTED["axes"])
    elif len(shape) not in (1, 2):
        raise refused("shapes", scores=shape, labels=places)
    if parts.y.ndim == 2 and parts.y.shape[1] > 1:
        parts = _of_columns(parts)
    y = parts.y = parts.y.reshape(-1)
    if len(y) != len(parts.scores):
        raise refused("n_labels", n=len(y), of=len(parts.scores))
    ignored = np.isin(y, said.ignore_index) | (is_empty(y) & (parts.task == "labels"))
    if ignored.any():
        which = " or ".join(map(str, said.ignore_index)) or "that is empty"
        parts.notes.append(NOTED["ignored"].format(n=ignored.sum(), which=which))
        parts = _rows(parts, ~ignored, y[~ignored], parts.scores[~ignored])
    if said.positive is not None:  # one column of scores is that of one label
        labels, one = labels_in(y := parts.y), said.positive
        if one not in labels or parts.scores.size != len(y):
            raise refused("positive", name=one, labels=few(labels))
        others = [label for label in labels if label != one]
        parts.y, parts.classes = (texts(y) == one).astype(int), [f"not {one}", one]
        parts.classes[:1] = others if len(others) == 1 else parts.classes[:1]
    return parts


def _rows(parts: Parts, rows: np.ndarray, y: np.ndarray, scores: np.ndarray) -> Parts:
    """Return parts with other labels and scores, and what stands beside these rows."""
    beside = {key: array[rows] for key, array in parts.beside.items()}
    return replace(parts, y=y, scores=scores, beside=beside)


def _spread(parts: Parts, scores: np.ndarray) -> Parts:
    """Return parts with a row for each label of a sample, which is a cluster."""
    rows = np.repeat(np.arange(len(parts.y)), parts.y[0].size)
    found = _rows(parts, rows, parts.y.reshape(-1), scores)
    if not any(what == "clusters" for what, _ in found.beside):
        found.beside["clusters", ""] = rows
    return found


def _of_columns(parts: Parts) -> Parts:
    """Read labels (n, K) of 0 and 1: one-hot, or a yes-or-no question a label."""
    y, scores, said = parts.y, parts.scores, parts.said
    if y.shape != scores.shape or y.dtype.kind not in "biuf":
        raise refused("not_binary", y=y.shape, scores=scores.shape)
    masked = np.isin(y, said.ignore_index) | (is_empty(y) & bool(said.leave_out_empty))
    for row, k in np.argwhere(~(np.isin(y, (0, 1)) | masked))[:1]:
        empty = np.isnan(float(y[row, k]))
        option = "--leave-out-empty y" if empty else f"--ignore-index {y[row, k]:g}"
        raise refused("entry", row=row, value=y[row, k], option=option)
    if (y.sum(axis=1) == 1).all() and not said.multilabel:
        return replace(parts, y=y.argmax(axis=1))
    (n, k), found = y.shape, _spread(parts, scores.reshape(-1))
    found.beside["groups", "label"] = np.tile(parts.classes or list(map(str, range(k))), n)
    found.classes, found.task = ["no", "yes"], "labels"
    found.notes.append(NOTED["questions"].format(n=k))
    return found
