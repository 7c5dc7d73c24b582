"""Files of predictions as tools and people write them, with what reading each should give.

All hold the same 120 samples of three classes, or what their format has instead.
`python -m evidence.studies files` writes what comes of each to data/results/files.csv.
"""

import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import calib
import calib_report

_rng = np.random.default_rng(16)
N = 120
LOGITS = np.round(_rng.normal(scale=2.5, size=(N, 3)), 3)
Y = (LOGITS + _rng.gumbel(size=LOGITS.shape)).argmax(axis=1)
P = calib.softmax(LOGITS)
NAMES = ["cat", "dog", "hen"]
NAMED = np.array(NAMES)[Y]
TOPS = np.array(NAMES)[P.argmax(axis=1)]
IMAGES = np.arange(N).reshape(5, 4, 6)
YES = (_rng.random((N, 3)) < P).astype(int)
TOP, HIT = P.max(axis=1).round(3), (P.argmax(axis=1) == Y).astype(int)
TWO, YES_NO = P[:, 1], np.where(Y == 1, "yes", "no")
OTHER = np.round(_rng.normal(size=N), 3)
# two classes, two digits
HALF = np.round(P[:, :2] / P[:, :2].sum(axis=1, keepdims=True), 2)
MIXED = _rng.permutation(N)

CLASSES = Y, P
BINARY = (Y == 1).astype(int), np.column_stack([1 - TWO, TWO])
MARGIN = (
    BINARY[0],
    calib.softmax(np.column_stack([-LOGITS[:, 1] / 2, LOGITS[:, 1] / 2])),
)
STATED = HIT, np.column_stack([1 - TOP, TOP])
QUESTIONS = YES.ravel(), np.column_stack([1 - P.ravel(), P.ravel()])


@dataclass(frozen=True)
class Case:
    """A file, by whom it is written, and its outcome.

    Attributes
    ----------
    write : callable
        Takes the path of the file.
    truth : tuple or None
        Labels and probabilities; None where the file is to be refused.
    option : dict
        What the user types after a first refusal; a path stands under `labels`.
    shown : str
        A part of the error at the first try.
    """

    name: str
    tool: str
    write: Callable[[Path], object]
    truth: tuple[Any, Any] | None = CLASSES
    option: dict[str, Any] = field(default_factory=dict)
    shown: str = ""
    atol: float = 1e-6
    said: dict[str, Any] = field(default_factory=dict)  # from the first try on


def npz(**arrays: Any) -> Any:
    return lambda path: np.savez(path, **arrays)


def frame(names: Any = NAMES, values: Any = P, **more: Any) -> Any:
    return pd.DataFrame(dict(zip(names, np.asarray(values).T, strict=True)) | more)


def csv(table: Any, **options: Any) -> Any:
    return lambda path: table.to_csv(path, **({"index": False} | options))


def to_json(table: Any, **options: Any) -> Any:
    return lambda path: table.to_json(path, **options)


def text(content: Any, encoding: Any = "utf-8") -> Any:
    return lambda path: path.write_bytes(content.encode(encoding))


def lines(rows: Any) -> Any:
    content = "\n".join(map(json.dumps, rows))
    return lambda path: path.write_text(content)


def prefixed(start: Any, names: Any = NAMES, values: Any = P) -> Any:
    return frame([f"{start}{name}" for name in names], values)


def beside(write: Any, name: Any, other: Any) -> Any:
    """Write a second file too."""

    def both(path: Any) -> Any:
        write(path)
        other(path.parent / name)

    return both


def rankings(keep: Any = 3) -> Any:
    order = np.argsort(-P, axis=1)[:, :keep]
    return [
        [{"label": f"LABEL_{k}", "score": float(p[k])} for k in ranks]
        for p, ranks in zip(P, order, strict=True)
    ]


def harness(change: Any = lambda row, i: None, choices: Any = lambda i: 3) -> Any:
    """Rows of lm-evaluation-harness' log of samples, as its version 0.4 writes them."""
    for i, (z, y) in enumerate(zip(LOGITS, Y, strict=True)):
        likely = z[: choices(i)]
        target = min(int(y), len(likely) - 1)
        row = {
            "doc_id": i,
            "doc": {"question": f"Question {i}?", "subject": ["law", "logic"][i % 2]},
            "target": str(target),
            "arguments": {
                f"gen_args_{k}": {"arg_0": f"Question {i}?", "arg_1": f" {NAMES[k]}"}
                for k in range(len(likely))
            },
            "resps": [[[str(v), "False"]] for v in likely],
            "filtered_resps": [[str(v), "False"] for v in likely],
            "filter": "none",
            "acc": float(likely.argmax() == target),
        }
        change(row, i)
        yield row


def winogrande(row: Any, i: Any) -> Any:
    row["doc"] = {"sentence": "A _ b", "option1": "x", "answer": str(Y[i] + 1)}
    for k, arguments in enumerate(row["arguments"].values()):
        arguments |= {"arg_0": f"A {k}", "arg_1": " was strong."}
    row["target"] = "was strong."


def decisions(probs: Any, **more: Any) -> Any:
    """Rows of a decision service's log; each of `more` takes the number of a row."""
    for i, p in enumerate(probs):
        yield {"id": f"d{i}", "probs": p} | {
            name: give(i) for name, give in more.items()
        }


def gold(i: Any) -> Any:
    return NAMES[Y[i]]


def mapping(p: Any = P, digits: Any = 6) -> Any:
    scale = 10**digits
    whole = np.round(p * scale)
    whole[np.arange(N), p.argmax(axis=1)] += scale - whole.sum(axis=1)
    return [dict(zip(NAMES, (row / scale).tolist(), strict=True)) for row in whole]


def savetxt(**options: Any) -> Any:
    def write(path: Any) -> Any:
        np.savetxt(
            path, np.column_stack([Y, P]), fmt=["%d", "%.9f", "%.9f", "%.9f"], **options
        )

    return write


