"""The page: one HTML file, light, dark and on paper, that asks nothing of the network."""

import hashlib
import json
import os
import shlex
import time
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from calib import __version__
from calib_report.contract import Changes, as_typed
from calib_report.files.formats import EXTRAS
from calib_report.judging.report import Report, analyse
from calib_report.measuring.event import MEANING
from calib_report.options import of_new_files
from calib_report.reading.reader import read
from calib_report.schema import Provenance, ReportFile
from calib_report.wording.rendering import templates
from calib_report.wording.words import TEXTS, instruction
from calib_report.writing import figures
from calib_report.writing.writing import output_path, refuse_places, write_together


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
) -> ReportFile:
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
    >>> import tempfile
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
    numbers: ReportFile = {
        **report.numbers,
        "provenance": provenance(files, len(outputs), date, command),
    }
    text = json.dumps(without_infinities(numbers), indent=1, allow_nan=False)
    content: ReportFile = json.loads(text)
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
    source: Any, costs: Any, reading: dict[str, Any]
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
) -> Provenance:
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


def without_infinities(value: Any) -> Any:
    """Return numbers as JSON can hold them: None for those that are not finite."""
    if isinstance(value, dict):
        return dict(zip(value, map(without_infinities, value.values()), strict=True))
    if isinstance(value, list | tuple):
        return [*map(without_infinities, value)]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def rendered(
    report: Report, content: ReportFile, paths: dict[str, Path], typed: Changes
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
        before=report.outcomes["none"],
        after=report.outcomes[chosen],
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
