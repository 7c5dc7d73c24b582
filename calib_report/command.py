"""Command line: ``calib report|check|compare|apply|export|demo``."""

import argparse
import json
import os
import shlex
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from calib import __version__
from calib_report.extras import how_to_install
from calib_report.signals import one_interruption
from calib_report.words import decimals, interval, visible

FILE = """\
what a file must look like, in three lines:
  a table     a column `label`, and a column a class that bears its name (or logit_NAME, p_NAME)
  an archive  npz or torch: an array `y`, and one named `logits` or `probabilities`, (n, K)
  pairs       a column `confidence` from 0 to 1, and a column `correct`
"""
EXAMPLES = """\
examples:
  calib demo predictions.csv                     write a file to try the rest with
  calib report predictions.csv --groups orchard -o report.html
  calib report log.jsonl --groups doc.subject -o report.html
  calib report ward.csv --cost alarm=sick,false_alarm=1,miss=10 --priors sick=0.03 -o report.html
  calib report predictions.csv --time day -o report.md
  calib report - -o - < predictions.csv          the numbers alone, as JSON
  calib check new.csv --max ece=0.05 --max-risk 0.05 --against report.json
  calib compare before.npz after.npz
  calib apply report-map.json new.csv -o calibrated.csv
  calib export report-map.json -o map.onnx

exit status:
  0  done
  1  not enough memory, or a fault of calib
  2  the input or the command is not what it should be; nothing is written
  3  a rule of calib check does not hold
  130  interrupted; nothing is written
"""
FILES = "npz, npy, csv, tsv, parquet, feather, json, jsonl, pt or safetensors; - reads stdin"
PAIRS = "one column of scores is a confidence, and the labels say whether the answer was right"
BEGINNINGS = {b"PK\x03\x04": ".npz", b"PAR1": ".parquet", b"[": ".json", b"{": ".jsonl"}


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    plain = argparse.RawDescriptionHelpFormatter
    description = "Measure and repair the calibration of a classifier."
    top = argparse.ArgumentParser(
        prog="calib", description=description, epilog=f"{FILE}\n{EXAMPLES}", formatter_class=plain
    )
    top.add_argument("--version", action="version", version=f"calib {__version__}")
    commands = top.add_subparsers(dest="command")

    def command(name: str, does: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name, help=does, description=f"{does[0].upper()}{does[1:]}.", epilog=FILE,
            formatter_class=plain,
        )  # fmt: skip

    report = command("report", "write a report as one page")
    check = command("check", "print the numbers, and hold them to rules")
    for each in (report, check):
        each.add_argument("predictions", nargs="+", help=FILES)
    told = "NAME.html, NAME.md (a model card), NAME.json, or - for the numbers"
    report.add_argument("-o", "--output", required=True, help=told)
    rules = check.add_argument_group("rules", "broken where the 95 %% interval is beyond the bound")
    rules.add_argument("--max", action="append", default=[], metavar="NAME=NUMBER", help="ece=0.05")
    rules.add_argument("--min", action="append", default=[], metavar="NAME=NUMBER", help="auroc=.8")
    told = "share of errors allowed among answers that are decided alone"
    rules.add_argument("--max-risk", type=float, metavar="SHARE", help=told)
    told = "not worse than these: outputs on the same samples, or the report.json of others"
    rules.add_argument("--against", metavar="FILE", help=told)
    _add_question(report.add_argument_group("what to ask"))
    compare = command("compare", "compare two models, or before and after, on the same samples")
    compare.add_argument("first", help=FILES)
    compare.add_argument("second", help="as the first; matched by --ids, else by their order")
    compare.add_argument("--json", action="store_true", help="print JSON")
    for each in (report, check, compare):
        _add_reading(each.add_argument_group("reading", "where names leave something open"))
        group = each.add_argument_group("intervals")
        group.add_argument("--clusters", metavar="COLUMN", help="what is resampled whole")
        group.add_argument("--seed", type=int, default=0, help="of folds and resamples")
    apply = command("apply", "apply a map that a report saved")
    apply.add_argument("map", help="the map of a report")
    apply.add_argument("predictions", help="as for a report; labels are not needed")
    apply.add_argument("-o", "--output", required=True, help="in the format of the file, npz, or -")
    apply.add_argument("--old-priors", help="where the map was fitted; by default as the map holds")
    apply.add_argument("--priors", help="class frequencies to come: sick=0.03, or 0.97,0.03")
    _add_scores(apply.add_argument_group("reading"))
    export = command("export", "write a saved map for other programs")
    export.add_argument("map", help="the map of a report")
    export.add_argument("-o", "--output", required=True, help="NAME.json, NAME.onnx or NAME.pt")
    demo = command("demo", "write example predictions to try the rest with")
    demo.add_argument("output", help="NAME.csv or NAME.npz")
    return top


