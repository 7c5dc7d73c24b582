"""Link the first use of each term of the glossary in the prose of each page.

The link holds the term's first sentence, which the page shows in a box where the word stands.
"""

import re
from html import escape
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
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
LINK = re.compile(r'(<a class="reference internal" href="[^"#]*#term-([^"]+)")')
SENTENCE = re.compile(r".*?[.](?= |$)", re.DOTALL)


class GlossaryLinks(SphinxPostTransform):
    """Link the first use of each term; headings, captions, tables, boxes and code stay alone."""

    default_priority = 5  # before references are resolved

    def run(self, **_: Any) -> None:
        places = {key[1]: at for key, at in self.env.get_domain("std").objects.items()}
        terms = {
            name for name, (_, label) in places.items() if label.startswith("term-")
        }
        links = self.document.findall(addnodes.pending_xref)
        linked = {link["reftarget"] for link in links if link["reftype"] == "term"}
        pattern, unlinked = pattern_of([*OTHER, *terms]), terms - linked
        for text in list(self.document.findall(nodes.Text)):
            if not isinstance(text.parent, PROSE) or self._stands_elsewhere(
                text.parent
            ):
                continue
            pieces = self._linked(text, pattern, unlinked)
            if pieces:
                text.parent.replace(text, pieces)

    def _linked(
        self, text: nodes.Text, pattern: re.Pattern[str], unlinked: set[str]
    ) -> list[nodes.Node]:
        """Return a text in pieces, its first uses of terms as links; nothing where it has none."""
        pieces, end = [], 0
        for match in pattern.finditer(text):
            # a sentence may begin with a term that the glossary writes small
            spellings = (match[1], match[1][0].lower() + match[1][1:])
            term = next((name for name in spellings if name in unlinked), None)
            if term is not None:
                unlinked.remove(term)
                pieces += [
                    nodes.Text(text[end : match.start()]),
                    self._link(term, match[0]),
                ]
                end = match.end()
        return [*pieces, nodes.Text(text[end:])] if pieces else []

    def _stands_elsewhere(self, node: nodes.Node | None) -> bool:
        return node is not None and (
            isinstance(node, ELSEWHERE) or self._stands_elsewhere(node.parent)
        )

    # the same node as ``{term}`` makes, so that Sphinx resolves and checks it
    def _link(self, term: str, shown: str) -> addnodes.pending_xref:
        word = nodes.inline(shown, shown, classes=["xref", "std", "std-term"])
        about = {
            "refdomain": "std",
            "reftype": "term",
            "refexplicit": True,
            "refwarn": True,
        }
        return addnodes.pending_xref(
            "", word, reftarget=term, refdoc=self.env.docname, **about
        )


def pattern_of(words: list[str]) -> re.Pattern[str]:
    """Return what finds words in prose, the longest first, also in plural or with a capital."""
    longest = sorted(words, key=len, reverse=True)
    spellings = (f"(?i:{word[0]}){re.escape(word[1:])}" for word in longest if word)
    return re.compile(rf"(?<![\w-])({'|'.join(spellings)})s?(?![\w-])")


def first_sentences(env: BuildEnvironment) -> dict[str, str]:
    """Return the first sentence of each term's definition, by the term's anchor."""
    objects = env.get_domain("std").objects
    pages = {page for (kind, _), (page, _) in objects.items() if kind == "term"}
    sentences: dict[str, str] = {}
    for page in pages:
        for item in env.get_doctree(page).findall(nodes.definition_list_item):
            about = " ".join(item[-1].astext().split())
            first = SENTENCE.match(about)
            for term in item.findall(nodes.term):
                sentences |= dict.fromkeys(term["ids"], first[0] if first else about)
    return sentences


class Explanations:
    """The sentences that say what terms are, read once a build, not once a page."""

    def __init__(self) -> None:
        self._sentences: dict[str, str] | None = None

    def explain(
        self,
        app: Sphinx,
        pagename: str,
        templatename: str,
        context: dict[str, Any],
        doctree: nodes.document | None,
    ) -> None:
        """Give each link to a term the sentence that says what it is."""
        body = context.get("body")
        if not body or "#term-" not in body:
            return
        if self._sentences is None:
            self._sentences = first_sentences(app.env)
        context["body"] = LINK.sub(self._with_sentence, body)

    def _with_sentence(self, link: re.Match[str]) -> str:
        sentence = (self._sentences or {}).get(f"term-{link[2]}", "")
        return f'{link[1]} data-term="{escape(sentence)}"' if sentence else link[0]


def after_glossary(app: Sphinx, doctree: nodes.document) -> None:
    """Read a page again when a definition changes, since its links hold the sentences."""
    env = app.env
    for page in env.found_docs:
        if page.endswith("glossary") and page != env.docname:
            env.note_dependency(env.doc2path(page))
