"""What is known of people, groups, sets, abstention, new worlds and ensembles, as tidy frames.

A frame has one number a row; errors and shares are in percent, the seeds of one network are one
case.
"""

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import pandas as pd

from calib.constants import NORMAL_95
from evidence.claims import frames
from evidence.data import setting_of

MAPS = ("temperature", "vector", "isotonic", "histogram")
# a benchmark, and two of its data sets
MANY_CLASSES = ("imagenet-multiclass", "c100", "birds")


@cache
def datasets() -> dict[str, str]:
    """Return the data set of each public source, and of each network and setting of the zoo."""
    zoo = frames.zoo_cases()
    tables = [frames.public_sources(), zoo, zoo.assign(name=zoo["case"])]
    return pd.concat(tables).drop_duplicates("name").set_index("name")["dataset"]


def tidy(
    table: pd.DataFrame,
    method: str,
    metrics: dict[str, tuple[str, int]],
    *,
    split: str | None = None,
) -> pd.DataFrame:
    """Return one row a source, method and metric; `metrics` maps columns to (name, factor).

    `split` are words that the name of a metric ends in, of each row.
    """
    key = next(name for name in ("setting", "name", "source") if name in table)
    dataset = table[key].map(datasets()).fillna("MMLU")
    table = table.assign(case=setting_of(table[key]), dataset=dataset, method=method)
    columns = [
        table.assign(
            metric=name if split is None else name + split,
            value=factor * pd.to_numeric(table[column]),
        )
        for column, (name, factor) in metrics.items()
    ]
    return pd.concat(columns, ignore_index=True).dropna(subset=["value"])


def judged_by_people() -> pd.DataFrame:
    """Return the ECE of each prediction set by judge, on the samples that people dispute."""
    table = frames.read_table("results/promises/labels_of_people.csv")
    table = table[
        ~table["source"].isin(frames.REPEATED) & (table["judge"] != "true probability")
    ]
    # ChaosNLI: all of its samples are disputed
    chaos = table["source"].str.startswith("baan")
    table = table[table["samples"] == np.where(chaos, "all", "unclear")]
    judges = table.pivot(index=["source", "samples"], columns="judge", values="ece")
    difference = (
        (judges["majority"] - judges["people"]).abs().rename("apart").reset_index()
    )
    errors = tidy(table, table["judge"], {"ece": ("ECE", 100)})
    return pd.concat(
        [errors, tidy(difference, "majority or people", {"apart": ("Apart", 100)})]
    )


def imagenet_real_labels() -> pd.DataFrame:
    """Return the accuracy of ImageNet networks after AlexNet's time, by label and by ReaL."""
    left_out = [*frames.REPEATED, "northcutt-imagenet-alexnet"]
    table = frames.read_table("results/promises/imagenet_real_labels.csv").query(
        "samples == 'any'"
    )
    table = table[~table["source"].isin(left_out)]
    models = frames.public_sources().set_index("name")["model"]
    table["family"] = (
        table["source"].map(models).str.extract("^([A-Za-z]+)", expand=False)
    )
    return tidy(table, table["judge"], {"share": ("Accuracy", 100)})


def maps_of_groups() -> pd.DataFrame:
    """Return what each map leaves of the differences between groups, and the ends over splits."""
    table = frames.read_table("results/promises/group_maps.csv")
    names = {
        "brier": ("Top-1 Brier", 1),
        "nll": ("NLL", 1),
        "worst": ("Worst cell", 100),
    }
    of_ends = []
    for end, way in (("", 0), (", lower end", -NORMAL_95), (", upper end", NORMAL_95)):
        ends = {
            column: table[column] + way * table[f"{column}_sd"].fillna(0)
            for column in names
        }
        of_ends.append(tidy(table.assign(**ends), table["map"] + end, names))
    return pd.concat(of_ends, ignore_index=True)


def prediction_sets() -> pd.DataFrame:
    """Return size and coverage of prediction sets; `hot`: the temperature is above one."""
    table = frames.read_table("results/promises/set_sizes.csv")
    hot = (
        table[table["calibrator"] == "temperature"]
        .groupby("source")["temperature"]
        .first()
        > 1
    )
    table = table.assign(hot=table["source"].map(hot))
    method = table["score"] + ", " + table["calibrator"]
    sizes = tidy(table, method, {"size": ("Size", 1), "class_gap": ("Class gap", 100)})
    covered = tidy(
        table, "every score", {"coverage": ("Coverage", 100)}, split=" of " + method
    )
    return pd.concat([sizes, covered], ignore_index=True)


def set_temperature() -> pd.DataFrame:
    """Return the size of prediction sets along the temperature."""
    table = frames.read_table("results/promises/set_temperature.csv")
    return tidy(
        table, table["score"], {"size": ("Size", 1)}, split=" of " + table["score"]
    )


def abstention_public() -> pd.DataFrame:
    """Return the change of the AURC by each map, in percent of the AURC."""
    table = frames.read_table("results/promises/abstention_public.csv")
    before = table[table["calibrator"] == "none"].set_index("source")["aurc"]
    table = table.assign(change=table["aurc"] / table["source"].map(before) - 1)
    table = table[table["calibrator"].isin(MAPS)]
    by = " by " + table["calibrator"]
    return tidy(table, "every map", {"change": ("Change of AURC", 100)}, split=by)


