"""The HTML of pages, where Sphinx, its extensions and pandas write it otherwise than we want.

Figures get links that download them, images their size, citations and tables what a reader of the
screen needs. What has a node in the tree is changed as it is written; what an extension writes as
text (tables of pandas, lists of citations) is mended in the page's body.
"""

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.writers.html5 import HTML5Translator

from book.build.install import launchers

SIZED = re.compile(r'style="width: (\d+)px; height: (\d+)px;"')


def visit_image(self: HTML5Translator, node: nodes.image) -> None:
    """Write an image with its size as attributes: room is left for it before it has come."""
    HTML5Translator.visit_image(self, node)
    attributes = r'decoding="async" width="\1" height="\2"'
    self.body[-1] = SIZED.sub(attributes, self.body[-1])


def depart_figure(self: HTML5Translator, node: nodes.figure) -> None:
    """Close a figure with a link that downloads its image."""
    HTML5Translator.depart_figure(self, node)
    images = list(node.findall(nodes.image))
    if not images:
        return
    # the links stand inside of the figure, so its end is taken off and put behind them
    closing = self.body.pop()
    number = figure_number(self.builder, node)
    words = f'<span class="visually-hidden"> of figure{number}</span>'
    for image in images:
        shown = [
            f'<a download href="{address}">{name}{words}</a>'
            for name, address in downloads(self.builder, image).items()
        ]
        self.body.append(f'<p class="figure-download">{" ".join(shown)}</p>\n')
    self.body.append(closing)


def figure_number(builder: StandaloneHTMLBuilder, node: nodes.figure) -> str:
    """Return a space and the number of a figure; nothing where it has none."""
    page = f"{builder.current_docname}/figure"
    # the builder of pages has the numbers of one, that of the single page those of each
    numbers = builder.fignumbers.get("figure") or builder.fignumbers.get(page, {})
    numbered = [numbers[name] for name in node["ids"] if name in numbers]
    return "".join(f" {'.'.join(map(str, number))}" for number in numbered)


def downloads(builder: StandaloneHTMLBuilder, image: nodes.image) -> dict[str, str]:
    """Return the addresses of an image and of its table, where it has one, by type."""
    address = image["uri"]
    links = {Path(address).suffix.lstrip(".").upper(): address}
    # a page that is written has other addresses; the table is named after the first
    picture = builder.images.get(address, address)
    table = f"figures/{Path(picture).stem}.csv"
    if Path(builder.srcdir, "assets", table).is_file():
        root = address.partition("_images/")[0]
        links["CSV"] = f"{root}_static/{table}"
    return links


def one_row(head: re.Match[str]) -> str:
    """Put the name of a table's index into its row of headings, where pandas gives it its own."""
    rows = re.findall(r"<tr\b.*?</tr>", head[0], re.DOTALL)
    if len(rows) != 2 or "span=" in head[0]:
        return head[0]
    upper, lower = (re.findall(r"<th\b[^>]*>.*?</th>", row, re.DOTALL) for row in rows)
    if len(upper) != len(lower):
        return head[0]
    merged = []
    for above, below in zip(upper, lower, strict=True):
        if has_text(above) == has_text(below):  # a heading of two rows, or an empty one
            return head[0]
        merged.append(above if has_text(above) else below)
    opening = rows[0].partition(">")[0] + ">"
    return f"<thead>{opening}{''.join(merged)}</tr></thead>"


def has_text(cell: str) -> bool:
    """Return whether a cell of a table shows anything."""
    return bool(re.sub(r"<[^>]*>|&nbsp;", "", cell).strip())


def mend(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Mend a page's body, and end it with the launchers of its notebook and the printed book."""
    body = context.get("body") or ""
    for mended in (citations, folds, headings_in_one_row, empty_headings):
        body = mended(body)
    if context.get("notebooks") and context.get("sourcename", "").endswith(".ipynb"):
        body += launchers(context["notebooks"], pagename)
    if pagename == "index" and Path(app.srcdir, "book.pdf").is_file():
        body += '<p><a href="book.pdf">The whole book as a PDF file</a></p>'
    context["body"] = body


def citations(body: str) -> str:
    """Take roles from lists of citations that their entries, which hold more, do not have."""
    body = re.sub(r'<div role="list" (class="citation)', r"<div \1", body)
    return re.sub(r'(<div class="citation"[^>]*) role="doc-biblioentry"', r"\1", body)


def folds(body: str) -> str:
    """Call what is folded by the words that it shows."""
    return body.replace('<summary aria-label="Toggle hidden content">', "<summary>")


def headings_in_one_row(body: str) -> str:
    """Name the index of each table in its row of headings."""
    return re.sub(r"<thead>.*?</thead>", one_row, body, flags=re.DOTALL)


def empty_headings(body: str) -> str:
    """Make cells of headings that show nothing, which head no column."""
    nothing = r"(?:&nbsp;|<p>\s*</p>)?"
    return re.sub(rf"<th\b([^>]*)>\s*{nothing}\s*</th>", r"<td\1></td>", body)
