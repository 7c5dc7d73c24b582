"""Logs of language models: lm-evaluation-harness, OpenAI batches, Inspect, zero-shot pipelines."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from calib_report.arrays import Arrays
from calib_report.contract import NAMES, Note, ReadingError
from calib_report.files.json_rows import Row, flat, from_rows, stacked

HITS: dict[Any, int] = {"C": 1, "I": 0}  # Inspect's: correct, incorrect
SIMPLE = int | float | str
SAVE_A_TABLE = "save a table of the choices' logits with labels"


def _is_harness(row: Row) -> bool:
    return set(row) >= {*NAMES["harness"]}


def _harness_log(rows: list[dict[str, Any]]) -> Arrays:
    """Return log-likelihoods of choices of lm-evaluation-harness' log, "filtered_resps"."""
    notes = [
        Note(
            "Log-likelihoods are read as logged, not divided by the length of the choice."
        )
    ]
    rows = _each_question_once(rows, notes)
    questions = [*map(Question.of, count(), rows)]
    logits = stacked({"logits": [question.likely for question in questions]}, notes)[
        "logits"
    ]
    places = np.array([question.right for question in questions])
    named = _columns_of_questions(rows) | {"y": places, "logits": logits}
    classes = _choice_names(questions, logits.shape[1])
    return Arrays(named, classes, "logits", notes, y="y", scores="logits")


def _columns_of_questions(rows: list[dict[str, Any]]) -> dict[str, np.ndarray]:
    """Return what a log says of its questions, as text; lists, such as the choices, stay behind."""
    fields = [*map(_fields_of_question, rows)]
    names = [name for name, value in fields[0].items() if not isinstance(value, list)]
    return {name: np.array([str(row.get(name)) for row in fields]) for name in names}


def _each_question_once(
    rows: list[dict[str, Any]], notes: list[Note]
) -> list[dict[str, Any]]:
    """Return each question once: a log holds all of them for each filter of the answers."""
    first = rows[0].get("filter")
    counts = Counter(str(row.get("filter")) for row in rows)
    # a log that was cut off lacks questions of one filter
    if len({*counts.values()}) > 1:
        raise ReadingError(f"not as many rows of each filter: {dict(counts)}")
    if len(counts) == 1:
        return rows
    note = f"The log holds its questions once for each filter; read is {first!r}."
    notes.append(Note(note))
    return [row for row in rows if row.get("filter") == first]


def _choice_names(questions: "list[Question]", k: int) -> list[str]:
    """Return the texts of the choices where all questions have the same, such as yes and no."""
    texts = questions[0].texts
    # the same two texts everywhere, such as yes and no, are classes
    are_same = all(question.texts == texts for question in questions)
    if are_same and len({*texts}) == k:
        return list(texts)
    return [f"choice {place}" for place in range(k)]


def _fields_of_question(row: Row) -> dict[str, Any]:
    names = [name for name in ("doc", "doc_id", "file") if name in row]
    fields = dict(flat({name: row[name] for name in names}))
    if "file" in row:  # several logs, each of which counts its questions
        fields["doc_id"] = f"{row['file']} {row['doc_id']}"
    return fields


@dataclass(frozen=True)
class Question:
    """Texts and log-likelihoods of the choices of a question, and the place of the right one."""

    texts: tuple[str, ...]
    likely: list[float]
    right: int

    @classmethod
    def of(cls, number: int, row: Row) -> "Question":
        """Return the question of a row that the log's own accuracy does not contradict."""
        _refuse_other_rows(number, row)
        doc = row["doc"] if isinstance(row.get("doc"), dict) else {}
        choices = _listed_choices(doc) or _requested_choices(row.get("arguments") or [])
        texts = tuple(str(text).strip() for text in choices)
        likely = _likelihoods_of_choices(number, row, texts)
        target = str(row["target"]).strip()
        place = _place_of_target(target, texts, len(likely), doc)
        if not 0 <= place < len(likely):
            problem = f"row {number}: the target {target!r} is none of the {len(likely)} choices"
            raise ReadingError(problem)
        _refuse_other_count(number, row.get("acc"), int(np.argmax(likely)), place)
        return cls(texts, likely, place)


