"""The application imports public names of the library, and nothing else of it."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

import calib
import calib_report

ROOM = Path(calib_report.__file__).parent
# what a rule is called where its name is put together, or is one of two
VARIABLE = {"no_question_of_pairs", "no_question_of_labels", "may_all_be", "same_columns"}
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


def test_each_rule_of_the_contract_of_files_is_used_and_each_use_has_a_rule():
    code = "".join(path.read_text() for path in ROOM.glob("*.py"))
    told = tomllib.loads((ROOM / "contract.toml").read_text("utf-8"))
    for rules, pattern in (("refused", r'refused\(\s*"(\w+)"'), ("noted", r'NOTED\["(\w+)"\]')):
        used = {*re.findall(pattern, code), *re.findall(r'" if [^"]+ else "(\w+)"', code)}
        assert used >= {r for r in told[rules] if r not in VARIABLE}, rules
        assert {*re.findall(pattern, code)} <= {*told[rules]}, rules