def safetensors(**arrays: Any) -> Any:
    def write(path: Any) -> Any:
        from safetensors.numpy import save_file

        save_file(arrays, path)

    return write


def bfloat16(path: Any) -> Any:
    header = {"probs": {"dtype": "BF16", "shape": [N, 3], "data_offsets": [0, 6 * N]}}
    header["y"] = {"dtype": "I64", "shape": [N], "data_offsets": [6 * N, 14 * N]}
    halves = ((P.astype("<f4").view("<u4") + 0x8000) >> 16).astype("<u2")
    head = json.dumps(header).encode()
    content = head + halves.tobytes() + Y.astype("<i8").tobytes()
    path.write_bytes(len(head).to_bytes(8, "little") + content)


def two_files(main: Any, truth: Any, name: Any = "truth.csv") -> Any:
    return beside(csv(main), name, csv(truth))


def spark(write: Any, ending: Any) -> Any:
    """Write a folder of part files."""

    def parts(path: Any) -> Any:
        path.mkdir(exist_ok=True)
        for number, rows in enumerate((slice(0, 50), slice(50, N))):
            write(path / f"part-{number:05d}-c000.{ending}", rows)
        (path / "_SUCCESS").write_text("")

    return parts


def with_text(write: Any) -> Any:
    """Add a member to an archive that is no array."""

    def both(path: Any) -> Any:
        write(path)
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("readme.txt", "of June")

    return both


def batch() -> Any:
    """Rows of a batch of OpenAI's, whose answer is one token."""
    for i, (p, answer) in enumerate(zip(TOP, TOPS, strict=True)):
        token = {"token": answer, "logprob": float(np.log(p)), "top_logprobs": []}
        choice = {"message": {"content": answer}, "logprobs": {"content": [token]}}
        yield {"custom_id": IDS[i], "response": {"body": {"choices": [choice]}}}


IDS, PATHS = [f"s{i}" for i in range(N)], [f"{i}.jpg" for i in range(N)]
WHOLE = frame(label=NAMED, picture=[f"{i}.png" for i in range(N)])
TRUTH = pd.DataFrame({"id": IDS, "label": NAMED}).iloc[MIXED]
SMALL = np.where(np.arange(N) == 7, "NA", LOGITS[:, 0].astype(str))
LISTS = pd.DataFrame({"logits": LOGITS.tolist(), "label": Y})
MASK = np.where(np.arange(N) % 10 == 0, -100, Y)
KEPT = np.arange(N) % 10 != 0
REST = Y[KEPT], P[KEPT]
LATE = Y + 1 + (Y == 2)  # classes 1, 2 and 4 of five, of which 0 and 3 never occur
FIVE = np.column_stack(
    [np.full(N, -9.0), LOGITS[:, 0], LOGITS[:, 1], np.full(N, -9.0), LOGITS[:, 2]]
)
HARD = np.eye(3)[P.argmax(axis=1)]
FIRST = np.where(P[:, 1] > P[:, 0], 1, 0)
PAIR = HALF[:, 1], np.where(_rng.random(N) < HALF[:, 1], 1, 0)
TENTHS = np.round(P, 2)
PARTS = (100 * P).round()

