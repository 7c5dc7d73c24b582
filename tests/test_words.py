"""The prose of the chapters: no doubled word, no title as part of a sentence."""

import re

import pytest
from helpers import ROOT

from book.project import Project

CHAPTERS = Project(ROOT).found()
LABELLED = re.compile(r"^\(([\w-]+)\)=\n+(?:\([\w-]+\)=\n+)*#+ (.+)$", re.MULTILINE)
TITLES = {k: v for c in CHAPTERS for k, v in LABELLED.findall(c.path.read_text("utf-8"))}
FENCED = re.compile(r"^(`{3,})(?:\{code-cell\}|\{math\}|python|sh|text|yaml).*?^\1 *$", re.M | re.S)
DOUBLED = re.compile(r"(?<![\w$\\-])([A-Za-z]{2,})[ \n]\1(?![\w-])")
ARTICLE = re.compile(r"\b(a|an|the|this) \{ref\}`([\w-]+)`", re.IGNORECASE)
SUBJECT = re.compile(r"(?:^|[.:;!?] |, and )\{ref\}`([\w-]+)` (?!and |or )([a-z]+s)\b", re.M)
MEANT = {"that", "had", "error"}  # the last in a quotation of a slip


def prose(chapter):
    """A chapter's text, each piece of code or mathematics a dot."""
    return re.sub(r"`[^`]*`|\$[^$]*\$", "·", FENCED.sub("·", chapter.path.read_text("utf-8")))


@pytest.mark.parametrize("chapter", CHAPTERS, ids=[c.name for c in CHAPTERS])
def test_no_word_is_doubled(chapter):
    found = [m[0] for m in DOUBLED.finditer(prose(chapter)) if m[1].lower() not in MEANT]
    assert found == []


@pytest.mark.parametrize("chapter", CHAPTERS, ids=[c.name for c in CHAPTERS])
def test_a_reference_reads_as_text(chapter):
    text = chapter.path.read_text("utf-8")
    found = [
        f"{m[1]} {TITLES[m[2]]}"
        for m in ARTICLE.finditer(text)
        if re.match(r"(The|A|An|What|How|Which|Where) ", TITLES.get(m[2], ""))
    ]
    assert found == []


@pytest.mark.parametrize("chapter", CHAPTERS, ids=[c.name for c in CHAPTERS])
def test_no_title_is_the_subject_of_a_sentence(chapter):
    text = chapter.path.read_text("utf-8")
    assert [f"{TITLES.get(m[1])} {m[2]}" for m in SUBJECT.finditer(text)] == []
