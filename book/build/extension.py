"""What the book needs of Sphinx and Jupyter Book beyond their configuration."""

import json
import os
import re
from functools import cache
from itertools import chain
from pathlib import Path
from posixpath import dirname, relpath
from pprint import saferepr
from textwrap import shorten

import myst_nb.sphinx_ext  # noqa: F401
import pybtex.plugin
from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator
from sphinxcontrib.bibtex.domain import BibtexDomain

from book.build import handouts, places  # noqa: F401 - loaded before pages are built
from book.build.lighter import lighten
from book.build.students import PARSER
from book.build.wheel import NAME as WHEEL

BOOK = Path(__file__).parents[1]
ASSETS = BOOK / "assets"
LOGGER = logging.getLogger(__name__)
MOVED = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>Moved</title>
<link rel="canonical" href="{to}">
<script>location.replace("{to}" + location.hash)</script>
<noscript><meta http-equiv="refresh" content="0; url={to}"></noscript>
<p>This page is now <a href="{to}">here</a>.</p>
</html>
"""
PACKAGE_OPENING = (
    '<details class="package"><summary>Where <code>calib</code> comes from</summary>'
)
FIXED = "\N{NO-BREAK SPACE}"
PERCENT = re.compile(r"(?:(?<=\d) ?|^ )%(?![\w-])")
THOUSANDS = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")
AS_WRITTEN = (
    nodes.literal,
    nodes.FixedTextElement,
    nodes.math,
    nodes.raw,
    nodes.comment,
)


class Install(SphinxDirective):
    """How to install the package: from the address of the site, or from the file that it holds."""

    def run(self) -> list:
        return installation(self.env.docname, self.config.html_baseurl)


def installation(page: str, address: str) -> list[nodes.Element]:
    """Where the package lies in the site, and the command that installs it."""
    extras, root = "[report,files]", "../" * page.count("/")
    command = f'pip install "./{WHEEL}{extras}"'
    if address:
        command = f'pip install "neural-calibration{extras} @ {address}{WHEEL}"'
    archive = f"{root}_static/exercises.zip"
    places = [
        nodes.Text("The package is one file of this site: "),
        nodes.reference("", WHEEL, refuri=f"{root}{WHEEL}"),
        nodes.Text("; with exercises to run: "),
        nodes.reference("", "all notebooks in a zip", refuri=archive),
        nodes.Text("."),
    ]
    shown = nodes.literal_block(command, command, language="sh")
    return [nodes.paragraph("", "", *places, classes=["installation"]), shown]


class PackageOfThePage(SphinxPostTransform):
    """Below the first code that imports the package: where it comes from, folded."""

    default_priority = 300
    formats = ("html",)

    def run(self, **_) -> None:
        cell = next(filter(imports_package, self.document.findall(is_cell)), None)
        if cell is None or next(self.document.findall(says_installation), None):
            return
        page, address = self.env.docname, self.config.html_baseurl
        parts = [
            nodes.raw("", PACKAGE_OPENING, format="html"),
            *installation(page, address),
            nodes.raw("", "</details>", format="html"),
        ]
        cell.parent.insert(cell.parent.index(cell) + 1, parts)


class NextStop(SphinxPostTransform):
    """At the end of a stop of the path of ten: which is the next."""

    default_priority = 300
    formats = ("html",)

    def run(self, **_) -> None:
        page, stops = self.env.docname, stops_of(self.env)
        if page not in stops[:-1]:
            return
        number = stops.index(page) + 1
        following = stops[number]
        title = self.env.titles[following].astext()
        address = self.app.builder.get_relative_uri(page, following)
        line = nodes.paragraph("", "", classes=["next-stop"])
        line += nodes.Text(f"Stop {number} of the path of ten. The next: ")
        line += nodes.reference("", title, refuri=address, internal=True)
        next(self.document.findall(nodes.section)).append(line)


def stops_of(env) -> list[str]:
    """Return the pages of the path of ten, as the story lists them."""
    if "story" not in env.found_docs:  # a chapter built alone
        return []
    lists = env.get_doctree("story").findall(nodes.container)
    path = next(node for node in lists if "path" in node["classes"])
    labels = env.get_domain("std").anonlabels
    return [labels[ref["reftarget"]][0] for ref in path.findall(pending_xref)]


def is_cell(node: nodes.Node) -> bool:
    """Whether it is a code cell, its code shown or folded."""
    return isinstance(node, nodes.container) and "cell" in node["classes"]


def says_installation(node: nodes.Node) -> bool:
    """Whether the page says already how the package is installed."""
    return isinstance(node, nodes.paragraph) and "installation" in node["classes"]


def imports_package(cell: nodes.Element) -> bool:
    code = "\n".join(block.astext() for block in cell.findall(nodes.literal_block))
    return re.search(r"^(from|import) calib\b", code, re.MULTILINE) is not None


class Clone(SphinxDirective):
    """How to come to a copy of the project: by git where its address is known."""

    def run(self) -> list:
        address = os.environ.get("BOOK_REPOSITORY", "").rstrip("/")
        name = "calibration-book"
        command = f"cd {name}  # your copy of this project"
        if address:
            command = f"git clone {address} {name} && cd {name}"
        return [nodes.literal_block(command, command, language="sh")]


class TextAlternatives(SphinxPostTransform):
    """Require a text alternative for each image."""

    default_priority = 900

    def run(self, **_) -> None:
        for image in self.document.findall(nodes.image):
            if not image.get("alt"):
                place = image.parent if image.line is None else image
                LOGGER.warning(
                    "an image has no text alternative", location=place, type="book"
                )


class FixedSpaces(SphinxPostTransform):
    """Set a space that does not break before each percent sign and between groups of digits."""

    default_priority = 400  # glued numbers are text by then

    def run(self, **_) -> None:
        for text in list(self.document.findall(nodes.Text)):
            fixed = THOUSANDS.sub(FIXED, PERCENT.sub(f"{FIXED}%", text))
            if fixed != text and not is_as_written(text):
                text.parent.replace(text, nodes.Text(fixed))


def is_as_written(node) -> bool:
    """Return whether a node stands in code, in mathematics or in raw HTML."""
    while node is not None and not isinstance(node, AS_WRITTEN):
        node = node.parent
    return node is not None


def depart_figure(self, node) -> None:
    """Close a figure with a link that downloads its image."""
    HTML5Translator.depart_figure(self, node)
    images = list(node.findall(nodes.image))
    if not images:
        return
    # the links stand inside of the figure, so its end is taken off and put behind them
    closing = self.body.pop()
    number = figure_number(self.builder, node)
    words = f'<span class="visually-hidden"> of figure{number}</span>'
    for image in images:
        shown = [
            f'<a download href="{address}">{name}{words}</a>'
            for name, address in downloads(self.builder, image).items()
        ]
        self.body.append(f'<p class="figure-download">{" ".join(shown)}</p>\n')
    self.body.append(closing)


def figure_number(builder, node) -> str:
    """Return a space and the number of a figure; nothing where it has none."""
    page = f"{builder.current_docname}/figure"
    # the builder of pages has the numbers of one, that of the single page those of each
    numbers = builder.fignumbers.get("figure") or builder.fignumbers.get(page, {})
    named = [numbers[name] for name in node["ids"] if name in numbers]
    return "".join(f" {'.'.join(map(str, number))}" for number in named)


def downloads(builder, image) -> dict[str, str]:
    """Return the addresses of an image and of its table, where it has one, by type."""
    address = image["uri"]
    links = {Path(address).suffix.lstrip(".").upper(): address}
    # a page that is written has other addresses; the table is named after the first
    picture = builder.images.get(address, address)
    table = f"figures/{Path(picture).stem}.csv"
    if Path(builder.srcdir, "assets", table).is_file():
        root = address.partition("_images/")[0]
        links["CSV"] = f"{root}_static/{table}"
    return links


def one_row(head) -> str:
    """Put the name of a table's index into its row of headings, where pandas gives it its own."""
    rows = re.findall(r"<tr\b.*?</tr>", head[0], re.DOTALL)
    if len(rows) != 2 or "span=" in head[0]:
        return head[0]
    upper, lower = (re.findall(r"<th\b[^>]*>.*?</th>", row, re.DOTALL) for row in rows)
    if len(upper) != len(lower):
        return head[0]
    merged = []
    for above, below in zip(upper, lower, strict=True):
        if has_text(above) == has_text(below):  # a heading of two rows, or an empty one
            return head[0]
        merged.append(above if has_text(above) else below)
    opening = re.match(r"<tr\b[^>]*>", rows[0])[0]
    return f"<thead>{opening}{''.join(merged)}</tr></thead>"