CASES = [
    # ---- arrays
    Case("plain.npz", "numpy", npz(y=Y, logits=LOGITS)),
    Case("true.npz", "numpy", npz(y_true=Y, y_prob=P)),
    Case("onehot.npz", "numpy", npz(targets=np.eye(3)[Y], probs=P)),
    Case("names.npz", "numpy", npz(y=NAMED, p=P, classes=NAMES)),
    Case("half.npz", "numpy", npz(y=Y, logits=LOGITS.astype(np.float16)), atol=0.01),
    Case(
        "sets.npz",
        "numpy",
        npz(
            test_y=Y[:60], test_logits=LOGITS[:60], val_y=Y[60:], val_logits=LOGITS[60:]
        ),
        (Y[:60], P[:60]),
    ),
    Case(
        "suffix.npz",
        "numpy",
        npz(
            y_test=Y[:60], logits_test=LOGITS[:60], y_val=Y[60:], logits_val=LOGITS[60:]
        ),
        (Y[:60], P[:60]),
    ),
    Case("val.npz", "numpy", npz(val_labels=Y, val_logits=LOGITS)),
    Case("score.npz", "numpy", npz(y=Y == 1, y_score=TWO), BINARY),
    Case("margin.npz", "numpy", npz(y=2 * (Y == 1) - 1, logits=LOGITS[:, 1:2]), MARGIN),
    Case("multilabel.npz", "numpy", npz(y=YES, p=P), QUESTIONS),
    Case("float_labels.npz", "numpy", npz(targets=Y.astype(float), outputs=LOGITS)),
    Case("column.npz", "numpy", npz(label_ids=Y[:, None], predictions=LOGITS)),
    Case(
        "features.npz",
        "numpy",
        npz(y=Y, logits=LOGITS, features=np.ones((N, 7)), epoch=3),
    ),
    Case("predicted.npz", "numpy", npz(y_true=Y, y_pred=P.argmax(axis=1), y_prob=P)),
    Case(
        "keras.npz",
        "Keras",
        npz(y_true=np.eye(3, dtype="f4")[Y], y_pred=P.astype("f4")),
        atol=1e-5,
    ),
    Case("logp.npz", "numpy", npz(y=Y, log_probs=np.log(P))),
    Case(
        "nchw.npz",
        "segmentation",
        npz(masks=Y[IMAGES], logits=np.moveaxis(LOGITS[IMAGES], -1, 1)),
        None,
        shown="none has a name that says the labels",
    ),
    Case("nhwc.npz", "segmentation", npz(labels=Y[IMAGES], probs=P[IMAGES])),
    Case(
        "void.npz",
        "segmentation",
        npz(y=np.where(IMAGES % 10 == 0, 255, Y[IMAGES]), probs=P[IMAGES]),
        REST,
    ),
    Case(
        "tokens.npz",
        "transformers",
        npz(label_ids=MASK.reshape(20, 6), predictions=LOGITS.reshape(20, 6, 3)),
        REST,
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
    Case("masked.npz", "transformers", npz(labels=MASK, logits=LOGITS), REST),
    Case(
        "same_set.npz",
        "numpy",
        npz(test_y=Y, test_logits=LOGITS, val_y=Y, val_logits=LOGITS),
    ),
    Case("late.npz", "numpy", npz(y=LATE, logits=FIVE), (LATE, calib.softmax(FIVE))),
    Case(
        "late_from_one.npz",
        "numpy",
        npz(y=LATE + 1, logits=FIVE),
        (LATE, calib.softmax(FIVE)),
    ),
    Case(
        "no_zero.npz",
        "numpy",
        npz(y=np.where(Y == 0, 1, Y), logits=OTHER[:, None] * [1, 2, 3]),
        (np.where(Y == 0, 1, Y), calib.softmax(OTHER[:, None] * [1, 2, 3])),
        {"labels_from": 0},
        "--labels-from 0",
    ),
    Case("misnamed.npz", "numpy", npz(y=Y, logits=P)),
    Case(
        "unit.npz",
        "numpy",
        npz(y=Y, scores=P / 2),
        (Y, calib.softmax(P / 2)),
        {"scores": "scores", "kind": "logits"},
        "--scores NAME",
    ),
    Case(
        "coarse.npz",
        "numpy",
        npz(y=Y, probs=P * np.where(OTHER > 0, 1.03, 0.98)[:, None]),
    ),
    Case(
        "minus.npz",
        "CheXpert",
        npz(y=np.where(np.eye(3)[Y % 2], -1, YES), p=P),
        (YES[np.eye(3)[Y % 2] == 0], None),
    ),
    Case(
        "empty.npz",
        "CheXpert",
        npz(y=np.where(np.eye(3)[Y % 2], np.nan, YES), p=P),
        (YES[np.eye(3)[Y % 2] == 0], None),
    ),
    Case(
        "array.npy",
        "transformers",
        beside(lambda path: np.save(path, P), "y.npy", lambda path: np.save(path, Y)),
        option={"labels": "y.npy"},
        shown="--labels FILE",
    ),
    Case("tensors.safetensors", "safetensors", safetensors(labels=Y, logits=LOGITS)),
    Case("bf16.safetensors", "safetensors", bfloat16, None, shown="bfloat16"),
    # ---- tables of scikit-learn, pandas, R and others
    Case("index.csv", "pandas", csv(WHOLE, index=True)),
    Case("table.tsv", "pandas", csv(WHOLE, sep="\t")),
    Case("TABLE.CSV", "pandas", csv(WHOLE, sep=";")),
    Case("comma.csv", "Excel", csv(WHOLE, sep=";", decimal=",")),
    Case(
        "latin.csv",
        "Excel",
        csv(
            WHOLE.replace("hen", "h\u00e9n").rename(columns={"hen": "h\u00e9n"}),
            encoding="latin-1",
        ),
    ),
    Case("utf16.csv", "Excel", csv(WHOLE, encoding="utf-16")),
    Case("bom.csv", "Excel", csv(WHOLE, encoding="utf-8-sig", lineterminator="\r\n")),
    Case("comments.csv", "R", text("# model 3\n# June\n" + WHOLE.to_csv(index=False))),
    Case("quoted.csv", "R", csv(WHOLE, quoting=2)),
    Case(
        "heading.csv", "Excel", csv(WHOLE.rename(columns={"picture": "picture\nof it"}))
    ),
    *(
        Case(f"table.csv.{ending}", "pandas", csv(WHOLE, compression=how))
        for ending, how in (
            ("gz", "gzip"),
            ("bz2", "bz2"),
            ("xz", "xz"),
            ("zip", "zip"),
        )
    ),
    Case(
        "savetxt.csv",
        "numpy",
        savetxt(delimiter=",", header="label,p_0,p_1,p_2", comments=""),
    ),
    Case("comment.csv", "numpy", savetxt(delimiter=",", header="label,p_0,p_1,p_2")),
    Case(
        "numbers.csv",
        "PyTorch",
        csv(prefixed("logit_", range(3), LOGITS).assign(target=Y, id=range(N))),
    ),
    Case(
        "from_one.csv",
        "R",
        csv(prefixed("logit_", [1, 2, 3], LOGITS).assign(label=Y + 1)),
    ),
    Case("prob.csv", "pandas", csv(prefixed("prob_").assign(label=NAMED))),
    Case("proba.csv", "scikit-learn", csv(prefixed("proba_").assign(y_true=NAMED))),
    Case("bare.csv", "scikit-learn", csv(frame([0, 1, 2]).assign(label=Y))),
    Case("model.csv", "pandas", csv(prefixed("resnet_prob_").assign(label=NAMED))),
    Case(
        "tidymodels.csv",
        "tidymodels",
        csv(prefixed(".pred_").assign(**{".pred_class": TOPS, "truth": NAMED})),
    ),
    Case(
        "h2o.csv",
        "h2o",
        csv(prefixed("p", range(3)).assign(predict=P.argmax(axis=1), label=Y)),
    ),
    Case(
        "knime.csv",
        "KNIME",
        csv(frame([f"P (label={n})" for n in NAMES]).assign(label=NAMED)),
    ),
    Case(
        "rapidminer.csv",
        "RapidMiner",
        csv(
            frame([f"confidence({n})" for n in NAMES]).assign(
                **{"label": NAMED, "prediction(label)": TOPS}
            )
        ),
    ),
    Case(
        "azure.csv",
        "Azure",
        csv(
            frame([f'Scored Probabilities for Class "{n}"' for n in NAMES]).assign(
                Label=NAMED
            )
        ),
    ),
    Case(
        "caret.csv", "caret", csv(frame(obs=NAMED, mtry=3, Resample="Fold1", pred=TOPS))
    ),
    Case("kaggle.csv", "Kaggle", csv(prefixed("Status_").assign(id=IDS, Status=NAMED))),
    Case(
        "shuffled.csv",
        "scikit-learn",
        csv(WHOLE[["picture", "hen", "cat", "label", "dog"]]),
        (np.array([1, 2, 0])[Y], P[:, [2, 0, 1]]),
    ),
    *(
        Case(f"{name}.csv", "scikit-learn", csv(frame(label=NAMED, **{name: values})))
        for name, values in {
            "entropy": -(P * np.log(P)).sum(axis=1),
            "loss": -np.log(P[np.arange(N), Y]),
            "fold": np.arange(N) % 5,
            "age": 30 + np.abs(OTHER),
            "sample_weight": np.abs(OTHER),
            "brightness": OTHER,
            "confidence": TOP,
            "score": TOP,
        }.items()
    ),
    Case(
        "logprob.csv",
        "OpenAI",
        csv(prefixed("logprob_", values=np.log(P)).assign(time=-3.5, target=NAMED)),
    ),
    Case("max.csv", "pandas", csv(prefixed("prob_").assign(prob_max=TOP, label=NAMED))),
    Case(
        "true_false.csv",
        "pandas",
        csv(pd.DataFrame({"label": Y == 1, "prob": TWO})),
        BINARY,
    ),
    Case(
        "bools.csv",
        "scikit-learn",
        csv(frame(["prob_False", "prob_True"], BINARY[1]).assign(label=Y == 1)),
        BINARY,
    ),
    Case(
        "prob_yes.csv",
        "R",
        csv(pd.DataFrame({"label": YES_NO, "prob_yes": TWO})),
        BINARY,
    ),
    Case(
        "prob_no.csv",
        "R",
        csv(pd.DataFrame({"label": YES_NO, "prob_no": 1 - TWO})),
        (1 - BINARY[0], BINARY[1][:, ::-1]),
    ),
    Case(
        "onehot.csv",
        "pandas",
        csv(prefixed("prob_").join(prefixed("label_", values=np.eye(3, dtype=int)[Y]))),
    ),
    Case(
        "tags.csv",
        "pandas",
        csv(prefixed("prob_").join(prefixed("label_", values=YES))),
        QUESTIONS,
    ),
    Case(
        "confidence_right.csv",
        "LLM",
        csv(pd.DataFrame({"confidence": TOP, "correct": HIT == 1})),
        STATED,
    ),
    Case(
        "verdict.csv",
        "LLM",
        csv(
            pd.DataFrame({"confidence": TOP, "is_correct": np.where(HIT, "yes", "no")})
        ),
        STATED,
    ),
    Case(
        "top1.csv",
        "LLM",
        csv(
            pd.DataFrame(
                {
                    "true_label": NAMED,
                    "pred_label": np.array(NAMES)[P.argmax(axis=1)],
                    "confidence": TOP,
                }
            )
        ),
        STATED,
    ),
    Case(
        "per_cent.csv",
        "LLM",
        csv(
            pd.DataFrame(
                {"confidence": [f"{100 * t:.1f}%" for t in TOP], "correct": HIT}
            )
        ),
        STATED,
    ),
    Case(
        "tenths.csv",
        "LLM",
        csv(
            pd.DataFrame(
                {"confidence": [f"{1000 * t:.0f}/1000" for t in TOP], "correct": HIT}
            )
        ),
        STATED,
    ),
    Case(
        "vectors.csv",
        "pandas",
        csv(pd.DataFrame({"label": Y, "probs": [str(row) for row in P]})),
        atol=1e-5,
    ),
    Case(
        "spark.csv",
        "Spark",
        csv(
            pd.DataFrame(
                {
                    "label": Y,
                    "probability": [str(row.tolist()) for row in P],
                    "prediction": P.argmax(axis=1).astype(float),
                }
            )
        ),
    ),
    Case("percent.csv", "Excel", csv(frame(values=100 * P).assign(label=NAMED))),
    Case(
        "whole_percent.csv",
        "Excel",
        csv(frame(values=PARTS).assign(label=NAMED)),
        (Y, PARTS / PARTS.sum(axis=1, keepdims=True)),
    ),
    Case(
        "one_percent.csv",
        "Excel",
        csv(pd.DataFrame({"label": BINARY[0], "score": 100 * TWO})),
        BINARY,
    ),
    Case("numbered.csv", "scikit-learn", csv(frame(label=Y))),
    Case(
        "loss_of_logits.csv",
        "PyTorch",
        csv(frame(values=LOGITS, label=NAMED, loss=OTHER)),
    ),
    Case(
        "rare.csv",
        "scikit-learn",
        csv(
            frame([*NAMES, "emu"], np.column_stack([0.9 * P, np.full(N, 0.1)])).assign(
                label=NAMED
            )
        ),
        (Y, np.column_stack([0.9 * P, np.full(N, 0.1)])),
    ),
    Case(
        "rare_prob.csv",
        "scikit-learn",
        csv(
            prefixed(
                "prob_", [*NAMES, "emu"], np.column_stack([0.9 * P, np.full(N, 0.1)])
            ).assign(label=NAMED)
        ),
        (Y, np.column_stack([0.9 * P, np.full(N, 0.1)])),
    ),
    Case(
        "rare_logit.csv",
        "PyTorch",
        csv(
            prefixed(
                "logit_", [*NAMES, "emu"], np.column_stack([LOGITS, OTHER])
            ).assign(label=NAMED)
        ),
    ),
    Case(
        "yes_no.csv",
        "R",
        csv(pd.DataFrame({"id": IDS, "label": YES_NO, "score": TWO})),
        BINARY,
    ),
    Case("bare_text.csv", "scikit-learn", csv(frame([0, 1, 2]).assign(label=NAMED))),
    Case(
        "no_label.csv",
        "pandas",
        csv(prefixed("p_").assign(label=np.where(KEPT, NAMED, ""))),
        REST,
    ),
    Case(
        "unstated.csv",
        "LLM",
        csv(pd.DataFrame({"confidence": np.where(KEPT, TOP, np.nan), "correct": HIT})),
        (HIT[KEPT], STATED[1][KEPT]),
    ),
    Case(
        "na.csv",
        "R",
        csv(
            pd.DataFrame(
                {"logit_no": SMALL, "logit_yes": LOGITS[:, 1], "label": YES_NO}
            )
        ),
        (np.delete(BINARY[0], 7), np.delete(calib.softmax(LOGITS[:, :2]), 7, axis=0)),
    ),
    Case(
        "second.csv",
        "scikit-learn",
        csv(
            pd.DataFrame(
                {
                    "label": PAIR[1],
                    "pred": (PAIR[0] >= 0.5).astype(int),
                    "confidence": PAIR[0],
                }
            )
        ),
        (PAIR[1], np.column_stack([1 - PAIR[0], PAIR[0]])),
    ),
    Case(
        "stated.csv",
        "LLM",
        csv(pd.DataFrame({"stated_conf": TOP, "is_correct": HIT})),
        STATED,
    ),
    Case(
        "suffix.csv",
        "pandas",
        csv(frame([f"{n}_p" for n in NAMES]).assign(label=NAMED)),
    ),
    # ---- two files
    Case(
        "joined.csv",
        "Kaggle",
        two_files(frame().assign(id=IDS), TRUTH),
        said={"labels": "truth.csv"},
    ),
    Case(
        "joined_named.csv",
        "Kaggle",
        two_files(frame().assign(case=IDS), TRUTH.rename(columns={"id": "case"})),
        said={"labels": "truth.csv", "ids": "case"},
    ),
    Case(
        "kaggle_two.csv",
        "Kaggle",
        two_files(
            prefixed("Status_").assign(id=IDS),
            TRUTH.rename(columns={"label": "Status"}),
        ),
        said={"labels": "truth.csv"},
    ),
    Case(
        "joined_values.csv",
        "Kaggle",
        two_files(
            prefixed("p_").assign(image=IDS), TRUTH.rename(columns={"id": "filename"})
        ),
        said={"labels": "truth.csv"},
    ),
    Case(
        "joined_numbers.csv",
        "Kaggle",
        two_files(
            prefixed("p_").assign(patient=7 * np.arange(N)),
            pd.DataFrame({"case": 7 * MIXED, "label": Y[MIXED]}),
        ),
        said={"labels": "truth.csv"},
    ),
    Case(
        "inside.csv",
        "pandas",
        csv(
            frame(list("abc"), LOGITS).assign(label=np.array(list("abc"))[Y], data=TOP)
        ),
    ),
    Case(
        "by_position.csv",
        "pandas",
        two_files(prefixed("p_"), pd.DataFrame({"label": Y})),
        said={"labels": "truth.csv"},
    ),
    Case(
        "plain_labels.csv",
        "numpy",
        beside(
            csv(prefixed("p_")), "y.txt", lambda path: np.savetxt(path, Y, fmt="%d")
        ),
        said={"labels": "y.txt"},
    ),
    Case(
        "chexpert.csv",
        "CheXpert",
        two_files(frame(Path=PATHS), frame(NAMES, YES, Path=PATHS).iloc[MIXED]),
        QUESTIONS,
        said={"labels": "truth.csv"},
    ),
    Case(
        "twice.csv",
        "Kaggle",
        two_files(
            prefixed("p_").assign(id=IDS),
            pd.DataFrame({"id": [IDS[0], *IDS[:-1]], "label": Y}),
        ),
        option={"ignore": "id", "scores": "p_"},
        shown="stands twice in 'id'",
        said={"labels": "truth.csv"},
    ),
    Case(
        "missing.csv",
        "Kaggle",
        two_files(prefixed("p_").assign(id=IDS), TRUTH.iloc[1:]),
        (np.delete(Y, MIXED[0]), np.delete(P, MIXED[0], axis=0)),
        said={"labels": "truth.csv"},
    ),
    Case(
        "fewer.csv",
        "pandas",
        two_files(prefixed("p_"), pd.DataFrame({"label": Y[1:]})),
        None,
        shown="119 labels, and 120 rows",
        said={"labels": "truth.csv"},
    ),
    # ---- columnar files and JSON
    Case("table.parquet", "pyarrow", lambda path: WHOLE.to_parquet(path)),
    Case(
        "nullable.parquet",
        "pandas",
        lambda path: WHOLE.convert_dtypes().to_parquet(path),
    ),
    Case(
        "category.parquet",
        "pandas",
        lambda path: WHOLE.astype({"label": "category"}).to_parquet(path),
    ),
    Case("lists.parquet", "datasets", lambda path: LISTS.to_parquet(path)),
    Case(
        "pipeline.parquet",
        "datasets",
        lambda path: pd.DataFrame(
            {"scores": rankings(), "label": [f"LABEL_{k}" for k in Y]}
        ).to_parquet(path),
    ),
    Case("table.feather", "pyarrow", lambda path: WHOLE.to_feather(path)),
    *(
        Case(
            f"{orient}.json",
            "pandas",
            to_json(WHOLE, orient=orient, double_precision=15),
        )
        for orient in ("columns", "index", "split", "records", "table")
    ),
    Case(
        "lists.json",
        "json",
        lambda path: path.write_text(
            json.dumps({"labels": Y.tolist(), "probs": P.tolist(), "epoch": 3})
        ),
    ),
    Case(
        "lists.jsonl",
        "pandas",
        lambda path: LISTS.to_json(path, orient="records", lines=True),
    ),
    Case(
        "pipeline.json",
        "transformers",
        lambda path: path.write_text(
            json.dumps({"predictions": rankings(), "references": Y.tolist()})
        ),
    ),
    Case(
        "pipeline_names.json",
        "transformers",
        lambda path: path.write_text(
            json.dumps(
                [
                    {"scores": row, "label": f"LABEL_{y}"}
                    for row, y in zip(rankings(), Y, strict=True)
                ]
            )
        ),
    ),
    Case(
        "only_pipeline.json",
        "transformers",
        beside(
            lambda path: path.write_text(json.dumps(rankings())),
            "y.npy",
            lambda path: np.save(path, Y),
        ),
        option={"labels": "y.npy", "scores": "scores"},
        shown="--labels FILE",
    ),
    Case(
        "top2.json",
        "transformers",
        lambda path: path.write_text(
            json.dumps({"predictions": rankings(2), "references": Y.tolist()})
        ),
        None,
        shown="expected probabilities that sum to 1",
    ),
    Case(
        "values.json",
        "pandas",
        lambda path: prefixed("p_").to_json(path, orient="values"),
        None,
        shown="rows with names",
    ),
    # ---- evaluation logs of language models
    Case("samples_mmlu.jsonl", "lm-evaluation-harness", lines(harness())),
    Case(
        "samples_anli.jsonl",
        "lm-evaluation-harness",
        lines(harness(lambda row, i: row.update(target=NAMES[Y[i]]))),
    ),
    Case(
        "samples_winogrande.jsonl", "lm-evaluation-harness", lines(harness(winogrande))
    ),
    Case(
        "samples_letters.jsonl",
        "lm-evaluation-harness",
        lines(harness(lambda row, i: row.update(target="ABC"[Y[i]]))),
    ),
    Case(
        "samples_mutual.jsonl",
        "lm-evaluation-harness",
        lines(
            harness(
                lambda row, i: row.update(
                    filtered_resps=2 * row["filtered_resps"], acc_mutual_info=1.0
                )
            )
        ),
    ),
    Case(
        "samples_old.jsonl",
        "lm-evaluation-harness",
        lines(
            harness(
                lambda row, i: row.update(
                    target=NAMES[Y[i]], arguments=[["Q", f" {n}"] for n in NAMES]
                )
            )
        ),
    ),
    Case(
        "samples_uneven.jsonl",
        "lm-evaluation-harness",
        lines(harness(choices=lambda i: 2 + i % 2)),
        (np.where(np.arange(N) % 2, Y, np.minimum(Y, 1)), None),
    ),
    Case(
        "samples_flipped.jsonl",
        "lm-evaluation-harness",
        lines(harness(lambda row, i: row.update(acc=1 - row["acc"]))),
        None,
        shown="does not agree with the log's own acc",
    ),
    Case(
        "samples_truthfulqa.jsonl",
        "lm-evaluation-harness",
        lines(harness(lambda row, i: row.update(acc=0.3))),
        None,
        shown="neither 0 nor 1",
    ),
    Case(
        "samples_gsm8k.jsonl",
        "lm-evaluation-harness",
        lines(harness(lambda row, i: row.update(filtered_resps=["18"]))),
        None,
        shown="'confidence' and 'correct'",
    ),
    # ---- logs of decision services
    Case(
        "keys.jsonl",
        "decisions",
        lines(decisions(P.tolist(), option_keys=lambda i: NAMES, target=gold)),
    ),
    Case(
        "orders.jsonl",
        "decisions",
        lines(
            decisions(
                [p[[2, 0, 1]].tolist() for p in P],
                option_keys=lambda i: ["hen", "cat", "dog"],
                gold=gold,
            )
        ),
        (np.array([1, 2, 0])[Y], P[:, [2, 0, 1]]),
    ),
    Case(
        "turning.jsonl",
        "decisions",
        lines(
            decisions(
                [np.roll(p, i % 3).tolist() for i, p in enumerate(P)],
                option_keys=lambda i: np.roll(NAMES, i % 3).tolist(),
                gold=gold,
            )
        ),
    ),
    *(
        Case(
            f"mapping.{ending}",
            "decisions",
            lines(decisions(mapping(), gold=gold)),
            atol=1e-5,
        )
        for ending in ("jsonl", "jevl", "ndjson")
    ),
    Case(
        "zeros.jsonl",
        "decisions",
        lines(decisions(TENTHS.tolist(), option_keys=lambda i: NAMES, gold=gold)),
        (Y, TENTHS / TENTHS.sum(axis=1, keepdims=True)),
    ),
    Case(
        "nested.jsonl",
        "decisions",
        lines(
            {"run": {"id": i, "gold": gold(i)}, "decision": {"probs": m, "ms": 3.5}}
            for i, m in enumerate(mapping())
        ),
        atol=1e-5,
    ),
    Case(
        "sparse.jsonl",
        "decisions",
        lines(
            decisions(
                [{k: v for k, v in m.items() if v} for m in mapping(digits=2)],
                gold=gold,
            )
        ),
        (Y, None),
    ),
    Case(
        "questions.jsonl",
        "decisions",
        lines(
            decisions(
                [
                    {f"{i}-{n}": float(v) for n, v in zip(NAMES, p, strict=True)}
                    for i, p in enumerate(P)
                ],
                gold=lambda i: f"{i}-{gold(i)}",
            )
        ),
    ),
    Case(
        "uneven.jsonl",
        "decisions",
        lines(
            decisions(
                [
                    {
                        f"{i}-{n}": float(v)
                        for n, v in zip(
                            NAMES[: 2 + i % 2], p / p[: 2 + i % 2].sum(), strict=False
                        )
                    }
                    for i, p in enumerate(P)
                ],
                gold=lambda i: f"{i}-{NAMES[Y[i] if i % 2 else min(Y[i], 1)]}",
            )
        ),
        (np.where(np.arange(N) % 2, Y, np.minimum(Y, 1)), None),
    ),
    # ---- what needs its numbers, its id or its pair told apart
    Case("ground.npz", "PyTorch", npz(gt=Y, pred=P)),
    Case(
        "sas.csv",
        "SAS",
        csv(
            pd.DataFrame(
                {
                    "BAD": BINARY[0],
                    "P_BAD1": TWO,
                    "P_BAD0": 1 - TWO,
                    "I_BAD": (TWO > 0.5).astype(int),
                }
            )
        ),
        BINARY,
    ),
    Case(
        "datarobot.csv",
        "DataRobot",
        csv(
            pd.DataFrame(
                {
                    "bought": BINARY[0],
                    "bought_1_PREDICTION": TWO,
                    "bought_0_PREDICTION": 1 - TWO,
                    "THRESHOLD": 0.5,
                }
            )
        ),
        (1 - BINARY[0], BINARY[1][:, ::-1]),
    ),
    Case(
        "churn.csv",
        "pandas",
        csv(
            pd.DataFrame(
                {"customer_id": IDS, "churn": YES_NO, "churn_probability": TWO}
            )
        ),
        BINARY,
    ),
    Case(
        "azure_two.csv",
        "Azure",
        csv(
            pd.DataFrame(
                {
                    "income": YES_NO,
                    "Scored Labels": np.where(TWO > 0.5, "yes", "no"),
                    "Scored Probabilities": TWO,
                }
            )
        ),
        BINARY,
    ),
    Case(
        "titanic.csv",
        "Kaggle",
        two_files(
            pd.DataFrame({"PassengerId": 9 * np.arange(N), "Survived": TWO}),
            pd.DataFrame({"PassengerId": 9 * MIXED, "Survived": BINARY[0][MIXED]}),
        ),
        BINARY,
        said={"labels": "truth.csv"},
    ),
    Case(
        "stated_percent.csv",
        "LLM",
        csv(pd.DataFrame({"stated_confidence": 100 * TOP, "correct": HIT})),
        STATED,
    ),
    Case(
        "bigquery.jsonl",
        "BigQuery",
        lines(
            {
                "predicted_label_probs": [
                    {"label": n, "prob": v} for n, v in m.items()
                ],
                "label": gold(i),
            }
            for i, m in enumerate(mapping())
        ),
        atol=1e-5,
    ),
    # ---- what Excel, Spark and others make of tables
    Case("sep.csv", "Excel", text("sep=;\n" + WHOLE.to_csv(sep=";", index=False))),
    Case(
        "trailing.csv",
        "Excel",
        text("".join(f"{line},,\n" for line in WHOLE.to_csv(index=False).splitlines())),
    ),
    Case(
        "quoted_comma.csv",
        "Excel",
        csv(
            frame(
                values=[[f"{v:.6f}".replace(".", ",") for v in row] for row in P]
            ).assign(label=NAMED)
        ),
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
        csv(pd.DataFrame({"label": np.where(Y == 1, "WAHR", "FALSCH"), "p_WAHR": TWO})),
        BINARY,
    ),
    Case(
        "missing_class.csv",
        "R",
        csv(
            frame(["p_NA", "p_EU", "p_AS"]).assign(
                label=np.array(["NA", "EU", "AS"])[Y]
            )
        ),
    ),
    Case(
        "zeros_before.csv",
        "pandas",
        csv(
            prefixed("p_", ["01", "1", "2"]).assign(label=np.array(["01", "1", "2"])[Y])
        ),
    ),
    Case(
        "years.csv",
        "pandas",
        csv(prefixed("p_", [2019, 2020, 2021]).assign(label=2019 + Y)),
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
                label=np.array(["caf\u00e9", "dog", "hen"])[Y]
            )
        ),
    ),
    Case(
        "spark",
        "Spark",
        spark(lambda path, rows: WHOLE.iloc[rows].to_csv(path, index=False), "csv"),
    ),
    Case(
        "spark_parquet",
        "Spark",
        spark(lambda path, rows: WHOLE.iloc[rows].to_parquet(path), "parquet"),
    ),
    Case(
        "series.npy",
        "pandas",
        beside(
            lambda path: np.save(path, P),
            "y.csv",
            lambda path: pd.Series(Y).to_csv(path),
        ),
        said={"labels": "y.csv"},
    ),
    Case(
        "savetxt.npy",
        "numpy",
        beside(
            lambda path: np.save(path, P), "y.txt", lambda path: np.savetxt(path, Y)
        ),
        said={"labels": "y.txt"},
    ),
    Case("classes_.npz", "scikit-learn", npz(y=NAMED, proba=P, classes_=NAMES)),
    Case("first_axis.npz", "numpy", npz(y=Y, logits=LOGITS.T)),
    Case(
        "nchw_labels.npz",
        "segmentation",
        npz(y=Y[IMAGES], logits=np.moveaxis(LOGITS[IMAGES], -1, 1)),
    ),
    Case("readme.npz", "numpy", with_text(npz(y=Y, logits=LOGITS))),
    Case(
        "zero_shot.jsonl",
        "transformers",
        lines(
            {
                "sequence": "a",
                "labels": [NAMES[k] for k in np.argsort(-p)],
                "scores": sorted(p.tolist(), reverse=True),
                "gold": n,
            }
            for p, n in zip(P, NAMED, strict=True)
        ),
    ),
    Case(
        "batch.jsonl",
        "OpenAI",
        beside(
            lines(batch()), "truth.csv", csv(pd.DataFrame({"id": IDS, "label": NAMED}))
        ),
        STATED,
        {"scores": "confidence", "predicted": "predicted"},
        "--scores NAME",
        1e-5,
        {"labels": "truth.csv"},
    ),
    Case(
        "inspect.json",
        "Inspect",
        lambda path: path.write_text(
            json.dumps(
                {
                    "eval": {},
                    "samples": [
                        {
                            "id": i,
                            "target": n,
                            "output": {},
                            "scores": {
                                "match": {
                                    "value": "CI"[1 - h],
                                    "answer": t,
                                    "metadata": {"confidence": float(c)},
                                }
                            },
                        }
                        for i, (n, h, t, c) in enumerate(
                            zip(NAMED, HIT, TOPS, TOP, strict=True)
                        )
                    ],
                }
            )
        ),
        STATED,
    ),
    # ---- what is refused
    Case("arrays.pkl", "pickle", text("x"), None, shown="can run code"),
    Case("table.xlsx", "Excel", lambda path: WHOLE.to_excel(path, index=False)),
    Case("arrays.mat", "Matlab", text("x"), None, shown="scipy.io.loadmat"),
    Case("arrays.h5", "h5py", text("x"), None, shown="numpy.savez"),
    Case(
        "objects.npz",
        "numpy",
        npz(y=Y, logits=LOGITS.astype(object)),
        None,
        shown="holds Python objects",
    ),
    Case(
        "boxes.json",
        "COCO",
        lambda path: path.write_text(
            json.dumps(
                [{"image_id": 1, "category_id": 3, "bbox": [1, 2, 3, 4], "score": 0.9}]
            )
        ),
        None,
        shown="netcal",
    ),
    Case(
        "survival.csv",
        "lifelines",
        csv(pd.DataFrame({"time": np.abs(OTHER), "event": HIT, "risk": TOP})),
        None,
        shown="scikit-survival",
    ),
    Case(
        "regression.csv",
        "scikit-learn",
        csv(pd.DataFrame({"y_true": OTHER, "y_pred": OTHER + 0.1})),
        None,
        shown="uncertainty-toolbox",
    ),
    Case(
        "decisions.csv",
        "scikit-learn",
        csv(pd.DataFrame({"y_true": BINARY[0], "y_pred": FIRST})),
        None,
        shown="decisions, not probabilities",
    ),
    Case(
        "hard.npz",
        "numpy",
        npz(y=Y, probs=HARD),
        None,
        shown="decisions, not probabilities",
    ),
    Case(
        "headless.csv",
        "numpy",
        savetxt(delimiter=","),
        None,
        shown="its first line holds the numbers",
    ),
    Case(
        "twice_named.csv",
        "pandas",
        text("label,p_0,p_0\n0,1,0\n"),
        None,
        shown="more than one column is named 'p_0'",
    ),
    Case(
        "cat_a_b.csv",
        "shell",
        text(2 * WHOLE.to_csv(index=False)),
        None,
        shown="row 120 of column",
    ),
    Case(
        "hole.csv",
        "pandas",
        csv(prefixed("p_").assign(label=Y).replace(P[7, 1], np.nan)),
        (np.delete(Y, 7), np.delete(P, 7, axis=0)),
    ),
    Case(
        "comma_in_one.csv",
        "Excel",
        csv(
            prefixed("logit_", values=LOGITS).assign(
                label=NAMED,
                logit_dog=np.where(
                    OTHER == OTHER.max(), "1,5", LOGITS[:, 1].astype(str)
                ),
            )
        ),
        None,
        shown="is '1,5', expected a number",
    ),
    Case(
        "sigmoids.npz",
        "PyTorch",
        npz(y=Y, probs=1 / (1 + np.exp(-LOGITS))),
        None,
        shown="sums to",
    ),
    Case(
        "typo.csv",
        "pandas",
        csv(prefixed("prob_").assign(label=np.where(KEPT, NAMED, "cow"))),
        None,
        shown="no column is of the label 'cow'",
    ),
    Case(
        "gap.csv",
        "pandas",
        csv(prefixed("p_", [0, 1, 3]).assign(label=Y)),
        None,
        shown="columns are numbered '0', '1', '3'",
    ),
    Case(
        "one_class.csv",
        "pandas",
        csv(pd.DataFrame({"label": Y, "x": OTHER})),
        None,
        shown="none has a name that says the scores",
    ),
    Case(
        "no_scores.npz",
        "numpy",
        npz(y=Y),
        None,
        shown="none has a name that says the scores",
    ),
    Case("empty.csv", "", text(""), None, shown="it is empty"),
]


