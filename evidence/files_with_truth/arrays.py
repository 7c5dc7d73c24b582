"""Files of arrays, as numpy, Keras, transformers and others save them."""

import numpy as np

import calib
from evidence.files_with_truth.case import Case
from evidence.files_with_truth.samples import (
    BEST,
    BINARY,
    IMAGES,
    LOGITS,
    NAMED,
    NAMES,
    NOISE,
    OF_MARKED,
    P_DOG,
    QUESTIONS,
    UNMARKED,
    YES,
    N,
    P,
    Y,
)  # fmt: skip
from evidence.files_with_truth.writers import beside, bfloat16, npy, npz, safetensors

ONE_HOT = np.eye(3)[Y]
IS_TEST = np.arange(N) < 60
TEST = Y[IS_TEST], P[IS_TEST]
SETS = {"y": Y, "logits": LOGITS}
HALVES = {
    f"{part}_{name}": values[where]
    for part, where in (("test", IS_TEST), ("val", ~IS_TEST))
    for name, values in SETS.items()
}
AFTER_NAMES = {
    f"{name}_{part}": values[where]
    for part, where in (("test", IS_TEST), ("val", ~IS_TEST))
    for name, values in SETS.items()
}
TWICE = {
    f"{part}_{name}": values
    for part in ("test", "val")
    for name, values in SETS.items()
}
MARGIN = calib.softmax(LOGITS[:, 1:2] * [-0.5, 0.5])
LATE = Y + 1 + (Y == 2)  # classes 1, 2 and 4 of five, of which 0 and 3 never occur
FIVE = np.full((N, 5), -9.0)
FIVE[:, [1, 2, 4]] = LOGITS
OF_LATE = LATE, calib.softmax(FIVE)
NO_ZERO = np.where(Y == 0, 1, Y)
SLOPES = NOISE[:, None] * [1, 2, 3]
HIDDEN = np.eye(3)[Y % 2]  # questions that nobody answered
OF_SHOWN = YES[HIDDEN == 0], None
IMAGES_OF_LOGITS = np.moveaxis(LOGITS[IMAGES], -1, 1)
VOID = np.where(IMAGES % 10 == 0, 255, Y[IMAGES])
SEQUENCES = UNMARKED.reshape(20, 6), LOGITS.reshape(20, 6, 3)
OFF = P * np.where(NOISE > 0, 1.03, 0.98)[:, None]

ARRAYS = [
    Case("plain.npz", "numpy", npz(y=Y, logits=LOGITS)),
    Case("true.npz", "numpy", npz(y_true=Y, y_prob=P)),
    Case("onehot.npz", "numpy", npz(targets=ONE_HOT, probs=P)),
    Case("names.npz", "numpy", npz(y=NAMED, p=P, classes=NAMES)),
    Case("half.npz", "numpy", npz(y=Y, logits=LOGITS.astype("f2")), atol=0.01),
    Case("sets.npz", "numpy", npz(**HALVES), TEST),
    Case("suffix.npz", "numpy", npz(**AFTER_NAMES), TEST),
    Case("val.npz", "numpy", npz(val_labels=Y, val_logits=LOGITS)),
    Case("score.npz", "numpy", npz(y=Y == 1, y_score=P_DOG), BINARY),
    Case(
        "margin.npz",
        "numpy",
        npz(y=2 * (Y == 1) - 1, logits=LOGITS[:, 1:2]),
        (BINARY[0], MARGIN),
    ),
    Case("multilabel.npz", "numpy", npz(y=YES, p=P), QUESTIONS),
    Case("float_labels.npz", "numpy", npz(targets=Y.astype(float), outputs=LOGITS)),
    Case("column.npz", "numpy", npz(label_ids=Y[:, None], predictions=LOGITS)),
    Case(
        "features.npz",
        "numpy",
        npz(y=Y, logits=LOGITS, features=np.ones((N, 7)), epoch=3),
    ),
    Case("predicted.npz", "numpy", npz(y_true=Y, y_pred=BEST, y_prob=P)),
    Case(
        "keras.npz",
        "Keras",
        npz(y_true=ONE_HOT.astype("f4"), y_pred=P.astype("f4")),
        atol=1e-5,
    ),
    Case("logp.npz", "numpy", npz(y=Y, log_probs=np.log(P))),
    Case(
        "nchw.npz",
        "segmentation",
        npz(masks=Y[IMAGES], logits=IMAGES_OF_LOGITS),
        None,
        shown="none has a name that says the labels",
    ),
    Case("nhwc.npz", "segmentation", npz(labels=Y[IMAGES], probs=P[IMAGES])),
    Case("void.npz", "segmentation", npz(y=VOID, probs=P[IMAGES]), OF_MARKED),
    Case(
        "tokens.npz",
        "transformers",
        npz(label_ids=SEQUENCES[0], predictions=SEQUENCES[1]),
        OF_MARKED,
    ),
    Case("from_one.npz", "numpy", npz(y=Y + 1, logits=LOGITS)),
    Case("two_labels.npz", "numpy", npz(y=Y, labels=Y, logits=LOGITS)),
    Case("heads.npz", "numpy", npz(y=Y, logits=LOGITS, probs=P)),
    Case("percent.npz", "numpy", npz(y=Y, scores=100 * P)),
    Case(
        "uint8.npz",
        "numpy",
        npz(y=Y, scores=(255 * P).round().astype("u1")),
        atol=0.005,
    ),
    Case("unknown.npz", "numpy", npz(y=Y, resnet=LOGITS)),
    Case("text.npz", "numpy", npz(y=NAMED, probs=P)),
    Case("masked.npz", "transformers", npz(labels=UNMARKED, logits=LOGITS), OF_MARKED),
    Case("same_set.npz", "numpy", npz(**TWICE)),
    Case("late.npz", "numpy", npz(y=LATE, logits=FIVE), OF_LATE),
    Case("late_from_one.npz", "numpy", npz(y=LATE + 1, logits=FIVE), OF_LATE),
    Case(
        "no_zero.npz",
        "numpy",
        npz(y=NO_ZERO, logits=SLOPES),
        (NO_ZERO, calib.softmax(SLOPES)),
        after={"labels_from": 0},
        shown="--labels-from 0",
    ),
    Case("misnamed.npz", "numpy", npz(y=Y, logits=P)),
    Case(
        "unit.npz",
        "numpy",
        npz(y=Y, scores=P / 2),
        (Y, calib.softmax(P / 2)),
        after={"scores": "scores", "kind": "logits"},
        shown="--scores NAME",
    ),
    Case("coarse.npz", "numpy", npz(y=Y, probs=OFF)),
    Case("minus.npz", "CheXpert", npz(y=np.where(HIDDEN, -1, YES), p=P), OF_SHOWN),
    Case("empty.npz", "CheXpert", npz(y=np.where(HIDDEN, np.nan, YES), p=P), OF_SHOWN),
    Case(
        "array.npy",
        "transformers",
        beside(npy(P), "y.npy", npy(Y)),
        after={"labels": "y.npy"},
        shown="--labels FILE",
    ),
    Case("tensors.safetensors", "safetensors", safetensors(labels=Y, logits=LOGITS)),
    Case("bf16.safetensors", "safetensors", bfloat16(Y, P), None, shown="bfloat16"),
]
