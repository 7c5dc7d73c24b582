"""How the book is cited: its entry for BibTeX, with the address of the site where that is known."""

from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

ENTRY = Path(__file__).parents[1] / "assets" / "cite.bib"
ADD = "This copy of the site does not know its address: add yours as url."


class Citation(SphinxDirective):
    """The whole entry, to copy."""

    def run(self) -> list[nodes.Node]:
        address = self.config.html_baseurl
        text = entry(address)
        shown = nodes.literal_block(text, text, language="bibtex")
        return [shown] if address else [shown, nodes.paragraph("", ADD)]


def entry(address: str) -> str:
    """Return the entry for BibTeX; without an address it has no url."""
    fields, end = ENTRY.read_text("utf-8").rstrip().removesuffix("}"), "}"
    return f"{fields}  url = {{{address}}},\n{end}" if address else f"{fields}{end}"
