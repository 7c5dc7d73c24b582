"""How the book is cited: its entry for BibTeX, with the address of the site where that is known."""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

from book.build.publish import published

ENTRY = Path(__file__).parents[1] / "assets" / "cite.bib"
ADD = (
    "This copy of the site does not know its address: add the one where you read it as url, "
    "and before the places below."
)


class Citation(SphinxDirective):
    """The whole entry, to copy."""

    def run(self) -> list[nodes.Node]:
        address = self.config.html_baseurl
        text = entry(address)
        shown = nodes.literal_block(text, text, language="bibtex")
        return [shown] if address else [shown, nodes.paragraph("", ADD)]


class FromSite(SphinxRole):
    """A place of the site to cite: behind the site's address, where that is known."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        address = f"{self.config.html_baseurl}{self.text}"
        return [nodes.literal(address, address)], []


def write_entry(app: Sphinx, exception: Exception | None) -> None:
    """Write the entry's file of the site, as the page shows it."""
    if exception or app.builder.name != "html":
        return
    text = f"{entry(app.config.html_baseurl or '')}\n"
    (published(app) / "_static" / "cite.bib").write_text(text, "utf-8")


def entry(address: str) -> str:
    """Return the entry for BibTeX; without an address it has no url."""
    fields, end = ENTRY.read_text("utf-8").rstrip().removesuffix("}"), "}"
    return f"{fields}  url = {{{address}}},\n{end}" if address else f"{fields}{end}"
