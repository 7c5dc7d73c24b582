"""A report on your own model: measure it, compare recalibration maps, recommend one.

`make_report` executes the notebook ``report_notebook.md`` beside this file and writes one HTML page
without external parts, the numbers as JSON, and the recommended map.
"""

import io
import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from calib import errors, scores
from calib.bins import equal_width
from calib.calibrators.base import Calibrator, ConvergenceError, clone
from calib.calibrators.binary import HistogramBinning, IsotonicCalibration
from calib.calibrators.scaling import TemperatureScaling, VectorScaling
from calib.calibrators.spline import SplineCalibration
from calib.calibrators.views import AllRanks, OneVsRest
from calib.files import write_whole
from calib.inference import bootstrap
from calib.outputs import read_outputs, read_scores
from calib.runner import run_notebook, with_parameters
from calib.views import top_label

MANY = 100
FEWEST = 100  # samples below which no map is recommended
NORMAL_95 = 1.959963984540054  # quantile of the normal distribution at 0.975
LARGE = 10_000_000  # numbers in a file from which two folds do instead of five


@dataclass(frozen=True, eq=False)
class Candidate:
    """One recalibration map that the report tries, with its number of parameters."""

    name: str
    calibrator: Calibrator
    n_parameters: int


def candidates(n, n_classes):
    """Return the maps worth trying with n calibration samples of K classes, simplest first.

    Maps whose fit grows with K are left out beyond `MANY` classes.

    Examples
    --------
    >>> [candidate.name for candidate in candidates(5000, 1000)]
    ['temperature scaling', 'histogram binning', 'isotonic regression']
    """
    few = [
        Candidate("vector scaling", VectorScaling(), 2 * n_classes),
        Candidate("splines, rank by rank", AllRanks(SplineCalibration()), 6 * n_classes),
    ]
    return [
        Candidate("temperature scaling", TemperatureScaling(), 1),
        *(few if n_classes <= MANY else []),
        Candidate("histogram binning", OneVsRest(HistogramBinning()), 15 * n_classes),
        Candidate("isotonic regression", OneVsRest(IsotonicCalibration()), n),
    ]


@dataclass(frozen=True, eq=False)
class Losses:
    """What a map does to each sample that it was not fitted on; arrays of shape (n,).

    Attributes
    ----------
    nll, brier : ndarray
        Loss of each sample, summed over classes for the Brier score.
    score, hit : ndarray
        Confidence, and whether the predicted class is right.
    """

    nll: np.ndarray
    brier: np.ndarray
    score: np.ndarray
    hit: np.ndarray

    @classmethod
    def of(cls, y, p):
        """Return the losses of probabilities p, shape (n, K)."""
        true = p[np.arange(len(y)), y].astype(float)
        squares = np.einsum("nk,nk->n", p, p, dtype=float)
        score, hit = top_label(y, p)
        with np.errstate(divide="ignore"):
            return cls(-np.log(true), squares - 2 * true + 1, score, hit)

    @classmethod
    def joined(cls, parts, order):
        """Return the losses of several sets of samples in the given order."""
        columns = zip(*(asdict(part).values() for part in parts), strict=True)
        return cls(*(np.concatenate(column)[order] for column in columns))


def n_folds(outputs):
    """Return into how many folds the samples are split: five, or two where the file is large."""
    return 5 if outputs.scores.size < LARGE else 2


def held_out_losses(calibrator, outputs, rng):
    """Return the losses of a map on samples that it was not fitted on.

    The map is fitted on the calibration set where there is one, otherwise by cross-validation, see
    `n_folds`.
    """
    if outputs.calibration_y is not None:
        fitted = clone(calibrator).fit(outputs.calibration_logits(), outputs.calibration_y)
        return Losses.of(outputs.y, fitted.predict_proba(outputs.logits()))
    logits, y = outputs.logits(), outputs.y
    folds = np.array_split(rng.permutation(len(y)), n_folds(outputs))
    parts = []
    for fold in folds:
        rest = np.delete(np.arange(len(y)), fold)
        fitted = clone(calibrator).fit(logits[rest], y[rest])
        parts.append(Losses.of(y[fold], fitted.predict_proba(logits[fold])))
    return Losses.joined(parts, np.argsort(np.concatenate(folds)))


