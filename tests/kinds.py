"""Kinds of files with known truth, made by combining what people vary; how each is read, counted.

`python -m tests.kinds` reads them all. A reading is right where labels and probabilities, or the
confidence in each answer and whether it was right, are those of the truth.
"""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pandas as pd

import calib
import calib_report
from calib_report.contract import ReadingError

N = 300
RNG = np.random.default_rng(52)
Z = np.round(RNG.normal(scale=2, size=(N, 3)), 4)
Y = (Z + RNG.gumbel(size=Z.shape)).argmax(axis=1)
P = calib.softmax(Z)
D = np.round(2 * RNG.normal(size=N) + 0.7, 4)
B = (RNG.random(N) < 1 / (1 + np.exp(-D))).astype(int)
PB = 1 / (1 + np.exp(-1.3 * D))
TOP, BEST = P.max(axis=1), P.argmax(axis=1)
HIT = (BEST == Y).astype(int)
WORDS = ["cat", "dog", "hen"]
TABLE = pd.DataFrame({f"p_{name}": P[:, k] for k, name in enumerate(WORDS)}).assign(
    label=np.array(WORDS)[Y]
)
CLASSES, BINARY = (Y, P), (B, np.column_stack([1 - PB, PB]))
STATED = HIT, np.column_stack([1 - TOP, TOP])


@dataclass(frozen=True)
class Kind:
    """A kind of file; without a truth nobody could read it."""

    name: str
    write: Callable[[Path], object]
    truth: tuple[np.ndarray, np.ndarray] | None
    options: dict[str, str] = field(default_factory=dict)


def csv(table: pd.DataFrame, **options) -> Callable[[Path], object]:
    return lambda path: table.to_csv(path, **({"index": False} | options))


CONTAINERS: dict[str, Callable[[pd.DataFrame], Callable[[Path], object]]] = {
    "csv": csv,
    "tsv": lambda table: csv(table, sep="\t"),
    "semicolon.csv": lambda table: csv(table, sep=";"),
    "comma.csv": lambda table: csv(table, sep=";", decimal=","),
    "index.csv": lambda table: csv(table, index=True),
    "utf16.csv": lambda table: csv(table, encoding="utf-16"),
    "csv.gz": csv,
    "csv.xz": csv,
    "csv.zip": csv,
    "parquet": lambda table: lambda path: table.to_parquet(path),
    "feather": lambda table: lambda path: table.to_feather(path),
    "xlsx": lambda table: lambda path: table.to_excel(path, index=False),
    "json": lambda table: (
        lambda path: table.to_json(path, orient="records", double_precision=15)
    ),
    "columns.json": lambda table: lambda path: table.to_json(path, double_precision=15),
    "jsonl": lambda table: (
        lambda path: table.to_json(
            path, orient="records", lines=True, double_precision=15
        )
    ),
}
STYLES = (
    "{}", "p_{}", "prob_{}", "probability_{}", "logit_{}", "score_{}", "proba_{}", "net_prob_{}",
    ".pred_{}", "P (label={})", "confidence({})", "{}_p", "Prob {}", "logits.{}", "{} (prob)",
)  # fmt: skip
LABELS = ("label", "gold", "truth", "class", "y_true", "target", "obs", "kind")


def class_tables() -> Iterator[Kind]:
    """Tables with a column a class, called in all ways."""
    names = {
        "words": WORDS,
        "codes": ["10", "20", "30"],
        "years": ["2019", "2020", "2021"],
        "from 0": ["0", "1", "2"],
        "from 1": ["1", "2", "3"],
        "spaces": ["a b", "c d", "e"],
        "empty": ["NA", "EU", "AS"],
    }
    for number, (style, (style_name, classes)) in enumerate(
        product(STYLES, names.items())
    ):
        if style == "{}" and style_name != "words" and style_name != "spaces":
            continue
        values = Z if "logit" in style else P
        label = LABELS[number % len(LABELS)]
        table = pd.DataFrame(
            {style.format(c): values[:, k] for k, c in enumerate(classes)}
        )
        table[label] = np.array(classes)[Y]
        table["age"] = RNG.integers(20, 80, N)
        yield Kind(f"{style_name}, {style}, {label}.csv", csv(table), CLASSES)


