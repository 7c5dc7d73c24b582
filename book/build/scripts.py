"""The scripts of a page: those that it uses, none of which its text waits for.

Sphinx, its extensions and the theme load ten scripts before the text and an eleventh that draws
icons: 1.5 MB, 540 KB packed, in whose place the style has a font of 3. What is left, 200 KB of
ece-and-mce with its figure, is deferred. The template `webpack-macros.html` leaves out the icons
and what is loaded ahead, `layout.html` Sphinx's search, which one page loads in another form.
"""

import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html._assets import _JavaScript as Script

from book.build import exercise_lines

ASSETS = Path(__file__).parents[1] / "assets"
OPTIONS = "_static/documentation_options.js"
# It marks the words of a search, which our links leave to the browser.
NEVER = {"_static/sphinx_highlight.js"}
TABS = "_static/design-tabs.js"


def load_scripts(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Load the scripts of a page's interactive figures, and what lets its cells run in it."""
    body = context.get("body") or ""
    load_explorables(app, body)
    if 'class="cell_input' in body:
        facts = json.dumps(facts_for_running(app, page, context))
        settings = f'<script type="application/json" id="run-page">{facts}</script>'
        context["metatags"] += settings
        app.add_js_file("run/run.js", defer="defer")


def load_explorables(app: Sphinx, body: str) -> None:
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


def facts_for_running(
    app: Sphinx, page: str, context: dict[str, Any]
) -> dict[str, Any]:
    """Return what `run.js` must know of a page: its data, checks and numbers."""
    data = json.loads(Path(app.srcdir, "data.json").read_text())
    notebook = json.loads(Path(app.srcdir, f"{page}.ipynb").read_text("utf-8"))
    return {
        "name": page,
        "root": context["pathto"]("", resource=True) or "./",
        "python": exercise_lines.has_python(app),
        "data": [*data.get(page, ())],
        "checks": Path(app.srcdir, "checks.json").is_file(),
        "numbers": notebook["metadata"].get("numbers", {}),
    }


def defer_scripts(
    app: Sphinx,
    page: str,
    template: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Let the text of a page wait for no script; leave out those that it does not use."""
    if app.builder.name != "html":
        return
    unused = set(NEVER)
    if "sd-tab-set" not in (context.get("body") or ""):
        unused.add(TABS)
    loaded = [s for s in context["script_files"] if str(s.filename) not in unused]
    context["script_files"] = [deferred(script, Path(app.outdir)) for script in loaded]


def deferred(script: Script, site: Path) -> Script:
    """Return a script that runs once the page is read; options stand in the page itself.

    What the theme writes into the page sets some of the options, and does not wait for a file.
    """
    if not script.filename:
        return script
    if script.filename == OPTIONS:
        options = (site / OPTIONS).read_text("utf-8")
        return Script("", priority=script.priority, body=options)
    attributes = {"defer": "defer", **script.attributes}
    return Script(script.filename, priority=script.priority, **attributes)
