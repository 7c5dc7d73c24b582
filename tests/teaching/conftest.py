"""A site with one lab, what students have of a course, and a wall for their submissions."""

import shutil

import pytest
from helpers import ROOT, skip_unless
from one_lab import site

from teaching import wall as walls


@pytest.fixture(scope="session")
def support(tmp_path_factory):
    """The modules that students have, in a course."""
    folder = tmp_path_factory.mktemp("course") / "keys" / "calibration-book"
    (folder / "data" / "published").mkdir(parents=True)
    (folder / "data.json").write_text("{}")
    for room in ("book", "calib", "evidence"):
        shutil.copytree(
            ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__")
        )
    return folder


@pytest.fixture
def built(tmp_path):
    return site(tmp_path)


@pytest.fixture(scope="session")
def wall(support):
    skip_unless(shutil.which("bwrap") is not None, "bubblewrap is not installed")
    return walls.choose_wall(support.parents[1], support, "bubblewrap", "", trust=False)