def containers() -> Iterator[Kind]:
    """Three tables in all formats."""
    gold = TABLE.rename(columns={"label": "gold"})
    answers = pd.DataFrame({"gold": np.array(WORDS)[Y], "pred": np.array(WORDS)[BEST]})
    answers["confidence"] = TOP
    stated = pd.DataFrame({"confidence": TOP, "correct": HIT})
    ward = pd.DataFrame({"sick": np.where(B == 1, "yes", "no"), "score": PB})
    tables = {
        "contract": (TABLE, CLASSES),
        "gold": (gold, CLASSES),
        "answers": (answers, STATED),
        "stated": (stated, STATED),
        "ward": (ward, BINARY),
    }
    for (table_name, (table, truth)), (ending, write) in product(
        tables.items(), CONTAINERS.items()
    ):
        yield Kind(f"{table_name}.{ending}", write(table), truth)


def arrays() -> Iterator[Kind]:
    """Archives: labels and scores of all names."""
    labels = ("y", "labels", "targets", "y_true", "gt", "label_ids")
    logits = ("logits", "outputs", "z", "scores", "resnet", "predictions")
    probs = ("probs", "probabilities", "y_prob", "softmax", "scores", "pred")
    for label, (name, values) in product(
        labels, [*((n, Z) for n in logits), *((n, P) for n in probs)]
    ):
        content = {label: Y, name: values}
        kind = "logits" if values is Z else "probabilities"
        yield Kind(
            f"{label}, {name}, {kind}.npz",
            lambda path, h=content: np.savez(path, **h),
            CLASSES,
        )
    more = {
        "first axis": {"y": Y, "logits": Z.T},
        "from one": {"y": Y + 1, "logits": Z},
        "one-hot": {"y": np.eye(3)[Y], "probs": P},
        "float labels": {"y": Y.astype(float), "probs": P},
        "float32": {"y": Y, "logits": Z.astype("f4")},
        "percent": {"y": Y, "scores": 100 * P},
        "bytes": {"y": np.array(WORDS, "S3")[Y], "probs": P, "classes": WORDS},
        "names": {"y": np.array(WORDS)[Y], "probs": P, "classes": WORDS},
        "classes_": {"y": np.array(WORDS)[Y], "probs": P, "classes_": WORDS},
        "sorted names": {"y": np.array(WORDS)[Y], "probs": P},
        "two sets": {
            "test_y": Y,
            "test_logits": Z,
            "train_y": Y[:9],
            "train_logits": Z[:9],
        },
        "column": {"y": Y[:, None], "probs": P},
        "pixels": {
            "y": Y.reshape(3, 10, 10),
            "logits": np.moveaxis(Z.reshape(3, 10, 10, 3), -1, 1),
        },
        "tokens": {"labels": Y.reshape(30, 10), "logits": Z.reshape(30, 10, 3)},
    }
    for label_of_file, content in more.items():
        yield Kind(
            f"{label_of_file}.npz", lambda path, h=content: np.savez(path, **h), CLASSES
        )


def one_column() -> Iterator[Kind]:
    """Two labels of all forms, and one column of scores of all names and units."""
    labels = {
        "0/1": B,
        "yes/no": np.where(B, "yes", "no"),
        "true/false": B == 1,
        "-1/1": 2 * B - 1,
        "1/2": B + 1,
        "sick/well": np.where(B, "sick", "well"),
        "0.0/1.0": B.astype(float),
        "WAHR": np.where(B, "WAHR", "FALSCH"),
    }
    odds = np.exp(1.3 * D)
    scores = {
        "p": PB, "prob": PB, "score": PB, "probability": PB, "y_score": PB, "risk_score": PB,
        "churn_probability": PB, "decision_function": 1.3 * D, "logit": 1.3 * D,
        "logprob": np.log(PB), "odds": odds, "score_percent": 100 * PB, "margin_score": 1.3 * D,
        "p_first": 1 - PB,
    }  # fmt: skip
    for number, ((form, y), (name, values)) in enumerate(
        product(labels.items(), scores.items())
    ):
        column = ("label", "outcome", "y_true", "churn")[number % 4]
        table = pd.DataFrame({column: y, name: values, "age": RNG.integers(20, 80, N)})
        yield Kind(f"{form}, {column}, {name}.csv", csv(table), BINARY)


