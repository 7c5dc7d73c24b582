"""The page: one HTML file, light, dark and on paper, that asks nothing of the network."""

import hashlib
import json
import os
import shlex
import tempfile
import time
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from calib import Calibrator, __version__, save_map
from calib_report import figures, measure
from calib_report.comparison import compare, n_folds, recommend, recommended_map
from calib_report.contract import Changes, as_typed
from calib_report.decide import advice, asked_of, decide
from calib_report.event import MEANING, event_numbers
from calib_report.formats import EXTRAS
from calib_report.measure import Found, HeldOut
from calib_report.model_outputs import ModelOutputs
from calib_report.options import of_new_files
from calib_report.reader import read
from calib_report.words import TEXTS, decision, instruction, sentence, templates
from calib_report.writing import output_path, refuse_places, write_together

SCHEMA = (
    5  # rises where a field goes or changes its meaning; schema.json describes them
)
EVENTS = {"pairs": "right", "labels": "yes"}  # of questions whose classes have no names
FEWEST_REPEATED = 0.01  # share of the rows from which repeated ones are worth a note


class Report(NamedTuple):
    """All numbers, as report.json holds them; what each map did; the fitted map, and its file."""

    numbers: Found
    held: dict[str, HeldOut]
    fitted: Any
    map_file: bytes | None


def analyse(outputs: ModelOutputs, *, seed: int = 0, **options: Any) -> Report:
    """Measure, compare, decide; options are those of :func:`make_report`."""
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise ValueError(f"seed: {seed!r}, expected an integer of at least 0")
    rng, wish = np.random.default_rng(seed), asked_of(outputs, **options)
    # so far nothing long was computed: a question that makes no sense is refused at once
    costs = None if wish.costs is None else wish.costs.matrix
    before = measure.unchanged(outputs, costs)
    report = Found(schema=SCHEMA, seed=seed)
    report |= measure.report_fields(outputs, before, rng)
    report["folds"] = n_folds(outputs) if outputs.calibration is None else 0
    report["comparison"], held = compare(outputs, own=before, seed=seed, costs=costs)
    report["recommended"] = recommended(report, outputs)
    fitted = recommended_map(outputs, report["recommended"]["name"])
    report |= decide(outputs, report, held, fitted, wish, rng)
    report["event"] = event_of(outputs, before, held[report["recommended"]["name"]])
    report["other"] = measure.other_numbers(outputs, before, rng)
    file = _map_file(fitted, outputs)
    report["map"] = None if file is None else json.loads(file)["map"]
    report["read_as"] = outputs.read_as
    report["notes"] = notes(outputs, report["looks_wrong"])
    # sentences last: they rest on all numbers
    report["decision"] = decision(report)
    report["sentence"] = sentence(report)
    report["advice"] = advice(report)
    return Report(report, held, fitted, file)


def recommended(report: Found, outputs: ModelOutputs) -> Found:
    """Return the map that a report recommends; of a suspect file none."""
    if report["looks_wrong"]:
        return {"name": "none", "reason": TEXTS["reason"]["suspect"], "confirmed": True}
    return recommend(report["comparison"], outputs, report["before"]["ECE"]["p_value"])


def event_of(outputs: ModelOutputs, before: HeldOut, after: HeldOut) -> Found | None:
    """Return the numbers of the event of two answers, as it is and after the map."""
    if before.event is None:
        return None
    name = EVENTS.get(outputs.task, outputs.names[1])
    return {
        "name": name,
        "before": event_numbers(before),
        "after": event_numbers(after),
    }


def notes(outputs: ModelOutputs, finding: str | None = None) -> list[str]:
    """Return what whoever reads the report should know about the file, a sentence each.

    What a `finding` says already is not said again.
    """
    texts, n = TEXTS["notes"], len(outputs)
    sentences = [note for note in outputs.notes if note != finding]
    sentences += _note_of_zeros(outputs)
    repeated = n_repeated(outputs)
    if repeated >= FEWEST_REPEATED * n:
        sentences.append(texts["repeated"].format(repeated=repeated, n=n))
    if outputs.task == "pairs":
        sentences.append(texts["unknown_from_pairs"])
    return sentences