def is_right(case: Any, outputs: Any) -> Any:
    """Tell whether outputs are the truth of a file, whatever the order of their classes."""
    if case.truth is None:
        return False
    y, p = case.truth
    if p is None and outputs.prob.shape[1] > 2:  # nobody knows the scores
        return len(outputs) == len(y)
    k = outputs.n_classes
    if p is not None and p.shape[1] != k:
        return False
    orders = map(np.array, permutations(range(k)) if k < 5 else [range(k)])
    return any(is_right_in(order, outputs, y, p, case.atol) for order in orders)


def is_right_in(order: Any, outputs: Any, y: Any, p: Any, atol: Any) -> Any:
    """Tell whether outputs are labels and, where known, probabilities in an order of classes."""
    if not np.array_equal(np.argsort(order)[outputs.y], y):
        return False
    return p is None or np.allclose(outputs.prob[:, order], p, rtol=0, atol=atol)


def proposals(case: Any, folder: Any) -> Any:
    """Return how a file could be read, the likeliest first, and why not where it could not."""
    try:
        path = Path(folder) / case.name
        return calib_report.propose(path, **options_of(case.said, folder)), ""
    except ValueError as error:
        return [], str(error)


def options_of(options: Any, folder: Any) -> Any:
    if "labels" in options:
        options = options | {"labels": Path(folder) / options["labels"]}
    return options


def reading(case: Any, folder: Any, options: Any) -> Any:
    """Write a file into a folder and read it; return outputs, or None, and the error."""
    path = Path(folder) / case.name
    case.write(path)
    try:
        return calib_report.read(path, **options_of(case.said | options, folder)), ""
    except ValueError as error:
        return None, str(error)
