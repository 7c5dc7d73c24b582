"""What a student starts: asked once for a name, installed once, then JupyterLab."""

import sys
from types import SimpleNamespace

import pytest

from teaching import start


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """What a student unpacks, in a class of which the name is to be told, at a terminal."""
    (tmp_path / "calibration-book").mkdir()
    (tmp_path / "calibration-book" / "students.json").touch()
    environment = tmp_path / "environment"
    monkeypatch.setattr(start, "HERE", tmp_path)
    monkeypatch.setattr(start, "ENVIRONMENT", environment)
    monkeypatch.setattr(start, "PYTHON", environment / "bin" / "python")
    monkeypatch.setattr(sys, "argv", ["start.py"])
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("builtins.input", lambda question: "Zoë")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "")
    return tmp_path


@pytest.fixture
def commands(folder, monkeypatch):
    """The commands that were run, in order; all end with the status 3."""
    done = []

    def run(command, **options):
        done.append((list(map(str, command)), options))
        return SimpleNamespace(returncode=3)

    monkeypatch.setattr(start.subprocess, "run", run)
    return done


def started():
    with pytest.raises(SystemExit) as ended:
        start.main()
    return ended.value.code


def installed(folder):
    (folder / "environment").mkdir()
    (folder / "environment" / "ready").touch()


def test_the_first_lab_opens_beside_the_file_with_the_status_of_jupyter(
    folder, commands
):
    installed(folder)
    assert started() == 3
    ((command, options),) = commands
    assert command[1:] == ["-m", "jupyterlab", "exercises/labs/first-diagrams.ipynb"]
    assert command[0] == str(start.PYTHON) and options == {"cwd": folder}


def test_another_notebook_opens_where_it_is_named(folder, commands, monkeypatch):
    installed(folder)
    monkeypatch.setattr(sys, "argv", ["start.py", "other.ipynb"])
    started()
    assert commands[0][0][-1] == "other.ipynb"


def test_a_name_is_asked_for_once(folder, commands, monkeypatch):
    installed(folder)
    started()
    name = folder / "calibration-book" / "student.txt"
    assert name.read_text("utf-8") == "Zoë"
    monkeypatch.setattr("builtins.input", lambda question: "Bo")
    started()
    assert name.read_text("utf-8") == "Zoë"


@pytest.mark.parametrize("alone", ["no class", "no terminal"])
def test_who_has_no_class_or_no_terminal_is_not_asked(
    alone, folder, commands, monkeypatch
):
    installed(folder)
    if alone == "no class":
        (folder / "calibration-book" / "students.json").unlink()
    else:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: False))
    started()
    assert not (folder / "calibration-book" / "student.txt").exists()


def test_an_environment_is_made_once_and_loses_what_no_lab_uses(
    folder, commands, monkeypatch
):
    """Of two that begin alike the one goes that is named; what is needed stays."""
    (folder / "calib-1.whl").touch()
    packages = folder / "environment" / "lib" / "python3" / "site-packages"
    kept = ("numpy/core.py", "jupyter/a/b.pyi", "babel/locale-data/en.dat")
    idle = ("numpy/tests/a.py", "numpy/a/b.pyi", "pip/a.py", "babel/locale-data/fr.dat")

    def create(environment, clear, with_pip):
        assert (environment, clear, with_pip) == (folder / "environment", True, True)
        for name in (*kept, *idle):
            (packages / name).parent.mkdir(parents=True, exist_ok=True)
            (packages / name).touch()

    monkeypatch.setattr(start.venv, "create", create)
    started()
    (command, options), _ = commands
    assert command[1:4] == ["-m", "pip", "install"] and options == {"check": True}
    assert command[-7:] == [str(folder / "calib-1.whl"), *start.NEEDED]
    assert [(packages / name).exists() for name in kept] == [True] * 3
    assert [(packages / name).exists() for name in idle] == [False] * 4
    started()
    assert len(commands) == 3


def test_an_old_python_is_told_what_it_needs(folder, commands, monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 10, 9))
    assert "3.11 or later" in started() and not commands
