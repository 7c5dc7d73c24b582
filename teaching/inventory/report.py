"""The command `items`: forms out; of answers that are there, a line a class, a table, a diagram."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import numpy as np

from evidence.mean_intervals import half_width
from teaching.folder import write_derived
from teaching.inventory.answers import Answers, read_answers
from teaching.inventory.forms import WHEN, write_forms
from teaching.inventory.measures import (
    Calibration,
    calibration,
    difficulty,
    discrimination,
    reliability,
)
from teaching.inventory.statements import ITEMS
from teaching.tables import roster


def items(folder: Path) -> Iterator[str]:
    """Write the concept inventory; with answers in items/before.csv, what they tell."""
    inventory = folder / "items"
    write_forms(inventory)
    students = {person.student for person in roster(folder)}
    classes: dict[str, Answers] = {}
    for when in filter(lambda when: _answered(inventory / f"{when}.csv"), WHEN):
        everybody = read_answers(inventory / f"{when}.csv")
        classes[when] = everybody.complete()
        yield from _remarks(when, everybody, classes[when], students)
    if not classes:
        yield f"{inventory}: print inventory.html or import it; put the answers into before.csv"
        return
    calibrations = {when: calibration(answers) for when, answers in classes.items()}
    write_derived(inventory / "class.svg", diagram(calibrations))
    write_derived(inventory / "items.csv", _table(classes))
    for when, answers in classes.items():
        yield summary(when, answers, calibrations[when])
    yield from _gain(classes)
    yield f"{inventory / 'items.csv'}, class.svg"


def _remarks(
    when: str, everybody: Answers, complete: Answers, students: set[str]
) -> Iterator[str]:
    """Yield who answered too little, and who is nobody of the roster."""
    for name in sorted({*everybody.students} - {*complete.students}):
        yield f"{when}: {name} answered less than half, left out"
    for name in sorted({*complete.students} - students) if students else ():
        yield f"{when}: {name} is nobody of the roster"


def _answered(path: Path) -> bool:
    return path.is_file() and len(path.read_bytes().splitlines()) > 1


def summary(when: str, answers: Answers, measured: Calibration) -> str:
    """Return a line on a class: how much it knows, how well items agree, how sure it is."""
    side = "over" if measured.excess > 0 else "under"
    return (
        f"{when}: {len(answers.students)} students, {difficulty(answers).mean():.0%} right, "
        f"reliability {reliability(answers):.2f}; ECE {measured.ece:.3f} "
        f"(chance alone {measured.chance:.3f}), {side}confident by {abs(measured.excess):.3f}"
    )


def _gain(classes: dict[str, Answers]) -> Iterator[str]:
    """Yield how much those who answered twice have gained, with its interval."""
    if len(classes) < 2:
        return
    before, after = (_shares_right(classes[when]) for when in WHEN)
    twice = sorted(before.keys() & after.keys())
    if len(twice) > 1:
        change = np.array([after[name] - before[name] for name in twice])
        gain = f"{change.mean():+.3f} ± {half_width(change):.3f}"
        yield f"gain of the {len(twice)} who answered twice: {gain}"


def _shares_right(answers: Answers) -> dict[str, float]:
    """Return which share of the items each student leans to the truth of."""
    return dict(zip(answers.students, answers.right.mean(axis=1), strict=True))


def _table(classes: dict[str, Answers]) -> str:
    """Return a row an item: difficulty and discrimination, before and after."""
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\n").writerow
    columns, values = [], []
    for when, answers in classes.items():
        columns += [f"difficulty {when}", f"discrimination {when}"]
        values += [difficulty(answers), discrimination(answers)]
    write(["item", "true", *columns, "about", "text"])
    for item, *numbers in zip(ITEMS, *values, strict=True):
        holds = "yes" if item["holds"] else "no"
        write([item["id"], holds, *map(_shown, numbers), item["about"], item["text"]])
    return text.getvalue()


def _shown(number: float) -> str:
    return "" if np.isnan(number) else f"{number:.2f}"


def diagram(by_time: dict[str, Calibration]) -> bytes:
    """Return the class's reliability diagram as SVG, the same bytes for the same answers."""
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = "items"
    figure = Figure(figsize=(5, 5), layout="constrained")
    axes = figure.subplots()
    axes.plot([0.5, 1], [0.5, 1], color="0.6", label="as sure as right")
    for when, measured in by_time.items():
        bins = measured.bins
        full = bins.count > 0
        label = f"{when}: ECE {measured.ece:.3f}, chance alone {measured.chance:.3f}"
        axes.plot(bins.mean_score[full], bins.mean_hit[full], "o-", label=label)
    axes.set(
        xlabel="confidence",
        ylabel="share that is right",
        xlim=(0.48, 1.02),
        ylim=(0, 1.02),
    )
    axes.legend(loc="lower right")
    out = io.BytesIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()
