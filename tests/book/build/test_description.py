"""What each page of the built site says of itself."""

import re
from html import unescape
from types import SimpleNamespace

import pytest
from docutils import nodes
from helpers import SITE
from read_pages import chapters, pages

from book.build.description import describe, first_paragraph, picture

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


def page(*content):
    return nodes.section("", *content)


def sphinx(address="", *, story=None, images=()):
    """What of Sphinx a description asks; a template that shows what it is given."""
    found = {"story"} if story else set()
    return SimpleNamespace(
        builder=SimpleNamespace(
            templates=SimpleNamespace(render=lambda name, about: f"{name} {about}|")
        ),
        config=SimpleNamespace(author="A", html_baseurl=address),
        env=SimpleNamespace(
            found_docs=found, get_doctree=lambda name: story, images=dict(images)
        ),
    )


def described(pagename, doctree, address="", **context):
    seen = {}
    app = sphinx(address)
    app.builder.templates.render = lambda name, about: seen.update(about) or "new|"
    context |= {"docstitle": "Title"}
    describe(app, pagename, "page.html", context, doctree)
    return seen, context["metatags"]


def test_a_page_is_described_by_its_first_paragraph_its_author_and_its_twin():
    tree = page(nodes.paragraph("", "Words of $x$."))
    seen, meta = described("part/one", tree, metatags="old")
    assert (seen["described"], seen["author"]) == ("Words of x.", "A")
    assert seen["twin"] == "one.md" and "picture" not in seen and meta == "new|old"
    assert described("genindex", None)[0]["described"] == "Title"
    assert described("genindex", None)[0]["twin"] == ""
    assert described("index", tree, promise="P")[0]["described"] == "P"


def test_a_description_is_cut_between_words():
    seen, _ = described("one", page(nodes.paragraph("", "word " * 60)))
    assert seen["described"].endswith("word …") and len(seen["described"]) == 196


def test_a_box_and_a_count_of_minutes_describe_no_page():
    boxed = nodes.note("", nodes.paragraph("", "In a box."))
    apart = [
        nodes.paragraph("", "Said.", classes=[name])
        for name in ("counted", "installation")
    ]
    last = nodes.paragraph("", "Its subject.")
    assert first_paragraph(page(boxed, *apart, last)) == "Its subject."
    assert first_paragraph(page(boxed)) is None


@pytest.mark.parametrize(
    ("own", "story", "shown"),
    [
        (["a.svg", "b.png", "c.png"], ["s.png"], "b.png"),
        (["a.svg"], ["s.png"], "s.png"),
        ([], None, ""),
    ],
)
def test_services_show_the_first_picture_that_is_no_drawing(own, story, shown):
    tree = page(*(nodes.image(uri=name) for name in own))
    of_story = page(*(nodes.image(uri=name) for name in story)) if story else None
    assert picture(sphinx(story=of_story), tree) == shown
    renamed = sphinx(story=of_story, images={"b.png": (set(), "b1.png")})
    assert picture(renamed, tree) == shown.replace("b.png", "b1.png")
    address = described("one", tree, "https://book.example/")[0]["picture"]
    expected = shown if own[1:] else ""  # this book has no story
    assert address == f"https://book.example/_images/{expected}"
