"""Command line: ``calib report|metrics|compare|apply|plot|export|study|demo``."""

import argparse
import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from calib import __version__
from calib.extras import how_to_install
from calib.signals import one_interruption

EXAMPLES = """\
examples:
  calib demo predictions.csv                     write a file to try the rest with
  calib report predictions.csv -o report.html    one page, its numbers, the map if one helps
  calib report log.jsonl --groups doc.subject -o report.html
  calib report samples_mmlu_*.jsonl --groups file -o mmlu.html
  calib report scan.npz --ignore-index 255 -o report.html
  calib report ward.csv --cost alarm=sick,false_alarm=1,miss=10 --priors sick=0.03 -o report.html
  calib report predictions.csv --coverage 0.8 -o report.html
  calib metrics predictions.csv --json
  calib compare before.npz after.npz
  calib apply report-map.npz new.csv -o calibrated.csv
  calib plot predictions.csv -o diagram.svg
  calib export report-map.npz -o map.onnx
  calib study --map my_map.py:MyMap -o mine.html

exit status:
  0  done
  1  not enough memory, or a fault of calib
  2  the input or the command is not what it should be; nothing is written
  130  interrupted; nothing is written
"""


def parser() -> Any:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(
        prog="calib",
        description="Measure and repair the calibration of a classifier.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"calib {__version__}")
    commands = top.add_subparsers(dest="command", required=True)

    report = commands.add_parser("report", help="write a report as one HTML page")
    report.add_argument("predictions", nargs="+", help=FILES)
    report.add_argument("-o", "--output", required=True, help="the page, NAME.html")
    report.add_argument(
        "--cost",
        help="alarm=CLASS,false_alarm=1,miss=10 of two classes (the second if nothing is said), or "
        "a csv file of numbers: a row a class, a column a decision",
    )
    report.add_argument(
        "--priors", help="class frequencies to come: sick=0.03, or in the order of the classes"
    )
    report.add_argument(
        "--coverage", type=float, help="share of answers to keep: below which confidence to decline"
    )
    report.add_argument("--risk", type=float, help="the same for a share of errors among the kept")
    report.add_argument("--book", help="address of the book, for links to its chapters")

    metrics = commands.add_parser("metrics", help="print every metric")
    metrics.add_argument("predictions", nargs="+", help=FILES)
    metrics.add_argument("--json", action="store_true", help="print JSON")

    compare = commands.add_parser(
        "compare", help="two models, or before and after, on the same samples"
    )
    compare.add_argument("first")
    compare.add_argument("second", help="as the first: the same samples in the same order")
    compare.add_argument("--json", action="store_true", help="print JSON")

    plot = commands.add_parser("plot", help="draw the reliability diagram")
    plot.add_argument("predictions", nargs="+", help=FILES)
    plot.add_argument("-o", "--output", required=True, help="NAME.svg")

    apply = commands.add_parser("apply", help="apply a map that a report saved")
    apply.add_argument("map", help="NAME-map.npz of a report")
    apply.add_argument("predictions", help="as for a report; labels are not needed")
    apply.add_argument("-o", "--output", required=True, help="in the format of the file, or npz")
    apply.add_argument("--old-priors", help="where the map was fitted; by default as the map holds")
    apply.add_argument("--priors", help="class frequencies to come: sick=0.03, or 0.97,0.03")

    export = commands.add_parser("export", help="write a saved map for other programs")
    export.add_argument("map", help="NAME-map.npz of a report")
    export.add_argument("-o", "--output", required=True, help="NAME.json, NAME.onnx or NAME.pt")

    study = commands.add_parser("study", help="rank a map of your own among those of calib")
    study.add_argument("--map", required=True, metavar="FILE.py:CLASS", help="the map; it is run")
    study.add_argument("-o", "--output", required=True, help="the page, NAME.html")
    study.add_argument("--jobs", type=int, default=2, help="processes; default: 2")
    study.add_argument("--backend", default="loky", help="of joblib: loky, threading, dask, …")
    study.add_argument("--scheduler", help="address of a Dask cluster; by default a local one")

    demo = commands.add_parser("demo", help="write example predictions to try the rest with")
    demo.add_argument("output", help="NAME.csv or NAME.npz")

    for command in (report, metrics, compare, plot):
        _add_reading(command)
        command.add_argument("--seed", type=seed, default=0, help="of folds and resamples")
    for command in (report, metrics):
        add = command.add_argument
        add("--groups", action="append", default=[], metavar="COLUMN", help="errors for each value")
    for command in (report, metrics, compare, plot, apply):
        add = command.add_argument
        add("--y", metavar="NAME", help="array or column of the labels")
        add("--ids", metavar="COLUMN", help="names of the samples")
        add("--pairs", action=argparse.BooleanOptionalAction, help=PAIRS)
    for command in (report, metrics, compare, plot, apply):
        add = command.add_argument
        add("--scores", metavar="NAME", help="array, column, or what columns begin with")
        add("--ignore", action="append", default=[], metavar="COLUMN", help="to skip")
        add("--atol", type=float, help="accept rows of probabilities that sum to 1 within this")
        add("--kind", choices=["logits", "probabilities"], help="where nothing else says it")
    return top


PAIRS = "one column of scores is a confidence, and the labels say whether the answer was right"
FILES = "npz, npy, csv, tsv, parquet, feather, json, jsonl, pt or safetensors; see the book"


def _add_reading(command: Any) -> None:
    add = command.add_argument
    add("--labels", metavar="FILE", help="a second file, of the labels alone")
    add("--labels-from", type=int, default=0, choices=[0, 1], help="number of the first class")
    add("--classes", metavar="FILE", help="text file, one class name a line")
    add("--clusters", metavar="COLUMN", help="what belongs together: intervals resample it whole")
    told = {"metavar": "COLUMN", "help": "leave out rows where it is empty, and say how many"}
    add("--leave-out-empty", action="append", default=[], **told)
    add("--ignore-index", type=int, metavar="LABEL", help="leave out samples with this label")
    add("--multilabel", action="store_true", help="one-hot labels are yes-or-no questions")
    add("--class-axis", type=int, metavar="AXIS", help="of the classes, 1 or -1, in images")


def seed(text: Any) -> Any:
    """Return a seed, an integer that is not negative."""
    value = int(text)
    if value < 0:
        raise ValueError
    return value


def class_names(path: Any) -> list[Any] | None:
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

    def __call__(self, what: Any) -> None:
        if self.terminal:
            print(f"\r\033[K{what} …", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - self.told > 1:
            self.told = time.monotonic()
            print(f"calib: {what} …", file=sys.stderr, flush=True)

    def done(self) -> None:
        """Clear the line."""
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def source(arguments: Any) -> str | list[str]:
    """Return the file that a command reads, or a list of several."""
    files: list[str] = arguments.predictions
    return files[0] if len(files) == 1 else files


def reading(arguments: Any) -> dict[str, Any]:
    """Return the options of `calib.read` that a command was given."""
    names = ["y", "scores", "kind", "labels", "labels_from", "clusters", "ids"]
    names += ("ignore", "ignore_index", "leave_out_empty", "multilabel", "pairs")
    names += ("class_axis", "atol")
    found = {name: getattr(arguments, name) for name in names}
    found["groups"] = getattr(arguments, "groups", ())
    return found | {"classes": class_names(arguments.classes)}


def _report(arguments: Any) -> None:
    from calib import report

    progress, names = Progress(), ("seed", "priors", "coverage", "risk", "book")
    try:
        found = report.make_report(
            source(arguments),
            arguments.output,
            progress=progress,
            costs=arguments.cost,
            **{name: getattr(arguments, name) for name in names},
            **reading(arguments),
        )
    finally:
        progress.done()
    for note in found["notes"]:
        print(f"note: {note}")
    print(found["sentence"])
    chosen = found["recommended"]
    print(f"wrote {arguments.output}; recommended map: {chosen['name']} ({chosen['reason']})")


def _metrics(arguments: Any) -> None:
    import numpy as np

    from calib.reading import read
    from calib.report.comparison import unchanged
    from calib.report.decisions import group_table
    from calib.report.measurement import numbered, other_numbers
    from calib.report.page import notes, six_numbers, without_infinities
    from calib.report.sentence import decimals, interval

    outputs = read(source(arguments), **reading(arguments))
    for note in notes(outputs):
        print(f"calib: note: {note}", file=sys.stderr)
    progress = Progress()
    try:
        progress("losses of each sample")
        one, clusters = unchanged(outputs), numbered(outputs.clusters)
        rng = np.random.default_rng(arguments.seed)
        progress("six numbers with their intervals")
        found = six_numbers(outputs, one, rng=rng)
        progress("the other metrics")
        found |= other_numbers(outputs, clusters, rng=rng)
    finally:
        progress.done()
    pairs = outputs.pairs
    groups = {
        name: group_table(pairs, pairs, group, clusters) for name, group in outputs.groups.items()
    }
    if arguments.json:
        told = found | ({"groups": groups} if groups else {})
        print(json.dumps(without_infinities(told), indent=1, allow_nan=False))
        return
    for name, number in found.items():
        inside = f" ({interval(number)})" if "low" in number else ""
        chance = decimals(number["chance"], like=number["value"]) if "chance" in number else ""
        beside = f"  calibrated: {chance}" if chance else ""
        print(f"{name:30s} {decimals(number['value'])}{inside}{beside}")
    for name, rows in groups.items():
        print(f"\n{name}: confidence less accuracy, * where it is clear of chance (Holm)")
        for row in rows:
            gap = row["before"]
            mark = " *" * gap["flagged"]
            print(f"{row['group']:30s} {decimals(gap['value'])} ({interval(gap)}){mark}")


def _compare(arguments: Any) -> None:
    from calib.reading import read
    from calib.report import compare_two, decimals
    from calib.report.page import without_infinities

    first, second = (read(p, **reading(arguments)) for p in (arguments.first, arguments.second))
    progress = Progress()
    try:
        found = compare_two(first, second, seed=arguments.seed, progress=progress)
    finally:
        progress.done()
    if arguments.json:
        print(json.dumps(without_infinities(found), indent=1, allow_nan=False))
        return
    print(f"{'':22s} {'first':>10s} {'second':>10s}   difference (95 %)")
    for name, row in found.items():
        values = " ".join(f"{decimals(row[which]):>10s}" for which in ("first", "second"))
        ends = [row[end] for end in ("low", "high") if end in row]
        change = " to ".join(decimals(end, like=row["difference"]) for end in ends) or "unknown"
        print(f"{name:22s} {values}   {decimals(row['difference'])} ({change})")


def _apply(arguments: Any) -> None:
    from calib import report

    if arguments.old_priors and not arguments.priors:
        raise ValueError("--old-priors needs --priors, the class frequencies to come")
    names = ("y", "scores", "kind", "pairs", "atol", "priors", "old_priors")
    options = {name: getattr(arguments, name) for name in names}
    options["ignore"] = tuple(arguments.ignore)
    options |= {} if arguments.ids is None else {"ids": arguments.ids}
    report.apply_map(arguments.map, arguments.predictions, arguments.output, **options)
    print(f"wrote {arguments.output}")


def _plot(arguments: Any) -> None:
    import base64

    from calib.files import write_whole
    from calib.reading import read
    from calib.report.comparison import unchanged
    from calib.report.figures import reliability
    from calib.report.page import WORDS, output_path

    output = output_path(arguments.output, ".svg")
    outputs = read(source(arguments), **reading(arguments))
    drawn = reliability(unchanged(outputs).losses, WORDS[outputs.task])
    write_whole(output, base64.b64decode(drawn))
    print(f"wrote {output}")


def _export(arguments: Any) -> None:
    from calib.export import export_map

    export_map(arguments.map, arguments.output)
    print(f"wrote {arguments.output}")


def _demo(arguments: Any) -> None:
    from calib.reading.files import extra
    from calib.report.demo import write_demo

    if Path(arguments.output).suffix.lower() == ".csv":
        extra("pandas", "a table back")
    write_demo(arguments.output)
    print(f"wrote {arguments.output}; now: calib report {arguments.output} -o report.html")


def _study(arguments: Any) -> None:
    from calib.arena.study import on_backend, study

    path, _, name = arguments.map.rpartition(":")
    if not path:
        raise ValueError(f"--map: {arguments.map!r}, expected FILE.py:CLASS")
    n_jobs = arguments.jobs
    with on_backend(arguments.backend, n_jobs=n_jobs, scheduler=arguments.scheduler):
        progress = sys.stderr.isatty()
        row = study(path, name, arguments.output, n_jobs=n_jobs, progress=progress)
    if row["failures"]:
        failed = f"{len(row['failures'])} of {row['cases']} fits failed"
        refuse(f"{failed} and count as the network as it is, the first: {row['failures'][0]}")
    low, high = row["low"], row["high"]
    gain = f"{row['gain']:+.1f} ({low:+.1f} to {high:+.1f})"
    print(f"wrote {arguments.output}; gain over one temperature, thousandths of a nat: {gain}")


COMMANDS = {
    "report": _report,
    "metrics": _metrics,
    "compare": _compare,
    "apply": _apply,
    "plot": _plot,
    "export": _export,
    "study": _study,
    "demo": _demo,
}


def refuse(reason: Any, status: int = 2) -> int:
    """Print one line on stderr and return the exit status, that of wrong input by default."""
    print("calib:", " ".join(str(reason).splitlines()), file=sys.stderr)
    return status


def main(argv: Any = None) -> int:
    """Run the command line; wrong input gets one line and exit status 2."""
    arguments = parser().parse_args(argv)
    try:
        with one_interruption():
            COMMANDS[arguments.command](arguments)
            sys.stdout.flush()
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
        print("calib: interrupted, nothing is written", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
