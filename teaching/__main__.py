"""A course: `python -m teaching course FOLDER`; then collect, grade, export, exam, score."""

import argparse
import shutil
import sys
import time
import zipfile
from pathlib import Path

import nbformat

from book.build.project import BookError, Project
from book.build.slides import folder as slides_folder
from teaching import bank, course, reserved

ROOT = Path(__file__).resolve().parents[1]


def make(folder: Path):
    """Make a course, or what it lacks; nothing that it has is changed."""
    project = Project(ROOT)
    course.create(folder, project.build)
    print_labs(folder)
    for name, source in (("print/discussions.md", "discussions.md"), ("README.md", "course.md")):
        course.write_new(folder / name, (ROOT / "teaching" / source).read_bytes())
    if slides_folder(project).is_dir() and not (folder / "lectures").is_dir():
        shutil.copytree(slides_folder(project), folder / "lectures")
    yield f"{folder}: read {folder / 'README.md'}"


def exam(folder: Path, version: int):
    """Write a version of the exam, its key, and the bank for platforms."""
    yield bank.write(folder / "exam", course.secret(folder), version)


def score(folder: Path):
    """Print the leaderboard of the reserved networks."""
    people = [person["student"] for person in course.roster(folder)]
    handed_in = {p: course.latest(folder, p, "reserved-networks", ".npz") for p in people}
    yield reserved.leaderboard(folder / "keys" / "labels-keep.npz", handed_in)


def print_labs(folder: Path) -> None:
    """Write each lab, and its solution, as a page to print; as PDF too where Chromium is."""
    from nbconvert import HTMLExporter

    exporter = HTMLExporter(template_name="basic", exclude_input_prompt=True)
    place, sheets = folder / "print", {}
    if not (place / "mathjax").is_dir():
        shutil.copytree(ROOT / "book" / "assets" / "mathjax", place / "mathjax")
    for key in sorted((folder / "keys").glob("*.ipynb")):
        with zipfile.ZipFile(folder / "release" / f"{key.stem}.zip") as packed:
            student = packed.read(f"exercises/labs/{key.name}").decode()
        for name, text in ((key.stem, student), (f"{key.stem}-solution", key.read_text("utf-8"))):
            notebook = nbformat.reads(text, as_version=4)
            notebook.cells = [cell for cell in notebook.cells if not _plumbing(cell)]
            body, _ = exporter.from_notebook_node(notebook)
            sheets[place / f"{name}.html"] = bank.SHEETS.lab(key.stem, body)
    bank.print_sheets(
        {p: text for p, text in sheets.items() if not p.with_suffix(".pdf").is_file()}
    )


def _plumbing(cell) -> bool:
    return "check" in cell.metadata.get("tags", []) or "book.show.handed_out" in cell.source


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(prog="python -m teaching", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for run in (make, course.collect, course.grade, course.export, exam, score):
        one = commands.add_parser("course" if run is make else run.__name__, help=run.__doc__)
        one.add_argument("folder", type=Path)
        one.set_defaults(run=run)
        if run is course.grade:
            one.add_argument("labs", nargs="*", help="some labs; without, all")
        if run is exam:
            one.add_argument("version", type=int, help=f"0 to {bank.VERSIONS - 1}")
    given = vars(parser.parse_args(arguments))
    command, run, folder = given.pop("command"), given.pop("run"), given.pop("folder")
    start = time.perf_counter()
    try:
        for line in run(folder.resolve(), **given):
            print(line, flush=True)
    except (course.CourseError, BookError, FileNotFoundError) as problem:
        print(problem, file=sys.stderr)
        return 1
    print(f"{command}: {time.perf_counter() - start:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
