"""Simulated files of the four shapes, complete or with holes: what judges must run on all of them.

A `StandIn` holds arrays and tables; `complete` makes one whose truth is known, and each of `HOLES`
takes something away or spoils it, as the files that are opened one day may be.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from evidence.claims.frames import read_table
from evidence.data import read_declared
from evidence.forecasts.second.registered import registered_files

TASK_NAMES = tuple(f"task_{k}" for k in range(8))
SUBJECT_NAMES = (
    "abstract_algebra",
    "college_mathematics",
    "elementary_mathematics",
    "high_school_mathematics",
    "high_school_statistics",
    "marketing",
    "professional_law",
    *(f"subject_{k}" for k in range(50)),
)
SHARPER = {"CIFAR-10": 1.7, "IMDB": 0.8}  # by what the true logits are multiplied
ENSEMBLE_SHARPER = 0.6

Arrays = dict[str, Any]  # of one network, by their names
Change = Callable[[Arrays], Arrays]


@dataclass(frozen=True)
class StandIn:
    """Arrays of each network, and the two tables."""

    networks: dict[str, Arrays]
    tasks: pd.DataFrame
    subjects: pd.DataFrame

    def only(self, names: tuple[str, ...]) -> "StandIn":
        """Return a stand-in with some of the networks."""
        networks = {name: self.networks[name] for name in names}
        return replace(self, networks=networks)

    def write(self, folder: Path | str) -> Path:
        """Write the files as `evidence.forecasts.second` asks for."""
        folder = Path(folder)
        (folder / "networks").mkdir(parents=True, exist_ok=True)
        for name, arrays in self.networks.items():
            np.savez(folder / "networks" / f"{name}.npz", **arrays)
        self.tasks.to_csv(folder / "tasks.csv", index=False)
        self.subjects.to_csv(folder / "subjects.csv", index=False)
        return folder


def stored() -> StandIn:
    """Return the complete stand-in that is stored, ``data/forecasts/stand-ins-2*``.

    What the judge finds in it binds (`outcomes`), so it is read and not drawn again.
    """
    networks: dict[str, Arrays] = {}
    with np.load(io.BytesIO(read_declared("forecasts/stand-ins-2.npz"))) as arrays:
        for key in arrays.files:
            name, _, array = key.rpartition("/")
            networks.setdefault(name, {})[array] = arrays[key]
    tables = (
        read_table(f"forecasts/stand-ins-2-{name}.csv")
        for name in ("tasks", "subjects")
    )
    return StandIn(networks, *tables)


def complete(rng: np.random.Generator, n: int = 400) -> StandIn:
    """Return a stand-in without holes.

    Networks on CIFAR-10 are too sure (temperature 1.7), ensembles not sure enough (.6 and .8).
    Tuning raises the error of logits by ten points, and of stated confidence lowers it by five; a
    temperature leaves four points. Harder items have larger errors; larger models have smaller.
    """
    networks = {}
    for about in registered_files().query("needs.str.startswith('y')").itertuples():
        is_ensemble = about.evidence == "sampled ensemble"
        is_sharper = is_ensemble and about.dataset == "CIFAR-10"
        sharper = ENSEMBLE_SHARPER if is_sharper else SHARPER[about.dataset]
        networks[about.Index] = network(
            rng, n, 2 if about.dataset == "IMDB" else 10, sharper
        )
    return StandIn(networks, drawn_tasks(rng), drawn_subjects(rng))


def network(rng: np.random.Generator, n: int, n_classes: int, sharper: float) -> Arrays:
    """Return labels drawn from a softmax, and its logits multiplied by `sharper`."""
    z = 3 * rng.standard_normal((n, n_classes))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    return {"y": y, "logits": sharper * z}


def drawn_tasks(rng: np.random.Generator) -> pd.DataFrame:
    """Return fifteen pairs of models on eight tasks."""
    rows = pd.MultiIndex.from_product([range(15), ("base", "instructed"), range(8)])
    rows = rows.to_frame(index=False, name=["size", "tuning", "item"])
    tuned = rows["tuning"] == "instructed"
    rows["accuracy"] = 35 + 1.5 * rows["size"] + 3 * rows["item"] + 4 * tuned
    rows["ece_logit"] = 14 - 0.3 * rows["size"] - 0.8 * rows["item"] + 10 * tuned
    rows["ece_stated"] = 40 - 0.5 * rows["size"] - 2.5 * rows["item"] - 5 * tuned
    rows = with_noise(rng, rows, ["accuracy", "ece_logit", "ece_stated"])
    pair = "m" + rows["size"].astype(str)
    task = rows["item"].map(dict(enumerate(TASK_NAMES)))
    names = {"model": pair + "-" + rows["tuning"], "pair": pair, "task": task}
    return rows.assign(**names, parameters=2.0 ** rows["size"]).drop(
        columns=["size", "item"]
    )


def drawn_subjects(rng: np.random.Generator) -> pd.DataFrame:
    """Return three pairs of models on 57 subjects, mathematics the hardest."""
    rows = pd.MultiIndex.from_product([range(3), ("base", "chat"), range(57)])
    rows = rows.to_frame(index=False, name=["size", "tuning", "item"])
    chat = rows["tuning"] == "chat"
    rows["n"] = 100 + 20 * rows["item"]
    rows["accuracy"] = 30 + 0.5 * rows["item"] + 2 * rows["size"] - 2 * chat
    rows.loc[rows["item"] == SUBJECT_NAMES.index("marketing"), "accuracy"] += 40
    rows["ece_before"] = 20 - 0.2 * rows["item"] + 10 * chat
    rows["ece_after"] = 12 - 0.12 * rows["item"]
    rows = with_noise(rng, rows, ["accuracy", "ece_before", "ece_after"])
    pair = "m" + rows["size"].astype(str)
    subject = rows["item"].map(dict(enumerate(SUBJECT_NAMES)))
    names = {"model": pair + "-" + rows["tuning"], "pair": pair, "subject": subject}
    return rows.assign(**names).drop(columns=["size", "item"])


def with_noise(
    rng: np.random.Generator, rows: pd.DataFrame, columns: list[str]
) -> pd.DataFrame:
    """Return rows with a little noise, so that no two numbers are alike."""
    noise = {
        name: rows[name] + 0.2 * rng.standard_normal(len(rows)) for name in columns
    }
    return rows.assign(**noise)


def of_first(stand_in: StandIn, change: Change) -> StandIn:
    """Return a stand-in whose first network is changed."""
    name = next(iter(stand_in.networks))
    changed = stand_in.networks | {name: change(dict(stand_in.networks[name]))}
    return replace(stand_in, networks=changed)


def of_all(stand_in: StandIn, change: Change) -> StandIn:
    """Return a stand-in of which every network is changed."""
    networks = {
        name: change(dict(arrays)) for name, arrays in stand_in.networks.items()
    }
    return replace(stand_in, networks=networks)


def of_tables(
    stand_in: StandIn, change: Callable[[pd.DataFrame], pd.DataFrame]
) -> StandIn:
    """Return a stand-in of which both tables are changed."""
    tasks, subjects = change(stand_in.tasks), change(stand_in.subjects)
    return replace(stand_in, tasks=tasks, subjects=subjects)


def a_network_is_missing(stand_in: StandIn) -> StandIn:
    return replace(stand_in, networks=dict(list(stand_in.networks.items())[1:]))


def no_networks(stand_in: StandIn) -> StandIn:
    return replace(stand_in, networks={})


def one_network_alone(stand_in: StandIn) -> StandIn:
    return replace(stand_in, networks=dict(list(stand_in.networks.items())[:1]))


def an_array_is_missing(stand_in: StandIn) -> StandIn:
    return of_first(stand_in, lambda arrays: {"y": arrays["y"]})


def labels_too_short(stand_in: StandIn) -> StandIn:
    return of_first(stand_in, lambda arrays: arrays | {"y": arrays["y"][:-5]})


def no_samples(stand_in: StandIn) -> StandIn:
    return of_all(stand_in, lambda arrays: {name: x[:0] for name, x in arrays.items()})


def a_class_is_absent(stand_in: StandIn) -> StandIn:
    """No label is of the last class."""

    def without(arrays: Arrays) -> Arrays:
        others = arrays["y"] != arrays["logits"].shape[1] - 1
        return (
            {name: x[others] for name, x in arrays.items()}
            if others.sum() > 200
            else arrays
        )

    return of_all(stand_in, without)


def one_class_alone(stand_in: StandIn) -> StandIn:
    return of_all(stand_in, lambda arrays: arrays | {"y": 0 * arrays["y"]})


def every_answer_right(stand_in: StandIn) -> StandIn:
    return of_all(
        stand_in, lambda arrays: arrays | {"y": arrays["logits"].argmax(axis=1)}
    )


def every_answer_wrong(stand_in: StandIn) -> StandIn:
    return of_all(
        stand_in, lambda arrays: arrays | {"y": arrays["logits"].argmin(axis=1)}
    )


def some_nan(stand_in: StandIn) -> StandIn:
    """Three samples of each network hold a NaN, an infinity and a label that is no class."""

    def spoil(arrays: Arrays) -> Arrays:
        logits, y = arrays["logits"].copy(), arrays["y"].astype(float)
        logits[0, 0], logits[1, 1], y[2] = np.nan, np.inf, 99
        return {"logits": logits, "y": y}

    return of_all(stand_in, spoil)


def all_nan(stand_in: StandIn) -> StandIn:
    return of_all(
        stand_in, lambda arrays: arrays | {"logits": np.nan * arrays["logits"]}
    )


def ties(stand_in: StandIn) -> StandIn:
    """Every vector is uniform: nothing is surer than anything else."""
    return of_all(stand_in, lambda arrays: arrays | {"logits": 0 * arrays["logits"]})


def as_probabilities(arrays: Arrays) -> Arrays:
    """Return arrays with probabilities in place of logits."""
    z = arrays["logits"] - arrays["logits"].max(axis=1, keepdims=True)
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    return {"y": arrays["y"], "probabilities": p}


def zeros(stand_in: StandIn) -> StandIn:
    """Probabilities are rounded to two digits, most to zero."""

    def rounded(arrays: Arrays) -> Arrays:
        p = as_probabilities(arrays)["probabilities"].round(2)
        return {"y": arrays["y"], "probabilities": p}

    return of_all(stand_in, rounded)


def certain(stand_in: StandIn) -> StandIn:
    """Every network says one to a class and zero to the others."""

    def hard(arrays: Arrays) -> Arrays:
        p = np.eye(arrays["logits"].shape[1])[arrays["logits"].argmax(axis=1)]
        return {"y": arrays["y"], "probabilities": p}

    return of_all(stand_in, hard)


def no_tables(stand_in: StandIn) -> StandIn:
    return of_tables(stand_in, lambda table: pd.DataFrame())


def empty_tables(stand_in: StandIn) -> StandIn:
    return of_tables(stand_in, lambda table: table[:0])


def no_base_models(stand_in: StandIn) -> StandIn:
    return of_tables(stand_in, lambda table: table[table["tuning"] != "base"])


def no_pairs(stand_in: StandIn) -> StandIn:
    return of_tables(stand_in, lambda table: table.drop(columns="pair"))


def no_stated_confidence(stand_in: StandIn) -> StandIn:
    return replace(stand_in, tasks=stand_in.tasks.drop(columns="ece_stated"))


def base_models_state_nothing(stand_in: StandIn) -> StandIn:
    stated = stand_in.tasks["ece_stated"].where(stand_in.tasks["tuning"] != "base")
    return replace(stand_in, tasks=stand_in.tasks.assign(ece_stated=stated))


def one_task_one_subject(stand_in: StandIn) -> StandIn:
    tasks = stand_in.tasks[stand_in.tasks["task"] == TASK_NAMES[0]]
    subjects = stand_in.subjects[stand_in.subjects["subject"] == SUBJECT_NAMES[0]]
    return replace(stand_in, tasks=tasks, subjects=subjects)


def subjects_without_questions(stand_in: StandIn) -> StandIn:
    table = stand_in.subjects
    return replace(
        stand_in, subjects=table.assign(n=np.where(table["n"] < 600, 0, table["n"]))
    )


def equal_numbers(stand_in: StandIn) -> StandIn:
    tasks = stand_in.tasks.assign(accuracy=50.0, ece_stated=10.0, ece_logit=10.0)
    subjects = stand_in.subjects.assign(accuracy=50.0, ece_before=10.0, ece_after=10.0)
    return replace(stand_in, tasks=tasks, subjects=subjects)


def words_for_numbers(stand_in: StandIn) -> StandIn:
    tasks = stand_in.tasks.astype({"ece_logit": object})
    tasks.loc[tasks.index[::3], "ece_logit"] = "n/a"
    subjects = stand_in.subjects.assign(ece_after="?")
    return replace(stand_in, tasks=tasks, subjects=subjects)


def beyond_percent(stand_in: StandIn) -> StandIn:
    tasks = stand_in.tasks.assign(ece_logit=-stand_in.tasks["ece_logit"])
    subjects = stand_in.subjects.assign(accuracy=10 * stand_in.subjects["accuracy"])
    return replace(stand_in, tasks=tasks, subjects=subjects)


def rows_twice(stand_in: StandIn) -> StandIn:
    return of_tables(stand_in, lambda table: pd.concat([table, table]))


HOLES = {
    hole.__name__: hole
    for hole in (
        a_network_is_missing,
        no_networks,
        one_network_alone,
        an_array_is_missing,
        labels_too_short,
        no_samples,
        a_class_is_absent,
        one_class_alone,
        every_answer_right,
        every_answer_wrong,
        some_nan,
        all_nan,
        ties,
        zeros,
        certain,
        no_tables,
        empty_tables,
        no_base_models,
        no_pairs,
        no_stated_confidence,
        base_models_state_nothing,
        one_task_one_subject,
        subjects_without_questions,
        equal_numbers,
        words_for_numbers,
        beyond_percent,
        rows_twice,
    )
}
