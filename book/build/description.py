"""What a page says of itself to search engines and where it is shared (`templates/meta.html`)."""

from itertools import chain
from pathlib import Path
from textwrap import shorten
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


def describe(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Give a page its first paragraph as description, and what else `templates/meta.html` says."""
    text = first_paragraph(doctree) if doctree else None
    if text is None:
        text = context.get("docstitle", "")
    if pagename == "index":
        text = context.get("promise", text)
    about = context | {
        "described": shorten(text.replace("$", ""), 200, placeholder=" …"),
        "author": app.config.author,
        "twin": f"{Path(pagename).name}.md" if doctree else "",
    }
    if app.config.html_baseurl:  # services take no relative address
        about["picture"] = f"{app.config.html_baseurl}_images/{picture(app, doctree)}"
    meta = app.builder.templates.render("meta.html", about)
    context["metatags"] = meta + context.get("metatags", "")


def first_paragraph(doctree: nodes.document) -> str | None:
    """Return the text of the first paragraph that is of the page's subject and in no box."""
    for paragraph in doctree.findall(nodes.paragraph):
        is_apart = not {"counted", "installation"}.isdisjoint(paragraph["classes"])
        if not is_apart and not isinstance(paragraph.parent, nodes.Admonition):
            return paragraph.astext()
    return None


def picture(app: Sphinx, doctree: nodes.document | None) -> str:
    """Return the first picture of a page that services show, no SVG, or else that of the story."""
    story = app.env.get_doctree("story") if "story" in app.env.found_docs else None
    pages = [page for page in (doctree, story) if page]
    for image in chain.from_iterable(page.findall(nodes.image) for page in pages):
        address = image["uri"]
        # a page that is written has other addresses
        image_file = app.env.images.get(address)
        name = image_file[1] if image_file else Path(address).name
        if name.endswith(".png"):
            return name
    return ""
