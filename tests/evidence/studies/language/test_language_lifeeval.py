"""What is said beside what the life table says, by hand."""

import numpy as np
import pandas as pd
import pytest

from evidence.studies.language import language_lifeeval as study

LIFE = pd.DataFrame(
    [
        ("a", 1, 0.5, 0.25),
        ("a", 1, 0.75, 1.0),
        ("a", 1, 1.0, 0.75),
        ("a", 2, 0.5, 0.25),
        ("a", 2, 0.5, 0.75),
        ("b", 1, 0.25, 0.75),
    ],
    columns=["model", "width", "stated", "probability"],
)


@pytest.mark.filterwarnings("ignore:All-NaN slice")
def test_bias_distance_and_correlation_of_each_model_and_width():
    first, second, third = study.lifeeval_rows(LIFE)
    assert [
        (row["model"], row["width"], row["n"]) for row in (first, second, third)
    ] == [
        ("a", 1, 3),
        ("a", 2, 2),
        ("b", 1, 1),
    ]
    # less the truth: 1/4, -1/4 and 1/4
    assert first["bias"] == pytest.approx(1 / 12)
    assert first["distance"] == pytest.approx(1 / 4)
    # about their means -1, 0, 1 and -5, 4, 1 steps
    assert first["correlation"] == pytest.approx(6 / np.sqrt(2 * 42))
    assert (first["stated"], first["probability"]) == (0.75, pytest.approx(2 / 3))
    # what is always the same is not correlated with anything
    assert np.isnan(second["correlation"]) and second["bias"] == 0
    # of one question all resamples are the same
    assert [third[key] for key in ("bias", "bias_low", "bias_high")] == [-0.5] * 3
    assert third["distance"] == 0.5
    # no resample of the first is off by more than 1/4, mirrored at the mean of 1/12
    assert -1 / 12 - 1e-9 <= first["bias_low"] < first["bias"] < first["bias_high"]
