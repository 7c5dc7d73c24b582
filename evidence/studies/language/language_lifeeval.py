"""Compute language_lifeeval.csv: stated confidence against the life table's probability."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import pandas as pd

from evidence.language import answers as language
from evidence.language.pair_measures import (
    N_RESAMPLES,
    basic_interval,
    generator,
)
from evidence.rows import Row

DIGITS = 5


def lifeeval_rows(life: pd.DataFrame) -> Iterator[Row]:
    """Stated confidence against the life table's probability, by model and width."""
    statistics: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
        "bias": lambda s, t: (s - t).mean(),
        "distance": lambda s, t: np.abs(s - t).mean(),
        "correlation": lambda s, t: np.corrcoef(s, t)[0, 1] if s.std() > 0 else np.nan,
    }
    for (model, width), rows in life.groupby(["model", "width"]):
        stated, truth = rows.stated.to_numpy(), rows.probability.to_numpy()
        rng = generator("lifeeval", model, width)
        draws = rng.integers(len(rows), size=(N_RESAMPLES, len(rows)))
        row = {"model": model, "width": width, "n": len(rows)}
        row |= {"stated": stated.mean(), "probability": truth.mean()}
        for name, statistic in statistics.items():
            row[name] = statistic(stated, truth)
            again = [statistic(stated[i], truth[i]) for i in draws]
            row |= basic_interval(f"{name}_", row[name], again)
        yield row


def rows() -> Iterable[Row]:
    return lifeeval_rows(language.load_lifeeval())
