"""What public answers of language models say, as tidy frames: one number a row.

The kinds of evidence are the sources of the answers. Errors, shares and confidences are in percent;
a model is a case, and what its kinds of confidence say of it are cells of one case. Models of one
family are kin, and a model with its quantised twins is one case.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from evidence.claims.frames import read_table
from evidence.data import NAMES
from evidence.language.answers import language_models, load_answers, load_lengths

Frame = Callable[..., pd.DataFrame]

LANGUAGE_METRIC_NAMES = NAMES["language"]
QUANTISED = "-(?:FP8|AWQ)$"
FIELDS = {
    subject: field for field, names in NAMES["fields"].items() for subject in names
}
ANSWERS_OF_OTHERS = "HaluEval-QA"


def in_percent(rows: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Return rows of these metrics with their names, and numbers in percent but the AUROCs."""
    rows = rows[rows["metric"].isin(LANGUAGE_METRIC_NAMES)]
    # an AUROC is a chance and stays a fraction
    factor = np.where(rows["metric"].str.startswith("auroc"), 1, 100)
    numbers = {column: rows[column] * factor for column in columns}
    return rows.assign(metric=rows["metric"].map(LANGUAGE_METRIC_NAMES), **numbers)


def with_families(rows: pd.DataFrame, source: str) -> pd.DataFrame:
    """Return the rows with their cases, a model, in ``tao`` with its quantised twins, and kin."""
    family = language_models().set_index("model")["family"]
    first_word = rows["model"].str.extract("^([A-Za-z]+)", expand=False)
    rows = rows.assign(
        case=rows["model"], kin=rows["model"].map(family).fillna(first_word)
    )
    if source != "tao":
        return rows
    twin = rows["model"].str.replace(QUANTISED, "", regex=True)
    twin = twin.where(twin.isin(family.index), rows["model"])
    return rows.assign(case=twin, twin=rows["model"])


def rows_of_source(source: str, name: str = "metrics_of_answers") -> pd.DataFrame:
    """Return the rows of a source in a table of ``data/results/language``.

    Questions without an answer are left out.
    """
    rows = read_table(f"results/language/{name}.csv")
    rows = rows[rows["source"] == source]
    return rows[rows["unanswered"] == "left out"] if "unanswered" in rows else rows


def sets(source: str) -> pd.DataFrame:
    """Return the metrics of each model on each whole data set by each kind of confidence.

    ``half`` and ``calibrated`` say on which side of the median the model's accuracy and its ECE
    lie, among the models with the same data set and kind of confidence.
    """
    rows = rows_of_source(source).query("group == 'all'").drop(columns="group")
    rows = rows.merge(language_models(), on="model", how="left", validate="many_to_one")
    asked_alike = rows.groupby(["dataset", "confidence"])
    median = asked_alike[["accuracy", "ece", "auroc"]].transform("median")
    rows = with_families(rows, source).assign(
        error=1 - rows["accuracy"],
        method=rows["confidence"],
        log_parameters=np.log10(rows["parameters"].astype(float)),
        half=np.where(
            rows["accuracy"] > median["accuracy"], "more accurate", "less accurate"
        ),
        calibrated=np.where(rows["ece"] < median["ece"], "better", "worse"),
        auroc_over_median=rows["auroc_high"] - median["auroc"],
    )
    about = [
        "dataset",
        "model",
        "case",
        "kin",
        "method",
        "family",
        "kind",
        "log_parameters",
    ]
    about += ["half", "calibrated", *(["twin"] if source == "tao" else [])]
    rows = rows.melt(about, list(LANGUAGE_METRIC_NAMES), var_name="metric")
    return in_percent(rows, ["value"]).dropna(subset=["value"])


def kinds(source: str) -> pd.DataFrame:
    """Return the metrics of two confidences of each model on the answers that have both."""
    rows = rows_of_source(source, "language_paired").query("comparison == 'kind'")
    rows = with_families(rows.assign(model=rows["first"]), source)
    rows = in_percent(
        rows.merge(language_models()[["model", "kind"]]),
        ["first_value", "second_value"],
    )
    first, second = rows["first_confidence"], rows["second_confidence"]
    rows = rows.assign(metric=rows["metric"] + ", " + first + " and " + second)
    tables = [
        rows.assign(method=rows[f"{side}_confidence"], value=rows[f"{side}_value"])
        for side in ("first", "second")
    ]
    columns = ["case", "kin", "twin", "kind", "method", "metric", "value"]
    return pd.concat(tables, ignore_index=True)[columns]


def ends(source: str) -> pd.DataFrame:
    """Return the end of two ECE's intervals that is the nearer to the other's, `stated` the lower.

    Where the upper end of the stated confidence's is below the lower end of the token's, it is
    clearly better calibrated.
    """
    rows = with_families(rows_of_source(source).query("group == 'all'"), source)
    upper = rows["confidence"] == "stated"
    value = 100 * rows["ece_high"].where(upper, rows["ece_low"])
    return rows.assign(method=rows["confidence"], metric="ECE, nearer end", value=value)


def tests_of_all_kinds() -> pd.DataFrame:
    """Return confidence and accuracy on Michael's six tests; LifeEval's by the life table."""
    names = {"probability": "Accuracy", "stated": "Mean confidence"}
    rows = sets("michael").query("method == 'stated' and metric in @names.values()")
    life = read_table("results/language/language_lifeeval.csv").groupby("model")
    means = 100 * life[list(names)].mean().rename(columns=names)
    means = means.rename_axis("case").reset_index().melt("case", var_name="metric")
    return pd.concat([rows, means.assign(dataset="LifeEval", method="stated")])


