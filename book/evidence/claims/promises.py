"""What is known of people, groups, sets, abstention, new worlds and ensembles, as tidy frames.

A frame has one number a row; errors and shares are in percent, the seeds of one network are one
case.
"""

import pandas as pd

from book.evidence.claims.frames import REPEATED, read_table, zoo_cases, zoo_folder
from book.evidence.claims.rule import Z95

SEED = r"-s\d+$"
MAPS = ("temperature", "vector", "isotonic", "histogram")


def datasets():
    """Return the data set of each public source."""
    lists = [read_table(f"sources{part}.csv") for part in ("", "-promises")]
    known = pd.concat(lists).set_index("name")["dataset"]
    return lambda source: known.get(source, "MMLU")


def tidy(table, method, metrics, dataset=None):
    """Return one row a source, method and metric; `metrics` maps columns to (name, factor)."""
    key = "setting" if "setting" in table else "name" if "name" in table else "source"
    of = dataset or datasets()
    parts = [
        table.assign(
            case=table[key].str.replace(SEED, "", regex=True),
            dataset=table[key].map(of),
            method=method,
            metric=name,
            value=factor * pd.to_numeric(table[column]),
        )
        for column, (name, factor) in metrics.items()
    ]
    return pd.concat(parts, ignore_index=True).dropna(subset=["value"])


def people():
    """Return the ECE of each prediction set by judge, on the samples that people dispute.

    ``majority or people``: how far the ECE by majority and that by people lie apart.
    """
    table = read_table("results/people.csv")
    table = table[~table["source"].isin(REPEATED) & (table["judge"] != "true probability")]
    chaos = table["source"].str.startswith("baan")  # ChaosNLI: all of its samples are disputed
    disputed = (chaos & (table["samples"] == "all")) | (~chaos & (table["samples"] == "unclear"))
    table = table[disputed]
    found = tidy(table, table["judge"], {"ece": ("ECE", 100)})
    judges = table.pivot(index=["source", "samples"], columns="judge", values="ece")
    apart = (judges["majority"] - judges["people"]).abs().rename("apart").reset_index()
    return pd.concat([found, tidy(apart, "majority or people", {"apart": ("Apart", 100)})])


def real():
    """Return the accuracy of ImageNet networks after AlexNet's time, by label and by ReaL."""
    table = read_table("results/real.csv")
    left_out = [*REPEATED, "northcutt-imagenet-alexnet"]
    table = table[(table["samples"] == "any") & ~table["source"].isin(left_out)]
    models = read_table("sources.csv").set_index("name")["model"]
    family = table["source"].map(models).str.extract("^([A-Za-z]+)", expand=False)
    return tidy(table.assign(family=family), table["judge"], {"share": ("Accuracy", 100)})


def groups():
    """Return what each map leaves of the differences between groups, and the ends over splits."""
    table = read_table("results/group_maps.csv")
    names = {"brier": ("Top-1 Brier", 1), "nll": ("NLL", 1), "worst": ("Worst cell", 100)}
    ends = {
        end: table.assign(**{c: table[c] + way * table[f"{c}_sd"] for c in names})
        for end, way in ((", lower end", -Z95), (", upper end", Z95))
    }
    parts = [tidy(rows, table["map"] + end, names) for end, rows in ends.items()]
    return pd.concat([tidy(table, table["map"], names), *parts], ignore_index=True)


def sets():
    """Return size and coverage of prediction sets; `hot`: the temperature is above one."""
    table = read_table("results/sets.csv")
    hot = table[table["calibrator"] == "temperature"].groupby("source")["temperature"].first() > 1
    table = table.assign(hot=table["source"].map(hot))
    method = table["score"] + ", " + table["calibrator"]
    found = tidy(table, method, {"size": ("Size", 1), "class_gap": ("Class gap", 100)})
    covered = tidy(table, "every score", {"coverage": ("Coverage", 100)})
    covered["metric"] += " of " + covered["score"] + ", " + covered["calibrator"]
    return pd.concat([found, covered], ignore_index=True)


def set_temperature():
    """Return the size of prediction sets along the temperature."""
    table = read_table("results/set_temperature.csv")
    found = tidy(table, table["score"], {"size": ("Size", 1)})
    return found.assign(metric=found["metric"] + " of " + found["score"])


