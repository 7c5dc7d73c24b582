"""A glued number is found where it is made and where it is shown."""

from book.build.glued_numbers import lines_that_make, where
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


def test_a_call_whose_names_are_all_open_makes_no_number_in_particular():
    for code in (
        "glue_values(section, **facts)",
        "glue_values(**facts)",
        'glue(f"{section}-{name}", 1)',
        "glue(f'{name}', 1)",
    ):
        assert lines_that_make(code, "sets-lac-most") == []
    assert lines_that_make("glue_values(section, most=1)", "sets-lac-most") == [1]
    assert lines_that_make('glue(f"{name}-most", 1)', "sets-lac-most") == [1]


def test_a_cell_whose_options_are_yaml_is_read(tmp_path):
    chapter = tmp_path / "chapters" / "a.md"
    chapter.parent.mkdir()
    chapter.write_text(
        "```{code-cell} ipython3\n---\ntags: [hide-input]\nmystnb:\n  figure:\n"
        '    name: x\n---\n%matplotlib inline\nglue("sets-most", 1)\n```\n'
    )
    assert list(where(Project(tmp_path), "sets-most")) == ["chapters/a.md:9: made"]


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
