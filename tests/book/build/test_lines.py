"""Lines of code are counted by what becomes of them on the page."""

from book.build.lines import lines_of, table
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
