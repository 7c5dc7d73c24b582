"""Cells that run in the page: the worker's protocol, Pyodide's core, fallbacks."""

import importlib.util
import json
import shutil

import nbformat
import pytest
from helpers import ROOT, SITE, served, skip_unless

from book.build import runtime
from book.build.project import BookError, Project
from book.show.exercises import sealed_numbers

ASSETS = ROOT / "book" / "assets" / "run"


STUB = "def twice(x): ...\n"


CHECK = (
    "print('not yet' if twice(x) is None else 'right' if twice(x) == 42 else 'wrong')"
)


CELLS = [
    ("x = 20 + 1", ["remove-cell"]),
    ("print(x)\nx * 2", []),
    ("import book\n\nbook.__name__", []),
    ("raise ValueError('wrong on purpose')", ["raises"]),
]


SOLUTION = ["def twice(x):\n    return 2 * x"]


def notebook():
    """A hidden cell, three shown ones, and an exercise with its solution."""
    written = nbformat.v4.new_notebook()
    for source, tags in CELLS[:3]:
        written.cells.append(nbformat.v4.new_code_cell(source, metadata={"tags": tags}))
    written.cells += [
        nbformat.v4.new_code_cell(source.strip()) for source in (STUB, CHECK)
    ]
    written.cells.append(
        nbformat.v4.new_markdown_cell("```{solution-start} ex-twice\n```")
    )
    written.cells += [nbformat.v4.new_code_cell(source) for source in SOLUTION]
    written.cells.append(nbformat.v4.new_markdown_cell("```{solution-end}\n```"))
    written.cells.append(nbformat.v4.new_code_cell(CELLS[3][0]))
    return written


def write_site(folder, *, python):
    """A page as the book makes them, its scripts, its notebook."""
    (folder / "_sources" / "part").mkdir(parents=True)
    (folder / "part").mkdir()
    nbformat.write(notebook(), folder / "_sources" / "part" / "page.ipynb")
    shutil.copytree(ASSETS, folder / "run")
    marks = sealed_numbers("ex-twice", ["x", "small"], {"x": 21, "small": -0.000999})
    page = {"name": "part/page", "root": "../", "python": python, "data": []}
    page["numbers"] = {"ex-twice": marks}

    def cell(source, kind=""):
        inner = f'<div class="cell_input"><pre>{source}\n</pre></div>'
        return f'<div class="cell {kind}">{inner}</div>'

    cells = cell(STUB, "tag_stub") + cell(CHECK, "tag_check")
    here = '<a class="run-here" href="#ex-twice">Run it here</a>' if python else ""
    line = f'<p class="exercise-line">{here}</p>'
    exercise = (
        '<section id="exercises"><h2>Exercises</h2><div class="exercise" id="ex-twice">'
    )
    exercise += f"{line}{cells}</div></section>"
    shown = [cell(source) for source, tags in CELLS if "remove-cell" not in tags]
    solution = [cell(source) for source in SOLUTION]
    body = "".join([*shown[:2], exercise, *solution, shown[2]])
    html = (
        f'<meta charset="utf-8"><script type="application/json" id="run-page">{json.dumps(page)}'
        f'</script><article>{body}</article><script src="../run/run.js"></script>'
    )
    (folder / "part" / "page.html").write_text(html)


def test_a_copy_without_python_checks_numbers_and_has_no_buttons(browser, tmp_path):
    write_site(tmp_path, python=False)
    page = browser.new_page()
    page.goto((tmp_path / "part" / "page.html").as_uri())
    assert page.get_by_role("button").count() == 0
    for name, accepted, refused in (
        ("x", ["21", "21.0", " 20.9", "21,1"], ["22", "20", "-21", "2.1", "0"]),
        ("small", ["-0.000998", "−0.000999"], ["0.001", "-0.00102"]),
    ):
        field = page.get_by_role("textbox", name=f"Your number: {name}")
        status = field.locator("xpath=following-sibling::*[@role='status']")
        for text in (*accepted, *refused, "many", ""):
            field.fill(text)
            field.dispatch_event("change")
            verdict = (
                "right"
                if text in accepted
                else "not yet"
                if text in refused
                else "a number, please"
            )
            assert status.inner_text().startswith(verdict), text
    page.close()
    write_site(tmp_path / "python", python=True)
    page = browser.new_page()
    page.goto((tmp_path / "python" / "part" / "page.html").as_uri())
    button = page.get_by_role("button", name="Check")
    button.click()
    beside = button.locator("xpath=following-sibling::*[@role='status']")
    assert "make serve" in beside.inner_text()
    page.close()


