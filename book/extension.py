"""What the book needs of Sphinx and Jupyter Book beyond their configuration."""

import json
import re
from html import escape
from pathlib import Path
from textwrap import shorten

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

ASSETS = Path(__file__).parent / "assets"
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
    label = f"Download figure {number} as a file".replace("  ", " ")
    for image in images:
        suffix = Path(image["uri"]).suffix.lstrip(".").upper()
        self.body.append(
            f'<p class="figure-download"><a download href="{image["uri"]}" '
            f'aria-label="{label}">{suffix}</a></p>\n'
        )
    self.body.append(closing)


def _number(translator, node) -> tuple:
    numbers = translator.builder.fignumbers
    figures = numbers.get("figure", {}) or numbers.get(
        f"{translator.builder.current_docname}/figure", {}
    )
    return next((figures[name] for name in node["ids"] if name in figures), ())


def point_to_sources(app, pagename, templatename, context, doctree) -> None:
    """Point the edit button at the Markdown, Binder and Colab at the branch "notebooks"."""
    branch = app.config.html_theme_options.get("repository_branch", "main")
    moved = {
        f"/{pagename}.ipynb": ("/edit/", f"/{pagename}.md"),
        f"/{branch}?urlpath=": ("mybinder.org", "/notebooks?urlpath="),
        f"/blob/{branch}/": ("colab", "/blob/notebooks/"),
    }
    for group in context.get("header_buttons", []):
        for button in group.get("buttons", []):
            for old, (where, new) in moved.items():
                if where in button.get("url", ""):
                    button["url"] = button["url"].replace(old, new)


def mend(app, pagename, templatename, context, doctree) -> None:
    """Drop roles that citations should not have, and headers from empty corners of tables."""
    body = re.sub(r'<div role="list" (class="citation)', r"<div \1", context.get("body") or "")
    body = re.sub(r'(<div class="citation"[^>]*) role="doc-biblioentry"', r"\1", body)
    context["body"] = re.sub(
        r"<th\b([^>]*)>\s*(?:&nbsp;|<p>\s*</p>)?\s*</th>", r"<td\1></td>", body
    )


def describe(app, pagename, templatename, context, doctree) -> None:
    """Give a page its first paragraph as description."""
    paragraphs = doctree.findall(nodes.paragraph) if doctree else ()
    text = next((p.astext() for p in paragraphs), context.get("docstitle", ""))
    text = escape(shorten(text.replace("$", ""), 200, placeholder=" …"), quote=True)
    context["metatags"] = f'<meta name="description" content="{text}">{context.get("metatags", "")}'


def load_widgets(app, pagename, templatename, context, doctree) -> None:
    """Load the scripts of the interactive figures that a page holds."""
    there = {path.stem for path in (ASSETS / "widgets").glob("*.js")}
    tags = sorted(there & set(re.findall(r"<([a-z]+-[a-z-]+)[ >]", context.get("body") or "")))
    for name in ["base", "definitions", *tags] if tags else []:
        app.add_js_file(f"widgets/{name}.js", defer="defer")


def load_run_buttons(app, pagename, templatename, context, doctree) -> None:
    """Let the cells of a page run in it: say whether Python is there, and the page's data."""
    if 'class="cell_input' not in (context.get("body") or ""):
        return
    data = json.loads(Path(app.srcdir, "data.json").read_text())
    extra = [Path(app.srcdir, folder) for folder in app.config.html_extra_path]
    page = {
        "name": pagename,
        "root": context["pathto"]("", resource=True) or "./",
        "python": any((folder / "python" / "manifest.json").is_file() for folder in extra),
        "data": data.get(pagename, []),
    }
    said = f'<script type="application/json" id="run-page">{json.dumps(page)}</script>'
    context["metatags"] += said
    app.add_js_file("run/run.js", defer="defer")


def link_the_pdf(app, pagename, templatename, context, doctree) -> None:
    """Link the printed book, where there is one, from the first page."""
    if pagename == "index" and Path(app.srcdir, "book.pdf").is_file():
        context["body"] += '<p><a href="book.pdf">The whole book as a PDF file</a></p>'


def copy_handlers(app) -> None:
    """Give every node that HTML pages can show to the single page as well."""
    handlers = app.registry.translation_handlers
    for name, pair in handlers.get("html", {}).items():
        handlers.setdefault("singlehtml", {}).setdefault(name, pair)


def setup(app) -> dict:
    app.add_post_transform(TextAlternatives)
    app.add_node(nodes.figure, override=True, html=(HTML5Translator.visit_figure, depart_figure))
    app.connect("builder-inited", copy_handlers)
    app.config.templates_path.append(str(Path(__file__).parent / "templates"))
    app.connect("html-page-context", mend)
    app.connect("html-page-context", describe)
    app.connect("html-page-context", load_widgets)
    app.connect("html-page-context", load_run_buttons)
    app.connect("html-page-context", link_the_pdf)
    app.connect("html-page-context", point_to_sources, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
