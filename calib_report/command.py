"""Command line: ``calib report|check|compare|apply|export|demo``."""

import argparse
import json
import os
import shlex
import sys
import tempfile
import tomllib
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from calib import __version__
from calib_report.apply import TABLES, apply_map
from calib_report.check import check
from calib_report.comparison import compare_two
from calib_report.export import export_map
from calib_report.formats import LOADERS, ending_of, how_to_install
from calib_report.page import make_report, notes, without_infinities
from calib_report.signals import one_interruption, one_thread
from calib_report.table import read
from calib_report.words import decimals, interval, visible
from calib_report.writing import output_path, write_together

_TOLD = files("calib_report").joinpath("command.toml").read_text("utf-8")
TABLE = tomllib.loads(_TOLD.replace("FORMATS", ", ".join(ending[1:] for ending in LOADERS)))
WORDS = {"float": float, "int": int, "yes or no": argparse.BooleanOptionalAction}
FRUITS = ["apple", "cherry", "grape", "pear"]  # classes of the example predictions
BEGINNINGS = {b"PK\x03\x04": ".npz", b"PAR1": ".parquet", b"[": ".json", b"{": ".jsonl"}


def parser() -> argparse.ArgumentParser:
    told: dict[str, Any] = {"formatter_class": argparse.RawDescriptionHelpFormatter}
    does, epilog = "measure and repair the calibration of a classifier", TABLE["file"]
    top = argparse.ArgumentParser(
        "calib", description=f"{does.capitalize()}.", epilog=epilog + TABLE["examples"], **told
    )
    top.add_argument("--version", action="version", version=f"calib {__version__}")
    commands = top.add_subparsers(dest="command")
    for name, about in TABLE["commands"].items():
        said = f"{about['does'].capitalize()}."
        one = commands.add_parser(name, help=about["does"], description=said, epilog=epilog, **told)
        _add(one, about["arguments"])
        for group in (TABLE["groups"][name] for name in about["groups"]):
            options = {f"--{option}": told for option, told in group["options"].items()}
            _add(one.add_argument_group(group["title"]), options)
    return top


def _add(group: Any, options: dict[str, dict[str, Any]]) -> None:
    """Add arguments and options as the table tells them; what may be repeated is a list."""
    for name, told in options.items():
        words = {n: WORDS[told[n]] for n in ("type", "action") if told.get(n) in WORDS}
        more: dict[str, Any] = {"default": []} if told.get("action") == "append" else {}
        group.add_argument(*([name, "--output"] if name == "-o" else [name]), **more | told | words)


def _options(arguments: argparse.Namespace, *groups: str) -> dict[str, Any]:
    """Return the options of some groups of the table that a command was given."""
    told = {n: o for group in groups for n, o in TABLE["groups"][group]["options"].items()}
    names = [option.get("dest", name.replace("-", "_")) for name, option in told.items()]
    return {name: getattr(arguments, name) for name in names}


