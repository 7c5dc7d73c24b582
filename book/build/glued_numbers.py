"""Where a glued number is made and where it is shown: `python -m book where sets-lac-most`.

Its name stands whole where it is shown. Where it is made it may be put together: of a section and
a keyword, `glue_values("sets", lac_most=...)`, or of pieces that are known only when the code runs.
"""

import ast
import re
from collections.abc import Iterator

from book.build.project import CELL, COMMAND, Project

OPEN = ".+"  # what only the code that runs knows


def where(project: Project, name: str) -> Iterator[str]:
    """Yield FILE:LINE of each place that makes or shows a number."""
    for path in sorted(project.chapters.rglob("*.md")):
        text = path.read_text("utf-8")
        file = path.relative_to(project.root)
        for number, line in enumerate(text.splitlines(), 1):
            if f"`{name}`" in line:
                yield f"{file}:{number}: shown"
        for cell in CELL.finditer(text):
            above = text.count("\n", 0, cell.start("source"))
            for line_of_cell in lines_that_make(cell["source"], name):
                yield f"{file}:{above + line_of_cell}: made"
    for path in sorted((project.root / "book" / "show").rglob("*.py")):
        for number in lines_that_make(path.read_text("utf-8"), name):
            yield f"{path.relative_to(project.root)}:{number}: made"


def lines_that_make(code: str, name: str) -> list[int]:
    """Return the lines of calls of `glue` or `glue_values` that may make a number of this name."""
    # commands of a notebook are no Python
    code = COMMAND.sub("", code)
    try:
        calls = [
            node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)
        ]
    except SyntaxError:
        return []
    return [
        call.lineno
        for call in calls
        if any(re.fullmatch(pattern, name) for pattern in names_of(call))
    ]


def names_of(call: ast.Call) -> list[str]:
    """Return a pattern of each name that a call gives to a number, if a part of it is known."""
    if not isinstance(call.func, ast.Name) or call.func.id not in (
        "glue",
        "glue_values",
    ):
        return []
    section = pattern_of(call.args[0]) if call.args else ""
    if call.func.id == "glue":
        patterns = [section]
    else:
        head = f"{section}-" if section else ""
        patterns = [
            head + (word.arg or OPEN).replace("_", "-") for word in call.keywords
        ]
    # a function for any number makes none in particular
    return [
        pattern for pattern in patterns if re.search(r"\w", pattern.replace(OPEN, ""))
    ]


def pattern_of(text: ast.expr) -> str:
    """Return what a text is made of, open where it is computed."""
    if isinstance(text, ast.Constant):
        return re.escape(str(text.value))
    if isinstance(text, ast.JoinedStr):
        return "".join(map(pattern_of, text.values))
    return OPEN
