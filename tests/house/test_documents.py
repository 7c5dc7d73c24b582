"""CONTRIBUTING and MAINTAINING name files that are there, which hold what they are said to."""

import re

import pytest
from helpers import ROOT

DOCUMENTS = ("CONTRIBUTING.md", "MAINTAINING.md")
QUOTED = re.compile(r"`([^`\n]+)`")
# a name, and the file that is said to hold it
HELD = re.compile(r"`([A-Za-z_]\w+)`\s+(?:of|in)\s+`([\w/.-]+\.\w+)`")
FILE = re.compile(r"[\w.-]+(?:/[\w.-]+)*\.(?:py|md|csv|js|toml|yml|yaml|css|typ)")
# in place of a name that a reader chooses, and what is built or comes from elsewhere
CHOSEN = re.compile(
    r"\b(?:NAME|X|PAPER|OLD|CHAPTER)\b|_(?:X|NAME|CHAPTER)\.|^_build/|^texts\.js|^papaparse"
)
SOURCES = [ROOT / name for name in ("calib", "calib_report", "evidence", "book")]
SOURCES += [ROOT / name for name in ("teaching", "tests", "paper", "chapters", "data")]


def text_of(document):
    """Return the text of a document, without the code that it shows."""
    text = (ROOT / document).read_text("utf-8")
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def files_named(name):
    """Return the files that a name stands for: a path from the root, or the end of one."""
    if (ROOT / name).is_file():
        return [ROOT / name]
    return [path for folder in SOURCES for path in folder.rglob(name)]


def named_files():
    """Yield the documents with the files that they name."""
    for document in DOCUMENTS:
        names = set(QUOTED.findall(text_of(document)))
        for name in sorted(names):
            if FILE.fullmatch(name) and not CHOSEN.search(name):
                yield pytest.param(document, name, id=f"{document}: {name}")


def held_names():
    """Yield the documents with names and the files that are said to hold them."""
    for document in DOCUMENTS:
        for name, file in sorted(set(HELD.findall(text_of(document)))):
            if not CHOSEN.search(file):
                yield pytest.param(document, name, file, id=f"{name} of {file}")


@pytest.mark.parametrize(("document", "name"), named_files())
def test_a_file_that_is_named_is_there(document, name):
    assert files_named(name)


@pytest.mark.parametrize(("document", "name", "file"), held_names())
def test_a_file_holds_the_name_that_it_is_said_to_hold(document, name, file):
    found = re.compile(rf"\b{name}\b")
    assert any(found.search(path.read_text("utf-8")) for path in files_named(file))


def test_a_constant_or_function_that_is_named_is_somewhere():
    pattern = re.compile(r"[A-Z]+_[A-Z_]+|[A-Z]{4,}|[a-z]+_[a-z_]+")
    words = set()
    for folder in SOURCES:
        for ending in ("py", "js", "md", "toml", "yml"):
            for path in folder.rglob(f"*.{ending}"):
                words.update(re.findall(r"\w+", path.read_text("utf-8")))
    quoted = {
        name
        for document in DOCUMENTS
        for name in QUOTED.findall(text_of(document))
        if pattern.fullmatch(name)
    }
    assert len(quoted) > 20
    assert quoted - words == set()


def test_a_name_that_is_not_there_is_found():
    assert not files_named("evidence/studies/no_such.py")
    assert HELD.findall("Its name in `FIRST` of `a/b.py`") == [("FIRST", "a/b.py")]
