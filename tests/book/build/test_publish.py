"""The site is a copy of the pages that Sphinx wrote, with what all of them share."""

import hashlib
import json
import shutil
from types import SimpleNamespace

import pytest

from book.build import publish
from book.build.style import VERSION

PAGE = f'<link href="_static/style.css{VERSION}"><a href="_sources/a.ipynb" target="_blank">'
LARGE = f'<script type="application/json">[{"1," * 5000}1]</script>'


class Style:
    """The one style: it says of which pages it is."""

    def write(self, pages, static):
        self.pages = [*pages]
        return b"rules"


@pytest.fixture
def app(tmp_path):
    """What Sphinx wrote of two pages, beside what an earlier build left."""
    raw = tmp_path / "raw"
    files = {
        "index.html": PAGE,
        "part/one.html": PAGE + LARGE,
        "genindex.html": "",
        "search.html": "",
        ".buildinfo": "",
        "_images/shown.png": "",
        "_images/gone.png": "",
        "_static/book.js": "",
        "_static/fontawesome.js.map": "",
        "_static/searchtools.js": "",
        "_static/search.js": "",
        "_static/searchindex.js": "",
        "_static/sphinx_highlight.js": "",
    }
    for name, text in files.items():
        path = raw / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "of-yesterday.html").write_text("")
    for page in ("index", "part/one"):
        path = tmp_path / "sections" / f"{page}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps([[page, "Heading", "Text"]]))
    return SimpleNamespace(
        outdir=raw,
        builder=SimpleNamespace(name="html"),
        config=SimpleNamespace(root_doc="index"),
        env=SimpleNamespace(
            found_docs={"index", "part/one"},
            images={"a.png": (set(), "shown.png")},
        ),
    )


def test_a_copy_lacks_what_no_page_loads_and_what_is_of_former_builds(app):
    site = publish.copied(app)
    assert site == publish.published(app) == app.outdir.parent / "html"
    names = {path.relative_to(site).as_posix() for path in site.rglob("*.*")}
    pages = {"index.html", "part/one.html", "genindex.html", "search.html"}
    kept = {"_images/shown.png", "_static/book.js", "_static/search.js"}
    assert names == pages | kept
    assert (app.outdir / "_images" / "gone.png").is_file(), "Sphinx keeps its own"


def test_pages_share_a_style_named_by_what_it_holds(app):
    style = Style()
    publish.publish(app, None, style=style)
    site = publish.published(app)
    page = (site / "index.html").read_text()
    version = hashlib.sha256(b"rules").hexdigest()[:8]
    assert f'href="_static/style.css?v={version}"' in page
    assert sorted(map(len, style.pages)) == sorted([len(PAGE), len(PAGE + LARGE), 0, 0])
    assert (app.outdir / "index.html").read_text() == PAGE, "Sphinx keeps its own"


def test_data_and_sections_lie_in_files_that_a_page_reaches(app):
    publish.publish(app, None, style=Style())
    site = publish.published(app)
    (data,) = (site / "_static" / "data").iterdir()
    assert (
        f'data-file="../_static/data/{data.name}"'
        in (site / "part/one.html").read_text()
    )
    script = (site / "_static" / "sections.js").read_text()
    sections = json.loads(script.removeprefix("const SECTIONS = ").removesuffix(";"))
    assert sections == {
        f"{page}.html": [[page, "Heading", "Text"]] for page in ("index", "part/one")
    }


def test_a_first_site_is_published_where_there_was_none(app):
    shutil.rmtree(publish.published(app))
    publish.publish(app, None, style=Style())
    assert (publish.published(app) / "part" / "one.html").is_file()


@pytest.mark.parametrize("root", ["index", "part/one"])
def test_a_page_of_the_whole_book_leads_to_its_notebook(app, root):
    app.config.root_doc = root
    publish.publish(app, None, style=Style())
    page = (publish.published(app) / "index.html").read_text()
    assert ("_static/notebooks/a.ipynb" in page) == (root == "index")


@pytest.mark.parametrize("case", ["failed", "print"])
def test_nothing_is_published_of_a_build_that_failed_or_prints(app, case):
    app.builder.name = "singlehtml" if case == "print" else "html"
    fault = ValueError() if case == "failed" else None
    publish.publish(app, fault, style=Style())
    assert (publish.published(app) / "of-yesterday.html").is_file()