def models(source: str) -> pd.DataFrame:
    """Return the means of each model over the data sets that it answers itself."""
    rows = sets(source).query("dataset != @ANSWERS_OF_OTHERS")
    about = ["case", "kin", "method", "family", "kind", "log_parameters", "metric"]
    return rows.groupby(about, dropna=False)["value"].mean().reset_index()


def tuning(source: str) -> pd.DataFrame:
    """Return `sets` with a tuned model as the same case as its base."""
    rows = sets(source)
    tuned = rows["model"].str.endswith("-Instruct")
    base = rows["model"].str.removesuffix("-Instruct")
    return rows.assign(case=base, tuning=np.where(tuned, "after", "before"))


def changes(source: str) -> pd.DataFrame:
    """Return what a metric of a model changes by from another model on the same questions.

    ``surely``: the end of the interval over subjects that is nearer to zero, negative where zero
    lies inside; ``upper``: its upper end.
    """
    rows = rows_of_source(source, "language_paired")
    words = {"tuned": "tuning", "quantised": "quantisation", "reasoning": "reasoning"}
    from_to = " from " + rows["first_confidence"] + " to " + rows["second_confidence"]
    method = "change" + (" by " + rows["comparison"].map(words)).fillna(from_to)
    surely = rows["subject_low"].combine(-rows["subject_high"], max)
    rows = rows.assign(model=rows["second"], method=method, surely=surely)
    rows = with_families(rows.rename(columns={"subject_high": "upper"}), source)
    numbers = ["difference", "surely", "upper"]
    rows = in_percent(rows, numbers).drop(columns="twin").assign(case=rows["second"])
    rows["metric"] += ", " + rows["first_confidence"]
    rows = rows.melt(
        [name for name in rows if name not in numbers], numbers, var_name="of"
    )
    return rows.dropna(subset=["value", "method"])


def subjects(source: str) -> pd.DataFrame:
    """Return each model's mean AUROC and ECE over subjects of calculation and of knowledge."""
    about = ["model", "confidence"]
    rows = rows_of_source(source).melt(
        [*about, "group"], ["auroc", "ece"], var_name="metric"
    )
    rows = rows.assign(field=rows["group"].map(FIELDS)).dropna(subset=["field"])
    of_model = rows.groupby([*about, "metric"])["value"]
    rows = rows[
        of_model.transform(
            lambda values: len(values) == len(FIELDS) and values.notna().all()
        )
    ]
    means = rows.groupby(["metric", "field", *about])["value"].mean().reset_index()
    return with_families(
        in_percent(means.rename(columns={"confidence": "method"}), ["value"]), source
    )


def hardness(source: str) -> pd.DataFrame:
    """Return each model's correlation of overconfidence and accuracy over sets or subjects."""
    rows = rows_of_source(source).query("dataset != @ANSWERS_OF_OTHERS")
    across = np.where(rows["group"] == "all", "over data sets", "over subjects")
    rows = rows.assign(over=rows["mean_confidence"] - rows["accuracy"], metric=across)
    keys = ["metric", "model", "confidence"]
    groups = rows.groupby(keys).filter(lambda group: len(group) > 2).groupby(keys)
    correlation = groups.apply(
        lambda group: np.corrcoef(group["over"], group["accuracy"])[0, 1]
    )
    correlation = with_families(correlation.rename("value").reset_index(), source)
    return correlation.assign(method="correlation of overconfidence and accuracy")


def lengths() -> pd.DataFrame:
    """Return each model's rank correlation of a response's length and its stated confidence."""
    answers, length, correlations = load_answers("tao-mmlu-pro"), load_lengths(), {}
    for model, tokens, outcome, score in zip(
        answers.models,
        length,
        answers.outcome,
        answers.confidence["verbal"],
        strict=True,
    ):
        answered = ~np.isnan(score) & (outcome != 2)
        correlations[model] = (
            spearmanr(tokens[answered], score[answered]).statistic
            if answered.sum() > 2
            else np.nan
        )
    table = (
        pd.Series(correlations, name="value")
        .dropna()
        .rename_axis("model")
        .reset_index()
    )
    table = with_families(table.merge(language_models()[["model", "kind"]]), "tao")
    return table.assign(
        method="rank correlation of length and confidence", metric="length"
    )


def ages() -> pd.DataFrame:
    """Return how far each model's stated confidence lies above the life table's probability."""
    rows = read_table("results/language/language_lifeeval.csv")
    method, value = "stated confidence less life table", 100 * rows["bias"]
    return rows.assign(case=rows["model"], method=method, metric="bias", value=value)


def frames_of_source(source: str, *functions: Frame) -> dict[str, Frame]:
    """Return frames of one source, by the names of their functions."""
    return {function.__name__: partial(function, source) for function in functions}


FRAMES: dict[str, dict[str, Frame]] = {
    "alecwangcq": frames_of_source("alecwangcq", sets, tuning),
    "lifeeval": {"ages": ages},
    "michael": frames_of_source("michael", sets, models, hardness, ends)
    | {"tests_of_all_kinds": tests_of_all_kinds},
    "plaut": frames_of_source("plaut", sets, models, hardness),
    "tao": frames_of_source("tao", sets, kinds, models, changes, subjects, hardness)
    | {"lengths": lengths},
}
