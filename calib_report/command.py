"""Command line: ``calib report|check|join|compare|apply|export|look|demo``."""

import argparse
import errno
import os
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from calib_report.analysing.analysis import notes_on
from calib_report.commands.apply import TABLES, apply_map
from calib_report.commands.arguments import REPORT, parser, reading_options, typed_words
from calib_report.commands.example import example_lines
from calib_report.commands.export import export_map
from calib_report.commands.memory import STATUS, Memory, join, report_lines, watch
from calib_report.commands.memory_files import read_memory, write_memory
from calib_report.commands.rules import (
    Base,
    Rules,
    SavedNumbers,
    Verdict,
    check,
    saved_base,
)
from calib_report.commands.signals import one_interruption, one_thread
from calib_report.commands.two_models import compare, notes_of_unmatched, read_two
from calib_report.contract import CONTRACT, Note, NotSaidError, ReadingError
from calib_report.files.extras import ending_of, how_to_install
from calib_report.files.saving import output_path, refuse_places, write_together
from calib_report.model_outputs import ModelOutputs
from calib_report.options import Options
from calib_report.proposing.proposals import (
    proposals_in_words,
    propose,
    reading_in_words,
)
from calib_report.reading.interpretation import Reading
from calib_report.reading.reader import read
from calib_report.schema import Difference, Number, Numbers, ReportFile
from calib_report.wording.rendering import (
    decimals,
    interval,
    json_text,
    visible,
    written_ends,
)
from calib_report.wording.words import comparison_in_words
from calib_report.writing.make_report import make_report

BEGINNINGS = {
    b"PK\x03\x04": ".npz",
    b"PAR1": ".parquet",
    b"ARROW1": ".feather",
    b"\x1f\x8b": ".csv.gz",
    b"[": ".json",
    b"{": ".jsonl",
}


def say(text: str, **where: Any) -> None:
    """Print lines; what steers a terminal is written as its code."""
    # a name in a file may hold codes that rewrite the screen
    print("\n".join(map(visible, text.split("\n"))), **where)


def _print_json(numbers: Any) -> None:
    print(json_text(numbers))


def _report(arguments: argparse.Namespace) -> None:
    names = ("time", "costs", "coverage", "risk", "date", "seed")
    options = {name: getattr(arguments, name) for name in names} | reading_options(
        arguments
    )
    options["command"] = arguments.typed
    output = arguments.output or _new_report()
    if output == "-":
        _print_json(make_report(arguments.predictions, **options))
        return
    # a list of names may end as a page does
    refuse_places([Path(output)], [arguments.classes])
    _say_report(make_report(arguments.predictions, output, **options), output)


def _say_report(report: ReportFile, output: str) -> None:
    """Print what a page begins with, and where it is."""
    chosen = report["recommended"]
    for note in report["notes"]:
        say(f"note: {note}")
    say(f"read as: {report['read_as']}")
    say(report["decision"])
    say(report["sentence"])
    say(f"wrote {output}; recommended map: {chosen['name']} ({chosen['reason']})")


def _new_report() -> str:
    """Return the usual name of a report, where there is none yet."""
    if Path(REPORT).exists():
        raise ValueError(f"{REPORT} is there already: say which by -o NAME.html")
    return REPORT


def _check(arguments: argparse.Namespace) -> int:
    """Print numbers and verdicts; the exit status is 3 where a rule is broken."""
    has_memory = arguments.memory is not None
    # first, since a file that is no memory is refused before the work
    memory = read_memory(arguments.memory) if has_memory else None
    outputs, base = _held_to(arguments)
    rules = Rules.of(
        arguments.max, arguments.min, arguments.max_risk, base, arguments.seed
    )
    _say_notes(notes_on(outputs))
    numbers, verdicts = check(outputs, rules)
    # who asks for nothing gets all numbers
    if rules == Rules(seed=arguments.seed) and not has_memory:
        _print_numbers(numbers)
    status = _print_verdicts(verdicts)
    if not has_memory:
        return status
    return _worse(status, _remember(outputs, memory, arguments))


def _say_notes(notes: Iterable[Note | str]) -> None:
    """Print notes where they are in nobody's way: numbers may be piped."""
    for note in notes:
        say(f"calib: note: {note}", file=sys.stderr)


