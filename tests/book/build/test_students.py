"""The parts of an exercise: solutions go, checks are proved, equal ones are refused."""

import pytest
from one_exercise import CHAPTER, RIGHT, notebook, run, twice
from practised import PROJECT

from book.build import students
from book.build.project import BookError, Chapter


def test_what_stands_in_a_solution_goes_and_the_rest_stays():
    before, after = (
        [cell.source for cell in n.cells]
        for n in (twice(), students.without_solutions(twice()))
    )
    assert after[:3] == before[:3] and after[-1] == "x = 1"
    assert after[3] == "```{exercise-end}\n```" and after[4].startswith(
        "More text\n~~~\n```{sol"
    )
    with pytest.raises(ValueError, match="does not end"):
        students.without_solutions(notebook("```{solution-start} ex\n```"))
    with pytest.raises(ValueError, match="outside of an exercise"):
        students.exercises(notebook(("stub", "a = ...")))


def test_the_quizzes_of_students_have_no_answers():
    text = PROJECT.chapter("use/quizzes").path.read_text("utf-8")
    left = students.without_answers(text)
    assert text.count("{dropdown}") > 20 and "{dropdown}" not in left
    assert left.count("**1.**") == text.count("**1.**")


def test_a_check_is_proved_on_three_spellings_of_the_solution_and_on_five_wrong_ones():
    made = run(twice())
    assert made.metadata["exercises"] == {"ex": 5} and len(made.cells) == len(
        twice().cells
    )
    assert made.metadata["numbers"] == {}  # a function is no number
    for source, words in (
        ("with check('ex'):\n    assert twice(21)", "accepts a wrong twice"),
        ("with check('ex'):\n    assert twice(21) == 41", "refuses the solution"),
        (RIGHT.replace("assert", "assert twice(0) is None or"), "passes on its stub"),
        ("", "ex has no stub, no check"),
    ):
        with pytest.raises((AssertionError, BookError), match=words):
            run(twice(source))


def exercise(label, stub, check_source):
    """The cells of an exercise, without a solution."""
    return (
        f"```{{exercise-start}} E\n:label: {label}\n```",
        ("stub", stub),
        ("check", check_source),
        "```{exercise-end}\n```",
    )


@pytest.mark.parametrize(
    "stub, check_source, equal",
    [
        ("mean = ...", "with check('two'): ...", "same stub"),
        ("other = ...", "with check('one'): ...", "same check"),
        ("other = ...\nmean = ...", "with check('two'): ...", "same open name"),
    ],
)
def test_exercises_that_a_handout_or_a_mark_would_confuse_are_refused(
    stub, check_source, equal
):
    made = notebook(
        *exercise("ex-one", "mean = ...", "with check('one'): ..."),
        *exercise("ex-two", stub, check_source),
    )
    with pytest.raises(BookError, match=f"ex-one and ex-two have the {equal}"):
        students.add_proofs(CHAPTER, made)


def test_a_page_without_its_answers_keeps_all_other_lines():
    text = "a\n\n```{dropdown} Answer\nx\n```\n```{dropdown} Hint\ny\n```\nb\n"
    left = "a\n\n```{dropdown} Hint\ny\n```\nb\n"
    assert students.without_answers(text) == left


def test_a_chapter_with_exercises_imports_what_its_proofs_do(tmp_path):
    found = []
    for name, text in (("a", "# Text\n"), ("b", "```{exercise-start} E\n```\n")):
        path = tmp_path / f"{name}.md"
        path.write_text(text)
        found.append(students.imports_of_proofs(Chapter(name, path, {})))
    assert found == [[], [students.PROOF_IMPORTS]]
