"""The reference: ``.. calib-reference:: calib.metrics`` shows the public names of a module.

Those are the ones that `calib` or `calib_report` offers; others are listed in the directive.
``.. calib-names::`` shows all names of its page in a table, a row a section. What is said of a name
beyond its first line is folded, so that a page of them can be read from top to bottom.
"""

import importlib
import inspect
import itertools
from types import ModuleType
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.addnodes import desc, desc_content, desc_signature
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

HEADS, WIDTHS = ("Group", "Names"), (30, 70)
OPENING = '<details class="described"><summary>Arguments, results, examples</summary>'
OFFER = ("calib", "calib_report", "evidence")


class Reference(SphinxDirective):
    """Show the public names of a module."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        module = importlib.import_module(self.arguments[0])
        name = module.__name__
        lines = [
            f".. py:module:: {name}",
            "",
            f"*{(inspect.getdoc(module) or '').partition(chr(10))[0]}*",
            "",
        ]
        offered = sorted(
            symbol for symbol in vars(module) if home(symbol, module) in OFFER[:2]
        )
        for symbol in " ".join(self.content).split() or offered:
            lines += entry(f"{home(symbol, module)}.{symbol}", getattr(module, symbol))
        container = nodes.container()
        self.state.nested_parse(StringList(lines, name), self.content_offset, container)
        return container.children


class Names(SphinxDirective):
    """Leave the place of the table of names, which is filled when the page has all of them."""

    def run(self) -> list[nodes.Node]:
        return [nodes.container(classes=["calib-names"])]


class TableOfNames(SphinxPostTransform):
    """Fill the place of the table of names."""

    default_priority = 250  # before links to terms and to the package are set

    def run(self, **_: Any) -> None:
        for node in self.document.findall(nodes.container):
            if "calib-names" in node["classes"]:
                by_section = names_of(self.document)
                node += table_of_names(by_section)
                for described in itertools.chain(*by_section.values()):
                    fold(described)


def names_of(document: nodes.document) -> dict[nodes.section, list[desc]]:
    """Return the functions and classes, and no method, that each section describes."""
    by_section: dict[nodes.section, list[desc]] = {}
    for described in document.findall(desc):
        if within(described, desc) is None:
            section = within(described, nodes.section)
            assert isinstance(section, nodes.section)
            by_section.setdefault(section, []).append(described)
    return by_section


def table_of_names(by_section: dict[nodes.section, list[desc]]) -> nodes.table:
    """Return a row for each section: its title, and the names that it describes."""
    body = nodes.tbody()
    for section, names in by_section.items():
        title = nodes.reference("", section[0].astext(), refid=section["ids"][0])
        links = nodes.paragraph()
        for described in names:
            links += [link_to(described), nodes.Text(" ")]
        cells = nodes.paragraph("", "", title), links
        body += nodes.row("", *(nodes.entry("", cell) for cell in cells))
    group = nodes.tgroup(cols=len(WIDTHS))
    group += [nodes.colspec(colwidth=width) for width in WIDTHS]
    heads = (nodes.entry("", nodes.paragraph("", text)) for text in HEADS)
    group += nodes.thead("", nodes.row("", *heads))
    group += body
    return nodes.table("", group)


def within(node: nodes.Node, kind: type[nodes.Element]) -> nodes.Element | None:
    """Return the nearest node of a kind that holds a node."""
    parent = node.parent
    while parent is not None and not isinstance(parent, kind):
        parent = parent.parent
    return parent


def link_to(described: desc) -> nodes.reference:
    """Return a name that leads to where it is described."""
    signature = next(described.findall(desc_signature))
    name = nodes.literal("", signature["fullname"])
    return nodes.reference("", "", name, refid=signature["ids"][0])


def fold(described: desc) -> None:
    """Fold what stands below the first line of a description."""
    content = next(described.findall(desc_content))
    if len(content) > 1:
        content.insert(1, nodes.raw("", OPENING, format="html"))
        content += nodes.raw("", "</details>", format="html")


def home(name: str, module: ModuleType) -> str:
    """Return where a name that a module defines is imported from."""
    # a name that a module only imports is described where it is defined
    value, at = getattr(module, name), module.__name__
    offers = (
        o for o in OFFER if getattr(importlib.import_module(o), name, None) is value
    )
    return next(offers, at) if at in (*OFFER, getattr(value, "__module__", "")) else ""


def entry(name: str, value: Any) -> list[str]:
    """Return the lines of reStructuredText that show a function or a class with its members."""
    if not inspect.isclass(value):
        return [f".. autofunction:: {name}", ""]
    kind = "autoexception" if issubclass(value, Exception) else "autoclass"
    used = hasattr(value, "fit") or hasattr(value, "sample")
    # what scikit-learn's classes have is told there, and its requests are no use here
    options = [":members:", ":inherited-members: ClassifierMixin"]
    options.append(":exclude-members: set_fit_request, set_score_request")
    return [f".. {kind}:: {name}", *(f"   {option}" for option in options * used), ""]
