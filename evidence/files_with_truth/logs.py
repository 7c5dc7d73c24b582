"""Logs: evaluations of language models, answers of services, decisions."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from evidence.files_with_truth.case import Case
from evidence.files_with_truth.samples import (
    BEST_NAMES,
    HIT,
    IDS,
    IN_OTHER_ORDER,
    LOGITS,
    NAMED,
    NAMES,
    TOP,
    N,
    P,
    Y,
)  # fmt: skip
from evidence.files_with_truth.writers import json_lines

Log = dict[str, Any]  # a row of it
Change = Callable[[Log, int], object]  # of a row with its number
HARNESS = "lm-evaluation-harness"
IS_ODD = np.arange(N) % 2 == 1
OF_TWO_OR_THREE = np.where(IS_ODD, Y, np.minimum(Y, 1)), None
TENTHS = np.round(P, 2)
DECIMALS = 6


def harness(
    change: Change = lambda row, i: None, choices: Callable[[int], int] = lambda i: 3
) -> Iterator[Log]:
    """Rows of lm-evaluation-harness' log of samples, as its version 0.4 writes them."""
    for i, (z, y) in enumerate(zip(LOGITS, Y, strict=True)):
        likely = z[: choices(i)]
        target = min(int(y), len(likely) - 1)
        row = {
            "doc_id": i,
            "doc": {"question": f"Question {i}?", "subject": ["law", "logic"][i % 2]},
            "target": str(target),
            "arguments": {
                f"gen_args_{k}": {"arg_0": f"Question {i}?", "arg_1": f" {NAMES[k]}"}
                for k in range(len(likely))
            },
            "resps": [[[str(v), "False"]] for v in likely],
            "filtered_resps": [[str(v), "False"] for v in likely],
            "filter": "none",
            "acc": float(likely.argmax() == target),
        }
        change(row, i)
        yield row


def with_fields(**fields: Any) -> Change:
    """Return a change that sets fields of every row."""
    return lambda row, i: row.update(fields)


def winogrande(row: Log, i: int) -> None:
    row["doc"] = {"sentence": "A _ b", "option1": "x", "answer": str(Y[i] + 1)}
    for k, arguments in enumerate(row["arguments"].values()):
        arguments |= {"arg_0": f"A {k}", "arg_1": " was strong."}
    row["target"] = "was strong."


def target_by_name(row: Log, i: int) -> None:
    row["target"] = NAMES[Y[i]]


def target_by_letter(row: Log, i: int) -> None:
    row["target"] = "ABC"[Y[i]]


def mutual(row: Log, i: int) -> None:
    row.update(filtered_resps=2 * row["filtered_resps"], acc_mutual_info=1.0)


def of_old_version(row: Log, i: int) -> None:
    row.update(target=NAMES[Y[i]], arguments=[["Q", f" {name}"] for name in NAMES])


def flipped(row: Log, i: int) -> None:
    row["acc"] = 1 - row["acc"]


def decisions(probs: Iterable[Any], **fields: Callable[[int], Any]) -> Iterator[Log]:
    """Rows of a decision service's log; each of `fields` takes the number of a row."""
    for i, p in enumerate(probs):
        row = {"id": f"d{i}", "probs": p}
        yield row | {name: field(i) for name, field in fields.items()}


def gold(i: int) -> str:
    return NAMES[Y[i]]


def mappings(digits: int = DECIMALS) -> list[dict[str, float]]:
    """Return probabilities by name, rounded so that each row sums to 1."""
    scale = 10**digits
    whole = np.round(P * scale)
    whole[np.arange(N), P.argmax(axis=1)] += scale - whole.sum(axis=1)
    return [dict(zip(NAMES, row, strict=True)) for row in (whole / scale).tolist()]


def without_zeros(mapping: Mapping[str, float]) -> dict[str, float]:
    return {name: p for name, p in mapping.items() if p}


def choices_of_question(i: int, p: np.ndarray) -> dict[str, float]:
    """Return the probabilities of the choices of a question, which has its own names."""
    return {f"{i}-{NAMES[k]}": float(value) for k, value in enumerate(p)}


def uneven_choices(i: int) -> dict[str, float]:
    """Return the probabilities of two choices, and of three in each second question."""
    first = P[i, : 2 + i % 2]
    return choices_of_question(i, first / first.sum())


