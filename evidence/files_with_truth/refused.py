"""Files that nobody could read, or that are no predictions, and some that only look so."""

import numpy as np

from evidence.files_with_truth.case import Case
from evidence.files_with_truth.samples import (
    BEST,
    HIT,
    IS_DOG,
    LOGITS,
    MARKED,
    NAMED,
    NOISE,
    TOP,
    WHOLE,
    P,
    Y,
    prefixed,
)  # fmt: skip
from evidence.files_with_truth.tables import NUMPY, TABLE
from evidence.files_with_truth.writers import (
    Write,
    columns,
    csv,
    excel,
    json_value,
    npz,
    savetxt,
    text,
)  # fmt: skip

BOX = {"image_id": 1, "category_id": 3, "bbox": [1, 2, 3, 4], "score": 0.9}
DECIDED = np.where(P[:, 1] > P[:, 0], 1, 0)
WITH_HOLE = prefixed("p_").assign(label=Y).replace(P[7, 1], np.nan)
ONE_COMMA = np.where(NOISE == NOISE.max(), "1,5", LOGITS[:, 1].astype(str))
MISSPELT = np.where(MARKED, NAMED, "cow")


def refused(name: str, tool: str, write: Write, shown: str) -> Case:
    return Case(name, tool, write, None, shown=shown)


REFUSED = [
    refused("arrays.pkl", "pickle", text("x"), "can run code"),
    Case("table.xlsx", "Excel", excel(WHOLE)),
    refused("arrays.mat", "Matlab", text("x"), "scipy.io.loadmat"),
    refused("arrays.h5", "h5py", text("x"), "numpy.savez"),
    refused(
        "objects.npz",
        "numpy",
        npz(y=Y, logits=LOGITS.astype(object)),
        "holds Python objects",
    ),
    refused("boxes.json", "COCO", json_value([BOX]), "netcal"),
    refused(
        "survival.csv",
        "lifelines",
        columns(time=np.abs(NOISE), event=HIT, risk=TOP),
        "scikit-survival",
    ),
    refused(
        "regression.csv",
        "scikit-learn",
        columns(y_true=NOISE, y_pred=NOISE + 0.1),
        "uncertainty-toolbox",
    ),
    refused(
        "decisions.csv",
        "scikit-learn",
        columns(y_true=IS_DOG, y_pred=DECIDED),
        "decisions, not probabilities",
    ),
    refused(
        "hard.npz",
        "numpy",
        npz(y=Y, probs=np.eye(3)[BEST]),
        "decisions, not probabilities",
    ),
    refused(
        "headless.csv",
        "numpy",
        savetxt(TABLE, **NUMPY),
        "its first line holds the numbers",
    ),
    refused(
        "twice_named.csv",
        "pandas",
        text("label,p_0,p_0\n0,1,0\n"),
        "more than one column is named 'p_0'",
    ),
    refused(
        "cat_a_b.csv", "shell", text(2 * WHOLE.to_csv(index=False)), "row 120 of column"
    ),
    Case(
        "hole.csv",
        "pandas",
        csv(WITH_HOLE),
        (np.delete(Y, 7), np.delete(P, 7, axis=0)),
    ),
    refused(
        "comma_in_one.csv",
        "Excel",
        csv(prefixed("logit_", values=LOGITS).assign(label=NAMED, logit_dog=ONE_COMMA)),
        "is '1,5', expected a number",
    ),
    refused(
        "sigmoids.npz", "PyTorch", npz(y=Y, probs=1 / (1 + np.exp(-LOGITS))), "sums to"
    ),
    refused(
        "typo.csv",
        "pandas",
        csv(prefixed("prob_").assign(label=MISSPELT)),
        "no column is of the label 'cow'",
    ),
    refused(
        "gap.csv",
        "pandas",
        csv(prefixed("p_", [0, 1, 3]).assign(label=Y)),
        "columns are numbered '0', '1', '3'",
    ),
    refused(
        "one_class.csv",
        "pandas",
        columns(label=Y, x=NOISE),
        "none has a name that says the scores",
    ),
    refused("no_scores.npz", "numpy", npz(y=Y), "none has a name that says the scores"),
    refused("empty.csv", "", text(""), "it is empty"),
]
