"""Read what language models answered, from files of others: each answer with its confidence.

Each kind of file has a reader and a function that loads one: scores of all choices are `Choices`,
what one model answered `ModelAnswers`, the sets of Michael et al. `Answers` of several, ages at
death `StatedLives`; ``python -m evidence.language`` makes committed answers of them. An answer is
right, wrong or missing; a confidence that is missing, or is no number from 0 to 1, is NaN.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from evidence.data import NAMES
from evidence.sources import known_files, read_whole
from evidence.sources.file_formats import read_csv, read_npy
from evidence.sources.readers import Row

WRONG, RIGHT, MISSING = 0, 1, 2
COLUMNS_BY_READER = NAMES["columns"]
PLAUT = {
    "arc": "ARC",
    "hellaswag": "HellaSwag",
    "mmlu": "MMLU",
    "truthfulqa": "TruthfulQA",
    "winogrande": "WinoGrande",
}


Pairs = tuple[np.ndarray, np.ndarray]  # confidence and correctness of answers


@dataclass(frozen=True, eq=False)
class ModelAnswers:
    """What one model answered to n questions."""

    model: str
    outcome: np.ndarray  # (n,): WRONG, RIGHT or MISSING
    confidence: dict[str, np.ndarray]  # by kind: (n,), NaN where it is missing


@dataclass(frozen=True, eq=False)
class TaoAnswers(ModelAnswers):
    """What one model of Tao et al. answered, and to which questions."""

    group: np.ndarray  # (n,): the subject of each question
    truth: np.ndarray  # (n,): the right letter
    length: np.ndarray  # (n,): of the response, in tokens
    refused: dict[
        str, int
    ]  # by kind: how many confidences are above 1, such as 95 for 95 %


class StatedLives(NamedTuple):
    """Within how many years of which age someone dies, as models say it, and how likely that is."""

    model: np.ndarray  # (n,), as are all
    question: np.ndarray
    answer: np.ndarray  # the age that was named
    min_age: np.ndarray  # the age that the person has reached
    width: np.ndarray  # years on either side of the answer
    stated_confidence: np.ndarray
    prob: np.ndarray  # by the life table


class PairsOfTwo(NamedTuple):
    """Two models on the same questions."""

    answered: np.ndarray  # (n,): which questions both answered with a confidence
    pairs: tuple[Pairs, ...]  # of the first and of the second model


@dataclass(frozen=True, eq=False)
class Answers:
    """What some models answered to the same questions."""

    source: str
    dataset: str
    models: list[str]
    # (m, n): WRONG, RIGHT, or MISSING where none could be extracted
    outcome: np.ndarray
    # by kind, such as "verbal": (m, n), NaN where it is missing
    confidence: dict[str, np.ndarray]
    group: np.ndarray = field(repr=False)  # (n,): the subject of each question

    def pairs(
        self,
        model: str,
        kind: str,
        *,
        group: str | None = None,
        missing: str = "left out",
    ) -> Pairs:
        """Return confidence and correctness of one model's answers, of all subjects or of one.

        Answers that could not be extracted are "left out", or count as "wrong"; those whose
        confidence is missing are left out in any case.
        """
        row = self.models.index(model)
        score, outcome = self.confidence[kind][row], self.outcome[row]
        answered = ~np.isnan(score)
        if missing == "left out":
            answered &= outcome != MISSING
        if group is not None:
            answered &= self.group == group
        return score[answered], outcome[answered] == RIGHT

    def paired(self, first: str, second: str, kind: str) -> "PairsOfTwo":
        """Return the pairs of two models on the questions that both answered."""
        rows = [self.models.index(model) for model in (first, second)]
        score, outcome = self.confidence[kind][rows], self.outcome[rows]
        answered = ~np.isnan(score).any(axis=0) & (outcome != MISSING).all(axis=0)
        pairs = (
            (s[answered], o[answered] == RIGHT)
            for s, o in zip(score, outcome, strict=True)
        )
        return PairsOfTwo(answered, tuple(pairs))


@dataclass(frozen=True, eq=False)
class Choices:
    """Scores of all choices: one model on a data set."""

    source: str
    dataset: str
    model: str
    logits: np.ndarray  # (n, K)
    y: np.ndarray
    group: np.ndarray = field(repr=False)


def answer_sources(reader: str) -> list[str]:
    """Names of the sources of answers that one reader reads."""
    return [name for name, row in known_files().items() if row["reader"] == reader]


def numbers(texts: list[str] | np.ndarray) -> np.ndarray:
    """The texts as floats, NaN where empty or NA."""
    return np.array([np.nan if text in ("", "NA") else float(text) for text in texts])


def confidences(texts: list[str] | np.ndarray) -> np.ndarray:
    """Numbers from 0 to 1; anything else is NaN: 925 or 47.975 is not a probability."""
    values = numbers(texts)
    with np.errstate(invalid="ignore"):
        return np.where((values >= 0) & (values <= 1), values, np.nan)


def read_tao(row: Row, content: bytes) -> TaoAnswers:
    """One model of Tao et al."""
    columns = read_csv(content, COLUMNS_BY_READER["tao"], str)
    answer, truth = columns["extracted_answer"], columns["correct_answer"]
    outcome = np.where(answer == "", MISSING, np.where(answer == truth, RIGHT, WRONG))
    confidence = {kind: columns[name] for kind, name in NAMES["tao_kinds"].items()}
    refused = {}
    for kind in ("verbal", "linguistic"):
        refused[kind] = int((np.nan_to_num(numbers(confidence[kind])) > 1).sum())
    return TaoAnswers(
        row["model"],
        outcome.astype(np.uint8),
        {kind: confidences(texts) for kind, texts in confidence.items()},
        group=columns["category"],
        truth=truth,
        length=numbers(columns["token_length"]),
        refused=refused,
    )


PLAUT_GRADES = {"Wrong": WRONG, "Correct": RIGHT, "Unparseable": MISSING}


def read_plaut(row: Row, *contents: bytes) -> ModelAnswers:
    """One model on one set of Plaut et al., its parts in the order of the questions."""
    lines = []
    for content in contents:
        first, *more = content.decode("utf-8").split("\n")
        if first != "grade confidence_level":
            raise ValueError(f"the first line is {first!r}")
        lines += [line.partition(" ")[::2] for line in more if line]
    outcome = np.array([PLAUT_GRADES[grade] for grade, _ in lines], np.uint8)
    score = confidences([value for _, value in lines])
    score = np.where(outcome == MISSING, np.nan, score)
    return ModelAnswers(row["model"], outcome, {"choice": score})


def read_choices(row: Row, *contents: bytes) -> Choices:
    """Logits of four choices, one file a subject."""
    logits: list[np.ndarray] = []
    y: list[int] = []
    group: list[str] = []
    for file, content in zip(
        [row["name"], *row["needs"].split()], contents, strict=True
    ):
        columns = read_csv(content, COLUMNS_BY_READER["choices"], str)
        logits.append(
            np.column_stack([numbers(columns[f"Logit_{letter}"]) for letter in "ABCD"])
        )
        y += ["ABCD".index(letter) for letter in columns["5"]]
        subject = (
            known_files()[file]["address"]
            .rsplit("/", 1)[1]
            .removesuffix("_test_logits.csv")
        )
        group += [subject.replace("_", " ")] * len(columns["5"])
    return choices_of_row(row, np.concatenate(logits), np.array(y), np.array(group))


def read_scores(row: Row, scores: bytes, labels: bytes) -> Choices:
    """Log-probabilities of the classes, and labels."""
    y = read_npy(labels)
    return choices_of_row(row, read_npy(scores), y, np.full(len(y), row["dataset"]))


def choices_of_row(row: Row, *arrays: np.ndarray) -> Choices:
    return Choices(row["name"], row["dataset"], row["model"], *arrays)


def read_michael(row: Row, content: bytes) -> list[Answers]:
    """Answers of eleven models to five sets; questions that a model lacks are missing answers."""
    table = pd.DataFrame(read_csv(content, COLUMNS_BY_READER["michael"], str))
    table["outcome"] = table["correct"] == "TRUE"
    table["stated"] = confidences(table["stated_confidence"])
    table["token"] = confidences(table["chosen_token_confidence"])
    models, answers = sorted(set(table["llm"])), []
    for key, dataset in NAMES["michael_sets"].items():
        rows = table[table["qset"] == key].pivot(index="llm", columns="question_id")
        rows = rows.reindex(models)
        outcome = (
            rows["outcome"].astype(float).fillna(MISSING).to_numpy().astype(np.uint8)
        )
        scores = {kind: rows[kind].to_numpy(float) for kind in ("stated", "token")}
        # a kind that no model has on this set is no kind of it
        scores = {kind: x for kind, x in scores.items() if not np.isnan(x).all()}
        group = np.full(outcome.shape[1], dataset)
        answers.append(Answers(row["name"], dataset, models, outcome, scores, group))
    return answers


QUESTIONS_ABOUT_MEN = 404  # the first of the 808


def read_lifeeval(row: Row, content: bytes, life_table: bytes) -> StatedLives:
    """Stated confidence of each answer, and the life table's probability, which it must have."""
    columns = read_csv(content, COLUMNS_BY_READER["lifeeval"], str)
    named = {name: numbers(columns[name]) for name in COLUMNS_BY_READER["lifeeval"][3:]}
    stated = StatedLives(columns["llm"], numbers(columns["question_id"]), **named)
    lives = read_csv(life_table, COLUMNS_BY_READER["life_table"], str)
    alive = (lives[f"Number of lives ({sex})"] for sex in ("MALE", "FEMALE"))
    men, women = (numbers(np.char.replace(texts, ",", "")) for texts in alive)
    of_women = stated.question >= QUESTIONS_ABOUT_MEN
    # the probability is computed anew: a file of another life table is refused
    again = np.where(of_women, death_near(women, stated), death_near(men, stated))
    differing = np.flatnonzero(~(np.abs(again - stated.prob) < 1e-6))
    if len(differing):
        raise ValueError(
            f"row {differing[0]}: {stated.prob[differing[0]]} is not the life table's"
        )
    return stated


