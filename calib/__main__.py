"""Command line: ``python -m calib report|metrics|apply``."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from calib import __version__
from calib.runner import RunError, one_interruption


def parser() -> Any:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(
        prog="python -m calib", description="Measure and repair the calibration of a classifier."
    )
    top.add_argument("--version", action="version", version=f"calib {__version__}")
    commands = top.add_subparsers(dest="command", required=True)

    report = commands.add_parser("report", help="write a report as one HTML page")
    metrics = commands.add_parser("metrics", help="print every metric with its interval")
    for command in (report, metrics):
        command.add_argument(
            "predictions", help="npz with y and logits or probabilities; csv with a column y; npy"
        )
        command.add_argument("--labels", help="npy file of the labels, for an npy file of scores")
        command.add_argument("--classes", help="text file, one class name a line")
        command.add_argument(
            "--ignore", action="append", default=[], metavar="COLUMN", help="a csv column to skip"
        )
        command.add_argument("--seed", type=seed, default=0, help="of folds and resamples")
    report.add_argument("-o", "--output", required=True, help="the page, NAME.html")
    report.add_argument("--time-limit", type=float, default=3600, help="in seconds")
    metrics.add_argument("--json", action="store_true", help="print JSON")

    apply = commands.add_parser("apply", help="apply a map that a report saved")
    apply.add_argument("map", help="NAME-map.npz of a report")
    apply.add_argument("predictions", help="npz, csv or npy; labels are not needed")
    apply.add_argument("-o", "--output", required=True, help="npz to write, with probabilities")
    apply.add_argument("--ignore", action="append", default=[], metavar="COLUMN")
    for command in (report, metrics, apply):
        command.add_argument(
            "--atol", type=float, help="accept rows of probabilities that sum to 1 within this"
        )
        command.add_argument(
            "--kind", choices=["logits", "probabilities"], help="what a csv or npy holds"
        )
    return top


def seed(text: Any) -> Any:
    """Return a seed, an integer that is not negative."""
    value = int(text)
    if value < 0:
        raise ValueError
    return value


def class_names(path: str | Path) -> Any:
    """Return the lines of a file of class names; None without a file."""
    if path is None:
        return None
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not a text file: {error}") from None
    return [line.strip() for line in text.splitlines() if line.strip()]


def run(arguments: Any) -> Any:
    """Carry out a parsed command."""
    from calib import report
    from calib.outputs import read_outputs

    if arguments.command == "apply":
        options = {"kind": arguments.kind, "ignore": arguments.ignore, "atol": arguments.atol}
        report.apply_map(arguments.map, arguments.predictions, arguments.output, **options)
        print(f"wrote {arguments.output}")
        return
    options = {
        "kind": arguments.kind,
        "ignore": arguments.ignore,
        "atol": arguments.atol,
        "labels": arguments.labels,
        "classes": class_names(arguments.classes),
    }
    if arguments.command == "report":
        found = report.make_report(
            arguments.predictions,
            arguments.output,
            seed=arguments.seed,
            progress=sys.stderr.isatty(),
            time_limit=arguments.time_limit,
            **options,
        )
        chosen = found["recommended"]
        for note in found["notes"]:
            print(f"note: {note}")
        print(f"wrote {arguments.output}; recommended map: {chosen['name']} ({chosen['reason']})")
        return
    outputs = read_outputs(arguments.predictions, **options)
    for note in report.notes(outputs):
        print(f"calib: note: {note}", file=sys.stderr)
    found = report.measure(outputs, seed=arguments.seed, progress=sys.stderr.isatty())
    if arguments.json:
        print(json.dumps(report.without_infinities(found), indent=1, allow_nan=False))
        return
    for name, metric in found.items():
        shown = report.interval(metric) if "low" in metric else report.decimals(metric["value"])
        print(f"{name:22s} {shown}")


def refuse(reason: Any) -> Any:
    """Print one line on stderr and return the exit status of wrong input."""
    print("calib:", " ".join(str(reason).splitlines()), file=sys.stderr)
    return 2


def main(argv: Any = None) -> Any:
    """Run the command line; wrong input gets one line and exit status 2."""
    arguments = parser().parse_args(argv)
    try:
        with one_interruption():
            run(arguments)
    except RunError as error:
        print("calib:", error, file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        return refuse(f"{error}; pip install '.[report]' brings what this needs")
    except OSError as error:
        return refuse(f"{error.filename}: {error.strerror}" if error.filename else error)
    except MemoryError as error:
        return refuse(f"not enough memory: {error}")
    except ValueError as error:
        return refuse(error)
    except KeyboardInterrupt:
        print("calib: interrupted, nothing is written", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
