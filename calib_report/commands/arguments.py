"""The arguments of the command line: what each command takes, in which groups, with help."""

import argparse
from typing import Any

from calib import __version__
from calib_report.contract import CONTRACT, flag_of
from calib_report.files.formats import LOADERS
from calib_report.limits import TOLERANCE
from calib_report.options import KINDS, Options

FORMATS = (
    ", ".join(ending[1:] for ending in LOADERS) + ", also behind .gz, .bz2, .xz, .zip"
)


TYPED_AGAIN = (  # options, but for those of reading
    "time",
    "costs",
    "coverage",
    "risk",
    "max_risk",
    "against",
    "date",
    "max",
    "min",
    "memory",
    "tolerance",
    "by_class",
    "model_name",
    "json",
    "seed",
)
REPORT = "report.html"  # where a report is written unless another place is named
EXAMPLES = """
examples:
  calib demo predictions.csv                     write a file to try the rest with
  calib look predictions.csv                     how it would be read
  calib report predictions.csv --groups orchard -o report.html
  calib report log.jsonl --groups doc.subject -o report.html
  calib report answers.csv --y gold --predicted answer --scores confidence -o report.html
  calib report ward.csv --cost alarm=sick,false_alarm=1,miss=10 -o report.html
  calib report predictions.csv --time day -o report.md
  calib report - -o - < predictions.csv          the numbers alone, as JSON
  calib check new.csv --max ece=0.05 --max-risk 0.05 --against report.json
  calib check week-14.csv --memory gate.json     a gate that may be looked at every week
  calib join gate-a.json gate-b.json -o gate.json
  calib compare before.npz after.npz
  calib apply report-map.json new.csv -o calibrated.csv
  calib export report-map.json -o map.onnx

exit status:
  0  done
  1  not enough memory, or a fault of calib
  2  the input or the command is not what it should be; nothing is written
  3  a rule of calib check does not hold
  4  what a memory holds is too little to tell: more labels are needed
  130  interrupted; nothing is written
"""