def beside_predictions() -> Iterator[Kind]:
    """Scores beside a hard prediction: its probability, or that of the second class."""
    predicted = (PB > 0.5).astype(int)
    of_prediction = np.maximum(PB, 1 - PB)
    names = ("prediction", "pred", "y_pred", "predicted_label", "prediction_label")
    for name, of, words in product(names, ("prediction", "second"), (False, True)):
        y, guess = (np.where(v, "yes", "no") if words else v for v in (B, predicted))
        score = of_prediction if of == "prediction" else PB
        table = pd.DataFrame({"label": y, name: guess, "probability": score})
        yield Kind(f"probability of the {of}, {name}, {words}.csv", csv(table), BINARY)


def answered() -> Iterator[Kind]:
    """Answers of language models: a truth, an answer, a confidence."""
    truths = ("gold", "target", "reference", "answer_key", "label", "ground_truth")
    answers = ("pred", "answer", "prediction", "model_answer", "response")
    confidences = {
        "confidence": TOP, "conf": TOP, "stated_confidence": TOP, "probability": TOP,
        "logprob": np.log(TOP), "certainty": TOP, "confidence_percent": 100 * TOP,
    }  # fmt: skip
    cities = np.array(["Paris", "Rome", "Oslo"])
    for number, (truth, answer) in enumerate(product(truths, answers)):
        name, values = [*confidences.items()][number % len(confidences)]
        table = pd.DataFrame(
            {"question": [f"q{i}" for i in range(N)], truth: cities[Y]}
        )
        table = table.assign(**{answer: cities[BEST], name: values})
        yield Kind(f"{truth}, {answer}, {name}.csv", csv(table), STATED)


def verdicts() -> Iterator[Kind]:
    """A verdict and a confidence, or a doubt."""
    columns = ("correct", "is_correct", "hit", "acc", "exact_match", "error", "wrong")
    sure = ("confidence", "conf", "stated_conf", "score", "probability")
    unsure = ("uncertainty", "p_wrong", "error_prob", "risk")
    for verdict, name in product(columns, (*sure, *unsure)):
        y = 1 - HIT if verdict in ("error", "wrong") else HIT
        table = pd.DataFrame({verdict: y, name: 1 - TOP if name in unsure else TOP})
        yield Kind(f"{verdict}, {name}.csv", csv(table), STATED)
    for form in ("true/false", "yes/no", "right/wrong", "True/False", "1.0/0.0"):
        yes, no = form.split("/")
        table = pd.DataFrame({"correct": np.where(HIT, yes, no), "confidence": TOP})
        yield Kind(f"{form}.csv", csv(table), STATED)
    entropy = -(P * np.log(P)).sum(axis=1)
    for verdict, name in product(
        ("correct", "error"), ("entropy", "std", "perplexity")
    ):
        yield Kind(
            f"{verdict}, {name}.csv",
            csv(pd.DataFrame({verdict: HIT, name: entropy})),
            None,
        )
    grades = np.clip((5 * TOP).round(), 1, 5).astype(int)
    for name in ("confidence", "conf"):
        yield Kind(
            f"{name}, grades.csv",
            csv(pd.DataFrame({name: grades, "correct": HIT})),
            None,
        )


