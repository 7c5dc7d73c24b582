"""The sources of the chapters: structure, exercises, references and what they may not hold."""

import json
import re

import pytest
from helpers import ROOT, skip_unless

from book.build.execute import key
from book.build.project import Project

PROJECT = Project(ROOT)
CHAPTERS = PROJECT.found()
NOTEBOOKS = [chapter for chapter in CHAPTERS if chapter.is_notebook]
START = re.compile(r"^(`{3,}|:{3,})\{(exercise|solution)(?:-start)?\} *(.*)$", re.MULTILINE)
LABEL = re.compile(r"^:label: *(\S+)", re.MULTILINE)

LABELLED = re.compile(r"^\(([\w-]+)\)=\n+(?:\([\w-]+\)=\n+)*#+ (.+)$", re.MULTILINE)
TITLES = {k: v for c in CHAPTERS for k, v in LABELLED.findall(c.path.read_text("utf-8"))}
FENCED = re.compile(r"^(`{3,})(?:\{code-cell\}|\{math\}|python|sh|text|yaml).*?^\1 *$", re.M | re.S)
DOUBLED = re.compile(r"(?<![\w$\\-])([A-Za-z]{2,})[ \n]\1(?![\w-])")
ARTICLE = re.compile(r"\b(a|an|the|this) \{ref\}`([\w-]+)`", re.IGNORECASE)
SUBJECT = re.compile(r"(?:^|[.:;!?] |, and )\{ref\}`([\w-]+)` (?!and |or )([a-z]+s)\b", re.M)
MEANT = {"that", "had", "error"}  # the last in a quotation of a slip


def named(chapters):
    return pytest.mark.parametrize("chapter", chapters, ids=[c.name for c in chapters])


def exercises(text):
    """Return the labels of the exercises and the labels that solutions answer."""
    labels, answered = [], []
    for match in START.finditer(text):
        if match[2] == "solution":
            answered.append(match[3].strip())
        else:
            labels.append(LABEL.search(text, match.end())[1])
    return labels, answered


def test_the_table_of_contents_lists_every_chapter_once():
    assert {chapter.name for chapter in PROJECT.listed()} == {c.name for c in CHAPTERS}


def test_every_chapter_is_executed_as_it_stands():
    skip_unless((ROOT / "_build" / "executed").is_dir(), "the chapters are not executed: make book")
    stale = []
    for chapter in NOTEBOOKS:
        record = PROJECT.executed(chapter).with_suffix(".json")
        kept = json.loads(record.read_text()) if record.is_file() else {}
        if kept.get("key") != key(PROJECT, chapter):
            stale.append(chapter.name)
    assert stale == []


@named(NOTEBOOKS)
def test_declared_data_exists_and_is_tracked_by_name(chapter):
    assert len(PROJECT.data_files(chapter)) >= len(set(chapter.data))


@named(CHAPTERS)
def test_every_exercise_has_one_solution(chapter):
    labels, answered = exercises(chapter.path.read_text(encoding="utf-8"))
    assert len(labels) == len(set(labels))
    assert sorted(labels) == sorted(answered)


def test_exercise_labels_are_unique_in_the_book():
    labels = [label for c in CHAPTERS for label in exercises(c.path.read_text("utf-8"))[0]]
    assert len(labels) == len(set(labels))


@named(CHAPTERS)
def test_a_chapter_starts_with_a_label_and_one_title(chapter):
    text = re.sub(r"\A---\n.*?\n---\n", "", chapter.path.read_text("utf-8"), flags=re.DOTALL)
    prose = re.sub(r"^(`{3,}|:{3,}).*?^\1 *$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert len(re.findall(r"^# ", prose, re.MULTILINE)) == 1
    assert re.match(r"\s*(\([\w-]+\)=\n)+# ", prose), "no label before the title"


@named(CHAPTERS)
def test_a_chapter_holds_no_path_of_a_machine(chapter):
    text = chapter.path.read_text("utf-8")
    assert not re.search(r"/work/|/home/|/root/|/tmp/|\.\./shared", text)


def prose(chapter):
    """A chapter's text, each piece of code or mathematics a dot."""
    return re.sub(r"`[^`]*`|\$[^$]*\$", "·", FENCED.sub("·", chapter.path.read_text("utf-8")))


def test_no_word_is_doubled_and_references_read_as_text():
    """No title of a section is behind an article, or the subject of a sentence."""
    for chapter in CHAPTERS:
        text = chapter.path.read_text("utf-8")
        doubled = [m[0] for m in DOUBLED.finditer(prose(chapter)) if m[1].lower() not in MEANT]
        begun = re.compile(r"(The|A|An|What|How|Which|Where) ")
        behind = [m[0] for m in ARTICLE.finditer(text) if begun.match(TITLES.get(m[2], ""))]
        assert [*doubled, *behind, *(m[0] for m in SUBJECT.finditer(text))] == [], chapter.name
