"""The first screens of replications say in bold what the ledger says."""

import re

import pytest
from helpers import ROOT

from evidence import claims

PAGES = {
    page: (ROOT / "chapters" / "replicate" / f"{page}.md").read_text(encoding="utf-8")
    for page in claims.PAPERS
}


SHARE = re.compile(r"\{glue:text\}`(?:share|told)-([\w-]+)-(public|zoo|published)`")


SURE = ("shown", "refuted", "open")


WORDS = (*SURE, "holds", "fails")


def first_bullets(page):
    """The bullets before the first cell that say in bold what was found, and their texts."""
    return re.findall(
        r"^- \*\*([^*]+)\.\*\* (.*)$", page.split("```{code-cell}")[0], re.M
    )


@pytest.mark.parametrize("paper", claims.PAPERS)
def test_bold_words_of_a_first_screen_are_the_verdicts_of_its_numbers(paper):
    """Nor does a number stand behind another sentence than its claim's."""
    ledger = claims.load_ledger(paper).set_index(["id", "evidence"])
    found = 0
    for bold, text in first_bullets(PAGES[paper]):
        plain = re.sub(r"\{[\w:]+\}`[^`]*`", "", text).lower()
        said = {word for word in WORDS if word in bold.lower()}
        for sentence in re.split(r"(?<=[.:;]) ", text):
            for claim, evidence in SHARE.findall(sentence):
                assert ledger.verdict[claim, evidence] in said, (bold, claim, evidence)
                words = claim.split("-")[1:]
                assert any(word[:5] in plain for word in words), claim
                found += 1
    assert found >= 4


@pytest.mark.parametrize("paper", claims.PAPERS)
def test_a_first_screen_has_a_bold_word_for_what_is_shown_and_what_is_open(paper):
    ledger = claims.load_ledger(paper).query("status == 'claim'")
    heads = " ".join(bold.lower() for bold, _ in first_bullets(PAGES[paper]))
    away = set(ledger[ledger.evidence != "published"].verdict) & set(SURE)
    assert away == {word for word in SURE if word in heads}
