"""The minutes that a chapter takes to read."""

from types import SimpleNamespace

import nbformat
import pytest

from book.build.minutes import minutes, say


def test_words_equations_code_figures_and_exercises_take_their_minutes():
    def code(source, *tags, shows=()):
        outputs = [nbformat.v4.new_output("display_data", {kind: ""}) for kind in shows]
        return nbformat.v4.new_code_cell(
            source, metadata={"tags": [*tags]}, outputs=outputs
        )

    exercise = "```{exercise-start} A\n```\none two\n```{exercise-end}\n```\n"
    solution = (
        "```{solution-start} a\n```\n" + "word " * 500 + "\n```{solution-end}\n```"
    )
    moves = code("x", "remove-input", shows=["text/html"])
    moves.outputs[0].data["text/html"] = "<bins-slider class='w'></bins-slider>"
    cells = [
        moves,
        nbformat.v4.new_markdown_cell(
            "{glue:text}`a-long-name` "
            + "word " * 500
            + "\n$$\na + b\n$$\n| a |\n|---|\n"
        ),
        code("x\n" * 30, shows=["image/png"]),
        code("x\n" * 30, "hide-input", shows=["text/html"]),
        code("x\n" * 30, "remove-cell", shows=["image/png"]),
        nbformat.v4.new_markdown_cell(exercise + solution),
    ]
    found, exercises = minutes(nbformat.v4.new_notebook(cells=cells))
    assert found == pytest.approx(500 / 120 + 0.5 + 1 + (2 + 1) + 1 + 2, abs=0.1)
    assert exercises == 1


@pytest.mark.parametrize(
    "exercises, said",
    [(0, "About 12 minutes"), (3, "About 12 minutes, and 30 for the exercises")],
)
def test_a_page_says_that_an_exercise_takes_ten_minutes(exercises, said, tmp_path):
    (tmp_path / "one.ipynb").touch()
    app = SimpleNamespace(
        srcdir=tmp_path,
        config=SimpleNamespace(root_doc="intro"),
        env=SimpleNamespace(minutes={"one": (12, 30, exercises)}),
    )
    context = {"body": "<h1>One</h1>\n<p>text</p>"}
    say(app, "one", "page.html", context, None)
    page = f'<h1>One</h1>\n<p class="page-minutes">{said}</p>\n<p>text</p>'
    assert context["body"] == page
