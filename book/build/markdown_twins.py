"""A Markdown twin of each page, from the executed page: PAGE.md beside PAGE.html, and all as one.

It is for readers of plain text, people and programs: formulas as TeX, tables with bars, of a figure
the words of its alternative and its address.
"""

import re
from html import unescape
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.osutil import relative_uri
from sphinx_markdown_builder.contexts import WrappedContext

from book.build.embedded_figures import attribute
from book.build.install import is_folded_installation
from book.build.page_markdown import PlainMarkdown, with_bars
from book.build.publish import published

MOST_ROWS = 120  # of a table; of a longer one a twin shows the first
FIRST_ROWS = 20
LINE_BREAK = re.compile(r"<br ?/?>\s*")
# exponents and indices, which Markdown knows as HTML
RAISED = re.compile(r"</?su[bp]>")

HEAD = "{title}\n\nText and figures CC BY 4.0, code MIT. Pages in their order.\n"


class Twin(PlainMarkdown):
    """Markdown of a page with the code that it shows and what the code printed."""

    def visit_container(self, node: nodes.Element) -> None:
        """Show what a cell holds, as what any other box holds."""

    def depart_container(self, node: nodes.Element) -> None:
        """Nothing closes a cell."""

    def visit_HideCodeCellNode(self, node: nodes.Element) -> None:
        """Open what the page folds, with the words that unfold it there."""
        self.add("<details>", prefix_eol=2, suffix_eol=1)
        self.add(f"<summary>{node['prompt_show']}</summary>", suffix_eol=2)

    def depart_HideCodeCellNode(self, node: nodes.Element) -> None:
        self.add("</details>", prefix_eol=2, suffix_eol=2)

    def visit_paragraph(self, node: nodes.Element) -> None:
        if is_folded_installation(node):
            raise nodes.SkipNode
        super().visit_paragraph(node)

    depart_paragraph = PlainMarkdown.depart_title  # closes what was opened

    def visit_literal_block(self, node: nodes.Element) -> None:
        if is_folded_installation(node):
            raise nodes.SkipNode
        # notebooks call it "ipython3", which no reader of Markdown colours
        language = node.get("language", "")
        language = "python" if "python" in language else ""
        self._alone(f"```{language}\n{node.astext().rstrip()}\n```")

    def visit_literal_strong(self, node: nodes.Element) -> None:
        text = node.astext()  # Sphinx also sets the comma between two names in bold
        bold = text.replace("*", "\\*")  # of **options
        self.add(f"**{bold}**" if re.search(r"\w", text) else text)
        raise nodes.SkipNode

    def visit_image(self, node: nodes.Element) -> None:
        name = self.builder.env.images.get(node["uri"], (None, ""))[1]
        address = (
            node["uri"] if "://" in node["uri"] else self._relative(f"_images/{name}")
        )
        self._alone(f"![{' '.join(node.get('alt', '').split())}]({address})")

    def visit_raw(self, node: nodes.Element) -> None:
        if node.get("format") != "html":
            raise nodes.SkipNode
        if LINE_BREAK.fullmatch(node.astext()):
            self.add("<br>" if is_in_table(node) else "\\\n")
            raise nodes.SkipNode
        if RAISED.fullmatch(node.astext()):
            self.add(node.astext())
            raise nodes.SkipNode
        soup = BeautifulSoup(node.astext(), "html.parser")
        page = self.builder.current_docname
        shown = [table_of(table, page) for table in soup.find_all("table")]
        shown += [
            figure_of(element, page) for element in soup.find_all(role="group", id=True)
        ]
        self._alone("\n\n".join(shown))

    def visit_reference(self, node: nodes.Element) -> None:
        address = node.get("refuri", f"#{node.get('refid', '')}")
        self._push_context(WrappedContext("[", f"]({address})"))

    def _relative(self, address: str) -> str:
        return relative_uri(f"{self.builder.current_docname}.md", address)


def is_in_table(node: nodes.Node) -> bool:
    """Whether it stands in a cell, whose lines Markdown cannot part."""
    while node.parent is not None and not isinstance(node, nodes.entry):
        node = node.parent
    return isinstance(node, nodes.entry)


def table_of(table: Tag, page: str = "") -> str:
    """Return a table with bars and its caption; a head of several rows as one row of words."""
    cells = with_repeated_heads([cells_of(row) for row in table.find_all("tr")])
    if not cells:
        return ""
    rows = with_named_index([[text_of_cell(cell) for cell in row] for row in cells])
    # Markdown has no cell over several columns: short rows are filled up
    width = max(map(len, rows))
    rows = [row + [""] * (width - len(row)) for row in rows]
    n_shown = len(rows) if len(rows) - 1 <= MOST_ROWS else FIRST_ROWS + 1
    below = [f"*{text_of_cell(table.caption)}*"] if table.caption else []
    if n_shown < len(rows):
        address = f"{Path(page).name}.html"
        below += [f"*{len(rows) - n_shown} more rows: [in the page]({address}).*"]
    return "\n\n".join(["\n".join(with_bars(rows[:n_shown])), *below])


