"""The built site in a browser: every page, light and dark, desktop and phone."""

import json
import re
import shutil
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

import pytest
from helpers import ROOT, skip_unless

SITE = ROOT / "_build" / "html"
AUXILIARY = {"genindex.html", "search.html"}
PAGE_BYTES = 1_500_000
SHARED = re.compile(r"_static|searchindex")
CHROMIUM = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
LOUD = {"error", "warning"}
HEADINGS = """() => [...document.querySelectorAll('article :is(h1, h2, h3, h4, h5, h6)')]
  .map(node => Number(node.tagName[1]))"""
OVERFLOW = """() => {
  const width = document.documentElement.clientWidth;
  const scrolls = node => node && (getComputedStyle(node).overflowX !== 'visible'
    || scrolls(node.parentElement.closest('article *')));
  return document.documentElement.scrollWidth <= width ? [] :
    [...document.querySelectorAll('article *')]
      .filter(node => node.getBoundingClientRect().right > width + 1 && !scrolls(node))
      .slice(0, 3).map(node => node.outerHTML.slice(0, 120));
}"""


class Page(HTMLParser):
    """What a page holds, as far as the tests ask."""

    def __init__(self, path):
        super().__init__()
        self.path = path
        self.anchors, self.links, self.sources, self.images = set(), [], [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors |= {attributes[name] for name in ("id", "name") if attributes.get(name)}
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if tag in {"img", "script", "source"} and attributes.get("src"):
            self.sources.append(attributes["src"])
        if tag == "link" and attributes.get("rel") in {"stylesheet", "preload", "icon"}:
            self.sources.append(attributes["href"])
        if tag == "img":
            self.images.append(attributes)


@cache
def pages():
    skip_unless((SITE / "index.html").is_file(), "the site is not built: make book")
    return {
        path.relative_to(SITE).as_posix(): Page(path)
        for path in sorted(SITE.rglob("*.html"))
        if "_static" not in path.parts
    }


def chapters():
    return {name: page for name, page in pages().items() if name not in AUXILIARY}


@pytest.fixture(scope="module")
def visits(tmp_path_factory):
    """Open each page once at each size and theme, and keep what was seen."""
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = next(filter(None, map(shutil.which, names)), None)
    skip_unless(chromium is not None, "no chromium on the path")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM)
        context = browser.new_context(
            viewport=DESKTOP, color_scheme="light", reduced_motion="reduce"
        )
        seen = {name: visit(context.new_page(), name) for name in pages()}
        browser.close()
    return seen


def visit(page, name):
    """Open one page, look at it light and dark, then as wide as a phone."""
    found = {"console": [], "external": [], "failed": []}
    page.on("request", lambda r: is_local(r.url) or found["external"].append(r.url))
    page.on("requestfailed", lambda r: found["failed"].append(r.url))
    page.on("pageerror", lambda error: found["console"].append(str(error)))
    page.on("console", lambda m: m.type in LOUD and found["console"].append(m.text))
    page.goto((SITE / name).as_uri(), wait_until="load")
    page.evaluate("async () => { if (window.MathJax) await MathJax.startup.promise; }")
    found["headings"] = page.evaluate(HEADINGS)
    found["axe"] = violations(page)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    dark = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
    found["axe"] += [f"dark: {violation}" for violation in violations(page, dark)]
    page.set_viewport_size(PHONE)
    found["overflow"] = page.evaluate(OVERFLOW)
    page.close()
    return found


def violations(page, options=None):
    from axe_playwright_python.sync_playwright import Axe

    options = {"resultTypes": ["violations"], "preload": False, **(options or {})}
    response = Axe().run(page, options=options).response
    return [
        f"{violation['impact']}: {violation['id']}: {node['html'][:160]}"
        for violation in response["violations"]
        if violation["impact"] in {"serious", "critical"}
        for node in violation["nodes"][:3]
    ]


def is_local(url):
    return urlparse(url).scheme in {"file", "data", "blob", "about"}


@pytest.mark.parametrize("kind", ["console", "external", "failed", "axe", "overflow"])
def test_nothing_is_wrong_with_any_page(visits, kind):
    """No console error, external or failed request, axe finding, or sideways scroll at 390 px."""
    found = [f"{name}: {item}" for name, seen in visits.items() for item in seen[kind]]
    assert not found, "\n".join(found)


def test_a_page_loads_nothing_from_elsewhere():
    assert [
        f"{name}: {source}"
        for name, page in pages().items()
        for source in page.sources
        if urlparse(source).scheme not in {"", "data"} or source.startswith("//")
    ] == []


def test_internal_links_and_anchors_lead_somewhere():
    site = pages()
    broken = []
    for name, page in site.items():
        for link in page.links + page.sources:
            address, anchor = urldefrag(link)
            if urlparse(address).scheme or address.startswith("//"):
                continue
            target = (page.path.parent / unquote(urlparse(address).path)).resolve()
            target = target if address else page.path
            inside = target.is_relative_to(SITE)
            known = site.get(target.relative_to(SITE).as_posix()) if inside else None
            if not target.is_file():
                broken.append(f"{name}: {link}")
            elif anchor and known and unquote(anchor) not in known.anchors:
                broken.append(f"{name}: {link}: no such anchor")
    assert broken == []


def test_images_have_text_alternatives():
    assert [
        f"{name}: {image.get('src')}"
        for name, page in pages().items()
        for image in page.images
        if not image.get("alt", "").strip() and image.get("aria-hidden") != "true"
    ] == []


def test_headings_are_in_order(visits):
    wrong = []
    for name in chapters():
        levels = visits[name]["headings"]
        if levels.count(1) != 1:
            wrong.append(f"{name}: {levels.count(1)} first-level headings")
        skips = [(a, b) for a, b in pairwise(levels) if b > a + 1]
        wrong += [f"{name}: h{below} after h{above}" for above, below in skips]
    assert wrong == []


def test_executed_notebooks_can_be_downloaded():
    notebooks = {
        path.relative_to(SITE / "_sources").with_suffix(".html").as_posix(): json.loads(
            path.read_text(encoding="utf-8")
        )
        for path in (SITE / "_sources").rglob("*.ipynb")
    }
    assert notebooks.keys() <= chapters().keys()
    for name, notebook in notebooks.items():
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        assert all(cell["execution_count"] for cell in cells if cell["source"]), name
        assert any("_sources" in link for link in chapters()[name].links), name


def test_figures_can_be_downloaded():
    for name, page in chapters().items():
        figures = [image["src"] for image in page.images if "_images" in image.get("src", "")]
        assert [src for src in figures if src not in page.links] == [], name


def test_a_page_is_light():
    """HTML, figures and data of a page; theme, fonts, MathJax and search are shared and apart."""
    heavy = []
    for name, page in chapters().items():
        own = {s for s in page.sources if urlparse(s).scheme == "" and not SHARED.search(s)}
        size = page.path.stat().st_size
        size += sum((page.path.parent / urldefrag(s)[0]).stat().st_size for s in own)
        if size > PAGE_BYTES:
            heavy.append(f"{name}: {size} bytes")
    assert heavy == []


def test_no_path_of_this_machine_is_published():
    found = [
        path.relative_to(SITE).as_posix()
        for path in SITE.rglob("*")
        if path.suffix in {".html", ".ipynb", ".js", ".inv"}
        and str(ROOT).encode() in Path(path).read_bytes()
    ]
    assert found == []