def reading(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `calib_report.read` that a command was given."""
    found = _options(arguments, "reading", "rows") | {"clusters": arguments.clusters}
    if path := found.pop("classes"):
        try:
            lines = map(str.strip, Path(path).read_text(encoding="utf-8-sig").splitlines())
        except UnicodeDecodeError as error:
            raise ValueError(f"{path}: not a text file: {error}") from None
        found["classes"] = list(filter(None, lines))
    return found | {"groups": getattr(arguments, "groups", ())}


def say(text: str, **where: Any) -> None:
    """Print lines; what steers a terminal is written as its code."""
    print("\n".join(map(visible, text.split("\n"))), **where)


def _print_json(found: Any) -> None:
    print(json.dumps(without_infinities(found), indent=1, allow_nan=False))


def _report(arguments: argparse.Namespace) -> None:
    options = _options(arguments, "question", "intervals") | reading(arguments)
    output = None if arguments.output == "-" else arguments.output
    found = make_report(arguments.predictions, output, command=arguments.typed, **options)
    if output is None:
        _print_json(found)
        return
    chosen = found["recommended"]
    for note in found["notes"]:
        say(f"note: {note}")
    say(found["sentence"])
    say(f"wrote {output}; recommended map: {chosen['name']} ({chosen['reason']})")


def _check(arguments: argparse.Namespace) -> int:
    options = reading(arguments)
    outputs = read(arguments.predictions, **options)
    for note in notes(outputs):
        say(f"calib: note: {note}", file=sys.stderr)
    found, told = check(outputs, arguments, options)
    for name, number in found.items() if not told else ():
        inside = f" ({interval(number)})" if "low" in number else ""
        if "chance" in number:
            inside += f"  calibrated: {decimals(number['chance'], like=number['value'])}"
        say(f"{name:30s} {decimals(number['value'])}{inside}")
    for holds, text in told:
        say(f"{'ok    ' if holds else 'BROKEN'} {text}")
    return 0 if all(holds for holds, _ in told) else 3


def _compare(arguments: argparse.Namespace) -> None:
    first, second = (read(p, **reading(arguments)) for p in (arguments.first, arguments.second))
    found = compare_two(first, second, seed=arguments.seed)
    if arguments.json:
        _print_json(found)
        return
    print(f"{'':22s} {'first':>10s} {'second':>10s}   difference (95 %)")
    for name, row in found.items():
        values = " ".join(f"{decimals(row[which]):>10s}" for which in ("first", "second"))
        ends = interval(row | {"value": row["difference"]}) or "no interval known"
        print(f"{name:22s} {values}   {decimals(row['difference'])} ({ends})")


def _apply(arguments: argparse.Namespace) -> None:
    options = _options(arguments, "reading")
    source, output = arguments.predictions, arguments.output
    ending = ending_of(source) if ending_of(source) in TABLES else ".npz"
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / f"out{ending}" if output == "-" else output
        for note in apply_map(arguments.map, source, place, **options):
            say(f"calib: note: {note}", file=sys.stderr)
        if output == "-":
            sys.stdout.flush()
            sys.stdout.buffer.write(Path(place).read_bytes())
        else:
            say(f"wrote {output}")


def _export(arguments: argparse.Namespace) -> None:
    export_map(arguments.map, arguments.output)
    say(f"wrote {arguments.output}")


def _demo(arguments: argparse.Namespace) -> None:
    """Write logits of an overconfident model of four fruits, with labels and orchards."""
    output, rng, k = output_path(arguments.output, ".csv"), np.random.default_rng(4), len(FRUITS)
    angle = 2 * np.pi * np.arange(k) / k
    means = 1.5 * np.column_stack([np.cos(angle), np.sin(angle)])  # of Gaussian classes in a plane
    y = rng.integers(k, size=3000)
    logits = 1.9 * ((means[y] + rng.normal(size=(3000, 2))) @ means.T)  # 1 is calibrated
    orchard = rng.choice(["north", "south", "west"], 3000)
    rows = zip(y, orchard, logits, strict=True)
    lines = [",".join([FRUITS[k], o, *(f"{z:.4f}" for z in row)]) for k, o, row in rows]
    heading = ",".join(["label", "orchard", *(f"logit_{name}" for name in FRUITS)])
    write_together({output: "\n".join([heading, *lines, ""]).encode()})
    more = f"{arguments.output} --groups orchard -o report.html"
    say(f"wrote {arguments.output}; now: calib report {more}")


RUN: dict[str, Any] = {
    run.__name__[1:]: run for run in (_report, _check, _compare, _apply, _export, _demo)
}


def refuse(reason: object, status: int = 2) -> int:
    """Print one line on stderr and return the exit status, that of wrong input by default."""
    say(f"calib: {' '.join(str(reason).splitlines())}", file=sys.stderr)
    return status


def _from_stdin(arguments: argparse.Namespace, folder: str) -> None:
    """Put what comes on standard input into a file, where "-" stands for it; unpack one file."""
    for name in {"predictions", "first"} & {*vars(arguments)}:
        given = getattr(arguments, name)
        several = given if isinstance(given, list) else [given]
        if "-" in several:
            content = sys.stdin.buffer.read()
            ending = next((e for b, e in BEGINNINGS.items() if content.startswith(b)), ".csv")
            place = Path(folder) / f"stdin{ending}"
            place.write_bytes(content)
            several = [str(place) if path == "-" else path for path in several]
        setattr(arguments, name, several if len(several) > 1 else several[0])


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
            status: int = RUN[arguments.command](arguments) or 0
            sys.stdout.flush()
            return status
    except ModuleNotFoundError as error:
        advice = how_to_install(error.name)
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
