"""The studies: each has its table, its place and its turn."""

import ast
import re
from importlib import import_module
from types import SimpleNamespace

import pytest
from helpers import ROOT
from joblib import Parallel

from evidence.studies import __main__ as command

STUDIES, RESULTS = ROOT / "evidence" / "studies", ROOT / "data" / "results"


def test_a_table_is_computed_by_its_name_or_by_a_pattern():
    assert command.tables_named("covariate_shift") == ["covariate_shift"]
    sets = ["set_coverage_law", "set_sizes", "set_temperature"]
    assert command.tables_named("set_*") == sets
    shares = command.tables_named("shares/*")
    assert shares[0] == "share_ranks" and set(shares) == in_folder("shares")
    with pytest.raises(
        ValueError, match=r"'covariate' is no table .*; the nearest is covariate_shift"
    ):
        command.tables_named("covariate")


def in_folder(folder):
    """Return the studies of a folder."""
    return {name for name, place in command.FOLDERS.items() if place == folder}


def test_a_new_study_is_computed_with_the_others(tmp_path, monkeypatch):
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics" / "__init__.py").touch()
    (tmp_path / "metrics" / "mean_gap.py").write_text("def rows():\n    yield {}\n")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "halves.py").touch()
    there = command.folders_of_studies(tmp_path)
    assert there == {"mean_gap": "metrics"}
    monkeypatch.setattr(command, "FOLDERS", command.FOLDERS | there)
    assert command.usual()[-1] == "mean_gap"
    assert command.tables_named("metrics/mean*") == ["mean_gap"]


@pytest.mark.parametrize(("digits", "third"), [(10, "0.3333333333"), (4, "0.3333")])
def test_a_table_has_the_digits_of_its_study_and_is_computed_by_the_jobs(
    digits, third, tmp_path, monkeypatch
):
    jobs = []

    def rows():
        jobs.append(Parallel().n_jobs)
        yield {"value": 1 / 3}

    study = SimpleNamespace(rows=rows, **({} if digits == 10 else {"DIGITS": digits}))
    monkeypatch.setattr(command, "import_module", lambda name: study)
    monkeypatch.setenv("CALIB_DATA", str(tmp_path))
    (tmp_path / "results/promises").mkdir(parents=True)
    (tmp_path / "published").mkdir()
    command.main(["covariate_shift", "--jobs", "3"])
    written = tmp_path / "results/promises/covariate_shift.csv"
    assert written.read_text() == f"value\n{third}\n" and jobs == [3]


def test_tables_of_fewer_digits_are_named_where_all_are_said_to_have_ten():
    described = (ROOT / "data" / "README.md").read_text("utf-8")
    words = {4: "four", 5: "five", 6: "six"}
    for name, folder in command.FOLDERS.items():
        study = import_module(f"evidence.studies.{folder}.{name}")
        if hasattr(study, "DIGITS"):
            (row,) = re.findall(
                rf"\| {words[study.DIGITS]} digits \| (.*) \|", described
            )
            assert f"`{name}.csv`" in row or f"`results/{folder}/`" in row


def test_what_another_study_reads_is_computed_first():
    studies = [path.read_text("utf-8") for path in STUDIES.glob("*/*.py")]
    read = set(re.findall(r'load_results\("(\w+)"\)', "".join(studies)))
    # lots that were drawn once
    assert read - {*command.BY_NAME, "arena_lots"} == set(command.FIRST)


def test_nothing_of_the_evidence_imports_a_study():
    """What several studies need lies in their `parts`: a study that changes makes no other old."""
    imports = [
        f"{path.relative_to(ROOT)} imports {node.module}"
        for path in (ROOT / "evidence").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
        and re.match(r"evidence\.studies\.(?!parts\b)", f"{node.module}.")
    ]
    assert imports == []


def tables_by_function(path):
    """The tables that each function of a module loads by name."""
    functions = [
        node
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
    ]
    return {
        node.name: set(re.findall(r"load_results\('(\w+)'\)", ast.unparse(node)))
        for node in functions
    }


def test_a_table_of_the_arena_is_computed_after_those_that_it_reads():
    loads = tables_by_function(ROOT / "evidence" / "arena" / "__init__.py")
    assert loads["load_peer_cases"] == {"arena", "arena_peers"}
    order = command.tables_named("arena/*")
    compared = 0
    for name in order:
        code = (STUDIES / "arena" / f"{name}.py").read_text("utf-8")
        for function, tables in loads.items():
            for table in tables if f"{function}()" in code else ():
                assert order.index(table) < order.index(name), (table, name)
                compared += 1
    assert compared >= 4


@pytest.mark.parametrize("name", sorted(command.FOLDERS))
def test_a_study_and_its_table_have_one_name_and_one_folder(name):
    folder = command.FOLDERS[name]
    study = import_module(f"evidence.studies.{folder}.{name}")
    assert callable(study.rows)
    assert study.__doc__.startswith(f"Compute {name}.csv: ")
    assert (RESULTS / folder / f"{name}.csv").is_file()


def test_every_table_of_results_is_computed_by_one_command():
    computed = [*command.usual(), *command.BY_NAME]
    assert len(computed) == len(set(computed))
    modules = [
        path for path in STUDIES.glob("*/[!_]*.py") if path.parent.name != "parts"
    ]
    assert len(modules) == len(computed)  # no name in two folders
    stored = sorted(path.stem for path in RESULTS.rglob("*.csv"))
    # times beside other libraries (`make bench`), and lots that were drawn once
    assert stored == sorted([*computed, "times_by_size", "arena_lots"])


def test_every_folder_of_studies_says_what_it_is_about():
    described = (ROOT / "data" / "README.md").read_text("utf-8")
    for folder in set(command.FOLDERS.values()):
        subject = import_module(f"evidence.studies.{folder}").__doc__
        assert f"### results/{folder}/\n\n{subject}\n" in described
