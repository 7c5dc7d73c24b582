"""Evaluation logs of language models."""

import json

import numpy as np
import pytest

from calib_report.contract import ReadingError
from calib_report.files.adapters import from_json
from calib_report.reading.reader import read
from evidence.files_with_truth.logs import harness
from evidence.files_with_truth.samples import P


def write_log(path, rows):
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_several_logs_are_read_as_one_with_the_file_of_each_sample(tmp_path):
    """Of the second a choice of three is never offered."""
    paths = [
        write_log(tmp_path / f"{name}.jsonl", harness(choices=lambda i, n=n: n))
        for name, n in (("law", 3), ("logic", 2))
    ]
    outputs = read(paths, groups="file")
    files = np.repeat(["law.jsonl", "logic.jsonl"], 120)
    assert outputs.groups["file"].tolist() == files.tolist()
    np.testing.assert_allclose(outputs.prob[:120], P)
    assert (outputs.prob[120:, 2] == 0).all()


def test_logs_of_other_classes_have_all_of_them(tmp_path):
    paths = [
        write_log(
            tmp_path / f"{name}.jsonl",
            [
                {"scores": {"a": 0.7, name: 0.3}, "label": label}
                for label in ("a", name)
            ],
        )
        for name in "bc"
    ]
    outputs = read(paths, scores="scores")
    assert outputs.class_names == ["a", "b", "c"]
    assert outputs.y.tolist() == [0, 1, 0, 2]
    np.testing.assert_allclose(outputs.prob[[1, 3]], [[0.7, 0.3, 0], [0.7, 0, 0.3]])


def test_only_logs_of_json_lines_are_read_as_one(tmp_path):
    with pytest.raises(ValueError, match="only logs of JSON lines are read as one"):
        read([tmp_path / "a.csv", tmp_path / "b.csv"])


def without_target(row, i):
    if i == 1:
        del row["target"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (without_target, "row 1 has no 'target'"),
        (lambda row, i: row.update(target="9"), "target '9' is none of the 3 choices"),
        (lambda row, i: row["filtered_resps"].pop(), "holds 2 log-likelihoods"),
    ],
)
def test_a_log_whose_rows_are_damaged_is_refused(tmp_path, change, message):
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, harness(change))))
    with pytest.raises(ValueError, match=message):
        read(tmp_path / "a.jsonl")


def question(target, likely, **more):
    """A row of lm-evaluation-harness' log."""
    pairs = [[value, "True"] for value in likely]
    return {"doc_id": 0, "target": target, "filtered_resps": pairs} | more


CHOICES = {"doc": {"choices": ["cat", "dog"]}}


@pytest.mark.parametrize(
    ("row", "place"),
    [
        (question("dog", [-1, -2], **CHOICES), 1),
        (question(1, [-1, -2], **CHOICES), 1),
        (question("B", [-1, -2], **CHOICES), 1),
        (question("a", [-1, -2], **CHOICES), 0),
        (question(" cat ", [-1, -2], doc={"choices": {"text": ["cat", "dog"]}}), 0),
        (question("v", [-1, -2], arguments=[["q", "u"], ["q", "v"]]), 1),
        (
            question(
                "v",
                [-1, -2],
                arguments={"a": {"0": "q", "1": "u"}, "b": {"0": "q", "1": "v"}},
            ),
            1,
        ),
        # one ending after several beginnings
        (question("x", [-1, -2], doc={"answer": "2", "choices": ["x"] * 2}), 1),
        (question("1", [-1, -2], acc=0.0), 1),
        # the other half is without the question
        (question("dog", [-1, -2, -3, -4], acc_mutual_info=1, **CHOICES), 1),
    ],
)
def test_the_right_choice_is_told_by_its_text_its_number_or_its_letter(row, place):
    arrays = from_json([row])
    assert arrays.named["y"].tolist() == [place] and arrays.kind == "logits"
    assert (arrays.y, arrays.scores) == ("y", "logits")
    assert arrays.named["logits"].tolist() == [[-1, -2]]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            question("x", [-1, -2, -3], doc={"choices": ["x", "x", "z"]}),
            "row 0: the target 'x' is none of the 3 choices",
        ),
        (
            question("emu", [-1, -2], **CHOICES),
            "row 0: the target 'emu' is none of the 2 choices",
        ),
        (
            question("cat", [-1, -2, -3], **CHOICES),
            "row 0 holds 3 log-likelihoods, and its question 2",
        ),
        (question("0", [-1, -2], acc=0.5), "row 0: acc is 0.5, neither 0 nor 1"),
        (
            question("0", [-1, -2], acc=0.0),
            "row 0 does not agree with the log's own acc: it is 0, the",
        ),
        (
            {"doc_id": 0, "target": "x", "filtered_resps": ["an answer"]},
            "row 0 holds no log-likelihoods",
        ),
    ],
)
def test_a_question_of_which_the_right_choice_is_not_known_is_refused(row, message):
    with pytest.raises(ReadingError, match=message):
        from_json([row])