def _note_of_zeros(outputs: ModelOutputs) -> list[str]:
    """Say of how many samples the label has probability zero, and of the first which."""
    rows = measure.rows_of_zeros(outputs)
    if len(rows) == 0:
        return []
    first = ", ".join(map(str, rows[:10])) + ", …" * (len(rows) > 10)
    sizes = {"zeros": len(rows), "n": len(outputs)}
    text: str = TEXTS["notes"]["zeros"]
    return [text.format(rows=first, floor=outputs.floor, **sizes)]


def n_repeated(outputs: ModelOutputs) -> int:
    """Return how many rows of three classes or more repeat another digit for digit.

    Of one number a row, or a few digits, that is common; of clusters it is known.
    """
    if outputs.n_classes == 2 or outputs.clusters is not None:
        return 0
    rows = np.ascontiguousarray(outputs.known)
    # of four digits rows are alike by chance
    if np.abs(np.round(rows[:1000], 4) - rows[:1000]).max(initial=0) < 1e-7:
        return 0
    return len(rows) - len({hash(bytes(row)) for row in rows})


def make_report(
    source: Any,
    output: str | Path | None = None,
    *,
    seed: int = 0,
    costs: str | Path | None = None,
    coverage: float | None = None,
    risk: float | None = None,
    time: str | None = None,
    date: str | None = None,
    command: str | None = None,
    **reading: Any,
) -> dict[str, Any]:
    """Write a report on a model's outputs: a page, its numbers, and the recommended map.

    Parameters
    ----------
    source : str, Path or object
        Outputs, see :func:`calib_report.read`, whose options are taken as well.
    output : str or Path, optional
        The page, which ends in ``.html``, a model card, ``.md``, or the numbers alone, ``.json``.
        Beside a page come the numbers, ``.json``, and beside all the map, ``-map.json``, if one is
        recommended; files of these names are replaced. Without an output nothing is written.
    seed : int
        Seed of the folds and of the bootstrap.
    costs : str, optional
        ``alarm=sick,false_alarm=1,miss=10`` of two classes, or a csv file with a row a class and a
        column a decision.
    coverage, risk : float, optional
        One of them: the share of the answers to keep, or the share of errors allowed among them.
        The page then tells the confidence below which to decline, and what that gives.
    time : str, optional
        Column of moments, numbers or dates: calibration in their order, with a test of trend.
    date, command : str, optional
        When the report was made, by default at ``SOURCE_DATE_EPOCH`` or now, and what was typed.
    **reading
        Options of :func:`calib_report.read`.

    Returns
    -------
    dict
        All numbers of the report, as in the file of numbers.

    Raises
    ------
    ValueError, OSError
        As :func:`calib_report.read`. Nothing is written then.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> logits = rng.normal(size=(400, 3))
    >>> y = (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = make_report({"y": y, "logits": 4 * logits}, f"{folder}/report.html")
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['report-map.json', 'report.html', 'report.json']
    >>> found["recommended"]["name"]
    'temperature scaling'
    """
    _refuse_types(output, date=date, command=command)
    files, also_read = _files_read(source, costs, reading)
    paths = _places(output, [*files, *also_read])
    if time is not None:
        reading["groups"] = _with_column(reading.get("groups", ()), time)
    outputs = read(source, **reading)
    report = analyse(
        outputs, seed=seed, costs=costs, coverage=coverage, risk=risk, time=time
    )
    numbers = report.numbers | {
        "provenance": provenance(files, len(outputs), date, command)
    }
    text = json.dumps(without_infinities(numbers), indent=1, allow_nan=False)
    content: Found = json.loads(text)
    if paths:
        _write(report, text, paths, of_new_files(reading))
    return content


def _with_column(groups: str | Sequence[str], name: str) -> tuple[str, ...]:
    """Return columns of groups with one more, which is read as they are."""
    return (groups, name) if isinstance(groups, str) else (*groups, name)


def _write(report: Report, text: str, paths: dict[str, Path], typed: Changes) -> None:
    """Write the map, the numbers and, where one is asked for, the page."""
    # no map removes the one of an earlier report
    contents = {paths["map"]: report.map_file, paths["numbers"]: f"{text}\n".encode()}
    if paths["page"].suffix.lower() != ".json":
        # the page shows what the file of numbers holds, and nothing else
        page = rendered(report, json.loads(text), paths, typed)
        contents[paths["page"]] = page.encode(errors="replace")
    write_together(contents)


def _refuse_types(output: Any, **texts: Any) -> None:
    for name, text in texts.items():
        if not isinstance(text, str | None):
            raise TypeError(f"{name}: {text!r}, expected text")
    if not isinstance(output, str | Path | None):
        raise TypeError(
            f"output: {type(output).__name__}, expected a path; labels and scores are one source: "
            "make_report((y, scores), output)"
        )