def abstention_zoo() -> pd.DataFrame:
    """Return the AURC of the zoo's networks as trained; networks alike but for the loss are one."""
    table = frames.read_table("results/promises/abstention_zoo.csv").merge(
        frames.zoo_cases(), on="name"
    )
    table = table.query("calibrator == 'none' and label_noise == 0")
    areas = tidy(table, "Uncalibrated", {"aurc": ("AURC", 100)})
    all_but_loss = [
        "dataset",
        "architecture",
        "depth",
        "width",
        "epochs",
        "weight_decay",
    ]
    return areas.assign(case=areas[all_but_loss].astype(str).agg(" ".join, axis=1))


def class_priors() -> pd.DataFrame:
    """Return what was found and gained in worlds with other priors."""
    table = frames.read_table("results/promises/class_priors.csv")
    names = {"accuracy": ("Accuracy", 100), "prior_error": ("Error of priors", 100)}
    return tidy(table, table["calibrator"] + ", " + table["way"], names)


def worlds_of_priors() -> pd.DataFrame:
    """Return in which worlds with other priors EM made a source more accurate (1) or not (0).

    The worlds of a source are known by their number alone, so the better ones come first.
    """
    table = (
        frames.read_table("results/promises/class_priors.csv")
        .query("way == 'EM'")
        .reset_index(drop=True)
    )
    table = table.loc[table.index.repeat(table["n_worlds"])]
    world = table.groupby(level=0).cumcount()
    better = (table["n_worlds"] * pd.to_numeric(table["accuracy_better"])).round()
    table = table.assign(better=(world < better).astype(float))
    method = "worlds where EM raises the accuracy, " + table["calibrator"]
    number = " " + (world + 1).astype(str)
    return tidy(table, method, {"better": ("world", 1)}, split=number)


def ensembles() -> pd.DataFrame:
    """Return the metrics of members and ensembles of each setting of the zoo.

    ``lower end`` is the members' ECE and the lower end of what pooling adds to it, ``Gap`` is the
    confidence less the accuracy, ``Gain in accuracy`` that over the mean of the calibrated members.
    """
    table = frames.read_table("results/promises/ensembles.csv")
    names = {"nll": ("NLL", 1), "ece": ("ECE", 100), "accuracy": ("Accuracy", 100)}
    names |= {"gap": ("Gap", 100), "gain": ("Gain in accuracy", 100)}
    members = table[table["way"] == "members, calibrated"].set_index("setting")[
        "accuracy"
    ]
    table = table.assign(gain=table["accuracy"] - table["setting"].map(members))
    of = table["way"].map(
        {"pooled": "members", "calibrated, then pooled": "members, calibrated"}
    )
    errors = table.set_index(["setting", "way"])["ece"]
    table["end"] = table["ece_low"] + errors.reindex([table["setting"], of]).to_numpy()
    ends = tidy(table, table["way"] + ", lower end", {"end": ("ECE", 100)})
    return pd.concat([tidy(table, table["way"], names), ends], ignore_index=True)


def ensembles_of_others() -> pd.DataFrame:
    """Return by how much ensembles of text classifiers of others surpass their members' mean."""
    table = frames.read_table("tables/uncertainty_bench.csv")
    case = table["dataset"] + " " + table["network"]
    table = table.assign(
        case=case, author="uncertainty-bench", kin="TextCNN", metric="Accuracy"
    )
    members = table.assign(method="members", value=0.0)
    return pd.concat([members, table.assign(method="pooled", value=table["accuracy"])])


def maps_of_calarena() -> pd.DataFrame:
    """Return CalArena's own results: a row an experiment, map and metric.

    A metric ends in "a hundred classes or more" where these alone are meant.
    """
    table = frames.read_table("tables/calarena_maps.csv")
    about = ["benchmark", "dataset", "model"]
    rows = table.melt(about).dropna(subset=["value"])
    rows[["metric", "method"]] = rows["variable"].str.split(" ", n=1, expand=True)
    rows["value"] *= rows["metric"].map({"brier": 1, "nll": 1, "ece": 100})
    metric = rows["metric"].map({"brier": "Brier", "nll": "NLL", "ece": "ECE"})
    case = rows["benchmark"] + " " + rows["dataset"] + " " + rows["model"]
    rows = rows.assign(metric=metric, case=case, kin=rows["model"]).drop(
        columns="model"
    )
    many = rows[rows[["benchmark", "dataset"]].isin(MANY_CLASSES).any(axis=1)]
    again = many.assign(metric=many["metric"] + ", a hundred classes or more")
    return pd.concat([rows, again], ignore_index=True)


FRAMES: dict[str, dict[str, Callable[..., pd.DataFrame]]] = {
    "public": {
        "people": judged_by_people,
        "real": imagenet_real_labels,
        "groups": maps_of_groups,
        "sets": prediction_sets,
        "set_temperature": set_temperature,
        "abstention": abstention_public,
        "priors": class_priors,
        "prior_worlds": worlds_of_priors,
        "calarena": maps_of_calarena,
        "ensembles_of_others": ensembles_of_others,
    },
    "zoo": {
        "abstention": abstention_zoo,
        "ensembles": ensembles,
        "shift": partial(frames.zoo_folder, "shift"),
    },
}
