"""An address of its own for each interactive figure: embed/PAGE/NAME.html, for frames elsewhere.

The frame holds the paragraph that asks, the figure, and folded the one that answers: what stands
before and behind the figure in its page. embed/index.html lists them with the line to paste.
"""

import re
from html import escape
from pathlib import Path
from posixpath import dirname, join, normpath

from bs4 import BeautifulSoup, Tag
from jinja2 import Environment, FileSystemLoader
from sphinx.application import Sphinx

from book.build.publish import published

TEMPLATES = FileSystemLoader(Path(__file__).parents[1] / "templates")
PAGES = Environment(loader=TEMPLATES, keep_trailing_newline=True)
ENLARGED = "border: 0; width: 920px; height: 460px; max-width: none; zoom: 1.3"
SHOWN = "story/line-up.html"  # on the slide of the list
HEIGHT = 760  # pixels, enough for each figure beside its question in a frame 760 wide
LOADED = re.compile(r"_static/(widgets/|desk/texts|mathematics)")


def page_of_figure(page: str, soup: BeautifulSoup, figure: Tag) -> str:
    """Return the page of one figure, its addresses those of a page two folders below the root."""
    cell = figure.find_parent("div", class_="cell") or figure
    question = paragraph(block_before(cell))
    answer = paragraph(cell.find_next_sibling())
    if answer.startswith("<p"):
        answer = f"<details><summary>What it shows</summary>{answer}</details>"
    scripts = [str(tag) for tag in soup.find_all("script", src=LOADED)]
    styles = [str(tag) for tag in soup.find_all("link", rel="stylesheet")]
    title = soup.select_one("meta[name=citation_title]")
    content = {"question": question, "figure": str(figure), "answer": answer}
    content |= {"head": "\n".join(styles + scripts)}
    moved = {
        name: with_addresses_from_figures(text, page) for name, text in content.items()
    }
    depth = "../" * (page.count("/") + 2)
    return PAGES.get_template("embed.html").render(
        title=escape(attribute(title, "content")),
        root=depth,
        address=f"{depth}{page}.html#{figure['id']}",
        **moved,
    )


def block_before(cell: Tag) -> Tag | None:
    """Return what stands before a figure, cells that only compute left out."""
    element = cell.find_previous_sibling()
    while element is not None and "cell" in (element.get("class") or ()):
        if element.find(class_="cell_output"):
            return element
        element = element.find_previous_sibling()
    return element


def paragraph(element: Tag | None) -> str:
    """Return a neighbour as HTML if it is a paragraph, or the fold that an answer opens."""
    return (
        str(element) if element is not None and element.name in ("p", "details") else ""
    )


def with_addresses_from_figures(html: str, page: str) -> str:
    """Lead relative addresses of a page from where its figures' own pages lie; links leave it."""
    soup = BeautifulSoup(html, "html.parser")
    depth = "../" * (page.count("/") + 2)
    for tag in soup.find_all(True):
        for name in ("href", "src", "data-file"):
            address = attribute(tag, name)
            if address.startswith("#"):
                tag[name] = f"{depth}{page}.html{address}"
            elif address and not re.match(r"[a-z]+:", address):
                tag[name] = depth + normpath(join(dirname(page), address))
        if tag.name == "a":
            tag["target"] = "_top"
    return str(soup)


def attribute(tag: Tag | None, name: str) -> str:
    """Return an attribute that is one text; empty where a tag has none, or is none."""
    return "" if tag is None else str(tag.get(name) or "")


def figures(soup: BeautifulSoup) -> list[Tag]:
    """Return the interactive figures of a page: custom elements with a name."""
    groups = soup.select("article [role=group][id]")
    return [group for group in groups if "-" in group.name]


def write_figure_pages(app: Sphinx, exception: Exception | None) -> None:
    """Write the page of each figure, and their list."""
    if exception or app.builder.name != "html" or app.config.root_doc != "index":
        return
    site, rows = published(app), []
    for page in sorted(app.env.found_docs):
        text = (site / f"{page}.html").read_text("utf-8")
        if 'role="group"' not in text:
            continue
        soup = BeautifulSoup(text, "html.parser")
        for fold in soup.select("details.package"):
            fold.decompose()  # it is no figure's answer
        for figure in figures(soup):
            name = f"{page}/{figure['id']}.html"
            path = site / "embed" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page_of_figure(page, soup, figure), "utf-8")
            rows.append(
                row_of_list(
                    name, attribute(figure, "aria-label"), app.config.html_baseurl
                )
            )
    if rows:
        write_list(site, rows, app.config.html_baseurl)


def write_list(site: Path, rows: list[str], address: str) -> None:
    """Write the list of figures, and a slide that shows one of them."""
    front = BeautifulSoup((site / "index.html").read_text("utf-8"), "html.parser")
    sheet = str(front.find("link", rel="stylesheet")).replace('href="', 'href="../')
    line = on_a_slide(f"{address or 'ADDRESS/'}embed/{SHOWN}")
    content = {"rows": "\n".join(rows), "head": sheet, "slide": escape(line)}
    content["address"] = address
    files = {
        "index.html": PAGES.get_template("embeds.html").render(content),
        "slide.html": PAGES.get_template("slide.html").render(frame=on_a_slide(SHOWN)),
    }
    for name, page in files.items():
        (site / "embed" / name).write_text(page, "utf-8")


def on_a_slide(address: str) -> str:
    """Return the line that shows a figure on a slide, its letters larger by a third."""
    return f'<iframe src="{address}" title="A figure" style="{ENLARGED}"></iframe>'


def row_of_list(name: str, words: str, address: str) -> str:
    """Return a row of the list: the figure, and the line that shows it elsewhere."""
    source = f"{address or 'ADDRESS/'}embed/{name}"
    line = f'<iframe src="{source}" title="{words}" width="100%" height="{HEIGHT}"></iframe>'
    return f'<li><a href="{name}">{escape(words)}</a><pre>{escape(line)}</pre></li>'
