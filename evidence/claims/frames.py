"""The evidence as tidy frames, one number a row, in the names and units of the papers."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from evidence import data

METRIC_NAMES = {
    "accuracy": "Accuracy",
    "confidence": "Confidence",
    "ece": "ECE",
    "ece_25": "ECE (25 bins)",
    "mce": "MCE",
    "ks": "KS",
    "ks_error": "KS",
    "ks_top_2": "KS top-2",
    "ks_top_3": "KS top-3",
    "ks_within_2": "KS within-top-2",
    "classwise_ece": "cwECE",
    "ace": "ACE",
    "tace": "TACE",
    "tace_0.001": "TACE 0.001",
    "tace_0.0001": "TACE 0.0001",
    "nll": "NLL",
    "brier": "Brier",
    "top1_brier": "Top-1 Brier",
    "top2_brier": "Top-2 Brier",
}
# of Gupta's Table 7; the frozen forecasts measure `METRIC_NAMES` alone
KDE = {"kde_ece": "KDE-ECE"}
NOT_PERCENT = ("NLL", "Brier", "Top-1 Brier", "Top-2 Brier")
METHODS = data.NAMES["methods"]
REPEATED = tuple(data.NAMES["repeated"]["names"])


def read_table(path: str) -> pd.DataFrame:
    """Return a declared CSV file as a frame."""
    return data.csv_frame(data.read_declared(path))


def as_printed(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with the papers' names of metrics and methods, errors in percent."""
    rows = rows.assign(
        metric=rows["metric"].map(METRIC_NAMES | KDE),
        method=rows["calibrator"].map(METHODS),
    )
    rows = rows.dropna(subset=["metric", "method"])
    as_it_is = rows["metric"].isin(NOT_PERCENT)
    return rows.assign(value=rows["value"].where(as_it_is, 100 * rows["value"]))


def public_sources() -> pd.DataFrame:
    """Return what is known of the public predictions of networks, of people and of speech."""
    return pd.concat(
        [read_table("sources/sources.csv"), read_table("sources/sources-promises.csv")]
    )


def with_cases(
    rows: pd.DataFrame,
    evidence: str | None = None,
    left_out: tuple[str, ...] = REPEATED,
) -> pd.DataFrame:
    """Return rows with case and data set, of all networks or of one kind, without repeated ones."""
    zoo = zoo_cases()
    datasets = pd.concat([read_table("sources/sources.csv"), zoo])[["name", "dataset"]]
    rows = rows[~rows["name"].isin(left_out)].merge(
        datasets.drop_duplicates("name"), on="name"
    )
    rows = rows.assign(case=data.setting_of(rows["name"]))
    if evidence is None:
        return rows
    ours = rows["name"].isin(zoo["name"])
    return rows[ours if evidence == "zoo" else ~ours]


def split_half(evidence: str | None = None) -> pd.DataFrame:
    """Return how often two halves of a test set name different best methods, one pair a row."""
    rows = with_cases(read_table("results/maps/best_maps_of_halves.csv"), evidence)
    return rows.assign(
        first=rows["first"].map(METRIC_NAMES), second=rows["second"].map(METRIC_NAMES)
    )


def chance_of_another_best(
    methods: str,
    metric: str,
    evidence: str | None = None,
    *,
    by: str | None = None,
    worst: bool = False,
) -> float:
    """Return in how many splits two halves of a test set name different best (or worst) methods.

    `methods` says whose methods compete: "guo", "nixon", "gupta" or "vasilev". One half is ranked
    by `metric`, the other `by` another, or by the same, which gives what chance makes differ. NaN
    if the metrics were not split.
    """
    rows = (
        split_half(evidence).query("methods == @methods").set_index(["first", "second"])
    )
    pair = (metric, by or metric)
    return float(
        rows[rows.index.isin([pair, pair[::-1]])][
            "worst_differs" if worst else "differs"
        ].mean()
    )


def sizes() -> pd.DataFrame:
    """Return the maps fitted on calibration sets of several sizes, one fit a row."""
    rows = read_table("results/maps/calibration_set_sizes.csv").rename(
        columns={"source": "name"}
    )
    return with_cases(rows, left_out=()).assign(case=lambda networks: networks["name"])


