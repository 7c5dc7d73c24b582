"""A course: `python -m teaching course FOLDER`; then the other commands."""

import argparse
import shutil
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from book.build.project import BookError, Project
from book.build.slides import folder as slides_folder
from teaching import bank, reserved
from teaching.collect import collect
from teaching.course import create, release
from teaching.export import export
from teaching.folder import latest_hand_in, secret_of_course, write_new
from teaching.grade import grade
from teaching.inventory.report import items
from teaching.judge import looks_for_data
from teaching.tables import CourseError, roster

ROOT = Path(__file__).resolve().parents[1]


def course(folder: Path) -> Iterator[str]:
    """Make a course, or what it lacks; nothing that it has is changed."""
    project = Project(ROOT)
    create(folder, project.build)
    print_labs(folder)
    for name, source in (
        ("print/discussions.md", "discussions.md"),
        ("README.md", "course.md"),
    ):
        write_new(folder / name, (ROOT / "teaching" / source).read_bytes())
    if slides_folder(project).is_dir() and not (folder / "lectures").is_dir():
        shutil.copytree(slides_folder(project), folder / "lectures")
    yield f"{folder}: read {folder / 'README.md'}"


def exam(folder: Path, version: int) -> Iterator[Path]:
    """Write a version of the exam, its key, and the bank for platforms."""
    yield bank.write_version(
        folder / "exam", int(secret_of_course(folder), 16), version
    )


def leaderboard(folder: Path) -> Iterator[str]:
    """Print the leaderboard of the reserved networks."""
    people = [person.student for person in roster(folder)]
    handed_in = {
        p: latest_hand_in(folder, p, "reserved-networks", ".npz") for p in people
    }
    yield reserved.table_of_places(folder / "keys" / "labels-keep.npz", handed_in)


def print_labs(folder: Path) -> None:
    """Write each lab, and its solution, as a page to print; as PDF too where Chromium is."""
    from nbconvert import HTMLExporter

    exporter = HTMLExporter(template_name="basic", exclude_input_prompt=True)
    printed, sheets = folder / "print", {}
    if not (printed / "mathjax").is_dir():
        shutil.copytree(ROOT / "book" / "assets" / "mathjax", printed / "mathjax")
    for solution in sorted((folder / "keys").glob("*.ipynb")):
        with zipfile.ZipFile(folder / "keys" / "handout.zip") as packed:
            student = packed.read(f"exercises/labs/{solution.name}").decode()
        for name, text in (
            (solution.stem, student),
            (f"{solution.stem}-solution", solution.read_text("utf-8")),
        ):
            notebook = nbformat.reads(text, as_version=4)
            notebook.cells = [cell for cell in notebook.cells if not _plumbing(cell)]
            body, _ = exporter.from_notebook_node(notebook)
            sheets[printed / f"{name}.html"] = bank.SHEETS.lab(solution.stem, body)
    bank.print_sheets(
        {p: text for p, text in sheets.items() if not p.with_suffix(".pdf").is_file()}
    )


def _plumbing(cell: NotebookNode) -> bool:
    return "check" in cell.metadata.get("tags", []) or looks_for_data(cell)


COMMANDS: dict[str, Callable[..., Iterator[str | Path]]] = {
    "course": course,
    "release": release,
    "collect": collect,
    "grade": grade,
    "export": export,
    "exam": exam,
    "leaderboard": leaderboard,
    "items": items,
}


# commands that a course has to be there for: all but the one that makes it
IN_COURSE = COMMANDS.keys() - {"course"}


def arguments() -> argparse.ArgumentParser:
    """Return what may be typed."""
    parser = argparse.ArgumentParser(prog="python -m teaching", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    by_name = {}
    for name, run in COMMANDS.items():
        by_name[name] = commands.add_parser(name, help=run.__doc__)
        by_name[name].add_argument("folder", type=Path)
    for name in ("release", "grade"):
        by_name[name].add_argument("labs", nargs="*", help="some labs; without, all")
    wall = by_name["grade"]
    walls = ("bubblewrap", "user", "podman", "docker")
    wall.add_argument(
        "--wall", choices=walls, default="", help="without, the best there is"
    )
    wall.add_argument("--image", default="calibration-labs", help="of a container")
    wall.add_argument(
        "--trust", action="store_true", help="run submissions without a wall"
    )
    by_name["exam"].add_argument("version", type=int, help=f"0 to {bank.VERSIONS - 1}")
    return parser


def refuse_no_course(folder: Path) -> None:
    """Refuse a folder that is no course, before anything looks for its parts."""
    if not (folder / "course.yml").is_file():
        raise CourseError(
            f"{folder}: no course, it has no course.yml; is the name right?"
        )


def main(typed: list[str] | None = None) -> int:
    options = vars(arguments().parse_args(typed))
    command, folder = options.pop("command"), options.pop("folder")
    start = time.perf_counter()
    try:
        if command in IN_COURSE:
            refuse_no_course(folder.resolve())
        for line in COMMANDS[command](folder.resolve(), **options):
            print(line, flush=True)
    except (CourseError, BookError, FileNotFoundError) as problem:
        print(problem, file=sys.stderr)
        return 1
    print(f"{command}: {time.perf_counter() - start:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