def text_of_cell(cell: Tag) -> str:
    """Return what a cell says, of what it folds the summary alone."""
    for fold in cell.find_all("details"):
        summary = fold.find("summary", recursive=False)
        if summary:
            fold.replace_with(" ", summary)
    return " ".join(cell.get_text(" ").split()).replace("|", "\\|")


def with_repeated_heads(rows: list[list[Tag]]) -> list[list[Tag]]:
    """Return rows of cells where one that stands beside several rows is in each of them."""
    repeated = []
    # by column: a cell, and how many rows it has left
    waiting: dict[int, tuple[Tag | None, int]] = {}
    for row in rows:
        cells = iter(row)
        whole: list[Tag] = []
        while True:
            column = len(whole)
            cell, n_left = waiting.pop(column, (None, 0))
            if cell is None:
                cell = next(cells, None)
                n_left = span_of(cell, "rowspan") if cell is not None else 0
            if cell is None:
                break
            whole.append(cell)
            if n_left > 1:
                waiting[column] = cell, n_left - 1
        repeated.append(whole)
    return repeated


def with_named_index(rows: list[list[str]]) -> list[list[str]]:
    """Return rows whose first two are one, where the second has but the name of the index."""
    if len(rows) > 1 and not rows[0][0] and rows[1][0] and not any(rows[1][1:]):
        return [[rows[1][0], *rows[0][1:]], *rows[2:]]
    return rows


def cells_of(row: Tag) -> list[Tag]:
    """Return the cells of a row; one that stands over several columns is followed by empty ones."""
    cells: list[Tag] = []
    for cell in row.find_all(["th", "td"]):
        cells += [cell, *[Tag(name="td")] * (span_of(cell, "colspan") - 1)]
    return cells


def span_of(cell: Tag, name: str) -> int:
    """Return over how many rows or columns a cell stands."""
    return int(attribute(cell, name) or 1)


def figure_of(element: Tag, page: str) -> str:
    """Return the words of an interactive figure and the address of its place in the page."""
    words = attribute(element, "aria-label").rstrip(".")
    address = f"{Path(page).name}.html#{element['id']}"
    return f"*Interactive figure, [in the page]({address}): {words}.*"


def write_twin(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Write the twin of a page beside it."""
    if app.builder.name != "html":
        return
    app.builder.current_docname = docname
    writer = Twin(doctree, app.builder)
    doctree.walkabout(writer)
    path = Path(app.outdir, f"{docname}.md")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{writer.astext().strip()}\n", "utf-8")


def in_order(env: BuildEnvironment) -> list[str]:
    """Return the pages in the order of the table of contents."""
    order, waiting = [], [env.config.root_doc]
    while waiting:
        # a page, then all that lies below it, then its neighbour
        page = waiting.pop(0)
        order.append(page)
        waiting = env.toctree_includes.get(page, []) + waiting
    return order


def one_text_of_twins(title: str, site: Path, pages: list[str]) -> str:
    """Return the twins of pages as one text, each after its address."""
    twins = ((name, (site / f"{name}.md").read_text("utf-8")) for name in pages)
    texts = (f"<!-- {name}.html -->\n\n{text}" for name, text in twins)
    return "\n".join([HEAD.format(title=f"# {title}"), *texts])


def write_whole_book(app: Sphinx, exception: Exception | None) -> None:
    """Write all twins as one file, and the list of pages, once these are published."""
    if exception or app.builder.name != "html":
        return
    site = published(app)
    text = one_text_of_twins(app.config.html_title, site, in_order(app.env))
    (site / "llms-full.txt").write_text(text, "utf-8")
    names = sorted(app.env.found_docs)
    pages = {name: (site / f"{name}.html").read_text("utf-8") for name in names}
    (site / "llms.txt").write_text(overview(app.config.html_title, pages), "utf-8")


def overview(title: str, pages: dict[str, str]) -> str:
    """Say to machines which pages there are, and of what."""
    twins = "Each page NAME.html has a Markdown twin, NAME.md; all of them are llms-full.txt."
    lines = [f"# {title}", "", twins, ""]
    for name, page in pages.items():
        meta = dict(re.findall('<meta name="([a-z_]+)" content="([^"]*)"', page))
        lines.append(
            unescape(
                f"- [{meta['citation_title']}]({name}.html): {meta['description']}"
            )
        )
    return "\n".join([*lines, ""])
