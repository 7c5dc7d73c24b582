"""The files of the built site: its links lead somewhere, and its pages are light."""

import gzip
import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

from helpers import SITE
from read_pages import chapters, pages

PAGE_BYTES = 1_600_000  # vasilev2021, with its figures, is the largest
FRAME_BYTES = 117_500  # the desk's, which reads csv in the page, is the largest
SHARED = re.compile("_static")


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
