"""The two papers: no typed number, every named fact exists, fixed bytes, a limited length."""

import re

import pytest

from paper import typeset

NAMED = r"CIFAR-100?|SHA-256|\b(19|20)\d\d\b"
LAYOUT = r"```.*?```|`[^`]*`|#f\.[a-z0-9-]+|#cite\(.*?\)|@[a-z0-9-]+|\bf\.[a-z0-9-]+|<[a-z0-9-]+>"
TEXTS = {text.stem: text.read_text("utf-8") for text in typeset.TEXTS}


def prose(text):
    """Return a text without code, names of facts, citations, and names that hold a digit."""
    text = re.sub(r"\$[^$]*\$", lambda found: re.sub("[012]", "", found[0]), text)
    return re.sub(NAMED, "", re.sub(LAYOUT, "", text, flags=re.DOTALL))


@pytest.mark.parametrize("name", TEXTS)
def test_no_digit_is_typed(name):
    assert re.findall(r".*\d.*", prose(TEXTS[name])) == []
    assert not re.findall(r"#f\.[a-z0-9-]+;", TEXTS[name]), (
        "a semicolon there is not printed"
    )


@pytest.fixture(scope="module")
def facts():
    return typeset.compute()


def test_every_fact_is_named_and_every_name_is_a_fact(facts):
    typeset.check(facts)
    with pytest.raises(SystemExit, match="unknown"):
        typeset.check({})
    figures = set(re.findall(r'#drawn\(\s*"([a-z]+)"', "".join(TEXTS.values())))
    assert figures == {file.stem for file in typeset.OUT.glob("*.svg")}


def test_every_work_of_their_own_is_cited():
    works = re.findall(
        r"^@\w+\{(\w+),", (typeset.ROOT / "paper/references.bib").read_text(), re.M
    )
    cited = set(re.findall(r"@(\w+)|<(\w+)>", "".join(TEXTS.values())))
    assert set(works) <= {key for pair in cited for key in pair}


def test_the_pages_are_few_and_their_bytes_fixed(facts):
    typst = pytest.importorskip(
        "typst", reason="typst is not installed here: see `make paper`"
    )
    pdfs = [typeset.typeset() for _ in range(2)]
    assert pdfs[0] == pdfs[1]
    options = {"root": typeset.ROOT, "format": "png"}
    pages = {text.stem: typst.compile(text, **options) for text in typeset.TEXTS}
    assert len(pages["article"]) <= 8 and len(pages["software"]) <= 3
    assert len(prose(TEXTS["software"]).split()) <= 1000
