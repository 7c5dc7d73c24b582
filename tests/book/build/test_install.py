"""Pages say how a reader comes to the package."""

import re
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document
from helpers import ROOT, SITE, site_pages

from book.build.install import (
    PACKAGE_OPENING,
    PackageOfThePage,
    installation,
    launchers,
)
from book.build.markdown_twins import is_folded_installation
from book.build.project import Project
from book.build.wheel import NAME


def uses_the_package(page):
    """Whether code of the page, shown or folded, imports the package."""
    shown = re.sub(r"<[^>]+>", "", page)
    return re.search(r"^(from|import) calib\b", shown, re.MULTILINE) is not None


@pytest.mark.slow
def test_pages_that_use_the_package_say_where_it_comes_from():
    site_pages()
    names = [chapter.name for chapter in Project(ROOT).listed()]
    pages = {n: (SITE / f"{n}.html").read_text("utf-8") for n in names}
    users = {name for name, page in pages.items() if uses_the_package(page)}
    assert len(users) >= 40
    for name in users | {"story", "use/api"}:
        root = "../" * name.count("/")
        assert pages[name].count(f'href="{root}{NAME}"') == 1, name
        assert f'href="{root}_static/exercises.zip"' in pages[name], name
        assert "colab" not in pages[name], name  # while there is no address
        assert "mybinder" not in pages[name], name
    assert (SITE / "_static" / "exercises.zip").is_file()


def test_the_command_is_for_the_site_or_for_the_file_that_was_downloaded():
    for address in ("", "https://calibration.example/"):
        said, command = installation("use/two-classes", address)
        local = command.astext() == f'pip install "./{NAME}[report,files]"'
        assert (
            local == ("in the folder where it lies" in said.astext()) == (not address)
        )
        assert f"{address}{NAME}" in command.astext()


def test_with_an_address_a_page_links_its_notebook():
    links = launchers("https://github.com/someone/notebooks/", "use/two-classes")
    assert "/github/someone/notebooks/blob/main/use/two-classes.ipynb" in links
    assert "/gh/someone/notebooks/main?labpath=use/two-classes.ipynb" in links


@pytest.mark.slow
def test_the_page_says_how_to_install_and_links_the_file():
    site_pages()
    page = (SITE / "use" / "your-own-model.html").read_text("utf-8")
    assert f'href="../{NAME}"' in page
    assert "pip install" in re.sub(r"<[^>]+>", "", page)
    assert "git clone ADDRESS" not in (SITE / "use" / "teaching.html").read_text(
        "utf-8"
    )


def test_the_note_on_the_package_is_not_in_the_text():
    opening = nodes.raw("", PACKAGE_OPENING, format="html")
    parts = [opening, *installation("use/api", ""), nodes.paragraph("", "Then")]
    nodes.section("", *parts)
    assert [is_folded_installation(part) for part in parts[1:]] == [True, True, False]


def cell(source):
    return nodes.container("", nodes.literal_block("", source), classes=["cell"])


def with_note(*content):
    """The names of the nodes of a page once the note on the package is put there."""
    document = new_document("page")
    document += list(content)
    config = SimpleNamespace(html_baseurl="")
    document.settings.env = SimpleNamespace(
        docname="part/page", config=config, app=SimpleNamespace()
    )
    PackageOfThePage(document).run()
    return [type(node).__name__ for node in document]


NOTE = ["raw", "paragraph", "literal_block", "raw"]


def test_the_note_on_the_package_stands_below_the_first_cell_that_imports_it():
    first, second = cell("x = 1"), cell("import numpy\nfrom calib import ece")
    found = with_note(first, second, cell("import calib"), nodes.paragraph())
    assert found == ["container", "container", *NOTE, "container", "paragraph"]


@pytest.mark.parametrize("source", ["x = 1", "import calib_report", "# import calib"])
def test_a_page_that_imports_no_package_has_no_note(source):
    box = nodes.container("", nodes.literal_block("", "import calib"), classes=["box"])
    assert with_note(cell(source), box) == ["container", "container"]


def test_a_page_that_says_how_to_install_has_no_note():
    said, command = installation("part/page", "")
    assert said["classes"] == ["installation"] and command["language"] == "sh"
    addresses = [link["refuri"] for link in said.findall(nodes.reference)]
    assert addresses == [f"../{NAME}", "../_static/exercises.zip"]
    assert with_note(cell("import calib"), said) == ["container", "paragraph"]
