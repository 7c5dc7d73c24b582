"""Let each page load only what it uses, and nothing but its style before its text is drawn.

Icons are those of the font that the theme's style names, not drawn by a script of 1.6 MB, and only
the page that searches the book loads its text. Parts named "Door: part" lie behind one fold.
"""

import hashlib
import json
import os
import re
import shutil
from html import unescape
from itertools import groupby
from pathlib import Path

from book.build.places import to_notebooks

PRELOAD = r'<(?:link rel="preload" as="script"|script[^>]*src="[^"]*fontawesome\.js)'
DROPPED = re.compile(rf"{PRELOAD}[^>]*>(?:</script>)?\s*")
SEARCH = re.compile(r'(<script src="[^"]*)searchtools(\.js">.*)(?:\s*<script.*){2}\s*')
FIND = "".join(rf"\1{n}\2\n" for n in ("sections", "language_data", "minisearch/index", "search"))
FORMULA = re.compile(r'<(span|div) class="math[^>]*>(.*?)</\1>', re.DOTALL)
UNREAD = re.compile(
    r"<(script|style|pre|table|button|summary)\b.*?</\1>|<a class=.headerlink.*?</a>"
    r"|<p class=.(?:figure-download|page-minutes|exercise-line).*?</p>"
    r"|<span class=.section-n.*?</span>|<[^>]*>",
    re.DOTALL,
)
PLACE = r'(?<!</dt>)<(?:section|dt)\b[^>]*\bid="(?!\w+-content")([^"]*)"[^>]*>'
OPTIONS = re.compile(r'<script src="[^"]*documentation_options\.js[^"]*"></script>')
WAITING = re.compile(r"<script (?=[^>]*\bsrc=)(?![^>]*\b(?:defer|async)\b)")
SIZED = re.compile(r'(<img [^>]*?)style="width: (\d+)px; height: (\d+)px;"')
DATA = re.compile(r'(?s)<script type="application/json">((?:(?!</script).){10000,})</script>')
SHEET = re.compile(r'<link\b(?=[^>]*\brel="stylesheet")[^>]*\bhref="([^"?]*)[^"]*"[^>]*>\s*')
TAGGED = re.compile(r"""\s(?:class|id)=(?:"([^"]*)"|'([^']*)'|([\w-]+))""")
CAPTION = r'<p [^>]*class="caption"[^>]*><span class="caption-text">(.*?)</span></p>\s*'
PART = re.compile(CAPTION + r'(<ul class="(current )?nav bd-sidenav">.*?</ul>\s*)', re.DOTALL)


def published(app) -> Path:
    """Return where the pages lie that are published, beside those that Sphinx keeps."""
    return Path(app.outdir).with_name("html")


