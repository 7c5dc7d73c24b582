"""The sources of the chapters: structure, figures and what they may not hold."""

import base64
import json
import re

import nbformat
from helpers import ROOT, skip_unless

from book.build.execute import key
from book.build.project import Project

PROJECT = Project(ROOT)
CHAPTERS = PROJECT.on_disk()
NOTEBOOKS = [chapter for chapter in CHAPTERS if chapter.is_notebook]
TEXTS = {chapter.name: chapter.path.read_text("utf-8") for chapter in CHAPTERS}
PATHS = re.compile(r"/work/|/home/|/root/|/tmp/|\.\./shared")


def whole_book_was_executed():
    """Whether each chapter was, whenever that was; `make chapter` executes one of them."""
    return all(PROJECT.executed(chapter).is_file() for chapter in NOTEBOOKS)


def test_every_chapter_is_listed_once_and_executed_as_it_stands():
    assert {chapter.name for chapter in PROJECT.listed()} == set(TEXTS)
    skip_unless(whole_book_was_executed(), "not all chapters are executed: make book")
    stale = []
    for chapter in NOTEBOOKS:
        record = PROJECT.executed(chapter).with_suffix(".json")
        recorded = json.loads(record.read_text()) if record.is_file() else {}
        if recorded.get("key") != key(PROJECT, chapter):
            stale.append(chapter.name)
    assert stale == [], "changed since they were executed: make book"


def test_a_figure_is_at_most_700_pixels_wide():
    """Drawn with two dots a pixel; the width of a PNG stands in its bytes 16 to 19."""
    skip_unless(whole_book_was_executed(), "not all chapters are executed: make book")
    n_figures, wide = 0, []
    for chapter in NOTEBOOKS:
        for cell in nbformat.read(PROJECT.executed(chapter), as_version=4).cells:
            shown = [
                output.get("data", {}).get("image/png")
                for output in cell.get("outputs", [])
            ]
            widths = [
                int.from_bytes(base64.b64decode(png)[16:20], "big")
                for png in shown
                if png
            ]
            n_figures += len(widths)
            wide += [(chapter.name, width // 2) for width in widths if width > 1400]
    assert n_figures > 80
    assert wide == []


def test_a_chapter_has_a_label_and_one_title_and_no_path_of_a_machine():
    faulty = []
    for name, text in TEXTS.items():
        body = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
        prose = re.sub(
            r"^(`{3,}|:{3,}).*?^\1 *$", "", body, flags=re.DOTALL | re.MULTILINE
        )
        has_one_title = len(re.findall(r"^# ", prose, re.MULTILINE)) == 1
        labelled = re.match(r"\s*(\([\w-]+\)=\n)+# ", prose)
        faulty += (
            [] if has_one_title and labelled and not PATHS.search(text) else [name]
        )
    assert faulty == []
