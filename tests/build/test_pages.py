"""The files of the built site: what each page says of itself, holds and links to."""

import gzip
import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

from helpers import ROOT, SITE, site_pages

AUXILIARY = {"genindex.html", "search.html"}
PAGE_BYTES = 1_700_000
FRAME_BYTES = 110_000
SHARED = re.compile(r"_static|searchindex")
DESCRIPTION = range(20, 202)


class Page(HTMLParser):
    """What a page holds, as far as the tests ask."""

    def __init__(self, path):
        super().__init__()
        self.path = path
        self.anchors, self.links, self.sources, self.images = set(), [], [], []
        self.language, self.title, self.meta, self.mains = "", "", {}, 0
        self.policy = ""
        self.inside = ""
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
            self.images.append(attributes.get("src", ""))
        if tag == "html":
            self.language = attributes.get("lang", "")
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        if tag == "meta" and "name" in attributes:
            self.meta[attributes["name"]] = attributes["content"]
        self.mains += tag == "main" or attributes.get("role") == "main"
        self.inside = tag

    def handle_data(self, text):
        if self.inside == "title":
            self.title += text.strip()

    def handle_endtag(self, tag):
        self.inside = ""


@cache
def pages():
    return {name: Page(SITE / name) for name in site_pages()}


def chapters():
    return {name: page for name, page in pages().items() if name not in AUXILIARY}


def test_a_page_says_what_it_is():
    wrong = []
    for name, page in pages().items():
        faults = {
            "no language": page.language != "en",
            "no title": not page.title,
            "not one main landmark": page.mains != 1,
            "no policy": "default-src 'self'" not in page.policy,
            "no width for phones": "width=device-width" not in page.meta.get("viewport", ""),
            f"description: {page.meta.get('description')}": (
                len(page.meta.get("description", "")) not in DESCRIPTION
            ),
        }
        wrong += [f"{name}: {fault}" for fault, present in faults.items() if present]
    assert wrong == []


def test_a_page_and_the_site_say_how_to_show_and_to_cite_them():
    for name, page in chapters().items():
        text = page.path.read_text("utf-8")
        assert page.meta["citation_title"] and page.meta["citation_author"], name
        assert f'property="og:title" content="{page.meta["citation_title"]}"' in text, name
    assert "@software{calibration_book," in (SITE / "_static" / "cite.bib").read_text("utf-8")
    assert "guo2017" in (SITE / "_static" / "references.bib").read_text("utf-8")
    for told in (
        [p.title for p in chapters().values()],
        [p.meta["description"] for p in chapters().values()],
    ):
        assert len(told) == len(set(told))


def test_figures_and_their_data_can_be_downloaded():
    """That images have text alternatives, and tables headings, is asked by axe in the browser."""
    for name, page in chapters().items():
        figures = [src for src in page.images if "_images" in src]
        assert [src for src in figures if src not in page.links] == [], name
    tables = list((SITE / "_static" / "figures").glob("*.csv"))
    linked = {link.split("/")[-1] for page in chapters().values() for link in page.links}
    downloads = re.compile(r'<a download href="[^"]*/(\w+)\.png"')
    shown = {name for page in SITE.rglob("*.html") for name in downloads.findall(page.read_text())}
    assert len(tables) > 50
    assert [path.name for path in tables if path.stem in shown and path.name not in linked] == []


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
            elif anchor and known and unquote(anchor).partition(":")[0] not in known.anchors:
                broken.append(f"{name}: {link}: no such anchor")
    assert broken == []


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


def test_a_page_is_light():
    """Its HTML, figures and data, and what it shares with others, packed as a server sends it."""
    heavy = []
    for name, page in chapters().items():
        sources = {urldefrag(s)[0].partition("?")[0] for s in page.sources if ":" not in s}
        files = {source: page.path.parent / source for source in sources}
        own = [path for source, path in files.items() if not SHARED.search(source)]
        size = page.path.stat().st_size + sum(path.stat().st_size for path in own)
        frame = sum(packed(p.resolve()) for p in files.values() if p.suffix in {".js", ".css"})
        if size > PAGE_BYTES or frame > FRAME_BYTES:
            heavy.append(f"{name}: {size} bytes, shared {frame}")
    assert heavy == []


@cache
def packed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 6))


def test_no_path_of_this_machine_is_published():
    kinds, machine = {".html", ".ipynb", ".js", ".inv"}, str(ROOT).encode()
    files = [path for path in SITE.rglob("*") if path.suffix in kinds]
    assert [path.name for path in files if machine in path.read_bytes()] == []