def parser() -> argparse.ArgumentParser:
    does = "Measure and repair the calibration of a classifier."
    top = argparse.ArgumentParser(
        "calib",
        description=does,
        epilog=f"{CONTRACT}\n{EXAMPLES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"calib {__version__}")
    commands = top.add_subparsers(dest="command")
    for add in (
        _add_report,
        _add_check,
        _add_join,
        _add_look,
        _add_compare,
        _add_apply,
        _add_export,
        _add_demo,
    ):
        add(commands)
    return top


def _add(commands: Any, name: str, does: str) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=does,
        description=f"{does[:1].upper()}{does[1:]}.",
        epilog=CONTRACT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return command


def _add_report(commands: Any) -> None:
    report = _add(commands, "report", "write a report as one page")
    report.add_argument("predictions", nargs="+", help=f"{FORMATS}; - reads stdin")
    report.add_argument(
        *("-o", "--output"),
        help="NAME.html, NAME.md (a model card), NAME.json, or - for the numbers; "
        "by default report.html, if it is not there yet",
    )
    question = report.add_argument_group("what to ask")
    question.add_argument(
        "--groups",
        action="append",
        default=[],
        metavar="COLUMN",
        help="errors for each value",
    )
    question.add_argument(
        "--time",
        metavar="COLUMN",
        help="numbers or dates: calibration in their order, its trend",
    )
    question.add_argument(
        "--cost",
        dest="costs",
        help="alarm=CLASS,false_alarm=1,miss=10, or a csv file of numbers",
    )
    question.add_argument(
        "--coverage",
        type=float,
        help="share of answers to keep: which confidence to decline",
    )
    question.add_argument(
        "--risk", type=float, help="the same for a share of errors among the kept"
    )
    question.add_argument(
        "--date", help="when it was made, if not now or at SOURCE_DATE_EPOCH"
    )
    _add_reading(report)
    _add_rows(report)
    _add_intervals(report)


def _add_check(commands: Any) -> None:
    check = _add(commands, "check", "print the numbers, and hold them to rules")
    check.add_argument("predictions", nargs="+", help=f"{FORMATS}; - reads stdin")
    group = check.add_argument_group(
        "rules, broken where chance does not explain it; of a model that did not change one look "
        "breaks one in at most 5 of 100 cases, many looks sooner or later"
    )
    group.add_argument(
        "--max",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="ece=0.05, classwise-ece=0.05; any number that check prints",
    )
    group.add_argument(
        "--min",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="auroc=.8: of two classes that of the event",
    )
    group.add_argument(
        "--max-risk",
        type=float,
        metavar="SHARE",
        help="share of errors allowed among answers that are decided alone",
    )
    group.add_argument(
        "--against",
        metavar="FILE",
        help="not worse than these: outputs on the same samples, or the report.json of others",
    )
    gate = check.add_argument_group(
        "a gate with memory: the offset of frequency and probability is within a tolerance, on "
        "average and in each region of probability; a promise that is kept is called broken, ever, "
        "in at most 5 of 100 cases"
    )
    gate.add_argument(
        "--memory",
        metavar="STATE.json",
        help="sums of all looks so far; a new file begins them",
    )
    gate.add_argument(
        "--tolerance",
        type=float,
        help=f"offset that is allowed, {TOLERANCE:g} in a new memory",
    )
    gate.add_argument("--by-class", action="store_true", help="hold each class to it")
    gate.add_argument(
        "--groups",
        action="append",
        default=[],
        metavar="COLUMN",
        help="hold each value to it",
    )
    gate.add_argument(
        "--model-name", default="", metavar="NAME", help="kept in the memory"
    )
    _add_reading(check)
    _add_rows(check)
    _add_intervals(check)


def _add_join(commands: Any) -> None:
    together = commands.add_parser("join", help="join the memories of several machines")
    together.add_argument("memories", nargs="+", help="what check --memory wrote")
    together.add_argument("-o", "--output", required=True, help="NAME.json")


def _add_look(commands: Any) -> None:
    look = _add(commands, "look", "show how a file is, or could be, read")
    look.add_argument("predictions", nargs="+", help=f"{FORMATS}; - reads stdin")
    look.add_argument(
        "--groups", action="append", default=[], metavar="COLUMN", help="of a report"
    )
    _add_reading(look)
    _add_rows(look)
    look.add_argument("--clusters", metavar="COLUMN", help="what is resampled whole")


def _add_compare(commands: Any) -> None:
    compare = _add(
        commands,
        "compare",
        "compare two models, or before and after, on the same samples",
    )
    compare.add_argument("first", help=f"{FORMATS}; - reads stdin")
    compare.add_argument(
        "second", help="as the first; matched by ids, else by their order"
    )
    compare.add_argument("--json", action="store_true", help="print JSON")
    _add_reading(compare)
    _add_rows(compare)
    _add_intervals(compare)


def _add_apply(commands: Any) -> None:
    apply = _add(commands, "apply", "apply a map that a report saved")
    apply.add_argument("map", help="the map of a report")
    apply.add_argument("predictions", help="as for a report; labels are not needed")
    apply.add_argument(
        "-o", "--output", required=True, help="a table as the file is one, npz, or -"
    )
    _add_reading(apply)
    apply.add_argument(
        "--classes", metavar="NAMES", help="A,B,C or a text file, one name a line"
    )


def _add_export(commands: Any) -> None:
    export = _add(commands, "export", "write a saved map for other programs")
    export.add_argument("map", help="the map of a report")
    export.add_argument("-o", "--output", required=True, help="NAME.onnx or NAME.pt")


def _add_demo(commands: Any) -> None:
    demo = _add(commands, "demo", "write example predictions to try the rest with")
    demo.add_argument("output", help="NAME.csv")


def _add_reading(command: argparse.ArgumentParser) -> None:
    """Add what says which array or column is what."""
    group = command.add_argument_group("reading")
    group.add_argument("--y", metavar="NAME", help="array or column of the labels")
    group.add_argument("--ids", metavar="COLUMN", help="names of the samples")
    group.add_argument(
        "--scores",
        metavar="NAME",
        help="array, column, columns with commas between, or what columns begin with",
    )
    group.add_argument("--kind", choices=KINDS, help="what the scores are")
    group.add_argument(
        "--pairs",
        action=argparse.BooleanOptionalAction,
        help="the scores are a confidence, and the labels say whether the answer was right",
    )
    group.add_argument(
        "--predicted",
        metavar="COLUMN",
        help="predictions, which the scores are the confidence in; right where equal to the label",
    )
    group.add_argument(
        "--positive",
        metavar="LABEL",
        help="the label of which one column is the probability",
    )
    group.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="COLUMN",
        help="to skip; may be repeated",
    )
    group.add_argument(
        "--percent",
        type=float,
        nargs="?",
        const=100.0,
        metavar="100",
        help="probabilities are per cent, or parts of this number",
    )
    group.add_argument(
        "--class-axis",
        type=int,
        metavar="AXIS",
        help="axis of the classes, if not the last",
    )
    group.add_argument(
        "--atol",
        type=float,
        help="accept rows of probabilities that sum to 1 within this",
    )
    group.add_argument(
        "--multilabel", action="store_true", help="labels are yes-or-no questions"
    )
    group.add_argument(
        "--yes",
        action="store_true",
        help="read so although something in the file speaks against it; with --y and --scores",
    )


