"""Library, application, evidence, book, teaching: each room knows those before it.

So it is inside the evidence, whose parts have an order of their own.
"""

import ast
import os
import re
import subprocess
import sys

import pytest
from helpers import ROOT

ROOMS = ["calib", "calib_report", "evidence", "book", "teaching"]
# the parts of the evidence; "evidence" is what `evidence/__init__.py` offers of those before it
PARTS = """
    constants imports network_outputs data rows pieces simulate mean_intervals fit_and_measure
    files_with_truth sources
    evidence derived language training arena claims forecasts studies conformance release
""".split()
HOUSE = (ROOT / "MAINTAINING.md").read_text("utf-8")
# the lists of steps of the application, as MAINTAINING has them: SHARED is what all of them know
APPLICATION = HOUSE[HOUSE.index("\ncalib_report/") : HOUSE.index("\nevidence/")]
READ, REPORT, GATE, TYPED = (
    re.findall(r"^  (\w+)/", lines, re.MULTILINE)
    for lines in re.split(r"^ to .*:$", APPLICATION, flags=re.MULTILINE)[1:]
)
STEPS = [*READ, *REPORT, *GATE, *TYPED]
SHARED = "contract checked_numbers texts limits schema options arrays values model_outputs".split()
NEEDED = {"numpy", "scipy"}
INSIDE_FUNCTIONS = {"matplotlib", "sklearn"}  # what an extra brings
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def imports(path):
    """Return the modules that a file imports anywhere, absolutely."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            modules.add(node.module)
    return {name.split(".")[0] for name in modules} - set(sys.stdlib_module_names)


@pytest.mark.parametrize(
    "path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_a_room_knows_those_before_it(path):
    room = path.relative_to(ROOT).parts[0]
    if path.name == "__main__.py" and room == "calib":
        return  # hands over to the command, which the application brings
    later = set(ROOMS[ROOMS.index(room) + 1 :]) | {"data"}
    modules = imports(path)
    assert not modules & later
    if room == "calib":
        assert modules <= NEEDED | INSIDE_FUNCTIONS | {"calib"}


TESTS, PARTS_OF_TESTS = ROOT / "tests" / "calib", ROOT / "tests" / "parts"


@pytest.mark.parametrize("path", sorted(TESTS.glob("*.py")), ids=lambda path: path.name)
def test_a_test_of_the_library_needs_no_other_room(path):
    """Nor do the parts that it shares with other tests."""
    shared = [PARTS_OF_TESTS / f"{name}.py" for name in imports(path)]
    paths = [path, *(part for part in shared if part.is_file())]
    assert not {*ROOMS[1:]} & set().union(*map(imports, paths))


ROW = re.compile(r"^\| `([\w/]+\.py)` \| \w", re.MULTILINE)


def rows_of_library():
    """Return the modules of the library as MAINTAINING lists them, from top to bottom."""
    section = HOUSE[HOUSE.index("## The modules of the library") :].split("\n## ")[0]
    return ROW.findall(section)


def test_the_list_of_the_library_has_each_module_once():
    paths = (ROOT / "calib").rglob("[!_]*.py")
    names = [path.relative_to(ROOT / "calib").as_posix() for path in paths]
    assert sorted(rows_of_library()) == sorted(names)


@pytest.mark.parametrize("row", rows_of_library())
def test_a_module_of_the_library_imports_those_above_it(row):
    rows = rows_of_library()
    assert modules_imported(row, rows, ROOT / "calib") <= {*rows[: rows.index(row)]}


def modules_imported(file, files, folder):
    """Return which of some files below a folder one of them imports."""
    room = ".".join(folder.relative_to(ROOT).parts)
    names = {f"{room}.{f.removesuffix('.py').replace('/', '.')}": f for f in files}
    objects = objects_imported(folder / file)
    known = objects | {name.rpartition(".")[0] for name in objects}
    return {names[name] for name in known & names.keys()}


# a folder, and the lines that go on with it
LINES_OF_FOLDER = "^  {}/(.*(?:\\n {{15}}.*)*)"
ORDERED = [ROOT / "calib_report" / step for step in STEPS]
ORDERED += [ROOT / "evidence" / "claims"]


def named_in_house(folder):
    """Return the files of a folder in the order in which MAINTAINING names them."""
    lines = re.search(LINES_OF_FOLDER.format(folder.name), HOUSE, re.MULTILINE)[1]
    files = [f"{name}.py" for name in re.findall(r"\w+", lines)]
    return [file for file in files if (folder / file).is_file()]


@pytest.mark.parametrize("folder", ORDERED, ids=lambda folder: folder.name)
def test_a_module_of_a_step_imports_those_that_are_named_before_it(folder):
    files = list(dict.fromkeys(named_in_house(folder)))
    later = {
        file: modules_imported(file, files, folder) - {*files[:number]}
        for number, file in enumerate(files)
    }
    assert not {file: names for file, names in later.items() if names}


@pytest.mark.parametrize("step", STEPS)
def test_the_house_names_each_module_of_a_step(step):
    folder = ROOT / "calib_report" / step
    files = {path.name for path in folder.glob("[!_]*.py")}
    assert {*named_in_house(folder)} == files


def part_of(module):
    """Return the part of the evidence that holds a module or an object of this dotted name."""
    names = module.split(".")
    return names[1] if len(names) > 1 and names[1] in PARTS else "evidence"


def objects_imported(path):
    """Return the dotted names of all that a file imports anywhere."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules |= {f"{node.module}.{alias.name}" for alias in node.names}
    return modules


