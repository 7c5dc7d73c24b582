"""Lines of code are counted by what becomes of them on the page."""

import pytest

from book.build.code_lines import kind_of, lines_of, table
from book.build.project import Chapter

CHAPTER = """---
kernelspec: {name: python3}
---
```{code-cell} ipython3
shown = 1

shown = 2
```
```{code-cell} ipython3
:tags: [hide-input, full-width]
folded = 1
```
```{code-cell} ipython3
---
mystnb: {figure: {name: fig-a}}
tags: [remove-cell]
---
removed = 1
```
```{code-cell} ipython3
:tags: [check, hide-cell]
exercise = 1
```
"""


def test_each_line_is_of_one_kind_and_blank_ones_of_none(tmp_path):
    path = tmp_path / "a.md"
    path.write_text(CHAPTER)
    chapter = Chapter("a", path, {})
    assert lines_of(chapter) == {"shown": 2, "folded": 1, "removed": 1, "exercise": 1}
    assert table([chapter]).splitlines()[1].split() == ["a", "2", "1", "1", "1", "50%"]


@pytest.mark.parametrize(
    ("tags", "kind"),
    [
        ("", "shown"),
        (":tags: [full-width]", "shown"),
        (":tags: [hide-cell]", "folded"),
        (":tags: [ hide-input, x ]", "folded"),
        (":tags: [hide-cell, remove-input]", "removed"),
        (":tags: [remove-cell]", "removed"),
        (":tags: [stub]", "exercise"),
        (":tags: [remove-cell, solution]", "exercise"),
    ],
)
def test_what_becomes_of_a_cell_is_told_by_its_tags(tags, kind):
    assert kind_of(tags) == kind


def test_a_table_of_lines_has_a_head_and_a_sum(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.md").write_text(CHAPTER)
    (tmp_path / "text.md").write_text("# No code\n")
    chapters = [
        Chapter(name, tmp_path / f"{name}.md", {}) for name in ("a", "text", "b")
    ]
    head, *rows = (line.split() for line in table(chapters).splitlines())
    assert head == ["chapter", "shown", "folded", "removed", "exercise", "share"]
    assert [row[0] for row in rows] == ["a", "b", "all"]
    assert rows[-1][1:] == ["4", "2", "2", "2", "50%"]
