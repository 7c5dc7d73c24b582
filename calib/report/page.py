"""The page: ``notebook.md`` beside this file, executed and written as one HTML file."""

import io
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from calib.calibrators.base import ProbabilityCalibrator
from calib.checks import as_logits, check_count
from calib.files import write_whole
from calib.outputs import read_outputs, read_scores
from calib.report.comparison import compare, n_folds, recommend, recommended_map
from calib.report.measurement import measure, worst_classes, worst_ranges
from calib.runner import run_notebook, with_parameters


def analyse(outputs: Any, *, seed: int = 0, progress: Any = False) -> Any:
    """Return all numbers of a report as one nested dict."""
    calibration = outputs.calibration
    comparison = compare(outputs, seed=seed, progress=progress)
    return {
        "n": len(outputs),
        "n_classes": outputs.n_classes,
        "kind": outputs.kind,
        "calibration_n": 0 if calibration is None else len(calibration),
        "folds": n_folds(outputs) if calibration is None else 0,
        "metrics": measure(outputs, seed=seed, progress=progress),
        "ranges": worst_ranges(outputs),
        "classes": worst_classes(outputs),
        "comparison": comparison,
        "notes": notes(outputs),
        "recommended": recommend(comparison, outputs.y),
    }


def notes(outputs: Any) -> Any:
    """Return what whoever reads the report should know about the file, a sentence each."""
    rows = rows_of_zeros(outputs)
    if not len(rows):
        return list(outputs.notes)
    shown = ", ".join(map(str, rows[:10])) + (", …" if len(rows) > 10 else "")
    told = (
        f"{len(rows)} of {len(outputs.y)} samples give their true class the probability 0 (rows "
        f"{shown}, from 0), so that the NLL is infinite. To compare maps, probabilities below "
        f"{outputs.floor:.2g} count as that."
    )
    return [*outputs.notes, told]


def rows_of_zeros(outputs: Any) -> Any:
    """Return the rows whose true class has probability zero, so that the NLL is infinite."""
    return np.flatnonzero(outputs.prob[np.arange(len(outputs)), outputs.y] == 0)


def write_report(outputs: Any, found: Any, folder: Any) -> None:
    """Write ``numbers.json`` and, if a map is recommended, ``map.npz`` into a folder."""
    from calib.calibrators.storage import save_map

    text = json.dumps(without_infinities(found), indent=1, allow_nan=False)
    (Path(folder) / "numbers.json").write_text(text + "\n", encoding="utf-8")
    fitted = recommended_map(outputs, found)
    if fitted is not None:
        path, about = Path(folder) / "map.npz", {"kind": outputs.kind, "floor": outputs.floor}
        save_map(fitted, path, classes=_named(outputs.class_names), **about)


def _named(classes: Any) -> Any:
    """Return the names of the classes; None where they are numbers alone."""
    return None if not classes or classes == [str(k) for k in range(len(classes))] else classes


