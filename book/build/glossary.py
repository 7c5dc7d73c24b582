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
    """Link, in each page, the first use of each term and none of the later ones.

    Synonyms count as one term. Left alone are headings, captions, tables, boxes, code, mathematics
    and what is a link already; a link that an author has set counts as a use.
    """

    default_priority = 5  # before references are resolved

    def run(self, **_) -> None:
        if not (names := synonyms(self.env)):
            return
        for prose in list(self.document.findall(lambda node: isinstance(node, PROSE))):
            join_texts(prose)
        longest = sorted([*OTHER, *names], key=len, reverse=True)
        pattern = re.compile(rf"(?<![\w-])({'|'.join(map(_words, longest))})s?(?![\w-])")
        used: set = set()
        for node in list(self.document.findall()):
            page = page_of(node)
            if isinstance(node, addnodes.pending_xref) and node["reftype"] == "term":
                used.add((page, names.get(known(node["reftarget"], names))))
            elif isinstance(node, nodes.Text) and page is not None:
                self._link(node, page, pattern, names, used)

    def _link(self, text, page, pattern, names, used) -> None:
        pieces, end = [], 0
        for found in pattern.finditer(text):
            term = known(found[1], names)
            if term is not None and (page, names[term]) not in used:
                used.add((page, names[term]))
                pieces += [nodes.Text(text[end : found.start()]), self._link_to(term, found[0])]
                end = found.end()
        if pieces:
            text.parent.replace(text, [*pieces, nodes.Text(text[end:])])

    def _link_to(self, term: str, shown: str) -> addnodes.pending_xref:
        word = nodes.inline(shown, shown, classes=["xref", "std", "std-term"])
        about = {"refdomain": "std", "reftype": "term", "reftarget": term, "refexplicit": True}
        return addnodes.pending_xref("", word, **about, refwarn=True, refdoc=self.env.docname)


@cache
def synonyms(env) -> dict[str, str]:
    """Return each term of the glossary with the first name of its entry."""
    found = {}
    terms = [key for key in env.get_domain("std").objects if key[0] == "term"]
    for page in {env.get_domain("std").objects[key][0] for key in terms}:
        for glossary in env.get_doctree(page).findall(addnodes.glossary):
            for entry in glossary.findall(nodes.definition_list_item):
                names = [term.astext() for term in entry.findall(nodes.term)]
                found |= dict.fromkeys(names, names[0])
    return found


def join_texts(prose) -> None:
    """Join neighbouring pieces of text, as the lines of a paragraph are."""
    for i in reversed(range(1, len(prose))):
        if isinstance(prose[i - 1], nodes.Text) and isinstance(prose[i], nodes.Text):
            prose[i - 1 : i + 1] = [nodes.Text(prose[i - 1] + prose[i])]


def _words(term: str) -> str:
    """Return a pattern of a term: at the head of a sentence too, and across lines."""
    head = f"[{term[0]}{term[0].upper()}]" if term[0].islower() else re.escape(term[0])
    return head + re.escape(term[1:]).replace(r"\ ", r"\s+")


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
