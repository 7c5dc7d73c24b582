"""Let each page load only what it uses, and nothing but its style before its text is drawn."""

import os
import re
from pathlib import Path

SEARCH = re.compile(
    r'\s*<script src="[^"]*(?:searchtools|language_data|searchindex)\.js"></script>'
)
FAMILY = re.compile(r'\s*<script defer src="[^"]*fontawesome\.js[^"]*"></script>')
PRELOAD = re.compile(r'\s*<link rel="preload" as="script"[^>]*>')
OPTIONS = re.compile(r'<script src="[^"]*documentation_options\.js[^"]*"></script>')
WAITING = re.compile(r"<script (?=[^>]*\bsrc=)(?![^>]*\b(?:defer|async)\b)")
SIZED = re.compile(r'(<img [^>]*?)style="width: (\d+)px; height: (\d+)px;"')
SHEET = re.compile(r'\s*<link\b(?=[^>]*\brel="stylesheet")[^>]*\bhref="([^"?]*)[^"]*"[^>]*>')
IMPORT = re.compile(r'@import "([^"]*)";')
ADDRESS = re.compile(r"url\((?!data:|[\"'])([^)]*)\)")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
RULE = re.compile(r"([^{};]*)\{[^{}]*\}")
EMPTY = re.compile(r"@(?:media|supports)[^{}]*\{\s*\}")
ATTRIBUTE = re.compile(r"\[[^\]]*\]")
PARENTHESES = re.compile(r"\([^()]*\)")
CLASS = re.compile(r"[.#]([a-zA-Z_-][\w-]*)")
TAGGED = re.compile(r"""\b(?:class|id)=(?:"([^"]*)"|'([^']*)'|([\w-]+))""")


def lighter(page: str, options: str, *, searches: bool = False) -> str:
    """Return a page with its scripts deferred, and figures that load when they come near.

    Its icons are those of the font that the theme's style names, not drawn by a script of 1.6 MB.
    `options` is Sphinx's script of options, which inline scripts add to. Only a page that searches
    the book needs its index.
    """
    page = PRELOAD.sub("", FAMILY.sub("", page))
    page = page if searches else SEARCH.sub("", page)
    page = OPTIONS.sub(lambda _: f"<script>{options}</script>", page)
    page = WAITING.sub("<script defer ", page)
    return _sized(page)


def _sized(page: str) -> str:
    """Keep the place of each figure free, and load those below the first when they come near."""
    first, *rest = re.split(r"(?=<img )", page)
    for i, image in enumerate(rest):
        lazy = 'loading="lazy" decoding="async" ' if i else ""
        rest[i] = SIZED.sub(rf'\1{lazy}width="\2" height="\3"', image, count=1)
    return "".join([first, *rest])


def sheets_of(pages: list[str]) -> list[str]:
    """Return the names of the sheets that pages load, below the folder of static files."""
    return [to.partition("_static/")[2] for page in pages for to in SHEET.findall(page)]


def with_one_sheet(page: str, name: str) -> str:
    """Return a page that loads one sheet in place of all."""
    start, first, *rest = SHEET.split(page)
    root = first.partition("_static/")[0]
    link = f'\n<link rel="stylesheet" href="{root}_static/{name}">'
    return "".join([start, link, *rest[::2]])


def words(pages: list[str], scripts: list[str]) -> set[str]:
    """Return all classes and ids of the pages, and all words of the scripts, which may set more."""
    found = {
        name for page in pages for group in TAGGED.findall(page) for name in "".join(group).split()
    }
    return found.union(*(re.findall(r"[\w-]+", script) for script in scripts))


def used(style: str, known: set[str]) -> str:
    """Return a style less the rules for classes and ids that are not known, notices kept.

    What stands in brackets and parentheses, such as ``:not(.name)``, is not asked for.
    """
    notices = "\n".join(dict.fromkeys(re.findall(r"/\*!.*?\*/", style, re.DOTALL)))

    def shortened(rule: re.Match) -> str:
        asked = ATTRIBUTE.sub("", rule[1])
        while PARENTHESES.search(asked):
            asked = PARENTHESES.sub("", asked)
        kept = any(known.issuperset(CLASS.findall(one)) for one in asked.split(","))
        return rule[0] if kept or "\\" in asked else ""

    style = RULE.sub(shortened, COMMENT.sub("", style))
    while EMPTY.search(style):
        style = EMPTY.sub("", style)
    return f"{notices}\n{style.strip()}\n"


def joined(sheets: list[Path], folder: Path) -> str:
    """Return the style of several sheets as that of one in a folder."""
    return "\n".join(_read(sheet, folder) for sheet in sheets)


def _read(sheet: Path, folder: Path) -> str:
    style = sheet.read_text("utf-8").removeprefix("\ufeff").replace('@charset "UTF-8";', "")
    here = sheet.parent

    def moved(found: re.Match) -> str:
        return f"url({os.path.relpath(here / found[1], folder)})"

    style = ADDRESS.sub(moved, style)
    return IMPORT.sub(lambda found: _read(here / found[1], folder), style)
