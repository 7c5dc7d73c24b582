"""How the book is cited, with an address and without."""

from types import SimpleNamespace

import calib
from book.build.citation import FromSite, entry


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
