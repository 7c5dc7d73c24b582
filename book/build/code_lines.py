"""Count a chapter's lines of code: shown, folded, removed from the page, and of exercises.

In: chapters as they are written. Out: a table, a row a chapter, for who decides what to fold.
"""

import re
from collections import Counter

from book.build.project import CELL, Chapter

TAGS = re.compile(r"tags: *\[([^\]]*)\]")
EXERCISES = {"stub", "check", "solution"}
REMOVED = {"remove-cell", "remove-input"}
FOLDED = {"hide-cell", "hide-input"}
KINDS = ("shown", "folded", "removed", "exercise")


def kind_of(options: str) -> str:
    """Return what becomes of a cell, by its tags."""
    listed = TAGS.search(options)
    tags = {tag.strip() for tag in listed[1].split(",")} if listed else set()
    if tags & EXERCISES:
        return "exercise"
    if tags & REMOVED:
        return "removed"
    return "folded" if tags & FOLDED else "shown"


def lines_of(chapter: Chapter) -> Counter[str]:
    """Return how many lines of code, blank ones left out, a chapter has of each of the `KINDS`."""
    counts: Counter[str] = Counter()
    for cell in CELL.finditer(chapter.path.read_text(encoding="utf-8")):
        lines = [line for line in cell["source"].splitlines() if line.strip()]
        counts[kind_of(cell["options"])] += len(lines)
    return counts


def table(chapters: list[Chapter]) -> str:
    """Return the counts as text, a line a chapter, with the share shown where it is no exercise."""
    counts = {chapter.name: lines_of(chapter) for chapter in chapters}
    counts = {name: of_chapter for name, of_chapter in counts.items() if of_chapter}
    counts["all"] = sum(counts.values(), Counter())
    heading = "".join(f"{kind:>10}" for kind in (*KINDS, "share"))
    rows = [f"{name:40}{row(of_chapter)}" for name, of_chapter in counts.items()]
    return "\n".join([f"{'chapter':40}{heading}", *rows])


def row(counts: Counter[str]) -> str:
    """Return the counts of a chapter as columns, and the share of its text that is shown."""
    of_text = sum(counts[kind] for kind in KINDS if kind != "exercise")
    share = f"{counts['shown'] / of_text:.0%}" if of_text else ""
    return "".join(f"{counts[kind]:10}" for kind in KINDS) + f"{share:>10}"
