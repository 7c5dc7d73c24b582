"""Write data/language from the public files of answers: `python -m evidence.language`.

The logits of MMLU's choices, whose source states no licence, are not kept: only numbers computed
from them.
"""

import io
from typing import Any

import numpy as np

from calib.files import write_whole
from evidence.data import data_folder
from evidence.language.answers import encode
from evidence.language.originals import (
    PLAUT,
    TaoAnswers,
    answer_sources,
    load_michael,
    load_plaut,
    load_stated_lives,
    load_tao,
)

NAMES_OF_MICHAEL = {
    "BoolQ": "boolq",
    "HaluEval-QA": "halueval",
    "LSAT-AR": "lsat",
    "SAT-EN": "sat",
    "SciQ": "sciq",
}


def write_arrays(name: str, arrays: dict[str, Any]) -> None:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    folder = data_folder() / "language"
    folder.mkdir(exist_ok=True)
    write_whole(folder / f"{name}.npz", file.getvalue())
    print(f"data/language/{name}.npz: {len(file.getvalue()):,} bytes")


def write_answers(
    name: str,
    dataset: str,
    models: list[str],
    outcome: np.ndarray,
    confidence: dict[str, np.ndarray],
    group: np.ndarray,
    **more: np.ndarray,
) -> None:
    """Write one set of answers as `answers.load_answers` reads it."""
    groups, place = np.unique(group, return_inverse=True)
    arrays = {
        "dataset": np.array(dataset),
        "models": np.array(models),
        "outcome": outcome,
    }
    arrays |= {"groups": groups, "group": place.astype(np.uint8)}
    for kind, score in confidence.items():
        arrays[f"confidence_{kind}"] = encode(score)
    write_arrays(name, arrays | more)


def check_questions(files: list[TaoAnswers]) -> None:
    """Raise a ValueError that names a model that answered other questions than the first."""
    first = files[0]
    for file in files[1:]:
        same_subjects = np.array_equal(file.group, first.group)
        if not same_subjects or not np.array_equal(file.truth, first.truth):
            raise ValueError(f"{file.model}: not the questions of {first.model}")


def tao() -> dict[str, Any]:
    """The 83 models of Tao et al. as arrays; their questions must be the same."""
    files = [load_tao(name) for name in answer_sources("tao")]
    check_questions(files)
    confidence = {}
    for kind in ("token", "verbal", "linguistic"):
        confidence[kind] = np.stack([file.confidence[kind] for file in files])
    return {
        "models": [file.model for file in files],
        "outcome": np.stack([file.outcome for file in files]),
        "confidence": confidence,
        "group": files[0].group,
        "length": np.stack([file.length for file in files]).astype("<u2"),
        "refused": np.array([list(file.refused.values()) for file in files], "<u2"),
    }


def plaut(dataset: str) -> dict[str, Any]:
    """The models of Plaut et al. on one data set."""
    names = [name for name in answer_sources("plaut") if name.endswith(f"-{dataset}")]
    files = [load_plaut(name) for name in names]
    models = [name.removeprefix("plaut-").removesuffix(f"-{dataset}") for name in names]
    return {
        "models": models,
        "outcome": np.stack([file.outcome for file in files]),
        "confidence": {
            "choice": np.stack([file.confidence["choice"] for file in files])
        },
    }


def write_all() -> None:
    """Write every set of answers, and those about lives."""
    write_answers("tao-mmlu-pro", "MMLU-Pro", **tao())
    for dataset, title in PLAUT.items():
        outcomes = plaut(dataset)
        group = np.full(outcomes["outcome"].shape[1], title)
        write_answers(f"plaut-{dataset}", title, group=group, **outcomes)
    for file in load_michael():
        name = f"michael-{NAMES_OF_MICHAEL[file.dataset]}"
        write_answers(
            name, file.dataset, file.models, file.outcome, file.confidence, file.group
        )
    write_lifeeval()


def write_lifeeval() -> None:
    """Write the ages that models named, with what they and a life table say of each."""
    life = load_stated_lives()
    models, place = np.unique(life.model, return_inverse=True)
    arrays = {"models": models, "model": place.astype(np.uint8)}
    arrays |= {
        name: getattr(life, name).astype("<u2")
        for name in ("question", "min_age", "width", "answer")
    }
    arrays |= {"stated": life.stated_confidence, "probability": life.prob}
    write_arrays("lifeeval", arrays)


if __name__ == "__main__":
    write_all()