def _refuse_other_rows(number: int, row: Row) -> None:
    """Refuse a row of another log than that which the first row began."""
    for name in NAMES["harness"]:
        if name not in row:
            raise ReadingError(f"row {number} has no {name!r}, and the first row has")


def _listed_choices(doc: Row) -> list[Any]:
    """Return the choices that a question lists; nothing where it lists none."""
    choices = doc.get("choices")
    choices = choices.get("text") if isinstance(choices, dict) else choices
    return choices if isinstance(choices, list) else []


def _requested_choices(requests: Any) -> list[Any]:
    """Return the choices that the model was asked for, each behind its question."""
    pairs = map(_listed_entries, _listed_entries(requests))
    return [pair[1] for pair in pairs if len(pair) > 1]


def _listed_entries(value: Any) -> Any:
    """Return what a list holds, or a dict: newer logs write {"gen_args_0": {"arg_0": …}}."""
    return list(value.values()) if isinstance(value, dict) else value


def _likelihoods_of_choices(
    number: int, row: Row, texts: tuple[str, ...]
) -> list[float]:
    """Return a log-likelihood for each choice."""
    likely = _likelihoods(number, row)
    if len(likely) == 2 * len(texts) and "acc_mutual_info" in row:
        likely = likely[: len(texts)]  # the other half is without the question
    if texts and len(likely) != len(texts):
        raise ReadingError(
            f"row {number} holds {len(likely)} log-likelihoods, and its question {len(texts)} "
            f"choices: which are whose is not known; {SAVE_A_TABLE}"
        )
    return likely


def _likelihoods(number: int, row: Row) -> list[float]:
    """Return the log-likelihoods of a row's choices; of a generated answer there are none."""
    try:
        # some logs write True as text
        greedy = {str(is_greedy) for _, is_greedy in row["filtered_resps"]}
        likely = [float(value) for value, _ in row["filtered_resps"]]
    except (TypeError, ValueError):
        greedy, likely = {""}, []
    if greedy - {"True", "False"}:
        raise ReadingError(
            f"row {number} holds no log-likelihoods of choices; of generated answers, save a "
            "table with columns 'confidence' and 'correct'"
        )
    return likely


def _place_of_target(target: str, texts: tuple[str, ...], n: int, doc: Row) -> int:
    """Return the place of the right choice: of its text, its number or its letter; else -1."""
    if len({*texts}) == 1 < n:  # winogrande: one ending after n beginnings
        answer = str(doc.get("answer"))
        return int(answer) - 1 if answer.isdecimal() else -1
    # a text that two choices share says neither
    places = {text: place for place, text in enumerate(texts) if texts.count(text) == 1}
    # a number or letter is the place, even where it is the text of another choice
    for place in range(n):
        letter = chr(ord("a") + place)
        places |= dict.fromkeys((str(place), letter, letter.upper()), place)
    return places.get(target, -1)


def _refuse_other_count(number: int, acc: Any, first: int, right: int) -> None:
    """Refuse a log whose own accuracy is not that of the likeliest choice."""
    if acc not in (0, 1, None):
        raise ReadingError(
            f"row {number}: acc is {acc}, neither 0 nor 1: several choices may be right, as in "
            "truthfulqa_mc2, so no choice is the label; truthfulqa_mc1, say, can be read"
        )
    if acc not in (None, first == right):
        raise ReadingError(
            f"row {number} does not agree with the log's own acc: it is {acc:g}, the likeliest "
            f"choice {first}, the target {right}, which is not what the log counted; {SAVE_A_TABLE}"
        )


def _is_openai(row: Row) -> bool:
    response = row.get("response")
    return "custom_id" in row and isinstance(response, dict) and "body" in response


