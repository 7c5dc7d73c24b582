"""What stands behind each printed cell and figure of the five papers, worked out from the results.

A cell has the strongest of the `STATUSES` that the results give it. "print only" stands also for a
figure drawn on other data, "missing" for what is missing from the text at hand, so that it has no
audit either.
"""

from functools import cache
from itertools import accumulate
from typing import Any

import numpy as np
import pandas as pd

from evidence import claims
from evidence.claims import frames
from evidence.data import (
    DATA_SETS,
    NAMES,
    PAPERS_WITH_TABLES,
    csv_rows,
    load_results,
    read_declared,
)

STATUSES = NAMES["statuses"]
CELL = ["paper", "table", "metric", "dataset", "model", "loss", "method"]
KIND = ["metric", "method", "loss", "dataset"]
LOGS = {"msdnet_curve": ["CIFAR-100"]}  # what training was watched of, by others
NIXON = {"CIFAR-100": "1", "ImageNet": "2"}  # the table of each data set
PRINTED_DATA = DATA_SETS | {"reuters-r8": "Reuters"}


def printed_cells() -> pd.DataFrame:
    """Return every cell that the papers print, its value as text."""
    printed = []
    for paper in PAPERS_WITH_TABLES:
        printed += csv_rows(read_declared(f"published/{paper}.csv"))
    return pd.DataFrame(printed)


def by_others() -> pd.DataFrame:
    """Return the cells that CalArena has a number for, or Ferrer a network.

    CalArena took the networks that Gupta took, siblings of Guo's and Nixon's. Where Gupta prints
    another number than an accuracy it is another metric, bin count or half. Two of Ferrer's are as
    in Vasilev.
    """
    rows = frames.calarena().rename(columns={"value": "recomputed"}).assign(loss="")
    guo = rows[rows["metric"] == "ECE"].assign(
        paper="guo2017", table="1", status="sibling"
    )
    nixon = guo.assign(paper="nixon2019", table=guo["dataset"].map(NIXON)).dropna(
        subset=["table"]
    )
    gupta = rows[rows["metric"] == "Accuracy"].assign(
        paper="gupta2021", table="5", status="same network"
    )
    ferrer = frames.public_metrics().assign(loss="")
    ferrer["model"] = ferrer["source"].map(NAMES["ferrer"])
    printed = printed_cells().query("paper == 'vasilev2021'")[CELL]
    vasilev = printed.merge(ferrer[CELL[2:]].drop_duplicates()).assign(status="sibling")
    return pd.concat([guo, nixon, gupta, vasilev])


def in_kind(printed: pd.DataFrame) -> np.ndarray:
    """Return which cells' metric, method and loss were measured on any network for their data."""
    rows = pd.concat([frames.public_metrics().assign(loss="CE"), frames.zoo_metrics()])[
        KIND
    ]
    rows = rows.replace(
        {"dataset": PRINTED_DATA, "method": {"Spline (all ranks)": "Spline"}}
    )
    same = {
        "metric": {"SCE": "cwECE"},
        "method": {"": "Uncalibrated"},
        "loss": {"": "CE"},
    }
    measured = pd.MultiIndex.from_frame(rows.drop_duplicates())
    return pd.MultiIndex.from_frame(printed[KIND].replace(same)).isin(measured)


@cache
def cells() -> pd.DataFrame:
    """Return every printed cell with its ``status``, ``by``, ``exact``, ``near`` and ``off``.

    ``by`` tells who computed ours of the same network or a sibling: "us" or "others".
    ``exact`` is equal to the last digit; ``near`` is that, or inside the 95 % interval of ours;
    ``off`` is ours less the printed number. All three are of the same network alone.
    """
    table = load_results("replication").fillna({"loss": ""}).astype({"table": str})
    table["status"] = table["relation"].map(NAMES["relations"])
    ours = ["recomputed", "low", "high"]
    table = pd.concat([table.assign(by="us"), by_others().assign(by="others")])
    table = table[[*CELL, "status", "by", *ours]]
    table = table.sort_values(
        "status", key=lambda s: s.map(list(STATUSES).index), kind="stable"
    )
    rows = printed_cells().merge(table.drop_duplicates(CELL), on=CELL, how="left")
    rows["status"] = rows["status"].where(
        rows["status"].notna(), np.where(in_kind(rows), "in kind", "print only")
    )
    rows["exact"] = [
        row.status == "same network"
        and round(row.recomputed, len(row.value.partition(".")[2])) == float(row.value)
        for row in rows.itertuples()
    ]
    printed, same = rows["value"].astype(float), rows["status"] == "same network"
    rows["near"] = same & (rows["exact"] | printed.between(rows["low"], rows["high"]))
    rows["off"] = (rows["recomputed"] - printed).where(same)
    return rows.drop(columns=ours)


