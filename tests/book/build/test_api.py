"""The reference: its table of names, and links that open a description."""

import pytest
from bs4 import BeautifulSoup
from helpers import SITE, site_pages


@pytest.mark.slow
def test_the_reference_begins_with_a_table_of_all_its_names():
    """Each function and class, and no method, has a link to where it is described."""
    site_pages()
    page = BeautifulSoup((SITE / "use" / "api.html").read_text("utf-8"), "html.parser")
    rows = page.select(".calib-names tbody tr")
    linked = [a["href"].removeprefix("#") for row in rows for a in row.select("a")]
    described = page.select("dl.py > dt[id]")
    names = [d["id"] for d in described if not d.find_parent("dl").find_parent("dl")]
    assert len(names) > 100 and set(names) <= set(linked)
    assert 15 < len(rows) < 30, "a row a group"
    assert all(row.get_text().strip() for row in rows)
    # the first line and the name that links lead to are open, all else is one click away
    for name in names:
        description = page.find(id=name).find_next_sibling("dd")
        assert description.find("p").get_text() and not description.find(
            "p"
        ).find_parent("details")
        assert not page.find(id=name).find_parent("details")
    assert len(linked) == len({*linked})


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("name", ["calib.ece", "calib.TemperatureScaling.fit"])
def test_a_link_to_a_name_of_the_reference_opens_its_description(browser, name):
    """Of a function what stands below it, of a method what stands around it; nothing else."""
    site_pages()
    page = browser.new_page()
    page.goto(f"{(SITE / 'use' / 'api.html').as_uri()}#{name}", timeout=120_000)
    opened = page.locator("details.described[open]")
    opened.first.wait_for()
    assert opened.count() == 1
    assert page.locator(f"[id='{name}']").is_visible()
    page.close()
