"""A feed of changes."""

from datetime import datetime
from types import SimpleNamespace
from xml.etree import ElementTree as xml

import pytest
from docutils import nodes
from helpers import ROOT, SITE, skip_unless

from book.build import feed


def test_a_feed_is_in_order_and_its_identifiers_stay():
    entries = [
        feed.Entry("version-0.1.0", "2026-01-02", "Version 0.1.0", "The first & only."),
        feed.Entry(
            "verdicts-x", "2026-03-04", "Verdicts of 2 claims changed", "Why: a, b."
        ),
    ]
    here, there = (
        feed.atom("T", entries, address) for address in ("", "https://x.example/")
    )
    names = {"a": feed.ATOM}
    root, later = xml.fromstring(here), xml.fromstring(there)
    dates = [node.text for node in root.findall("a:entry/a:updated", names)]
    assert dates == ["2026-03-04T00:00:00Z", "2026-01-02T00:00:00Z"]
    assert root.find("a:updated", names).text == dates[0]
    ids = [
        [node.text for node in tree.iter(f"{{{feed.ATOM}}}id")]
        for tree in (root, later)
    ]
    assert ids[0] == ids[1] and len(set(ids[0])) == 3
    assert (
        later.find("a:entry/a:link", names).get("href")
        == "https://x.example/use/changes.html"
    )
    assert root.findall("a:entry/a:summary", names)[1].text == "The first & only."


def test_the_site_tells_each_version_and_each_day_of_other_verdicts():
    skip_unless((SITE / "index.html").is_file(), "the site is not built: make book")
    root = xml.parse(SITE / "feed.xml").getroot()
    titles = [node.text for node in root.iter(f"{{{feed.ATOM}}}title")]
    assert {"Version 0.1.0", "Version 0.2.0"} <= set(titles)
    counted = feed.verdicts(ROOT / "data" / "ledger" / "claims-log.csv")
    assert sum(title.startswith("Verdicts") for title in titles) == len(counted) > 3
    for node in root.iter(f"{{{feed.ATOM}}}updated"):
        datetime.fromisoformat(node.text)
    assert 'type="application/atom+xml"' in (SITE / "index.html").read_text("utf-8")


def test_claims_of_one_day_and_reason_are_one_entry_wherever_they_stand(tmp_path):
    log = tmp_path / "log.csv"
    rows = [
        "date,claim,verdict_before,verdict_after,reason",
        "2026-11-23,a,open,holds,one",
        "2026-11-23,b,open,holds,two",
        "2026-11-23,c,open,holds,one",
    ]
    log.write_text("\n".join([*rows, ""]))
    texts = [entry.text for entry in feed.verdicts(log)]
    assert texts == ["one: a, c.", "two: b."]
    entries = feed.verdicts(ROOT / "data/ledger/claims-log.csv")
    assert len({entry.name for entry in entries}) == len(entries)


def test_only_a_verdict_that_was_and_is_another_is_told(tmp_path):
    log = tmp_path / "log.csv"
    rows = ["2026-11-23T10,a,holds,holds,x", "2026-11-23T11,b,,holds,x"]
    rows += ["2026-11-23T12,c,holds,,x", "2026-11-24T01,d,holds,fails,y."]
    head = "date,claim,verdict_before,verdict_after,reason"
    log.write_text("\n".join([head, *rows, ""]))
    (entry,) = feed.verdicts(log)
    assert (entry.name, entry.date) == ("verdicts-2026-11-24-y.", "2026-11-24")
    assert (entry.title, entry.text) == ("Verdicts of 1 claims changed", "y: d.")


def changes(*terms):
    items = [
        nodes.definition_list_item(
            "", nodes.term("", term), nodes.definition("", nodes.paragraph("", text))
        )
        for term, text in terms
    ]
    return nodes.section("", nodes.definition_list("", *items))


@pytest.fixture
def app(tmp_path):
    page = changes(("0.1.0 (2 January 2026)", "The\nfirst."), ("0.2.0", "Not yet."))
    return SimpleNamespace(
        outdir=tmp_path / "raw",
        builder=SimpleNamespace(name="html"),
        config=SimpleNamespace(html_title="T", html_baseurl=None),
        env=SimpleNamespace(found_docs={feed.PAGE}, get_doctree=lambda name: page),
    )


def test_the_feed_of_a_site_has_its_versions_and_verdicts(app, tmp_path, monkeypatch):
    (tmp_path / "html").mkdir()
    ledger = tmp_path / "data" / "ledger"
    ledger.mkdir(parents=True)
    log = (
        "date,claim,verdict_before,verdict_after,reason\n2026-02-03,a,open,holds,why\n"
    )
    (ledger / "claims-log.csv").write_text(log)
    monkeypatch.setattr(feed, "data_folder", lambda: tmp_path / "data")
    feed.write_feed(app, None)
    root = xml.parse(tmp_path / "html" / "feed.xml").getroot()
    titles = [node.text for node in root.iter(f"{{{feed.ATOM}}}title")]
    assert titles == ["T", "Verdicts of 1 claims changed", "Version 0.1.0"]
    texts = [node.text for node in root.iter(f"{{{feed.ATOM}}}summary")]
    assert texts == ["why: a.", "The first."]


@pytest.mark.parametrize("case", ["failed", "print", "page"])
def test_a_build_that_failed_prints_or_lacks_the_changes_has_no_feed(app, case):
    app.builder.name = "singlehtml" if case == "print" else "html"
    if case == "page":
        app.env.found_docs.clear()
    feed.write_feed(app, ValueError() if case == "failed" else None)
    assert not (app.outdir.parent / "html").exists()