def networks_drawn() -> pd.DataFrame:
    """Return the data set and the network, if it is one, behind each name that a figure may use."""
    columns = ["name", "dataset", "model"]
    public = frames.public_sources().dropna(subset=["known"])[columns]
    zoo = frames.read_table("zoo/zoo.csv").replace({"dataset": PRINTED_DATA})
    blocks = zoo.assign(name=zoo["block"].str.split()).explode("name")
    begun = pd.concat([public, zoo])
    begun["name"] = [
        list(accumulate(n.split("-"), "{}-{}".format)) for n in begun["name"]
    ]
    begun = begun.explode("name")
    begun = begun[~begun["name"].isin(public["name"])].assign(model="")
    rest_of_papers = pd.Series(NAMES["others"] | LOGS).explode().rename_axis("name")
    rest_of_papers = rest_of_papers.reset_index(name="dataset")
    rows = pd.concat([public, begun, blocks, rest_of_papers]).fillna({"model": ""})
    return rows[columns].drop_duplicates()


def figures() -> pd.DataFrame:
    """Return the figures of ``data/ledger/coverage.csv`` with their status."""
    rows = frames.read_table("ledger/coverage.csv").fillna("")
    rows = rows[rows["item"].str.startswith("Figure")]
    relations = load_results("replication")[
        ["paper", "source", "relation"]
    ].drop_duplicates()
    relations = relations.set_index(["paper", "source"])["relation"].to_dict()
    networks = networks_drawn()
    return rows.assign(
        status=[of_figure(row, networks, relations) for row in rows.itertuples()]
    )


def of_figure(
    row: Any, known: pd.DataFrame, relations: dict[tuple[str, str], str]
) -> str:
    """Return the status of one figure: the weakest over its networks, in kind for a formula."""
    if row.why_not:
        return "missing"
    if row.shows in ("simulation", "formula"):
        return "in kind" if row.shows in row.evidence.split() else "print only"
    networks = known[known["name"].isin(row.drawn.split())]
    statuses = set()
    for dataset, models in (line.split(": ") for line in row.shows.split("; ")):
        there = networks[networks["dataset"] == dataset]
        for model in models.split(", "):
            names = there.loc[there["model"] == model, "name"]
            same = {relations.get((row.paper, name)) for name in names}
            statuses.add(of_model(same, there))
    return max(statuses, key=list(STATUSES).index)


def of_model(relations: set[str | None], there: pd.DataFrame) -> str:
    """Return the status of one model of a figure, given our networks of its data set."""
    if "same network" in relations:
        return "same network"
    if relations:
        return "sibling"
    return "in kind" if len(there) else "print only"


def coverage_table(paper: str) -> pd.DataFrame:
    """Return how many cells of each table of a paper, and which figures, have which status."""
    rows = cells()
    rows = rows[rows["paper"] == paper]
    order = rows["table"].drop_duplicates().sort_values(key=lambda t: t.astype(int))
    counts = pd.crosstab(rows["table"], rows["status"]).reindex(
        order, columns=list(STATUSES)
    )
    table = counts.rename("Table {}".format).rename_axis(None).astype(float)
    if len(counts):
        table.loc["all tables, %"] = (100 * counts.sum() / counts.sum().sum()).round(1)
    table.loc["figures"] = figures().query("paper == @paper")["status"].value_counts()
    return table.fillna(0).map("{:g}".format).rename(columns=STATUSES)


