"""Files that need their numbers, their ids or their pair told apart, and odd spellings."""

import numpy as np
import pandas as pd

from evidence.files_with_truth.case import Case
from evidence.files_with_truth.logs import Log, batch, gold, inspect, mappings
from evidence.files_with_truth.samples import (
    BINARY,
    HIT,
    IDS,
    IMAGES,
    IS_DOG,
    LOGITS,
    MIXED,
    NAMED,
    NAMES,
    P_DOG,
    STATED,
    SWAPPED,
    TOP,
    WHOLE,
    YES_NO,
    N,
    P,
    Y,
    frame,
    prefixed,
)  # fmt: skip
from evidence.files_with_truth.writers import (
    beside,
    columns,
    csv,
    in_parts,
    json_lines,
    json_value,
    npy,
    npz,
    parquet,
    savetxt,
    text,
    two_files,
    with_text,
)  # fmt: skip

IS_LIKELY = P_DOG > 0.5
PASSENGERS = pd.DataFrame({"PassengerId": 9 * np.arange(N), "Survived": P_DOG})
SURVIVED = pd.DataFrame({"PassengerId": 9 * MIXED, "Survived": IS_DOG[MIXED]})
AZURE = {
    "income": YES_NO,
    "Scored Labels": np.where(IS_LIKELY, "yes", "no"),
    "Scored Probabilities": P_DOG,
}
WITH_COMMAS = [[f"{p:.6f}".replace(".", ",") for p in row] for row in P]
LINES = WHOLE.to_csv(index=False).splitlines()


def bigquery() -> list[Log]:
    """Return rows whose probabilities are a list of labels and numbers."""
    rows = []
    for i, p in enumerate(mappings()):
        probs = [{"label": name, "prob": value} for name, value in p.items()]
        rows.append({"predicted_label_probs": probs, "label": gold(i)})
    return rows


def zero_shot() -> list[Log]:
    """Return rows whose labels stand in the order of their scores, the surest first."""
    rows: list[Log] = []
    for p, name in zip(P, NAMED, strict=True):
        labels = [NAMES[k] for k in np.argsort(-p)]
        scores = sorted(p.tolist(), reverse=True)
        row = {"sequence": "a", "labels": labels, "scores": scores, "gold": name}
        rows.append(row)
    return rows


def named(names: list[str]) -> np.ndarray:
    """Return the labels as other names of the classes."""
    return np.array(names)[Y]


TOLD_APART = [
    Case("ground.npz", "PyTorch", npz(gt=Y, pred=P)),
    Case(
        "sas.csv",
        "SAS",
        columns(
            BAD=IS_DOG, P_BAD1=P_DOG, P_BAD0=1 - P_DOG, I_BAD=IS_LIKELY.astype(int)
        ),
        BINARY,
    ),
    Case(
        "datarobot.csv",
        "DataRobot",
        columns(
            bought=IS_DOG,
            bought_1_PREDICTION=P_DOG,
            bought_0_PREDICTION=1 - P_DOG,
            THRESHOLD=0.5,
        ),
        SWAPPED,
    ),
    Case(
        "churn.csv",
        "pandas",
        columns(customer_id=IDS, churn=YES_NO, churn_probability=P_DOG),
        BINARY,
    ),
    Case("azure_two.csv", "Azure", columns(**AZURE), BINARY),
    Case(
        "titanic.csv",
        "Kaggle",
        two_files(PASSENGERS, SURVIVED),
        BINARY,
        options={"labels": "truth.csv"},
    ),
    Case(
        "stated_percent.csv",
        "LLM",
        columns(stated_confidence=100 * TOP, correct=HIT),
        STATED,
    ),
    Case("bigquery.jsonl", "BigQuery", json_lines(bigquery()), atol=1e-5),
]

ODD_SPELLINGS = [
    Case("sep.csv", "Excel", text("sep=;\n" + WHOLE.to_csv(sep=";", index=False))),
    Case("trailing.csv", "Excel", text("".join(f"{line},,\n" for line in LINES))),
    Case(
        "quoted_comma.csv",
        "Excel",
        csv(frame(values=WITH_COMMAS, label=NAMED)),
        atol=1e-5,
    ),
    Case(
        "spaces.csv",
        "shell",
        text(WHOLE[["label", *NAMES]].to_csv(sep=" ", index=False)),
    ),
    Case(
        "wahr.csv",
        "Excel",
        columns(label=np.where(Y == 1, "WAHR", "FALSCH"), p_WAHR=P_DOG),
        BINARY,
    ),
    Case(
        "missing_class.csv",
        "R",
        csv(prefixed("p_", ["NA", "EU", "AS"]).assign(label=named(["NA", "EU", "AS"]))),
    ),
    Case(
        "zeros_before.csv",
        "pandas",
        csv(prefixed("p_", ["01", "1", "2"]).assign(label=named(["01", "1", "2"]))),
    ),
    Case(
        "years.csv",
        "pandas",
        csv(prefixed("p_", range(2019, 2022)).assign(label=2019 + Y)),
    ),
    Case(
        "upper.csv",
        "pandas",
        csv(prefixed("p_", ["Cat", "DOG", "hen "]).assign(label=NAMED)),
    ),
    Case(
        "accent.csv",
        "pandas",
        csv(
            prefixed("p_", ["cafe\u0301", "dog", "hen"]).assign(
                label=named(["caf\u00e9", "dog", "hen"])
            )
        ),
    ),
]

ODD_LAYOUTS = [
    Case("spark", "Spark", in_parts(WHOLE, csv, "csv")),
    Case("spark_parquet", "Spark", in_parts(WHOLE, parquet, "parquet")),
    Case(
        "series.npy",
        "pandas",
        beside(npy(P), "y.csv", csv(pd.Series(Y), index=True)),
        options={"labels": "y.csv"},
    ),
    Case(
        "savetxt.npy",
        "numpy",
        beside(npy(P), "y.txt", savetxt(Y)),
        options={"labels": "y.txt"},
    ),
    Case("classes_.npz", "scikit-learn", npz(y=NAMED, proba=P, classes_=NAMES)),
    Case("first_axis.npz", "numpy", npz(y=Y, logits=LOGITS.T)),
    Case(
        "nchw_labels.npz",
        "segmentation",
        npz(y=Y[IMAGES], logits=np.moveaxis(LOGITS[IMAGES], -1, 1)),
    ),
    Case("readme.npz", "numpy", with_text(npz(y=Y, logits=LOGITS))),
    Case("zero_shot.jsonl", "transformers", json_lines(zero_shot())),
    Case(
        "batch.jsonl",
        "OpenAI",
        beside(json_lines(batch()), "truth.csv", columns(id=IDS, label=NAMED)),
        STATED,
        options={"labels": "truth.csv"},
        after={"scores": "confidence", "predicted": "predicted"},
        shown="--scores NAME",
        atol=1e-5,
    ),
    Case("inspect.json", "Inspect", json_value(inspect()), STATED),
]
ODDITIES = [*TOLD_APART, *ODD_SPELLINGS, *ODD_LAYOUTS]
