"""How the book is cited, with an address and without."""

from types import SimpleNamespace

import pytest

import calib
from book.build.citation import FromSite, entry, write_entry


def test_the_entry_to_cite_has_the_address_where_there_is_one():
    assert "url" not in entry("")
    cited = entry("https://calibration.example/")
    assert cited.endswith("  url = {https://calibration.example/},\n}")
    assert cited.startswith("@software{calibration_book,\n  title = {{")
    assert f"version = {{{calib.__version__}}}," in cited


def test_a_place_to_cite_stands_behind_the_address_where_there_is_one():
    for address in ("", "https://calibration.example/"):
        role = FromSite()
        role.text = "replicate/ledger.html"
        role.inliner = SimpleNamespace(
            document=SimpleNamespace(settings=SimpleNamespace())
        )
        config = SimpleNamespace(html_baseurl=address)
        role.inliner.document.settings.env = SimpleNamespace(config=config)
        (shown,), messages = role.run()
        assert shown.astext() == f"{address}replicate/ledger.html"
        assert messages == []


@pytest.mark.parametrize("case", ["built", "failed", "print"])
def test_the_site_holds_the_entry_as_a_file(tmp_path, case):
    (tmp_path / "html" / "_static").mkdir(parents=True)
    app = SimpleNamespace(
        outdir=tmp_path / "raw",
        builder=SimpleNamespace(name="singlehtml" if case == "print" else "html"),
        config=SimpleNamespace(html_baseurl="https://book.example/"),
    )
    write_entry(app, ValueError() if case == "failed" else None)
    files = [path.read_text() for path in (tmp_path / "html" / "_static").iterdir()]
    assert files == [f"{entry('https://book.example/')}\n"] * (case == "built")
