"""Let each page load only what it uses, and nothing but its style before its text is drawn.

Icons are those of the font that the theme's style names, not drawn by a script of 1.6 MB, and only
the page that searches the book loads its text. Parts named "Door: part" lie behind one fold.

Lighthouse (phone, slow 4G) draws the first text of ece-and-mce after 1.1 s with the one style and
after 2.2 s with the twelve: 33 KB, packed, in the place of 95. Without its script for icons a page
loads 540 KB less.
"""

import base64
import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable
from html import unescape
from itertools import groupby
from pathlib import Path

from book.build.places import to_notebooks

# What would be loaded before the text is drawn: scripts ahead of time, and that for icons.
PRELOAD = r'<(?:link rel="preload" as="script"|script[^>]*src="[^"]*fontawesome\.js)'
DROPPED = re.compile(rf"{PRELOAD}[^>]*>(?:</script>)?\s*")
# The three scripts of Sphinx's search, in whose place one page has ours and the others nothing.
SEARCH = re.compile(r'(<script src="[^"]*)searchtools(\.js">.*)(?:\s*<script.*){2}\s*')
FIND = "".join(
    rf"\1{n}\2\n" for n in ("sections", "language_data", "minisearch/index", "search")
)
# Every exercise has the same id in its page, and nothing refers to it.
REPEATED_ID = re.compile(r' id="(?:proof|exercise|solution)-content"')
# A browser that keeps nothing throws at the theme's first look, and its search would not open.
STORAGE = """try { localStorage.length } catch {
  const kept = new Map()
  Object.defineProperty(window, "localStorage", { value: {
    getItem: key => kept.get(key) ?? null,
    setItem: (key, value) => { kept.set(key, String(value)) },
    removeItem: key => { kept.delete(key) } } })
}"""
FORMULA = re.compile(r'<(span|div) class="math[^>]*>(.*?)</\1>', re.DOTALL)
# What the search index leaves out, and last every tag, so that the words remain.
UNREAD = re.compile(
    r"<(script|style|pre|table|button|summary)\b.*?</\1>|<a class=.headerlink.*?</a>"
    r"|<p class=.(?:figure-download|page-minutes|exercise-line).*?</p>"
    r"|<span class=.section-n.*?</span>|<[^>]*>",
    re.DOTALL,
)
# Where a search may lead to: a section or a term, the first of several terms of one definition.
PLACE = r'(?<!</dt>)<(?:section|dt)\b[^>]*\bid="(?!\w+-content")([^"]*)"[^>]*>'
OPTIONS = re.compile(r'<script src="[^"]*documentation_options\.js[^"]*"></script>')
WAITING = re.compile(r"<script (?=[^>]*\bsrc=)(?![^>]*\b(?:defer|async)\b)")
SIZED = re.compile(r'(<img [^>]*?)style="width: (\d+)px; height: (\d+)px;"')
# Fewer characters stay in the page: a request costs more than they do.
DATA = re.compile(
    r'(?s)<script type="application/json">((?:(?!</script).){10000,})</script>'
)
FILE = re.compile(
    r'<a download="([^"]*)" href="data:[^;"]*;base64,([A-Za-z0-9+/=]{10000,})"'
)
TABS = re.compile(r'<script[^>]*src="[^"]*design-tabs\.js[^"]*"[^>]*></script>\s*')
# It marks the words of a search, which our links leave to the browser.
MARKING = re.compile(r'<script[^>]*src="[^"]*sphinx_highlight\.js[^"]*"></script>\s*')
SHEET = re.compile(
    r'<link\b(?=[^>]*\brel="stylesheet")[^>]*\bhref="([^"?]*)[^"]*"[^>]*>\s*'
)
TAGGED = re.compile(r"""\s(?:class|id)=(?:"([^"]*)"|'([^']*)'|([\w-]+))""")
CAPTION = r'<p [^>]*class="caption"[^>]*><span class="caption-text">(.*?)</span></p>\s*'
PART = re.compile(
    CAPTION + r'(<ul class="(current )?nav bd-sidenav">.*?</ul>\s*)', re.DOTALL
)


def published(app) -> Path:
    """Return where the pages lie that are published, beside those that Sphinx keeps."""
    return Path(app.outdir).with_name("html")