def _print_numbers(numbers: Numbers) -> None:
    for name, row in numbers.items():
        say(f"{name:32s} {number_in_words(row)}")


def _print_verdicts(verdicts: list[Verdict]) -> int:
    """Print a line for each rule, and return the exit status."""
    for verdict in verdicts:
        say(f"{'ok    ' if verdict.holds else 'BROKEN'} {verdict.line}")
    return 0 if all(verdict.holds for verdict in verdicts) else 3


def _held_to(
    arguments: argparse.Namespace,
) -> tuple[ModelOutputs, Base | SavedNumbers | None]:
    """Return outputs, and what they are held to: a report, other outputs, or nothing."""
    options, against = reading_options(arguments), arguments.against
    saved = None if against is None else saved_base(against)
    if against is None or saved is not None:
        return read(arguments.predictions, **options), saved
    first, outputs = read_two(against, arguments.predictions, **options)
    return outputs, Base(Path(against).name, first)


def _remember(
    outputs: ModelOutputs, memory: Memory | None, arguments: argparse.Namespace
) -> int:
    """Add a look to a memory, print what it comes to, and return the status of that."""
    memory, additions = watch(
        outputs,
        memory,
        Path(arguments.predictions).name,
        model=arguments.model_name,
        tolerance=arguments.tolerance,
        by_class=arguments.by_class,
    )
    write_memory(memory, arguments.memory)
    _say_notes(additions)
    verdict, lines = report_lines(memory)
    for line in lines:
        say(line)
    return STATUS[verdict]


def _worse(first: int, second: int) -> int:
    """Return the status that says more: a broken rule before too few labels."""
    return 3 if 3 in (first, second) else max(first, second)


def _join(arguments: argparse.Namespace) -> None:
    memories = []
    for path in arguments.memories:
        memory = read_memory(path)
        if memory is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        memories.append(memory)
    joined = join(memories)
    write_memory(joined, arguments.output)
    say(f"wrote {arguments.output}: {len(joined.looks)} looks")


def number_in_words(row: Number) -> str:
    """Write a number, its interval, and what a calibrated model would show."""
    text = decimals(row["value"])
    if "low" in row:
        text += f" ({interval(row)})"
    if "chance" in row:
        text += f"  calibrated: {decimals(row['chance'], like=row['value'])}"
    return text


def _look(arguments: argparse.Namespace) -> int:
    """Print how a file is read, or could be; the exit status is 2 where that is not yet said."""
    # looking writes nothing, so that no doubt has to be overruled
    options = {
        name: value
        for name, value in reading_options(arguments).items()
        if name != "yes"
    }
    readings = propose(arguments.predictions, **options)
    if readings[0].options.changed() == Options.of(**options).changed():
        say(f"{_files(arguments)} is read so:")
        say(reading_in_words(readings[0], typed_words(arguments)))
        return 0
    say(proposals_in_words(readings, typed_words(arguments)))
    return 2


def _files(arguments: argparse.Namespace) -> str:
    files = arguments.predictions
    return ", ".join(files) if isinstance(files, list) else str(files)


def _compare(arguments: argparse.Namespace) -> None:
    """Print the numbers of two models beside each other, and a sentence."""
    first, second = read_two(
        arguments.first, arguments.second, **reading_options(arguments)
    )
    rows = compare(first, second, seed=arguments.seed)
    if arguments.json:
        _print_json(rows)
        return
    # how each file was read `calib look` tells; here counts whether both were read alike
    notes = [*first.notes, *second.notes]
    _say_notes(note for note in notes if note.about == "options")
    _say_notes(notes_of_unmatched(first, second))
    _print_differences(rows)
    say(comparison_in_words(rows))


def _print_differences(rows: dict[str, Difference]) -> None:
    """Print a table, a number a line, and why differences are refused, once."""
    print(f"{'':22s} {'first':>10s} {'second':>10s}   difference (95 %)")
    for name, row in rows.items():
        print(_line_of_difference(name, row))
    refusals = [row["refused"] for row in rows.values() if "refused" in row]
    if refusals:
        say(f"Of a difference that is refused, such as the first: {refusals[0]}")


def _line_of_difference(name: str, row: Difference) -> str:
    """Return a line: both numbers, and their difference with its interval."""
    values = f"{decimals(row['first']):>10s} {decimals(row['second']):>10s}"
    if "refused" in row:
        return f"{name:22s} {values}   refused, as below"
    ends = written_ends(row, like=row["difference"]) or "unknown"
    return f"{name:22s} {values}   {decimals(row['difference'])} ({ends})"


