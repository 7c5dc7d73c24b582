"""What the book adds to Sphinx and Jupyter Book: one list of all that it does, in its order.

Each function is called by Sphinx when its event comes; those of one event one after the other. What
one of them needs of those before it stands beside it. `setup` is the only one of the pages (the
lectures have theirs in `slides`): a module of `book.build` that a page goes through is named here.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import myst_nb.sphinx_ext  # noqa: F401
import pybtex.plugin
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator
from sphinxcontrib.bibtex.domain import BibtexDomain

from book.build import (
    api,
    citation,
    counted_texts,
    description,
    embedded_figures,
    exercise_archive,
    exercise_lines,
    feed,
    glossary,
    handouts,
    incremental,
    install,
    markdown_twins,
    minutes,
    old_addresses,
    page_html,
    page_trees,
    path_of_ten,
    publish,
    scripts,
    search,
    sidebar,
    style,
)
from book.build.staging import BOOK
from book.build.students import PARSER

DIRECTIVES = {
    "install": install.Install,
    "clone": install.Clone,
    "citation": citation.Citation,
    "calib-reference": api.Reference,
    "calib-names": api.Names,
    **counted_texts.DIRECTIVES,
}

# On the tree of a page that is to be written, by `default_priority`: the number beside each.
POST_TRANSFORMS = (
    glossary.GlossaryLinks,  # 5: Sphinx resolves these links, as it does those of the author
    api.TableOfNames,  # 250
    install.PackageOfThePage,  # 300
    path_of_ten.NextStop,  # 300
    page_trees.UniqueIds,  # 300
    page_trees.FixedSpaces,  # 400: glued numbers are text by then
    exercise_lines.ExerciseLines,  # 500
    page_trees.TextAlternatives,  # 900: all images are there
)


def leave_out_sphinx_search(app: Sphinx) -> None:
    """Let Sphinx index no words: the pages have their own search."""
    for step in ("load_indexer", "index_page", "dump_search_index"):
        setattr(app.builder, step, lambda *_: None)


def share_translators(app: Sphinx) -> None:
    """Give every node that HTML pages can show to the single page, which is printed."""
    handlers = app.registry.translation_handlers
    for name, pair in handlers.get("html", {}).items():
        handlers.setdefault("singlehtml", {}).setdefault(name, pair)


# All others have 500: Sphinx and its extensions come before our list, since they are loaded before,
# the theme after it. The theme's buttons have 501.
BEFORE, AFTER = 500, 600


def hooks() -> dict[tuple[str, int], list[Callable[..., Any]]]:
    """Return what is done when, in its order; two objects hold what one build's pages share."""
    explanations, one_style = glossary.Explanations(), style.OneStyle()
    return {
        ("builder-inited", BEFORE): [leave_out_sphinx_search, share_translators],
        # 1. pages are read
        ("env-get-outdated", BEFORE): [minutes.estimate_changed_pages],
        ("doctree-read", BEFORE): [glossary.after_glossary],
        # 2. which pages to write: figures and equations have their numbers
        ("env-get-updated", 900): [incremental.pages_to_write],
        # 3. a page's tree is whole: glued numbers and references are text
        ("doctree-resolved", 900): [
            search.keep_sections,
            handouts.write_handouts,
            markdown_twins.write_twin,
        ],
        # 4. a page is HTML, and is put into its template
        ("html-page-context", BEFORE): [
            explanations.explain,
            minutes.say,
            page_html.mend,  # once the lines above are in the body
            description.describe,
            scripts.load_scripts,  # after `describe`, since both add to the head
            sidebar.offer_doors,
        ],
        ("html-page-context", AFTER): [
            scripts.defer_scripts,  # also those of the theme
            one_style.note_sheets,
        ],
        # 5. all pages are written, their files copied
        ("build-finished", 700): [
            old_addresses.keep_old_addresses,
            # a copy of all that lies there; what follows adds to the copy
            partial(publish.publish, style=one_style),
            feed.write_feed,
            citation.write_entry,
            markdown_twins.write_whole_book,
            embedded_figures.write_figure_pages,  # its frames are cut from published pages
            exercise_archive.pack,
        ],
    }


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx all of it."""
    app.setup_extension("sphinx_markdown_builder")
    mend_others()
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    app.add_role("page-minutes", counted_texts.PageMinutes())
    app.add_role("from-site", citation.FromSite())
    for transform in POST_TRANSFORMS:
        app.add_post_transform(transform)
    figure = (HTML5Translator.visit_figure, page_html.depart_figure)
    image = (page_html.visit_image, HTML5Translator.depart_image)
    app.add_node(nodes.figure, override=True, html=figure)
    app.add_node(nodes.image, override=True, html=image)
    app.config.templates_path = [str(BOOK / "templates")]
    app.config.html_additional_pages = {"404": "404.html"}
    for (event, priority), functions in hooks().items():
        for function in functions:  # of one priority, as they are listed
            app.connect(event, function, priority=priority)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def mend_others() -> None:
    """Change what packages do that the book uses, where they have no setting for it."""
    # it looks through the files of all installed packages, and is called for each citation
    pybtex.plugin.find_plugin = cache(pybtex.plugin.find_plugin)
    setattr(BibtexDomain, "env_updated", incremental.format_works)  # noqa: B010 - a method
    PARSER.disable("inline")  # what exercises are found by stands between blocks
