"""What the book needs of Sphinx and Jupyter Book beyond their configuration."""

import hashlib
import json
import re
from functools import cache
from html import escape, unescape
from pathlib import Path
from textwrap import shorten

import pybtex.plugin
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

from book.build.doors import folded
from book.build.lighter import joined, lighter, sheets_of, used, with_one_sheet, words
from book.build.policy import restricted

BOOK = Path(__file__).parents[1]
ASSETS = BOOK / "assets"
LOGGER = logging.getLogger(__name__)


class TextAlternatives(SphinxPostTransform):
    """Require a text alternative for each image."""

    default_priority = 900

    def run(self, **_) -> None:
        for image in self.document.findall(nodes.image):
            if not image.get("alt"):
                place = image.parent if image.line is None else image
                LOGGER.warning("an image has no text alternative", location=place, type="book")


def depart_figure(self, node) -> None:
    """Close a figure with a link that downloads its image."""
    HTML5Translator.depart_figure(self, node)
    images = list(node.findall(nodes.image))
    if not images:
        return
    closing = self.body.pop()
    number = ".".join(map(str, _number(self, node)))
    words = f'<span class="visually-hidden"> of figure {number}</span>'.replace(" </", "</")
    for image in images:
        picture = self.builder.images.get(image["uri"], image["uri"])
        links = {Path(image["uri"]).suffix.lstrip(".").upper(): image["uri"]}
        table = f"figures/{Path(picture).stem}.csv"
        if Path(self.builder.srcdir, "assets", table).is_file():
            root = image["uri"].partition("_images/")[0]
            links["CSV"] = f"{root}_static/{table}"
        shown = [f'<a download href="{to}">{name}{words}</a>' for name, to in links.items()]
        self.body.append(f'<p class="figure-download">{" ".join(shown)}</p>\n')
    self.body.append(closing)


def _number(translator, node) -> tuple:
    numbers = translator.builder.fignumbers
    figures = numbers.get("figure", {}) or numbers.get(
        f"{translator.builder.current_docname}/figure", {}
    )
    return next((figures[name] for name in node["ids"] if name in figures), ())


def point_to_sources(app, pagename, templatename, context, doctree) -> None:
    """Point the edit button at the Markdown."""
    for group in context.get("header_buttons", []):
        for button in group.get("buttons", []):
            if "/edit/" in button.get("url", ""):
                button["url"] = button["url"].replace(f"/{pagename}.ipynb", f"/{pagename}.md")


def one_row(head) -> str:
    """Put the name of a table's index into its row of headings, where pandas gives it its own."""
    rows = re.findall(r"<tr\b.*?</tr>", head[0], re.DOTALL)
    cells = [re.findall(r"<th\b[^>]*>.*?</th>", row, re.DOTALL) for row in rows]
    if len(rows) != 2 or len(cells[0]) != len(cells[1]) or "span=" in head[0]:
        return head[0]
    texts = [[re.sub(r"<[^>]*>|&nbsp;", "", cell).strip() for cell in row] for row in cells]
    if any(bool(above) == bool(below) for above, below in zip(*texts, strict=True)):
        return head[0]
    pairs = zip(*cells, texts[0], strict=True)
    merged = "".join(above if text else below for above, below, text in pairs)
    opening = re.match(r"<tr\b[^>]*>", rows[0])[0]
    return f"<thead>{opening}{merged}</tr></thead>"


def mend(app, pagename, templatename, context, doctree) -> None:
    """Drop roles that citations should not have, and headers from empty corners of tables."""
    body = re.sub(r'<div role="list" (class="citation)', r"<div \1", context.get("body") or "")
    body = re.sub(r'(<div class="citation"[^>]*) role="doc-biblioentry"', r"\1", body)
    body = body.replace('<summary aria-label="Toggle hidden content">', "<summary>")
    body = re.sub(r"<thead>.*?</thead>", one_row, body, flags=re.DOTALL)
    context["body"] = re.sub(
        r"<th\b([^>]*)>\s*(?:&nbsp;|<p>\s*</p>)?\s*</th>", r"<td\1></td>", body
    )


def describe(app, pagename, templatename, context, doctree) -> None:
    """Give a page its first paragraph as description."""
    paragraphs = doctree.findall(nodes.paragraph) if doctree else ()
    own = (p for p in paragraphs if "counted" not in p["classes"])
    told = (p.astext() for p in own if not isinstance(p.parent, nodes.Admonition))
    text = next(told, context.get("docstitle", ""))
    text = escape(shorten(text.replace("$", ""), 200, placeholder=" …"), quote=True)
    title = escape(re.sub(r"<[^>]*>", "", context.get("title") or context.get("docstitle", "")))
    book, author = (escape(value) for value in (app.config.html_title, app.config.author))
    tags = {
        'name="description"': text,
        'property="og:type"': "book" if pagename == app.config.root_doc else "article",
        'property="og:site_name"': book,
        'property="og:title"': title,
        'property="og:description"': text,
        'name="citation_title"': title,
        'name="citation_inbook_title"': book,
        'name="citation_author"': author,
        'name="citation_publication_date"': app.config.copyright,
    }
    if app.config.html_baseurl:
        tags['property="og:url"'] = context.get("pageurl") or ""
        pictures = [image["uri"] for image in doctree.findall(nodes.image)] if doctree else []
        shown = [app.builder.images[uri] for uri in pictures if uri in app.builder.images]
        if shown:
            tags['property="og:image"'] = f"{app.config.html_baseurl}_images/{shown[0]}"
    said = "".join(f'<meta {name} content="{value}">' for name, value in tags.items())
    context["metatags"] = said + context.get("metatags", "")
    if doctree:
        app.env.book_pages = {**getattr(app.env, "book_pages", {}), pagename: (title, text)}


