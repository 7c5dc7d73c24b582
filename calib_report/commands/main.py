"""Command line: ``calib report|check|join|compare|apply|export|look|demo``.

This is the door alone: arguments, standard input, errors, exit status. What a command does stands
in the module of its name beside it, in its function `run`.
"""

import argparse
import os
import shlex
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from calib_report.commands import (
    apply,
    check,
    compare,
    demo,
    export,
    join,
    look,
    report,
)
from calib_report.commands.arguments import parser, reading_options, typed_words
from calib_report.commands.printing import say
from calib_report.commands.signals import one_interruption, one_thread
from calib_report.contract import CONTRACT, NotSaidError, OptionError, ReadingError
from calib_report.files.extras import how_to_install
from calib_report.files.formats import ending_by_content
from calib_report.options import Options
from calib_report.proposing.proposals import (
    proposals_in_words,
    propose,
)
from calib_report.reading.interpretation import Reading

RUN: dict[str, Callable[[argparse.Namespace], int | None]] = {
    "report": report.run,
    "check": check.run,
    "join": join.run,
    "look": look.run,
    "compare": compare.run,
    "apply": apply.run,
    "export": export.run,
    "demo": demo.run,
}


def readings_proposed(
    error: ReadingError, arguments: argparse.Namespace
) -> list[Reading]:
    """Return how the file of a command could be read; ReadingError where it could not."""
    options, time = reading_options(arguments), getattr(arguments, "time", None)
    if isinstance(error, OptionError) and error.source is None:
        # of what is asked of a file that was read
        raise error
    if arguments.command not in ("report", "check", "compare") or options.get("yes"):
        raise error
    source = _file_of_error(error, arguments)
    if time is None:
        return propose(source, **options)
    # a column of dates is no label and no score, and no option of reading either
    groups = options["groups"]
    readings = propose(source, **options | {"groups": [*groups, time]})
    return [
        replace(r, options=r.options.replaced(groups=tuple(groups))) for r in readings
    ]


def _file_of_error(error: ReadingError, arguments: argparse.Namespace) -> Any:
    """Return the file that an error is of: of two to compare, it may be the second."""
    second = getattr(arguments, "second", None)
    if error.source is not None and str(error.source) == second:
        return second
    return getattr(arguments, "predictions", None) or getattr(arguments, "first", None)


def not_read(error: ReadingError, arguments: argparse.Namespace) -> int:
    """Say why a file is not read, and how it could be; at a terminal, ask whether to read it so."""
    try:
        readings = readings_proposed(error, arguments)
    except (ValueError, OSError) as reason:
        say(f"calib: {_line_of(reason, arguments)}", file=sys.stderr)
        if isinstance(reason, NotSaidError):
            say(CONTRACT, file=sys.stderr)
        return 2
    text = proposals_in_words(readings, typed_words(arguments))
    problem = _line_of(error, arguments)
    say(f"calib: {problem}\nnothing is written. {text}", file=sys.stderr)
    return _run_so(readings[0], arguments) if _is_wanted() else 2


def _line_of(error: BaseException, arguments: argparse.Namespace) -> str:
    """Return what an error says, of options and of standard input by what is typed for them."""
    text = error.as_typed() if isinstance(error, OptionError) else str(error)
    piped = getattr(arguments, "piped", None)
    return text if piped is None else text.replace(piped, "standard input")


def _is_wanted() -> bool:
    """Ask at a terminal whether to read a file so."""
    # a script must not hang on a question
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print("read it so? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _run_so(chosen: Reading, arguments: argparse.Namespace) -> int:
    """Run a command with the options of a reading."""
    as_typed = Options.of(**reading_options(arguments))
    # a reading may take back what was typed
    for name, value in chosen.options.other_than(as_typed).items():
        setattr(arguments, name, value)
    # the page names the command that gives it again
    arguments.typed = chosen.command(*typed_words(arguments))
    return run(arguments)


def refuse(reason: object, status: int = 2) -> int:
    """Print one line on stderr and return the exit status, that of wrong input by default."""
    say(f"calib: {' '.join(str(reason).splitlines())}", file=sys.stderr)
    return status


def _save_stdin(arguments: argparse.Namespace, folder: str) -> None:
    """Put what comes on standard input into a file, where "-" stands for it; unpack one file."""
    for name in {"predictions", "first", "second"} & {*vars(arguments)}:
        value = getattr(arguments, name)
        files = value if isinstance(value, list) else [value]
        if "-" in files:
            place = _piped(arguments, Path(folder))
            files = [place if path == "-" else path for path in files]
        setattr(arguments, name, files if len(files) > 1 else files[0])


def _piped(arguments: argparse.Namespace, folder: Path) -> str:
    """Return the file that holds standard input, which can be read once, and tried again there."""
    if not hasattr(arguments, "piped"):
        arguments.piped = _saved_input(folder)
    piped: str = arguments.piped
    return piped


def _saved_input(folder: Path) -> str:
    """Write standard input into a file, whose first bytes say its format."""
    content = sys.stdin.buffer.read()
    ending = ending_by_content(content)
    # the title of a report on it
    place = folder / f"standard input{ending}"
    place.write_bytes(content)
    return str(place)


def run(arguments: argparse.Namespace) -> int:
    """Run a command; what cannot be read is shown as it could be."""
    try:
        status: int = RUN[arguments.command](arguments) or 0
    except ReadingError as error:
        return not_read(error, arguments)
    sys.stdout.flush()
    return status


def main(argv: list[str] | None = None) -> int:
    """Run the command line; wrong input gets one line and exit status 2."""
    arguments = parser().parse_args(argv)
    if arguments.command is None:
        parser().print_help()
        return 0
    arguments.typed = shlex.join(["calib", *(sys.argv[1:] if argv is None else argv)])
    try:
        with one_interruption(), one_thread(), tempfile.TemporaryDirectory() as folder:
            _save_stdin(arguments, folder)
            return run(arguments)
    except (
        ModuleNotFoundError,
        OSError,
        MemoryError,
        ValueError,
        KeyboardInterrupt,
    ) as error:
        return _refused(error, arguments)


def _refused(error: BaseException, arguments: argparse.Namespace) -> int:
    """Say in one line why a command ended, and return its exit status."""
    if isinstance(error, KeyboardInterrupt):
        return refuse("interrupted, nothing is written", 130)
    if isinstance(error, MemoryError):
        return refuse(f"not enough memory: {error}", 1)
    if isinstance(error, ModuleNotFoundError):
        return refuse(f"{error}{how_to_install(error.name)}")
    if isinstance(error, OSError):
        return _refused_by_system(error)
    return refuse(_line_of(error, arguments))


def _refused_by_system(error: OSError) -> int:
    """Say which file, or the output, the system does not read or write."""
    name = error.filename or "standard output"
    if error.filename is None:
        # what was to be printed cannot be: Python is not to try it again as it ends
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return refuse(f"{name}: {error.strerror or error}")


if __name__ == "__main__":
    sys.exit(main())
