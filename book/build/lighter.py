"""Let each page load only what it uses, and nothing but its style before its text is drawn.

Icons are those of the font that the theme's style names, not drawn by a script of 1.6 MB, and only
the page that searches the book loads its index. Parts named "Door: part" lie behind one fold.
"""

import hashlib
import os
import re
import shutil
from itertools import groupby
from pathlib import Path

from sphinx.search import js_index

PRELOAD = r'\s*<link rel="preload" as="script"[^>]*>'
DROPPED = re.compile(rf'{PRELOAD}|\s*<script[^>]*src="[^"]*fontawesome\.js[^>]*></script>')
SEARCH = re.compile(
    r'\s*<script src="[^"]*(?:searchtools|language_data|searchindex)\.js"></script>'
)
TOOLS = re.compile(r'<script src="[^"]*language_data\.js[^"]*"></script>')
OPTIONS = re.compile(r'<script src="[^"]*documentation_options\.js[^"]*"></script>')
WAITING = re.compile(r"<script (?=[^>]*\bsrc=)(?![^>]*\b(?:defer|async)\b)")
SIZED = re.compile(r'(<img [^>]*?)style="width: (\d+)px; height: (\d+)px;"')
DATA = re.compile(r'<script type="application/json">(.*?)</script>', re.DOTALL)
MANY = 10_000  # characters of data
SHEET = re.compile(r'\s*<link\b(?=[^>]*\brel="stylesheet")[^>]*\bhref="([^"?]*)[^"]*"[^>]*>')
TAGGED = re.compile(r"""\b(?:class|id)=(?:"([^"]*)"|'([^']*)'|([\w-]+))""")
CAPTION = r'<p [^>]*class="caption"[^>]*><span class="caption-text">(.*?)</span></p>\s*'
PART = re.compile(CAPTION + r'(<ul class="(current )?nav bd-sidenav">.*?</ul>\s*)', re.DOTALL)


def published(app) -> Path:
    """Return where the pages lie that are published, beside those that Sphinx keeps."""
    return Path(app.outdir).with_name("html")


def lighten(app, exception) -> None:
    """Defer scripts, load figures when they come near, and one style instead of twelve."""
    if exception or app.builder.name != "html":
        return
    site = published(app)
    unread = shutil.ignore_patterns(".buildinfo", "fontawesome.js*")
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(app.outdir, site, ignore=unread)
    shown = {name for _, name in app.env.images.values()}
    for path in (site / "_images").glob("*"):
        if path.name not in shown:  # any longer
            path.unlink()
    forget_words(site / "searchindex.js")
    static = site / "_static"
    options = (static / "documentation_options.js").read_text("utf-8")
    pages = {site / f"{name}.html": "" for name in (*app.env.found_docs, "genindex", "search")}
    for path in pages:
        page = DROPPED.sub("", folded(path.read_text("utf-8")))
        by_heading = r'\g<0>\n<script src="_static/search.js"></script>'
        page = SEARCH.sub("", page) if path.stem != "search" else TOOLS.sub(by_heading, page)
        page = OPTIONS.sub(lambda _: f"<script>{options}</script>", page)
        pages[path] = _sized(WAITING.sub("<script defer ", page))
    scripts = [p.read_text("utf-8") for p in static.rglob("*.js") if p.parent.name != "mathjax"]
    known = {name for s in scripts for name in re.findall(r"[\w-]+", s)}  # which may set more
    known |= {n for p in pages.values() for g in TAGGED.findall(p) for n in "".join(g).split()}
    sheets = [to.partition("_static/")[2] for p in pages.values() for to in SHEET.findall(p)]
    style = used("\n".join(_read(static / name, static) for name in dict.fromkeys(sheets)), known)
    (static / "style.css").write_text(style, "utf-8")
    (static / "data").mkdir()
    version = hashlib.sha256(style.encode()).hexdigest()[:8]
    for path, page in pages.items():
        start, first, *rest = SHEET.split(page)
        root = first.partition("_static/")[0]
        link = f'\n<link rel="stylesheet" href="{root}_static/style.css?v={version}">'
        path.write_text(_apart("".join([start, link, *rest[::2]]), static, root), "utf-8")


