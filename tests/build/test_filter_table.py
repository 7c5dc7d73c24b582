"""Tables in a browser: one that filters and sorts, one that is too wide."""

import pytest
from helpers import ROOT, chromium

PAGE = """<meta charset="utf-8"><filter-table filters="Kind"><table>
<thead><tr><th>Name</th><th>Kind</th><th>Size</th></tr></thead>
<tbody><tr><td>ten</td><td>even</td><td>10</td></tr><tr><td>nine</td><td>odd</td><td>9</td></tr>
<tr><td>two</td><td>even</td><td>2</td></tr></tbody></table></filter-table>"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    file = tmp_path_factory.mktemp("table") / "page.html"
    folder = ROOT / "book" / "assets" / "widgets"
    script = "".join(
        (folder / f"{name}.js").read_text(encoding="utf-8") for name in ("base", "filter-table")
    )
    file.write_text(f"{PAGE}<script>{script}</script>", encoding="utf-8")
    with chromium() as browser:
        tab = browser.new_page()
        tab.goto(file.as_uri())
        yield tab


def test_a_table_that_goes_on_fades_until_its_end(page):
    """A script of its own page, since `book.js` looks at a page once."""
    tab = page.context.browser.new_page()
    tab.set_content(
        '<div class="cell_output"><div class="text_html" style="overflow-x: auto; width: 9rem">'
        '<table><tr><td style="min-width: 30rem">wide</td></tr></table></div></div>'
        '<div class="cell_output"><div class="text_html"><table></table></div></div>'
    )
    tab.add_script_tag(path=ROOT / "book" / "assets" / "book.js")
    wide, narrow = tab.locator(".text_html").all()
    tab.wait_for_selector(".text_html.more-right")
    assert "more-right" not in narrow.get_attribute("class")
    wide.evaluate("box => (box.scrollLeft = box.scrollWidth)")
    tab.wait_for_function("!document.querySelector('.more-right')")


def names(page):
    return page.locator("tbody tr:not([hidden]) td:first-child").all_inner_texts()


def test_it_filters_sorts_and_says_how_many(page):
    assert names(page) == ["ten", "nine", "two"]
    page.get_by_role("button", name="Size").focus()
    page.keyboard.press("Enter")
    assert names(page) == ["two", "nine", "ten"]
    assert page.locator("th").nth(2).get_attribute("aria-sort") == "ascending"
    page.keyboard.press("Enter")
    assert names(page) == ["ten", "nine", "two"]
    page.get_by_label("Kind").select_option("even")
    assert names(page) == ["ten", "two"]
    page.get_by_label("Search").fill("tw")
    assert names(page) == ["two"]
    assert page.locator(".w-status").inner_text() == "1 of 3 rows"
