"""What other sources of answers say of the thirty language models."""

import numpy as np
import pandas as pd
import pytest
from registered_lines import line_with

from evidence.claims import language_frames
from evidence.forecasts.second import asked_networks, expected_of_models, registered
from evidence.forecasts.second.new_networks import predicted

LINES = {line.id: line for line in registered.load_lines()}
KEYS = ["dataset", "author", "model"]


def the_metric(source, metric, method, chosen):
    """What a source says of a metric by a method, of the models that are chosen by name."""
    rows = language_frames.sets(source)
    rows = rows[(rows["metric"] == metric) & (rows["method"] == method)]
    return rows[rows["model"].map(chosen)]["value"].tolist()


def is_tuned(model):
    return model.endswith("-Instruct")


@pytest.mark.parametrize("tuning", ["base", "instructed"])
def test_a_llama_is_tuned_if_its_name_says_so(tuning):
    rows = expected_of_models.numbers_of_models("ECE", "logit", tuning)
    result = rows.query("author == 'alecwangcq'")["total"].tolist()
    expected = the_metric(
        "alecwangcq", "ECE", "choice", lambda m: is_tuned(m) == (tuning == "instructed")
    )
    assert result == expected and result


def test_models_of_plaut_are_tuned_and_choose():
    rows = expected_of_models.numbers_of_models("Accuracy", "logit", "instructed")
    result = rows.query("author == 'plaut'")["total"].tolist()
    assert result == the_metric("plaut", "Accuracy", "choice", lambda m: True)


@pytest.mark.parametrize(
    ("confidence", "methods"),
    [("logit", {"token", "choice"}), ("stated", {"verbal", "stated"})],
)
def test_a_probability_of_tokens_is_one_of_logits_and_words_are_stated(
    confidence, methods
):
    rows = expected_of_models.accuracy_and_ece_of_models()
    assert set(rows.loc[rows["confidence"] == confidence, "method"]) == methods
    assert set(rows.loc[rows["confidence"].isna(), "method"]) == {"linguistic"}


def test_stated_less_logit_is_a_difference_of_one_tuned_model():
    numbers = {}
    for confidence in ("stated", "logit"):
        rows = expected_of_models.numbers_of_models("ECE", confidence, "instructed")
        numbers[confidence] = rows.groupby(KEYS)["total"].mean()
    expected = (numbers["stated"] - numbers["logit"]).dropna()
    result = expected_of_models.stated_less_logit().set_index(KEYS)["total"]
    assert result.to_dict() == pytest.approx(expected.to_dict()) and len(result) > 5


def test_what_tuning_adds_is_the_tuned_models_error_less_its_bases():
    rows = expected_of_models.changed_by_tuning("ECE, token")
    added = 100 * (rows["second_value"] - rows["first_value"])
    np.testing.assert_allclose(rows["total"], added, atol=0.01)
    assert set(rows["first_confidence"]) == {"token"} and len(rows) > 3


@pytest.mark.parametrize(
    ("name", "metric", "confidence", "tuning"),
    [
        ("amount-accuracy-base", "Accuracy", "logit", "base"),
        ("amount-logit-instructed", "ECE", "logit", "instructed"),
        ("amount-stated-instructed", "ECE", "stated", "instructed"),
    ],
)
def test_an_amount_is_the_mean_of_models_over_data_sets(
    name, metric, confidence, tuning
):
    rows = expected_of_models.numbers_of_models(metric, confidence, tuning)
    rows = rows[["dataset", "author", "kin", "total"]].dropna().reset_index(drop=True)
    new = asked_networks.new_models(15, n_datasets=8)
    scales = asked_networks.registered_scales()
    amount = predicted(rows, new, np.full(120, 1 / 120), scales)
    result = expected_of_models.forecast_of_language(LINES[name])
    assert result["low_50"] == pytest.approx(max(0, amount.quantile(0.25)))
    assert result["high_90"] == pytest.approx(min(100, amount.quantile(0.95)))


@pytest.mark.parametrize("name", expected_of_models.DIFFERENCES)
def test_a_difference_is_of_its_own_rows(monkeypatch, name):
    seen = []
    monkeypatch.setattr(
        expected_of_models, "forecast_of_amount", lambda rows, *_: seen.append(rows)
    )
    expected_of_models.forecast_of_language(LINES[name])
    rows = {
        "amount-tuning-logit": expected_of_models.changed_by_tuning("ECE, token"),
        "amount-tuning-stated": expected_of_models.changed_by_tuning("ECE, verbal"),
        "amount-stated-less-logit": expected_of_models.stated_less_logit(),
    }[name]
    pd.testing.assert_series_equal(seen[0]["total"], rows["total"].dropna())


def test_of_another_line_other_sources_say_nothing():
    line = line_with(name="amount-of-nothing", unit="points", value="accuracy")
    assert expected_of_models.forecast_of_language(line) is None
