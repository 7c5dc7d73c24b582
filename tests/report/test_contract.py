"""The application imports public names of the library, and nothing else of it."""

import ast
from pathlib import Path

import pytest

import calib
import calib_report

ROOM = Path(calib_report.__file__).parent
PUBLIC = {*calib.__all__, "__version__"}


@pytest.mark.parametrize("path", sorted(ROOM.glob("*.py")), ids=lambda p: p.stem)
def test_only_public_names_are_imported(path):
    imports = [node for node in ast.walk(ast.parse(path.read_text())) if hasattr(node, "names")]
    for node in imports:
        room = getattr(node, "module", None) or ""
        names = {name.name for name in node.names if isinstance(name, ast.alias)}
        assert not room.startswith("calib."), room
        assert not {name for name in names if name.startswith("calib.")}
        assert room != "calib" or names <= PUBLIC, names - PUBLIC
