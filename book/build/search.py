"""What the search page looks through: each section's anchor, heading and text, without code.

A page's sections are read off its tree when it is written, and kept beside the pages for the builds
that do not write it again. `_static/sections.js` holds them all, 0.9 MB that the search page alone
loads: Sphinx's own index leads to pages and not to sections.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import desc_parameterlist, desc_signature
from sphinx.application import Sphinx

from book.build.install import is_folded_installation

CODE = (nodes.literal_block, nodes.doctest_block)
UNREAD = (*CODE, nodes.table, nodes.raw, nodes.Invisible)
UNREAD_CLASSES = {"exercise-line", "sd-summary-title"}
MATHEMATICS = (nodes.math, nodes.math_block)


@dataclass
class Section:
    """A place that a search may lead to."""

    anchor: str
    heading: str
    blocks: list[str] = field(default_factory=list)  # of text


def keep_sections(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Keep what is searched of a page, beside the pages."""
    if app.builder.name != "html":
        return
    path = _file_of_sections(app, page)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(sections_of(doctree)), "utf-8")


def write_search_index(app: Sphinx, static: Path) -> None:
    """Write what the search page reads: the sections of all pages."""
    sections = {
        f"{page}.html": json.loads(_file_of_sections(app, page).read_text("utf-8"))
        for page in sorted(app.env.found_docs)
    }
    script = f"const SECTIONS = {json.dumps(sections)};"
    (static / "sections.js").write_text(script, "utf-8")


def _file_of_sections(app: Sphinx, page: str) -> Path:
    return Path(app.outdir).with_name("sections") / f"{page}.json"


def sections_of(doctree: nodes.document) -> list[list[str]]:
    """Return anchor, heading and text of each section of a page, in their order."""
    sections: list[Section] = []
    for block in blocks_of(doctree):
        anchor, text = anchor_of(block), text_of_block(block)
        if anchor:
            sections.append(Section(anchor, text))
        elif sections:  # before the first heading stands nothing that is searched
            sections[-1].blocks.append(text)
    return [[s.anchor, s.heading, " ".join(filter(None, s.blocks))] for s in sections]


def blocks_of(node: nodes.Node) -> Iterator[nodes.TextElement]:
    """Yield what holds text: headings, terms, paragraphs, equations."""
    if is_unread(node):
        return
    if isinstance(node, nodes.TextElement):
        yield node
        return
    for child in node.children:
        yield from blocks_of(child)


def is_unread(node: nodes.Node) -> bool:
    """Whether a node is code, a table, or what is the same on many pages."""
    if isinstance(node, UNREAD):
        return True
    if isinstance(node, nodes.paragraph) and is_folded_installation(node):
        return True
    return isinstance(node, nodes.Element) and not UNREAD_CLASSES.isdisjoint(
        node.get("classes", ())
    )


def anchor_of(block: nodes.TextElement) -> str:
    """Return the anchor of a heading, of a term or of a name of the reference; else nothing."""
    parent = block.parent
    if isinstance(block, nodes.title) and isinstance(parent, nodes.section):
        return next(iter(parent["ids"]), "")
    # of several terms of one definition the first
    if isinstance(block, (nodes.term, desc_signature)) and parent.index(block) == 0:
        return next(iter(block["ids"]), "")
    return ""


def text_of_block(block: nodes.Element) -> str:
    """Return the words of a block; of a formula that is more than letters and signs a dot each."""
    return " ".join("".join(pieces_of(block)).split())


def pieces_of(node: nodes.Node) -> Iterator[str]:
    """Yield the texts of a block, one after the other."""
    if isinstance(node, MATHEMATICS):
        formula = node.astext()
        yield "…" if "\\" in formula else formula
    elif isinstance(node, (nodes.Text, desc_parameterlist)):
        yield node.astext()
    elif is_unread(node):
        yield " "  # a raw end of a line parts two words
    else:
        for child in node.children:
            yield from pieces_of(child)
