"""The scripts of pages: what is wrong in one is said with its place."""

import pytest

from book.build.lint_scripts import MOST_COLUMNS, check, parts_of_desk, place_in
from book.build.project import BookError

WORKER = """importScripts(
  "texts.js",
  "papaparse.js",
  "one.js",
  "two.js",
);
onmessage = both;
"""
ONE = "const one = 1;\n"
TWO = "// Reads what the first script holds.\nconst both = () => one + Papa.two;\n"


@pytest.fixture
def assets(tmp_path):
    scripts = {
        "widgets/a-b.js": "(() => {\n  book.shown = 1;\n})();\n",
        "desk/worker.js": WORKER,
        "desk/one.js": ONE,
        "desk/two.js": TWO,
        "desk/papaparse.js": "var papa\n",
        "mathjax/core.js": "var unused = lost\n",
    }
    for name, script in scripts.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(script)
    return tmp_path


def test_scripts_of_others_and_names_of_the_desks_one_scope_are_no_fault(assets):
    check(assets)
    parts = [assets / "desk" / name for name in ("one.js", "two.js", "worker.js")]
    assert parts_of_desk(assets) == parts
    (assets / "desk" / "worker.js").unlink()
    assert parts_of_desk(assets) == []


@pytest.mark.parametrize(
    ("name", "script", "said"),
    [
        ("widgets/a-b.js", "(() => {\n  lost();\n})();\n", "widgets/a-b.js:2:3: 'lost'"),
        ("widgets/a-b.js", "(() => {\n  const a = 1;\n})();\n", "a-b.js:2:9: Variable 'a'"),
        ("desk/two.js", f"{TWO}lost();\n", "desk/two.js:3:1: 'lost' is not defined"),
        ("desk/two.js", f"{TWO}const one = 2;\n", "Identifier `one` has already"),
        ("desk/one.js", f"{ONE}//{'x' * MOST_COLUMNS}\n", "one.js:2: 122 columns"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_script_and_line(assets, name, script, said):
    (assets / name).write_text(script)
    with pytest.raises(BookError) as caught:
        check(assets)
    assert said in str(caught.value)


def test_a_line_as_wide_as_the_window_is_none_too_many(assets):
    (assets / "desk" / "one.js").write_text(f"{ONE}//{'x' * (MOST_COLUMNS - 2)}\n")
    check(assets)


def test_lines_of_scripts_one_behind_the_other_are_counted_in_each(assets):
    parts = parts_of_desk(assets)
    places = [place_in(parts, number) for number in (1, 2, 3, 4)]
    assert places == [
        "desk/one.js:1",
        "desk/two.js:1",
        "desk/two.js:2",
        "desk/worker.js:1",
    ]
    with pytest.raises(ValueError, match="2 lines behind the end"):
        place_in(parts, 12)
