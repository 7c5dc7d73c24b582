"""An address that the site once had leads to where its content is now."""

import pytest
from helpers import ROOT, SITE, moved, skip_unless


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
