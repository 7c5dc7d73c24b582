"""Link the first use of each term of the glossary in the prose of each page."""

import re
from functools import cache

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
    """Link, in the prose of each page, the first use of each term; synonyms count as one.

    Left alone are headings, captions, tables, boxes and code; a link that an author has set counts.
    """

    default_priority = 5  # before references are resolved

    def run(self, **_) -> None:
        if not (names := synonyms(self.env)):
            return
        for prose in list(self.document.findall(lambda node: isinstance(node, PROSE))):
            for i in reversed(range(1, len(prose))):  # the lines of a paragraph are pieces
                if isinstance(prose[i - 1], nodes.Text) and isinstance(prose[i], nodes.Text):
                    prose[i - 1 : i + 1] = [nodes.Text(prose[i - 1] + prose[i])]
        longest = sorted([*OTHER, *names], key=len, reverse=True)
        words = [  # at the head of a sentence too, and across lines
            re.sub("^[a-z]", lambda found: f"[{found[0]}{found[0].upper()}]", re.escape(term))
            for term in longest
        ]
        across = "|".join(words).replace(r"\ ", r"\s+")
        pattern = re.compile(rf"(?<![\w-])({across})s?(?![\w-])")
        used: set = set()
        for node in list(self.document.findall()):
            page = page_of(node)
            if isinstance(node, addnodes.pending_xref) and node["reftype"] == "term":
                used.add((page, names.get(known(node["reftarget"], names))))
            elif isinstance(node, nodes.Text) and page is not None:
                self._link(node, page, pattern, names, used)

    def _link(self, text, page, pattern, names, used) -> None:
        pieces, end = [], 0
        about = {"refdomain": "std", "reftype": "term", "refexplicit": True, "refwarn": True}
        for found in pattern.finditer(text):
            term, shown = known(found[1], names), found[0]
            if term is not None and (page, names[term]) not in used:
                used.add((page, names[term]))
                word = nodes.inline(shown, shown, classes=["xref", "std", "std-term"])
                target = {"reftarget": term, "refdoc": self.env.docname}
                link = addnodes.pending_xref("", word, **about, **target)
                pieces += [nodes.Text(text[end : found.start()]), link]
                end = found.end()
        if pieces:
            text.parent.replace(text, [*pieces, nodes.Text(text[end:])])


@cache
def synonyms(env) -> dict[str, str]:
    """Return each term of the glossary with the first name of its entry."""
    found, objects = {}, env.get_domain("std").objects
    for page in {place[0] for key, place in objects.items() if key[0] == "term"}:
        for glossary in env.get_doctree(page).findall(addnodes.glossary):
            for entry in glossary.findall(nodes.definition_list_item):
                names = [term.astext() for term in entry.findall(nodes.term)]
                found |= dict.fromkeys(names, names[0])
    return found


def known(words: str, names) -> str | None:
    """Return the term of the glossary that these words are, if any."""
    term = " ".join(words.split())
    return next((name for name in (term, term[0].lower() + term[1:]) if name in names), None)


def page_of(node) -> str | None:
    """Return the page whose prose holds a node; None where the node is not prose."""
    if isinstance(node, nodes.Text) and not isinstance(node.parent, PROSE):
        return None
    while node.parent is not None:
        node = node.parent
        if isinstance(node, ELSEWHERE):
            return None
        if node.get("docname"):  # a section of the single page that holds all others
            return node["docname"]
    return ""


def setup(app) -> dict:
    app.add_post_transform(GlossaryLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
