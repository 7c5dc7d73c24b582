"""Let each page load only what it uses, and nothing but its style before its text is drawn."""

import logging
import os
import re
from base64 import b64encode
from functools import cache
from io import BytesIO
from pathlib import Path

from fontTools import subset

from book.project import BookError

ICON = re.compile(r'<(i|span) class="([^"]*\bfa-[^"]*)"([^>]*)></\1>')
KINDS = {"fas": "fas", "fa-solid": "fas", "fab": "fab", "fa-brands": "fab", "far": "far"}
SIZES = {"fa-lg"}
DRAWING = re.compile(r'(?:^|,)"?([\w-]+)"?:\[(\d+),(\d+),\[([^\]]*)\],"[0-9a-f]+","([^"]+)"')
SEARCH = re.compile(
    r'\s*<script src="[^"]*(?:searchtools|language_data|searchindex)\.js"></script>'
)
FAMILY = re.compile(r'\s*<script defer src="[^"]*fontawesome\.js[^"]*"></script>')
PRELOAD = re.compile(r'\s*<link rel="preload" as="script"[^>]*>')
OPTIONS = re.compile(r'<script src="[^"]*documentation_options\.js[^"]*"></script>')
WAITING = re.compile(r"<script (?=[^>]*\bsrc=)(?![^>]*\b(?:defer|async)\b)")
SIZED = re.compile(r'(<img [^>]*?)style="width: (\d+)px; height: (\d+)px;"')
FONT = re.compile(r'url\([^)]*fa-solid-900\.woff2\) format\("woff2"\),url\([^)]*\) format\("\w+"\)')
NAMED = re.compile(r'(?:\.fa-[\w-]+:before,?)+\{content:"[^"]*"\}')
SIGN = re.compile("[\ue000-\uf8ff]")
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


def lighter(page: str, drawings: str, options: str, *, searches: bool = False) -> str:
    """Return a page with its icons in it, its scripts deferred, and figures that load when near.

    Nothing of it looks or does otherwise than before.

    Parameters
    ----------
    page : str
    drawings : str
        Font Awesome's script, which holds the icons.
    options : str
        Sphinx's script of options, which inline scripts add to.
    searches : bool
        Whether the page searches the book, and so needs its index.
    """
    page = PRELOAD.sub("", FAMILY.sub("", page))
    page = page if searches else SEARCH.sub("", page)
    page = ICON.sub(lambda found: drawn(drawings, found[2], found[3]), page)
    page = OPTIONS.sub(lambda _: f"<script>{options}</script>", page)
    page = WAITING.sub("<script defer ", page)
    return _sized(page)


def drawn(drawings: str, classes: str, attributes: str) -> str:
    """Return an icon as Font Awesome's script draws it in a browser."""
    words = classes.split()
    kind = next((KINDS[word] for word in words if word in KINDS), "")
    name = next(w for w in words if w.startswith("fa-") and w not in {*KINDS, *SIZES})
    kept = [word for word in words if word not in {*KINDS, name}]
    found = _shapes(drawings, kind).get(name.removeprefix("fa-"))
    if not found:
        raise BookError(f"the theme asks for an icon that is not known: {classes!r}")
    width, height, path = found
    title = re.search(r' title="([^"]*)"', attributes)
    if title:
        said, attributes = f"<title>{title[1]}</title>", attributes.replace(title[0], "")
    else:
        said, attributes = "", f'{attributes} aria-hidden="true"'
    return (
        f'<svg class="{" ".join(["svg-inline--fa", name, *kept])}"{attributes} role="img" '
        f'viewBox="0 0 {width} {height}">{said}<path fill="currentColor" d="{path}"/></svg>'
    )


@cache
def _shapes(drawings: str, kind: str) -> dict[str, tuple[str, str, str]]:
    """Return width, height and path of each icon of a kind, by its names."""
    before, marked, _ = drawings.partition(f'("{kind}",p)')
    icons = before.rpartition("p={")[2] if marked else ""
    shapes = {}
    for name, width, height, others, path in DRAWING.findall(icons):
        for each in [name, *re.findall(r'"([\w-]+)"', others)]:
            shapes[each] = width, height, path
    return shapes


def _sized(page: str) -> str:
    """Keep the place of each figure free, and load those below the first when they come near."""
    first, *rest = re.split(r"(?=<img )", page)
    for i, image in enumerate(rest):
        lazy = 'loading="lazy" decoding="async" ' if i else ""
        rest[i] = SIZED.sub(rf'\1{lazy}width="\2" height="\3"', image, count=1)
    return "".join([first, *rest])


def with_signs_inside(style: str, font: Path) -> str:
    """Return the theme's style with the few signs that it shows in place of a font's file."""
    style = NAMED.sub("", style)  # those are drawn in the pages
    logging.getLogger("fontTools").setLevel(logging.ERROR)
    options = subset.Options(flavor="woff")
    loaded = subset.load_font(font, options)
    chosen = subset.Subsetter(options)
    chosen.populate(text="".join(SIGN.findall(style)))
    chosen.subset(loaded)
    file = BytesIO()
    subset.save_font(loaded, file, options)
    inside = f'url(data:font/woff;base64,{b64encode(file.getvalue()).decode()}) format("woff")'
    style, count = FONT.subn(inside, style)
    if count != 1:
        raise BookError("the theme's style does not name the font of its icons once")
    return style


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