def _add_rows(command: argparse.ArgumentParser) -> None:
    """Add what says which rows there are, and how their labels are written."""
    group = command.add_argument_group("labels and rows")
    group.add_argument(
        "--labels", metavar="FILE", help="a second file, of the labels; joined on ids"
    )
    group.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="COLUMN=VALUE",
        help="rows that are read",
    )
    group.add_argument(
        "--long",
        metavar="COLUMN",
        help="classes of a table with a row for each sample and class",
    )
    group.add_argument(
        "--calibration",
        metavar="WORD",
        help="val: val_logits and val_y are to fit maps on",
    )
    group.add_argument(
        "--labels-from", type=int, choices=[0, 1], help="number of the first class"
    )
    group.add_argument(
        "--classes", metavar="NAMES", help="A,B,C or a text file, one name a line"
    )
    group.add_argument(
        "--leave-out-empty",
        action="append",
        default=[],
        metavar="COLUMN",
        help="leave out rows where it is empty, and say how many",
    )
    group.add_argument(
        "--ignore-index",
        type=int,
        action="append",
        metavar="LABEL",
        help="leave out samples with this label",
    )


def _add_intervals(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("intervals")
    group.add_argument("--clusters", metavar="COLUMN", help="what is resampled whole")
    group.add_argument("--seed", type=int, default=0, help="of folds and resamples")


def files_typed(arguments: argparse.Namespace) -> list[str]:
    """Return the files of a command line, in the order in which they are typed.

    What came on standard input is "-" again: the file that holds it goes with the command.
    """
    files = []
    for name in ("map", "predictions", "first", "second"):
        value = getattr(arguments, name, None) or []
        files += value if isinstance(value, list) else [value]
    piped = getattr(arguments, "piped", None)
    return ["-" if file == piped else file for file in files]


def reading_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `calib_report.read` that a command was given."""
    return {
        n: v for n, v in vars(arguments).items() if n in Options.__dataclass_fields__
    }


def typed_words(arguments: argparse.Namespace) -> list[str]:
    """Return what was typed before the options of reading: to be typed again."""
    # who looks wants a report next
    if arguments.command == "look":
        return ["report", *files_typed(arguments), "-o", REPORT]
    words = [arguments.command, *files_typed(arguments)]
    for name in TYPED_AGAIN:
        words += _typed_again(flag_of(name), getattr(arguments, name, None))
    output = getattr(arguments, "output", None)
    return [*words, "-o", output] if output else words


def _typed_again(flag: str, value: Any) -> list[str]:
    """Return an option, once for each of its values; a seed of 0 is not typed."""
    values = value if isinstance(value, list) else [value]
    words = []
    for entry in values:
        if entry is True:
            words.append(flag)
        elif entry not in (None, "") and entry is not False:
            words += [] if (flag, entry) == ("--seed", 0) else [flag, str(entry)]
    return words