def _files_read(
    source: Any, costs: Any, reading: Found
) -> tuple[list[Path], list[Path]]:
    """Return the files of outputs, and those of names and costs."""
    sources = source if isinstance(source, list | tuple) else [source]
    of_outputs = (*sources, reading.get("labels"))
    beside = (reading.get("classes"), costs)
    return _paths(of_outputs), _paths(beside)


def _paths(values: Iterable[Any]) -> list[Path]:
    return [Path(value) for value in values if isinstance(value, str | Path)]


def _places(output: str | Path | None, files: Sequence[Any]) -> dict[str, Path]:
    """Return where a report is to be written, before all the work; nothing without an output."""
    if output is None:
        return {}
    page = output_path(output, ".html", ".md", ".json")
    for module in EXTRAS["report"]:
        import_module(module)
    paths = {"map": page.with_name(f"{page.stem}-map.json")}
    paths |= {"numbers": page.with_suffix(".json"), "page": page}
    refuse_places(paths.values(), files)
    return paths


def provenance(
    files: list[Path], rows: int, date: str | None, command: str | None
) -> Found:
    """Return what an auditor asks first: which files, how many rows, when, by what."""
    # builds that are to be the same byte for byte set this date
    made = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    return {
        "files": [{"name": path.name, "sha256": _digest(path)} for path in files],
        "rows": rows,
        "date": date or time.strftime("%Y-%m-%dT%H:%M:%SZ", made),
        "version": __version__,
        "command": command,
    }


def _digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _map_file(fitted: Calibrator | None, outputs: ModelOutputs) -> bytes | None:
    """Return the file of a map, with what it was fitted on; None of no map."""
    if fitted is None:
        return None
    samples, names = outputs.calibration or outputs, outputs.names
    # for whoever applies the map where classes are otherwise frequent
    frequencies = np.bincount(samples.y, minlength=outputs.n_classes) / len(samples.y)
    about: Any = {
        "kind": outputs.kind,
        "floor": outputs.floor,
        "frequencies": frequencies,
        # their numbers are no names: another file may number them so too
        "classes": None if names == [*map(str, range(len(names)))] else names,
    }
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "map.json"
        save_map(fitted, place, **about)
        content = json.loads(place.read_text("utf-8"))
    content["task"] = outputs.task
    content["confidences"] = measure.confidences(samples.prob)
    return f"{json.dumps(content, allow_nan=False)}\n".encode()


def without_infinities(value: Any) -> Any:
    """Return numbers as JSON can hold them: None for those that are not finite."""
    if isinstance(value, dict):
        return dict(zip(value, map(without_infinities, value.values()), strict=True))
    if isinstance(value, list | tuple):
        return [*map(without_infinities, value)]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def rendered(
    report: Report, content: Found, paths: dict[str, Path], typed: Changes
) -> str:
    """Return the page, or the model card; what was `typed` is typed again to apply the map."""
    chosen, task = content["recommended"]["name"], content["task"]
    changed = chosen != "none"
    apply = ["calib", "apply", paths["map"].name, "NEW", *as_typed(typed), "-o", "OUT"]
    suffix = paths["page"].suffix.lower()
    template = templates().get_template(f"page{suffix}")
    text = template.render(
        TEXTS,
        found=content,
        title=_title([file["name"] for file in content["provenance"]["files"]]),
        meaning=_meaning(task),
        meaning_of_event=MEANING,
        words=TEXTS["words"][task],
        changed=changed,
        instruction=instruction(content) if changed else "",
        apply=shlex.join(apply),
        names={name: path.name for name, path in paths.items()},
        before=report.held["none"],
        after=report.held[chosen],
        figures=figures,
    )
    # a number and its sign stay on one line
    return text.replace(" %", "\u00a0%") if suffix == ".html" else text


def _meaning(task: str) -> dict[str, str]:
    """Return what each number means, by its name; of one score some mean something else."""
    of_one_score = {} if task == "classes" else TEXTS["meaning_of_one_score"]
    return TEXTS["meaning"] | of_one_score


def _title(names: list[str]) -> str:
    """Return the names of the files that were read."""
    if len(names) > 3:
        return f"{', '.join(names[:3])}, and {len(names) - 3} more files"
    return ", ".join(names) or "outputs in memory"
