"""The page: one HTML file, light, dark and on paper, that asks nothing of the network."""

import json
import tempfile
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from calib.accumulator import Accumulator
from calib.arena.decisions import decided
from calib.bins import equal_width
from calib.calibrators.scaling import TemperatureScaling
from calib.calibrators.storage import as_json, map_bytes
from calib.checks import check_count, check_path, check_rng
from calib.extras import need
from calib.files import write_together
from calib.reading import read
from calib.reading.read import is_files
from calib.report import decisions, figures
from calib.report.advice import CHAPTERS, SITUATIONS
from calib.report.comparison import (
    FEWEST_SAMPLES,
    HeldOut,
    Purpose,
    compare,
    n_folds,
    recommend,
    recommended_map,
)
from calib.report.measurement import first_numbers, mean_with_interval, numbered, other_numbers
from calib.report.sentence import decimals, few, instruction, interval, percent, sentence

SCHEMA = 2  # version of what report.json holds; schema.json describes it
MEANING = {
    "accuracy": ("Share of right answers.", "proper-scores"),
    "share of yes": (
        "Share of the questions, one a label and sample, with a yes.",
        "proper-scores",
    ),
    "NLL": (
        "Mean surprise at the true answer, −ln of its probability: the loss that a map is judged "
        "by.",
        "proper-scores",
    ),
    "Brier": (
        "Mean squared distance of the probabilities from the truth, summed over the classes.",
        "proper-scores",
    ),
    "ECE": (
        "How far confidence is from accuracy, on average over 15 bins of confidence.",
        "ece-and-mce",
    ),
    "classwise ECE": (
        "The same, for the probability of each class. It has no interval, because none is honest.",
        "every-class-counts",
    ),
    "mean ECE of a label": (
        "The ECE of each label by itself, on average. It has no interval, because none is honest.",
        "every-class-counts",
    ),
    "skill": (
        "What the Brier score gains on saying the accuracy always: 0 for that constant, 1 for "
        "knowing which answers are right, below 0 for worse than the constant.",
        "language-repair",
    ),
    "errors among the surest 90 %": (
        "What is left when the least sure tenth of the answers is declined.",
        "sets-and-abstention",
    ),
    "mean cost": (
        "Of the decisions that the costs make best, by these probabilities.",
        "decisions",
    ),
}
MEANING_OF_ONE_SCORE = {
    "Brier": ("Mean squared distance of the stated number from what happened.", "proper-scores")
}
WORDS = {
    "classes": ("Confidence", "Accuracy"),
    "pairs": ("Stated confidence", "Share that was right"),
    "labels": ("Probability of a yes", "Share of yes"),
}
UNKNOWN_FROM_PAIRS = (
    "From pairs of a confidence and whether it was right one cannot know: the probabilities of the "
    "other answers, hence errors class by class, the NLL of the full answer, and sets; whether "
    "another answer would have been better; and what becomes of it under other frequencies of the "
    "classes. A map of pairs changes the confidence and never the answer."
)
MAPS = {  # what each does, in a sentence
    "temperature scaling": "divides all logits by one number",
    "one factor on the log odds": "divides the log odds of the stated number by one number",
    "Platt scaling": "a factor on the log odds, and a shift",
    "vector scaling": "a factor and a shift for the logit of each class",
    "structured matrix scaling": "each logit from all logits, held close to vector scaling",
    "splines, rank by rank": "a smooth curve for the largest probability, one for the second, …",
    "scaling-binning": "a Platt curve for each class, then averaged within 15 ranges",
    "histogram binning": "15 ranges of the probability of a class; each says its frequency",
    "isotonic regression": "the best rising staircase for the probability of each class",
}
NO_QUESTION = {  # why costs and new frequencies are refused
    "pairs": "pairs of a confidence and whether it was right do not tell the classes",
    "labels": "each label has a frequency of its own; take one label at a time",
}