def test_a_browser_remembers_what_is_done_and_a_page_works_without_that(
    browser, tmp_path
):
    write_site(tmp_path, python=False)
    address = (tmp_path / "part" / "page.html").as_uri()
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    summary, box = (
        page.locator(".exercises-done"),
        page.get_by_role("checkbox", name="done"),
    )
    assert summary.inner_text().startswith("0 of 1 done") and not box.is_checked()
    field = page.get_by_role("textbox", name="Your number: x")
    field.fill("22")
    field.dispatch_event("change")
    assert not box.is_checked()
    field.fill("21")  # the one name that the stub leaves open
    field.dispatch_event("change")
    assert box.is_checked() and summary.inner_text().startswith("1 of 1 done")
    page.reload()
    assert box.is_checked()
    box.uncheck()
    page.reload()
    assert not box.is_checked()
    context.close()
    context = browser.new_context()
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('refused') }})"
    )
    page = context.new_page()
    page.goto(address)
    box = page.get_by_role("checkbox", name="done")
    box.check()
    assert page.locator(".exercises-done").inner_text().startswith("1 of 1 done")
    assert page.get_by_role("textbox", name="Your number: x").count() == 1
    context.close()


@pytest.fixture(scope="module")
def with_core(tmp_path_factory):
    """A site with Pyodide's core, which has no numpy, and the library."""
    folder = tmp_path_factory.mktemp("site")
    write_site(folder, python=True)
    place = folder / "python"
    place.mkdir()
    runtime_folder = runtime.folder(Project(ROOT))
    if (runtime_folder / "pyodide.asm.wasm").is_file():
        for name in runtime.CORE:
            shutil.copy(runtime_folder / name, place)
    else:
        try:
            runtime.unpack_core(place)
        except BookError as error:
            skip_unless(False, f"Pyodide is not here: {error}")
    (place / "book.zip").write_bytes(runtime.archive(Project(ROOT)))
    manifest = {"packages": [], "archives": ["book.zip"], "imported": ["seaborn"]}
    (place / "manifest.json").write_text(json.dumps(manifest))
    return folder


def waiting(locator):
    """Return what is expected of a part of a page, in time."""
    from playwright.sync_api import expect

    expect.set_options(timeout=180_000)
    return expect(locator)


def test_cells_run_in_the_page_and_answers_are_checked(browser, with_core):
    with served(with_core) as address:
        page = browser.new_page()
        page.set_default_timeout(180_000)
        page.goto(f"{address}/part/page.html")
        output, status = page.locator(".run-output"), page.locator(".run-status")
        page.get_by_role("button", name="Run all above and this").nth(1).click()
        waiting(status.nth(1)).to_have_text("ran here")
        assert repr("book") in output.nth(1).inner_text()
        page.get_by_role("button", name="Run", exact=True).first.click()
        waiting(status.first).to_have_text("ran here")
        # the hidden cell ran before
        assert output.first.inner_text().split() == ["21", "42"]

        editor = page.locator("article pre").first
        assert editor.get_attribute("contenteditable") == "plaintext-only"
        editor.fill("sum(range(x))")
        page.get_by_role("button", name="Run", exact=True).first.click()
        waiting(output.first).to_contain_text("210")

        exercise = page.locator("#ex-twice")
        exercise.get_by_role("link", name="Run it here").click()
        waiting(exercise.locator(".run-status").last).to_contain_text("press Check")
        page.get_by_role("button", name="Check").click()
        waiting(exercise.locator(".run-output").first).to_have_text("not yet\n")
        exercise.locator("pre").first.fill("def twice(x):\n    return x + x\n")
        waiting(exercise.locator(".run-output").first).to_have_text("right\n")
        assert exercise.get_by_role("checkbox", name="done").is_checked()

        page.get_by_role("button", name="Run", exact=True).last.click()
        page.locator(".run-error").last.wait_for()
        error = page.locator(".run-error").last.inner_text()
        assert (
            error.strip().endswith("ValueError: wrong on purpose")
            and "prelude" not in error
        )
        assert status.last.inner_text() == "failed"

        page.goto(f"{address}/part/page.html")
        page.locator("article pre").first.evaluate("pre => (pre.textContent = 'y')")
        page.get_by_role("button", name="Run", exact=True).first.click()
        page.locator(".run-error").wait_for()
        assert "differ" in page.locator(".run-error").inner_text()  # from its notebook
        page.close()


