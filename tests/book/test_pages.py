"""The files of the built site: what each page says of itself, holds and links to."""

import gzip
import re
from functools import cache
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urldefrag, urlparse

from helpers import SITE, site_pages

AUXILIARY = {"genindex.html", "search.html"}
PAGE_BYTES = 1_600_000  # vasilev2021, with its figures, is the largest
FRAME_BYTES = 115_000  # the desk's, which reads csv in the page, is the largest
SHARED = re.compile("_static")
DESCRIPTION = range(20, 202)


def read(path):
    """What a page holds, as far as the tests ask."""
    text = path.read_text(encoding="utf-8")
    marked = re.sub(r"(<script\b[^>]*>).*?</script>", r"\1", text, flags=re.DOTALL)

    def found(pattern):
        return [unescape(one) for one in re.findall(pattern, marked)]

    sheets = re.findall(r'<link\s[^>]*rel="(?:stylesheet|preload|icon)"[^>]*>', marked)
    return SimpleNamespace(
        path=path,
        text=text,
        anchors=set(found(r'\s(?:id|name)="([^"]+)"')),
        links=found(r'<a\s[^>]*?href="([^"]*)"'),
        images=found(r'<img\s[^>]*?src="([^"]*)"'),
        sources=found(r'<(?:img|script|source)\s[^>]*?src="([^"]*)"')
        + [unescape(re.search('href="([^"]*)"', one)[1]) for one in sheets],
        title=re.search(r"<title>([^<]*)", text)[1].strip(),
        meta=dict(
            re.findall(
                r'<meta (?:name|property|http-equiv)="([^"]*)" content="([^"]*)"', text
            )
        ),
    )


@cache
def pages():
    return {name: read(SITE / name) for name in site_pages()}


def chapters():
    return {name: page for name, page in pages().items() if name not in AUXILIARY}


def test_a_page_says_what_it_is_and_how_to_cite_it():
    main = re.compile(r'<main\b|<(?!main)\w+[^>]*role="main"')
    for name, page in pages().items():
        description, title = (
            unescape(page.meta.get("description", "")),
            page.meta["citation_title"],
        )
        assert '<html lang="en"' in page.text and page.title, name
        assert len(main.findall(page.text)) == 1, name
        assert "default-src 'self'" in page.meta["Content-Security-Policy"], name
        assert "width=device-width" in page.meta.get("viewport", ""), name
        assert len(description) in DESCRIPTION, f"{name}: {description}"
        assert title == page.meta["og:title"] and page.meta["citation_author"], name
    for told in ("citation_title", "description"):
        assert len({page.meta[told] for page in chapters().values()}) == len(chapters())
    assert "@software{calibration_book," in (SITE / "_static" / "cite.bib").read_text(
        "utf-8"
    )
    assert "guo2017" in (SITE / "_static" / "references.bib").read_text("utf-8")


def test_figures_and_their_data_can_be_downloaded():
    """That images have text alternatives, and tables headings, is asked by axe in the browser."""
    shown, linked = (
        set(),
        {link.split("/")[-1] for p in chapters().values() for link in p.links},
    )
    for name, page in chapters().items():
        figures = [src for src in page.images if "_images" in src]
        assert [src for src in figures if src not in page.links] == [], name
        shown |= set(re.findall(r'<a download href="[^"]*/(\w+)\.png"', page.text))
    tables = {path.stem for path in (SITE / "_static" / "figures").glob("*.csv")}
    assert len(tables) > 50
    assert [stem for stem in tables & shown if f"{stem}.csv" not in linked] == []


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
            elif (
                anchor
                and known
                and unquote(anchor).partition(":")[0] not in known.anchors
            ):
                broken.append(f"{name}: {link}: no such anchor")
    assert broken == []


def test_a_page_is_light():
    """Its HTML, figures and data, and what it shares with others, packed as a server sends it."""
    heavy = []
    for name, page in chapters().items():
        sources = {
            urldefrag(s)[0].partition("?")[0] for s in page.sources if ":" not in s
        }
        files = {source: page.path.parent / source for source in sources}
        own = [path for source, path in files.items() if not SHARED.search(source)]
        size = page.path.stat().st_size + sum(path.stat().st_size for path in own)
        frame = sum(
            packed(p.resolve()) for p in files.values() if p.suffix in {".js", ".css"}
        )
        if size > PAGE_BYTES or frame > FRAME_BYTES:
            heavy.append(f"{name}: {size} bytes, shared {frame}")
    assert heavy == []


@cache
def packed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 6))
