"""Build the book: `python -m book build`, or one chapter: `python -m book chapter NAME`."""

import argparse
import fcntl
import os
import re
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import yaml

from book.build import lint, reference, runtime
from book.build.execute import execute_all
from book.build.project import BookError, Project
from book.build.site import (
    build_chapter,
    build_pdf,
    build_site,
    build_student_site,
)
from book.build.slides import print_slides, write_slides
from calib_report.signals import one_interruption


def main(arguments=None) -> int:
    options = _parser().parse_args(arguments)
    start = time.perf_counter()
    try:
        with one_interruption():
            options.run(Project(options.root.resolve()), options)
    except OSError as error:
        print(f"\n{error.filename or 'a file'}: {error.strerror or error}", file=sys.stderr)
        return 1
    except BookError as error:
        message = str(error) if sys.stderr.isatty() else re.sub(r"\x1b\[[0-9;]*m", "", str(error))
        print(f"\n{message}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ninterrupted; finished chapters are kept", file=sys.stderr)
        return 130
    print(f"{options.command}: {time.perf_counter() - start:.1f} s")
    return 0


def build(project: Project, options) -> None:
    """Execute what changed and build all pages."""
    project.config()
    with _alone(project.build / "lock"):
        chapters = project.listed()
        notebooks = [chapter for chapter in chapters if chapter.is_notebook]
        execute_all(project, notebooks, force=options.force)
        build_site(project, chapters, force=options.force)


def student(project: Project, options) -> None:
    """Build the site without the solutions of the exercises."""
    with _alone(project.build / "lock"):
        chapters = project.listed()
        execute_all(project, [chapter for chapter in chapters if chapter.is_notebook])
        build_student_site(project, chapters)


def pdf(project: Project, options) -> None:
    """Print the whole book to _build/book.pdf and link it from the site."""
    with _alone(project.build / "lock"):
        chapters = project.listed()
        execute_all(project, [chapter for chapter in chapters if chapter.is_notebook])
        build_pdf(project, chapters)
        build_site(project, chapters)


def slides(project: Project, options) -> None:
    """Build the lectures into _build/slides, print them to PDF; the next build links them."""
    with _alone(project.build / "lock"):
        chapters = [chapter for chapter in project.listed() if chapter.is_notebook]
        execute_all(project, chapters)
        print(f"wrote {write_slides(project)}")
        print_slides(project)


def chapter(project: Project, options) -> None:
    """Execute one chapter and build its page alone."""
    one = project.chapter(options.name)
    with _alone(project.build / "chapter" / f"{one.name}.lock"):
        if one.is_notebook:
            execute_all(project, [one], _parameters(options.parameters), force=options.force)
        print(build_chapter(project, one))


def check(project: Project, options) -> None:
    """Check configuration, table of contents and the chapters' code, without executing."""
    project.config()
    lint.check(project, project.found() + reference.references(project), fix=options.fix)
    project.listed()


def python(project: Project, options) -> None:
    """Fetch Python for the pages, checked, into _build/runtime; the next build includes it."""
    print(f"fetched {runtime.fetch(project, packages=not options.core)}")


def references(project: Project, options) -> None:
    """Execute the reference notebooks of the tests anew."""
    reference.write_references(project)


def _parameters(pairs: list[str]) -> dict:
    found = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise BookError(f"parameter {pair!r}: expected name=value")
        try:
            found[name] = yaml.safe_load(value)
        except yaml.YAMLError as error:
            raise BookError(f"parameter {pair!r}: {' '.join(str(error).split())}") from None
    return found


@contextmanager
def _alone(path: Path):
    """Let one build at a time work in a folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("waiting for another build to end", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m book", description=__doc__)
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="the checkout")
    commands = parser.add_subparsers(dest="command", required=True)
    forced = os.environ.get("FORCE", "") not in {"", "0"}
    for function in (build, student, pdf, slides, chapter, check, python, references):
        command = commands.add_parser(function.__name__, help=function.__doc__)
        command.set_defaults(run=function)
        if function is python:
            command.add_argument("--core", action="store_true", help="no packages, no numpy")
        if function is check:
            command.add_argument("--fix", action="store_true", help="mend the chapters' code")
        if function in (build, chapter):
            command.add_argument("--force", action="store_true", default=forced)
        if function is chapter:
            command.add_argument("name", help="measure/ece-and-mce")
            command.add_argument(
                "-p", dest="parameters", action="append", default=[], metavar="NAME=VALUE"
            )
    return parser


if __name__ == "__main__":
    sys.exit(main())
