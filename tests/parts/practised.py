"""The chapters to learn by, and what their exercises have."""

import re

from helpers import ROOT

from book.build import students
from book.build.project import Project

PROJECT = Project(ROOT)
HINT = re.compile(r"Hint( \d+)?")


# Pages of Evidence whose exercises have levels and hints, like those of Learn.
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
        if name == "dropdown" and HINT.fullmatch(argument):
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
