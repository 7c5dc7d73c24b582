"""Publish the pages that Sphinx wrote: in `work/raw` they stay as they are, the site is a copy.

What one page needs is done while it is written (templates, `scripts`, `sidebar`); here stands what
all pages together need: one style with the rules that any of them uses, the search index, figures'
data in files. A page that has not changed is not written again, so this reads what lies there.
"""

import hashlib
import shutil
from pathlib import Path

from sphinx.application import Sphinx

from book.build.exercise_lines import to_notebooks
from book.build.figure_files import in_files
from book.build.search import write_search_index
from book.build.style import VERSION, OneStyle

UNREAD = (".buildinfo", "fontawesome.js*", "search[it]*.js", "sphinx_highlight.js")


def published(app: Sphinx) -> Path:
    """Return where the pages lie that are published, beside those that Sphinx keeps."""
    return Path(app.outdir).with_name("html")


def publish(app: Sphinx, exception: Exception | None, *, style: OneStyle) -> None:
    """Write the site: the pages with their one style, what is searched, the figures' data."""
    if exception or app.builder.name != "html":
        return
    site = copied(app)
    static = site / "_static"
    (static / "data").mkdir()
    names = (*app.env.found_docs, "genindex", "search")
    pages = {site / f"{n}.html": (site / f"{n}.html").read_text("utf-8") for n in names}
    version = hashlib.sha256(style.write(pages.values(), static)).hexdigest()[:8]
    for path, page in pages.items():
        root = "../" * (len(path.relative_to(site).parts) - 1)
        page = in_files(page.replace(VERSION, f"?v={version}"), static, root)
        # a page that is built alone has no notebooks beside it
        page = to_notebooks(page) if app.config.root_doc == "index" else page
        path.write_text(page, "utf-8")
    write_search_index(app, static)


def copied(app: Sphinx) -> Path:
    """Copy what Sphinx wrote, less the scripts that no page loads and figures of former builds."""
    site = published(app)
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(app.outdir, site, ignore=shutil.ignore_patterns(*UNREAD))
    figures = {name for _, name in app.env.images.values()}
    for path in (site / "_images").glob("*"):
        if path.name not in figures:
            path.unlink()
    return site