def abstention():
    """Return the change of the AURC by each map, in percent of the AURC."""
    table = read_table("results/abstention.csv")
    before = table[table["calibrator"] == "none"].set_index("source")["aurc"]
    table = table.assign(change=table["aurc"] / table["source"].map(before) - 1)
    table = table[table["calibrator"].isin(MAPS)]
    found = tidy(table, "every map", {"change": ("Change of AURC", 100)})
    return found.assign(metric=found["metric"] + " by " + found["calibrator"])


def abstention_zoo():
    """Return the AURC of the zoo's networks as trained; networks alike but for the loss are one."""
    index = zoo_cases().drop(columns="case")
    table = read_table("results/abstention_zoo.csv").merge(index, on="name")
    table = table[(table["calibrator"] == "none") & (table["label_noise"] == 0)]
    found = tidy(table, "Uncalibrated", {"aurc": ("AURC", 100)}, _dataset_of(index))
    alike = ["dataset", "architecture", "depth", "width", "epochs", "weight_decay"]
    return found.assign(case=found[alike].astype(str).agg(" ".join, axis=1))


def priors():
    """Return what was found and gained in worlds with other priors."""
    table = read_table("results/priors.csv")
    names = {"accuracy": ("Accuracy", 100), "prior_error": ("Error of priors", 100)}
    return tidy(table, table["calibrator"] + ", " + table["way"], names)


def prior_worlds():
    """Return in which worlds with other priors EM made a source more accurate (1) or not (0).

    The worlds of a source are known by their number alone, so the better ones come first.
    """
    table = read_table("results/priors.csv").query("way == 'EM'").reset_index(drop=True)
    table = table.loc[table.index.repeat(table["n_worlds"])]
    world = table.groupby(level=0).cumcount()
    better = (table["n_worlds"] * pd.to_numeric(table["accuracy_better"])).round()
    table = table.assign(better=(world < better).astype(float))
    method = "worlds where EM raises the accuracy, " + table["calibrator"]
    found = tidy(table, method, {"better": ("World", 1)})
    return found.assign(metric="world " + (world + 1).astype(str).to_numpy())


def ensembles():
    """Return the metrics of members and ensembles of each setting of the zoo.

    ``lower end`` is that of an ECE's interval, ``Gap`` is the confidence less the accuracy, ``Gain
    in accuracy`` that over the mean of the calibrated members.
    """
    table = read_table("results/ensembles.csv")
    names = {"nll": ("NLL", 1), "ece": ("ECE", 100), "accuracy": ("Accuracy", 100)}
    names |= {"gap": ("Gap", 100), "gain": ("Gain in accuracy", 100)}
    members = table[table["way"] == "members, calibrated"].set_index("setting")["accuracy"]
    table = table.assign(gain=table["accuracy"] - table["setting"].map(members))
    of = _dataset_of(zoo_cases())
    ends = tidy(table, table["way"] + ", lower end", {"ece_low": ("ECE", 100)}, of)
    return pd.concat([tidy(table, table["way"], names, of), ends], ignore_index=True)


def _dataset_of(index):
    stems = index["name"].str.replace(SEED, "", regex=True)
    known = dict(zip(stems, index["dataset"], strict=True))
    known |= dict(zip(index["name"], index["dataset"], strict=True))
    return known.get


MANY_CLASSES = ("imagenet-multiclass", "c100", "birds")  # a benchmark, and two of its data sets


def calarena():
    """Return CalArena's own results: a row an experiment, map and metric."""
    table = read_table("tables/calarena_maps.csv")
    many = table["benchmark"].isin(MANY_CLASSES) | table["dataset"].isin(MANY_CLASSES)
    parts = []
    for column in table.columns[3:]:
        short, name = column.split(" ", 1)
        metric, factor = {"brier": ("Brier", 1), "nll": ("NLL", 1), "ece": ("ECE", 100)}[short]
        known = table.assign(
            case=table["benchmark"] + " " + table["dataset"] + " " + table["model"],
            kin=table["model"],
            method=name,
            metric=metric,
            value=factor * pd.to_numeric(table[column]),
        )[["dataset", "case", "kin", "method", "metric", "value"]]
        again = known[many].assign(metric=f"{metric}, a hundred classes or more")
        parts += [known, again]
    return pd.concat(parts, ignore_index=True).dropna(subset=["value"])


PUBLIC = (people, real, groups, sets, set_temperature, abstention, priors, prior_worlds, calarena)
FRAMES = {
    "public": {f.__name__: f for f in PUBLIC},
    "zoo": {
        "abstention": abstention_zoo,
        "ensembles": ensembles,
        "shift": lambda: zoo_folder("shift"),
    },
}
