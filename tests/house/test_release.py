"""One version everywhere, and workflows whose rights and steps are named."""

import re
import tomllib

import pytest
import yaml
from helpers import ROOT

import calib

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"[\w./-]+@[0-9a-f]{40}$")


def test_one_version_everywhere():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"]
    recipe = yaml.safe_load((ROOT / "recipe" / "recipe.yaml").read_text())["context"][
        "version"
    ]
    assert version == calib.__version__ == citation == recipe


def test_the_changelog_begins_with_this_version():
    newest = re.search(r"^## (\S+?)(, not released yet)?$", _changelog(), re.M)
    assert newest.group(1) == calib.__version__.removesuffix(".dev0")
    assert bool(newest.group(2)) == calib.__version__.endswith(".dev0")


def _changelog():
    return (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize("place", WORKFLOWS, ids=lambda place: place.stem)
def test_a_workflow_may_do_what_it_says_and_runs_what_is_pinned(place):
    content = yaml.safe_load(place.read_text())
    assert set((content["permissions"] or {}).values()) <= {"read"}
    for name, job in content["jobs"].items():
        assert "timeout-minutes" in job or "environment" in job or "needs" in job, name
        used = [step["uses"] for step in job["steps"] if "uses" in step]
        assert all(PINNED.fullmatch(action) for action in used), name


def test_what_is_published_was_attested():
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())[
        "jobs"
    ]
    assert "attest" in jobs["publish"]["needs"]
    steps = [
        step
        for step in jobs["attest"]["steps"]
        if step["uses"].startswith("actions/attest@")
    ]
    assert [("sbom-path" in step["with"]) for step in steps] == [False, True]
