"""A place where sources are published, on this machine."""

from types import SimpleNamespace

import pytest
from helpers import served


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A web server on this machine, an empty local copy and an empty list of sources."""

    for name in ("data/published", "data/sources", "copy", "web"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setenv("CALIB_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("CALIB_SOURCES", str(tmp_path / "copy"))
    places = {
        "copy": tmp_path / "copy",
        "table": tmp_path / "data" / "sources/sources.csv",
    }
    with served(tmp_path / "web") as address:
        yield SimpleNamespace(address=address, web=tmp_path / "web", rows=[], **places)