def _apart(page: str, static: Path, root: str) -> str:
    """Move the data of a figure, where they are many, to a script that comes with the figure."""

    def moved(found: re.Match) -> str:
        if len(found[1]) < MANY:
            return found[0]
        name = f"data/{hashlib.sha256(found[1].encode()).hexdigest()[:12]}.js"
        (static / name).write_text(f"document.currentScript.data = {found[1]};", "utf-8")
        return f'<script type="application/json" data-file="{root}_static/{name}"></script>'

    return DATA.sub(moved, page)


def forget_words(path: Path) -> None:
    """Take out of the index of the search each word that no page holds any longer."""
    index = js_index.loads(path.read_text("utf-8"))
    for kind in ("terms", "titleterms"):
        index[kind] = {word: pages for word, pages in index[kind].items() if pages != []}
    path.write_text(js_index.dumps(index), "utf-8")


def _sized(page: str) -> str:
    """Keep the place of each figure free, and load those below the first when they come near."""
    first, *rest = re.split(r"(?=<img )", page)
    for i, image in enumerate(rest):
        lazy = 'loading="lazy" decoding="async" ' if i else ""
        rest[i] = SIZED.sub(rf'\1{lazy}width="\2" height="\3"', image, count=1)
    return "".join([first, *rest])


def used(style: str, known: set[str]) -> str:
    """Return a style less the rules for classes and ids that are not known, its notices kept."""
    notices = "\n".join(dict.fromkeys(re.findall(r"/\*!.*?\*/", style, re.DOTALL)))

    def shortened(rule: re.Match) -> str:
        asked, inner = rule[1], 1
        while inner:
            asked, inner = re.subn(r"\[[^\]]*\]|\([^()]*\)", "", asked)
        names = [re.findall(r"[.#]([a-zA-Z_-][\w-]*)", one) for one in asked.split(",")]
        return rule[0] if any(map(known.issuperset, names)) or "\\" in asked else ""

    style = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    style, emptied = re.sub(r"([^{};]*)\{[^{}]*\}", shortened, style), 1
    while emptied:
        style, emptied = re.subn(r"@(?:media|supports)[^{}]*\{\s*\}", "", style)
    return f"{notices}\n{style.strip()}\n"


def _read(sheet: Path, folder: Path) -> str:
    """Return a sheet with what it imports, its addresses those of a sheet in the folder."""
    style, here = sheet.read_text("utf-8").removeprefix("\ufeff"), sheet.parent
    style = re.sub(
        r"url\((?!data:|[\"'])([^)]*)\)",
        lambda found: f"url({os.path.relpath(here / found[1], folder)})",
        style.replace('@charset "UTF-8";', ""),
    )
    return re.sub(r'@import "([^"]*)";', lambda found: _read(here / found[1], folder), style)


def folded(page):
    """Return a page whose sidebar shows its doors, and the chapters behind the page's own.

    Examples
    --------
    >>> caption = '<p class="caption"><span class="caption-text">{}</span></p>'.format
    >>> here, there = '<ul class="current nav bd-sidenav"></ul>', '<ul class="nav bd-sidenav"></ul>'
    >>> doors = folded(caption("Learn: one") + here + caption("Use") + there)
    >>> [door.split("<ul")[0] for door in doors.splitlines()]  # doctest: +NORMALIZE_WHITESPACE
    ['<details class="door" open><summary>Learn</summary><p>one</p>',
     '<details class="door"><summary>Use</summary>']
    """
    parts = list(PART.finditer(page))
    if not parts:
        return page
    doors = []
    for door, members in groupby(parts, key=lambda part: part[1].partition(":")[0]):
        members = list(members)
        lists = "".join(f"{_title(part[1])}{part[2]}" for part in members)
        here = " open" if any(part[3] for part in members) else ""
        doors.append(f'<details class="door"{here}><summary>{door}</summary>{lists}</details>')
    return page[: parts[0].start()] + "\n".join(doors) + page[parts[-1].end() :]


def _title(caption):
    name = caption.partition(":")[2].strip()
    return f"<p>{name}</p>" if name else ""
