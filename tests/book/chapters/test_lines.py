"""*Learn* shows the code of its argument, below its first sentence, and never a screen of it."""

import re

import pytest
import yaml
from helpers import ROOT

from book.build.code_lines import kind_of, lines_of
from book.build.project import CELL, Chapter

SCREEN = 40  # lines


LEARN = [
    chapter["file"]
    for part in yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))["parts"]
    if part["caption"].startswith("Learn: ")
    for chapter in part["chapters"]
]


WITH_CODE = [name for name in LEARN if name not in ("story", "start/how-sure-are-you")]


BOXED = re.compile(r"^(`{3,}|:{3,}).*?^\1$|^[#(][^\n]*$", re.MULTILINE | re.DOTALL)


def chapter_of(name):
    path = ROOT / "chapters" / f"{name}.md"
    return Chapter(name, path, {}), path.read_text("utf-8")


@pytest.mark.parametrize("name", WITH_CODE)
def test_half_of_the_code_of_learn_that_is_no_exercise_is_shown(name):
    counts = lines_of(chapter_of(name)[0])
    assert 2 * counts["shown"] >= counts["shown"] + counts["folded"] + counts["removed"]


@pytest.mark.parametrize("name", LEARN)
def test_shown_code_stands_below_the_first_sentence_and_never_fills_a_screen(name):
    _, text = chapter_of(name)
    body = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    prose = BOXED.sub(lambda box: re.sub(r"[^\n]", " ", box[0]), body)
    sentence, end, at_once = re.search(r"\S", prose).start(), 0, 0
    for cell in CELL.finditer(body):
        if kind_of(cell["options"]) not in ("shown", "folded"):
            continue
        assert cell.start() > sentence
        at_once = at_once if not body[end : cell.start()].strip() else 0
        at_once += len(cell["source"].splitlines()) * (
            kind_of(cell["options"]) == "shown"
        )
        assert at_once <= SCREEN
        end = cell.end()
