"""The commonest kinds of files: what each is read as, three lines of it, and what is typed.

Each is written, and read; where its names leave something open, as `calib look` proposes first.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pandas as pd
from IPython.display import Markdown

import calib
import calib_report
from calib_report import ModelOutputs

Columns: TypeAlias = dict[str, np.ndarray]

CLASSES = np.array(["apple", "pear", "plum"])
N_ROWS = 120


@dataclass(frozen=True)
class Kind:
    """A file as written: what a row of it holds, what it is read as, what is typed."""

    words: str
    lines: str
    meaning: str
    command: str


def written_files(folder: Path, rng: np.random.Generator) -> list[Kind]:
    """Write a file of each kind and read it."""
    found = []
    for words, (name, columns) in files_by_kind(rng).items():
        path = folder / name
        write_columns(path, columns)
        found.append(Kind(words, first_lines(path, columns), *how_read(path)))
    return found


def table_of_kinds(files: list[Kind]) -> Markdown:
    """Return a row a kind: what a row of the file holds, its heading, and the command."""
    rows = ["| a row holds | the heading, and what you type |", "|---|---|"]
    for kind in files:
        heading = kind.lines.splitlines()[0].replace("|", r"\|")
        rows.append(f"| {kind.words} | `{heading}`<br>**`{kind.command}`** |")
    return Markdown("\n".join(rows))


def blocks_of_kinds(files: list[Kind]) -> Markdown:
    """Return for each kind what it is read as, three lines, the command."""
    texts = [
        f"**{kind.words}**: {kind.meaning}\n\n```text\n{kind.lines}\n\n$ {kind.command}\n```\n"
        for kind in files
    ]
    return Markdown("\n".join(texts))


def files_by_kind(rng: np.random.Generator) -> dict[str, tuple[str, Columns]]:
    """Return a file's name and its columns by what a row of it holds."""
    logits = rng.normal(size=(N_ROWS, 3)).round(2)
    exact = calib.softmax(logits)
    label = np.array([rng.choice(CLASSES, p=row) for row in exact])
    prob = exact.round(3)
    prob[:, 2] = (1 - prob[:, 0] - prob[:, 1]).round(3)
    answer, confidence = CLASSES[prob.argmax(axis=1)], prob.max(axis=1)
    p_sick, is_sick = prob[:, 0], label == CLASSES[0]
    sick = np.where(is_sick, "sick", "well")
    return {
        "A label, a probability of each class": (
            "classes.csv",
            {"label": label} | by_class("p_", prob),
        ),
        "A label, a logit of each class": (
            "logits.csv",
            {"label": label} | by_class("logit_", logits),
        ),
        "One of two labels, the probability of one": (
            "two.csv",
            {"label": sick, "p_sick": p_sick},
        ),
        "A confidence, and whether it was right": (
            "answers.csv",
            {"confidence": confidence, "correct": 1 * (answer == label)},
        ),
        "The right answer, the one given, its confidence": (
            "quiz.csv",
            {"gold": label, "answer": answer, "confidence": confidence},
        ),
        "A label, per cent of each class": (
            "percent.csv",
            {"label": label} | by_class("", (100 * prob).round(1)),
        ),
        "0 or 1, and a score": (
            "score.csv",
            {"y_true": 1 * is_sick, "y_score": p_sick},
        ),
        "A record of JSON": (
            "log.jsonl",
            {"label": label, "probs": prob},
        ),
        "An entry of each array": (
            "arrays.npz",
            {"y": np.searchsorted(CLASSES, label), "logits": logits},
        ),
    }


def by_class(prefix: str, scores: np.ndarray) -> Columns:
    """Return a column a class, named behind a prefix."""
    return {f"{prefix}{name}": scores[:, k] for k, name in enumerate(CLASSES)}


def write_columns(path: Path, columns: Columns) -> None:
    """Write columns as the ending of the file's name says."""
    if path.suffix == ".npz":
        np.savez(path, **columns)
    elif path.suffix == ".jsonl":
        records = zip(*(column.tolist() for column in columns.values()), strict=True)
        lines = [
            json.dumps(dict(zip(columns, record, strict=True))) for record in records
        ]
        path.write_text("\n".join(lines))
    else:
        pd.DataFrame(columns).to_csv(path, index=False)


def first_lines(path: Path, columns: Columns) -> str:
    """Return three lines of a text, or what an archive holds."""
    if path.suffix == ".npz":
        return "\n".join(f"{name}: {array.shape}" for name, array in columns.items())
    return "\n".join(path.read_text().splitlines()[:3])


def how_read(path: Path) -> tuple[str, str]:
    """Return as what a file is read, and the command that does."""
    command = f"calib report {path.name}"
    try:
        outputs = calib_report.read(path)
    except calib_report.ReadingError:
        likeliest = calib_report.propose(path)[0]
        outputs = likeliest.outputs
        command += likeliest.command().removeprefix("calib")
    return words_of(outputs), command


def words_of(outputs: ModelOutputs) -> str:
    """Return in words what a file holds."""
    if outputs.task == "pairs":
        return "confidences of answers, right or wrong"
    return f"{outputs.kind} of {outputs.n_classes} classes: {', '.join(outputs.names)}"
