"""A page's text as plain Markdown, which every notebook shows, by Sphinx.

The translator of sphinx-markdown-builder, for what the pages of the book hold.
"""

from posixpath import dirname, join, normpath

from docutils import nodes
from sphinx.util.math import get_node_equation_number
from sphinx_markdown_builder.contexts import (
    SubContext,
    SubContextParams,
    TableContext,
    WrappedContext,
)
from sphinx_markdown_builder.translator import MarkdownTranslator


def with_bars(rows: list[list[str]]) -> list[str]:
    """Return the lines of a table of equally long rows, the first of them its head."""
    head, *body = [f"| {' | '.join(row)} |" for row in rows]
    return [head, f"|{' --- |' * len(rows[0])}", *body]


class TableAsPrinted(TableContext):
    """A table whose numbers keep their last zeros: a cell is text, 9.10 is not 9.1."""

    def make(self) -> str:
        """Return the table with bars, below what stood before it."""
        rows = [self.make_row(row) for row in (*self.headers, *self.body)]
        context = SubContext()
        context.add(self.internal_context.make())
        if rows:
            context.add("\n".join(with_bars(rows)), prefix_eol=2)
        return context.make()


class PlainMarkdown(MarkdownTranslator):
    """Markdown that every notebook shows; a code cell leaves its number behind."""

    def visit_container(self, node: nodes.Element) -> None:
        if node.get("nb_element") == "cell_code":
            self._alone(f"@@cell {node['cell_index']}@@")

    def visit_raw(self, node: nodes.Element) -> None:
        raise nodes.SkipNode  # HTML: interactive figures, which a notebook cannot show

    def visit_title(self, node: nodes.Element) -> None:
        if isinstance(node.parent, nodes.section | nodes.document):
            super().visit_title(node)
        else:
            text = node.astext().strip()
            self._alone(f"**{text[1:-1] if text.startswith('(') else text}**")

    def depart_title(self, node: nodes.Element) -> None:
        self._pop_context()

    def visit_table(self, node: nodes.Element) -> None:
        self._push_context(TableAsPrinted(params=SubContextParams(2, 1)))

    def depart_table(self, node: nodes.Element) -> None:
        self._pop_context()

    def _alone(self, text: str) -> None:
        self.add(text, prefix_eol=2, suffix_eol=2)
        raise nodes.SkipNode

    def visit_dropdown_main(self, node: nodes.Element) -> None:
        self.add("<details>", prefix_eol=2, suffix_eol=1)

    def depart_dropdown_main(self, node: nodes.Element) -> None:
        self.add("</details>", prefix_eol=2, suffix_eol=2)

    def visit_dropdown_title(self, node: nodes.Element) -> None:
        texts = node.findall(nodes.Text)  # without the mark that unfolds, which is HTML
        words = "".join(t for t in texts if not isinstance(t.parent, nodes.raw))
        self.add(f"<summary>{words.strip()}</summary>", suffix_eol=2)
        raise nodes.SkipNode

    def visit_solution_title(self, node: nodes.Element) -> None:
        self._alone("**Solution**")

    def visit_reference(self, node: nodes.Element) -> None:
        address = node.get("refuri", "")
        if not node.get("internal") and "://" in address:
            return super().visit_reference(node)
        base, page = self.config.html_baseurl, self.builder.current_docname
        path, _, anchor = address.partition("#")
        anchor = node.get("refid", anchor)
        path = normpath(join(dirname(page), path)) if path else f"{page}.html"
        address = f"{path}#{anchor}" if anchor else path
        self._push_context(
            WrappedContext("[", f"]({base}{address})")
            if base
            else WrappedContext("", "")  # without an address of the site no link works
        )

    def visit_math_block(self, node: nodes.Element) -> None:
        number = get_node_equation_number(self, node) if node.get("number") else ""
        tag = f"\n\\tag{{{number}}}" if number else ""
        self._alone(f"$$\n{node.astext().strip()}{tag}\n$$")

    def unknown_visit(self, node: nodes.Element) -> None:
        """Show what a box or a span holds."""

    visit_target = unknown_departure = unknown_visit
    depart_reference = depart_title
