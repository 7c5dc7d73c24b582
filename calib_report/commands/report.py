"""``calib report``: a report on a file, as a page or as its numbers."""

import argparse
from pathlib import Path

from calib_report.commands.arguments import REPORT, reading_options
from calib_report.commands.printing import print_json, say
from calib_report.files.saving import refuse_places
from calib_report.schema import ReportFile
from calib_report.writing.make_report import make_report


def run(arguments: argparse.Namespace) -> None:
    names = ("time", "costs", "coverage", "risk", "date", "seed")
    options = {name: getattr(arguments, name) for name in names} | reading_options(
        arguments
    )
    options["command"] = arguments.typed
    output = arguments.output or _new_report()
    if output == "-":
        print_json(make_report(arguments.predictions, **options))
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
