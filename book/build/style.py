"""One style for all pages: of twelve sheets, as they are linked, the rules that a page uses.

It is 183 KB in the place of 565, packed 34 in the place of 93, and one request in the place of
twelve that a browser waits for before it draws: Lighthouse (phone, slow 4G) draws the first text of
ece-and-mce after 1.1 s in the place of 2.2. tinycss2 reads the sheets; nbconvert brings it along.
"""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import tinycss2
from sphinx.application import Sphinx

THEME = ("styles/theme.css", "styles/pydata-sphinx-theme.css")  # linked by its macros
VERSION = "?v=STYLE"  # as `templates/static/webpack-macros.html` has it
# No parser: it takes eight seconds for the 15 MB of all pages, and this half of one.
TAGGED = re.compile(r"""\s(?:class|id)=(?:"([^"]*)"|'([^']*)'|([\w-]+))""")
CONDITIONS = ("media", "supports")  # their blocks hold rules


class OneStyle:
    """The one style: which sheets the pages of a build ask for, until it is written of them."""

    def __init__(self) -> None:
        self._sheets: list[Path] = []

    def note_sheets(
        self,
        app: Sphinx,
        page: str,
        template: str,
        context: dict[str, Any],
        doctree: Any,
    ) -> None:
        """Note which sheets a page asks for, and link none: the layout links the one style."""
        if app.builder.name != "html":
            return
        sheets = sorted(context["css_files"], key=lambda sheet: sheet.priority)
        # the same on each page; at least one is written in each build
        self._sheets = [
            Path(str(sheet.filename)).relative_to("_static") for sheet in sheets
        ]
        context["css_files"] = []

    def write(self, pages: Iterable[str], static: Path) -> bytes:
        """Write and return the style of some pages, from the sheets that lie in a folder."""
        sheets: list[str | Path] = [*THEME, *self._sheets]
        style = "\n".join(read_sheet(static / name, static) for name in sheets)
        content = without_unused_rules(style, known_to_pages(pages, static)).encode()
        (static / "style.css").write_bytes(content)
        return content


def known_to_pages(pages: Iterable[str], static: Path) -> set[str]:
    """Return classes and ids of the pages, and every word of a script, which may set more."""
    names = set()
    for path in static.rglob("*.js"):
        if path.parent.name != "mathjax":
            names.update(re.findall(r"[\w-]+", path.read_text("utf-8")))
    for page in pages:
        for groups in TAGGED.findall(page):
            names.update("".join(groups).split())
    return names


def read_sheet(sheet: Path, folder: Path) -> str:
    """Return a sheet with what it imports, its addresses those of a sheet in the folder."""
    style, here = sheet.read_text("utf-8").removeprefix("\ufeff"), sheet.parent
    style = re.sub(
        r"url\((?!data:|[\"'])([^)]*)\)",
        lambda address: f"url({os.path.relpath(here / address[1], folder)})",
        style.replace('@charset "UTF-8";', ""),
    )
    return re.sub(
        r'@import "([^"]*)";', lambda name: read_sheet(here / name[1], folder), style
    )


def without_unused_rules(style: str, known: set[str]) -> str:
    """Return a style less the rules for classes and ids that are not known, its notices kept."""
    rules = tinycss2.parse_stylesheet(style, skip_whitespace=True)
    comments = (rule.value for rule in rules if rule.type == "comment")
    notices = dict.fromkeys(f"/*{text}*/" for text in comments if text[:1] == "!")
    return "\n".join([*notices, *used_rules(rules, known)]) + "\n"


def used_rules(rules: Iterable[Any], known: set[str]) -> Iterator[str]:
    """Yield the text of each rule that may apply to a page, of a condition's block only these."""
    for rule in rules:
        if rule.type == "qualified-rule" and may_apply(rule.prelude, known):
            yield rule.serialize()
        elif rule.type == "at-rule" and rule.lower_at_keyword in CONDITIONS:
            inner = tinycss2.parse_rule_list(rule.content, skip_whitespace=True)
            block = "".join(used_rules(inner, known))
            if block:
                condition = tinycss2.serialize(rule.prelude)
                yield f"@{rule.at_keyword}{condition}{{{block}}}"
        elif rule.type == "at-rule":  # a font, an animation
            yield rule.serialize()
        elif rule.type == "error":
            raise ValueError(f"the style cannot be read: {rule.message}")


def may_apply(selectors: list[Any], known: set[str]) -> bool:
    """Whether a rule has a selector all of whose classes and ids are known.

    What stands in brackets asks for nothing, such as `:not(.name)`: to tinycss2 it is one token.
    """
    needed: set[str] = set()
    for before, token in zip([None, *selectors], selectors, strict=False):
        if token == ",":
            if needed <= known:
                return True
            needed = set()
        elif token.type == "hash" or (token.type == "ident" and before == "."):
            needed.add(token.value)
    return needed <= known