def death_near(lives: np.ndarray, stated: StatedLives) -> np.ndarray:
    """Probability that who is alive at an age dies within some years of the age that was named."""
    # nobody lives beyond the end of the table
    lives = np.append(lives, np.zeros(400))
    age, answer, width = (
        years.astype(int) for years in (stated.min_age, stated.answer, stated.width)
    )
    first = np.maximum(answer - width, age)
    after = np.maximum(answer + width + 1, first)
    return (lives[first] - lives[after]) / lives[age]


CHOICE_READERS: dict[str, Callable[..., Any]] = {
    "choices": read_choices,
    "scores": read_scores,
}
ANSWER_READERS: dict[str, Callable[..., Any]] = CHOICE_READERS | {
    "tao": read_tao,
    "plaut": read_plaut,
    "michael": read_michael,
    "lifeeval": read_lifeeval,
}


def load_choices(name: str) -> Choices:
    """Scores of all choices of one model on a data set."""
    return read_whole(name, CHOICE_READERS)[1]


def load_tao(name: str) -> TaoAnswers:
    """One model of Tao et al."""
    return read_whole(name, {"tao": read_tao})[1]


def load_plaut(name: str) -> ModelAnswers:
    """One model on one set of Plaut et al."""
    return read_whole(name, {"plaut": read_plaut})[1]


def load_michael() -> list[Answers]:
    """The answers of eleven models to the five sets of Michael et al."""
    return read_whole("michael-answers", {"michael": read_michael})[1]


def load_stated_lives() -> StatedLives:
    """What models and a life table say of the ages that were named."""
    return read_whole("michael-lifeeval", {"lifeeval": read_lifeeval})[1]
