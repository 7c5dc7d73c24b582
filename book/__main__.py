"""Build the book: `python -m book build`, or one chapter: `python -m book chapter NAME`."""

import argparse
import fcntl
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from book.build import code_lines as count
from book.build import glued_numbers, lint, lint_scripts, runtime, versions
from book.build.execute import execute_all
from book.build.printing import build_pdf
from book.build.project import BookError, Chapter, Project, front_matter
from book.build.site import build_chapter, build_site
from book.build.slides import print_slides, write_slides
from book.build.student_site import build_student_site
from calib_report.commands.signals import one_interruption


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    start = time.perf_counter()
    try:
        with one_interruption():
            options.run(Project(options.root.resolve()), options)
    except (OSError, BookError) as error:
        message = str(error)
        if not sys.stderr.isatty():  # a log shows the colours of a traceback as signs
            message = re.sub(r"\x1b\[[0-9;]*m", "", message)
        print(f"\n{message}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ninterrupted; finished chapters are kept", file=sys.stderr)
        return 130
    print(f"{options.command}: {time.perf_counter() - start:.1f} s")
    return 0


@contextmanager
def _executed(project: Project, force: bool = False) -> Iterator[list[Chapter]]:
    """Give all chapters, executed, to one build at a time."""
    project.config()
    with _alone(project.build / "lock"):
        chapters = project.listed()
        execute_all(
            project,
            [chapter for chapter in chapters if chapter.is_notebook],
            force=force,
        )
        yield chapters


def execute(project: Project, options: argparse.Namespace) -> None:
    """Execute what changed, build no pages."""
    with _executed(project):
        pass


def build(project: Project, options: argparse.Namespace) -> None:
    """Execute what changed and build all pages."""
    with _executed(project, options.force) as chapters:
        build_site(project, chapters, force=options.force)


def student(project: Project, options: argparse.Namespace) -> None:
    """Build the site without the solutions of the exercises."""
    with _executed(project) as chapters:
        build_student_site(project, chapters)


def pdf(project: Project, options: argparse.Namespace) -> None:
    """Print the whole book to _build/book.pdf and link it from the site."""
    with _executed(project) as chapters:
        build_pdf(project, chapters)
        build_site(project, chapters)


def slides(project: Project, options: argparse.Namespace) -> None:
    """Build the lectures into _build/slides, print them to PDF; the next build links them."""
    with _executed(project):
        print(f"wrote {write_slides(project)}")
        print_slides(project)


def chapter(project: Project, options: argparse.Namespace) -> None:
    """Execute one chapter and build its page alone."""
    page = project.chapter(options.name)
    with _alone(project.build / "chapter" / f"{page.name}.lock"):
        if page.is_notebook:
            execute_all(project, [page], _parameters(options.p), force=options.force)
        print(build_chapter(project, page))


def tables(project: Project, options: argparse.Namespace) -> None:
    """Execute a paper's notebook anew; write its tables as CSV, its figures as SVG."""
    aside = Project(project.root, "_build/tables")
    folder = aside.build / options.paper
    if folder.exists():
        shutil.rmtree(folder)
    parameters = {**_parameters(options.p), "tables_folder": str(folder)}
    notebook = aside.chapter(f"replicate/{options.paper}")
    with _alone(aside.build / "lock"):
        # what it writes lies beside the notebook, which may be as before: force
        execute_all(aside, [notebook], parameters, force=True)
    for path in sorted(folder.iterdir()):
        print(path.relative_to(project.root))


def check(project: Project, options: argparse.Namespace) -> None:
    """Check configuration, table of contents, the chapters' code and the scripts of pages."""
    project.config()
    paths = sorted((project.root / "tests" / "reference").glob("*.md"))
    references = [Chapter(path.stem, path, front_matter(path)) for path in paths]
    lint.check(project, project.on_disk() + references, fix=options.fix)
    lint_scripts.check(project.root / "book" / "assets")
    project.listed()


def lines(project: Project, options: argparse.Namespace) -> None:
    """Count the chapters' lines of code: shown, folded, removed, of exercises."""
    chapters = project.listed()
    print(count.table([c for c in chapters if c.name.startswith(options.part)]))


def where(project: Project, options: argparse.Namespace) -> None:
    """Print where a glued number is made, and where chapters show it."""
    places = list(glued_numbers.where(project, options.name))
    if not places:
        raise BookError(f"{options.name}: no chapter makes or shows such a number")
    print("\n".join(places))


def freeze(project: Project, options: argparse.Namespace) -> None:
    """Pack the built site into _build/site-VERSION.zip, for a release."""
    print(f"wrote {versions.freeze(project)}")


def earlier(project: Project, options: argparse.Namespace) -> None:
    """Lay the packed sites of earlier versions into versions/ of the built one."""
    print(f"laid {', '.join(versions.earlier(project, options.folder)) or 'none'}")


def python(project: Project, options: argparse.Namespace) -> None:
    """Fetch Python for the pages, checked, into _build/runtime; the next build includes it."""
    print(f"fetched {runtime.fetch(project)}")


def _parameters(pairs: list[str]) -> dict[str, Any]:
    try:
        return {
            name: yaml.safe_load(text)
            for name, text in (pair.split("=", 1) for pair in pairs)
        }
    except (ValueError, yaml.YAMLError) as error:
        message = " ".join(str(error).split())
        raise BookError(
            f"parameter {', '.join(pairs)!r}: expected name=value: {message}"
        ) from None


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Let one build at a time work in a folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        try:
            # the lock ends with the process, also with one that is killed
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("waiting for another build to end", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m book", description=__doc__)
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="the checkout")
    commands = parser.add_subparsers(dest="command", required=True)
    making = (execute, build, student, pdf, slides, chapter, tables)
    functions = (*making, check, lines, where, python, freeze, earlier)
    added = {}
    for function in functions:  # a command has the name and the words of its function
        name, words = function.__name__, function.__doc__
        added[function] = commands.add_parser(name, help=words)
        added[function].set_defaults(run=function)
    for function in (build, chapter):
        forced = os.environ.get("FORCE", "") not in {"", "0"}
        added[function].add_argument("--force", action="store_true", default=forced)
    added[check].add_argument(
        "--fix", action="store_true", help="mend the chapters' code"
    )
    added[chapter].add_argument("name", help="measure/ece-and-mce")
    added[earlier].add_argument("folder", type=Path, help="of site-X.Y.Z.zip")
    added[lines].add_argument("part", nargs="?", default="", help="replicate/")
    added[where].add_argument("name", help="of the number, such as sets-lac-most")
    added[tables].add_argument("paper", help="guo2017")
    for function in (chapter, tables):
        added[function].add_argument(
            "-p", action="append", default=[], metavar="NAME=VALUE"
        )
    return parser


if __name__ == "__main__":
    sys.exit(main())
