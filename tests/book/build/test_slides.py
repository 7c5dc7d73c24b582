"""Slides that the last row can read."""

import base64
from contextlib import contextmanager
from types import SimpleNamespace

import nbformat
import pytest
from helpers import chromium

from book.build import slides, sphinx_run
from book.build.project import BookError, Chapter, Project


def test_a_slide_that_the_last_row_cannot_read_is_named():
    slide = '<div class="pdf-page" style="height: 720px"><h2>A</h2><p style="{}">text</p></div>'
    style = "body, h2 {font: 40px serif; margin: 0} p {color: black}"
    clear, faint = "font-size: 36px", "font-size: 20px; color: #999; margin-left: -9px"
    with chromium() as browser:
        page = browser.new_page(viewport=slides.SIZE)
        page.set_content(
            f"<style>{style}</style>{slide.format(clear)}{slide.format(faint)}"
        )
        faults = page.evaluate(slides.UNREADABLE)
    assert [fault.partition(": ")[0] for fault in faults] == ["slide 2, A"] * 3
    for words, problem in zip(
        faults, ("letters of 20 px", "a contrast of 2.8", "9 px over"), strict=True
    ):
        assert problem in words


def shown(data, **metadata):
    return nbformat.v4.new_output("display_data", data, metadata=metadata)


def outputs():
    """What a chapter shows: a glued number, a figure and an explorable."""
    number = {slides.GLUED: "'12\\xa0%'"}
    return [
        (shown(number, scrapbook={"name": "sets-lac-most"}), {}),
        (
            shown({"image/png": base64.b64encode(b"picture").decode()}),
            {"figure": {"name": "fig-a"}, "image": {"alt": "A line."}},
        ),
        (shown({"text/html": '<line-up id="line-up"></line-up>'}), {}),
        (shown({"text/html": '<line-up id="second"></line-up>'}), {}),
        (shown({"image/png": "no figure"}), {}),
    ]


def test_slides_take_numbers_figures_and_explorables_by_their_names():
    taken = slides.ChapterOutputs()
    for output, display in outputs():
        taken.add(output, display)
    assert taken.numbers == {"sets_lac_most": "12\N{NO-BREAK SPACE}%"}
    explorable = '<line-up id="line-up"></line-up>'
    assert taken.texts == {"fig-a": "A line.", "line-up": explorable}
    assert {*taken.pictures} == {"fig-a"}


def test_a_number_of_slides_is_that_of_the_chapters():
    assert slides.with_numbers("{{ a }} of {{ b }}", {"a": "1", "b": "2"}) == "1 of 2"
    with pytest.raises(BookError, match="no number b, c"):
        slides.with_numbers("{{ c }} {{ b }} {{ a }}", {"a": "1"})


@pytest.fixture
def lecture(tmp_path, monkeypatch):
    folder = tmp_path / "lectures"
    folder.mkdir()
    text = "# First\n\n## Sure\n\n{{ sets_lac_most }}\n\n### No slide\n"
    (folder / "one.md").write_text(text)
    monkeypatch.setattr(slides, "LECTURES", folder)


def test_a_lecture_has_its_first_heading_as_title_and_a_slide_a_heading(lecture):
    assert slides.lectures() == [("one", "First", 2)]


def test_lectures_lie_where_the_site_takes_them_up(lecture, tmp_path, monkeypatch):
    project = Project(tmp_path)
    cells = [
        nbformat.v4.new_code_cell("", metadata={"mystnb": display}, outputs=[output])
        for output, display in outputs()
    ]
    notebook = Chapter("part/one", tmp_path / "one.md", {"kernelspec": {}})
    text = Chapter("text", tmp_path / "text.md", {})
    path = project.executed(notebook)
    path.parent.mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    monkeypatch.setattr(Project, "listed", lambda self: [notebook, text])
    staged = {}

    def run_sphinx(source, work, builder, config):
        files = [path for path in source.rglob("*") if path.is_file()]
        staged.update({p.relative_to(source).as_posix(): p.read_bytes() for p in files})
        assert builder == "revealjs" and "fig-a" in config["book_figures"]
        (work / "raw").mkdir()
        (work / "raw" / "one.html").touch()

    monkeypatch.setattr(sphinx_run, "run_sphinx", run_sphinx)
    folder = slides.write_slides(project)
    assert folder == slides.folder(project) == project.build / "slides/site/slides"
    assert (folder / "one.html").is_file()
    assert "12\N{NO-BREAK SPACE}%".encode() in staged["one.md"]
    assert staged["figures/fig-a.png"] == b"picture"
    assert staged["index.md"].decode().endswith("```{toctree}\none\n```\n")
    loaded = {"slides.css", "widgets.css", "widgets/base.js", "mathjax/core.js"}
    assert {f"static/{name}" for name in loaded} <= {*staged}


@pytest.mark.parametrize("faults", [[], ["slide 2, A: letters of 20 px"]])
def test_lectures_are_printed_beside_their_slides_and_what_is_too_small_is_refused(
    lecture, tmp_path, monkeypatch, faults
):
    printed = []
    page = SimpleNamespace(
        goto=lambda address, timeout: printed.append(address),
        evaluate=lambda code: faults if code == slides.UNREADABLE else None,
        wait_for_selector=lambda selector, state: None,
        pdf=lambda path, **_: printed.append(path),
        close=lambda: None,
    )

    @contextmanager
    def chromium():
        yield SimpleNamespace(new_page=lambda viewport: page)

    monkeypatch.setattr(slides, "chromium", chromium)
    project = Project(tmp_path)
    if faults:
        with pytest.raises(BookError, match="one, slide 2, A: letters of 20 px"):
            slides.print_slides(project)
    else:
        slides.print_slides(project)
    deck = slides.folder(project) / "one.html"
    assert printed == [f"{deck.as_uri()}?print-pdf", deck.with_suffix(".pdf")]