def held_out() -> pd.DataFrame:
    """Return the metrics of public predictions on held-out samples."""
    rows = pd.concat(
        [
            read_table("results/networks/metrics_of_public_networks.csv"),
            read_table("results/networks/more_maps_and_networks.csv"),
        ]
    )
    rows = as_printed(rows.query("samples == 'held out' and source not in @REPEATED"))
    about = public_sources()[["name", "known", "dataset", "model"]].rename(
        columns={"name": "case"}
    )
    return rows.assign(case=rows["source"]).merge(about, on="case")


def on_one_sample() -> pd.DataFrame:
    """Return the public metrics, all of a network on the same images, so that two can be paired.

    They are ours, and those of CalArena for networks that we do not have.
    """
    rows, theirs = held_out(), calarena()
    return pd.concat(
        [rows, theirs[~theirs["same"].isin(rows["source"])]], ignore_index=True
    )


def public_metrics() -> pd.DataFrame:
    """Return the metrics of public predictions on held-out samples, and those of CalArena.

    A metric of a network that both have counts once: ours if whole vectors are at hand.
    """
    rows, theirs = held_out(), calarena()
    whole = rows.loc[rows["known"].isin(["logits", "probabilities"]), "source"]
    theirs = theirs[~theirs["same"].isin(whole)]
    key = pd.MultiIndex.from_frame(rows[["source", "metric"]])
    measured = key.isin(pd.MultiIndex.from_frame(theirs[["same", "metric"]]))
    return pd.concat([rows[~measured], theirs], ignore_index=True)


def calarena() -> pd.DataFrame:
    """Return another group's metrics of 28 networks before and after the papers' methods.

    ``same`` is the source of the same network, whole or by its first choices, if there is one.
    """
    rows = read_table("tables/calarena.csv")
    names = "calarena " + rows["dataset"] + " " + rows["model"]
    names = names.str.lower().str.replace(r"[^a-z0-9]+", "-", regex=True).str.strip("-")
    return rows.assign(
        case=names, same=names.map(data.NAMES["same_networks"]), known="logits"
    )


SAME_DATA = {  # however many images or sentences of it a network saw, and in which form
    "cifar10-10k": "cifar10",
    "cifar10-60k": "cifar10",
    "cifar100-25k": "cifar100",
    "sst2-trees": "sst2",
}


def zoo_cases() -> pd.DataFrame:
    """Return the zoo's index with each network's configuration as its case."""
    index = read_table("zoo/zoo.csv").replace({"dataset": SAME_DATA})
    return index.assign(
        case=data.setting_of(index["name"]),
        loss=index["loss"].map(data.NAMES["losses"]),
        siblings=index["family"],
        error=100 * (1 - index["test_accuracy"]),
        log_parameters=np.log10(index["parameters"]),
    )


def zoo_metrics() -> pd.DataFrame:
    """Return the metrics of the zoo's networks, and the index."""
    return as_printed(read_table("results/networks/metrics_of_zoo.csv")).merge(
        zoo_cases(), on="name"
    )


def details(evidence: str) -> pd.DataFrame:
    """Return how the ECE of each network comes about, one quantity a row."""
    rows = with_cases(read_table("results/networks/ece_details.csv"), evidence)
    spread = rows["ece_highest"] - rows["ece_lowest"]
    quantities = {
        "ece_range": 100 * spread,
        "ece_relative_range": spread / rows["ece"],
        "two_heaviest_bins": rows["two_heaviest_bins"],
        "class_gap_p": rows["class_gap_p"],
        "ece_range by chance": 100 * rows["ece_range_chance"],
        "KS top-3 by chance": 100 * rows["ks_top_3_chance"],
    }
    about = ["name", "dataset", "case"]
    rows = rows[about].assign(**quantities).melt(about, var_name="metric").dropna()
    return rows.assign(method="Uncalibrated")


def third_choice(evidence: str) -> pd.DataFrame:
    """Return the KS error of the third choice, and what it is by chance."""
    rows = pd.concat(
        [public_metrics() if evidence == "public" else zoo_metrics(), details(evidence)]
    )
    return rows[rows["metric"].isin(["KS top-3", "KS top-3 by chance"])]


