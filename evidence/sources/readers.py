"""Readers of public predictions: a row of a list and the bytes of its files become `Outputs`.

A reader takes the row and the bytes of the file, then those of the files that it `needs`; it
returns the `test` split, a `calibration` split where there is one, and what else is known. The
column `reader` of a list of networks names one of the `READERS`; of answers of language models,
``data/sources/sources-language.csv``, it names one of `evidence.language.originals.ANSWER_READERS`.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from evidence import data
from evidence.network_outputs import Outputs
from evidence.sources.file_formats import (
    read_csv,
    read_npy,
    read_pickled_arrays,
    read_torch,
)
from evidence.sources.imagenetx import first_choices

Row = dict[str, str]  # of a list of sources
Pair = tuple[np.ndarray, np.ndarray]  # logits and labels


def test_split(row: Row, y: np.ndarray, **arrays: np.ndarray) -> dict[str, Outputs]:
    """The test split alone."""
    return {"test": Outputs(np.ravel(y), order=row["order"], **arrays)}


def sorted_top(
    row: Row, y: np.ndarray, scores: np.ndarray, classes: np.ndarray
) -> dict[str, Outputs]:
    """The most probable classes, sorted: the files are not."""
    # stable, so that tied classes stay in the order of the file
    rank = np.argsort(-scores, axis=1, kind="stable")
    scores, classes = (np.take_along_axis(a, rank, axis=1) for a in (scores, classes))
    return test_split(row, y, scores=scores, classes=classes)


def _top_class(
    row: Row, content: bytes, file: str, predicted: str, score: str
) -> dict[str, Outputs]:
    table = read_csv(content, data.NAMES["columns"][file])
    y, classes = integers(table["true_label"]), integers(table[predicted])
    return sorted_top(row, y, table[score][:, None], classes[:, None])


def two_splits(row: Row, calibration: Pair, test: Pair) -> dict[str, Outputs]:
    """The calibration and the test split, of logits."""
    (logits, y), (test_logits, test_y) = calibration, test
    order = f"{row['name']}, calibration"
    own = Outputs(np.ravel(y), order=order, logits=logits)
    return test_split(row, test_y, logits=test_logits) | {"calibration": own}


def logits_and_targets(
    row: Row, logits: np.ndarray, targets: np.ndarray
) -> dict[str, Outputs]:
    """The test split of arrays with these names; a TypeError names one that is missing."""
    return test_split(row, targets, logits=logits)


def predictions_and_truth(
    row: Row, predictions: np.ndarray, ground_truth: np.ndarray
) -> dict[str, Outputs]:
    """The test split of arrays with these names; a TypeError names one that is missing."""
    return test_split(row, ground_truth, probabilities=predictions)


def _sorted_five(row: Row, p: bytes, classes: bytes, y: bytes) -> dict[str, Outputs]:
    return sorted_top(row, read_npy(y), read_npy(p), read_npy(classes))


def _kull(row: Row, content: bytes) -> dict[str, Outputs]:
    return two_splits(row, *read_pickled_arrays(content))


def _torch(row: Row, test: bytes, calibration: bytes) -> dict[str, Outputs]:
    return two_splits(row, read_torch(calibration), read_torch(test))


def _log_scores(row: Row, logits: bytes, y: bytes) -> dict[str, Outputs]:
    return test_split(row, read_npy(y), logits=read_npy(logits))


def _npz_logits(row: Row, content: bytes) -> dict[str, Outputs]:
    return logits_and_targets(row, **data.read_npz(content))


def _netcal(row: Row, content: bytes) -> dict[str, Outputs]:
    return predictions_and_truth(row, **data.read_npz(content))


def _pickled(row: Row, content: bytes) -> dict[str, Outputs]:
    return predictions_and_truth(row, *read_pickled_arrays(content))


def _probabilities(row: Row, p: bytes, y: bytes) -> dict[str, Outputs]:
    return predictions_and_truth(row, read_npy(p), read_npy(y))


def _imagenetx(row: Row, chosen: bytes, labels: bytes) -> dict[str, Outputs]:
    return sorted_top(row, *first_choices(chosen, labels))


def _cifar10h(row: Row, content: bytes) -> dict[str, Any]:
    table = np.column_stack(list(read_csv(content).values()))
    y, counts = integers(table[:, 0]), integers(table[:, 1:11])
    return test_split(row, y, probabilities=table[:, 11:]) | {"human_counts": counts}


def _nli(row: Row, *contents: bytes) -> dict[str, Any]:
    """The examples that a hundred people labelled."""
    test, development, counts = (json_lines(content) for content in contents)
    outputs = {line["uid"]: line for line in (*development, *test)}
    answered = [line for line in counts if line["uid"] in outputs]
    # ChaosNLI counts entailment, neutral, contradiction; the networks have the last two exchanged
    human = np.array([line["label_count"] for line in answered])[:, [0, 2, 1]]
    predictions = [outputs[line["uid"]] for line in answered]
    y = np.array([line["true"] for line in predictions])
    logits = np.array([line["logits"] for line in predictions], float)
    return test_split(row, y, logits=logits) | {"human_counts": human}


def json_lines(content: bytes) -> list[dict[str, Any]]:
    """The objects of a file that has one on each line."""
    return [json.loads(line) for line in content.decode("utf-8").splitlines()]


def integers(values: np.ndarray) -> np.ndarray:
    """The values as integers; a ValueError if one is not."""
    whole = values.astype(np.int64)
    if not np.array_equal(whole, values):
        raise ValueError(f"{values[whole != values][0]} is not an integer")
    return whole


READERS: dict[str, Callable[..., dict[str, Any]]] = {
    "top1": partial(
        _top_class, file="top1", predicted="pred_label", score="confidence"
    ),
    "mehul0x": partial(
        _top_class, file="mehul0x", predicted="predictions", score="probabilities"
    ),
    "top5": _sorted_five,
    "kull": _kull,
    "torch": _torch,
    "netcal": _netcal,
    "probabilities": _probabilities,
    "cifar10h": _cifar10h,
    "log_scores": _log_scores,
    "npz_logits": _npz_logits,
    "pickled": _pickled,
    "imagenetx": _imagenetx,
    "nli": _nli,
}