def quirks() -> Iterator[Kind]:
    """A table of the contract with one column more."""
    words = np.array(WORDS)
    second = np.where(RNG.random(N) < 0.2, words[0], words[Y])
    more = {
        "id": {"id": np.arange(N) + 7}, "index": {"index": np.arange(N)},
        "entropy": {"entropy": TOP}, "p_max": {"p_max": TOP}, "prob": {"prob": TOP},
        "text": {"text": ["a, b"] * N}, "prediction": {"prediction": words[BEST]},
        "weight": {"weight": PB}, "date": {"day": ["2026-01-01"] * N}, "confidence": {"conf": TOP},
        "p_entropy": {"p_entropy": TOP}, "score": {"score": D}, "loss": {"loss": D},
        "second label": {"gold": second}, "other prediction": {"pred": np.roll(words[BEST], 1)},
        "constant split": {"split": "test"}, "fold": {"fold": np.arange(N) % 5},
    }  # fmt: skip
    for quirk, columns in more.items():
        yield Kind(f"with {quirk}.csv", csv(TABLE.assign(**columns)), CLASSES)


def repeated_samples() -> Iterator[Kind]:
    """A table that has each sample in several copies, told apart by a column."""
    for name, values in {
        "split": ("train", "test"), "set": ("val", "test"), "model": ("A", "B"), "seed": (0, 1, 2),
        "run": (1, 2), "checkpoint": ("a", "b"),
    }.items():  # fmt: skip
        copies = [TABLE.sample(frac=1, random_state=k) for k in range(len(values))]
        copy_of_split = copies[values.index("test") if "test" in values else 0]
        whole = pd.concat(
            [t.assign(**{name: v}) for t, v in zip(copies, values, strict=True)]
        )
        order = copy_of_split.index.to_numpy()
        yield Kind(f"parted by {name}.csv", csv(whole), (Y[order], P[order]))


def spellings() -> Iterator[Kind]:
    """A table as other tools and other countries write its lines and its numbers."""
    text = TABLE.to_csv(index=False)
    texts = {
        "comments": "# of June\n" + text, "sep": "sep=;\n" + TABLE.to_csv(index=False, sep=";"),
        "bom": "\ufeff" + text, "lines": text.replace("\n", "\r\n"),
        "trailing": "".join(f"{line},,\n" for line in text.splitlines()),
        "blanks": text.replace(",", ", "), "wide": TABLE.to_csv(index=False, sep="|"),
        "spaces": TABLE.to_csv(index=False, sep=" "),
    }  # fmt: skip
    for quirk, content in texts.items():
        yield Kind(
            f"{quirk}.csv",
            lambda path, c=content: path.write_bytes(c.encode()),
            CLASSES,
        )
    for quirk, cell in {"percent": "{:.6f}%", "decimal": "{:.8f}"}.items():
        factor, table = 100 if "%" in cell else 1, TABLE.copy()
        for column in table.columns.drop("label"):
            numbers = [cell.format(factor * value) for value in table[column]]
            table[column] = [number.replace(".", ",") for number in numbers]
        yield Kind(f"{quirk} with commas.csv", csv(table, quoting=1), CLASSES)


def one_odd_row() -> Iterator[Kind]:
    """A table with one score or one label that is none, or with columns in disorder."""
    at = np.arange(N) == 5
    binary = pd.DataFrame({"label": B, "score": PB})
    for quirk, value, truth in (
        (
            "tiny",
            -1e-9,
            (B, np.column_stack([1 - np.where(at, 0, PB), np.where(at, 0, PB)])),
        ),
        (
            "above",
            1 + 1e-7,
            (B, np.column_stack([1 - np.where(at, 1, PB), np.where(at, 1, PB)])),
        ),
        ("sentinel", -1.0, None),
        ("missing", -999.0, None),
    ):
        table = binary.assign(score=np.where(at, value, PB))
        yield Kind(f"{quirk} score.csv", csv(table), truth)
    blank = TABLE.assign(label=np.where(at, "", TABLE["label"]))
    yield Kind(
        "empty label.csv", csv(blank), (np.delete(Y, 5), np.delete(P, 5, axis=0))
    )
    yield Kind(
        "permuted.csv", csv(TABLE[["label", "p_hen", "p_cat", "p_dog"]]), CLASSES
    )
    yield Kind("mixed case.csv", csv(TABLE.rename(columns={"p_cat": "P_Cat"})), CLASSES)