def quba() -> pd.DataFrame:
    """Return the 326 ImageNet networks of others; `value` is their calibration error.

    It is the geometric mean of the top-label ECE and the classwise adaptive error, so nothing to
    be compared with an ECE. Siblings are a family with one way of training. Two networks, which
    have each other's names in the table, have their own here.
    """
    rows = read_table("tables/quba.csv").replace({"model": data.NAMES["exchanged"]})
    group = rows["family"] + ", " + rows["pretraining"] + ", " + rows["setup"]
    return rows.assign(
        value=rows["calibration_error"],
        dataset="ImageNet",
        case=rows["model"].str.lower(),
        author="quba",
        siblings=group.where(rows["family"].notna()),
        error=1 - rows["accuracy"],
        log_parameters=np.log10(rows["parameters"]),
    )


def calibench() -> pd.DataFrame:
    """Return another group's errors of ImageNet networks, clean and shifted."""
    rows = read_table("tables/calibench.csv")
    kind = (
        rows["model"].str.contains("ViT|Swin").map({True: "transformer", False: "CNN"})
    )
    return rows.assign(
        case=rows["dataset"] + " " + rows["model"], author="calibench", kind=kind
    )


def shifted() -> pd.DataFrame:
    """Return two groups' metrics of ImageNet networks, on clean and on other images.

    The networks of the second are one ResNet-50, trained in several ways; ensembles are no networks
    and left out. ``away`` is "shifted" of corrupted images and of drawings.
    """
    first = calibench().query("file == 'tables' and dataset == 'ImageNet'")
    rows = read_table("tables/uncertainty_baselines.csv")
    rows = rows[~rows["training"].str.contains("Ensemble4")]
    second = rows.melt(
        ["training", "images"], ["accuracy", "ece", "nll"], "metric"
    ).dropna()
    second = second.assign(
        dataset="ImageNet",
        shift=second["images"].map({"ImageNet": "none", "ImageNet-C": "corrupted"}),
        model="ResNet-50",
        method="Uncalibrated",
        metric=second["metric"].map(METRIC_NAMES),
        case="ImageNet ResNet-50, " + second["training"],
        author="baselines",
    )
    rows = pd.concat([first, second.dropna(subset=["shift"])], ignore_index=True)
    away = {"none": "clean", "corrupted": "shifted", "sketch": "shifted"}
    return rows.assign(away=rows["shift"].map(away))


def zoo_folder(folder: str) -> pd.DataFrame:
    """Return the training curves, or the metrics under shift, of all networks that have them."""
    index = zoo_cases()
    there = [
        n
        for n in index["name"]
        if (data.data_folder() / f"zoo/{folder}/{n}.csv").is_file()
    ]
    if not there:
        return pd.DataFrame(
            columns=["split", "severity", "metric", "method", *index.columns]
        )
    rows = pd.concat(
        [read_table(f"zoo/{folder}/{n}.csv").assign(name=n) for n in there]
    )
    if "calibrator" not in rows:
        rows = rows.assign(calibrator="none")
    numbers = [metric for metric in METRIC_NAMES if metric in rows]
    keys = [column for column in rows if column not in numbers]
    rows = as_printed(rows.melt(keys, numbers, var_name="metric"))
    return rows.merge(index, on="name")


def frames_of_networks(evidence: str) -> dict[str, Callable[..., Any]]:
    """Return the frames that are there of public networks and of ours."""
    return {
        f.__name__: partial(f, evidence) for f in (details, third_choice, split_half)
    }


FRAMES: dict[str, dict[str, Callable[..., pd.DataFrame]]] = {
    "published": {"tables": data.load_published},
    "public": {
        "metrics": public_metrics,
        "on one sample": on_one_sample,
        "sizes": sizes,
        "quba": quba,
        "calibench": calibench,
        "shifted": shifted,
        **frames_of_networks("public"),
    },
    "zoo": {
        "metrics": zoo_metrics,
        "curves": partial(zoo_folder, "curves"),
        "shift": partial(zoo_folder, "shift"),
        **frames_of_networks("zoo"),
    },
    # how far PSCE curves of calibrated scores miss near the edges, one sample a row
    "simulation": {"psce_edge": partial(read_table, "results/metrics/psce_edge.csv")},
}