def without_infinities(value: Any) -> Any:
    """Return numbers as JSON can hold them: None for those that are not finite."""
    if isinstance(value, dict):
        return {key: without_infinities(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [without_infinities(inner) for inner in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"  # no script, no network
PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Calibration report: {title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 1rem/1.5 system-ui, sans-serif; }}
body {{ max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }}
img {{ max-width: 100%; height: auto; background: #fff; }}
.scroll {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ padding: 0.2rem 0.8rem; text-align: left; border-bottom: 1px solid #8888; }}
@media (prefers-color-scheme: dark) {{ img {{ filter: invert(1) hue-rotate(180deg); }} }}
</style>
<body>
<main>
<h1>Calibration report: {title}</h1>
{body}
<p>Made with calib {version}. The numbers are in {numbers}{saved}.</p>
</main>
</body>
</html>
"""


FIGURE = (
    '<img alt="Reliability diagram, and ECE against the number of bins; the tables below hold '
    'the numbers." src="data:image/png;base64,{png}">'
)


def make_report(
    path: str | Path,
    output: Any,
    *,
    seed: int = 0,
    progress: Any = False,
    time_limit: float = 3600,
    **reading: Any,
) -> Any:
    """Write a report on a model's outputs: a page, its numbers, and the recommended map.

    Parameters
    ----------
    path : str or Path
        Outputs, see `read_outputs`.
    output : str or Path
        The page, which ends in ``.html``. Beside it come the numbers, ``.json``, and the map,
        ``-map.npz``, if one is recommended; files of these names are replaced.
    seed : int
        Seed of the folds and of the bootstrap.
    progress : bool
        Whether to show a progress bar.
    time_limit : float
        Seconds after which it is given up.
    **reading
        Options of `read_outputs`.

    Returns
    -------
    dict
        All numbers of the report.

    Raises
    ------
    ValueError, OSError
        As `read_outputs`. Nothing is written then.
    Exception
        ``calib.runner.RunError`` where it takes too long, or a process of it is killed. Nothing
        is written then.
    """
    import jupytext

    output = _output_path(output, ".html")
    names = {
        "numbers": output.with_suffix(".json"),
        "map": output.with_name(f"{output.stem}-map.npz"),
    }
    labels = reading.get("labels")
    _refuse_places([output, *names.values()], inputs=[path, labels])
    check_count(seed, "seed", low=0)
    read_outputs(path, **reading)
    notebook = jupytext.read(Path(__file__).with_name("notebook.md"))
    _refuse_unwritable(output)
    parameters = {
        "path": str(Path(path).resolve()),
        "reading": reading | {"labels": labels and str(Path(labels).resolve())},
        "seed": seed,
        "progress": progress,
    }
    executed, files = run_notebook(
        with_parameters(notebook, parameters),
        seconds=time_limit,
        progress=sys.stderr if progress else None,
    )
    page = _page(executed, Path(path).name, names, "map.npz" in files)
    write_whole(names["numbers"], files["numbers.json"])
    names["map"].unlink(missing_ok=True)  # that of an earlier report
    if "map.npz" in files:
        write_whole(names["map"], files["map.npz"])
    write_whole(output, page.encode())
    return json.loads(files["numbers.json"])


def _output_path(output: Any, suffix: Any) -> Any:
    output = Path(output)
    if output.suffix != suffix:
        raise ValueError(f"{output}: the name of the output must end in {suffix}")
    if not output.parent.is_dir():
        raise ValueError(f"{output}: there is no folder {output.parent}")
    return output


def _refuse_places(places: Any, inputs: Any) -> None:
    """Raise ValueError where a file would replace a folder or what is read."""
    for place in places:
        if place.is_dir():
            raise ValueError(f"{place}: is a folder, where a file is to be written")
        for source in filter(None, inputs):
            if place.exists() and Path(source).exists() and place.samefile(source):
                raise ValueError(f"{place}: is read, so it cannot be written; choose another name")


def _refuse_unwritable(output: Any) -> None:
    """Raise OSError, before all the work, where the output cannot be written."""
    try:
        tempfile.TemporaryFile(dir=output.parent).close()
    except OSError as error:
        raise OSError(error.errno, f"cannot be written: {error.strerror}", str(output)) from None


def _page(executed: Any, title: Any, names: Any, has_map: Any) -> Any:
    from html import escape

    from calib import __version__

    return PAGE.format(
        policy=POLICY,
        title=escape(title),
        body="\n".join(_cell_html(cell) for cell in executed.cells),
        version=__version__,
        numbers=escape(names["numbers"].name),
        saved=f", the recommended map in {escape(names['map'].name)}" if has_map else "",
    )


def _cell_html(cell: Any) -> Any:
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).render
    if cell.cell_type == "markdown":
        return markdown(cell.source)
    shown = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if "image/png" in data:
            shown.append(FIGURE.format(png=data["image/png"].replace("\n", "")))
        elif "text/html" in data:
            shown.append(f'<div class="scroll" tabindex="0">{data["text/html"]}</div>')
        elif "text/markdown" in data:
            shown.append(markdown(data["text/markdown"]))
    return "\n".join(shown)


def apply_map(map_path: Any, path: str | Path, output: Any, **reading: Any) -> None:
    """Apply a saved map to a model's outputs and write probabilities, shape (n, K), as npz.

    Parameters
    ----------
    map_path : str or Path
        A map that a report saved.
    path : str or Path
        Outputs, see `read_outputs`; labels are not needed.
    output : str or Path
        The npz file to write, with an array ``probabilities``.
    **reading
        Options of `read_outputs`: `kind`, `ignore` and `atol`.

    Raises
    ------
    ValueError, OSError
        If a file is not what it should be, or the map was fitted on something else: logits or
        probabilities, the number of classes, their names. Nothing is written then.
    """
    from calib.calibrators.storage import read_map

    output = _output_path(output, ".npz")
    _refuse_places([output], inputs=[map_path, path])
    saved = read_map(map_path)
    if not isinstance(saved.map, ProbabilityCalibrator):
        name = type(saved.map).__name__
        raise ValueError(f"{map_path}: {name} maps one score, and predicts no probabilities")
    kind, scores, classes = read_scores(path, **reading)
    if kind != saved.kind:
        raise ValueError(f"{path}: it holds {kind}, and the map was fitted on {saved.kind}")
    n_classes = len(saved.map.classes_)
    if scores.shape[1] != n_classes:
        raise ValueError(f"{path}: {scores.shape[1]} classes, and the map has {n_classes}")
    if classes and saved.classes and classes != saved.classes:
        k = next(k for k, name in enumerate(classes) if saved.classes[k] != name)
        raise ValueError(
            f"{path}: class {k} is {classes[k]!r}, and {saved.classes[k]!r} in the map"
        )
    try:
        content = io.BytesIO()
        logits = scores if kind == "logits" else as_logits(scores, floor=saved.floor)
        np.savez(content, probabilities=saved.map.predict_proba(logits))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    write_whole(output, content.getvalue())
