"""A notebook that was handed out fetches what it needs."""

import hashlib
import json
import os
import re
import subprocess
import sys

import nbformat
import pytest
from helpers import SITE, skip_unless

from book.show import handed_out


@pytest.mark.slow
def test_a_notebook_works_where_it_was_downloaded(tmp_path):
    """With nothing beside it: it fetches data, checks and the library from the site."""
    page = SITE / "_static" / "notebooks" / "measure" / "ece-and-mce.ipynb"
    skip_unless(page.is_file(), "the site is not built: make book")
    right = "ece_three_bins = ece_merged = 0.104\nece_all_right = (0.179, 0.043)"
    sources = []
    for cell in nbformat.read(page, as_version=4).cells:
        if cell.cell_type == "code":
            here = cell.metadata.get("exercise") == "ex-ece-hand"
            stub = here and "stub" in cell.metadata["tags"]
            sources.append(right if stub else cell.source)
    (tmp_path / "page.py").write_text("\n".join(sources), encoding="utf-8")
    surroundings = {
        "CALIB_SITE": SITE.as_uri(),
        "MPLBACKEND": "agg",
        "PATH": os.environ["PATH"],
    }
    done = subprocess.run(
        [sys.executable, "page.py"],
        cwd=tmp_path,
        env=surroundings,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    verdicts = re.findall("^(right|not yet)", done.stdout, re.MULTILINE)
    assert verdicts == ["right", "not yet", "not yet", "not yet"]
    assert (tmp_path / "calibration-book" / "checks.json").is_file()


def test_data_are_fetched_checked_and_kept(tmp_path, monkeypatch):
    site, folder = tmp_path / "site", tmp_path / "folder"
    there, kept = site / "_static/data/zoo/a.csv", folder / "data/zoo/a.csv"
    there.parent.mkdir(parents=True)
    there.write_bytes(b"right")
    folder.mkdir()
    digests = {"zoo/a.csv": hashlib.sha256(b"right").hexdigest()}
    (folder / "data.json").write_text(json.dumps({"labs/one": digests}))
    monkeypatch.setattr(handed_out, "FOLDER", folder)
    with pytest.raises(
        FileNotFoundError, match=r"zoo/a.csv is not in the archive: set"
    ):
        handed_out.bring_data("labs/one", "")
    handed_out.bring_data("labs/one", site.as_uri())
    assert kept.read_bytes() == b"right"
    handed_out.bring_data("labs/one", "")
    kept.unlink()
    there.write_bytes(b"wrong")
    with pytest.raises(ValueError, match=r"zoo/a.csv: its SHA-256 is"):
        handed_out.bring_data("labs/one", site.as_uri())
    assert not kept.exists()