def test_a_chapter_runs_end_to_end_and_gives_the_numbers_of_the_book(browser):
    """What the publish workflow proves: only there numpy is among the files."""
    manifest = SITE / "python" / "manifest.json"
    whole = (
        manifest.is_file() and "numpy" in json.loads(manifest.read_text())["packages"]
    )
    if not whole:
        pytest.skip("the site holds no Python with numpy: make runtime book")
    name = "measure/ece-and-mce"
    chapter = nbformat.read(SITE / "_sources" / f"{name}.ipynb", as_version=4)
    with served(SITE) as address:
        page = browser.new_page()
        page.set_default_timeout(400_000)
        page.goto(f"{address}/{name}.html")
        page.get_by_role("button", name="Run all above and this").last.click(force=True)
        waiting(page.locator(".cell .run-status").last).to_have_text("ran here")
        hidden = {"remove-cell", "remove-input"}
        code = [c for c in chapter.cells if c.cell_type == "code" and c.source]
        last = [c for c in code if not hidden & set(c.metadata.get("tags", []))][-1]
        printed = "".join(o.text for o in last.outputs if o.output_type == "stream")
        assert page.locator(".run-error").count() == 0
        assert (
            page.locator(".cell .run-output").last.inner_text().strip()
            == printed.strip()
        )
        page.close()


# What runs in the worker, run here.


@pytest.fixture
def prelude(monkeypatch):
    import sys

    import matplotlib.pyplot as plt

    plt.close("all")  # what other tests of this process left open would be shown
    for name in ("myst_nb", "IPython", "IPython.display"):
        monkeypatch.setitem(sys.modules, name, None)
    spec = importlib.util.spec_from_file_location("prelude", ASSETS / "prelude.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_cell_shows_what_a_notebook_shows(prelude):
    def shown(source):
        outcome = json.loads(prelude.run(source))
        assert outcome["error"] == ""
        return outcome["outputs"]

    assert shown("a = 3\nprint('hi')\na + 1") == [["text", "hi\n"], ["text", "4\n"]]
    assert shown("a;") == shown("None") == shown("a = 4") == shown("") == []
    assert shown("import pandas\npandas.DataFrame({'b': [a]})")[0][0] == "html"
    assert shown("from IPython.display import HTML\nHTML('<b>x</b>')") == [
        ["html", "<b>x</b>"]
    ]
    assert (
        shown("from book.show.display import glue\nglue('n', 1, display=False)") == []
    )
    figure = shown(
        "import matplotlib\nmatplotlib.use('agg')\nimport matplotlib.pyplot as plt\nplt.plot([1]);"
    )
    assert [kind for kind, _ in figure] == [
        "html"
    ] and "data:image/png;base64," in figure[0][1]
    assert shown("plt.get_fignums()") == [["text", "[]\n"]]
    outcome = json.loads(prelude.run("print(1)\n1 / 0"))
    assert outcome["outputs"] == [["text", "1\n"]]
    assert outcome["error"].rstrip().endswith("ZeroDivisionError: division by zero")
    assert "SyntaxError" in json.loads(prelude.run("1 +"))["error"]
