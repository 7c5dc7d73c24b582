"""What other sources of answers say of amounts of thirty language models."""

from functools import cache

import numpy as np
import pandas as pd

from evidence.claims import language_frames
from evidence.forecasts.second.asked_networks import MODELS, Forecast, new_models
from evidence.forecasts.second.expected_amounts import forecast_of_amount
from evidence.forecasts.second.registered import Line

TASKS = 8  # data sets of each model


@cache
def accuracy_and_ece_of_models() -> pd.DataFrame:
    """Return accuracy and ECE of language models with their source as author, one a row."""
    parts = [
        language_frames.sets(name).assign(author=name)
        for name in ("alecwangcq", "tao", "michael")
    ]
    rows = pd.concat(
        [*parts, language_frames.sets("plaut").assign(author="plaut", kind="chat")]
    )
    tuned = rows["model"].str.endswith("-Instruct").map({True: "chat", False: "base"})
    rows["kind"] = rows["kind"].where(rows["author"] != "alecwangcq", tuned)
    rows["tuning"] = rows["kind"].map({"base": "base", "chat": "instructed"})
    words = {
        "token": "logit",
        "choice": "logit",
        "verbal": "stated",
        "stated": "stated",
    }
    return rows.assign(confidence=rows["method"].map(words), total=rows["value"])


def changed_by_tuning(metric: str) -> pd.DataFrame:
    """Return what tuning adds to an error of a model, by a source that has both."""
    rows = language_frames.changes("tao").query(
        "of == 'difference' and method == 'change by tuning'"
    )
    rows = rows[rows["metric"] == metric]
    return rows.assign(dataset="MMLU-Pro", author="tao", total=rows["value"])


def stated_less_logit() -> pd.DataFrame:
    """Return the ECE of stated confidence less that of logits, of tuned models that have both."""
    rows = accuracy_and_ece_of_models().query(
        "metric == 'ECE' and tuning == 'instructed'"
    )
    keys = ["dataset", "author", "kin", "model"]
    table = rows.pivot_table(index=keys, columns="confidence", values="total").dropna()
    return (table["stated"] - table["logit"]).rename("total").reset_index()


def numbers_of_models(metric: str, confidence: str, tuning: str) -> pd.DataFrame:
    """Return a metric of language models by a kind of confidence."""
    chosen = "metric == @metric and confidence == @confidence and tuning == @tuning"
    return accuracy_and_ece_of_models().query(chosen)


OF_MODELS = {
    f"amount-{name}-{tuning}": (metric, confidence, tuning)
    for tuning in ("base", "instructed")
    for name, metric, confidence in (
        ("accuracy", "Accuracy", "logit"),
        ("logit", "ECE", "logit"),
        ("stated", "ECE", "stated"),
    )
}


DIFFERENCES = {
    "amount-tuning-logit": lambda: changed_by_tuning("ECE, token"),
    "amount-tuning-stated": lambda: changed_by_tuning("ECE, verbal"),
    "amount-stated-less-logit": stated_less_logit,
}


def forecast_of_language(line: Line) -> Forecast | None:
    """Return what other sources say of an amount of the thirty models, None if nothing."""
    if line.id in OF_MODELS:
        rows = numbers_of_models(*OF_MODELS[line.id])
    elif line.id in DIFFERENCES:
        rows = DIFFERENCES[line.id]()
    else:
        return None
    new = new_models(MODELS, n_datasets=TASKS)
    columns = ["dataset", "author", "kin", "total"]
    return forecast_of_amount(
        rows[columns].dropna(), new, np.full(len(new), 1 / len(new)), line
    )