def of_models() -> Iterator[Kind]:
    """One column a model, ends of intervals, columns that are no class."""
    pairs = (
        ("score_old", "score_new"),
        ("logit_v1", "logit_v2"),
        ("pred_lr", "pred_xgb"),
    )
    for first, second in pairs:
        table = pd.DataFrame(
            {"label": B, first: 1.3 * D, second: D + RNG.normal(size=N)}
        )
        yield Kind(f"{first}, {second}.csv", csv(table), BINARY)
        table = pd.DataFrame({"label": B, first: PB, second: np.clip(PB + 0.05, 0, 1)})
        yield Kind(f"{first}, {second}, probabilities.csv", csv(table), BINARY)
    ends = pd.DataFrame(
        {"label": B, "p": PB, "p_lower": PB * 0.9, "p_upper": PB * 0.9 + 0.1}
    )
    yield Kind("interval.csv", csv(ends), BINARY)
    for name, extra in product(("score", "logit"), ("time_ms", "bias", "ood", "std")):
        table = pd.DataFrame({f"{name}_{c}": Z[:, k] for k, c in enumerate("abc")})
        table = table.assign(**{f"{name}_{extra}": np.abs(D)}, label=Y)
        yield Kind(f"{name}_{extra}.csv", csv(table), CLASSES)
        table = table.assign(label=np.array(list("abc"))[Y])
        yield Kind(f"{name}_{extra}, names.csv", csv(table), CLASSES)


def long_tables() -> Iterator[Kind]:
    """A row for each sample and class."""
    for marks, unit in product((True, False), ("prob", "score")):
        table = pd.DataFrame({"id": np.repeat(np.arange(N), 3), "class": WORDS * N})
        table[unit] = P.ravel()
        class_of_row = np.repeat(np.array(WORDS)[Y], 3)
        table["label"] = (
            (class_of_row == table["class"]).astype(int) if marks else class_of_row
        )
        yield Kind(f"long, {marks}, {unit}.csv", csv(table), CLASSES)


def two_files() -> Iterator[Kind]:
    """Scores in one file, labels in another."""
    order = RNG.permutation(N)
    scores = TABLE.drop(columns="label")
    ids = {
        "whole": np.arange(N) + 50,
        "text": [f"s{i}" for i in range(N)],
        "float": np.arange(N) + 50.0,
    }
    for (id_name, first), (other_id, second) in product(ids.items(), ids.items()):
        if ("text" in (id_name, other_id)) and id_name != other_id:
            continue
        truth = pd.DataFrame({"id": second, "label": TABLE["label"]}).iloc[order]

        def write(path, first=first, truth=truth):
            scores.assign(id=first).to_csv(path, index=False)
            truth.to_csv(path.parent / "truth.csv", index=False)

        yield Kind(
            f"ids {id_name}, {other_id}.csv", write, CLASSES, {"labels": "truth.csv"}
        )
    for id_name, save in {
        "numbers": lambda path: np.savetxt(path, Y, fmt="%d"),
        "floats": lambda path: np.savetxt(path, Y),
        "series": lambda path: pd.Series(Y).to_csv(path),
        "words": lambda path: path.write_text("\n".join(TABLE["label"])),
        "named": lambda path: pd.DataFrame({"label": Y}).to_csv(path, index=False),
    }.items():

        def write(path, save=save):
            np.save(path, P)
            save(path.parent / "truth.csv")

        yield Kind(f"beside {id_name}.npy", write, CLASSES, {"labels": "truth.csv"})


def refused() -> Iterator[Kind]:
    """What calib does not judge, or nobody could read."""
    tables = {
        "regression": {"y_true": D, "y_pred": D + 0.1}, "decisions": {"label": B, "pred": B},
        "survival": {"time": np.abs(D), "event": B, "risk": PB}, "no label": {"p_cat": PB},
        "no score": {"label": B}, "grades": {"label": B, "score": RNG.integers(1, 6, N)},
    }  # fmt: skip
    for fault, columns in tables.items():
        yield Kind(f"{fault}.csv", csv(pd.DataFrame(columns)), None)
    boxes = [{"image_id": 1, "bbox": [1, 2, 3, 4], "score": 0.9}]
    yield Kind("boxes.json", lambda path: path.write_text(json.dumps(boxes)), None)


