"""What the ledger expects of the second set.

The model of shares (`new_networks`) is asked about the networks themselves: on this data
set, by an author that it does not know, of models that it may know from others. A sentence of the
ledger has the probability that a network agrees, or that more than half of the fourteen do; an
amount has the random-effects mean of the networks, predicted for these. What the evidence of the
ledger cannot tell is left empty. The list of the forecasts is sealed with these columns
(`with_columns`); nothing writes them again.
"""

import re
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from evidence.claims import frames, language_frames, promise_frames, stored
from evidence.data import csv_frame, read_declared
from evidence.forecasts.second import line_rules, registered
from evidence.forecasts.second.new_networks import Coins, coins, predicted
from evidence.forecasts.second.registered import Line, NoAnswerError

SPREADS = "forecasts/registered-2-spreads.csv"
QUANTILES = {"low_90": 0.05, "low_50": 0.25, "high_50": 0.75, "high_90": 0.95}
COLUMNS = [
    "ledger_probability",
    *(f"ledger_{end}" for end in QUANTILES),
    "base_probability",
]
SURE = 0.001  # no forecast is nearer to zero or one
# which was taken for a network of another author when the ledger was asked, and left out
LEFT_OUT = "calarena-imagenet-resnet-152"
WHOLE_COLUMN = re.compile(r"\.(rank|min)\(")  # an expression that compares networks
CHANGES = {"temperature", "vector", "isotonic", "histogram"}
Forecast = dict[str, float]  # a probability, or the ends of intervals
TASKS, MODELS = 8, 15  # of the thirty models, half are tuned


@cache
def registered_scales() -> dict[str, float]:
    """Return the scales of the spreads that the ledger had learnt when it was asked.

    A claim that is added later moves what the ledger learns, and none of these forecasts.
    """
    return frames.read_table(SPREADS).set_index("effect")["scale"].to_dict()


@cache
def forecast_networks() -> pd.DataFrame:
    """Return the networks that are forecast, with the effects that they have."""
    about = registered.registered_files().query("model != ''")
    new = pd.DataFrame({"case": about["model"], "dataset": about["dataset"]})
    new["author"] = "the author of " + about["evidence"]
    new["kin"] = about["model"]
    return new.reset_index(drop=True)


def of_the_fourteen(cases: pd.Series) -> pd.Series:
    """Return which networks are of the fourteen: all but the ensembles, whose names begin with HMC.

    HMC is Hamiltonian Monte Carlo, which samples the members of an ensemble.
    """
    return ~cases.str.startswith("HMC")


def new_models(
    n: int, dataset: str = "tasks of others", n_datasets: int = 1
) -> pd.DataFrame:
    """Return language models of another source, each of a family of its own."""
    sets = [f"{dataset} {k}" for k in range(n_datasets)]
    new = pd.MultiIndex.from_product([range(n), sets], names=["case", "dataset"])
    new = new.to_frame(index=False).assign(author="another source")
    return new.assign(kin="another family " + new["case"].astype(str))


def counted_rows(claim: str) -> pd.DataFrame:
    """Return the networks of a claim: public ones, else ours; of language models all sources."""
    rows = stored.load_networks().query("id == @claim")
    for evidence in ("public", "zoo"):
        if (rows["evidence"] == evidence).any():
            return rows[rows["evidence"] == evidence].reset_index(drop=True)
    return rows[rows["evidence"] != "published"].reset_index(drop=True)


@cache
def claim_coins(claim: str, n_models: int | None = None) -> Coins | None:
    """Return the new networks of a claim, None where the ledger has no counts of it."""
    rows = counted_rows(claim)
    if rows.empty or not is_count(rows):
        return None
    new = forecast_networks() if n_models is None else new_models(n_models)
    return coins(rows, new, registered_scales())


def is_count(rows: pd.DataFrame) -> bool:
    """Say whether networks are counted: an amount may be negative, or above their number."""
    return bool(rows["total"].between(0, rows["networks"]).all())


@dataclass(frozen=True)
class Question:
    """How many networks a line is about, and how large a share of them it asks for."""

    networks: int | None  # language models; None: the fourteen
    above: float = 0.5


ALL_OF = 1 - 1e-9
QUESTIONS = {  # lines about counts whose rule is one of numbers
    "every-network-overconfident": Question(None, ALL_OF),
    "amount-temperature-lowest": Question(None),
    "tuning-logit-half": Question(MODELS),
    "tuning-stated-half": Question(MODELS),
    "tuning-logit-cells": Question(MODELS, 2 / 3),
    "stated-below-logit-instructed": Question(MODELS),
    "stated-half-of-logit": Question(MODELS),
    "base-small-error": Question(MODELS),
    "amount-share-stated-lower": Question(MODELS),
    "tuning-mmlu-half": Question(3),
    "tuning-mmlu-every": Question(3, ALL_OF),
    "tuning-mmlu-subjects": Question(3, 0.75),
    "kadavath-mmlu": Question(3, 0),
    "temperature-mmlu": Question(6),
    "temperature-mmlu-base": Question(3),
    "temperature-mmlu-chat": Question(3, 0.75),
    "temperature-mmlu-every-model": Question(6, ALL_OF),
    "amount-mmlu-improved": Question(6),
}


