"""The evidence on people, groups, sets, abstention, new worlds and ensembles, as tidy frames.

One number a row: ``metric``, ``method``, ``case``, ``value``, and what a claim selects by. Errors
and shares are in percent.
"""

import pandas as pd

from book.evidence.claims.frames import REPEATED, read_table, zoo_index


def tidy(table, case, method, metrics):
    """Return one row a case, method and metric; `metrics` maps columns to (name, factor)."""
    parts = [
        table.assign(
            case=table[case],
            method=method,
            metric=name,
            value=factor * pd.to_numeric(table[column]),
        )
        for column, (name, factor) in metrics.items()
    ]
    return pd.concat(parts, ignore_index=True).dropna(subset=["value"])


def people():
    """Return the ECE of each prediction set by judge, on the samples that people dispute."""
    table = read_table("results/people.csv")
    table = table[~table["source"].isin(REPEATED) & (table["judge"] != "true probability")]
    chaos = table["source"].str.startswith("baan")  # ChaosNLI: all of its samples are disputed
    disputed = (chaos & (table["samples"] == "all")) | (~chaos & (table["samples"] == "unclear"))
    table = table[disputed].assign(group="disagreement")
    return tidy(table, "source", table["judge"], {"ece": ("ECE", 100)})


def real():
    """Return the gains in accuracy over AlexNet of ImageNet networks, by label and by ReaL."""
    table = read_table("results/real.csv")
    table = table[(table["samples"] == "any") & ~table["source"].isin(REPEATED)]
    base = table[table["source"] == "northcutt-imagenet-alexnet"].set_index("judge")["share"]
    table = table[table["source"] != "northcutt-imagenet-alexnet"]
    table = table.assign(gain=table["share"] - table["judge"].map(base))
    return tidy(table, "source", table["judge"], {"gain": ("Gain over AlexNet", 100)})


def groups():
    """Return what each map leaves of the differences between groups."""
    table = read_table("results/group_maps.csv")
    names = {"brier": ("Top-1 Brier", 1), "nll": ("NLL", 1), "worst": ("Worst cell", 100)}
    return tidy(table, "source", table["map"], names | {"spread": ("Spread", 100)})


def sets():
    """Return size and coverage of prediction sets; `hot`: the temperature is above one."""
    table = read_table("results/sets.csv")
    hot = table[table["calibrator"] == "temperature"].groupby("source")["temperature"].first() > 1
    table = table.assign(hot=table["source"].map(hot))
    method = table["score"] + ", " + table["calibrator"]
    names = {"size": ("Size", 1), "class_gap": ("Class gap", 100)}
    found = tidy(table, "source", method, names)
    every = table.assign(case=table["source"] + ", " + method, score_of=method)
    covered = tidy(every, "case", "every score", {"coverage": ("Coverage", 100)})
    return pd.concat([found, covered.assign(method="every score")], ignore_index=True)


def set_temperature():
    """Return the size of prediction sets along the temperature."""
    table = read_table("results/set_temperature.csv")
    table = table.assign(case=table["source"] + ", " + table["score"])
    return tidy(table, "case", table["score"], {"size": ("Size", 1)})


def abstention():
    """Return the change of the AURC by each map, in percent of the AURC."""
    table = read_table("results/abstention.csv")
    before = table[table["calibrator"] == "none"].set_index("source")["aurc"]
    table = table.assign(change=table["aurc"] / table["source"].map(before) - 1)
    table = table[table["calibrator"].isin(["temperature", "vector", "isotonic", "histogram"])]
    table = table.assign(case=table["source"] + ", " + table["calibrator"])
    return tidy(table, "case", "every map", {"change": ("Change of AURC", 100)})


def abstention_zoo():
    """Return the AURC of the zoo's networks, and the index."""
    table = read_table("results/abstention_zoo.csv").merge(zoo_index(), on="name")
    method = table["calibrator"].map({"none": "Uncalibrated", "temperature": "Temperature scaling"})
    found = tidy(table, "case", method, {"aurc": ("AURC", 100)})
    same = ["dataset", "architecture", "depth", "width", "epochs", "weight_decay"]
    siblings = found[same].astype(str).agg(" ".join, axis=1)
    return (
        found.assign(case=siblings, seed=0)
        .groupby(["metric", "method", "case", "loss", "label_noise"], as_index=False)["value"]
        .mean()
    )


def priors():
    """Return what was found and gained in worlds with other priors."""
    table = read_table("results/priors.csv")
    names = {"accuracy": ("Accuracy", 100), "prior_error": ("Error of priors", 100)}
    method = table["calibrator"] + ", " + table["way"]
    return tidy(table, "source", method, names | {"nll": ("NLL", 1)})


def ensembles():
    """Return the metrics of members and ensembles of each setting of the zoo."""
    table = read_table("results/ensembles.csv")
    names = {"nll": ("NLL", 1), "ece": ("ECE", 100), "accuracy": ("Accuracy", 100)}
    return tidy(table, "setting", table["way"], names)


PUBLIC = {
    "people": people,
    "real": real,
    "groups": groups,
    "sets": sets,
    "set_temperature": set_temperature,
    "abstention": abstention,
    "priors": priors,
}
ZOO = {"abstention": abstention_zoo, "ensembles": ensembles}
