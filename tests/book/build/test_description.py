"""What each page of the built site says of itself."""

import re
from html import unescape

from helpers import SITE
from read_pages import chapters, pages

DESCRIPTION = range(20, 202)


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
