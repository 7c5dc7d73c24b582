"""A feed of changes, feed.xml: versions of the book, and days on which verdicts changed.

In: the page of changes and the ledger's log. Out: Atom, whose entries keep their identifiers.
"""

import csv
import re
import uuid
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree as xml

from docutils import nodes
from sphinx.application import Sphinx

from book.build.publish import published
from evidence import data_folder

ATOM = "http://www.w3.org/2005/Atom"
PAGE = "use/changes"
TERM = re.compile(r"(\d+\.\d+\.\d+) \((\d+ \w+ \d{4})\)")


@dataclass(frozen=True)
class Entry:
    name: str  # a stable one, of which the identifier is made
    date: str  # ISO 8601
    title: str
    text: str


def versions(doctree: nodes.document) -> list[Entry]:
    """Return the versions that the page of changes lists with a date."""
    entries = []
    for item in doctree.findall(nodes.definition_list_item):
        term = TERM.fullmatch(item[0].astext())
        if term:
            date = datetime.strptime(term[2], "%d %B %Y").date().isoformat()
            text = " ".join(item[-1].astext().split())
            entries.append(
                Entry(f"version-{term[1]}", date, f"Version {term[1]}", text)
            )
    return entries


def verdicts(log: Path) -> list[Entry]:
    """Return a day and a reason each on which verdicts of the ledgers changed."""
    with log.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if is_other(row)]
    entries, claims_of = [], dict[tuple[str, str], set[str]]()
    for row in rows:
        # wherever in the log they stand: a reader of feeds drops one of two entries of one name
        claims_of.setdefault((row["date"][:10], row["reason"]), set()).add(row["claim"])
    for (date, reason), changed in claims_of.items():
        claims = sorted(changed)
        title = f"Verdicts of {len(claims)} claims changed"
        text = f"{reason.rstrip('.')}: {', '.join(claims)}."
        entries.append(Entry(f"verdicts-{date}-{reason}", date, title, text))
    return entries


def is_other(row: dict[str, str]) -> bool:
    before, after = row["verdict_before"], row["verdict_after"]
    return bool(before and after and before != after)


def atom(title: str, entries: list[Entry], address: str) -> bytes:
    """Return an Atom feed, newest first; without an address of the site its links are relative."""
    xml.register_namespace("", ATOM)
    feed = xml.Element(f"{{{ATOM}}}feed")

    def add(
        parent: xml.Element, tag: str, text: str = "", **attributes: str
    ) -> xml.Element:
        child = xml.SubElement(parent, f"{{{ATOM}}}{tag}", attributes)
        child.text = text or None
        return child

    ordered = sorted(entries, key=lambda entry: (entry.date, entry.name), reverse=True)
    add(feed, "title", title)
    add(feed, "id", identifier("feed"))
    add(feed, "updated", moment(ordered[0].date))
    add(add(feed, "author"), "name", "the authors of the book")
    add(feed, "link", rel="self", href=f"{address}feed.xml")
    for entry in ordered:
        element = add(feed, "entry")
        add(element, "title", entry.title)
        add(element, "id", identifier(entry.name))
        add(element, "updated", moment(entry.date))
        add(element, "link", href=f"{address}{PAGE}.html")
        add(element, "summary", entry.text)
    xml.indent(feed)
    return xml.tostring(feed, encoding="utf-8", xml_declaration=True)


def identifier(name: str) -> str:
    """Return an identifier that stays the same wherever the site lies."""
    return uuid.uuid5(uuid.NAMESPACE_OID, f"calibration of neural networks: {name}").urn


def moment(date: str) -> str:
    return f"{date}T00:00:00Z"


def write_feed(app: Sphinx, exception: Exception | None) -> None:
    """Write the feed of the site."""
    if exception or app.builder.name != "html" or PAGE not in app.env.found_docs:
        return
    entries = versions(app.env.get_doctree(PAGE))
    entries += verdicts(data_folder() / "ledger" / "claims-log.csv")
    feed = atom(app.config.html_title, entries, app.config.html_baseurl or "")
    (published(app) / "feed.xml").write_bytes(feed)
