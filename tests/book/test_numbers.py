"""A glued number is found where it is made and where it is shown."""

from book.build.numbers import lines_that_make, where
from book.build.project import Project


def test_a_name_is_found_whole_in_parts_and_where_it_is_computed():
    code = (
        'glue_values(\n    "sets",\n    lac_most=1,\n)\nglue("sets-lac-most", 2)\n'
        'glue_values("bins", n=3)'
    )
    assert lines_that_make(code, "sets-lac-most") == [1, 5]
    assert lines_that_make('glue_values(f"sets-{kind}", most=1)', "sets-lac-most") == [
        1
    ]
    assert lines_that_make('glue_values("sets", **facts)', "sets-lac-most") == [1]
    assert lines_that_make("glue_values(lac_most=1)", "lac-most") == [1]
    assert (
        lines_that_make("glue(name, 1)", "x")
        == lines_that_make("glue_values(", "x")
        == []
    )


def test_both_ends_of_a_number_are_printed(tmp_path):
    (tmp_path / "book" / "show").mkdir(parents=True)
    (tmp_path / "book" / "show" / "sets.py").write_text(
        '\nglue_values("sets", most=1)\n'
    )
    chapter = tmp_path / "chapters" / "a.md"
    chapter.parent.mkdir()
    chapter.write_text(
        "At most {glue:text}`sets-most`.\n\n```{code-cell}\n"
        ':tags: [x]\n\nglue("sets-most", 1)\n```\n'
    )
    assert list(where(Project(tmp_path), "sets-most")) == [
        "chapters/a.md:1: shown",
        "chapters/a.md:6: made",
        "book/show/sets.py:2: made",
    ]