class Analysis(NamedTuple):
    """What a report is written from.

    `found` are all numbers, `held` the outputs as they are, "none", and after each map, `fitted` is
    the recommended map, or None.
    """

    found: dict[str, Any]
    held: dict[str, HeldOut]
    fitted: Any


def analyse(
    outputs: Any,
    *,
    seed: int = 0,
    progress: Any = lambda _: None,
    costs: Any = None,
    priors: Any = None,
    coverage: Any = None,
    risk: Any = None,
) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """Return all numbers of a report, as report.json holds them, and what the figures need.

    Options are those of :func:`make_report`.
    """
    seed = check_count(seed, "seed", low=0)
    rng = np.random.default_rng(seed)
    clusters = numbered(outputs.clusters)
    decisions.check_declining(outputs, coverage, risk)
    known, purpose = _purpose(outputs, costs, priors)
    comparison, held = compare(outputs, seed=seed, progress=progress, purpose=purpose)
    chosen = recommend(comparison, outputs)
    before, after = held["none"], held[chosen["name"]]
    pair = before.losses, after.losses
    progress("measuring")
    bill = {} if known is None else decisions.cost_table(known, purpose, *pair, outputs)
    first = {
        "before": six_numbers(outputs, before, rng=rng, cost=bill.get("before")),
        "after": six_numbers(outputs, after, rng=rng, cost=bill.get("after"), mapped=True),
    }
    fitted = recommended_map(outputs, chosen["name"])
    score, hit = outputs.pairs
    names, n_classes = outputs.class_names, outputs.n_classes
    of_classes = outputs.task == "classes"
    found = {
        "schema": SCHEMA,
        "n": len(outputs),
        "n_classes": n_classes,
        "task": outputs.task,
        "kind": outputs.kind,
        "clusters": None if clusters is None else int(clusters.max()) + 1,
        "calibration_n": 0 if outputs.calibration is None else len(outputs.calibration),
        "folds": n_folds(outputs) if outputs.calibration is None else 0,
        "seed": seed,
        "mean_confidence": float(score.mean()),
        "hit_rate": float(hit.mean()),
        "gap": mean_with_interval(score - hit, clusters),
        "floor": None if outputs.kind == "logits" else outputs.floor,
        **first,
        "other": other_numbers(outputs, clusters, rng=rng, progress=progress),
        "comparison": comparison,
        "recommended": chosen,
        "arena": decided(len(outputs.calibration or outputs), n_classes) if of_classes else None,
        "map": None if fitted is None else as_json(fitted),
        "bins": _bins(before.losses),
        "bins_after": _bins(after.losses),
        "classes": worst_classes(names, before.sums) if of_classes else [],
        "risk": decisions.risk_table(*pair, outputs.task),
        "mistakes": decisions.mistakes(outputs, fitted),
        "groups": _groups(outputs, *((held.score, held.hit) for held in pair)),
        "groups_of_class": None,
        "labels": _label_by_label(outputs, seed) if outputs.task == "labels" else [],
        "sets": decisions.conformal(outputs, after, check_rng(rng)),
        "notes": [*notes(outputs), *_presumed(known, outputs)],
    }
    if bill:
        found["costs"] = bill
    if purpose.new is not None:
        found["priors"] = decisions.prior_table(purpose, *pair, outputs)
    if coverage is not None or risk is not None:
        lots = np.random.default_rng(seed)
        asked = {"coverage": coverage, "risk": risk}
        found["declined"] = decisions.declined(outputs, after.losses, lots, **asked)
    if outputs.groups and of_classes and n_classes == 2:
        k = 1 if known is None or known.alarm is None else known.alarm
        both = (decisions.of_class(outputs.y, losses, k) for losses in pair)
        found["groups_of_class"] = {"class": names[k], "groups": _groups(outputs, *both)}
    if isinstance(fitted, TemperatureScaling):
        found["temperature"] = fitted.temperature_
    units = found["clusters"] or found["n"]
    found["looks_wrong"] = next((n for n in outputs.notes if "below that of guessing" in n), None)
    found["too_few"] = units < FEWEST_SAMPLES or len(np.unique(outputs.y)) < 2
    found["sentence"] = sentence(found)
    found["advice"] = advice(found)
    return Analysis(found, held, fitted)


