"""Answers of language models as others wrote them: read without trust."""

import numpy as np
import pytest

from evidence.language import originals as sources

TAO = b",category,correct_answer,extracted_answer,verbal_numerical_confidence,"
TAO += b"logit_perplexity_confidence,verbal_linguistic_confidence,token_length\n"
ROW = {"name": "net", "model": "net", "dataset": "set"}


def test_an_answer_that_is_not_there_is_neither_right_nor_wrong():
    lines = b"0,0,law,A,A,0.9,0.5,0.95,7\n1,1,law,B,A,1.0,0.5,47.975,7\n"
    lines += b"2,2,law,B,,925.0,0.5,,2048\n"
    answers = sources.read_tao(ROW, b",Unnamed: 0" + TAO + lines)
    assert answers.outcome.tolist() == [
        sources.RIGHT,
        sources.WRONG,
        sources.MISSING,
    ]
    assert answers.confidence["verbal"].tolist()[:2] == [0.9, 1.0]
    assert np.isnan(answers.confidence["verbal"][2])  # 925 is not a probability
    assert np.isnan(answers.confidence["linguistic"]).tolist() == [False, True, True]
    assert answers.refused == {"verbal": 1, "linguistic": 1}


def test_grades_are_read_in_the_order_of_the_parts():
    files = [b"grade confidence_level\nCorrect 0.5\nUnparseable 0\n"]
    files += [b"grade confidence_level\nWrong 0.25"]
    answers = sources.read_plaut(ROW, *files)
    assert answers.model == "net" and answers.outcome.tolist() == [1, 2, 0]
    score = answers.confidence["choice"]
    assert score[[0, 2]].tolist() == [0.5, 0.25] and np.isnan(score[1])
    with pytest.raises(ValueError, match="the first line"):
        sources.read_plaut(ROW, b"confidence_level\nCorrect 0.5\n")


def test_the_probability_of_the_life_table_is_computed_again():
    lives = ",".join(sources.COLUMNS["life_table"]) + "\n"
    lives += '0,,"1,000",,,"1,000",\n1,,900,,,950,\n2,,600,,,800,\n3,,0,,,0,\n'
    head = ",".join(sources.COLUMNS["lifeeval"]) + "\n"
    # All of 900 men of age 1 die by 3, and 950 - 800 of 950 women before 2.
    good = "life,net,0,2,1,1,0.9,1.0\nlife,net,404,1,1,0,0.5,0.15789473684210525\n"
    files = [(head + good).encode(), lives.encode()]
    answers = sources.read_lifeeval(ROW, *files)
    assert answers.stated_confidence.tolist() == [0.9, 0.5]
    files[0] = files[0].replace(b"0.157", b"0.257")
    with pytest.raises(ValueError, match=r"row 1: 0\.257.* is not the life table's"):
        sources.read_lifeeval(ROW, *files)


def test_a_file_of_another_kind_is_no_source_of_choices():
    with pytest.raises(ValueError, match="no source 'michael-answers'; there are"):
        sources.load_choices("michael-answers")


def test_pairs_leave_out_or_count_what_is_missing():
    outcome = np.array([[0, 1, 2, 1], [1, 1, 1, 2]], np.uint8)
    score = np.array([[0.5, 0.75, 0.25, np.nan], [0.5, np.nan, 1.0, 1.0]])
    group = np.array(["a", "a", "b", "b"])
    answers = sources.Answers("s", "d", ["one", "two"], outcome, {"kind": score}, group)
    score, hit = answers.pairs("one", "kind")
    assert score.tolist() == [0.5, 0.75] and hit.tolist() == [False, True]
    score, hit = answers.pairs("one", "kind", missing="wrong")
    assert score.tolist() == [0.5, 0.75, 0.25] and hit.tolist() == [False, True, False]
    assert len(answers.pairs("one", "kind", group="b")[0]) == 0
    rows, (first, second) = answers.paired("one", "two", "kind")
    assert rows.tolist() == [True, False, False, False]
    assert first[1].tolist() == [False] and second[1].tolist() == [True]
