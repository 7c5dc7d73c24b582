"""An address that the site once had leads to where its content is now."""

from types import SimpleNamespace

import pytest
from helpers import ROOT, SITE, moved, skip_unless

from book.build.old_addresses import keep_old_addresses


@pytest.mark.parametrize("old", sorted(moved()))
def test_a_moved_page_is_gone_and_its_successor_there(old):
    assert not (ROOT / "chapters" / f"{old}.md").exists()
    assert (ROOT / "chapters" / f"{moved()[old]}.md").is_file()


@pytest.mark.slow
@pytest.mark.parametrize("old", sorted(moved()))
def test_the_built_site_leads_from_the_old_address_to_the_new(old):
    page = SITE / f"{old}.html"
    skip_unless(page.is_file(), "the site is not built: make book")
    text = page.read_text("utf-8")
    place = text.partition('<a href="')[2].partition('"')[0]
    assert (page.parent / place).resolve() == SITE / f"{moved()[old]}.html"
    assert (page.parent / place).is_file()


def kept(folder, *, builder="html", fault=None):
    """The old addresses that have a page now; of a book that lacks one of the new ones."""
    places = {"part/old": "other/new", "old": "new", "left": "not-built"}
    app = SimpleNamespace(
        outdir=folder,
        builder=SimpleNamespace(name=builder),
        config=SimpleNamespace(html_context={"moved": places}),
        env=SimpleNamespace(found_docs={"other/new", "new"}),
    )
    keep_old_addresses(app, fault)
    paths = folder.rglob("*.html")
    return {path.relative_to(folder).as_posix(): path.read_text() for path in paths}


def test_an_old_address_leads_to_the_new_one_where_that_is_built(tmp_path):
    pages = kept(tmp_path)
    assert {*pages} == {"part/old.html", "old.html"}
    assert pages["part/old.html"].count("../other/new.html") == 4
    assert '<a href="new.html">' in pages["old.html"]


@pytest.mark.parametrize("case", [{"builder": "singlehtml"}, {"fault": ValueError()}])
def test_a_print_and_a_build_that_failed_keep_no_old_address(tmp_path, case):
    assert kept(tmp_path, **case) == {}