def _purpose(outputs: Any, costs: Any, priors: Any) -> Any:
    """Return costs and purpose as they were asked for; a ValueError where they make no sense."""
    for name, asked in (("cost", costs), ("priors", priors)):
        if asked is not None and outputs.task != "classes":
            raise ValueError(f"{name}: {NO_QUESTION[outputs.task]}")
    names = outputs.class_names
    known = None if costs is None else decisions.read_costs(costs, names)
    new = None if priors is None else decisions.read_priors(priors, names)
    old = None if priors is None else decisions.frequencies(outputs)
    return known, Purpose(None if known is None else known.matrix, old, new)


def _presumed(costs: Any, outputs: Any) -> Any:
    """Say what an alarm is about where nobody said it."""
    if costs is not None and costs.presumed:
        name = outputs.class_names[costs.alarm]
        yield (
            f"Nothing says what an alarm is about: it is taken for {name!r}, the second class. Say "
            f"alarm={name}, or the other class, in the costs."
        )


def _groups(outputs: Any, before: Any, after: Any) -> dict[str, Any]:
    clusters = numbered(outputs.clusters)
    return {
        name: decisions.group_table(before, after, group, clusters)
        for name, group in outputs.groups.items()
    }


def six_numbers(
    outputs: Any, one: HeldOut, *, rng: np.random.Generator, cost: Any = None, mapped: bool = False
) -> dict[str, Any]:
    """Return the numbers that come first; zeros make the NLL of outputs as they are infinite."""
    clusters, labels = numbered(outputs.clusters), outputs.groups.get("label")
    more = {"task": outputs.task, "labels": labels if outputs.task == "labels" else None}
    found = first_numbers(one.losses, one.sums, clusters, rng=rng, cost=cost, **more)
    if not mapped and len(rows_of_zeros(outputs)):
        found["NLL"] = {"value": float("inf")}
    return found


def advice(found: Any) -> list[Any]:
    """Return the rows of the table of advice that apply to these outputs."""
    facts = found | {
        "units": found["clusters"] or found["n"],
        "clustered": found["clusters"] is not None and found["task"] != "labels",
        "grouped": bool(found["groups"]) and found["task"] != "labels",
        "costs": "costs" in found,
        "priors": "priors" in found,
    }
    columns = ("have", "number", "interval", "chance", "method", "not_when")
    return [
        {name: getattr(row, name) for name in columns}
        | {"chapters": [CHAPTERS[label] for label in row.chapters]}
        for row in SITUATIONS
        if row.applies(facts)
    ]


def notes(outputs: Any) -> list[Any]:
    """Return what whoever reads the report should know about the file, a sentence each."""
    told = list(outputs.notes)
    rows = rows_of_zeros(outputs)
    if len(rows):
        shown = ", ".join(map(str, rows[:10])) + (", …" if len(rows) > 10 else "")
        told.append(
            f"{len(rows)} of {len(outputs)} samples give their true class the probability 0 (rows "
            f"{shown}, from 0), so that the NLL is infinite. To compare maps, probabilities below "
            f"{outputs.floor:.2g} count as that."
        )
    repeated = 0 if outputs.task != "classes" else len(outputs) - _distinct(outputs.known)
    if outputs.clusters is None and repeated >= len(outputs) / 100:
        told.append(
            f"{repeated} of {len(outputs)} rows repeat another one digit for digit. If these are "
            "samples that stand there twice, say which belong together (clusters): otherwise a map "
            "is tried on samples that it was fitted on, and every interval is too narrow."
        )
    if outputs.task == "pairs":
        told.append(UNKNOWN_FROM_PAIRS)
    return told


