"""The minutes that a page takes to read."""

from types import SimpleNamespace

import nbformat
import pytest

from book.build import minutes
from book.build.students import without_solutions


def test_words_equations_code_figures_and_exercises_take_their_minutes(tmp_path):
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
    moves.outputs[0].data["text/html"] = (
        "<p>Try:</p><bins-slider class='w'></bins-slider>"
    )
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
    notebook = nbformat.v4.new_notebook(cells=cells)
    found = minutes.minutes_of_cells(without_solutions(notebook).cells)
    exact = 500 / 120 + 0.5 + 1 + (2 + 1) + 1 + 2
    assert found == pytest.approx(exact, abs=0.1)
    nbformat.write(notebook, tmp_path / "one.ipynb")
    # rounded up to five: 11.7 minutes, and one and a half times as many
    assert minutes.estimate_of_file(tmp_path / "one.ipynb") == (15, 20, 1)


@pytest.mark.parametrize(
    ("n_words", "reading", "teaching"),
    [(0, 0, 0), (1, 5, 5), (600, 5, 10), (601, 10, 10), (1200, 10, 15)],
)
def test_a_page_of_words_takes_a_minute_for_120_in_fives(
    tmp_path, n_words, reading, teaching
):
    path = tmp_path / "one.md"
    path.write_text("word " * n_words)
    assert minutes.estimate_of_file(path) == (reading, teaching, 0)


def test_pages_take_the_sum_of_their_minutes_and_one_that_is_gone_none():
    pages = {"a": minutes.Estimate(5, 10, 0), "b": minutes.Estimate(20, 30, 3)}
    env = SimpleNamespace(minutes=pages)
    assert minutes.minutes_to_read(env, ["a", "b", "gone"]) == 25


def test_pages_that_changed_are_estimated_again_and_those_that_show_minutes_written(
    tmp_path,
):
    for name, n_words in (("a", 1), ("b", 601)):
        (tmp_path / f"{name}.md").write_text("word " * n_words)
    env = SimpleNamespace(
        found_docs={"a", "b"},
        doc2path=lambda name: tmp_path / f"{name}.md",
        metadata={"a": {}, "b": {"counted": True}},
    )

    def shown_again(added=(), changed=()):
        return minutes.estimate_changed_pages(None, env, {*added}, {*changed}, set())

    assert shown_again(added={"a", "b"}) == ["b"]
    assert env.minutes == {"a": (5, 5, 0), "b": (10, 10, 0)}
    (tmp_path / "a.md").write_text("word " * 601)
    assert shown_again() == [] and env.minutes["a"] == (5, 5, 0)
    assert shown_again(changed={"a"}) == ["b"] and env.minutes["a"] == (10, 10, 0)
    assert shown_again(changed={"a"}) == []
    env.found_docs.remove("a")
    assert shown_again() == ["b"] and env.minutes == {"b": (10, 10, 0)}


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
    minutes.say(app, "one", "page.html", context, None)
    page = f'<h1>One</h1>\n<p class="page-minutes">{said}</p>\n<p>text</p>'
    assert context["body"] == page


@pytest.mark.parametrize("page", ["index", "intro", "labs/one", "not-there"])
def test_neither_the_first_page_nor_a_lab_says_its_minutes(page, tmp_path):
    (tmp_path / "labs").mkdir()
    for name in ("index", "intro", "labs/one"):
        (tmp_path / f"{name}.ipynb").touch()
    app = SimpleNamespace(srcdir=tmp_path, config=SimpleNamespace(root_doc="intro"))
    context = {"body": "<h1>One</h1>"}
    minutes.say(app, page, "page.html", context, None)
    assert context["body"] == "<h1>One</h1>"
