"""From a source to its report: read, judged, and written beside its numbers and its map."""

import json
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from calib_report.analysing.analysis import Report, analyse
from calib_report.contract import Changes
from calib_report.files.extras import EXTRAS
from calib_report.files.saving import output_path, refuse_places, write_together
from calib_report.options import options_of_new_files
from calib_report.reading.reader import read
from calib_report.schema import ReportFile
from calib_report.wording.rendering import json_text
from calib_report.writing.page import page_text
from calib_report.writing.provenance import provenance


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
    >>> import numpy as np
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
    text = json_text(numbers)
    # what the file of numbers holds, which has no infinities, and nothing else
    content: ReportFile = json.loads(text)
    if paths:
        page = _page(report, content, paths, options_of_new_files(reading))
        # no map removes the one of an earlier report
        numbers_file = {paths["numbers"]: f"{text}\n".encode()}
        write_together({paths["map"]: report.map_file} | numbers_file | page)
    return content


def _with_column(groups: str | Sequence[str], name: str) -> tuple[str, ...]:
    """Return columns of groups with one more, which is read as they are."""
    return (groups, name) if isinstance(groups, str) else (*groups, name)


def _page(
    report: Report, content: ReportFile, paths: dict[str, Path], typed: Changes
) -> dict[Path, bytes]:
    """Return the page by its path; nothing where the numbers alone are asked for."""
    if paths["page"].suffix.lower() == ".json":
        return {}
    page = page_text(report, content, paths, typed)
    return {paths["page"]: page.encode(errors="replace")}


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
