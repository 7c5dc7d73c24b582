"""Forty files of predictions as people save them, and what reading each should give.

The test of `calib.read` and the table of the chapter on a model of one's own are this list. Each
file holds the same thirty samples of three classes, or what its format has instead.
"""

import gzip
import json
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import calib

_rng = np.random.default_rng(16)
LOGITS = np.round(_rng.normal(scale=2, size=(30, 3)), 3)
Y = (LOGITS + _rng.gumbel(size=LOGITS.shape)).argmax(axis=1)
P = calib.softmax(LOGITS)
NAMES = ["cat", "dog", "hen"]
IMAGES = np.arange(30).reshape(5, 2, 3)  # the samples as parts of five images
YES = (_rng.random((30, 3)) < P).astype(int)
TORCH = Path(__file__).parents[1] / "data" / "saved"


@dataclass(frozen=True)
class Saved:
    """A file as someone saves it.

    Attributes
    ----------
    name : str
        Name of the file; its ending says the format.
    made_by : str
        The library that writes it.
    holds : str
        What is in it, for a reader.
    write : callable
        Takes the path.
    said : dict
        What the reader of the file says: options of `calib.read`.
    refused : str
        A part of the error that it should get, where it should get one.
    """

    name: str
    made_by: str
    holds: str
    write: Callable[[Path], object]
    said: dict = field(default_factory=dict)
    refused: str = ""


def _npz(**arrays):
    return lambda path: np.savez(path, **arrays)


def _frame(names=NAMES, values=P, **more):
    import pandas as pd

    return pd.DataFrame(dict(zip(names, values.T, strict=True)) | more)


def _named():
    return _frame(label=np.array(NAMES)[Y], picture=[f"{i}.png" for i in range(30)])


def _csv(frame, **options):
    return lambda path: frame().to_csv(path, **({"index": False} | options))


def _text(text):
    return lambda path: path.write_text(text() if callable(text) else text, encoding="utf-8")


def _json_lines(rows):
    return _text(lambda: "\n".join(map(json.dumps, rows())))


def _lists():
    import pandas as pd

    return pd.DataFrame({"logits": LOGITS.tolist(), "label": Y})


def _rankings(keep=3):
    order = np.argsort(-P, axis=1)[:, :keep]
    return [
        [{"label": f"LABEL_{k}", "score": float(p[k])} for k in ranks]
        for p, ranks in zip(P, order, strict=True)
    ]


def _harness(choices=lambda i: 3):
    for i, (z, y) in enumerate(zip(LOGITS, Y, strict=True)):
        likely = z[: choices(i)]
        target = min(int(y), len(likely) - 1)
        yield {
            "doc_id": i,
            "doc": {"question": f"Question {i}?", "subject": ["law", "logic"][i % 2]},
            "target": str(target),
            "arguments": {},
            "resps": [[[str(v), "False"]] for v in likely],
            "filtered_resps": [[str(v), "False"] for v in likely],
            "filter": "none",
            "acc": float(likely.argmax() == target),
        }


def _generated():
    for i in range(30):
        yield {"doc_id": i, "doc": {}, "target": "18", "resps": [["18"]], "filtered_resps": ["18"]}


def _torch(name):
    return lambda path: path.write_bytes((TORCH / name).read_bytes())


def _safetensors(**arrays):
    def write(path):
        from safetensors.numpy import save_file

        save_file(arrays, path)

    return write


def _polars(method):
    def write(path):
        import polars

        getattr(polars.DataFrame(_named().to_dict("list")), method)(path)

    return write


def _digits(path):
    """A classifier of scikit-learn on its iris flowers, its probabilities beside the species."""
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB

    flowers = load_iris(as_frame=True)
    model = GaussianNB().fit(flowers.data[::2], flowers.target_names[flowers.target[::2]])
    names = [f"proba_{name}" for name in model.classes_]
    frame = _frame(names, model.predict_proba(flowers.data[1::2]))
    frame["y_true"] = flowers.target_names[flowers.target[1::2]]
    frame.to_csv(path)


CONFIDENCE = P.max(axis=1).round(3)
RIGHT = P.argmax(axis=1) == Y

