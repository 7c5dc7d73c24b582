"""The chapters to learn by, and what their exercises have."""

from helpers import ROOT

from book.build import exercise_lines, students
from book.build.project import Project

PROJECT = Project(ROOT)


# Pages of Evidence whose exercises are graded, with hints, like those of Learn.
PRACTISED = [
    "recalibrate/arena",
    "recalibrate/nine-maps",
    "recalibrate/printed-sentences",
    "measure/classwise-metrics",
    "measure/which-ece",
]


def parts_of_exercises(text):
    """The label, class and hints of each exercise of a chapter."""
    found, label = {}, None
    for name, argument, options, *_ in students.directives(text):
        if name == "exercise-start":
            label = options["label"]
            found[label] = options.get("class", ""), []
        if name == "dropdown" and exercise_lines.HINT.fullmatch(argument):
            found[label][1].append(argument)
    return found


def chapters_to_learn_by():
    return learnt() + [PROJECT.chapter(name) for name in PRACTISED]


def learnt():
    """The chapters of the parts to learn by."""
    parts = [p for p in PROJECT.contents()["parts"] if p["caption"].startswith("Learn")]
    return [
        PROJECT.chapter(entry["file"]) for part in parts for entry in part["chapters"]
    ]
