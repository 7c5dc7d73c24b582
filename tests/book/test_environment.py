"""pyproject.toml, requirements.lock, environment.yml and README.md agree, and name no registry."""

import base64
import re
import tomllib

import nbformat
import yaml
from helpers import ROOT, skip_unless
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import calib
from evidence import load_zoo

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
README = (ROOT / "README.md").read_text()
ADDRESS = re.compile(
    r"(?:https?|file)://|--(?:extra-)?index-url|--find-links|/home/|/root/"
)
PINS = {
    canonicalize_name(pin.name): pin
    for line in (ROOT / "requirements.lock").read_text().splitlines()
    if line and not line.startswith(("#", " "))
    for pin in [Requirement(line.removesuffix("\\"))]
    if not pin.marker or pin.marker.evaluate()
}


def test_every_requirement_is_locked_inside_its_range():
    core = PROJECT["project"]["dependencies"]
    assert {Requirement(line).name for line in core} == {"numpy", "scipy"}
    extras = PROJECT["project"]["optional-dependencies"].values()
    lines = [*core, *(line for extra in extras for line in extra)]
    for requirement in map(Requirement, lines):
        if requirement.name == PROJECT["project"]["name"]:
            continue
        pin = PINS[canonicalize_name(requirement.name)]
        (exact,) = pin.specifier
        assert exact.operator == "==", pin
        assert requirement.specifier.contains(exact.version), (
            f"{pin} is outside {requirement}"
        )


def test_other_files_say_the_same():
    python, pip, installed = yaml.safe_load((ROOT / "environment.yml").read_text())[
        "dependencies"
    ]
    assert pip == "pip" and installed == {"pip": ["-r requirements.lock"]}
    assert (
        python == f"python={PROJECT['project']['requires-python'].removeprefix('>=')}"
    )
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    (ruff,) = [
        hook["rev"] for hook in hooks if hook["repo"].endswith("/ruff-pre-commit")
    ]
    assert str(PINS["ruff"].specifier) == f"=={ruff.removeprefix('v')}"
    for name in ("requirements.lock", "pyproject.toml", "environment.yml"):
        assert not ADDRESS.search((ROOT / name).read_text()), name


def test_one_version_everywhere():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    entry = (ROOT / "book" / "assets" / "cite.bib").read_text()
    recipe = yaml.safe_load((ROOT / "recipe" / "recipe.yaml").read_text())
    assert calib.__version__ == PROJECT["project"]["version"] == cited["version"]
    assert recipe["context"]["version"] == cited["version"]
    assert f"{{{cited['version']}}}" in entry and cited["title"] in entry


def test_the_code_of_the_readme_runs():
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    network = load_zoo("cifar10-resnet20")
    names = {
        "y_true": network.test.y,
        "y_prob": network.test.prob,
        "logits_calibration": network.calibration.logits,
        "y_calibration": network.calibration.y,
        "logits_test": network.test.logits,
    }
    exec(code, names)
    assert calib.ece(network.test.y, names["probabilities"]) < names["error"]


def test_the_figure_of_the_readme_is_that_of_its_chapter():
    chapter = ROOT / "_build/executed/recalibrate/temperature-scaling.ipynb"
    skip_unless(chapter.is_file(), "the chapters are not executed: make book")
    (cell,) = (
        cell
        for cell in nbformat.read(chapter, as_version=4).cells
        if cell.metadata.get("mystnb", {}).get("figure", {}).get("name")
        == "fig-temperature-before-after"
    )
    picture = base64.b64decode(cell.outputs[0].data["image/png"])
    assert (ROOT / "book" / "readme" / "reliability.png").read_bytes() == picture
