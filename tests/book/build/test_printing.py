"""The book in print: what the browser is asked to do, and where the file lies then."""

from contextlib import contextmanager

import pytest

from book.build import printing
from book.build.project import Project
from book.build.staging import pdf_path


class Sheet:
    """A page of a browser that writes down what it is asked."""

    def __init__(self):
        self.asked = []

    def goto(self, address, timeout):
        self.asked.append(("goto", address))

    def evaluate(self, code):
        known = ("setMathematics", "beforeprint")
        self.asked.append(("evaluate", next(name for name in known if name in code)))

    def pdf(self, path, **options):
        assert options["format"] == "A4" and options["outline"] and options["tagged"]
        assert options["scale"] == 0.8 and options["display_header_footer"]
        assert "pageNumber" in options["footer_template"]
        assert "pageNumber" not in options["header_template"]
        self.asked.append(("pdf", path))
        path.write_bytes(b"printed")


@pytest.fixture
def sheet(monkeypatch):
    sheet = Sheet()

    class Browser:
        def new_page(self, color_scheme):
            assert color_scheme == "light"
            return sheet

    @contextmanager
    def chromium():
        yield Browser()

    monkeypatch.setattr(printing.slides, "chromium", chromium)
    return sheet


def test_a_page_is_printed_once_its_mathematics_and_figures_are_there(sheet, tmp_path):
    pages = {tmp_path / f"{name}.html": tmp_path / f"{name}.pdf" for name in "ab"}
    printing.print_pages(pages)
    expected = []
    for page, output in pages.items():
        expected += [("goto", page.as_uri()), ("evaluate", "setMathematics")]
        expected += [("evaluate", "beforeprint"), ("pdf", output)]
    assert sheet.asked == expected


def test_the_book_is_one_page_that_holds_no_older_print(sheet, tmp_path, monkeypatch):
    project, steps = Project(tmp_path), []
    (tmp_path / "_toc.yml").write_text("root: index\n")
    left = project.build / "print" / "work" / "left"
    left.mkdir(parents=True)

    def stage(project, chapters, contents, folder, *, pdf):
        steps.append((chapters, contents, folder, pdf))

    def run_sphinx(source, work, builder, *, strict):
        assert not left.exists(), "built upon the last print"
        steps.append((source, work, builder, strict))

    monkeypatch.setattr(printing, "stage", stage)
    monkeypatch.setattr(printing, "run_sphinx", run_sphinx)
    printing.build_pdf(project, ["chapters"])
    folder = project.build / "print"
    assert steps == [
        (["chapters"], {"root": "index"}, folder / "src", False),
        (folder / "src", folder / "work", "singlehtml", False),
    ]
    assert sheet.asked[0] == ("goto", (folder / "work/raw/index.html").as_uri())
    assert pdf_path(project).read_bytes() == b"printed"
    assert not (folder / "book.pdf").exists()
