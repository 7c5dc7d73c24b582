"""``calib check``: the numbers of a file, held to rules and to a promise that is remembered."""

import argparse
from pathlib import Path

from calib_report.analysing.analysis import notes_on
from calib_report.commands.arguments import files_typed, reading_options
from calib_report.commands.compare import read_two
from calib_report.commands.printing import say, say_notes
from calib_report.gating.changes import Verdict
from calib_report.gating.memory import Memory, remember
from calib_report.gating.memory_files import read_memory, write_memory
from calib_report.gating.promise_verdicts import STATUS, report_lines
from calib_report.gating.references import (
    ReferenceNumbers,
    ReferenceOutputs,
    read_reference,
)
from calib_report.gating.rules import Rules, judge
from calib_report.model_outputs import ModelOutputs
from calib_report.reading.reader import read
from calib_report.schema import Number, Numbers
from calib_report.wording.rendering import decimals, interval


def run(arguments: argparse.Namespace) -> int:
    """Print numbers and verdicts; the exit status is 3 where a rule is broken."""
    has_memory = arguments.memory is not None
    # first, since a file that is no memory is refused before the work
    memory = read_memory(arguments.memory) if has_memory else None
    outputs, reference = _outputs_and_reference(arguments)
    rules = Rules.parsed(
        arguments.max, arguments.min, arguments.max_risk, reference, arguments.seed
    )
    say_notes(notes_on(outputs))
    numbers, verdicts = judge(outputs, rules)
    # who asks for nothing gets all numbers
    if rules == Rules(seed=arguments.seed) and not has_memory:
        _print_numbers(numbers)
    status = _print_verdicts(verdicts)
    if not has_memory:
        return status
    return _worse(status, _remember(outputs, memory, arguments))


def _print_numbers(numbers: Numbers) -> None:
    for name, row in numbers.items():
        say(f"{name:32s} {number_in_words(row)}")


def number_in_words(row: Number) -> str:
    """Write a number, its interval, and what a calibrated model would show."""
    text = decimals(row["value"])
    if "low" in row:
        text += f" ({interval(row)})"
    if "chance" in row:
        text += f"  calibrated: {decimals(row['chance'], like=row['value'])}"
    return text


def _print_verdicts(verdicts: list[Verdict]) -> int:
    """Print a line for each rule, and return the exit status."""
    for verdict in verdicts:
        say(f"{'ok    ' if verdict.holds else 'BROKEN'} {verdict.line}")
    return 0 if all(verdict.holds for verdict in verdicts) else 3


def _outputs_and_reference(
    arguments: argparse.Namespace,
) -> tuple[ModelOutputs, ReferenceOutputs | ReferenceNumbers | None]:
    """Return outputs, and what they are held to: a report, other outputs, or nothing."""
    options, against = reading_options(arguments), arguments.against
    saved = None if against is None else read_reference(against)
    if against is None or saved is not None:
        return read(arguments.predictions, **options), saved
    first, outputs = read_two(against, arguments.predictions, **options)
    return outputs, ReferenceOutputs(Path(against).name, first)


def _remember(
    outputs: ModelOutputs, memory: Memory | None, arguments: argparse.Namespace
) -> int:
    """Add a look to a memory, print what it comes to, and return the status of that."""
    memory, additions = remember(
        outputs,
        memory,
        ", ".join(Path(file).name for file in files_typed(arguments)),
        model=arguments.model_name,
        tolerance=arguments.tolerance,
        by_class=arguments.by_class,
    )
    verdict, lines = report_lines(memory)
    say_notes(additions)
    say("\n".join(lines), flush=True)
    # last: what cannot be told is not remembered
    write_memory(memory, arguments.memory)
    return STATUS[verdict]


def _worse(first: int, second: int) -> int:
    """Return the status that says more: a broken rule before too few labels."""
    return 3 if 3 in (first, second) else max(first, second)
