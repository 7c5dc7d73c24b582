"""What the site holds beside its pages."""

import pytest
from helpers import ROOT, SITE, site_pages


@pytest.mark.slow
def test_the_site_holds_the_changes_of_the_library():
    site_pages()
    changes = (SITE / "_static" / "CHANGELOG.md").read_bytes()
    assert changes == (ROOT / "CHANGELOG.md").read_bytes()
    page = (SITE / "use" / "changes.html").read_text("utf-8")
    assert 'href="../_static/CHANGELOG.md"' in page
