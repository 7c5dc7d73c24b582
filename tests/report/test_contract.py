"""The application imports public names and constants of the library; the contract has ten lines."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

import calib
import calib_report
from calib_report.contract import CONTRACT, NotSaidError

ROOM = Path(calib_report.__file__).parent
PUBLIC = {*calib.__all__, "__version__"}


@pytest.mark.parametrize("path", sorted(ROOM.rglob("*.py")), ids=lambda p: p.stem)
def test_only_public_names_are_imported(path):
    imports = [
        node for node in ast.walk(ast.parse(path.read_text())) if hasattr(node, "names")
    ]
    for node in imports:
        room = getattr(node, "module", None) or ""
        names = {name.name for name in node.names if isinstance(name, ast.alias)}
        assert not room.startswith("calib.") or room == "calib.constants", room
        assert not {name for name in names if name.startswith("calib.")}
        assert room != "calib" or names <= PUBLIC, names - PUBLIC


def test_each_rule_is_used_and_each_use_has_a_rule():
    code = "".join(path.read_text() for path in ROOM.rglob("*.py"))
    table = tomllib.loads((ROOM / "contract.toml").read_text("utf-8"))
    assert {*re.findall(r'NOTED\["(\w+)"\]', code)} == {*table["noted"]}
    lists = [name for name in table["names"] if f'"{name}"' not in code]
    assert not {*lists} - {"logits", "probabilities", "log-probabilities", "odds"}


@pytest.mark.parametrize("place", ["README.md", "chapters/use/files-and-options.md"])
def test_the_contract_is_the_same_wherever_it_stands(place):
    assert CONTRACT in (ROOM.parent / place).read_text("utf-8")


def test_the_contract_has_ten_lines_and_stands_in_the_error():
    assert len(CONTRACT.splitlines()) == 10
    with pytest.raises(NotSaidError) as caught:
        calib_report.read({"a": [1, 2]})
    assert caught.value.__notes__ == [CONTRACT] and caught.value.role == "y"