def has_text(cell: str) -> bool:
    """Return whether a cell of a table shows anything."""
    return bool(re.sub(r"<[^>]*>|&nbsp;", "", cell).strip())


def launchers(address: str, pagename: str) -> str:
    """Return links that open the notebook of a page elsewhere, from its repository at GitHub."""
    repository = address.rstrip("/").removeprefix("https://github.com/")
    links = {
        "Colab": f"https://colab.research.google.com/github/{repository}/blob/main/{pagename}.ipynb",
        "Binder": f"https://mybinder.org/v2/gh/{repository}/main?labpath={pagename}.ipynb",
    }
    shown = " or ".join(f'<a href="{to}">{name}</a>' for name, to in links.items())
    return f'<p class="launchers">Open this notebook in {shown}.</p>'


def mend(app, pagename, templatename, context, doctree) -> None:
    """Mend citations and tables; link the printed book, where there is one, from the first page."""
    body = re.sub(
        r'<div role="list" (class="citation)', r"<div \1", context.get("body") or ""
    )
    body = re.sub(r'(<div class="citation"[^>]*) role="doc-biblioentry"', r"\1", body)
    body = body.replace('<summary aria-label="Toggle hidden content">', "<summary>")
    body = re.sub(r"<thead>.*?</thead>", one_row, body, flags=re.DOTALL)
    body = re.sub(
        r"<th\b([^>]*)>\s*(?:&nbsp;|<p>\s*</p>)?\s*</th>", r"<td\1></td>", body
    )
    if context.get("notebooks") and context.get("sourcename", "").endswith(".ipynb"):
        body += launchers(context["notebooks"], pagename)
    if pagename == "index" and Path(app.srcdir, "book.pdf").is_file():
        body += '<p><a href="book.pdf">The whole book as a PDF file</a></p>'
    context["body"] = body