def _apply(arguments: argparse.Namespace) -> None:
    if arguments.output == "-":
        _apply_to_stdout(arguments)
        return
    _apply_to(arguments.output, arguments)
    say(f"wrote {arguments.output}")


def _apply_to(place: Any, arguments: argparse.Namespace) -> None:
    options = reading_options(arguments)
    _say_notes(apply_map(arguments.map, arguments.predictions, place, **options))


def _apply_to_stdout(arguments: argparse.Namespace) -> None:
    # the name of a file has to be invented, since its ending is a format
    ending = ending_of(arguments.predictions)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / f"out{ending if ending in TABLES else '.npz'}"
        _apply_to(place, arguments)
        sys.stdout.flush()
        sys.stdout.buffer.write(place.read_bytes())


def _export(arguments: argparse.Namespace) -> None:
    export_map(arguments.map, arguments.output)
    say(f"wrote {arguments.output}")


def _demo(arguments: argparse.Namespace) -> None:
    """Write logits of an overconfident model of four fruits, with labels and orchards."""
    output = output_path(arguments.output, ".csv")
    write_together({output: "\n".join([*example_lines(), ""]).encode()})
    more = f"{arguments.output} --groups orchard -o report.html"
    say(f"wrote {arguments.output}; now: calib report {more}")


RUN: dict[str, Callable[[argparse.Namespace], int | None]] = {
    "report": _report,
    "check": _check,
    "join": _join,
    "look": _look,
    "compare": _compare,
    "apply": _apply,
    "export": _export,
    "demo": _demo,
}


def readings_proposed(
    error: ReadingError, arguments: argparse.Namespace
) -> list[Reading]:
    """Return how the file of a command could be read; ReadingError where it could not."""
    options, time = reading_options(arguments), getattr(arguments, "time", None)
    if arguments.command not in ("report", "check", "compare") or options.get("yes"):
        raise error
    source = _file_of_error(error, arguments)
    if time is None:
        return propose(source, **options)
    # a column of dates is no label and no score, and no option of reading either
    groups = options["groups"]
    readings = propose(source, **options | {"groups": [*groups, time]})
    return [replace(r, options=r.options.but(groups=tuple(groups))) for r in readings]


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
        say(f"calib: {reason}", file=sys.stderr)
        if isinstance(reason, NotSaidError):
            say(CONTRACT, file=sys.stderr)
        return 2
    text = proposals_in_words(readings, typed_words(arguments))
    say(f"calib: {error}\nnothing is written. {text}", file=sys.stderr)
    return _run_so(readings[0], arguments) if _is_wanted() else 2


def _is_wanted() -> bool:
    """Ask at a terminal whether to read a file so."""
    # a script must not hang on a question
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print("read it so? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _run_so(chosen: Reading, arguments: argparse.Namespace) -> int:
    """Run a command with the options of a reading."""
    for name, value in chosen.options.changed().items():
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
    for name in {"predictions", "first"} & {*vars(arguments)}:
        value = getattr(arguments, name)
        files = value if isinstance(value, list) else [value]
        if "-" in files:
            # what is piped can be read once, and tried again from a file
            place = _saved_input(Path(folder))
            files = [place if path == "-" else path for path in files]
        setattr(arguments, name, files if len(files) > 1 else files[0])


def _saved_input(folder: Path) -> str:
    """Write standard input into a file, whose first bytes say its format."""
    content = sys.stdin.buffer.read()
    ending = next((e for b, e in BEGINNINGS.items() if content.startswith(b)), ".csv")
    place = folder / f"stdin{ending}"
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
        return _refused(error)


def _refused(error: BaseException) -> int:
    """Say in one line why a command ended, and return its exit status."""
    if isinstance(error, KeyboardInterrupt):
        return refuse("interrupted, nothing is written", 130)
    if isinstance(error, MemoryError):
        return refuse(f"not enough memory: {error}", 1)
    if isinstance(error, ModuleNotFoundError):
        return refuse(f"{error}{how_to_install(error.name)}")
    return _refused_by_system(error) if isinstance(error, OSError) else refuse(error)


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
