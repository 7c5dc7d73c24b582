"""Files with known truth, made by combining what people vary; how each is read, counted.

`PYTHONPATH=. python tests/parts/combined_files.py` reads them all.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

import calib_report
from calib_report.contract import ReadingError
from evidence.files_with_truth.case import Case, in_folder, is_right
from evidence.files_with_truth.samples import NAMES, Samples, Truth, event
from evidence.files_with_truth.writers import (
    Write,
    beside,
    columns,
    csv,
    excel,
    feather,
    json_table,
    json_value,
    npy,
    npz,
    parquet,
    savetxt,
    text,
    two_files,
)

N = 300
RNG = np.random.default_rng(52)
SAMPLES = Samples.drawn(N, 2, 4, RNG)
Z, Y, P = SAMPLES.logits, SAMPLES.y, SAMPLES.prob
BEST, TOP, HIT = SAMPLES.best, SAMPLES.top, SAMPLES.hit
NAMED, BEST_NAMES = np.array(NAMES)[Y], np.array(NAMES)[BEST]
# two classes: logits, labels, probabilities
MARGIN = np.round(2 * RNG.normal(size=N) + 0.7, 4)
EVENT = (RNG.random(N) < 1 / (1 + np.exp(-MARGIN))).astype(int)
P_EVENT = 1 / (1 + np.exp(-1.3 * MARGIN))
TABLE = pd.DataFrame({f"p_{name}": P[:, k] for k, name in enumerate(NAMES)}).assign(
    label=NAMED
)
CLASSES, BINARY, STATED = (Y, P), event(EVENT, P_EVENT), event(HIT, TOP)


def of_classes(start: str = "p_") -> dict[str, np.ndarray]:
    return {f"{start}{name}": P[:, k] for k, name in enumerate(NAMES)}


def combination(name: str, write: Write, truth: Truth | None, **options: str) -> Case:
    """Return a case; without a truth nobody could read it."""
    return Case(name, "", write, truth, options, atol=1e-5)


CONTAINERS: dict[str, Callable[[pd.DataFrame], Write]] = {
    "csv": csv,
    "tsv": partial(csv, sep="\t"),
    "semicolon.csv": partial(csv, sep=";"),
    "comma.csv": partial(csv, sep=";", decimal=","),
    "index.csv": partial(csv, index=True),
    "utf16.csv": partial(csv, encoding="utf-16"),
    "csv.gz": csv,
    "csv.xz": csv,
    "csv.zip": csv,
    "parquet": parquet,
    "feather": feather,
    "xlsx": excel,
    "json": partial(json_table, orient="records", double_precision=15),
    "columns.json": partial(json_table, double_precision=15),
    "jsonl": partial(json_table, orient="records", lines=True, double_precision=15),
}
STYLES = (
    "{}",
    "p_{}",
    "prob_{}",
    "probability_{}",
    "logit_{}",
    "score_{}",
    "proba_{}",
    "net_prob_{}",
    ".pred_{}",
    "P (label={})",
    "confidence({})",
    "{}_p",
    "Prob {}",
    "logits.{}",
    "{} (prob)",
)
LABELS = ("label", "gold", "truth", "class", "y_true", "target", "obs", "kind")


def class_tables() -> Iterator[Case]:
    """Tables with a column a class, called in all ways."""
    names = {
        "words": NAMES,
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
        yield combination(f"{style_name}, {style}, {label}.csv", csv(table), CLASSES)


def containers() -> Iterator[Case]:
    """Five tables in all formats."""
    gold = TABLE.rename(columns={"label": "gold"})
    answers = pd.DataFrame({"gold": NAMED, "pred": BEST_NAMES})
    answers["confidence"] = TOP
    stated = pd.DataFrame({"confidence": TOP, "correct": HIT})
    ward = pd.DataFrame({"sick": np.where(EVENT == 1, "yes", "no"), "score": P_EVENT})
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
        yield combination(f"{table_name}.{ending}", write(table), truth)


def arrays() -> Iterator[Case]:
    """Archives: labels and scores of all names."""
    labels = ("y", "labels", "targets", "y_true", "gt", "label_ids")
    logits = ("logits", "outputs", "z", "scores", "resnet", "predictions")
    probs = ("probs", "probabilities", "y_prob", "softmax", "scores", "pred")
    for label, (name, values) in product(
        labels, [*((n, Z) for n in logits), *((n, P) for n in probs)]
    ):
        content = {label: Y, name: values}
        kind = "logits" if values is Z else "probabilities"
        yield combination(
            f"{label}, {name}, {kind}.npz",
            npz(**content),
            CLASSES,
        )
    more = {
        "first axis": {"y": Y, "logits": Z.T},
        "from one": {"y": Y + 1, "logits": Z},
        "one-hot": {"y": np.eye(3)[Y], "probs": P},
        "float labels": {"y": Y.astype(float), "probs": P},
        "float32": {"y": Y, "logits": Z.astype("f4")},
        "percent": {"y": Y, "scores": 100 * P},
        "bytes": {"y": np.array(NAMES, "S3")[Y], "probs": P, "classes": NAMES},
        "names": {"y": NAMED, "probs": P, "classes": NAMES},
        "classes_": {"y": NAMED, "probs": P, "classes_": NAMES},
        "sorted names": {"y": NAMED, "probs": P},
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
    for layout, content in more.items():
        yield combination(f"{layout}.npz", npz(**content), CLASSES)


def one_column() -> Iterator[Case]:
    """Two labels of all forms, and one column of scores of all names and units."""
    labels = {
        "0/1": EVENT,
        "yes/no": np.where(EVENT, "yes", "no"),
        "true/false": EVENT == 1,
        "-1/1": 2 * EVENT - 1,
        "1/2": EVENT + 1,
        "sick/well": np.where(EVENT, "sick", "well"),
        "0.0/1.0": EVENT.astype(float),
        "WAHR": np.where(EVENT, "WAHR", "FALSCH"),
    }
    odds = np.exp(1.3 * MARGIN)
    scores = {
        "p": P_EVENT,
        "prob": P_EVENT,
        "score": P_EVENT,
        "probability": P_EVENT,
        "y_score": P_EVENT,
        "risk_score": P_EVENT,
        "churn_probability": P_EVENT,
        "decision_function": 1.3 * MARGIN,
        "logit": 1.3 * MARGIN,
        "logprob": np.log(P_EVENT),
        "odds": odds,
        "score_percent": 100 * P_EVENT,
        "margin_score": 1.3 * MARGIN,
        "p_first": 1 - P_EVENT,
    }
    for number, ((form, y), (name, values)) in enumerate(
        product(labels.items(), scores.items())
    ):
        column = ("label", "outcome", "y_true", "churn")[number % 4]
        table = pd.DataFrame({column: y, name: values, "age": RNG.integers(20, 80, N)})
        yield combination(f"{form}, {column}, {name}.csv", csv(table), BINARY)


def beside_predictions() -> Iterator[Case]:
    """Scores beside a hard prediction: its probability, or that of the second class."""
    predicted = (P_EVENT > 0.5).astype(int)
    sure = np.maximum(P_EVENT, 1 - P_EVENT)
    right = (predicted == EVENT).astype(int)
    scores = {"prediction": (sure, event(right, sure)), "second": (P_EVENT, BINARY)}
    names = ("prediction", "pred", "y_pred", "predicted_label", "prediction_label")
    for name, of, words in product(names, scores, (False, True)):
        y, guess = (
            np.where(v, "yes", "no") if words else v for v in (EVENT, predicted)
        )
        score, truth = scores[of]
        table = columns(**{"label": y, name: guess, "probability": score})
        yield combination(f"probability of the {of}, {name}, {words}.csv", table, truth)


def answered() -> Iterator[Case]:
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
        yield combination(f"{truth}, {answer}, {name}.csv", csv(table), STATED)


def verdicts() -> Iterator[Case]:
    """A verdict and a confidence, or a doubt."""
    names = ("correct", "is_correct", "hit", "acc", "exact_match", "error", "wrong")
    sure = ("confidence", "conf", "stated_conf", "score", "probability")
    unsure = ("uncertainty", "p_wrong", "error_prob", "risk")
    for verdict, name in product(names, (*sure, *unsure)):
        y = 1 - HIT if verdict in ("error", "wrong") else HIT
        table = columns(**{verdict: y, name: 1 - TOP if name in unsure else TOP})
        yield combination(f"{verdict}, {name}.csv", table, STATED)
    for form in ("true/false", "yes/no", "right/wrong", "True/False", "1.0/0.0"):
        yes, no = form.split("/")
        table = columns(correct=np.where(HIT, yes, no), confidence=TOP)
        yield combination(f"{form}.csv", table, STATED)
    entropy = -(P * np.log(P)).sum(axis=1)
    for verdict, name in product(
        ("correct", "error"), ("entropy", "std", "perplexity")
    ):
        table = columns(**{verdict: HIT, name: entropy})
        yield combination(f"{verdict}, {name}.csv", table, None)
    grades = np.clip((5 * TOP).round(), 1, 5).astype(int)
    for name in ("confidence", "conf"):
        table = columns(**{name: grades, "correct": HIT})
        yield combination(f"{name}, grades.csv", table, None)


def quirks() -> Iterator[Case]:
    """A table of the contract with one column more."""
    words = np.array(NAMES)
    second = np.where(RNG.random(N) < 0.2, words[0], words[Y])
    more = {
        "id": {"id": np.arange(N) + 7},
        "index": {"index": np.arange(N)},
        "entropy": {"entropy": TOP},
        "p_max": {"p_max": TOP},
        "prob": {"prob": TOP},
        "text": {"text": ["a, b"] * N},
        "prediction": {"prediction": words[BEST]},
        "weight": {"weight": P_EVENT},
        "date": {"day": ["2026-01-01"] * N},
        "confidence": {"conf": TOP},
        "p_entropy": {"p_entropy": TOP},
        "score": {"score": MARGIN},
        "loss": {"loss": MARGIN},
        "second label": {"gold": second},
        "other prediction": {"pred": np.roll(words[BEST], 1)},
        "constant split": {"split": "test"},
        "fold": {"fold": np.arange(N) % 5},
    }
    for quirk, values in more.items():
        yield combination(f"with {quirk}.csv", csv(TABLE.assign(**values)), CLASSES)


def repeated_samples() -> Iterator[Case]:
    """A table that has each sample in several copies, told apart by a column."""
    for name, values in {
        "split": ("train", "test"),
        "set": ("val", "test"),
        "model": ("A", "B"),
        "seed": (0, 1, 2),
        "run": (1, 2),
        "checkpoint": ("a", "b"),
    }.items():
        copies = [TABLE.sample(frac=1, random_state=k) for k in range(len(values))]
        copy_of_split = copies[values.index("test") if "test" in values else 0]
        whole = pd.concat(
            [t.assign(**{name: v}) for t, v in zip(copies, values, strict=True)]
        )
        order = copy_of_split.index.to_numpy()
        yield combination(f"parted by {name}.csv", csv(whole), (Y[order], P[order]))


def spellings() -> Iterator[Case]:
    """A table as other tools and other countries write its lines and its numbers."""
    plain = TABLE.to_csv(index=False)
    contents = {
        "comments": "# of June\n" + plain,
        "sep": "sep=;\n" + TABLE.to_csv(index=False, sep=";"),
        "bom": "\ufeff" + plain,
        "lines": plain.replace("\n", "\r\n"),
        "trailing": "".join(f"{line},,\n" for line in plain.splitlines()),
        "blanks": plain.replace(",", ", "),
        "wide": TABLE.to_csv(index=False, sep="|"),
        "spaces": TABLE.to_csv(index=False, sep=" "),
    }
    for quirk, content in contents.items():
        yield combination(f"{quirk}.csv", text(content), CLASSES)
    for quirk, cell in {"percent": "{:.6f}%", "decimal": "{:.8f}"}.items():
        factor, table = 100 if "%" in cell else 1, TABLE.copy()
        for column in table.columns.drop("label"):
            numbers = [cell.format(factor * value) for value in table[column]]
            table[column] = [number.replace(".", ",") for number in numbers]
        yield combination(f"{quirk} with commas.csv", csv(table, quoting=1), CLASSES)


def one_odd_row() -> Iterator[Case]:
    """A table with one score or one label that is none, or with columns in disorder."""
    at = np.arange(N) == 5
    binary = pd.DataFrame({"label": EVENT, "score": P_EVENT})
    for quirk, value, truth in (
        ("tiny", -1e-9, event(EVENT, np.where(at, 0, P_EVENT))),
        ("above", 1 + 1e-7, event(EVENT, np.where(at, 1, P_EVENT))),
        ("sentinel", -1.0, None),
        ("missing", -999.0, None),
    ):
        table = binary.assign(score=np.where(at, value, P_EVENT))
        yield combination(f"{quirk} score.csv", csv(table), truth)
    blank = TABLE.assign(label=np.where(at, "", TABLE["label"]))
    yield combination(
        "empty label.csv", csv(blank), (np.delete(Y, 5), np.delete(P, 5, axis=0))
    )
    yield combination(
        "permuted.csv", csv(TABLE[["label", "p_hen", "p_cat", "p_dog"]]), CLASSES
    )
    yield combination(
        "mixed case.csv", csv(TABLE.rename(columns={"p_cat": "P_Cat"})), CLASSES
    )


def of_models() -> Iterator[Case]:
    """One column a model, ends of intervals, columns that are no class."""
    pairs = (
        ("score_old", "score_new"),
        ("logit_v1", "logit_v2"),
        ("pred_lr", "pred_xgb"),
    )
    for first, second in pairs:
        table = pd.DataFrame(
            {"label": EVENT, first: 1.3 * MARGIN, second: MARGIN + RNG.normal(size=N)}
        )
        yield combination(f"{first}, {second}.csv", csv(table), BINARY)
        table = pd.DataFrame(
            {"label": EVENT, first: P_EVENT, second: np.clip(P_EVENT + 0.05, 0, 1)}
        )
        yield combination(f"{first}, {second}, probabilities.csv", csv(table), BINARY)
    ends = pd.DataFrame(
        {
            "label": EVENT,
            "p": P_EVENT,
            "p_lower": P_EVENT * 0.9,
            "p_upper": P_EVENT * 0.9 + 0.1,
        }
    )
    yield combination("interval.csv", csv(ends), BINARY)
    for name, extra in product(("score", "logit"), ("time_ms", "bias", "ood", "std")):
        table = pd.DataFrame({f"{name}_{c}": Z[:, k] for k, c in enumerate("abc")})
        table = table.assign(**{f"{name}_{extra}": np.abs(MARGIN)}, label=Y)
        yield combination(f"{name}_{extra}.csv", csv(table), CLASSES)
        table = table.assign(label=np.array(list("abc"))[Y])
        yield combination(f"{name}_{extra}, names.csv", csv(table), CLASSES)


def long_tables() -> Iterator[Case]:
    """A row for each sample and class."""
    for marks, unit in product((True, False), ("prob", "score")):
        table = pd.DataFrame({"id": np.repeat(np.arange(N), 3), "class": NAMES * N})
        table[unit] = P.ravel()
        class_of_row = np.repeat(NAMED, 3)
        table["label"] = (
            (class_of_row == table["class"]).astype(int) if marks else class_of_row
        )
        yield combination(f"long, {marks}, {unit}.csv", csv(table), CLASSES)


def scores_and_labels() -> Iterator[Case]:
    """Scores in one file, labels in another."""
    order = RNG.permutation(N)
    scores = TABLE.drop(columns="label")
    ids = {
        "whole": np.arange(N) + 50,
        "text": [f"s{i}" for i in range(N)],
        "float": np.arange(N) + 50.0,
    }
    for (name, first), (other, second) in product(ids.items(), ids.items()):
        if "text" in (name, other) and name != other:
            continue
        truth = pd.DataFrame({"id": second, "label": NAMED}).iloc[order]
        write = two_files(scores.assign(id=first), truth)
        yield combination(
            f"ids {name}, {other}.csv", write, CLASSES, labels="truth.csv"
        )
    for name, save in {
        "numbers": savetxt(Y, fmt="%d"),
        "floats": savetxt(Y),
        "series": csv(pd.Series(Y), index=True),
        "words": text("\n".join(NAMED)),
        "named": columns(label=Y),
    }.items():
        write = beside(npy(P), "truth.csv", save)
        yield combination(f"beside {name}.npy", write, CLASSES, labels="truth.csv")


def refused() -> Iterator[Case]:
    """What calib does not judge, or nobody could read."""
    tables = {
        "regression": {"y_true": MARGIN, "y_pred": MARGIN + 0.1},
        "decisions": {"label": EVENT, "pred": EVENT},
        "survival": {"time": np.abs(MARGIN), "event": EVENT, "risk": P_EVENT},
        "no label": {"p_cat": P_EVENT},
        "no score": {"label": EVENT},
        "grades": {"label": EVENT, "score": RNG.integers(1, 6, N)},
    }
    for fault, values in tables.items():
        yield combination(f"{fault}.csv", columns(**values), None)
    boxes = [{"image_id": 1, "bbox": [1, 2, 3, 4], "score": 0.9}]
    yield combination("boxes.json", json_value(boxes), None)


@cache
def combined() -> list[Case]:
    """Return all files."""
    makers = (
        class_tables,
        containers,
        arrays,
        one_column,
        beside_predictions,
        answered,
        verdicts,
        quirks,
        repeated_samples,
        spellings,
        one_odd_row,
        of_models,
        long_tables,
        scores_and_labels,
        refused,
    )
    return [case for make in makers for case in make()]


def outcome(case: Case, folder: Path) -> tuple[str, str]:
    """Return what comes of a file, and what a person should look at."""
    place = written(case, folder)
    options = in_folder(case.options, folder)
    try:
        outputs = calib_report.read(place, **options)
    except ReadingError as error:
        # others are answers to a question: which model, which set?
        for suggestion in error.suggestions[:1]:
            if is_wrong_with(place, options | dict(suggestion), case):
                return "WRONG BY AN OPTION", f"{case}: {error}"
        return outcome_of_proposals(place, options, case)
    fate = "right at once" if is_right(case, outputs) else "WRONG AT ONCE"
    return fate, f"{case}: {outputs.read_as}"


def written(case: Case, folder: Path) -> Path:
    """Write a file, alone, under a name that ends as its own and tells nothing."""
    packed = [ending for ending in CONTAINERS if case.name.endswith(f".{ending}")]
    place = folder / f"file.{max(packed, key=len, default=Path(case.name).suffix[1:])}"
    for old in folder.iterdir():
        old.unlink()
    case.write(place)
    return place


def outcome_of_proposals(place: Path, options: dict, case: Case) -> tuple[str, str]:
    """Return what comes of a file that is not read at once."""
    try:
        readings = calib_report.propose(place, **options)
    except ReadingError as error:
        verdict = "rightly refused" if case.truth is None else "refused"
        return verdict, f"{case}: {error}"
    commands = f"{case}: " + " ## ".join(reading.command() for reading in readings)
    if case.truth is None:
        return "proposed, though nobody knows", commands
    agrees = [is_right(case, reading.outputs) for reading in readings]
    if agrees[0]:
        return "right first", commands
    return ("right later" if any(agrees) else "proposed wrongly"), commands


def is_wrong_with(place: Path, options: dict, case: Case) -> bool:
    """Tell whether options, typed alone, give a wrong reading."""
    try:
        return not is_right(case, calib_report.read(place, **options))
    except (ReadingError, OSError):
        return False


def main() -> int:
    """Count the outcomes of all files; the exit status says whether any was wrong."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        for case in combined():
            verdict, words = outcome(case, Path(name))
            counts[verdict] += 1
            if not verdict.startswith(("right at once", "right first", "rightly")):
                print(f"{verdict}: {words[:400]}")
    print(*(f"{n:5d} {verdict}" for verdict, n in counts.most_common()), sep="\n")
    return int(any(verdict.startswith("WRONG") for verdict in counts))


if __name__ == "__main__":
    sys.exit(main())
