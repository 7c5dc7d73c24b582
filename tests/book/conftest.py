"""A book of one notebook; a browser, and a page with one interactive figure of each kind."""

import pytest
from explorables import one_of_each, opened
from helpers import ROOT, chromium
from one_chapter import one_chapter

from book.show import looks

TABLE = """<filter-table filters="Kind"><table>
<thead><tr><th>Name</th><th>Kind</th><th>Size</th></tr></thead>
<tbody><tr><td>ten</td><td>even</td><td>10</td></tr><tr><td>nine</td><td>odd</td><td>9</td></tr>
<tr><td>two</td><td>even</td><td>2</td></tr></tbody></table></filter-table>"""
LEDGER = f"""<filter-table class="ledger"><table><thead><tr><th>Claim</th></tr></thead><tbody>
{14 * "<tr><td>even</td></tr><tr><td>odd</td></tr>"}<tr><td>even</td></tr>
<tr id="claim-last"><td>odd<details><summary>cases</summary>all</details></td></tr></tbody>
</table></filter-table>"""


@pytest.fixture
def project(tmp_path):
    return one_chapter(tmp_path)


@pytest.fixture(scope="session")
def figures():
    return one_of_each()


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def address(figures, tmp_path_factory):
    """Write a page with two tables and the named figures, or all, that opens as a file."""
    folder = ROOT / "book" / "assets" / "widgets"
    style = looks.stylesheet() + (folder.parent / "widgets.css").read_text("utf-8")

    def write(*names):
        file, names = (
            tmp_path_factory.mktemp("widgets") / "page.html",
            names or [*figures],
        )
        scripts = "".join(
            f'<script src="{(folder / name).as_uri()}.js"></script>'
            for name in ["base", "definitions", "diagram", "filter-table", *names]
        )
        body = "".join(figures[name].data for name in names) + TABLE + LEDGER
        file.write_text(
            f'<meta charset="utf-8"><style>{style}</style>{body}{scripts}', "utf-8"
        )
        return file.as_uri()

    return write


@pytest.fixture(scope="module")
def page(browser, address):
    with opened(browser, address()) as page:
        yield page
