"""A concept inventory: twenty statements and a class that says how likely each is to be true.

One answer gives both: what a student holds true, and how surely. The class becomes its own
example: difficulty, discrimination and reliability as in classical test theory, and a reliability
diagram of all answers with the ECE that chance alone would give.
"""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import yaml

import calib
from calib.files import write_whole
from evidence.constants import ROUNDED_95
from teaching import bank
from teaching.folder import renew
from teaching.tables import CourseError, roster, rows

ITEMS = yaml.safe_load(
    Path(__file__).with_name("items.yml").read_text(encoding="utf-8")
)
TRUE = np.array([item["holds"] for item in ITEMS])
LEVELS = [f"{tenth}0 %" if tenth else "0 %" for tenth in range(11)]
ASKED = "How likely is it that this is true?"
WHEN = ("before", "after")
BINS = calib.equal_width(5)
WHO = ("student", "login", "email address", "sis_id", "id number", "name")


@dataclass
class Answers:
    """What a class said: probabilities, a row a student and a column an item; nan where none."""

    students: list[str]
    prob: np.ndarray  # (students, items)

    @property
    def right(self) -> np.ndarray:
        """Return 1 where a student leans to the truth, 0 where away from it, 1/2 between."""
        lean = np.sign(self.prob - 0.5) * np.where(TRUE, 1, -1)
        return np.where(np.isnan(self.prob), 0.0, (1 + lean) / 2)

    def complete(self) -> "Answers":
        """Return the students who answered at least half of the items."""
        enough = np.isfinite(self.prob).mean(axis=1) >= 0.5
        return Answers(list(compress(self.students, enough)), self.prob[enough])


def probability(text: str) -> float:
    """Return what a text says in per cent, or as a number up to one; nan where nothing."""
    number = text.strip().rstrip("%").strip()
    if not number:
        return np.nan
    value = float(number)
    value = value / 100 if "%" in text or value > 1 else value
    if not 0 <= value <= 1:
        raise ValueError(f"{text!r} is no probability")
    return value


def column_of(item: dict[str, Any], number: int, columns: list[str]) -> str:
    """Return the column of an item: its id, its text as in Canvas, its number as in Moodle."""
    for column in columns:
        if column.casefold() == item["id"] or item["text"] in column:
            return column
        if column.casefold() == f"response {number}":
            return column
    raise LookupError(f"no column of {item['id']}, {item['text']!r}")


def read_answers(path: Path) -> Answers:
    """Return the answers of a file: our own, or the responses that Moodle or Canvas export."""
    table = rows(path, "")
    columns = list(table[0]) if table else []
    name = name_column(columns)
    if not name:
        raise CourseError(f"{path.name}: no column says who answers ({', '.join(WHO)})")
    try:
        prob = _probabilities(table, columns)
    except (LookupError, ValueError) as fault:
        raise CourseError(f"{path.name}: {fault}") from None
    return Answers([row[name] for row in table], prob)


def _probabilities(table: list[dict[str, str]], columns: list[str]) -> np.ndarray:
    """Return a row a person, a column an item."""
    chosen = [column_of(item, number, columns) for number, item in enumerate(ITEMS, 1)]
    return np.array([[probability(row[column]) for column in chosen] for row in table])


def name_column(columns: list[str]) -> str:
    """Return the column that says who answers, empty if there is none."""
    by_name = {column.casefold(): column for column in columns}
    listed = filter(by_name.__contains__, WHO)
    return by_name.get(next(listed, ""), "")


def difficulty(answers: Answers) -> np.ndarray:
    """Return the share of the class that leans to the truth, for each item."""
    return answers.right.mean(axis=0)