def _distinct(scores: np.ndarray) -> int:
    """How many different rows there are."""
    rows = map(bytes, np.ascontiguousarray(scores))
    return len({blake2b(row, digest_size=16).digest() for row in rows})


def rows_of_zeros(outputs: Any) -> np.ndarray:
    """Return the rows whose true class has probability zero, so that the NLL is infinite."""
    return np.flatnonzero(outputs.prob[np.arange(len(outputs)), outputs.y] == 0)


def _bins(losses: Any) -> list[Any]:
    bins = equal_width(15)(losses.score, losses.hit)
    return [
        {
            "from": float(bins.edges[m]),
            "to": float(bins.edges[m + 1]),
            "samples": int(bins.count[m]),
            "confidence": float(bins.mean_score[m]),
            "accuracy": float(bins.mean_hit[m]),
            "part_of_ece": float(abs(bins.gap_sum[m]) / len(losses.score)),
            "says_little": bool(bins.count[m] < figures.FEW),
        }
        for m in range(15)
        if bins.count[m]
    ]


def worst_classes(names: list[str], sums: Accumulator) -> list[dict[str, Any]]:
    """Return each class's frequency, mean probability and error, worst error first."""
    frequency, mean, error = sums.by_class()
    table = [
        {
            "class": name,
            "samples": int(np.rint(frequency[k] * sums.n)),
            "frequency": float(frequency[k]),
            "mean_probability": float(mean[k]),
            "one_vs_rest_ece": float(error[k]),
        }
        for k, name in enumerate(names)
    ]
    return sorted(table, key=lambda row: -row["one_vs_rest_ece"])


def _label_by_label(outputs: Any, seed: int, most: Any = 100) -> list[Any]:
    """Return what helps each label by itself, where several may hold."""
    found = []
    labels = outputs.groups["label"]
    for label in np.unique(labels)[:most]:
        part = outputs.take(labels == label)
        comparison, _ = compare(part, seed=seed)
        chosen = recommend(comparison, part)
        row = next(row for row in comparison if row["name"] == chosen["name"])
        numbers = {"nll": comparison[0]["nll"], "ece": comparison[0]["ece"]}
        numbers |= {"nll_after": row["nll"], "ece_after": row["ece"]}
        found.append({"label": str(label), "samples": len(part), "map": chosen["name"], **numbers})
    return found