def _add_question(group: Any) -> None:
    add = group.add_argument
    add("--groups", action="append", default=[], metavar="COLUMN", help="errors for each value")
    add("--time", metavar="COLUMN", help="numbers or dates: calibration in their order, its trend")
    add("--cost", dest="costs", help="alarm=CLASS,false_alarm=1,miss=10, or a csv file of numbers")
    add("--priors", help="class frequencies to come: sick=0.03, or in the order of the classes")
    add("--coverage", type=float, help="share of answers to keep: which confidence to decline")
    add("--risk", type=float, help="the same for a share of errors among the kept")
    add("--book", help="address of the book, for links to its chapters")
    add("--date", help="when it was made, if not now or at SOURCE_DATE_EPOCH")


def _add_scores(group: Any) -> None:
    add = group.add_argument
    add("--y", metavar="NAME", help="array or column of the labels")
    add("--ids", metavar="COLUMN", help="names of the samples")
    add("--scores", metavar="NAME", help="array, column, or what columns begin with")
    add("--kind", choices=["logits", "probabilities"], help="where nothing else says it")
    add("--pairs", action=argparse.BooleanOptionalAction, help=PAIRS)
    add("--ignore", action="append", default=[], metavar="COLUMN", help="to skip; may be repeated")
    parts = "probabilities are per cent, or parts of this number"
    add("--percent", type=float, nargs="?", const=100.0, metavar="100", help=parts)
    add("--atol", type=float, help="accept rows of probabilities that sum to 1 within this")


def _add_reading(group: Any) -> None:
    _add_scores(group)
    add = group.add_argument
    add("--labels", metavar="FILE", help="a second file, of the labels; joined on ids of both")
    add("--labels-from", type=int, choices=[0, 1], help="number of the first class")
    add("--classes", metavar="FILE", help="text file, one class name a line")
    told = {"metavar": "COLUMN", "help": "leave out rows where it is empty, and say how many"}
    add("--leave-out-empty", action="append", default=[], **told)
    one = "leave out samples with this label"
    add("--ignore-index", type=int, action="append", default=[], metavar="LABEL", help=one)
    add("--positive", metavar="LABEL", help="the label of which one column is the probability")
    add("--multilabel", action="store_true", help="one-hot labels are yes-or-no questions")
    add("--class-axis", type=int, metavar="AXIS", help="of the classes, 1 or -1, in images")


READING = (
    *("y", "ids", "scores", "kind", "pairs", "ignore", "atol", "labels", "labels_from"),
    *("leave_out_empty", "ignore_index", "multilabel", "class_axis", "clusters"),
    *("positive", "percent"),
)
QUESTION = ("costs", "priors", "coverage", "risk", "time", "book", "date", "seed")


def source(arguments: argparse.Namespace) -> str | list[str]:
    """Return the file that a command reads, or a list of several."""
    files: list[str] = arguments.predictions
    return files[0] if len(files) == 1 else files


