"""Link the first use of each term of the glossary in the prose of each page."""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

PROSE = (nodes.paragraph, nodes.emphasis, nodes.strong)
ELSEWHERE = (
    *(addnodes.desc, addnodes.glossary, addnodes.pending_xref),
    *(nodes.Admonition, nodes.citation, nodes.footnote, nodes.reference, nodes.table),
)
OTHER = (  # notions that hold the word of a term
    *("confidence interval", "confidence level", "confidence band"),
    *("proper scoring rule", "point of view", "in view of", "z-score"),
)


class GlossaryLinks(SphinxPostTransform):
    """Link the first use of each term; headings, captions, tables, boxes and code stay alone."""

    default_priority = 5  # before references are resolved

    def run(self, **_) -> None:
        places = {key[1]: at for key, at in self.env.get_domain("std").objects.items()}
        terms = {name for name, (_, label) in places.items() if label.startswith("term-")}
        longest = sorted([*OTHER, *terms], key=len, reverse=True)
        words = "|".join(f"(?i:{word[0]}){re.escape(word[1:])}" for word in longest if word)
        pattern = re.compile(rf"(?<![\w-])({words})s?(?![\w-])")
        links = self.document.findall(addnodes.pending_xref)
        unlinked = terms - {link["reftarget"] for link in links if link["reftype"] == "term"}
        for text in list(self.document.findall(nodes.Text)):
            if isinstance(text.parent, PROSE) and not self._apart(text.parent):
                pieces = self._linked(text, pattern, unlinked)
                if pieces:
                    text.parent.replace(text, pieces)

    def _linked(self, text, pattern, unlinked: set[str]) -> list:
        """Return a text in pieces, its first uses of terms as links; nothing where it has none."""
        pieces, end = [], 0
        for match in pattern.finditer(text):
            spellings = (match[1], match[1][0].lower() + match[1][1:])
            term = next((name for name in spellings if name in unlinked), None)
            if term is not None:
                unlinked.remove(term)
                pieces += [nodes.Text(text[end : match.start()]), self._link(term, match[0])]
                end = match.end()
        return [*pieces, nodes.Text(text[end:])] if pieces else []

    def _apart(self, node) -> bool:
        return node is not None and (isinstance(node, ELSEWHERE) or self._apart(node.parent))

    def _link(self, term, shown) -> addnodes.pending_xref:
        word = nodes.inline(shown, shown, classes=["xref", "std", "std-term"])
        about = {"refdomain": "std", "reftype": "term", "refexplicit": True, "refwarn": True}
        return addnodes.pending_xref("", word, reftarget=term, refdoc=self.env.docname, **about)


def setup(app) -> dict:
    app.add_post_transform(GlossaryLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
