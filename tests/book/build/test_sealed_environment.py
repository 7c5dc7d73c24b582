"""A chapter is executed as on any other machine, for any other user, after any other chapter."""

import os

import nbformat
import pytest
from one_chapter import cell, notebook

from book.build.execute import execute_all
from book.build.project import Project
from book.build.sealed_environment import ROOT, STARTUP, sealed_environment

SEALED = """
import os, pathlib, numpy, pandas, matplotlib, matplotlib.pyplot as plt

at_home = pathlib.Path.home() / "left"
print(os.environ.get("LEFT"), pandas.options.display.precision, plt.get_fignums())
print(at_home.exists(), numpy.__dict__.get("left"), "mine" in globals())
print("inline" in matplotlib.get_backend(), matplotlib.rcParams["font.size"])
print("SECRET" in os.environ, os.environ["TZ"])
os.environ["LEFT"] = numpy.left = "here"
pandas.options.display.precision = 2
plt.figure()
at_home.touch()
"""


def test_neither_settings_of_the_user_nor_what_another_chapter_did_reach_one(
    project, tmp_path, monkeypatch
):
    startup = tmp_path / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00.py").write_text("mine = 1\n")
    (tmp_path / "matplotlibrc").write_text("font.size: 30\n")
    environment = {
        "MPLBACKEND": "Agg",
        "SECRET": "1",
        "TZ": "Asia/Tokyo",
        "HOME": "/nonexistent",
    }
    environment |= {
        "IPYTHONDIR": str(tmp_path / "ipython"),
        "MATPLOTLIBRC": str(tmp_path),
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    chapters = [notebook(project, cell(SEALED), name=f"part/{name}") for name in "abc"]
    execute_all(project, chapters)
    for chapter in chapters:
        ran = nbformat.read(project.executed(chapter), as_version=4)
        printed = "None 6 []\nFalse None False\nTrue 12.0\nFalse UTC\n"
        assert ran.cells[-1].outputs[0].text == printed


@pytest.fixture
def variables(tmp_path, monkeypatch):
    """The variables of a process that executes, by those of the process that starts it."""

    def sealed(**outside):
        for name in [*os.environ]:
            monkeypatch.delenv(name)
        for name, value in outside.items():
            monkeypatch.setenv(name, value)
        return sealed_environment("/where/it/runs", Project(tmp_path))

    return sealed


def test_of_the_variables_outside_only_those_of_the_machine_are_passed_on(variables):
    machine = {"PATH": "/bin", "TMPDIR": "/t", "LD_LIBRARY_PATH": "/lib"}
    settings = {
        "LANG": "de_DE.UTF-8",
        "PYTHONWARNINGS": "error",
        "OMP_NUM_THREADS": "8",
    }
    sealed = variables(**machine, **settings, PYTHONPATH="/mine", PYTHONHASHSEED="5")
    assert sealed.items() >= machine.items()
    assert not {"LANG", "PYTHONWARNINGS"} & sealed.keys()
    assert sealed["OMP_NUM_THREADS"] == sealed["MKL_NUM_THREADS"] == "1"
    assert sealed["PYTHONHASHSEED"] == "0" and sealed["LC_ALL"] == "C.UTF-8"
    # nothing is passed on that is not there
    assert not machine.keys() & variables().keys()


def test_a_process_that_executes_has_the_code_and_data_of_its_book(variables, tmp_path):
    sealed = variables()
    assert sealed["HOME"] == "/where/it/runs"
    assert sealed["CALIB_DATA"] == str(tmp_path / "data")
    # what the book brings goes before what builds it
    assert sealed["PYTHONPATH"] == f"{tmp_path}{os.pathsep}{ROOT}"
    assert sealed["PYTHONSTARTUP"] == str(STARTUP) and STARTUP.is_file()


def test_the_list_of_fonts_is_kept_where_one_may_write(variables, tmp_path):
    gone = str(tmp_path / "gone")
    (tmp_path / ".cache").mkdir()
    cache = str(tmp_path / ".cache")
    assert variables(XDG_CACHE_HOME=cache, HOME=gone)["XDG_CACHE_HOME"] == cache
    assert variables(HOME=str(tmp_path))["XDG_CACHE_HOME"] == cache
    assert "XDG_CACHE_HOME" not in variables(XDG_CACHE_HOME=gone, HOME=str(tmp_path))