def make_report(
    source: Any,
    output: Any,
    *,
    seed: int = 0,
    progress: Any = None,
    costs: Any = None,
    priors: Any = None,
    coverage: Any = None,
    risk: Any = None,
    book: Any = None,
    **reading: Any,
) -> dict[str, Any]:
    """Write a report on a model's outputs: a page, its numbers, and the recommended map.

    Parameters
    ----------
    source : str, Path or object
        Outputs, see :func:`calib.read`.
    output : str or Path
        The page, which ends in ``.html``. Beside it come the numbers, ``.json``, and the map,
        ``-map.npz``, if one is recommended; files of these names are replaced.
    seed : int
        Seed of the folds and of the bootstrap.
    progress : callable, optional
        Is told what is being done, a few words at a time.
    costs : str, optional
        ``alarm=sick,false_alarm=1,miss=10`` of two classes, or a csv file with a row a class and a
        column a decision.
    priors : str, mapping or sequence of float, optional
        Class frequencies that the model will meet: ``sick=0.03``, or in the order of the classes.
    coverage, risk : float, optional
        One of them: the share of the answers to keep, or the share of errors allowed among them.
        The page then tells the confidence below which to decline, and what that gives.
    book : str, optional
        Address of the book, for links to its chapters.
    **reading
        Options of :func:`calib.read`.

    Returns
    -------
    dict
        All numbers of the report, as in the file of numbers.

    Raises
    ------
    ValueError, OSError
        As :func:`calib.read`. Nothing is written then.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> logits = rng.normal(size=(400, 3))
    >>> y = (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = make_report({"y": y, "logits": 4 * logits}, f"{folder}/report.html")
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['report-map.npz', 'report.html', 'report.json']
    >>> found["recommended"]["name"]
    'temperature scaling'
    """
    need("report")
    output = output_path(output, ".html")
    names = {
        "numbers": output.with_suffix(".json"),
        "map": output.with_name(f"{output.stem}-map.npz"),
    }
    files = source if is_files(source) else [source] if isinstance(source, str | Path) else []
    inputs = [*files, reading.get("labels")] if files else []
    refuse_places([output, *names.values()], inputs=inputs)
    outputs = read(source, **reading)
    _refuse_unwritable(output)
    progress = progress or (lambda _: None)
    asked = {"costs": costs, "priors": priors, "coverage": coverage, "risk": risk}
    found, held, fitted = analyse(outputs, seed=seed, progress=progress, **asked)
    progress("writing the page")
    title = ", ".join(Path(path).name for path in files[:3]) or "outputs in memory"
    title += f", and {len(files) - 3} more files" * (len(files) > 3)
    page = rendered(found, held, title, names, book)
    text = json.dumps(without_infinities(found), indent=1, allow_nan=False)
    seen = (outputs.calibration or outputs).y
    frequencies = np.bincount(seen, minlength=outputs.n_classes) / len(seen)
    about = outputs.kind, outputs.floor, _named(outputs.class_names), frequencies
    files = {
        names["map"]: None if fitted is None else map_bytes(fitted, *about),
        names["numbers"]: f"{text}\n".encode(),
        output: page.encode(errors="replace"),
    }
    write_together(files)
    return json.loads(text)


def _named(classes: list[Any] | None) -> list[Any] | None:
    """Return the names of the classes; None where they are numbers alone."""
    return None if not classes or classes == [str(k) for k in range(len(classes))] else classes


def without_infinities(value: Any) -> Any:
    """Return numbers as JSON can hold them: None for those that are not finite."""
    if isinstance(value, dict):
        return {key: without_infinities(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [without_infinities(inner) for inner in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def output_path(output: Any, *suffixes: Any) -> Any:
    """Return the path of an output whose folder exists and whose name ends as it should."""
    output = check_path(output, "output")
    if not output.name.lower().endswith(suffixes):
        raise ValueError(f"{output}: the name of the output must end in {' or '.join(suffixes)}")
    if not output.parent.is_dir():
        raise ValueError(f"{output}: there is no folder {output.parent}")
    return output


def refuse_places(places: Any, inputs: Any) -> None:
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


def rendered(found: Any, held: Any, title: Any, names: Any, book: Any = None) -> str:
    """Return the page."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from calib import __version__

    environment = Environment(
        loader=PackageLoader("calib", "report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"percent": percent, "decimals": decimals, "interval": interval}
    environment.filters["few"] = few
    chosen = found["recommended"]["name"]
    before, after = held["none"].losses, held[chosen].losses
    changed = chosen != "none"
    words, advised = WORDS[found["task"]], ["after the map"] * changed
    advised += ["adjusted to the new frequencies"] * ("priors" in found)
    return environment.get_template("page.html").render(
        found=found,
        title=title,
        book=book,
        chapters=CHAPTERS,
        meaning=MEANING | (MEANING_OF_ONE_SCORE if found["task"] != "classes" else {}),
        maps=MAPS,
        words=words,
        changed=changed,
        advised=" and ".join(advised),
        instruction=instruction(found) if changed else "",
        diagram=figures.reliability(before, words),
        diagram_after=figures.reliability(after, words) if changed else None,
        risk_figure=figures.risk_coverage_figure(before, after if changed else None),
        names={name: path.name for name, path in names.items()},
        version=__version__,
    )