def _openai_batch(rows: list[dict[str, Any]]) -> Arrays:
    """Return the answers of a batch: the first token, and its probability."""
    ids, answers, confidences = [], [], []
    for number, row in enumerate(rows):
        token = _first_token(number, row)
        answer = str(token["token"]).strip()
        ids.append(str(row["custom_id"]))
        answers.append(answer)
        confidences.append(_probability_of_answer(answer, token))
    return Arrays(
        {
            "id": np.array(ids),
            "predicted": np.array(answers),
            "confidence": np.array(confidences),
        }
    )


def _first_token(number: int, row: Row) -> Row:
    try:
        choice = row["response"]["body"]["choices"][0]
        token: Row = choice["logprobs"]["content"][0]
    except (KeyError, IndexError, TypeError):
        raise ReadingError(
            f"row {number} holds no log p of tokens (logprobs)"
        ) from None
    return token


def _probability_of_answer(answer: str, token: Row) -> float:
    """Return the probability of an answer among the tokens that were likeliest."""
    tokens = token.get("top_logprobs") or [token]
    # tokens may differ by a space in front
    likely = {
        str(entry["token"]).strip(): float(np.exp(entry["logprob"])) for entry in tokens
    }
    return likely.get(answer, np.nan)


def _is_inspect(row: Row) -> bool:
    return {"target", "scores", "output"} <= set(row) and isinstance(
        row["scores"], dict
    )


def _inspect_log(rows: list[dict[str, Any]]) -> Arrays:
    """Return ids, targets, answers and hits of a log of Inspect, and stated confidences."""
    return from_rows([*map(_inspect_row, rows)])


def _inspect_row(row: Row) -> dict[str, Any]:
    """Return what the first scorer says of a sample; metadata may hold the confidence."""
    scorer, entry = next(iter(row["scores"].items()))
    score: Row = entry if isinstance(entry, dict) else {"value": entry}
    value = score.get("value")
    sample: dict[str, Any] = {
        "id": str(row.get("id")),
        "target": str(row["target"]),
        "correct": HITS.get(value, value),
    }
    # what the log itself says goes before metadata of one name
    for metadata in (row.get("metadata"), score.get("metadata")):
        sample = sample | _plain_entries(metadata) | sample
    if score.get("answer") is not None:
        sample["answer"] = str(score["answer"])
    return sample | {"scorer": scorer}


def _plain_entries(metadata: Row | None) -> dict[str, Any]:
    """Return the entries that are one number or word each."""
    entries = (metadata or {}).items()
    return {name: entry for name, entry in entries if isinstance(entry, SIMPLE)}


def _is_zero_shot(row: Row) -> bool:
    labels, scores = row.get("labels"), row.get("scores")
    are_lists = isinstance(labels, list) and isinstance(scores, list)
    return are_lists and len(labels) == len(scores)  # type: ignore[arg-type]


def _zero_shot(rows: list[dict[str, Any]]) -> Arrays:
    """Return scores by class of zero-shot pipelines, which list labels as they are ranked."""
    return from_rows([_zero_shot_row(number, row) for number, row in enumerate(rows)])


def _zero_shot_row(number: int, row: Row) -> dict[str, Any]:
    if not _is_zero_shot(row):
        raise ReadingError(f"row {number} has not as many labels as scores")
    labels = [str(label) for label in row["labels"]]
    scores = dict(zip(labels, row["scores"], strict=True))
    others = {n: v for n, v in row.items() if n not in ("labels", "scores", "sequence")}
    return {**others, "probabilities": scores}


LogReader = Callable[[list[dict[str, Any]]], Arrays]
LOGS: tuple[tuple[Callable[[Row], bool], LogReader], ...] = (
    (_is_harness, _harness_log),
    (_is_openai, _openai_batch),
    (_is_inspect, _inspect_log),
    (_is_zero_shot, _zero_shot),
)
