"""Tests are found where their modules are: what is missing, and what is odd, on a small tree."""

import pytest
from places import Places, has_tests

GUIDE = """# The house

## Which test tries a module of the room

The files `tests/room/test_whole.py` are of all of it.

| test | tries |
|---|---|
| `tests/room/test_a.py` | b part |
| no test | old |

## Which test tries a module of another room

`test_stray.py`
"""
MODULES = ["a", "b", "__main__", "part.c", "part.d", "apart.own"]
TESTS = [
    "test_a",
    "test_whole",
    "test_modules",
    "test_main",
    "part.test_c",
    "part.test_part",
]


def write(folder, names, text):
    for name in names:
        path = folder.joinpath(*name.split(".")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def places(tmp_path):
    """Return the places of a tree with further modules, and with further or emptied tests."""

    def of(modules=(), tests=(), emptied=()):
        (tmp_path / "MAINTAINING.md").write_text(GUIDE)
        write(tmp_path / "room", [*MODULES, *modules, "__init__"], "")
        write(tmp_path / "tests/room", [*TESTS, *tests], "def test_it(): ...")
        write(tmp_path / "tests/room", emptied, "")
        section = "Which test tries a module of the room"
        return Places("room", "tests/room", section, apart="apart", root=tmp_path)

    return of


def test_a_module_has_a_file_or_its_line_or_that_of_its_folder(places):
    assert places().lines_of_modules_without_file() == {"b": 1, "part.d": 1}


@pytest.mark.parametrize("module", ["new", "apart_not.new"])
def test_a_module_without_file_and_line_is_found(places, module):
    assert places([module]).lines_of_modules_without_file()[module] == 0


def test_a_file_without_a_test_is_none(places):
    found = places(emptied=["test_a"]).lines_of_modules_without_file()
    assert found == {"a": 0, "b": 1, "part.d": 1}


SLOW = "@pytest.mark.slow\ndef test_slow(): ..."
PARAMETER = "pytest.param(1, marks=pytest.mark.slow)"
QUICK = f"@pytest.mark.parametrize('a', [0, {PARAMETER}])\ndef test_it(a): ..."


@pytest.mark.parametrize(
    ("text", "has_one"),
    [
        (SLOW, False),
        (f"{SLOW}\n{QUICK}", True),
        (f"class TestIt:\n    {QUICK}".replace("\ndef", "\n    def"), True),
        ("@pytest.mark.browser\ndef test_it(): ...", False),
        (f"pytestmark = pytest.mark.browser\n{QUICK}", False),
        (f"pytestmark = [pytest.mark.slow, pytest.mark.shared]\n{QUICK}", False),
        (f"pytestmark = [pytest.mark.shared, pytest.mark.slow]\n{QUICK}", False),
        (f"pytestmark = pytest.mark.skipif(slow)\n{QUICK}", True),
        ("TEXT = 'def test_it(): ...'", False),
    ],
)
def test_a_file_of_tests_that_pytest_alone_leaves_out_is_none(tmp_path, text, has_one):
    (tmp_path / "test_a.py").write_text(text)
    assert has_tests(tmp_path / "test_a.py") == has_one


@pytest.mark.parametrize(
    ("tests", "found"), [((), set()), (["test_b"], {"b"}), (["part.test_d"], {"part"})]
)
def test_a_line_of_what_is_gone_or_has_a_file_is_found(places, tests, found):
    assert places(tests=tests).lines_of_nothing() == {"old"} | found


def test_a_file_of_no_module_is_found_in_a_folder_and_beside_it(places):
    assert places().files_of_nothing() == set()
    found = places(tests=["test_stray", "part.test_e"]).files_of_nothing()
    assert {path.name for path in found} == {"test_stray.py", "test_e.py"}