def parts_imported(path):
    """Return the parts of the evidence that a file imports anywhere."""
    names = objects_imported(path)
    return {part_of(name) for name in names if name.split(".")[0] == "evidence"}


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_the_evidence_knows_those_before_it(part):
    folder = ROOT / "evidence"
    file = folder / ("__init__.py" if part == "evidence" else f"{part}.py")
    files = [file] if file.is_file() else sorted((folder / part).rglob("*.py"))
    assert files
    known = PARTS[: PARTS.index(part) + 1]
    later = {path.name: parts_imported(path) - set(known) for path in files}
    assert not {name: parts for name, parts in later.items() if parts}


def test_every_part_of_the_evidence_has_its_place_in_the_order():
    paths = (ROOT / "evidence").glob("[a-z]*")
    parts = {path.stem for path in paths if path.suffix == ".py" or path.is_dir()}
    assert parts == set(PARTS) - {"evidence"}


@pytest.mark.parametrize("step", ["", *STEPS])
def test_a_step_of_a_report_knows_those_before_it(step):
    folder = ROOT / "calib_report" / step
    files = (
        sorted(folder.glob("*.py")) if step else [folder / f"{n}.py" for n in SHARED]
    )
    assert files and all(path.is_file() for path in files)
    known = {*SHARED, *STEPS[: STEPS.index(step) + 1 if step else 0]}
    for path in files:
        names = [n for n in objects_imported(path) if n.startswith("calib_report.")]
        assert {name.split(".")[1] for name in names} <= known, path.name


def steps_imported(step):
    """Return the other steps of a report that the modules of one import."""
    paths = (ROOT / "calib_report" / step).glob("*.py")
    names = set().union(*map(objects_imported, paths))
    inside = {name.split(".")[1] for name in names if name.startswith("calib_report.")}
    return (inside & {*STEPS}) - {step}


def test_reports_propose_no_reading_and_gates_write_no_report():
    of_reports, of_gates = (
        set().union(*map(steps_imported, steps)) for steps in (REPORT, GATE)
    )
    assert "proposing" not in of_reports | of_gates
    assert not of_gates & {"analysing", "writing"}


def test_all_of_the_application_has_its_place_in_the_order():
    """Beside the steps stands what they share."""
    folder = ROOT / "calib_report"
    assert {path.parent.name for path in folder.glob("*/*.py")} == set(STEPS)
    assert {path.stem for path in folder.glob("*.py")} == {
        *SHARED,
        "__init__",
    }


def test_the_library_imports_numpy_and_scipy_alone():
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    use = (
        "calib.OneVsRest(calib.PlattScaling()).fit([[3, 0], [0, 3], [1, 0]], [0, 1, 1])"
    )
    code = f"import calib, sys; {use}; print(*{{name.split('.')[0] for name in sys.modules}})"
    command = [sys.executable, "-W", "error::DeprecationWarning:calib", "-c", code]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    )
    libraries = {
        "matplotlib",
        "pandas",
        "sklearn",
        "calib_report",
        "evidence",
        "book",
        "jinja2",
    }
    assert not libraries & set(done.stdout.split())


def test_each_module_of_the_library_has_tests_of_its_name():
    modules = (ROOT / "calib").rglob("[!_]*.py")
    names = ["_".join(path.relative_to(ROOT / "calib").parts) for path in modules]
    tests = {path.name for path in (ROOT / "tests" / "calib").glob("test_*.py")}
    assert not {f"test_{name}" for name in names} - tests
