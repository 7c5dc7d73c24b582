"""A word of the glossary opens its sentence where it stands; a browser keeps what a reader took."""

import json

import pytest
from explorables import opened
from helpers import ROOT

pytestmark = pytest.mark.browser
ASSETS = ROOT / "book" / "assets"
PAGE = """<meta charset="utf-8"><style>{style} .bd-article {{ width: 300px; position: relative }}
.space {{ height: 3000px }}</style><article class="bd-article"><section><h1>Page</h1>
<p class="page-minutes">About 20 minutes</p>
<p>The <a href="glossary.html#term-bin" id="bin" data-term="A set of samples.">bin</a> and some
more words, then at the end a <a href="glossary.html#term-score" id="score"
data-term="A number from 0 to 1 that claims to be the probability of an event.">score</a>.</p>
<p class="space">Much text.</p><p id="last">The end.</p></section></article>
<script>{before}</script><script>{script}</script>"""


@pytest.fixture
def reader(browser, tmp_path):
    def read(before=""):
        style, script = (
            (ASSETS / f"book.{kind}").read_text("utf-8") for kind in ("css", "js")
        )
        file = tmp_path / "page.html"
        file.write_text(PAGE.format(style=style, script=script, before=before), "utf-8")
        return opened(browser, file.as_uri())

    return read


def test_a_word_opens_and_closes_by_keyboard_and_leads_to_the_glossary(reader):
    with reader() as page:
        page.focus("#bin")
        page.keyboard.press("Enter")
        assert page.inner_text(".meaning") == "bin: A set of samples. Glossary"
        assert page.get_attribute("#bin", "aria-expanded") == "true"
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Glossary"
        assert page.evaluate("document.activeElement.href").endswith(
            "glossary.html#term-bin"
        )
        page.keyboard.press("Escape")
        assert page.locator(".meaning").count() == 0
        assert page.evaluate("document.activeElement.id") == "bin"


def test_one_box_is_open_at_a_time_below_its_word_and_inside_the_text(reader):
    with reader() as page:
        page.click("#bin")
        page.focus("#score")
        page.keyboard.press("Enter")
        box, word = (
            page.locator(".meaning").bounding_box(),
            page.locator("#score").bounding_box(),
        )
        text = page.locator("article").bounding_box()
        assert page.get_attribute("#bin", "aria-expanded") == "false"
        assert 0 <= box["y"] - (word["y"] + word["height"]) < 12
        assert text["x"] - 1 <= box["x"]
        assert box["x"] + box["width"] <= text["x"] + text["width"] + 1
        page.click("h1")
        assert page.locator(".meaning").count() == 0


def test_minutes_are_kept_of_who_reads_to_the_end_and_of_nobody_else(reader):
    fast = (
        "const later = setInterval; window.setInterval = (f, ms) => later(f, ms / 500);"
    )
    for before, is_stored in ((fast, True), ("", False)):
        with reader(before + "localStorage.clear();") as page:
            page.wait_for_timeout(700)
            page.locator("#last").scroll_into_view_if_needed()
            page.wait_for_timeout(300)
            minutes = json.loads(
                page.evaluate("localStorage.getItem('minutes')") or "{}"
            )
            assert bool(minutes) is is_stored
            assert ("; you took" in page.inner_text(".page-minutes")) is is_stored