def discrimination(answers: Answers) -> np.ndarray:
    """Return the correlation of each item with the sum of the others; nan where none varies."""
    points = answers.right
    points_of_others = points.sum(axis=1, keepdims=True) - points
    item = points - points.mean(axis=0)
    total = points_of_others - points_of_others.mean(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (item * total).mean(axis=0) / (item.std(axis=0) * total.std(axis=0))


def reliability(answers: Answers) -> float:
    """Return Cronbach's alpha of the items: 1 where they order students alike, 0 by chance."""
    points = answers.right
    k = points.shape[1]
    with np.errstate(invalid="ignore", divide="ignore"):
        return k / (k - 1) * (1 - points.var(axis=0).sum() / points.sum(axis=1).var())


@dataclass
class Calibration:
    """The class as a forecaster: its ECE, what chance alone gives, and its bins."""

    ece: float
    chance: float
    excess: float  # mean confidence less share that leans to the truth
    bins: calib.Bins


def calibration(answers: Answers) -> Calibration:
    """Return how well confidences of a class agree with the truth of what it leans to.

    An answer of 50 % leans to neither side and is left out.
    """
    leans = np.isfinite(answers.prob) & (answers.prob != 0.5)
    if not leans.any():
        raise CourseError("no answer leans to true or false: all are empty or 50 %")
    prob = answers.prob[leans]
    hit = (prob > 0.5) == np.broadcast_to(TRUE, leans.shape)[leans]
    confidence = np.maximum(prob, 1 - prob)
    ece = float(calib.ece(hit, confidence, n_bins=5))
    chance = float(calib.error_if_calibrated(confidence, bins=BINS))
    excess = float(confidence.mean() - hit.mean())
    return Calibration(ece, chance, excess, BINS(confidence, hit))


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


def write_forms(folder: Path) -> None:
    """Write the inventory to print, and as Moodle and Canvas import it."""
    from text2qti.config import Config
    from text2qti.qti import QTI
    from text2qti.quiz import Quiz

    folder.mkdir(parents=True, exist_ok=True)
    bank.print_sheets({folder / "inventory.html": bank.SHEETS.inventory(ITEMS, LEVELS)})
    write_whole(folder / "inventory.gift", gift().encode())
    QTI(Quiz(text2qti(), config=Config())).save(folder / "inventory-qti.zip")
    head = ["student", *(item["id"] for item in ITEMS)]
    for when in WHEN:
        path = folder / f"{when}.csv"
        if not path.exists():
            write_whole(path, (",".join(head) + "\n").encode())


def gift() -> str:
    """Return the inventory in Moodle's GIFT: no answer costs marks."""
    blocks = ["$CATEGORY: $course$/calibration/inventory"]
    for item in ITEMS:
        text = f"{item['text']} {ASKED}".translate(bank.SPECIAL)
        options = "\n".join(f"~%100%{level}" for level in LEVELS)
        blocks.append(f"::{item['id']}::[plain]{text} {{\n{options}\n}}")
    return "\n\n".join(blocks) + "\n"


def text2qti() -> str:
    """Return the inventory as the library text2qti reads it, which knows no quiz without points."""
    lines = ["Quiz title: Calibration, an inventory", ""]
    for number, item in enumerate(ITEMS, 1):
        lines += [
            f"Title: {item['id']}",
            "Points: 1",
            f"{number}.  {item['text']} {ASKED}",
        ]
        extreme = LEVELS[-1] if item["holds"] else LEVELS[0]
        for letter, level in zip("abcdefghijk", LEVELS, strict=True):
            lines.append(f"{'*' if level == extreme else ''}{letter})  {level}")
        lines.append("")
    return "\n".join(lines)


def items(folder: Path) -> Iterator[str]:
    """Write the concept inventory; with answers in items/before.csv, what they tell."""
    place = folder / "items"
    write_forms(place)
    students = {person.student for person in roster(folder)}
    classes: dict[str, Answers] = {}
    for when in filter(lambda when: _answered(place / f"{when}.csv"), WHEN):
        everybody = read_answers(place / f"{when}.csv")
        classes[when] = everybody.complete()
        yield from _remarks(when, everybody, classes[when], students)
    if not classes:
        yield f"{place}: print inventory.html or import it; put the answers into before.csv"
        return
    calibrations = {when: calibration(answers) for when, answers in classes.items()}
    renew(place / "class.svg", diagram(calibrations))
    renew(place / "items.csv", _table(classes))
    for when, answers in classes.items():
        yield summary(when, answers, calibrations[when])
    yield from _gain(classes)
    yield f"{place / 'items.csv'}, class.svg"


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


def summary(when: str, answers: Answers, found: Calibration) -> str:
    """Return a line on a class: how much it knows, how well items agree, how sure it is."""
    side = "over" if found.excess > 0 else "under"
    return (
        f"{when}: {len(answers.students)} students, {difficulty(answers).mean():.0%} right, "
        f"reliability {reliability(answers):.2f}; ECE {found.ece:.3f} "
        f"(chance alone {found.chance:.3f}), {side}confident by {abs(found.excess):.3f}"
    )


def _gain(classes: dict[str, Answers]) -> Iterator[str]:
    """Yield how much those who answered twice have gained, with its interval."""
    if len(classes) < 2:
        return
    before, after = (_scores(classes[when]) for when in WHEN)
    twice = sorted(before.keys() & after.keys())
    if len(twice) > 1:
        change = np.array([after[name] - before[name] for name in twice])
        half = ROUNDED_95 * change.std(ddof=1) / np.sqrt(len(change))
        yield f"gain of the {len(twice)} who answered twice: {change.mean():+.3f} ± {half:.3f}"


def _scores(answers: Answers) -> dict[str, float]:
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
