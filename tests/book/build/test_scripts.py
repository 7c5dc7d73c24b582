"""The scripts of a page: those of its figures, and none that its text waits for."""

from types import SimpleNamespace

import pytest
from sphinx.builders.html._assets import _JavaScript as Script

from book.build.scripts import OPTIONS, TABS, defer_scripts, load_explorables


class Sphinx:
    """What of Sphinx adds scripts; it remembers which."""

    def __init__(self, outdir=""):
        self.added, self.outdir = [], outdir
        self.builder = SimpleNamespace(name="html")

    def add_js_file(self, name, **options):
        assert options["defer"] == "defer", "the text waits for it"
        self.added.append((name, options.get("priority")))


def loaded(body):
    app = Sphinx()
    load_explorables(app, body)
    return app.added


def test_a_page_loads_the_scripts_of_its_figures_alone():
    assert loaded("<p>Text, and <no-such-figure></no-such-figure>.</p>") == []
    names = [name for name, _ in loaded("<line-up id='a'></line-up><bet-quiz>")]
    shared = ["widgets/base.js", "widgets/definitions.js", "widgets/diagram.js"]
    assert names == [*shared, "widgets/bet-quiz.js", "widgets/line-up.js"]


@pytest.mark.parametrize("name", ["answer-desk", "map-chooser"])
def test_the_texts_of_the_desk_come_before_the_figure_that_reads_them(name):
    assert ("desk/texts.js", 400) in loaded(f"<{name} ></{name}>")


def test_other_figures_read_no_texts():
    assert "desk/texts.js" not in dict(loaded("<line-up ></line-up>"))


def kept(body, folder):
    scripts = [Script(name) for name in (OPTIONS, TABS, "_static/sphinx_highlight.js")]
    scripts += [Script("_static/a.js"), Script("", body="b = 1")]
    context = {"body": body, "script_files": scripts}
    defer_scripts(Sphinx(folder), "page", "page.html", context, None)
    return context["script_files"]


def test_scripts_wait_for_the_text_and_what_a_page_does_not_use_is_left_out(tmp_path):
    (tmp_path / "_static").mkdir()
    (tmp_path / OPTIONS).write_text("options = {}")
    options, script, inline = kept("<p>Text</p>", tmp_path)
    assert options.attributes == {"body": "options = {}"} and not options.filename
    assert (script.filename, script.attributes["defer"]) == ("_static/a.js", "defer")
    assert inline.attributes == {"body": "b = 1"}
    with_tabs = kept('<div class="sd-tab-set">', tmp_path)
    assert [one.filename for one in with_tabs[1:3]] == [TABS, "_static/a.js"]