def mean_difference(loss, reference):
    """Mean of a paired difference with its 95 % normal interval.

    Examples
    --------
    >>> mean_difference(np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0, 1.0]))["difference"]
    1.0
    """
    difference = loss - reference
    if not np.isfinite(difference).all():
        return {"difference": np.inf, "low": np.inf, "high": np.inf}
    mean = float(difference.mean())
    n = len(difference)
    half = NORMAL_95 * float(difference.std(ddof=1)) / n**0.5 if n > 1 else np.inf
    return {"difference": mean, "low": mean - half, "high": mean + half}


def compare(outputs, *, seed=0, progress=False):
    """Compare recalibration maps with none, sample by sample.

    Returns
    -------
    list of dict
        One entry a map, "none" first: its mean losses and ECE on held-out samples, the paired
        differences from none with their intervals, or ``failed``, why it could not be fitted.
    """
    n, n_classes = outputs.scores.shape
    before = Losses.of(outputs.y, outputs.probabilities())
    table = [_row("none", 0, before, before)]
    tried = candidates(n, n_classes)
    for candidate in _with_progress(tried, "fitting maps", progress):
        rng = np.random.default_rng(seed)
        try:
            after = held_out_losses(candidate.calibrator, outputs, rng)
        except (ConvergenceError, ValueError) as error:
            table.append({"name": candidate.name, "failed": str(error)})
            continue
        table.append(_row(candidate.name, candidate.n_parameters, after, before))
    return table


def _row(name, n_parameters, after, before):
    return {
        "name": name,
        "n_parameters": n_parameters,
        "nll": float(after.nll.mean()),
        "brier": float(after.brier.mean()),
        "ece": errors.ece(after.hit, after.score),
        "accuracy": float(after.hit.mean()),
        "nll_change": mean_difference(after.nll, before.nll),
        "brier_change": mean_difference(after.brier, before.brier),
    }


def recommend(comparison, y):
    """Choose a map, or none, from a comparison.

    A map is worth having if the interval of its change in NLL lies below zero. Of those, the one
    with the fewest parameters is chosen whose mean NLL lies within the interval of the best.

    Returns
    -------
    dict
        ``name`` and ``reason``.
    """
    if len(y) < FEWEST:
        return _none(f"{len(y)} samples are too few to judge a map by; {FEWEST} are needed")
    if len(np.unique(y)) < 2:
        return _none("all samples are of one class, so nothing can be learnt about the others")
    better = [row for row in comparison[1:] if row.get("nll_change", {}).get("high", 0) < 0]
    if not better:
        return _none("no map lowers the NLL by more than chance would")
    best = min(better, key=lambda row: row["nll"])
    close = [row for row in better if row["nll_change"]["difference"] <= best["nll_change"]["high"]]
    chosen = min(close, key=lambda row: row["n_parameters"])
    change = chosen["nll_change"]
    reason = (
        f"it lowers the NLL by {-change['difference']:.4f} "
        f"({-change['high']:.4f} to {-change['low']:.4f}) on held-out samples"
    )
    if chosen is not best:
        reason += f"; {best['name']} reaches {best['nll']:.4f}, which is no clear gain over it"
    return {"name": chosen["name"], "reason": reason}


def _none(reason):
    return {"name": "none", "reason": reason}


def _with_progress(items, what, progress, total=None):
    if not progress:
        return items
    from tqdm import tqdm

    return tqdm(items, desc=what, total=total, leave=False)


PAIR_METRICS = {
    "ECE, 15 bins": errors.ece,
    "ECE, monotone sweep": errors.sweep_ece,
    "debiased l2 error": errors.debiased_ece,
    "RMSCE": errors.rmsce,
    "MCE": errors.mce,
    "KS": errors.ks_error,
    "KDE-ECE": errors.kde_ece,
    "smooth ECE": errors.smooth_ece,
    "PSCE": errors.psce,
    "top-1 Brier": scores.top1_brier,
}
CLASS_METRICS = {
    "accuracy": scores.accuracy,
    "NLL": scores.nll,
    "Brier": scores.brier,
    "classwise ECE": errors.classwise_ece,
    "ACE": errors.ace,
    "TACE, threshold 0.01": errors.tace,
    "classwise KS": errors.classwise_ks,
}
RESAMPLED_NUMBERS = 2_000_000  # how many numbers the resamples of one metric may hold together
FEW = 100  # resamples below which the interval is normal, from their standard error
LARGEST_RESAMPLE = 5_000_000  # numbers in one resample; where there are more, it is a part of them


