"""Committed answers of language models: right, wrong or missing, with a confidence each.

``data/language/*.npz`` are written by ``python -m evidence.language``. Confidences
are kept as multiples of 1/60000, so that every number of up to four decimals is exact.
"""

import numpy as np
import pandas as pd

from evidence.data import csv_frame, data_folder, read_declared, read_npz
from evidence.language.originals import Answers

STEPS = 60000
NO_CONFIDENCE = 65535


def encode(score: np.ndarray) -> np.ndarray:
    """Confidences as multiples of 1/60000, NaN as 65535."""
    return np.where(
        np.isnan(score), NO_CONFIDENCE, np.round(np.nan_to_num(score) * STEPS)
    ).astype("<u2")


def decode(code: np.ndarray) -> np.ndarray:
    """The confidences that `encode` was given, to 1/120000."""
    return np.where(code == NO_CONFIDENCE, np.nan, code / STEPS)


def answer_sets() -> list[str]:
    """Names that `load_answers` knows."""
    return sorted(path.stem for path in (data_folder() / "language").glob("*-*.npz"))


def load_answers(name: str) -> Answers:
    """What some language models answered to the same questions."""
    if name not in answer_sets():
        raise ValueError(
            f"name: no answers {name!r}; there are {', '.join(answer_sets())}"
        )
    arrays = read_npz(read_declared(f"language/{name}.npz"))
    kinds = [
        key.removeprefix("confidence_")
        for key in arrays
        if key.startswith("confidence_")
    ]
    return Answers(
        name.partition("-")[0],
        str(arrays["dataset"]),
        arrays["models"].tolist(),
        arrays["outcome"],
        {kind: decode(arrays[f"confidence_{kind}"]) for kind in kinds},
        arrays["groups"][arrays["group"]],
    )


def load_lengths() -> np.ndarray:
    """Lengths in tokens of the responses of `load_answers("tao-mmlu-pro")`, shape (83, 12032)."""
    return read_npz(read_declared("language/tao-mmlu-pro.npz"))["length"]


def load_lifeeval() -> pd.DataFrame:
    """Stated confidence and the life table's probability of each answer to LifeEval."""
    arrays = read_npz(read_declared("language/lifeeval.npz"))
    models = arrays.pop("models")
    return pd.DataFrame(arrays).assign(model=lambda frame: models[frame.model])


def language_models() -> pd.DataFrame:
    """What is known of the models of Tao et al., one a row, with their size in billions."""
    return csv_frame(read_declared("language/models.csv"))
