"""Columnar files and JSON."""

import pandas as pd

from evidence.files_with_truth.case import Case
from evidence.files_with_truth.samples import LOGITS, WHOLE, P, Y, prefixed
from evidence.files_with_truth.writers import (
    beside,
    feather,
    json_table,
    json_value,
    npy,
    parquet,
)

LISTS = pd.DataFrame({"logits": LOGITS.tolist(), "label": Y})
NUMBERED = [f"LABEL_{k}" for k in range(3)]
LABELS = [NUMBERED[k] for k in Y]
ORIENTS = ("columns", "index", "split", "records", "table")


def rankings(most: int = 3) -> list[list[dict[str, object]]]:
    """Return what a pipeline of transformers gives: labels and scores, the surest first."""
    return [
        [{"label": NUMBERED[k], "score": float(p[k])} for k in (-p).argsort()[:most]]
        for p in P
    ]


PIPELINE = [
    {"scores": scores, "label": label}
    for scores, label in zip(rankings(), LABELS, strict=True)
]
COLUMNAR = [
    Case("table.parquet", "pyarrow", parquet(WHOLE)),
    Case("nullable.parquet", "pandas", parquet(WHOLE.convert_dtypes())),
    Case("category.parquet", "pandas", parquet(WHOLE.astype({"label": "category"}))),
    Case("lists.parquet", "datasets", parquet(LISTS)),
    Case("pipeline.parquet", "datasets", parquet(pd.DataFrame(PIPELINE))),
    Case("table.feather", "pyarrow", feather(WHOLE)),
]
JSON = [
    Case(
        f"{orient}.json",
        "pandas",
        json_table(WHOLE, orient=orient, double_precision=15),
    )
    for orient in ORIENTS
]
JSON += [
    Case(
        "lists.json",
        "json",
        json_value({"labels": Y.tolist(), "probs": P.tolist(), "epoch": 3}),
    ),
    Case("lists.jsonl", "pandas", json_table(LISTS, orient="records", lines=True)),
    Case(
        "pipeline.json",
        "transformers",
        json_value({"predictions": rankings(), "references": Y.tolist()}),
    ),
    Case("pipeline_names.json", "transformers", json_value(PIPELINE)),
    Case(
        "only_pipeline.json",
        "transformers",
        beside(json_value(rankings()), "y.npy", npy(Y)),
        after={"labels": "y.npy", "scores": "scores"},
        shown="--labels FILE",
    ),
    Case(
        "top2.json",
        "transformers",
        json_value({"predictions": rankings(2), "references": Y.tolist()}),
        None,
        shown="expected probabilities that sum to 1",
    ),
    Case(
        "values.json",
        "pandas",
        json_table(prefixed("p_"), orient="values"),
        None,
        shown="rows with names",
    ),
]
STRUCTURED = [*COLUMNAR, *JSON]