def measure(outputs, *, seed=0, progress=False):
    """Return every metric with its bootstrap interval.

    The more samples and classes, the fewer resamples; below a hundred the interval is the normal
    one. In large files a resample draws m of the n samples, and its standard error is scaled by
    the square root of m/n.

    Returns
    -------
    dict of str to dict
        For each metric ``value``, ``low``, ``high`` and ``method``.

    References
    ----------
    Efron & Tibshirani (1993); Bickel, Götze & van Zwet (1997), for m of n samples.
    """
    y, p = outputs.y, outputs.probabilities()
    score, hit = top_label(y, p)
    tasks = [(name, metric, y, p) for name, metric in CLASS_METRICS.items()]
    tasks += [(name, metric, hit, score) for name, metric in PAIR_METRICS.items()]
    names, *columns = zip(*tasks, strict=True)
    rngs = [np.random.default_rng(own) for own in np.random.SeedSequence(seed).spawn(len(tasks))]
    with ThreadPoolExecutor(2) as pool:
        rows = pool.map(_measured, *columns, rngs)
        rows = list(_with_progress(rows, "measuring", progress, total=len(tasks)))
    return {"mean confidence": {"value": float(score.mean())}} | dict(zip(names, rows, strict=True))


def _measured(metric, y, p, rng):
    n_resamples = int(np.clip(RESAMPLED_NUMBERS // p.size, 12, 300))
    if p.size > LARGEST_RESAMPLE and p.ndim == 2:
        return _measured_in_parts(metric, y, p, n_resamples, rng)
    estimate = bootstrap(metric, y, p, n_resamples=n_resamples, rng=rng)
    if n_resamples < FEW:
        method = f"normal, standard error of {n_resamples} bootstrap resamples"
        return _normal(estimate.value, estimate.standard_error, method)
    method = f"{estimate.method}, {n_resamples} resamples"
    return _interval(estimate.value, estimate.low, estimate.high, method)


def _measured_in_parts(metric, y, p, n_resamples, rng):
    m = LARGEST_RESAMPLE // p.shape[1]
    drawn = (rng.integers(len(y), size=m) for _ in range(n_resamples))
    spread = np.std([metric(y[i], p[i]) for i in drawn], ddof=1)
    method = f"normal, standard error of {n_resamples} resamples of {m} samples, scaled to all"
    return _normal(metric(y, p), spread * (m / len(y)) ** 0.5, method)


def _normal(value, standard_error, method):
    half = NORMAL_95 * float(standard_error)
    return _interval(value, value - half, value + half, method)


def _interval(value, low, high, method):
    """Return an interval of a quantity that cannot be negative."""
    ends = {"low": max(float(low), 0.0), "high": max(float(high), 0.0)}
    return {"value": float(value), **ends, "method": method}


def worst_ranges(outputs):
    """Return the ranges of confidence, worst first by their part of the ECE."""
    score, hit = top_label(outputs.y, outputs.probabilities())
    bins = equal_width(15)(score, hit)
    order = np.argsort(-np.abs(bins.gap_sum), kind="stable")
    return [
        {
            "from": float(bins.edges[m]),
            "to": float(bins.edges[m + 1]),
            "samples": int(bins.count[m]),
            "confidence": float(bins.mean_score[m]),
            "accuracy": float(bins.mean_hit[m]),
            "part of the ECE": float(abs(bins.gap_sum[m]) / bins.weight.sum()),
        }
        for m in order
        if bins.count[m]
    ]


def worst_classes(outputs):
    """Return each class's frequency, mean probability and error, worst error first."""
    p, table = outputs.probabilities(), []
    for k, name in enumerate(outputs.classes):
        hit, score = outputs.y == k, p[:, k].astype(float)
        bins = equal_width(15)(score, hit)
        table.append(
            {
                "class": name,
                "samples": int(hit.sum()),
                "frequency": float(hit.mean()),
                "mean probability": float(score.mean()),
                "one-vs-rest ECE": errors.l1_norm(bins),
            }
        )
    return sorted(table, key=lambda row: -row["one-vs-rest ECE"])


def analyse(outputs, *, seed=0, progress=False):
    """Return all numbers of a report as one nested dict."""
    n, n_classes = outputs.scores.shape
    comparison = compare(outputs, seed=seed, progress=progress)
    return {
        "n": n,
        "n_classes": n_classes,
        "kind": outputs.kind,
        "calibration_n": 0 if outputs.calibration_y is None else len(outputs.calibration_y),
        "folds": n_folds(outputs) if outputs.calibration_y is None else 0,
        "metrics": measure(outputs, seed=seed, progress=progress),
        "ranges": worst_ranges(outputs),
        "classes": worst_classes(outputs),
        "comparison": comparison,
        "recommended": recommend(comparison, outputs.y),
    }


def summary_text(outputs, found):
    """Return the first lines of the report, in Markdown."""
    metrics = found["metrics"]
    gap = metrics["mean confidence"]["value"] - metrics["accuracy"]["value"]
    lean = "overconfident" if gap > 0 else "underconfident"
    held = (
        f"a calibration set of {found['calibration_n']}"
        if found["calibration_n"]
        else f"{found['folds']}-fold cross-validation"
    )
    return (
        f"**{found['n']} samples, {found['n_classes']} classes, read as {found['kind']}.** "
        f"Accuracy {metrics['accuracy']['value']:.2%} at a mean confidence of "
        f"{metrics['mean confidence']['value']:.2%}: on average {lean} by {abs(gap):.2%}. "
        f"ECE {interval(metrics['ECE, 15 bins'])}. Recalibration maps are compared by {held}.\n\n"
        f"{recommendation_text(found)}"
    )


def recommendation_text(found):
    """Return the recommended map and the reason, in Markdown."""
    chosen = found["recommended"]
    return f"**Recommended map: {chosen['name']}** — {chosen['reason']}."


def metrics_table(found):
    """Return the metrics as a table for a notebook."""
    rows = [
        {"metric": name, "value": _number(m["value"]), "95 % interval": interval(m, value=False)}
        for name, m in found["metrics"].items()
    ]
    return _table(rows)


def intervals_text(found):
    """Return how the intervals were made, in Markdown."""
    methods = {}
    for name, metric in found["metrics"].items():
        if "method" in metric:
            methods.setdefault(metric["method"], []).append(name)
    made = [f"- {'; '.join(names)}: {method}." for method, names in methods.items()]
    about = "Errors are fractions, never below 0: intervals end there. They are made like this:"
    return "\n".join([about, "", *made])


def ranges_table(found, n_rows=5):
    """Return the worst ranges of confidence as a table for a notebook."""
    return _table([{k: _number(v) for k, v in row.items()} for row in found["ranges"][:n_rows]])


def classes_table(found, n_rows=20):
    """Return the worst classes as a table for a notebook."""
    return _table([{k: _number(v) for k, v in row.items()} for row in found["classes"][:n_rows]])


def comparison_table(found):
    """Return the comparison of the maps as a table for a notebook."""
    rows = []
    for row in found["comparison"]:
        if "failed" in row:
            rows.append({"map": row["name"], "change of NLL, 95 %": f"not fitted: {row['failed']}"})
            continue
        change = {"value": row["nll_change"]["difference"], **row["nll_change"]}
        shown = "infinite: a true class got 0" if np.isinf(row["nll"]) else interval(change)
        rows.append(
            {
                "map": row["name"],
                "NLL": _number(row["nll"]),
                "change of NLL, 95 %": "" if row["name"] == "none" else shown,
                "Brier": _number(row["brier"]),
                "ECE": _number(row["ece"]),
                "accuracy": _number(row["accuracy"]),
            }
        )
    return _table(rows)


def _table(rows):
    import pandas as pd
    from IPython.display import HTML

    return HTML(pd.DataFrame(rows).fillna("").to_html(index=False, border=0))


def _number(value):
    return decimals(value) if isinstance(value, float) else str(value)


def decimals(value, like=None):
    """Write a number with four decimals, or as many as show three digits of it, or of `like`.

    Examples
    --------
    >>> decimals(0.04312), decimals(0.000123456), decimals(0.0, like=0.00123), decimals(1.5)
    ('0.0431', '0.000123', '0.00000', '1.5000')
    """
    size = abs(value if like is None else like)
    if not 0 < size < 0.01:
        return f"{value:.4f}"
    return f"{value:.{min(2 - int(np.floor(np.log10(size))), 9)}f}"


def interval(m, value=True):
    """Write a metric with its interval, or the interval alone."""
    if "low" not in m:
        return ""
    ends = " to ".join(decimals(m[end], like=m["value"]) for end in ("low", "high"))
    return f"{decimals(m['value'])} ({ends})" if value else ends


def recommended_map(outputs, found):
    """Fit the recommended map on the calibration set, or on all samples; None if it is "none"."""
    for candidate in candidates(*outputs.scores.shape):
        if candidate.name == found["recommended"]["name"]:
            if outputs.calibration_y is None:
                return clone(candidate.calibrator).fit(outputs.logits(), outputs.y)
            logits, y = outputs.calibration_logits(), outputs.calibration_y
            return clone(candidate.calibrator).fit(logits, y)
    return None


def write_report(outputs, found, folder):
    """Write ``numbers.json`` and, if a map is recommended, ``map.npz`` into a folder."""
    from calib.calibrators.storage import save

    text = json.dumps(without_infinities(found), indent=1, allow_nan=False)
    (Path(folder) / "numbers.json").write_text(text + "\n", encoding="utf-8")
    fitted = recommended_map(outputs, found)
    if fitted is not None:
        save(fitted, Path(folder) / "map.npz")


def without_infinities(value):
    """Return numbers as JSON can hold them: None for those that are not finite."""
    if isinstance(value, dict):
        return {key: without_infinities(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [without_infinities(inner) for inner in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
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
    path, output, *, kind=None, labels=None, classes=None, seed=0, progress=False, time_limit=3600
):
    """Write a report on a model's outputs: a page, its numbers, and the recommended map.

    Parameters
    ----------
    path : str or Path
        Outputs, see `read_outputs`.
    output : str or Path
        The page, which ends in ``.html``. Beside it come the numbers, ``.json``, and the map,
        ``-map.npz``, if one is recommended; files of these names are replaced.
    kind, labels, classes
        See `read_outputs`.
    seed : int
        Seed of the folds and of the bootstrap.
    progress : bool
        Whether to show a progress bar.
    time_limit : float
        Seconds after which it is given up.

    Returns
    -------
    dict
        All numbers of the report.

    Raises
    ------
    ValueError, OSError
        As `read_outputs`. Nothing is written then.
    RunError
        Where it takes too long, or a process of it is killed. Nothing is written then.
    """
    import jupytext

    output = _output_path(output, ".html")
    names = {
        "numbers": output.with_suffix(".json"),
        "map": output.with_name(f"{output.stem}-map.npz"),
    }
    _refuse_places([output, *names.values()], inputs=[path, labels])
    read_outputs(path, kind=kind, labels=labels, classes=classes)
    notebook = jupytext.read(Path(__file__).with_name("report_notebook.md"))
    _refuse_unwritable(output)
    parameters = {
        "path": str(Path(path).resolve()),
        "kind": kind,
        "labels": labels and str(Path(labels).resolve()),
        "classes": classes,
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


def _output_path(output, suffix):
    output = Path(output)
    if output.suffix != suffix:
        raise ValueError(f"{output}: the name of the output must end in {suffix}")
    if not output.parent.is_dir():
        raise ValueError(f"{output}: there is no folder {output.parent}")
    return output


def _refuse_places(places, inputs):
    """Raise ValueError where a file would replace a folder or what is read."""
    for place in places:
        if place.is_dir():
            raise ValueError(f"{place}: is a folder, where a file is to be written")
        for source in filter(None, inputs):
            if place.exists() and Path(source).exists() and place.samefile(source):
                raise ValueError(f"{place}: is read, so it cannot be written; choose another name")


def _refuse_unwritable(output):
    """Raise OSError, before all the work, where the output cannot be written."""
    try:
        tempfile.TemporaryFile(dir=output.parent).close()
    except OSError as error:
        raise OSError(error.errno, f"cannot be written: {error.strerror}", str(output)) from None


def _page(executed, title, names, has_map):
    from html import escape

    from calib import __version__

    return PAGE.format(
        title=escape(title),
        body="\n".join(_cell_html(cell) for cell in executed.cells),
        version=__version__,
        numbers=escape(names["numbers"].name),
        saved=f", the recommended map in {escape(names['map'].name)}" if has_map else "",
    )


def _cell_html(cell):
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


def apply_map(map_path, path, output, *, kind=None):
    """Apply a saved map to a model's outputs and write probabilities, shape (n, K), as npz.

    Parameters
    ----------
    map_path : str or Path
        A map that a report saved.
    path : str or Path
        Outputs, see `read_outputs`; labels are not needed.
    output : str or Path
        The npz file to write, with an array ``probabilities``.
    kind : {"logits", "probabilities"}, optional
        What a csv or npy file holds.

    Raises
    ------
    ValueError, OSError
        If a file is not what it should be. Nothing is written then.
    """
    from calib.calibrators.storage import load_map

    output = _output_path(output, ".npz")
    _refuse_places([output], inputs=[map_path, path])
    fitted, logits = load_map(map_path), read_scores(path, kind=kind)
    try:
        content = io.BytesIO()
        np.savez(content, probabilities=fitted.predict_proba(logits))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    write_whole(output, content.getvalue())