def describe(app, pagename, templatename, context, doctree) -> None:
    """Give a page its first paragraph as description, and what else `templates/meta.html` says."""
    text = first_paragraph(doctree) if doctree else None
    if text is None:
        text = context.get("docstitle", "")
    if pagename == "index":
        text = context.get("promise", text)
    about = context | {
        "described": shorten(text.replace("$", ""), 200, placeholder=" …"),
        "author": app.config.author,
        "twin": f"{Path(pagename).name}.md" if doctree else "",
    }
    if app.config.html_baseurl:  # services take no relative address
        about["picture"] = f"{app.config.html_baseurl}_images/{picture(app, doctree)}"
    meta = app.builder.templates.render("meta.html", about)
    context["metatags"] = meta + context.get("metatags", "")


def first_paragraph(doctree) -> str | None:
    """Return the text of the first paragraph that is of the page's subject and in no box."""
    for paragraph in doctree.findall(nodes.paragraph):
        is_apart = not {"counted", "installation"}.isdisjoint(paragraph["classes"])
        if not is_apart and not isinstance(paragraph.parent, nodes.Admonition):
            return paragraph.astext()
    return None


def picture(app, doctree) -> str:
    """Return the first picture of a page that services show, no SVG, or else that of the story."""
    story = app.env.get_doctree("story") if "story" in app.env.found_docs else None
    pages = [page for page in (doctree, story) if page]
    for image in chain.from_iterable(page.findall(nodes.image) for page in pages):
        address = image["uri"]
        # a page that is written has other addresses
        known = app.env.images.get(address)
        name = known[1] if known else Path(address).name
        if name.endswith(".png"):
            return name
    return ""


def load_scripts(app, pagename, templatename, context, doctree) -> None:
    """Load the scripts of a page's interactive figures, and what lets its cells run in it."""
    body = context.get("body") or ""
    load_explorables(app, body)
    if 'class="cell_input' in body:
        page = json.dumps(facts_for_running(app, pagename, context))
        settings = f'<script type="application/json" id="run-page">{page}</script>'
        context["metatags"] += settings
        app.add_js_file("run/run.js", defer="defer")


