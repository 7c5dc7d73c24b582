"""The page: one HTML file, light, dark and on paper, that asks nothing of the network."""

import hashlib
import json
import os
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from calib import Calibrator, __version__, save_map
from calib_report import figures, measure
from calib_report.comparison import compare, n_folds, recommend, recommended_map
from calib_report.decide import advice, asked_of, decide
from calib_report.formats import EXTRAS
from calib_report.measure import Found, HeldOut
from calib_report.outputs import ModelOutputs
from calib_report.table import read
from calib_report.words import TEXTS, instruction, sentence, templates
from calib_report.writing import output_path, refuse_places, write_together

SCHEMA = 4  # rises where a field goes or changes its meaning; schema.json describes them


class Report(NamedTuple):
    """All numbers, as report.json holds them; what each map did; the fitted map, and its file."""

    found: Found
    held: dict[str, HeldOut]
    fitted: Any
    map_file: bytes | None


def analyse(outputs: ModelOutputs, *, seed: int = 0, **asked: Any) -> Report:
    """Measure, compare, decide; options are those of :func:`make_report`."""
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise ValueError(f"seed: {seed!r}, expected an integer of at least 0")
    rng, wish = np.random.default_rng(seed), asked_of(outputs, **asked)
    costs = None if wish.costs is None else wish.costs.matrix
    own, found = measure.unchanged(outputs, costs), Found(schema=SCHEMA, seed=seed)
    found |= measure.measure(outputs, own, rng)
    found["folds"] = n_folds(outputs) if outputs.calibration is None else 0
    found["comparison"], held = compare(outputs, own=own, seed=seed, costs=costs)
    p_value = found["before"]["ECE"]["p_value"]
    found["recommended"] = recommend(found["comparison"], outputs, p_value)
    fitted = recommended_map(outputs, found["recommended"]["name"])
    found |= decide(outputs, found, held, fitted, wish, rng)
    other = measure.other_numbers(outputs, own, rng)
    file = None if fitted is None else _map_file(fitted, outputs)
    found["map"] = None if file is None else json.loads(file)["map"]
    found |= {"other": other, "notes": notes(outputs)}
    found |= {"sentence": sentence(found), "advice": advice(found)}
    return Report(found, held, fitted, file)


def notes(outputs: ModelOutputs) -> list[str]:
    """Return what whoever reads the report should know about the file, a sentence each."""
    told, rows = list(outputs.notes), measure.rows_of_zeros(outputs)
    if len(rows):
        shown = ", ".join(map(str, rows[:10])) + (", …" if len(rows) > 10 else "")
        words = {"rows": shown, "zeros": len(rows), "n": len(outputs), "floor": outputs.floor}
        told.append(TEXTS["notes"]["zeros"].format(**words))
    if outputs.task == "classes" and outputs.clusters is None:
        different = {hash(bytes(row)) for row in np.ascontiguousarray(outputs.known)}
        repeated = len(outputs) - len(different)
        if repeated >= len(outputs) / 100:
            told.append(TEXTS["notes"]["repeated"].format(repeated=repeated, n=len(outputs)))
    return told + [TEXTS["notes"]["unknown_from_pairs"]] * (outputs.task == "pairs")


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
    for name, text in {"date": date, "command": command}.items():
        if not isinstance(text, str | None):
            raise TypeError(f"{name}: {text!r}, expected text")
    several = source if isinstance(source, list | tuple) else [source]
    files = [Path(p) for p in (*several, reading.get("labels")) if isinstance(p, str | Path)]
    page = None if output is None else output_path(output, ".html", ".md", ".json")
    paths: dict[str, Path] = {}
    if page is not None:
        for module in EXTRAS["report"]:  # before all the work
            import_module(module)
        paths = {"map": page.with_name(f"{page.stem}-map.json")}
        paths |= {"numbers": page.with_suffix(".json"), "page": page}
        refuse_places(paths.values(), files)
    if time is not None:
        groups = reading.get("groups", ())
        reading["groups"] = (*([groups] if isinstance(groups, str) else groups), time)
    outputs = read(source, **reading)
    report = analyse(outputs, seed=seed, costs=costs, coverage=coverage, risk=risk, time=time)
    told = report.found | {"provenance": provenance(files, len(outputs), date, command)}
    text = json.dumps(without_infinities(told), indent=1, allow_nan=False)
    found: Found = json.loads(text)
    if page is not None:
        contents = {paths["map"]: report.map_file, paths["numbers"]: f"{text}\n".encode()}
        if page.suffix.lower() != ".json":
            contents[page] = rendered(report, found, paths).encode(errors="replace")
        write_together(contents)
    return found


def provenance(files: list[Path], rows: int, date: str | None, command: str | None) -> Found:
    """Return what an auditor asks first: which files, how many rows, when, by what."""
    made = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    told = []
    for path in files:
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        told.append({"name": path.name, "sha256": digest})
    date = date or time.strftime("%Y-%m-%dT%H:%M:%SZ", made)
    return dict(files=told, rows=rows, date=date, version=__version__, command=command)


def _map_file(fitted: Calibrator, outputs: ModelOutputs) -> bytes:
    """Return the file of a map, with what it was fitted on."""
    held, names = outputs.calibration or outputs, outputs.names
    frequencies = np.bincount(held.y, minlength=outputs.n_classes) / len(held.y)
    named = names != [str(k) for k in range(len(names))]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "map.json"
        about: Any = {"kind": outputs.kind, "floor": outputs.floor, "frequencies": frequencies}
        save_map(fitted, place, classes=names if named else None, **about)
        told = json.loads(place.read_text("utf-8"))
    told["confidences"] = measure.confidences(held.prob)
    return f"{json.dumps(told, allow_nan=False)}\n".encode()


def without_infinities(value: Any) -> Any:
    """Return numbers as JSON can hold them: None for those that are not finite."""
    if isinstance(value, dict):
        return {key: without_infinities(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [without_infinities(inner) for inner in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def rendered(report: Report, found: Found, paths: dict[str, Path]) -> str:
    chosen, task = found["recommended"]["name"], found["task"]
    names, changed = [file["name"] for file in found["provenance"]["files"]], chosen != "none"
    title = ", ".join(names[:3]) or "outputs in memory"
    template = templates().get_template(f"page{paths['page'].suffix.lower()}")
    return template.render(
        TEXTS,
        found=found,
        title=title + f", and {len(names) - 3} more files" * (len(names) > 3),
        meaning=TEXTS["meaning"] | (TEXTS["meaning_of_one_score"] if task != "classes" else {}),
        words=TEXTS["words"][task],
        changed=changed,
        instruction=instruction(found) if changed else "",
        names={name: path.name for name, path in paths.items()},
        before=report.held["none"],
        after=report.held[chosen],
        figures=figures,
    )
