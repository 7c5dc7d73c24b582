"""The inventory as forms: to print, for Moodle, for Canvas, and the files for the answers."""

from pathlib import Path

from calib.files import write_whole
from teaching import bank
from teaching.inventory.statements import ASKED, ITEMS, LEVELS

WHEN = ("before", "after")


def write_forms(folder: Path) -> None:
    """Write the inventory to print, and as Moodle and Canvas import it."""
    folder.mkdir(parents=True, exist_ok=True)
    bank.print_sheets({folder / "inventory.html": bank.SHEETS.inventory(ITEMS, LEVELS)})
    write_whole(folder / "inventory.gift", inventory_as_gift().encode())
    bank.write_qti(folder / "inventory-qti.zip", inventory_as_quiz())
    head = ["student", *(item["id"] for item in ITEMS)]
    for when in WHEN:
        path = folder / f"{when}.csv"
        if not path.exists():
            write_whole(path, (",".join(head) + "\n").encode())


def inventory_as_gift() -> str:
    """Return the inventory in Moodle's GIFT: no answer costs marks."""
    blocks = ["$CATEGORY: $course$/calibration/inventory"]
    for item in ITEMS:
        text = f"{item['text']} {ASKED}".translate(bank.SPECIAL)
        options = "\n".join(f"~%100%{level}" for level in LEVELS)
        blocks.append(f"::{item['id']}::[plain]{text} {{\n{options}\n}}")
    return "\n\n".join(blocks) + "\n"


def inventory_as_quiz() -> str:
    """Return the inventory as a quiz of the library text2qti, which knows none without points."""
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
