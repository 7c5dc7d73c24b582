"""Who copies the code that a page of *Learn* shows, in its order, needs no other name."""

import json
import re
import subprocess
import sys

import pytest
import yaml
from helpers import ROOT

from book.build.code_lines import TAGS, kind_of
from book.build.project import CELL, COMMAND

LEARN = [
    chapter["file"]
    for part in yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))["parts"]
    if part["caption"].startswith("Learn: ")
    for chapter in part["chapters"]
]


def is_shown(options: str) -> bool:
    """Whether a reader sees the code, open or folded.

    A check is left out: it compares what an exercise's notebook holds, where readers run it.
    """
    tags = TAGS.search(options)
    return kind_of(options) != "removed" and not (tags and "check" in tags[1])


def shown_code(text: str) -> str:
    cells = (cell for cell in CELL.finditer(text) if is_shown(cell["options"]))
    return "\n".join(COMMAND.sub("", cell["source"]) for cell in cells)


def undefined_names(code: str) -> set[str]:
    """Return the names that a script uses before, or without, their definition."""
    call = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821"]
    call += ["--output-format", "json", "--stdin-filename", "page.py", "-"]
    done = subprocess.run(call, input=code, capture_output=True, text=True)
    found = json.loads(done.stdout)
    assert all(finding["code"] == "F821" for finding in found), "the code is no Python"
    return {re.search("`(.+)`", finding["message"])[1] for finding in found}


PAGE = """```{code-cell} ipython3
:tags: [remove-cell]
hidden = 1
```
```{code-cell} ipython3
shown = sum([hidden, late])
late = shown
```
```{code-cell} ipython3
:tags: [check, hide-cell]
with check("ex"):
    assert late
```
"""


def test_a_name_that_only_a_removed_cell_or_a_later_line_defines_is_found():
    assert undefined_names(shown_code(PAGE)) == {"hidden", "late"}
    defined = PAGE.replace("shown = sum", "hidden = late = 1\nshown = sum")
    assert undefined_names(shown_code(defined)) == set()


@pytest.mark.parametrize("name", LEARN)
def test_shown_code_of_learn_runs_when_it_is_copied_in_order(name):
    text = (ROOT / "chapters" / f"{name}.md").read_text("utf-8")
    assert undefined_names(shown_code(text)) == set()
