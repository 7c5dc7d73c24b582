"""Figures that ask: nothing on the page says the answer before the reader has given one."""

import re

import pytest
from explorables import opened
from helpers import ROOT, SITE, site_pages

NUMBER = re.compile(r"\d+(?:[.,\N{NO-BREAK SPACE}]\d+)*")


COMMON = {"95", "100"}  # of any interval, of any percentage


READ_SO_FAR = """node => {
    // what one has read at the figure: all that stands above it, and the rest of its section
    const section = node.closest("section")
    const above = block => !(node.compareDocumentPosition(block) & 4)
    const beside = block => block.closest("section") === section
    const kinds = ["p", "li", "td", "summary", "text"].map(kind => "article " + kind)
    const blocks = [...document.querySelectorAll(kinds)]
    const met = blocks.filter(block => node.contains(block) || above(block) || beside(block))
    const read = met.filter(block => !block.classList.contains("page-minutes"))
    const shown = read.filter(block => block.checkVisibility({visibilityProperty: true}))
    const named = [...node.querySelectorAll("[aria-label]")]
    const names = named.map(part => part.getAttribute("aria-label"))
    return [...shown.map(block => block.textContent), ...names].join(" \\n ")
}"""


ASKED = """node => [...node.querySelectorAll(".w-ask p:first-child, .w-ask button, output")]
    .map(part => part.textContent).join(" ")"""


def numbers(text):
    """The numbers in a text, without signs between thousands, that have two digits at least."""
    written = (
        re.sub("[,\N{NO-BREAK SPACE}]", "", number) for number in NUMBER.findall(text)
    )
    return {number for number in written if len(number.replace(".", "")) > 1} - COMMON


def asking_pages():
    """The built pages that hold a figure that asks, with the tags of these figures."""
    widgets = (ROOT / "book/assets/widgets").glob("*-*.js")
    tags = [path.stem for path in widgets if "this.ask(" in path.read_text("utf-8")]
    texts = {name: (SITE / name).read_text("utf-8") for name in site_pages()}
    questions = {
        name: [tag for tag in tags if f"<{tag} " in text]
        for name, text in texts.items()
    }
    return {name: there for name, there in questions.items() if there}


@pytest.mark.slow
def test_no_page_holds_a_number_of_the_answer_before_it_was_given(browser):
    early, n_asked = {}, 0
    for name, tags in asking_pages().items():
        with opened(browser, (SITE / name).as_uri(), printed=False) as page:
            for element in page.locator(", ".join(tags)).all():
                element.evaluate("node => node.scrollIntoView()")
                handle = element.element_handle()
                page.wait_for_function("node => node.data", arg=handle)
                if not element.evaluate("node => Boolean(node.asks)"):
                    continue
                page.wait_for_timeout(300)  # a figure may draw on
                n_asked += 1
                before = numbers(element.evaluate(READ_SO_FAR))
                question = numbers(element.evaluate(ASKED))
                element.locator(".w-ask button").first.click()
                answer = numbers(element.locator(".w-seen").inner_text()) - question
                if answer & before:
                    early[f"{name}: {element.get_attribute('id')}"] = answer & before
    assert early == {}
    assert n_asked > 15
