"""pyproject.toml, requirements.lock and environment.yml agree, and name no registry."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest
import yaml
from helpers import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCK_TEXT = (ROOT / "requirements.lock").read_text()
ADDRESS = re.compile(r"(?:https?|file)://|--(?:extra-)?index-url|--find-links|/home/|/root/")


def locked():
    """Return the pins that hold for the running Python, by name."""
    lines = [line for line in LOCK_TEXT.splitlines() if line and not line.startswith("#")]
    pins = [Requirement(line) for line in lines]
    return {canonicalize_name(p.name): p for p in pins if not p.marker or p.marker.evaluate()}


def required():
    extras = PROJECT["project"]["optional-dependencies"]
    lines = [*PROJECT["project"]["dependencies"], *(line for e in extras.values() for line in e)]
    return [
        Requirement(line) for line in lines if not line.startswith(f"{PROJECT['project']['name']}[")
    ]


def test_every_requirement_is_locked_inside_its_range():
    pins = locked()
    for requirement in required():
        pin = pins[canonicalize_name(requirement.name)]
        (version,) = pin.specifier
        assert version.operator == "==", pin
        assert requirement.specifier.contains(version.version), f"{pin} is outside {requirement}"


NOT_IMPORTED = {  # a requirement, and what of ours needs it
    "build": "-m build",
    "mypy": "-m mypy",
    "myst-parser": "myst_parser",
    "nbval": "--nbval",
    "pre-commit": "pre-commit install",
    "pytest-benchmark": "benchmark(",
    "pytest-cov": "--cov",
    "pytest-xdist": "-m pytest -n",
    "ruff": "-m ruff",
    "setuptools": "setuptools",
    "sphinx-book-theme": "html_theme_options",
    "sphinx-design": "{grid}",
    "sphinx-proof": "sphinx_proof",
    "sphinx-revealjs": "sphinx_revealjs",
    "sphinxcontrib-bibtex": "{cite:t}",
}


def test_every_requirement_is_used():
    """It is imported, in a chapter or elsewhere, or something of ours cannot do without it."""
    where = ("*.py", "chapters/*.md", "Makefile", "*.yml", "CONTRIBUTING.md", ":!tests/test_env*")
    listed = subprocess.run(["git", "ls-files", *where], cwd=ROOT, capture_output=True, text=True)
    text = "\n".join((ROOT / name).read_text("utf-8") for name in listed.stdout.splitlines())
    imported = set(re.findall(r"^\s*(?:from|import) (\w+)", text, re.MULTILINE))
    modules = {}
    for module, names in packages_distributions().items():
        for name in names:
            modules.setdefault(canonicalize_name(name), set()).add(module)
    names = {canonicalize_name(requirement.name) for requirement in required()}
    unused = {name for name in names if not modules.get(name, {name}) & imported}
    assert {name for name in unused if NOT_IMPORTED.get(name, name) not in text} == set()
    assert unused == set(NOT_IMPORTED)


def test_every_pin_is_exact():
    assert all(str(pin.specifier).startswith("==") for pin in locked().values())


def test_the_core_needs_numpy_and_scipy_only():
    core = {Requirement(line).name for line in PROJECT["project"]["dependencies"]}
    assert core == {"numpy", "scipy"}


def test_jupyter_book_stays_below_two():
    """Every line of a tracked file that requires jupyter-book keeps the second generation out."""
    pattern = r"^[-[:space:]]*[\"']?jupyter-book([[:space:]]*[<>=~!]|[\"',]*$)"
    command = ["git", "grep", "-hIE", pattern]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    lines = [line.strip(" -\"',") for line in found.splitlines()]
    assert len(lines) >= 2
    for line in lines:
        assert not Requirement(line).specifier.contains("2.0.0"), line


def test_the_environment_file_is_thin():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    python, pip, installed = environment["dependencies"]
    editable = "-e . --config-settings editable_mode=compat"
    assert pip == "pip" and installed == {"pip": ["-r requirements.lock", editable]}
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert python == f"python={oldest}"


def test_the_hook_runs_the_locked_ruff():
    (hooked,) = [
        repo["rev"]
        for repo in yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
        if repo["repo"].endswith("/ruff-pre-commit")
    ]
    assert str(locked()["ruff"].specifier) == f"=={hooked.removeprefix('v')}"


@pytest.mark.parametrize("name", ["requirements.lock", "pyproject.toml", "environment.yml"])
def test_no_registry_or_path_is_named(name):
    assert not ADDRESS.search((ROOT / name).read_text())


def test_the_running_environment_is_the_locked_one():
    from importlib.metadata import PackageNotFoundError, version

    differing = []
    for name, pin in locked().items():
        try:
            found = version(name)
        except PackageNotFoundError:
            found = "0"
        if not pin.specifier.contains(found):
            differing.append(f"{pin}: found {found}")
    assert differing == []


def test_all_names_are_imported_without_the_extras():
    code = (
        "import sys\n"
        "absent = ['dask', 'joblib', 'matplotlib', 'onnx', 'pandas', 'sklearn', 'tqdm']\n"
        "sys.modules.update(dict.fromkeys(absent))\n"
        "from calib import *\n"
        "from calib_report import *\n"
        "ece([0, 1], [[0.9, 0.1], [0.2, 0.8]])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