def batch() -> Iterator[Log]:
    """Rows of a batch of OpenAI's, whose answer is one token."""
    for i, (p, answer) in enumerate(zip(TOP, BEST_NAMES, strict=True)):
        token = {"token": answer, "logprob": float(np.log(p)), "top_logprobs": []}
        choice = {"message": {"content": answer}, "logprobs": {"content": [token]}}
        yield {"custom_id": IDS[i], "response": {"body": {"choices": [choice]}}}


def inspect() -> dict[str, Any]:
    """Return a log of Inspect, whose answers have a stated confidence."""
    samples = [
        {
            "id": i,
            "target": name,
            "output": {},
            "scores": {
                "match": {
                    "value": "CI"[1 - hit],
                    "answer": answer,
                    "metadata": {"confidence": float(confidence)},
                }
            },
        }
        for i, (name, hit, answer, confidence) in enumerate(
            zip(NAMED, HIT, BEST_NAMES, TOP, strict=True)
        )
    ]
    return {"eval": {}, "samples": samples}


EVALUATIONS = [
    Case("samples_mmlu.jsonl", HARNESS, json_lines(harness())),
    Case("samples_anli.jsonl", HARNESS, json_lines(harness(target_by_name))),
    Case("samples_winogrande.jsonl", HARNESS, json_lines(harness(winogrande))),
    Case("samples_letters.jsonl", HARNESS, json_lines(harness(target_by_letter))),
    Case("samples_mutual.jsonl", HARNESS, json_lines(harness(mutual))),
    Case("samples_old.jsonl", HARNESS, json_lines(harness(of_old_version))),
    Case(
        "samples_uneven.jsonl",
        HARNESS,
        json_lines(harness(choices=lambda i: 2 + i % 2)),
        OF_TWO_OR_THREE,
    ),
    Case(
        "samples_flipped.jsonl",
        HARNESS,
        json_lines(harness(flipped)),
        None,
        shown="does not agree with the log's own acc",
    ),
    Case(
        "samples_truthfulqa.jsonl",
        HARNESS,
        json_lines(harness(with_fields(acc=0.3))),
        None,
        shown="neither 0 nor 1",
    ),
    Case(
        "samples_gsm8k.jsonl",
        HARNESS,
        json_lines(harness(with_fields(filtered_resps=["18"]))),
        None,
        shown="'confidence' and 'correct'",
    ),
]

DECISIONS = [
    Case(
        "keys.jsonl",
        "decisions",
        json_lines(decisions(P.tolist(), option_keys=lambda i: NAMES, target=gold)),
    ),
    Case(
        "orders.jsonl",
        "decisions",
        json_lines(
            decisions(
                P[:, [2, 0, 1]].tolist(),
                option_keys=lambda i: ["hen", "cat", "dog"],
                gold=gold,
            )
        ),
        IN_OTHER_ORDER,
    ),
    Case(
        "turning.jsonl",
        "decisions",
        json_lines(
            decisions(
                [np.roll(p, i % 3).tolist() for i, p in enumerate(P)],
                option_keys=lambda i: np.roll(NAMES, i % 3).tolist(),
                gold=gold,
            )
        ),
    ),
]
DECISIONS += [
    Case(
        f"mapping.{ending}",
        "decisions",
        json_lines(decisions(mappings(), gold=gold)),
        atol=1e-5,
    )
    for ending in ("jsonl", "jevl", "ndjson")
]
DECISIONS += [
    Case(
        "zeros.jsonl",
        "decisions",
        json_lines(decisions(TENTHS.tolist(), option_keys=lambda i: NAMES, gold=gold)),
        (Y, TENTHS / TENTHS.sum(axis=1, keepdims=True)),
    ),
    Case(
        "nested.jsonl",
        "decisions",
        json_lines(
            {"run": {"id": i, "gold": gold(i)}, "decision": {"probs": p, "ms": 3.5}}
            for i, p in enumerate(mappings())
        ),
        atol=1e-5,
    ),
    Case(
        "sparse.jsonl",
        "decisions",
        json_lines(decisions(map(without_zeros, mappings(digits=2)), gold=gold)),
        (Y, None),
    ),
    Case(
        "questions.jsonl",
        "decisions",
        json_lines(
            decisions(
                map(choices_of_question, range(N), P),
                gold=lambda i: f"{i}-{gold(i)}",
            )
        ),
    ),
    Case(
        "uneven.jsonl",
        "decisions",
        json_lines(
            decisions(
                map(uneven_choices, range(N)),
                gold=lambda i: f"{i}-{NAMES[OF_TWO_OR_THREE[0][i]]}",
            )
        ),
        OF_TWO_OR_THREE,
    ),
]
LOGS = [*EVALUATIONS, *DECISIONS]
