"""What public answers of language models say, as tidy frames: one number a row.

The kinds of evidence are the sources of the answers. Errors, shares and confidences are in percent;
a model is a case, and what its kinds of confidence say of it are cells of one case. Models of one
family are kin, and a model with its quantised twins is one case.
"""

from functools import partial

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from book.evidence.claims.frames import read_table
from book.evidence.language import language_models, load_answers, load_lengths

METRICS = {
    "accuracy": ("Accuracy", 100),
    "error": ("Error", 100),
    "risk_50": ("Error of the surest half", 100),
    "mean_confidence": ("Mean confidence", 100),
    "ece": ("ECE", 100),
    "ece_low": ("ECE, lower end", 100),
    "ece_chance": ("ECE by chance", 100),
    "auroc": ("AUROC", 1),
    "auroc_low": ("AUROC, lower end", 1),
}
OVER_MEDIAN = {"auroc_over_median": ("AUROC, upper end, less the median", 1)}
QUANTISED = "-(?:FP8|AWQ)$"
CALCULATED = ["business", "chemistry", "computer science", "engineering", "math", "physics"]
KNOWN = ["biology", "economics", "health", "history", "law", "philosophy", "psychology"]
ANSWERS_OF_OTHERS = "HaluEval-QA"
ALONE = ("MMLU", "MMLU-Pro", "LifeEval")  # a source of one test: its verdicts are on that test


def of_families(rows, source):
    """Return the rows with their cases, a model, in ``tao`` with its quantised twins, and kin."""
    family = language_models().set_index("model")["family"]
    first_word = rows["model"].str.extract("^([A-Za-z]+)", expand=False)
    rows = rows.assign(case=rows["model"], kin=rows["model"].map(family).fillna(first_word))
    if source != "tao":
        return rows
    twin = rows["model"].str.replace(QUANTISED, "", regex=True)
    twin = twin.where(twin.isin(family.index), rows["model"])
    return rows.assign(case=twin, twin=rows["model"])


def results(source):
    """Return the rows of a source in ``data/results/language.csv``, unanswered questions apart."""
    rows = read_table("results/language.csv")
    return rows[(rows["source"] == source) & (rows["unanswered"] == "left out")]


def sets(source):
    """Return the metrics of each model on each whole data set by each kind of confidence.

    ``half`` and ``calibrated`` say on which side of the median the model's accuracy and its ECE
    lie, among the models with the same data set and kind of confidence.
    """
    rows = results(source).query("group == 'all'").drop(columns="group")
    rows = rows.merge(language_models(), on="model", how="left", validate="many_to_one")
    alike = rows.groupby(["dataset", "confidence"])
    median = alike[["accuracy", "ece", "auroc"]].transform("median")
    about = ["dataset", "model", "case", "kin", "method", "family", "kind", "log_parameters"]
    about += ["half", "calibrated", *(["twin"] if source == "tao" else [])]
    rows = of_families(rows, source).assign(
        error=1 - rows["accuracy"],
        method=rows["confidence"],
        log_parameters=np.log10(rows["parameters"].astype(float)),
        half=np.where(rows["accuracy"] > median["accuracy"], "more accurate", "less accurate"),
        calibrated=np.where(rows["ece"] < median["ece"], "better", "worse"),
        auroc_over_median=rows["auroc_high"] - median["auroc"],
    )
    parts = [
        rows[about].assign(metric=name, value=factor * rows[column])
        for column, (name, factor) in (METRICS | OVER_MEDIAN).items()
    ]
    return pd.concat(parts, ignore_index=True).dropna(subset=["value"])


def kinds(source):
    """Return the metrics of two confidences of each model on the answers that have both."""
    rows = read_table("results/language_paired.csv")
    rows = rows[(rows["source"] == source) & (rows["comparison"] == "kind")]
    rows = rows[rows["metric"].isin(METRICS)].assign(model=rows["first"])
    rows = of_families(rows, source).merge(language_models()[["model", "kind"]], on="model")
    shown = rows["metric"].map(METRICS)
    both = shown.str[0] + ", " + rows["first_confidence"] + " and " + rows["second_confidence"]
    parts = [
        rows.assign(
            metric=both, method=rows[f"{one}_confidence"], value=rows[f"{one}_value"] * shown.str[1]
        )
        for one in ("first", "second")
    ]
    return pd.concat(parts, ignore_index=True)[
        ["case", "kin", "twin", "kind", "method", "metric", "value"]
    ]


def tests_of_all_kinds():
    """Return confidence and accuracy on all six tests of Michael et al.

    LifeEval's accuracy is the probability of the life table, and its widths are averaged.
    """
    rows = sets("michael").query("method == 'stated'")
    rows = rows[rows["metric"].isin(["Accuracy", "Mean confidence"])]
    life = read_table("results/language_lifeeval.csv").groupby("model")
    names = {"probability": "Accuracy", "stated": "Mean confidence"}
    means = 100 * life[list(names)].mean().rename(columns=names)
    means = means.rename_axis("case").reset_index().melt("case", var_name="metric")
    return pd.concat([rows, means.assign(dataset="LifeEval", method="stated")])


