"""What the prose says of the library is there."""

import ast
import inspect
import re
from pathlib import Path

import calib

ROOT = Path(__file__).parents[3]


def calls_of(code: str) -> list[ast.Call]:
    """Return the calls in a piece of code between backticks; none of what is no Python."""
    try:
        tree = ast.parse(code, mode="eval")
    except SyntaxError:
        return []
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def arguments_that_are_not_there(text: str) -> list[str]:
    missing = []
    for code in re.findall(r"`([^`\n]+)`", text):
        for call in calls_of(code):
            name = ast.unparse(call.func).removeprefix("calib.")
            if not hasattr(calib, name):
                continue
            known = inspect.signature(getattr(calib, name)).parameters
            words = (argument.arg for argument in call.keywords)
            missing += [
                f"{name}({word}=)" for word in words if word and word not in known
            ]
    return missing


def test_an_argument_that_a_page_names_is_there():
    assert arguments_that_are_not_there("`SplineCalibration(monotone=True)`")
    assert not arguments_that_are_not_there(
        "`OneVsRest(HistogramBinning(strategy='mass'))`"
    )
    pages = [*ROOT.glob("chapters/**/*.md"), ROOT / "README.md"]
    missing = {
        page.name: arguments_that_are_not_there(page.read_text()) for page in pages
    }
    assert not {page: names for page, names in missing.items() if names}
