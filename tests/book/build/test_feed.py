"""A feed of changes."""

from datetime import datetime
from xml.etree import ElementTree as xml

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
