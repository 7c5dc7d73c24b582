"""The site holds the package, and pip installs it from the site's address."""

import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from helpers import ROOT, SITE, served, site_pages

import calib
from book.build.citation import FromSite, entry
from book.build.install import installation, launchers
from book.build.project import Project
from book.build.wheel import NAME

SMOKE = "import calib, calib_report; print(calib.__file__)"


@pytest.mark.slow
@pytest.mark.browser
def test_pip_installs_from_the_site(tmp_path):
    """Into a folder, without what it needs, and without any index."""
    site_pages()
    with served(SITE) as address:
        options = [
            "--no-deps",
            "--no-index",
            "--quiet",
            "--target",
            str(tmp_path / "there"),
        ]
        wanted = f"neural-calibration @ {address}/{NAME}"
        told = {"check": True, "capture_output": True, "text": True}
        subprocess.run(
            [sys.executable, "-m", "pip", "install", *options, wanted], **told
        )
        run = [sys.executable, "-c", SMOKE]
        done = subprocess.run(run, cwd=tmp_path / "there", **told)
    assert done.stdout.startswith(str(tmp_path / "there"))


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


def test_the_entry_to_cite_has_the_address_where_there_is_one():
    assert "url" not in entry("")
    cited = entry("https://calibration.example/")
    assert cited.endswith("  url = {https://calibration.example/},\n}")
    assert cited.startswith("@software{calibration_book,\n  title = {{")
    assert f"version = {{{calib.__version__}}}," in cited


def test_a_place_to_cite_stands_behind_the_address_where_there_is_one():
    for address in ("", "https://calibration.example/"):
        role = FromSite()
        role.text = "replicate/ledger.html"
        role.inliner = SimpleNamespace(
            document=SimpleNamespace(settings=SimpleNamespace())
        )
        config = SimpleNamespace(html_baseurl=address)
        role.inliner.document.settings.env = SimpleNamespace(config=config)
        (shown,), messages = role.run()
        assert shown.astext() == f"{address}replicate/ledger.html"
        assert messages == []


@pytest.mark.slow
def test_the_site_holds_the_changes_of_the_library():
    site_pages()
    changes = (SITE / "_static" / "CHANGELOG.md").read_bytes()
    assert changes == (ROOT / "CHANGELOG.md").read_bytes()
    page = (SITE / "use" / "changes.html").read_text("utf-8")
    assert 'href="../_static/CHANGELOG.md"' in page


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
