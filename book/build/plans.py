"""The minutes of a course: of its chapters, labs and lectures, by the plans of `teaching`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from sphinx.environment import BuildEnvironment

from book.build.minutes import Estimate, estimate_of_page
from book.build.slides import lectures

# minutes for a step of a lab, and for its discussion: fives
LAB_STEP, LAB_TALK = 15, 20
SLIDE, OPENER, GROUP, EXAM = 4, 10, 15, 70  # minutes for a slide, and so on
PLANS = Path(__file__).parents[2] / "teaching" / "plans.yml"


def read_plans() -> dict[str, Any]:
    """Return the plans of a course: its weeks, one week of them, a guest lecture."""
    return yaml.safe_load(PLANS.read_text(encoding="utf-8"))


def parts_with_exercises(
    env: BuildEnvironment,
) -> Iterator[tuple[str, dict[str, Estimate]]]:
    """Yield the name of each part of the book, and its chapters that have exercises."""
    contents = yaml.safe_load(Path(env.srcdir, "_toc.yml").read_text(encoding="utf-8"))
    for part in contents.get("parts", []):
        names = [chapter["file"] for chapter in part["chapters"]]
        estimates = {
            name: estimate_of_page(env, name)
            for name in names
            if not name.startswith("labs/")  # they have steps
        }
        chapters = {name: one for name, one in estimates.items() if one.exercises}
        if chapters:
            yield part["caption"], chapters


def minutes_of_lab(env: BuildEnvironment, name: str) -> int:
    """Return the minutes of a lab."""
    reading, _, steps = estimate_of_page(env, name)
    return reading + LAB_STEP * steps + LAB_TALK


def minutes_of_lecture(deck: int, first: int = 1, last: int = 0) -> int:
    """Return the minutes of a lecture's slides, all of them or some."""
    return SLIDE * ((last or lectures()[deck - 1][2]) - first + 1)


def address_in_slides(env: BuildEnvironment, name: str) -> str:
    """Return the address of a lecture's file; nothing where the lectures are not built."""
    folders = [Path(path, "slides") for path in env.config.html_extra_path]
    is_there = any(any(folder.glob(name)) for folder in folders)
    return f"{'../' * env.docname.count('/')}slides/{name}" if is_there else ""


def week_of(plans: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the days of the plan of one week: sessions, each with what the day has of its own."""
    return [plans["weeks"][day["session"] - 1] | day for day in plans["week"]]
