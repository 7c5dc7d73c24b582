"""Read the two tables of language models, and turn them into frames: one row a model, say."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from evidence.forecasts.second.registered import FramesWithNotes

TASKS = ("accuracy", "ece_stated", "ece_logit")
SUBJECTS = ("accuracy", "ece_before", "ece_after")
MOST_LACKING = 0.5  # of a model's tasks; beyond it the model has no mean


class TableWithNotes(NamedTuple):
    """A table of models and items, None if it cannot be used, and notes on it."""

    table: pd.DataFrame | None
    notes: tuple[str, ...] = ()


def read_tasks(folder: Path | str) -> FramesWithNotes:
    """Return the frames of the thirty models."""
    table, notes = read_models_and_items(
        folder, "tasks.csv", "task", TASKS, ("parameters",)
    )
    return FramesWithNotes({} if table is None else task_frames(table), notes)


def read_subjects(folder: Path | str) -> FramesWithNotes:
    """Return the frames of the six models; a subject without questions is left out."""
    table, notes = read_models_and_items(
        folder, "subjects.csv", "subject", SUBJECTS, ("n",)
    )
    if table is None:
        return FramesWithNotes(notes=notes)
    asked = table["n"] > 0
    if not asked.all():
        notes += (
            f"subjects.csv: {(~asked).sum()} rows without questions are left out",
        )
    return FramesWithNotes(subject_frames(table[asked]), notes)


def read_models_and_items(
    folder: Path | str,
    name: str,
    item: str,
    percents: tuple[str, ...],
    others: tuple[str, ...],
) -> TableWithNotes:
    """Return a table of models and items, a row each.

    What is no number, or no percentage where one is due, is empty. Rows of the same model and item
    are averaged.
    """
    path = Path(folder) / name
    if not path.is_file():
        return TableWithNotes(None)
    try:
        table = pd.read_csv(path)
    except (ValueError, OSError) as error:  # an empty file, another encoding
        return TableWithNotes(None, (f"{name}: {error}",))
    if not {"model", item} <= set(table):
        return TableWithNotes(None, (f"{name}: it has no columns model and {item}",))
    table = table.dropna(subset=["model", item])
    for column in ("tuning", "pair"):
        table[column] = table[column].fillna("") if column in table else ""
    notes: list[str] = []
    for column in (*percents, *others):
        most = 100 if column in percents else np.inf
        table[column], n_lost = numbers_of(table, column, most)
        notes += [f"{name}: {n_lost} numbers of {column} are none"] if n_lost else []
    keys = ["model", "tuning", "pair", item]
    numbers = table.groupby(keys, as_index=False)[[*percents, *others]].mean()
    return TableWithNotes(numbers, tuple(notes))


def numbers_of(table: pd.DataFrame, column: str, most: float) -> tuple[pd.Series, int]:
    """Return a column as numbers from zero to `most`, else empty, and how many are lost thereby.

    A column that the table lacks is empty; words are not counted as numbers that are lost.

    Examples
    --------
    >>> numbers, n_lost = numbers_of(pd.DataFrame({"a": [50, 101, "?"]}), "a", 100)
    >>> numbers.tolist(), n_lost
    ([50.0, nan, nan], 1)
    """
    cells = pd.to_numeric(table.get(column, np.nan), errors="coerce")
    numbers = pd.Series(cells, index=table.index, dtype=float)
    usable = numbers.between(0, most, inclusive="both")
    n_lost = int((numbers.notna() & ~usable).sum())
    return numbers.where(usable & np.isfinite(numbers)), n_lost


def task_frames(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the frames of tasks: cells, models, pairs and the tasks themselves."""
    with np.errstate(divide="ignore"):
        size = np.log10(table["parameters"])
    table = table.assign(log_parameters=size.where(np.isfinite(size)))
    pairs = pairs_of(table, "task", TASKS)
    return {
        "tasks": table,
        "task models": models_of(table, "task", TASKS, "log_parameters"),
        "task pairs": pairs,
        "task pairs by model": means(pairs, ["pair"]),
        "task means": means(table, ["task"], TASKS),
    }


def models_of(
    table: pd.DataFrame, item: str, columns: tuple[str, ...], constant: str
) -> pd.DataFrame:
    """Return the means of each model, empty where it lacks more than half of the items."""
    groups = table.groupby(["model", "tuning", "pair"])[list(columns)]
    enough = groups.count() >= MOST_LACKING * table[item].nunique()
    numbers = groups.mean().where(enough)
    numbers[constant] = table.groupby(["model", "tuning", "pair"])[constant].mean()
    return numbers.reset_index()


def pairs_of(table: pd.DataFrame, item: str, columns: tuple[str, ...]) -> pd.DataFrame:
    """Return one row a pair and item: each number of the base and of the tuned models."""
    paired = table[(table["pair"] != "") & (table["tuning"] != "")]
    rows = paired.pivot_table(
        index=["pair", item], columns="tuning", values=list(columns)
    )
    rows.columns = ["_".join(names) for names in rows.columns]
    return rows.reset_index()


def means(
    rows: pd.DataFrame, keys: list[str], columns: tuple[str, ...] | None = None
) -> pd.DataFrame:
    """Return the means of numbers by some keys."""
    numbers = rows.select_dtypes("number").columns
    chosen = [c for c in numbers if columns is None or c in columns]
    return rows.groupby(keys, as_index=False)[chosen].mean()


def subject_frames(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the frames of subjects; a model's mean weighs them by their questions."""
    pairs = pairs_of(table, "subject", SUBJECTS)
    models = weighted(table, ["model", "tuning", "pair"])
    return {
        "subjects": table,
        "subject models": models,
        "subject pairs": pairs,
        "subject pairs by model": pairs_of(models.assign(all="all"), "all", SUBJECTS),
        "subject means": means(table, ["subject"], SUBJECTS),
    }


def weighted(table: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return the means by some keys, each row weighed by its questions."""
    columns = {}
    for column in SUBJECTS:
        answered = table.dropna(subset=[column])
        sums = (
            answered.assign(total=answered[column] * answered["n"])
            .groupby(keys)[["total", "n"]]
            .sum()
        )
        columns[column] = sums["total"] / sums["n"]
    return pd.DataFrame(columns).reset_index()
