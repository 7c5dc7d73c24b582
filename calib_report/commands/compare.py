"""``calib compare``: two models on the same samples, read alike and compared in pairs."""

import argparse
from typing import Any

from calib_report.commands.arguments import reading_options
from calib_report.commands.printing import print_json, say, say_notes
from calib_report.measuring.two_models import compare, notes_of_unmatched
from calib_report.model_outputs import ModelOutputs
from calib_report.reading.reader import read_either
from calib_report.schema import Difference
from calib_report.wording.rendering import decimals, written_ends
from calib_report.wording.words import comparison_in_words


def read_two(
    first: Any, second: Any, **reading: Any
) -> tuple[ModelOutputs, ModelOutputs]:
    """Read the outputs of two models with the same options, see :func:`calib_report.read`.

    Options are for those that need them: one that keeps the contract, as what `calib apply` writes
    of a file in per cent or of log odds, is read without where it cannot be read with them, and a
    note says so.
    """
    return read_either(first, reading), read_either(second, reading)


def run(arguments: argparse.Namespace) -> None:
    """Print the numbers of two models beside each other, and a sentence."""
    first, second = read_two(
        arguments.first, arguments.second, **reading_options(arguments)
    )
    rows = compare(first, second, seed=arguments.seed)
    if arguments.json:
        print_json(rows)
        return
    # how each file was read `calib look` tells; here counts whether both were read alike
    notes = [*first.notes, *second.notes]
    say_notes(note for note in notes if note.about == "options")
    say_notes(notes_of_unmatched(first, second))
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