def forecast_of_counts(line: Line) -> Forecast | None:
    """Return what the ledger expects of a line about counts, None if it cannot tell."""
    question = QUESTIONS.get(line.id, Question(None))
    networks = claim_coins(line.claim, question.networks)
    if networks is None:
        return None
    if question.networks is None:
        cases = forecast_networks()["case"]
        named = line.parameters.get("case")
        chosen = (cases == named) if named else of_the_fourteen(cases)
        networks = networks.of(np.flatnonzero(chosen))
    counts = networks.counts()
    shares_of = np.arange(len(counts)) / (len(counts) - 1)
    if not line.is_amount:
        return {"probability": counts[shares_of > question.above].sum()}
    below = np.cumsum(counts)
    return {
        end: 100 * shares_of[np.searchsorted(below, q)] for end, q in QUANTILES.items()
    }


@cache
def public_table() -> pd.DataFrame:
    """Return all that is measured of public networks, one row each, with their relatives."""
    sets = promise_frames.prediction_sets()
    fitted = sets["calibrator"] == "temperature"
    names_of_cells = {"metric": "Temperature", "method": "Temperature scaling"}
    temperature = sets[fitted].assign(
        value=sets.loc[fitted, "temperature"], **names_of_cells
    )
    order = promise_frames.abstention_public()
    names = {f"Change of AURC by {name}": frames.METHODS[name] for name in CHANGES}
    order = order.assign(metric="Change of AURC by " + order["metric"].map(names))
    errors = frames.on_one_sample().query("case != @LEFT_OUT")
    parts = [errors, frames.details("public"), sets, temperature, order]
    rows = pd.concat([frames.with_relatives(part, "public") for part in parts])
    rows = rows.assign(cell=rows["metric"] + " " + rows["method"])
    keys = ["dataset", "case", "author", "kin"]
    rows[keys] = rows[keys].fillna("")
    return rows.pivot_table(index=keys, columns="cell", values="value").reset_index()


def weights_of_line(line: Line, new: pd.DataFrame) -> pd.Series | None:
    """Return the weight of each new network in a line's number, None if it is no sum of them."""
    parameters, cases = line.parameters, new["case"]
    if WHOLE_COLUMN.search(parameters["value"]) or parameters.get("take") in (
        "min",
        "max",
    ):
        return None
    fourteen = of_the_fourteen(cases)
    named = new.assign(family=cases.str.partition("-")[0])
    if line.rule == "number":
        return fourteen / fourteen.sum()
    if line.rule == "one number":
        return named.eval(parameters["at"]).astype(float)
    first, second = (
        named.eval(parameters[key]) & fourteen for key in ("first", "second")
    )
    return second / second.sum() - first / first.sum()


def forecast_of_networks(line: Line) -> Forecast | None:
    """Return what the public networks say of an amount of the fourteen, None if nothing."""
    new = forecast_networks()
    weights = weights_of_line(line, new)
    if weights is None:
        return None
    try:
        table = line_rules.complete(public_table(), line.parameters["value"])
        values = line_rules.evaluate(table, line.parameters["value"])
    except NoAnswerError:
        return None
    rows = table[["dataset", "author", "kin"]].assign(total=values)
    return forecast_of_amount(
        rows[np.isfinite(rows["total"])], new, weights.to_numpy(float), line
    )


def possible_range(line: Line) -> tuple[float, float]:
    """Return what an amount cannot be below or above: a metric alone, from zero, in percent.

    The model is of normal distributions, which know no limits.
    """
    if not re.fullmatch(r"`[^`]+`|[a-z_]+", line.parameters["value"]):
        return -np.inf, np.inf
    return 0.0, 100.0 if line.unit in ("points", "percent") else np.inf


def forecast_of_amount(
    rows: pd.DataFrame, new: pd.DataFrame, weights: np.ndarray, line: Line
) -> Forecast | None:
    """Return the intervals of an amount, or the probability of a sentence about it."""
    if len(rows) < 3:
        return None
    amount = predicted(rows.reset_index(drop=True), new, weights, registered_scales())
    if line.is_amount:
        least, most = possible_range(line)
        ends = {end: amount.quantile(q) for end, q in QUANTILES.items()}
        return {end: min(max(value, least), most) for end, value in ends.items()}
    low = line.parameters.get("above", -np.inf)
    high = line.parameters.get("below", np.inf)
    return {"probability": amount.below(high) - amount.below(low)}


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


def forecast_of_line(line: Line) -> Forecast | None:
    """Return what the ledger expects of a line: a probability, or ends of intervals, or None."""
    of_claim = line.rule in ("one network", "share above half", "share")
    if of_claim or line.id in QUESTIONS:
        return forecast_of_counts(line)
    if line.frame in ("network table", "ensemble table") and line.rule != "correlation":
        return forecast_of_networks(line)
    return forecast_of_language(line)


def base_rate() -> float:
    """Return the share of the first set's answered forecasts that came true."""
    verdicts = csv_frame(read_declared("forecasts/verdicts.csv"))
    return float(verdicts["true"].mean())


def with_columns(table: pd.DataFrame) -> pd.DataFrame:
    """Return the list of forecasts with what the ledger and the base rate say, as text."""
    base = base_rate()
    cells_of_lines = []
    for row in table.to_dict("records"):
        line = registered.line_of(row)
        forecast = forecast_of_line(line) or {}
        cells = {f"ledger_{name}": f"{value:.4g}" for name, value in forecast.items()}
        if "probability" in forecast:
            probability = np.clip(forecast["probability"], SURE, 1 - SURE)
            cells["ledger_probability"] = f"{probability:.3f}"
        if not line.is_amount:
            cells["base_probability"] = f"{base:.3f}"
        cells_of_lines.append(cells)
    columns = pd.DataFrame(cells_of_lines, index=table.index).reindex(columns=COLUMNS)
    return pd.concat([table.drop(columns=COLUMNS, errors="ignore"), columns], axis=1)
