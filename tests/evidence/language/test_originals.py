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
    lives = ",".join(sources.COLUMNS_BY_READER["life_table"]) + "\n"
    lives += '0,,"1,000",,,"1,000",\n1,,900,,,950,\n2,,600,,,800,\n3,,0,,,0,\n'
    head = ",".join(sources.COLUMNS_BY_READER["lifeeval"]) + "\n"
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


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("1", 1),
        ("0.25", 0.25),
        ("1.001", np.nan),
        ("-0.001", np.nan),
        ("", np.nan),
        ("NA", np.nan),
    ],
)
def test_a_confidence_is_a_number_from_zero_to_one(text, value):
    assert sources.confidences([text])[0] == pytest.approx(value, nan_ok=True)


def test_what_a_model_of_tao_answered_keeps_subject_letter_and_length():
    lines = b"0,0,law,A,A,1.0,0.5,2,7\n1,1,art,B,C,95,0.25,1.5,\n"
    answers = sources.read_tao(ROW, b",Unnamed: 0" + TAO + lines)
    assert answers.group.tolist() == ["law", "art"]
    assert answers.truth.tolist() == ["A", "B"]
    assert answers.length[0] == 7 and np.isnan(answers.length[1])
    assert answers.refused == {"verbal": 1, "linguistic": 2}


def test_choices_are_read_one_subject_after_another(monkeypatch):
    files = {
        name: {"address": f"https://x.org/v/{subject}_test_logits.csv"}
        for name, subject in (("net", "high_school_art"), ("more", "law"))
    }
    monkeypatch.setattr(sources, "known_files", lambda: files)
    head = ",".join(sources.COLUMNS_BY_READER["choices"])
    letters = [f"Logit_{letter}" for letter in "ABCD"]

    def line(letter, *logits):
        named = {"5": letter} | dict(zip(letters, logits, strict=True))
        return ",".join(
            str(named.get(name, "")) for name in sources.COLUMNS_BY_READER["choices"]
        )

    contents = [
        "\n".join([head, line("C", 1, 2, 3, 4), line("A", 0, -1, -2, -3)]),
        "\n".join([head, line("D", 5, 6, 7, 8)]),
    ]
    row = ROW | {"needs": "more"}
    choices = sources.read_choices(row, *(text.encode() for text in contents))
    assert choices.y.tolist() == [2, 0, 3]
    assert choices.logits.tolist() == [[1, 2, 3, 4], [0, -1, -2, -3], [5, 6, 7, 8]]
    assert choices.group.tolist() == ["high school art"] * 2 + ["law"]
    assert (choices.source, choices.dataset, choices.model) == ("net", "set", "net")


def test_a_model_that_lacks_a_question_of_michael_has_a_missing_answer():
    columns = sources.COLUMNS_BY_READER["michael"]
    first, *others = sources.NAMES["michael_sets"]
    answers = [
        ("b", first, "1", "TRUE", "0.9", ""),
        ("b", first, "2", "FALSE", "NA", ""),
        ("a", first, "2", "TRUE", "0.4", ""),
        *((llm, other, "7", "TRUE", "", "0.5") for llm in "ab" for other in others),
    ]
    names = [
        "llm",
        "qset",
        "question_id",
        "correct",
        "stated_confidence",
        "chosen_token_confidence",
    ]
    lines = [",".join(columns)]
    for answer in answers:
        named = dict(zip(names, answer, strict=True))
        lines.append(",".join(named.get(column, "") for column in columns))
    result, *rest = sources.read_michael(ROW, "\n".join(lines).encode())
    assert result.models == ["a", "b"] and result.dataset not in {first, ""}
    assert result.outcome.tolist() == [[2, 1], [1, 0]]
    assert list(result.confidence) == ["stated"]  # no model has the other kind
    np.testing.assert_array_equal(
        result.confidence["stated"], [[np.nan, 0.4], [0.9, np.nan]]
    )
    assert [list(answers.confidence) for answers in rest] == [["token"]] * len(others)
    assert result.group.tolist() == [result.dataset] * 2


LIVES = np.array([1000.0, 900, 600, 200, 50])


@pytest.mark.parametrize(
    ("age", "answer", "width", "expected"),
    [
        (0, 1, 0, (900 - 600) / 1000),
        (0, 2, 1, (900 - 50) / 1000),
        (2, 2, 1, (600 - 50) / 600),  # years before the age are over
        (3, 1, 0, 0),
        (3, 1, 1, 0),
        (3, 2, 1, (200 - 50) / 200),
        (1, 4, 10, 1),
        (1, 300, 5, 0),  # nobody is as old
    ],
)
def test_who_is_alive_dies_within_the_years_that_were_named(
    age, answer, width, expected
):
    zero, named = np.zeros(1), (np.array([float(x)]) for x in (answer, age, width))
    stated = sources.StatedLives(zero, zero, *named, zero, zero)
    assert sources.death_near(LIVES, stated).tolist() == [pytest.approx(expected)]


def test_each_loader_asks_its_own_reader(monkeypatch):
    monkeypatch.setattr(
        sources, "read_whole", lambda name, readers: (None, (name, *readers))
    )
    assert sources.load_choices("x") == ("x", "choices", "scores")
    assert sources.load_tao("x") == ("x", "tao")
    assert sources.load_plaut("x") == ("x", "plaut")
    assert sources.load_michael() == ("michael-answers", "michael")
    assert sources.load_stated_lives() == ("michael-lifeeval", "lifeeval")
    assert set(sources.ANSWER_READERS) == {
        *("choices", "scores", "tao", "plaut", "michael", "lifeeval")
    }


def test_scores_are_choices_of_one_group(monkeypatch):
    monkeypatch.setattr(sources, "read_npy", lambda content: content)
    choices = sources.read_scores(ROW, np.ones((2, 3)), np.array([0, 2]))
    assert choices.logits.shape == (2, 3) and choices.y.tolist() == [0, 2]
    assert choices.group.tolist() == ["set", "set"]