def lighten(app, exception) -> None:
    """Publish the pages: scripts deferred, figures with sizes, one style instead of twelve."""
    if exception or app.builder.name != "html":
        return
    site = copied(app)
    static = site / "_static"
    options = (static / "documentation_options.js").read_text("utf-8")
    pages = {}
    for name in (*app.env.found_docs, "genindex", "search"):
        path = site / f"{name}.html"
        page = light(path.read_text("utf-8"), options, searches=name == "search")
        # a page that is built alone has no notebooks beside it
        pages[path] = to_notebooks(page) if app.config.root_doc == "index" else page
    style = used(sheets_of(pages.values(), static), named(pages.values(), static))
    (static / "style.css").write_text(style, "utf-8")
    write_search_index(pages, site)
    listed = {name: pages[site / f"{name}.html"] for name in sorted(app.env.found_docs)}
    (site / "llms.txt").write_text(overview(app.config.html_title, listed), "utf-8")
    (static / "data").mkdir()
    version = hashlib.sha256(style.encode()).hexdigest()[:8]
    for path, page in pages.items():
        path.write_text(with_one_style(page, version, static), "utf-8")


def copied(app) -> Path:
    """Copy what Sphinx wrote, less the scripts that no page loads and figures of former builds."""
    site = published(app)
    unread = shutil.ignore_patterns(
        ".buildinfo", "fontawesome.js*", "search[it]*.js", "sphinx_highlight.js"
    )
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(app.outdir, site, ignore=unread)
    figures = {name for _, name in app.env.images.values()}
    for path in (site / "_images").glob("*"):
        if path.name not in figures:
            path.unlink()
    return site


def light(page: str, options: str, *, searches: bool) -> str:
    """Return a page that waits for no script; only one that searches loads the index."""
    page = REPEATED_ID.sub("", DROPPED.sub("", folded(page)))
    page = MARKING.sub("", page)
    page = page if "sd-tab-set" in page else TABS.sub("", page)
    page = page.replace("<head>", f"<head>\n<script>{STORAGE}</script>", 1)
    page = SEARCH.sub(FIND if searches else "", page)
    # in the page itself: what is deferred below reads the options while it loads
    page = OPTIONS.sub(lambda _: f"<script>{options}</script>", page)
    # with width and height a browser leaves room for the figure before it has come
    page = SIZED.sub(r'\1decoding="async" width="\2" height="\3"', page)
    page = page.replace(
        '<img alt="" loading="lazy" src="data:', '<img alt="" src="data:'
    )
    return WAITING.sub("<script defer ", page)


def sheets_of(pages: Iterable[str], static: Path) -> str:
    """Return the sheets that pages link, one after the other in the order of the links."""
    links = [address for page in pages for address in SHEET.findall(page)]
    names = dict.fromkeys(address.partition("_static/")[2] for address in links)
    return "\n".join(_read(static / name, static) for name in names)


def named(pages: Iterable[str], static: Path) -> set[str]:
    """Return classes and ids of the pages, and every word of a script, which may set more."""
    names = set()
    for path in static.rglob("*.js"):
        if path.parent.name != "mathjax":
            names.update(re.findall(r"[\w-]+", path.read_text("utf-8")))
    for page in pages:
        for groups in TAGGED.findall(page):
            names.update("".join(groups).split())
    return names


def write_search_index(pages: dict[Path, str], site: Path) -> None:
    """Write what the search page reads: the sections of all pages."""
    sections = {
        path.relative_to(site).as_posix(): _sections(page)
        for path, page in sorted(pages.items())
    }
    script = f"const SECTIONS = {json.dumps(sections)};"
    (site / "_static" / "sections.js").write_text(script, "utf-8")


def with_one_style(page: str, version: str, static: Path) -> str:
    """Return a page that links the one style, its figures' data apart."""
    start, address, *pieces = SHEET.split(page)
    root = address.partition("_static/")[0]
    link = f'<link rel="stylesheet" href="{root}_static/style.css?v={version}">\n'
    return _apart("".join([start, link, *pieces[::2]]), static, root)


def overview(title: str, pages: dict[str, str]) -> str:
    """Say to machines which pages there are, and of what."""
    twins = "Each page NAME.html has a Markdown twin, NAME.md; all of them are llms-full.txt."
    lines = [f"# {title}", "", twins, ""]
    for name, page in pages.items():
        meta = dict(re.findall('<meta name="([a-z_]+)" content="([^"]*)"', page))
        lines.append(
            unescape(
                f"- [{meta['citation_title']}]({name}.html): {meta['description']}"
            )
        )
    return "\n".join([*lines, ""])


