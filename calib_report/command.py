"""Command line: ``calib report|check|join|compare|apply|export|look|demo``."""

import argparse
import errno
import json
import os
import shlex
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from calib import __version__
from calib_report.apply import TABLES, apply_map
from calib_report.check import Base, Rules, SavedNumbers, check, saved_base
from calib_report.comparison import compare_two, read_two, unmatched
from calib_report.contract import CONTRACT, NotSaidError, ReadingError
from calib_report.export import export_map
from calib_report.formats import LOADERS, ending_of, how_to_install
from calib_report.memory import STATUS, Memory, join, report_lines, watch
from calib_report.memory_files import read_memory, write_memory
from calib_report.model_outputs import ModelOutputs
from calib_report.options import KINDS, Options
from calib_report.page import make_report, notes, without_infinities
from calib_report.proposals import propose, shown_all
from calib_report.reader import read
from calib_report.reading import Reading
from calib_report.signals import one_interruption, one_thread
from calib_report.words import comparison_in_words, decimals, interval, visible
from calib_report.writing import output_path, refuse_places, write_together

FRUITS = ["apple", "cherry", "grape", "pear"]  # classes of the example predictions
BEGINNINGS = {
    b"PK\x03\x04": ".npz",
    b"PAR1": ".parquet",
    b"ARROW1": ".feather",
    b"\x1f\x8b": ".csv.gz",
    b"[": ".json",
    b"{": ".jsonl",
}
TYPED_AGAIN = {  # options, but for those of reading, by the names of their values
    "time": "--time",
    "costs": "--cost",
    "coverage": "--coverage",
    "risk": "--risk",
    "max_risk": "--max-risk",
    "against": "--against",
    "date": "--date",
    "max": "--max",
    "min": "--min",
    "seed": "--seed",
}
REPORT = "report.html"  # where a report is written unless another place is named
FORMATS = (
    ", ".join(ending[1:] for ending in LOADERS) + ", also behind .gz, .bz2, .xz, .zip"
)
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
    rules = _add(commands, "check", "print the numbers, and hold them to rules")
    rules.add_argument("predictions", nargs="+", help=f"{FORMATS}; - reads stdin")
    group = rules.add_argument_group(
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
    gate = rules.add_argument_group(
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
        "--tolerance", type=float, help="offset that is allowed, 0.02 in a new memory"
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
    _add_reading(rules)
    _add_rows(rules)
    _add_intervals(rules)


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


def reading(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `calib_report.read` that a command was given."""
    return {
        n: v for n, v in vars(arguments).items() if n in Options.__dataclass_fields__
    }


def say(text: str, **where: Any) -> None:
    """Print lines; what steers a terminal is written as its code."""
    # a name in a file may hold codes that rewrite the screen
    print("\n".join(map(visible, text.split("\n"))), **where)


def _print_json(found: Any) -> None:
    print(json.dumps(without_infinities(found), indent=1, allow_nan=False))


def _report(arguments: argparse.Namespace) -> None:
    names = ("time", "costs", "coverage", "risk", "date", "seed")
    options = {name: getattr(arguments, name) for name in names} | reading(arguments)
    options["command"] = arguments.typed
    output = arguments.output or _new_report()
    if output == "-":
        _print_json(make_report(arguments.predictions, **options))
        return
    # a list of names may end as a page does
    refuse_places([Path(output)], [arguments.classes])
    _say_report(make_report(arguments.predictions, output, **options), output)


def _say_report(report: dict[str, Any], output: str) -> None:
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
    _say_notes(notes(outputs))
    numbers, verdicts = check(outputs, rules)
    # who asks for nothing gets all numbers
    if rules == Rules(seed=arguments.seed) and not has_memory:
        _print_numbers(numbers)
    status = _print_verdicts(verdicts)
    if not has_memory:
        return status
    return _worse(status, _remember(outputs, memory, arguments))


def _say_notes(sentences: Iterable[str]) -> None:
    """Print notes where they are in nobody's way: numbers may be piped."""
    for sentence in sentences:
        say(f"calib: note: {sentence}", file=sys.stderr)


def _print_numbers(numbers: dict[str, Any]) -> None:
    for name, row in numbers.items():
        say(f"{name:32s} {in_words(row)}")


def _print_verdicts(verdicts: list[Any]) -> int:
    """Print a line for each rule, and return the exit status."""
    for verdict in verdicts:
        say(f"{'ok    ' if verdict.holds else 'BROKEN'} {verdict.line}")
    return 0 if all(verdict.holds for verdict in verdicts) else 3


def _held_to(
    arguments: argparse.Namespace,
) -> tuple[ModelOutputs, Base | SavedNumbers | None]:
    """Return outputs, and what they are held to: a report, other outputs, or nothing."""
    options, against = reading(arguments), arguments.against
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


def in_words(row: dict[str, Any]) -> str:
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
        name: value for name, value in reading(arguments).items() if name != "yes"
    }
    readings = propose(arguments.predictions, **options)
    if readings[0].options.changed() == Options.of(**options).changed():
        say(
            f"{_files(arguments)} is read so:\n{shown_all(readings[:1], _words(arguments))}"
        )
        return 0
    say(shown_all(readings, _words(arguments)))
    return 2


def _files(arguments: argparse.Namespace) -> str:
    files = arguments.predictions
    return ", ".join(files) if isinstance(files, list) else str(files)


def _words(arguments: argparse.Namespace) -> list[str]:
    """Return what was typed before the options of reading: to be typed again."""
    # who looks wants a report next
    if arguments.command == "look":
        return ["report", *_files_typed(arguments), "-o", REPORT]
    words = [arguments.command, *_files_typed(arguments)]
    for name, flag in TYPED_AGAIN.items():
        words += _typed_again(flag, getattr(arguments, name, None))
    output = getattr(arguments, "output", None)
    return [*words, "-o", output] if output else words


def _files_typed(arguments: argparse.Namespace) -> list[str]:
    """Return the files of a command line, in the order in which they are typed."""
    files = []
    for name in ("map", "predictions", "first", "second"):
        value = getattr(arguments, name, None) or []
        files += value if isinstance(value, list) else [value]
    return files


def _typed_again(flag: str, value: Any) -> list[str]:
    """Return an option, once for each of its values; a seed of 0 is not typed."""
    values = value if isinstance(value, list) else [value]
    words = []
    for entry in values:
        if entry is not None and (flag, entry) != ("--seed", 0):
            words += [flag, str(entry)]
    return words


def _compare(arguments: argparse.Namespace) -> None:
    """Print the numbers of two models beside each other, and a sentence."""
    first, second = read_two(arguments.first, arguments.second, **reading(arguments))
    rows = compare_two(first, second, seed=arguments.seed)
    if arguments.json:
        _print_json(rows)
        return
    # of all notes, those that are about both models
    all_notes = [*first.notes, *second.notes]
    _say_notes(note for note in all_notes if note.endswith("without options"))
    _say_notes(unmatched(first, second))
    _print_differences(rows)
    say(comparison_in_words(rows))


def _print_differences(rows: dict[str, Any]) -> None:
    """Print a table, a number a line, and why differences are refused, once."""
    print(f"{'':22s} {'first':>10s} {'second':>10s}   difference (95 %)")
    for name, row in rows.items():
        print(_difference_in_words(name, row))
    refusals = [row["refused"] for row in rows.values() if "refused" in row]
    if refusals:
        say(f"Of a difference that is refused, such as the first: {refusals[0]}")


def _difference_in_words(name: str, row: Any) -> str:
    """Return a line: both numbers, and their difference with its interval."""
    values = " ".join(f"{decimals(row[which]):>10s}" for which in ("first", "second"))
    if "refused" in row:
        return f"{name:22s} {values}   refused, as below"
    ends = interval(row | {"value": row["difference"]}) or "unknown"
    return f"{name:22s} {values}   {decimals(row['difference'])} ({ends})"


def _apply(arguments: argparse.Namespace) -> None:
    if arguments.output == "-":
        _apply_to_stdout(arguments)
        return
    _apply_to(arguments.output, arguments)
    say(f"wrote {arguments.output}")


def _apply_to(place: Any, arguments: argparse.Namespace) -> None:
    options = reading(arguments)
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
    write_together({output: "\n".join([*_fruits(), ""]).encode()})
    more = f"{arguments.output} --groups orchard -o report.html"
    say(f"wrote {arguments.output}; now: calib report {more}")


def _fruits(n: int = 3000) -> Iterator[str]:
    """Yield the lines of a table of logits: Gaussian classes in a plane, around a circle."""
    rng, k = np.random.default_rng(4), len(FRUITS)
    angle = 2 * np.pi * np.arange(k) / k
    means = 1.5 * np.column_stack([np.cos(angle), np.sin(angle)])
    y = rng.integers(k, size=n)
    # a factor of 1 would be calibrated
    logits = 1.9 * ((means[y] + rng.normal(size=(n, 2))) @ means.T)
    orchard = rng.choice(["north", "south", "west"], n)
    yield ",".join(["label", "orchard", *(f"logit_{name}" for name in FRUITS)])
    for row in range(n):
        scores = map("{:.4f}".format, logits[row])
        yield ",".join([FRUITS[y[row]], orchard[row], *scores])


RUN: dict[str, Any] = {
    run.__name__[1:]: run
    for run in (_report, _check, _join, _look, _compare, _apply, _export, _demo)
}


def proposed(error: ReadingError, arguments: argparse.Namespace) -> list[Reading]:
    """Return how the file of a command could be read; ReadingError where it could not."""
    options, time = reading(arguments), getattr(arguments, "time", None)
    if arguments.command not in ("report", "check", "compare") or options.get("yes"):
        raise error
    source = _unread(error, arguments)
    if time is None:
        return propose(source, **options)
    # a column of dates is no label and no score, and no option of reading either
    groups = options["groups"]
    readings = propose(source, **options | {"groups": [*groups, time]})
    return [
        replace(r, options=replace(r.options, groups=tuple(groups))) for r in readings
    ]


def _unread(error: ReadingError, arguments: argparse.Namespace) -> Any:
    """Return the file that an error is of: of two to compare, it may be the second."""
    second = getattr(arguments, "second", None)
    if error.source is not None and str(error.source) == second:
        return second
    return getattr(arguments, "predictions", None) or getattr(arguments, "first", None)


def not_read(error: ReadingError, arguments: argparse.Namespace) -> int:
    """Say why a file is not read, and how it could be; at a terminal, ask whether to read it so."""
    try:
        readings = proposed(error, arguments)
    except (ValueError, OSError) as reason:
        say(f"calib: {reason}", file=sys.stderr)
        if isinstance(reason, NotSaidError):
            say(CONTRACT, file=sys.stderr)
        return 2
    text = shown_all(readings, _words(arguments))
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
    arguments.typed = chosen.command(*_words(arguments))
    return run(arguments)


def refuse(reason: object, status: int = 2) -> int:
    """Print one line on stderr and return the exit status, that of wrong input by default."""
    say(f"calib: {' '.join(str(reason).splitlines())}", file=sys.stderr)
    return status


def _from_stdin(arguments: argparse.Namespace, folder: str) -> None:
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
            _from_stdin(arguments, folder)
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
        # an error that ends in this advice already does not get it twice
        advice = how_to_install(error.name)
        return refuse(str(error).removesuffix(advice) + advice)
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
