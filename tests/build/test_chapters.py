"""The sources of the chapters: structure, exercises, references and what they may not hold."""

import json
import re

import nbformat
import pytest
from helpers import ROOT, skip_unless

from book.build.execute import execute_all, key
from book.build.project import Project

PROJECT = Project(ROOT)
CHAPTERS = PROJECT.found()
NOTEBOOKS = [chapter for chapter in CHAPTERS if chapter.is_notebook]
TEXTS = {chapter.name: chapter.path.read_text("utf-8") for chapter in CHAPTERS}
START = re.compile(r"^(`{3,}|:{3,})\{(exercise|solution)(?:-start)?\} *(.*)$", re.MULTILINE)
LABEL = re.compile(r"^:label: *(\S+)", re.MULTILINE)
LABELLED = re.compile(r"^\(([\w-]+)\)=\n+(?:\([\w-]+\)=\n+)*#+ (.+)$", re.MULTILINE)
TITLES = {k: v for text in TEXTS.values() for k, v in LABELLED.findall(text)}
FENCED = re.compile(r"^(`{3,})(?:\{code-cell\}|\{math\}|python|sh|text|yaml).*?^\1 *$", re.M | re.S)
DOUBLED = re.compile(r"(?<![\w$\\-])([A-Za-z]{2,})[ \n]\1(?![\w-])")
ARTICLE = re.compile(r"\b(a|an|the|this) \{ref\}`([\w-]+)`", re.IGNORECASE)
SUBJECT = re.compile(r"(?:^|[.:;!?] |, and )\{ref\}`([\w-]+)` (?!and |or )([a-z]+s)\b", re.M)
MEANT = {"that", "had", "error"}  # the last in a quotation of a slip
PATHS = re.compile(r"/work/|/home/|/root/|/tmp/|\.\./shared")


def test_every_chapter_is_listed_once_and_executed_as_it_stands():
    assert {chapter.name for chapter in PROJECT.listed()} == set(TEXTS)
    skip_unless((ROOT / "_build" / "executed").is_dir(), "the chapters are not executed: make book")
    stale = []
    for chapter in NOTEBOOKS:
        record = PROJECT.executed(chapter).with_suffix(".json")
        kept = json.loads(record.read_text()) if record.is_file() else {}
        if kept.get("key") != key(PROJECT, chapter):
            stale.append(chapter.name)
    assert stale == []


def test_every_exercise_of_the_book_has_its_label_and_one_solution():
    labels, answered = [], []
    for text in TEXTS.values():
        for match in START.finditer(text):
            if match[2] == "solution":
                answered.append(match[3].strip())
            else:
                labels.append(LABEL.search(text, match.end())[1])
    assert len(labels) == len(set(labels)) > 100
    assert sorted(labels) == sorted(answered)


def test_a_chapter_has_a_label_and_one_title_and_no_path_of_a_machine():
    wrong = []
    for name, text in TEXTS.items():
        body = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
        prose = re.sub(r"^(`{3,}|:{3,}).*?^\1 *$", "", body, flags=re.DOTALL | re.MULTILINE)
        one = len(re.findall(r"^# ", prose, re.MULTILINE)) == 1
        labelled = re.match(r"\s*(\([\w-]+\)=\n)+# ", prose)
        wrong += [] if one and labelled and not PATHS.search(text) else [name]
    assert wrong == []


def test_no_word_is_doubled_and_references_read_as_text():
    """No title of a section is behind an article, or the subject of a sentence."""
    for name, text in TEXTS.items():
        prose = re.sub(r"`[^`]*`|\$[^$]*\$", "·", FENCED.sub("·", text))
        doubled = [m[0] for m in DOUBLED.finditer(prose) if m[1].lower() not in MEANT]
        begun = re.compile(r"(The|A|An|What|How|Which|Where) ")
        behind = [m[0] for m in ARTICLE.finditer(text) if begun.match(TITLES.get(m[2], ""))]
        assert [*doubled, *behind, *(m[0] for m in SUBJECT.finditer(text))] == [], name


@pytest.mark.slow
@pytest.mark.parametrize("name", ["measure/which-ece", "recalibrate/decisions"])
def test_another_network_gives_other_numbers(name):
    chapter = PROJECT.chapter(name)
    skip_unless(PROJECT.executed(chapter).is_file(), "the chapters are not executed: make book")
    execute_all(PROJECT, [chapter], {"network_name": "cifar10-resnet20"}, folder="other")
    first, second = (
        [
            output.get("text") or dict(output.get("data", {}))
            for cell in nbformat.read(PROJECT.executed(chapter, folder), as_version=4).cells
            for output in cell.get("outputs", [])
        ]
        for folder in ("executed", "other")
    )
    assert len(first) == len(second)
    assert sum(a != b for a, b in zip(first, second, strict=True)) > len(first) / 3