def reading(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `calib_report.read` that a command was given."""
    found = {name: getattr(arguments, name) for name in READING}
    found["groups"] = getattr(arguments, "groups", ())
    return found | {"classes": _class_names(arguments.classes)}


def _class_names(path: str | None) -> list[str] | None:
    """Return the lines of a file of class names; None without a file."""
    if path is None:
        return None
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not a text file: {error}") from None
    return [line.strip() for line in text.splitlines() if line.strip()]


class Progress:
    """Says on stderr what is being done: on a terminal in one line, else a line each second."""

    def __init__(self) -> None:
        self.terminal, self.told = sys.stderr.isatty(), time.monotonic()

    def __call__(self, what: str) -> None:
        if self.terminal:
            print(f"\r\033[K{what} …", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - self.told > 1:
            self.told = time.monotonic()
            print(f"calib: {what} …", file=sys.stderr, flush=True)

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def say(text: str, **where: Any) -> None:
    """Print lines; what steers a terminal is written as its code."""
    print("\n".join(map(visible, text.split("\n"))), **where)


def _print_json(found: Any) -> None:
    from calib_report.page import without_infinities

    print(json.dumps(without_infinities(found), indent=1, allow_nan=False))


def _report(arguments: argparse.Namespace) -> int:
    from calib_report.page import make_report

    options = {name: getattr(arguments, name) for name in QUESTION} | reading(arguments)
    output = None if arguments.output == "-" else arguments.output
    with Progress() as progress:
        found = make_report(
            source(arguments), output, progress=progress, command=arguments.typed, **options
        )
    if output is None:
        _print_json(found)
        return 0
    for note in found["notes"]:
        say(f"note: {note}")
    say(found["sentence"])
    chosen = found["recommended"]
    say(f"wrote {output}; recommended map: {chosen['name']} ({chosen['reason']})")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from calib_report.check import numbers, rules
    from calib_report.page import notes
    from calib_report.table import read

    outputs = read(source(arguments), **reading(arguments))
    for note in notes(outputs):
        say(f"calib: note: {note}", file=sys.stderr)
    with Progress() as progress:
        found, own = numbers(outputs, arguments.seed, progress)
        told = list(rules(outputs, found, own, arguments))
    for name, number in found.items() if not told else ():
        inside = f" ({interval(number)})" if "low" in number else ""
        beside = decimals(number["chance"], like=number["value"]) if "chance" in number else ""
        calibrated = f"  calibrated: {beside}" if beside else ""
        say(f"{name:30s} {decimals(number['value'])}{inside}{calibrated}")
    for holds, text in told:
        say(f"{'ok    ' if holds else 'BROKEN'} {text}")
    return 0 if all(holds for holds, _ in told) else 3


def _compare(arguments: argparse.Namespace) -> int:
    from calib_report.comparison import compare_two
    from calib_report.table import read

    first, second = (read(p, **reading(arguments)) for p in (arguments.first, arguments.second))
    with Progress() as progress:
        found = compare_two(first, second, seed=arguments.seed, progress=progress)
    if arguments.json:
        _print_json(found)
        return 0
    print(f"{'':22s} {'first':>10s} {'second':>10s}   difference (95 %)")
    for name, row in found.items():
        values = " ".join(f"{decimals(row[which]):>10s}" for which in ("first", "second"))
        ends = [row[end] for end in ("low", "high") if end in row]
        change = " to ".join(decimals(end, like=row["difference"]) for end in ends) or "unknown"
        print(f"{name:22s} {values}   {decimals(row['difference'])} ({change})")
    return 0


def _apply(arguments: argparse.Namespace) -> int:
    from calib_report.apply import apply_map

    if arguments.old_priors and not arguments.priors:
        raise ValueError("--old-priors needs --priors, the class frequencies to come")
    names = ("y", "scores", "kind", "pairs", "atol", "percent", "priors", "old_priors")
    options = {name: getattr(arguments, name) for name in names}
    options |= {} if arguments.ids is None else {"ids": arguments.ids}
    source, output = arguments.predictions, arguments.output
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / f"out{Path(source).suffix}" if output == "-" else output
        apply_map(arguments.map, source, place, ignore=tuple(arguments.ignore), **options)
        if output == "-":
            sys.stdout.flush()
            sys.stdout.buffer.write(Path(place).read_bytes())
        else:
            say(f"wrote {output}")
    return 0


def _export(arguments: argparse.Namespace) -> int:
    from calib_report.export import export_map

    export_map(arguments.map, arguments.output)
    say(f"wrote {arguments.output}")
    return 0


def _demo(arguments: argparse.Namespace) -> int:
    from calib_report.demo import write_demo

    write_demo(arguments.output)
    groups = "--groups orchard " * arguments.output.lower().endswith(".csv")
    say(f"wrote {arguments.output}; now: calib report {arguments.output} {groups}-o report.html")
    return 0


COMMANDS = {
    "report": _report,
    "check": _check,
    "compare": _compare,
    "apply": _apply,
    "export": _export,
    "demo": _demo,
}


def refuse(reason: object, status: int = 2) -> int:
    """Print one line on stderr and return the exit status, that of wrong input by default."""
    say(f"calib: {' '.join(str(reason).splitlines())}", file=sys.stderr)
    return status


def _from_stdin(arguments: argparse.Namespace, folder: str) -> None:
    """Put what comes on standard input into a file, where "-" stands for it."""
    for name, given in vars(arguments).items():
        several = given if isinstance(given, list) else [given]
        if name not in ("predictions", "first") or "-" not in several:
            continue
        content = sys.stdin.buffer.read()
        ending = next((e for b, e in BEGINNINGS.items() if content.startswith(b)), ".csv")
        place = Path(folder) / f"stdin{ending}"
        place.write_bytes(content)
        files = [str(place) if path == "-" else path for path in several]
        setattr(arguments, name, files if isinstance(given, list) else files[0])


def main(argv: list[str] | None = None) -> int:
    """Run the command line; wrong input gets one line and exit status 2."""
    arguments = parser().parse_args(argv)
    if arguments.command is None:
        parser().print_help()
        return 0
    arguments.typed = shlex.join(["calib", *(sys.argv[1:] if argv is None else argv)])
    try:
        with one_interruption(), tempfile.TemporaryDirectory() as folder:
            _from_stdin(arguments, folder)
            status = COMMANDS[arguments.command](arguments)
            sys.stdout.flush()
            return status
    except ModuleNotFoundError as error:
        advice = how_to_install(error.name, arguments.command)
        return refuse(str(error).removesuffix(advice) + advice)
    except OSError as error:
        if error.filename is None:  # what was to be printed cannot be
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return refuse(f"{error.filename or 'standard output'}: {error.strerror or error}")
    except MemoryError as error:
        return refuse(f"not enough memory: {error}", 1)
    except ValueError as error:
        return refuse(error)
    except KeyboardInterrupt:
        return refuse("interrupted, nothing is written", 130)


if __name__ == "__main__":
    sys.exit(main())