def load_explorables(app, body: str) -> None:
    """Load the scripts of the interactive figures that a page holds."""
    scripts = {path.stem for path in (ASSETS / "widgets").glob("*.js")}
    tags = scripts & set(re.findall(r"<([a-z]+-[a-z-]+)[ >]", body))
    if not tags:
        return
    for name in ("base", "definitions", "diagram", *sorted(tags)):
        app.add_js_file(f"widgets/{name}.js", defer="defer")
    if {"answer-desk", "map-chooser"} & tags:
        # before the script of the figure, which reads it
        app.add_js_file("desk/texts.js", defer="defer", priority=400)


def facts_for_running(app, pagename: str, context: dict) -> dict:
    """Return what `run.js` must know of a page: its data, checks and numbers."""
    data = json.loads(Path(app.srcdir, "data.json").read_text())
    notebook = json.loads(Path(app.srcdir, f"{pagename}.ipynb").read_text("utf-8"))
    return {
        "name": pagename,
        "root": context["pathto"]("", resource=True) or "./",
        "python": places.has_python(app),
        "data": [*data.get(pagename, ())],
        "checks": Path(app.srcdir, "checks.json").is_file(),
        "numbers": notebook["metadata"].get("numbers", {}),
    }


def rewritten(app, env) -> set[str]:
    """Return the pages to write: all where anything has changed that one shows of another."""
    domains = [env.domaindata[name] for name in ("std", "math", "py")]
    references = env.domaindata.get("cite", {}).get("citation_refs", [])
    cited = {target.key for reference in references for target in reference.targets}
    titles = {name: title.astext() for name, title in env.titles.items()}
    numbers = [env.toc_secnumbers, env.toc_fignumbers]
    shown = saferepr([domains, sorted(cited), titles, numbers, picture(app, None)])
    before, env.shown = getattr(env, "shown", ""), shown
    return {env.config.root_doc} if shown == before else env.found_docs


def keep_old_addresses(app, exception) -> None:
    """Write a page that leads on at each address that `_config.yml` lists as moved."""
    if exception or app.builder.name != "html":
        return
    for old, new in app.config.html_context.get("moved", {}).items():
        # of a chapter built alone the others are not there
        if new in app.env.found_docs:
            path = Path(app.outdir, f"{old}.html")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(
                MOVED.format(to=f"{relpath(new, dirname(old))}.html"), "utf-8"
            )


def format_works(domain, anew=BibtexDomain.env_updated) -> list:
    """Format the works where a page cites others than before, or a list of them was read anew."""
    cited = {
        (ref.docname, to.key) for ref in domain.citation_refs for to in ref.targets
    }
    if domain.data.get("formatted") != (sorted(cited), len(domain.citations)):
        anew(domain)
    domain.data["formatted"] = sorted(cited), len(domain.citations)
    return []


def prepare(app) -> None:
    """Give every node that HTML pages can show to the single page; leave out Sphinx's search."""
    # the pages have their own
    for step in ("load_indexer", "index_page", "dump_search_index"):
        setattr(app.builder, step, lambda *_: None)
    handlers = app.registry.translation_handlers
    for name, pair in handlers.get("html", {}).items():
        handlers.setdefault("singlehtml", {}).setdefault(name, pair)


def setup(app) -> dict:
    # It looks through the files of all installed packages, and is called for each citation.
    pybtex.plugin.find_plugin = cache(pybtex.plugin.find_plugin)
    BibtexDomain.env_updated = format_works
    PARSER.disable("inline")  # what exercises are found by stands between blocks
    app.add_directive("install", Install)
    app.add_directive("clone", Clone)
    app.add_post_transform(TextAlternatives)
    app.add_post_transform(FixedSpaces)
    app.add_post_transform(PackageOfThePage)
    app.add_post_transform(NextStop)
    app.add_node(
        nodes.figure, override=True, html=(HTML5Translator.visit_figure, depart_figure)
    )
    app.connect("builder-inited", prepare)
    app.config.templates_path = [str(BOOK / "templates")]
    app.config.html_additional_pages = {"404": "404.html"}
    for handler in (mend, describe, load_scripts):
        app.connect("html-page-context", handler)
    app.connect("build-finished", keep_old_addresses, priority=700)
    app.connect("build-finished", lighten, priority=800)  # once all has been copied
    app.connect("env-get-updated", rewritten, priority=900)  # numbers are given by then
    return {"parallel_read_safe": True, "parallel_write_safe": True}
