"""The reference: its table of names, and links that open a description."""

import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from helpers import SITE, site_pages
from sphinx.addnodes import desc, desc_content, desc_signature

import calib
from book.build import api
from calib import metrics


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


def description(name, *content):
    """What Sphinx makes of a function or a class."""
    signature = desc_signature("", "", fullname=name, ids=[f"calib.{name}"])
    return desc("", signature, desc_content("", *content))


def section(title, *content):
    return nodes.section("", nodes.title("", title), *content, ids=[title.lower()])


def test_a_name_is_at_home_where_it_is_offered():
    assert api.home("ece", metrics) == "calib"
    assert api.home("np", metrics) == ""  # only imported there
    assert api.home("TemperatureScaling", calib) == "calib"
    assert api.home("__name__", metrics) == ""


@pytest.mark.parametrize(
    ("name", "value", "kind", "n_options"),
    [
        ("calib.ece", calib.ece, "autofunction", 0),
        ("calib.TemperatureScaling", calib.TemperatureScaling, "autoclass", 3),
        ("builtins.ValueError", ValueError, "autoexception", 0),
        ("builtins.int", int, "autoclass", 0),
    ],
)
def test_members_are_shown_of_what_is_fitted(name, value, kind, n_options):
    first, *options, last = api.entry(name, value)
    assert first == f".. {kind}:: {name}" and last == ""
    assert len(options) == n_options
    assert all(option.startswith("   :") for option in options)


def test_a_table_has_a_row_for_each_section_and_no_method():
    method = description("Map.fit")
    first = section("First", description("ece"), description("Map", method))
    page = nodes.document(None, None)
    page += [first, section("Empty"), section("Second", description("nll"))]
    by_section = api.names_of(page)
    assert [len(names) for names in by_section.values()] == [2, 1]
    table = api.table_of_names(by_section)
    rows = [[cell.astext() for cell in row] for row in table.findall(nodes.row)]
    assert rows == [["Group", "Names"], ["First", "ece Map "], ["Second", "nll "]]
    links = [link["refid"] for link in table.findall(nodes.reference)]
    assert links == ["first", "calib.ece", "calib.Map", "second", "calib.nll"]


def test_what_stands_below_the_first_line_is_folded():
    one, two = (
        description("ece", *(nodes.paragraph("", text) for text in texts))
        for texts in ("a", "abc")
    )
    for described in (one, two):
        api.fold(described)
    assert [node.astext() for node in one[1]] == ["a"]
    shown = [node.astext() for node in two[1]]
    assert shown == ["a", api.OPENING, "b", "c", "</details>"]