def test_choices_that_all_questions_share_are_classes():
    shared = from_json([question("cat", [-1, -2], **CHOICES)] * 2)
    assert shared.classes == ["cat", "dog"]
    other = {"doc": {"choices": ["ox", "emu"]}}
    rows = [question("cat", [-1, -2], **CHOICES), question("ox", [-1, -2], **other)]
    assert from_json(rows).classes == ["choice 0", "choice 1"]


def test_a_log_holds_its_questions_once_for_each_filter():
    rows = [question("0", [-1, -2], filter=name) for name in ("strict", "loose")]
    arrays = from_json(rows)
    assert len(arrays.named["y"]) == 1 and "read is 'strict'" in arrays.notes[-1].text
    with pytest.raises(ReadingError, match="not as many rows of each filter"):
        from_json([*rows, rows[0]])


def token(text, *others):
    """A row of a batch, whose first token has a log p."""
    tokens = [{"token": text, "logprob": np.log(0.5)}, *others]
    content = [tokens[0] | {"top_logprobs": tokens}]
    body = {"choices": [{"logprobs": {"content": content}}]}
    return {"custom_id": "q1", "response": {"body": body}}


def test_a_batch_tells_the_first_token_and_its_probability():
    arrays = from_json(
        [token(" yes"), token("no", {"token": "x", "logprob": -3})]
    ).named
    assert arrays["predicted"].tolist() == ["yes", "no"]
    assert arrays["confidence"].tolist() == pytest.approx([0.5, 0.5])
    with pytest.raises(ReadingError, match="row 1 holds no log p of tokens"):
        from_json([token("a"), {"custom_id": "q2", "response": {"body": {}}}])


def test_without_the_other_tokens_the_first_has_its_own_probability():
    row = token("yes")
    (first,) = row["response"]["body"]["choices"][0]["logprobs"]["content"]
    del first["top_logprobs"]
    assert from_json([row]).named["confidence"].tolist() == pytest.approx([0.5])


def test_a_row_whose_response_is_text_is_no_batch():
    row = {"custom_id": "q1", "response": "nobody", "confidence": 0.5, "correct": 1}
    arrays = from_json([row, row]).named
    assert arrays["response"].tolist() == ["nobody"] * 2 and "predicted" not in arrays


@pytest.mark.parametrize(
    ("score", "correct"),
    [({"value": "C"}, 1), ({"value": "I"}, 0), ({"value": 0.5}, 0.5), ("C", 1)],
)
def test_inspect_says_what_its_first_scorer_says(score, correct):
    row = {
        "id": 3,
        "target": "x",
        "output": {},
        "scores": {"match": score, "other": "I"},
    }
    arrays = from_json(
        [row | {"metadata": {"confidence": 0.7, "id": 9, "more": [1]}}]
    ).named
    assert arrays["correct"].tolist() == [correct] and arrays["id"].tolist() == ["3"]
    assert arrays["confidence"].tolist() == [0.7] and "more" not in arrays
    assert arrays["scorer"].tolist() == ["match"]


def test_zero_shot_pipelines_list_labels_as_they_are_ranked():
    rows = [
        {"sequence": "s", "labels": ["b", "a"], "scores": [0.9, 0.1], "y": "b"},
        {"sequence": "t", "labels": ["a", "b"], "scores": [0.7, 0.3], "y": "a"},
    ]
    arrays = from_json(rows)
    assert arrays.classes == ["b", "a"] and arrays.named["y"].tolist() == ["b", "a"]
    assert arrays.named["probabilities"].tolist() == [[0.9, 0.1], [0.3, 0.7]]
    with pytest.raises(ReadingError, match="row 1 has not as many labels as scores"):
        from_json([rows[0], rows[1] | {"scores": [1]}])