SAVED = [
    Saved("plain.npz", "numpy", "`y`, `logits`", _npz(y=Y, logits=LOGITS)),
    Saved("true.npz", "numpy", "`y_true`, `y_prob`", _npz(y_true=Y, y_prob=P)),
    Saved("truth.npz", "numpy", "`ground_truth`, `predictions`", _npz(ground_truth=Y, predictions=P)),
    Saved("onehot.npz", "numpy", "`targets` one-hot, `probs`", _npz(targets=np.eye(3)[Y], probs=P)),
    Saved("names.npz", "numpy", "`y` as names, `classes`", _npz(y=np.array(NAMES)[Y], p=P, classes=NAMES)),
    Saved("half.npz", "numpy", "float16", _npz(y=Y, logits=LOGITS.astype(np.float16))),
    Saved("two.npz", "numpy", "test and validation", _npz(test_y=Y, test_logits=LOGITS, val_y=Y, val_logits=LOGITS)),
    Saved("binary.npz", "numpy", "one column of scores", _npz(y=Y == 1, y_score=P[:, 1])),
    Saved("margin.npz", "numpy", "(n, 1) logits, labels −1 and 1", _npz(y=2 * (Y == 1) - 1, logits=LOGITS[:, 1:2])),
    Saved("multilabel.npz", "numpy", "labels (n, K) of 0 and 1", _npz(y=YES, p=P)),
    Saved("pixels.npz", "numpy", "logits (n, K, h, w), 255 ignored", _npz(
        y=np.where(IMAGES == 7, 255, Y[IMAGES]), logits=np.moveaxis(LOGITS[IMAGES], -1, 1)
    ), {"ignore_index": 255, "class_axis": 1}),
    Saved("one.npz", "numpy", "labels 1 to K", _npz(y=Y + 1, logits=LOGITS), {"labels_from": 1}),
    Saved("unsaid.npz", "numpy", "labels 1 to K, not said", _npz(y=Y + 1, logits=LOGITS), refused="--labels-from 1"),
    Saved("both.npz", "numpy", "`y` and `labels`", _npz(y=Y, labels=Y, logits=LOGITS), refused="--y NAME"),
    Saved("heads.npz", "numpy", "`logits` and `probs`", _npz(y=Y, logits=LOGITS, probs=P), {"scores": "probs"}),
    Saved("percent.npz", "numpy", "percentages", _npz(y=Y, scores=100 * P), refused="divide them by"),
    Saved("objects.npz", "numpy", "Python objects", _npz(y=Y, logits=LOGITS.astype(object)), refused="objects"),
    Saved("array.npy", "numpy", "probabilities alone", lambda path: np.save(path, P), refused="--labels FILE"),
    Saved("table.csv", "pandas", "index, class names, text", _csv(_named, index=True)),
    Saved("table.tsv", "pandas", "tabs", _csv(_named, sep="\t")),
    Saved("TABLE.CSV", "pandas", "semicolons", _csv(_named, sep=";")),
    Saved("table.csv.gz", "pandas", "gzipped", _csv(_named, compression="gzip")),
    Saved("numbers.csv", "pandas", "logit_0 … logit_2, target, id", _csv(
        lambda: _frame([f"logit_{k}" for k in range(3)], LOGITS, target=Y, id=range(30))
    )),
    Saved("predicted.csv", "pandas", "a column of predicted classes", _csv(
        lambda: _frame(y=Y, y_pred=P.argmax(axis=1))
    ), refused="--ignore y_pred"),
    Saved("confidence.csv", "pandas", "confidence, correct", _csv(
        lambda: _frame(["confidence"], CONFIDENCE[:, None], correct=RIGHT)
    )),
    Saved("top1.csv", "pandas", "label, prediction, confidence", _csv(lambda: _frame(
        ["confidence"], CONFIDENCE[:, None], true_label=Y, pred_label=P.argmax(axis=1)
    ))),
    Saved("digits.csv", "scikit-learn", "proba_NAME columns", _digits),
    Saved("table.parquet", "pyarrow", "a column a class", lambda path: _named().to_parquet(path)),
    Saved("lists.parquet", "pyarrow", "a column of lists", lambda path: _lists().to_parquet(path)),
    Saved("table.feather", "pyarrow", "a column a class", lambda path: _named().to_feather(path)),
    Saved("polars.parquet", "polars", "a column a class", _polars("write_parquet")),
    Saved("lists.jsonl", "pandas", "an object a line", lambda path: _lists().to_json(
        path, orient="records", lines=True
    )),
    Saved("lines.jsonl.gz", "json", "gzipped lines", lambda path: path.write_bytes(gzip.compress(
        "\n".join(json.dumps({"y": int(y), "p": p.tolist()}) for y, p in zip(Y, P, strict=True)).encode()
    ))),
    Saved("pipeline.json", "transformers", "lists of {label, score}, references", _text(
        lambda: json.dumps({"predictions": _rankings(), "references": Y.tolist()})
    )),
    Saved("top2.json", "transformers", "the two best of each", _text(
        lambda: json.dumps({"predictions": _rankings(2), "references": Y.tolist()})
    ), refused="top_k=None"),
    Saved("samples_mmlu.jsonl", "lm-evaluation-harness", "log of samples", _json_lines(_harness), {
        "groups": "doc.subject"
    }),
    Saved("samples_uneven.jsonl", "lm-evaluation-harness", "two or three choices", _json_lines(
        lambda: _harness(lambda i: 2 + i % 2)
    )),
    Saved("samples_gsm8k.jsonl", "lm-evaluation-harness", "generated answers", _json_lines(
        _generated
    ), refused="'confidence' and 'correct'"),
    Saved("dict.pt", "torch", "a dict of tensors", _torch("dict.pt")),
    Saved("pair.pth", "torch", "a pair of tensors", _torch("pair.pth")),
    Saved("bfloat16.pt", "torch", "bfloat16", _torch("bfloat16.pt")),
    Saved("gradient.pt", "torch", "a tensor with its gradient", _torch("gradient.pt")),
    Saved("strided.pt", "torch", "a transposed tensor", _torch("strided.pt")),
    Saved("model.pt", "torch", "a whole model", _torch("model.pt"), refused="of tensors alone"),
    Saved("tensors.safetensors", "safetensors", "`labels`, `logits`", _safetensors(labels=Y, logits=LOGITS)),
    Saved("arrays.pkl", "pickle", "anything", lambda path: path.write_bytes(pickle.dumps(Y)), refused="can run code"),
]  # fmt: skip


def outcome(saved, folder):
    """Write a file into a folder and read it.

    Returns
    -------
    outputs : ModelOutputs or None
    error : str
        Of what was refused.
    """
    path = Path(folder) / saved.name
    saved.write(path)
    try:
        return calib.read(path, **saved.said), ""
    except ValueError as error:
        return None, str(error).removeprefix(f"{path}: ").replace(str(folder), "")