def list_pages(app, exception) -> None:
    """Say to machines which pages there are: llms.txt."""
    if exception or app.builder.name != "html":
        return
    pages = app.env.book_pages
    head = f"# {app.config.html_title}\n\n> {pages[app.config.root_doc][1]}\n\n"
    head += "Each page stands on a notebook, _sources/NAME.ipynb, or on _sources/NAME.md.\n\n"
    lines = [f"- [{title}]({name}.html): {text}\n" for name, (title, text) in sorted(pages.items())]
    Path(app.outdir, "llms.txt").write_text(unescape(head + "".join(lines)), encoding="utf-8")


def load_widgets(app, pagename, templatename, context, doctree) -> None:
    """Load the scripts of the interactive figures that a page holds."""
    there = {path.stem for path in (ASSETS / "widgets").glob("*.js")}
    tags = sorted(there & set(re.findall(r"<([a-z]+-[a-z-]+)[ >]", context.get("body") or "")))
    for name in ["base", "definitions", "diagram", *tags] if tags else []:
        app.add_js_file(f"widgets/{name}.js", defer="defer")


def load_run_buttons(app, pagename, templatename, context, doctree) -> None:
    """Let the cells of a page run in it: say whether Python is there, and the page's data."""
    if 'class="cell_input' not in (context.get("body") or ""):
        return
    data, numbers = (
        json.loads(Path(app.srcdir, f"{name}.json").read_text()) for name in ("data", "numbers")
    )
    extra = [Path(app.srcdir, folder) for folder in app.config.html_extra_path]
    page = {
        "name": pagename,
        "root": context["pathto"]("", resource=True) or "./",
        "python": any((folder / "python" / "manifest.json").is_file() for folder in extra),
        "data": data.get(pagename, []),
        "numbers": numbers.get(pagename, {}),
    }
    said = f'<script type="application/json" id="run-page">{json.dumps(page)}</script>'
    context["metatags"] += said
    app.add_js_file("run/run.js", defer="defer")


def link_the_pdf(app, pagename, templatename, context, doctree) -> None:
    """Link the printed book, where there is one, from the first page."""
    if pagename == "index" and Path(app.srcdir, "book.pdf").is_file():
        context["body"] += '<p><a href="book.pdf">The whole book as a PDF file</a></p>'


def lighten(app, exception) -> None:
    """Let each page load only what it uses, and one style instead of twelve."""
    if exception or app.builder.name != "html":
        return
    static = Path(app.outdir, "_static")
    for path in static.glob("scripts/fontawesome.js*"):
        path.unlink()
    options = (static / "documentation_options.js").read_text("utf-8")
    paths = [
        Path(app.outdir, f"{name}.html") for name in [*app.env.found_docs, "genindex", "search"]
    ]
    pages = [
        lighter(folded(path.read_text("utf-8")), options, searches=path.name == "search.html")
        for path in paths
    ]
    sheets = [static / name for name in dict.fromkeys(sheets_of(pages))]
    scripts = [
        path.read_text("utf-8") for path in static.rglob("*.js") if path.parent.name != "mathjax"
    ]
    style = used(joined(sheets, static), words(pages, scripts))
    (static / "style.css").write_text(style, "utf-8")
    version = hashlib.sha256(style.encode()).hexdigest()[:8]
    for path, page in zip(paths, pages, strict=True):
        path.write_text(with_one_sheet(page, f"style.css?v={version}"), "utf-8")


def restrict(app, exception) -> None:
    """Give each page its policy, once all scripts of the theme and its extensions are in it."""
    if exception or app.builder.name != "html":
        return
    paths = [path for path in Path(app.outdir).rglob("*.html") if "_static" not in path.parts]
    pages = restricted([path.read_text("utf-8") for path in paths])
    for path, page in zip(paths, pages, strict=True):
        path.write_text(page, "utf-8")


def copy_handlers(app) -> None:
    """Give every node that HTML pages can show to the single page as well."""
    handlers = app.registry.translation_handlers
    for name, pair in handlers.get("html", {}).items():
        handlers.setdefault("singlehtml", {}).setdefault(name, pair)


def setup(app) -> dict:
    # It looks through the files of all installed packages, and is called for each citation.
    pybtex.plugin.find_plugin = cache(pybtex.plugin.find_plugin)
    app.add_post_transform(TextAlternatives)
    app.add_node(nodes.figure, override=True, html=(HTML5Translator.visit_figure, depart_figure))
    app.connect("builder-inited", copy_handlers)
    app.config.templates_path.append(str(BOOK / "templates"))
    app.connect("html-page-context", mend)
    app.connect("html-page-context", describe)
    app.connect("html-page-context", load_widgets)
    app.connect("build-finished", list_pages)
    app.connect("build-finished", lighten, priority=800)
    app.connect("build-finished", restrict, priority=900)
    app.connect("html-page-context", load_run_buttons)
    app.connect("html-page-context", link_the_pdf)
    app.connect("html-page-context", point_to_sources, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
