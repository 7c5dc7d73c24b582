"""The book in print: one page of all chapters, and any page, as PDF by Chromium."""

import shutil
from pathlib import Path

from book.build import slides
from book.build.project import Chapter, Project
from book.build.sphinx_run import run_sphinx
from book.build.staging import pdf_path, stage

PAGE = '<div style="font: 8px sans-serif; text-align: center; width: 100%">{}</div>'
PRINT = {
    "margin": {"top": "18mm", "bottom": "18mm", "left": "16mm", "right": "16mm"},
    "format": "A4",
    "scale": 0.8,  # 16 px on a screen are 9.6 points on paper
    "outline": True,
    "tagged": True,
    "display_header_footer": True,
    "header_template": PAGE.format(""),
    "footer_template": PAGE.format('<span class="pageNumber"></span>'),
}


def build_pdf(project: Project, chapters: list[Chapter]) -> None:
    """Print the book, as one page, with Chromium; the site links to it from its next build on."""
    folder = project.build / "print"
    stage(project, chapters, project.contents(), folder / "src", pdf=False)
    shutil.rmtree(folder / "work", ignore_errors=True)
    run_sphinx(folder / "src", folder / "work", "singlehtml", strict=False)
    print_pages({folder / "work" / "raw" / "index.html": folder / "book.pdf"})
    (folder / "book.pdf").replace(pdf_path(project))
    print(f"printed {pdf_path(project)}")


def print_pages(pages: dict[Path, Path]) -> None:
    """Print pages to A4 once their mathematics is set and their figures are drawn."""
    with slides.chromium() as browser:
        sheet = browser.new_page(color_scheme="light")
        for page, output in pages.items():
            sheet.goto(page.as_uri(), timeout=120_000)
            ready = "(window.setMathematics?.() ?? window.MathJax?.startup.promise)"
            sheet.evaluate(f"async () => {{ await {ready} }}")
            # figures draw themselves for paper then; printing to a file does not say so
            sheet.evaluate("() => dispatchEvent(new Event('beforeprint'))")
            sheet.pdf(path=output, **PRINT)