def covered(paper: str) -> str:
    """Return one sentence on a paper's cells, in numbers."""
    rows = cells().query("paper == @paper")
    if rows.empty:
        return "The text at hand prints no table."
    percent = 100 * rows["status"].value_counts(normalize=True)
    share = percent.map("{:.0f}\N{NO-BREAK SPACE}%".format)
    exceptions = ", ".join(
        f"{words} ({share[s]})" for s, words in NAMES["beside"].items() if s in share
    )
    exact = rows[rows["status"] == "same network"]
    text = f"The {len(rows)} printed cells can be compared with: {exceptions}."
    if len(exact):
        equal = _exact_of(exact)
        text += f" On the paper's own networks {equal} come out to the last digit."
    by_us, theirs = exact[exact["by"] == "us"], exact[exact["by"] == "others"]
    if len(by_us) and len(theirs):
        metrics = ", ".join(theirs["metric"].unique())
        text += f" Of those that were computed here {_exact_of(by_us)} do,"
        text += f" of those that others computed ({metrics}) {_exact_of(theirs)}."
    return text


def _exact_of(rows: pd.DataFrame) -> str:
    return f"{rows['exact'].sum()} of {len(rows)}"


def gaps() -> pd.DataFrame:
    """Return what nothing was measured for: the cells of a data set, or a figure, and why."""
    bare = cells().query("status == 'print only'").groupby(["paper", "dataset"]).size()
    why_not = (
        figures()
        .query("status in ['print only', 'missing']")
        .set_index(["paper", "item"])["why_not"]
    )
    counts = bare.to_dict() | dict.fromkeys(why_not.index, 0)
    reasons = (
        frames.read_table("ledger/coverage-gaps.csv")
        .set_index(["paper", "item"])["why"]
        .to_dict()
    )
    reasons |= why_not[why_not != ""].to_dict()
    if unexplained := set(counts) ^ set(reasons):
        raise ValueError(
            f"coverage-gaps.csv: not what lacks a measurement: {sorted(unexplained)}"
        )
    rows = [(*key, counts[key], why) for key, why in reasons.items()]
    return pd.DataFrame(rows, columns=["paper", "item", "cells", "why"])


def to_fill() -> pd.DataFrame:
    """Return the cells that stay in print, one data set of a paper a row: why, what fills them."""
    reasons = frames.read_table("ledger/coverage-gaps.csv")[["paper", "item", "fill"]]
    rows = gaps().query("cells > 0").merge(reasons, how="left", validate="one_to_one")
    if rows["fill"].isna().any():
        absent = rows[rows["fill"].isna()][["paper", "item"]].to_numpy().tolist()
        raise ValueError(f"coverage-gaps.csv: not told what would fill {absent}")
    return rows


def place_of(row: Any) -> str:
    """Return the address of what stands behind a row of coverage.csv, from a page beside it."""
    if not row.label:
        return ""
    part, _, page = row.chapter.rpartition("/")
    return f"{'' if part == 'replicate' else f'../{part}/'}{page}.html#{row.label}"


def coverage_map() -> pd.DataFrame:
    """Return every table and figure in the papers' order: how many cells stand on what, and where.

    A figure counts as one, under its status. The columns are ``paper``, ``item``, the words of
    `STATUSES`, ``place`` and ``why_not``.
    """
    rows = frames.read_table("ledger/coverage.csv").fillna("")
    counts = cells().groupby(["paper", "table", "status"]).size().unstack(fill_value=0)
    drawn = figures().set_index(["paper", "item"])["status"]
    table = []
    for row in rows.itertuples():
        kind, number = row.item.split()
        count_of = dict.fromkeys(STATUSES, 0)
        if kind == "Figure":
            count_of[drawn[row.paper, row.item]] = 1
        elif (row.paper, number) in counts.index:
            count_of |= counts.loc[row.paper, number].to_dict()
        named = {STATUSES[status]: count for status, count in count_of.items()}
        about = {
            "paper": row.paper,
            "kind": kind,
            "number": int(number),
            "item": row.item,
        }
        table.append(about | named | {"place": place_of(row), "why_not": row.why_not})
    order = pd.Index(claims.PAPERS)
    rows = pd.DataFrame(table)
    rows["year"] = order.get_indexer(rows["paper"])
    rows = rows.sort_values(["year", "kind", "number"]).reset_index(drop=True)
    return rows.drop(columns=["year", "kind", "number"])