def _apart(page: str, static: Path, root: str) -> str:
    """Move data of a figure to a script that comes with it, and large downloads to files."""

    def moved(script: re.Match) -> str:
        name = f"data/{hashlib.sha256(script[1].encode()).hexdigest()[:12]}.js"
        (static / name).write_text(
            f"document.currentScript.data = {script[1]};", "utf-8"
        )
        return f'<script type="application/json" data-file="{root}_static/{name}"></script>'

    def saved(link: re.Match) -> str:
        content = base64.b64decode(link[2])
        digest = hashlib.sha256(content).hexdigest()[:12]
        name = f"data/{digest}-{link[1].rpartition('/')[2]}"
        (static / name).write_bytes(content)
        return f'<a download="{link[1]}" href="{root}_static/{name}"'

    return FILE.sub(saved, DATA.sub(moved, page))


def _sections(page: str) -> list[list[str]]:
    """Return of each section of a page its anchor, its heading and its text, without code."""
    body = "".join(re.findall(r"<article.*?</article>", page, re.DOTALL))
    body = FORMULA.sub(lambda tex: "…" if "\\" in tex[2][2:-2] else tex[2][2:-2], body)
    _, *anchored = re.split(PLACE, body)
    # the heading ends at the first closing tag of one; what follows is the section's text
    halves = [
        re.split(r"</(?:h\d|dt)>", section, maxsplit=1) for section in anchored[1::2]
    ]
    texts = [
        [" ".join(unescape(UNREAD.sub("", t)).split()) for t in half] for half in halves
    ]
    return [[anchor, *text] for anchor, text in zip(anchored[::2], texts, strict=True)]


def used(style: str, known: set[str]) -> str:
    """Return a style less the rules for classes and ids that are not known, its notices kept."""
    notices = "\n".join(dict.fromkeys(re.findall(r"/\*!.*?\*/", style, re.DOTALL)))

    def shortened(rule: re.Match) -> str:
        selectors, n_inner = rule[1], 1
        while n_inner:  # what stands in brackets asks for nothing, such as :not(.name)
            selectors, n_inner = re.subn(r"\[[^\]]*\]|\([^()]*\)", "", selectors)
        if "\\" in selectors:  # an escaped name is not compared
            return rule[0]
        names = (
            re.findall(r"[.#]([a-zA-Z_-][\w-]*)", selector)
            for selector in selectors.split(",")
        )
        return rule[0] if any(map(known.issuperset, names)) else ""

    style = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    style, n_empty = re.sub(r"([^{};]*)\{[^{}]*\}", shortened, style), 1
    while n_empty:  # a block that is empty now may have been the last in another
        style, n_empty = re.subn(r"@(?:media|supports)[^{}]*\{\s*\}", "", style)
    return f"{notices}\n{style.strip()}\n"


def _read(sheet: Path, folder: Path) -> str:
    """Return a sheet with what it imports, its addresses those of a sheet in the folder."""
    style, here = sheet.read_text("utf-8").removeprefix("\ufeff"), sheet.parent
    style = re.sub(
        r"url\((?!data:|[\"'])([^)]*)\)",
        lambda address: f"url({os.path.relpath(here / address[1], folder)})",
        style.replace('@charset "UTF-8";', ""),
    )
    return re.sub(
        r'@import "([^"]*)";', lambda name: _read(here / name[1], folder), style
    )


def folded(page: str) -> str:
    """Return a page whose sidebar shows its doors, and the chapters behind the page's own."""
    captions = list(PART.finditer(page))
    if not captions:
        return page
    by_door = groupby(captions, key=lambda caption: caption[1].partition(":")[0])
    doors = [_door(name, list(lists)) for name, lists in by_door]
    start, end = captions[0].start(), captions[-1].end()
    return page[:start] + "\n".join(doors) + page[end:]


def _door(name: str, captions: list[re.Match]) -> str:
    """Return the lists of a door's parts behind one fold, which is open on a page of its own."""
    lists = ""
    for caption in captions:
        part = caption[1].partition(":")[2].strip()
        lists += f"<p>{part}</p>{caption[2]}" if part else caption[2]
    here = " open" if any(caption[3] for caption in captions) else ""
    return f'<details class="door"{here}><summary>{name}</summary>{lists}</details>'