def lighten(app, exception) -> None:
    """Defer scripts, give figures their sizes, and one style instead of twelve."""
    if exception or app.builder.name != "html":
        return
    site = published(app)
    unread = shutil.ignore_patterns(".buildinfo", "fontawesome.js*", "search[it]*.js")
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(app.outdir, site, ignore=unread)
    shown = {name for _, name in app.env.images.values()}
    for path in (site / "_images").glob("*"):
        if path.name not in shown:  # any longer
            path.unlink()
    static = site / "_static"
    options = (static / "documentation_options.js").read_text("utf-8")
    pages = {site / f"{name}.html": "" for name in (*app.env.found_docs, "genindex", "search")}
    for path in pages:
        page = DROPPED.sub("", folded(path.read_text("utf-8")))
        page = SEARCH.sub(FIND if path.stem == "search" else "", page)
        page = OPTIONS.sub(lambda _: f"<script>{options}</script>", page)
        page = SIZED.sub(r'\1decoding="async" width="\2" height="\3"', page)  # its place is kept
        page = page.replace('<img alt="" loading="lazy" src="data:', '<img alt="" src="data:')
        page = to_notebooks(page) if app.config.root_doc == "index" else page
        pages[path] = WAITING.sub("<script defer ", page)
    scripts = [p.read_text("utf-8") for p in static.rglob("*.js") if p.parent.name != "mathjax"]
    known = {name for s in scripts for name in re.findall(r"[\w-]+", s)}  # which may set more
    known |= {n for p in pages.values() for g in TAGGED.findall(p) for n in "".join(g).split()}
    sheets = [to.partition("_static/")[2] for p in pages.values() for to in SHEET.findall(p)]
    style = used("\n".join(_read(static / name, static) for name in dict.fromkeys(sheets)), known)
    (static / "style.css").write_text(style, "utf-8")
    (static / "data").mkdir()
    text = {p.relative_to(site).as_posix(): _sections(page) for p, page in sorted(pages.items())}
    listed = {name: pages[site / f"{name}.html"] for name in sorted(app.env.found_docs)}
    (site / "llms.txt").write_text(overview(app.config.html_title, listed), "utf-8")
    (static / "sections.js").write_text(f"const SECTIONS = {json.dumps(text)};", "utf-8")
    version = hashlib.sha256(style.encode()).hexdigest()[:8]
    for path, page in pages.items():
        start, first, *rest = SHEET.split(page)
        root = first.partition("_static/")[0]
        link = f'<link rel="stylesheet" href="{root}_static/style.css?v={version}">\n'
        path.write_text(_apart("".join([start, link, *rest[::2]]), static, root), "utf-8")


def overview(title: str, pages: dict[str, str]) -> str:
    """Say to machines which pages there are, and of what."""
    lines = [f"# {title}", "", "Each page has a notebook, _sources/NAME.ipynb.", ""]
    for name, page in pages.items():
        meta = dict(re.findall('<meta name="([a-z_]+)" content="([^"]*)"', page))
        lines.append(unescape(f"- [{meta['citation_title']}]({name}.html): {meta['description']}"))
    return "\n".join([*lines, ""])


def _apart(page: str, static: Path, root: str) -> str:
    """Move the data of a figure, where they are many, to a script that comes with the figure."""

    def moved(found: re.Match) -> str:
        name = f"data/{hashlib.sha256(found[1].encode()).hexdigest()[:12]}.js"
        (static / name).write_text(f"document.currentScript.data = {found[1]};", "utf-8")
        return f'<script type="application/json" data-file="{root}_static/{name}"></script>'

    return DATA.sub(moved, page)


def _sections(page: str) -> list[list[str]]:
    """Return of each section of a page its anchor, its heading and its text, without code."""
    body = "".join(re.findall(r"<article.*?</article>", page, re.DOTALL))
    body = FORMULA.sub(lambda tex: "…" if "\\" in tex[2][2:-2] else tex[2][2:-2], body)
    _, *parts = re.split(PLACE, body)
    halves = [re.split(r"</(?:h\d|dt)>", part, maxsplit=1) for part in parts[1::2]]
    texts = [[" ".join(unescape(UNREAD.sub("", t)).split()) for t in half] for half in halves]
    return [[anchor, *text] for anchor, text in zip(parts[::2], texts, strict=True)]


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
    """Return a page whose sidebar shows its doors, and the chapters behind the page's own."""
    parts = list(PART.finditer(page))
    if not parts:
        return page
    doors = []
    for door, members in groupby(parts, key=lambda part: part[1].partition(":")[0]):
        members = list(members)
        names = (part[1].partition(":")[2].strip() for part in members)
        lists = "".join(f"<p>{n}</p>{part[2]}" for n, part in zip(names, members, strict=True))
        here = " open" if any(part[3] for part in members) else ""
        lists = lists.replace("<p></p>", "")
        doors.append(f'<details class="door"{here}><summary>{door}</summary>{lists}</details>')
    return page[: parts[0].start()] + "\n".join(doors) + page[parts[-1].end() :]