def models(source):
    """Return the means of each model over the data sets that it answers itself."""
    rows = sets(source).query("dataset != @ANSWERS_OF_OTHERS")
    about = ["case", "kin", "method", "family", "kind", "log_parameters", "metric"]
    return rows.groupby(about, dropna=False)["value"].mean().reset_index()


def tuning(source):
    """Return `sets` with a tuned model as the same case as its base."""
    rows = sets(source)
    tuned = rows["model"].str.endswith("-Instruct")
    base = rows["model"].str.removesuffix("-Instruct")
    return rows.assign(case=base, tuning=np.where(tuned, "after", "before"))


def changes(source):
    """Return what a metric of a model changes by from another model on the same questions.

    ``surely``: the end of the interval over subjects that is nearer to zero, negative where zero
    lies inside; ``upper``: its upper end.
    """
    rows = read_table("results/language_paired.csv")
    rows = rows[rows["source"] == source]
    words = {"tuned": "tuning", "quantised": "quantisation", "reasoning": "reasoning"}
    kinds = " from " + rows["first_confidence"] + " to " + rows["second_confidence"]
    method = "change" + (" by " + rows["comparison"].map(words)).fillna(kinds)
    rows = of_families(rows.assign(model=rows["second"]), source)
    rows = rows.assign(case=rows["second"], method=method).drop(columns="twin")
    rows = rows[rows["metric"].isin(METRICS)]
    names = rows["metric"].map({column: name for column, (name, _) in METRICS.items()})
    factor = rows["metric"].map({column: factor for column, (_, factor) in METRICS.items()})
    rows = rows.assign(metric=names + ", " + rows["first_confidence"])
    surely = rows["subject_low"].combine(-rows["subject_high"], max)
    parts = [
        rows.assign(value=rows["difference"] * factor, of="difference"),
        rows.assign(value=surely * factor, of="surely"),
        rows.assign(value=rows["subject_high"] * factor, of="upper"),
    ]
    return pd.concat(parts, ignore_index=True).dropna(subset=["value", "method"])


def subjects(source):
    """Return each model's mean AUROC and ECE over subjects of calculation and of knowledge."""
    rows = results(source)
    fields, means = {"calculation": CALCULATED, "knowledge": KNOWN}, {}
    for column in ("auroc", "ece"):
        name, factor = METRICS[column]
        table = rows.pivot(index=["model", "confidence"], columns="group", values=column).dropna()
        for field, within in fields.items():
            means[name, field] = factor * table[within].mean(axis=1)
    means = pd.concat(means, names=["metric", "field", "model", "method"])
    return of_families(means.rename("value").reset_index(), source)


def hardness(source):
    """Return each model's correlation of overconfidence and accuracy over sets or subjects."""
    rows = results(source).query("dataset != @ANSWERS_OF_OTHERS")
    rows = rows.assign(over=rows["mean_confidence"] - rows["accuracy"])
    whole = rows["group"] == "all"
    found = [
        {
            "model": model,
            "method": "correlation of overconfidence and accuracy",
            "confidence": confidence,
            "metric": across,
            "value": np.corrcoef(group["over"], group["accuracy"])[0, 1],
        }
        for across, part in (("over data sets", rows[whole]), ("over subjects", rows[~whole]))
        for (model, confidence), group in part.groupby(["model", "confidence"])
        if len(group) > 2
    ]
    return of_families(pd.DataFrame(found), source)


def lengths():
    """Return each model's rank correlation of a response's length and its stated confidence."""
    answers, length = load_answers("tao-mmlu-pro"), load_lengths()
    kind = language_models().set_index("model")["kind"]
    found = []
    for row, model in enumerate(answers.models):
        score = answers.confidence["verbal"][row]
        kept = ~np.isnan(score) & (answers.outcome[row] != 2)
        r = spearmanr(length[row, kept], score[kept]).statistic if kept.sum() > 2 else np.nan
        found.append({"model": model, "kind": kind[model], "value": r})
    named = of_families(pd.DataFrame(found).dropna(), "tao")
    return named.assign(method="rank correlation of length and confidence", metric="length")


def ages():
    """Return how far each model's stated confidence lies above the life table's probability."""
    rows = read_table("results/language_lifeeval.csv")
    method, value = "stated confidence less life table", 100 * rows["bias"]
    return rows.assign(case=rows["model"], method=method, metric="bias", value=value)


FRAMES = {
    "alecwangcq": {"sets": partial(sets, "alecwangcq"), "tuning": partial(tuning, "alecwangcq")},
    "lifeeval": {"ages": ages},
    "michael": {f.__name__: partial(f, "michael") for f in (sets, models, hardness)}
    | {"tests_of_all_kinds": tests_of_all_kinds},
    "plaut": {f.__name__: partial(f, "plaut") for f in (sets, models, hardness)},
    "tao": {
        f.__name__: partial(f, "tao") for f in (sets, kinds, models, changes, subjects, hardness)
    }
    | {"lengths": lengths},
}
