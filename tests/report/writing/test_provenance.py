"""Where a page comes from: files, rows, date."""

import hashlib

import matplotlib
import numpy as np
from tempered_models import outputs

import calib
from calib_report import make_report
from calib_report.writing.provenance import provenance


def test_the_page_says_where_it_comes_from_and_the_same_date_gives_the_same_bytes(
    tmp_path, monkeypatch
):
    """Whatever matplotlib's settings, the zone and the language are."""
    source, pages = tmp_path / "a.npz", []
    np.savez(source, **outputs(2.0, n=300))
    settings = {"LC_ALL": "C", "TZ": "Asia/Tokyo", "HOME": "/nonexistent"}
    for more in ({}, settings):
        for name, value in ({"SOURCE_DATE_EPOCH": "1000000000"} | more).items():
            monkeypatch.setenv(name, value)
        report = make_report(source, tmp_path / "r.html", command="calib report a.npz")
        pages.append((tmp_path / "r.html").read_bytes())
        monkeypatch.setitem(matplotlib.rcParams, "figure.facecolor", "red")
        monkeypatch.setitem(matplotlib.rcParams, "font.size", 30)
    provenance = report["provenance"]
    assert (
        provenance["files"][0]["sha256"]
        == hashlib.sha256(source.read_bytes()).hexdigest()
    )
    assert provenance["date"] == "2001-09-09T01:46:40Z" and provenance["rows"] == 300
    assert pages[0] == pages[1] and b"data:image/svg+xml" in pages[0]
    assert provenance["files"][0]["sha256"].encode() in pages[0]
    assert make_report(source, date="today")["provenance"]["date"] == "today"
    assert b"stand for the population that the 300 samples of a.npz" in pages[0]


def test_files_are_told_by_name_and_digest_with_rows_command_and_version(folder):
    (folder / "a.csv").write_bytes(b"label,p\n")
    origin = provenance([folder / "a.csv"], 7, "today", "calib report a.csv")
    assert origin == {
        "files": [
            {"name": "a.csv", "sha256": hashlib.sha256(b"label,p\n").hexdigest()}
        ],
        "rows": 7,
        "date": "today",
        "version": calib.__version__,
        "command": "calib report a.csv",
    }


def test_without_a_date_it_is_that_of_the_build_or_now(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert provenance([], 0, None, None)["date"] == "1970-01-02T00:00:00Z"
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    monkeypatch.setattr("time.time", lambda: 2 * 86400.0)
    assert provenance([], 0, None, None)["date"] == "1970-01-03T00:00:00Z"