def kinds() -> list[Kind]:
    """All kinds of files."""
    makers = (
        class_tables, containers, arrays, one_column, beside_predictions, answered, verdicts,
        quirks, repeated_samples, spellings, one_odd_row, of_models, long_tables, two_files,
        refused,
    )  # fmt: skip
    return [kind for make in makers for kind in make()]


def is_right(outputs: calib_report.ModelOutputs, kind: Kind) -> bool:
    """Tell whether outputs are the truth, whatever the order of the classes."""
    if kind.truth is None or len(outputs) != len(kind.truth[0]):
        return False
    y, p = kind.truth
    for order in map(list, permutations(range(outputs.n_classes))):
        same = p.shape == outputs.prob.shape and np.array_equal(
            np.argsort(order)[outputs.y], y
        )
        if same and np.allclose(outputs.prob[:, order], p, rtol=0, atol=1e-5):
            return True
    top = p.argmax(axis=1) if outputs.task == "classes" or p.shape[1] > 2 else None
    score = (
        p.max(axis=1) if outputs.task == "pairs" and len(np.unique(y)) == 2 else p[:, 1]
    )
    hit = (p.argmax(axis=1) == y).astype(int) if top is None else (top == y).astype(int)
    pairs = outputs.pairs
    return np.allclose(pairs.score, score, atol=1e-5) and np.array_equal(pairs.hit, hit)


def outcome(kind: Kind, folder: Path) -> tuple[str, str]:
    """Return what comes of a file, and what a person should look at."""
    place = written(kind, folder)
    options = {name: folder / value for name, value in kind.options.items()}
    try:
        outputs = calib_report.read(place, **options)
    except ReadingError as error:
        # others are answers to a question: which model, which set?
        for way in error.ways[:1]:
            if after_option(place, options | dict(way), kind):
                return "WRONG BY AN OPTION", str(error)
        return outcome_of_proposals(place, options, kind)
    fate = "right at once" if is_right(outputs, kind) else "WRONG AT ONCE"
    return fate, outputs.read_as


def written(kind: Kind, folder: Path) -> Path:
    """Write a file of a kind, alone, under a name that ends as the kind's."""
    packed = [ending for ending in CONTAINERS if kind.name.endswith(f".{ending}")]
    place = folder / f"file.{max(packed, key=len, default=Path(kind.name).suffix[1:])}"
    for old in folder.iterdir():
        old.unlink()
    kind.write(place)
    return place


def outcome_of_proposals(place: Path, options: dict, kind: Kind) -> tuple[str, str]:
    """Return what comes of a file that is not read at once."""
    try:
        readings = calib_report.propose(place, **options)
    except ReadingError as error:
        return ("rightly refused" if kind.truth is None else "refused"), str(error)
    commands = " ## ".join(reading.command() for reading in readings)
    if kind.truth is None:
        return "proposed, though nobody knows", commands
    agrees = [is_right(reading.outputs, kind) for reading in readings]
    if agrees[0]:
        return "right first", commands
    return ("right later" if any(agrees) else "proposed wrongly"), commands


def after_option(place: Path, options: dict, kind: Kind) -> bool:
    """Tell whether the option that an error shows first, typed alone, gives a wrong reading."""
    try:
        return not is_right(calib_report.read(place, **options), kind)
    except (ReadingError, OSError):
        return False


def main() -> int:
    """Count the outcomes of all kinds; the exit status says whether any was wrong."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        for kind in kinds():
            verdict, words = outcome(kind, Path(name))
            counts[verdict] += 1
            if not verdict.startswith(("right at once", "right first", "rightly")):
                print(f"{verdict}: {kind.name}: {words[:300]}")
    print(*(f"{n:5d} {verdict}" for verdict, n in counts.most_common()), sep="\n")
    return int(any(verdict.startswith("WRONG") for verdict in counts))


if __name__ == "__main__":
    sys.exit(main())
