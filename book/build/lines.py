"""Count a chapter's lines of code: shown, folded, removed from the page, and of exercises."""

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


def lines_of(chapter: Chapter) -> Counter:
    """Return how many lines of code, blank ones left out, a chapter has of each of the `KINDS`."""
    counts: Counter = Counter()
    for cell in CELL.finditer(chapter.path.read_text(encoding="utf-8")):
        lines = [line for line in cell["source"].splitlines() if line.strip()]
        counts[kind_of(cell["options"])] += len(lines)
    return counts


def table(chapters: list[Chapter]) -> str:
    """Return the counts as text, a line a chapter, with the share shown where it is no exercise."""
    rows = [(chapter.name, lines_of(chapter)) for chapter in chapters]
    rows = [(name, counts) for name, counts in rows if counts]
    rows.append(("all", sum((counts for _, counts in rows), Counter())))
    lines = [f"{'chapter':40}" + "".join(f"{kind:>10}" for kind in (*KINDS, "share"))]
    for name, counts in rows:
        of_text = sum(counts[kind] for kind in KINDS[:3])
        share = f"{counts['shown'] / of_text:.0%}" if of_text else ""
        numbers = "".join(f"{counts[kind]:10}" for kind in KINDS)
        lines.append(f"{name:40}{numbers}{share:>10}")
    return "\n".join(lines)
