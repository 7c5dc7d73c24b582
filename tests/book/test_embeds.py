"""Each interactive figure has an address of its own, which works in a frame of a foreign page."""

import re

import pytest
from bs4 import BeautifulSoup
from helpers import SITE, served, site_pages

FRAME = '<iframe src="{}" width="700" height="760"></iframe>'
FOREIGN = f"<!DOCTYPE html><title>A lecture</title>{FRAME}"


def names() -> list[str]:
    """Return the addresses of all figures, from the pages that hold them."""
    found = []
    for page in site_pages():
        text = (SITE / page).read_text("utf-8")
        tags = re.findall(r'<([a-z]+-[a-z-]+) id="([^"]*)" role="group"', text)
        found += [f"{page.removesuffix('.html')}/{name}.html" for _, name in tags]
    return found


def test_each_figure_has_its_page_and_is_listed():
    listed = (SITE / "embed" / "index.html").read_text("utf-8")
    assert len(names()) > 20
    for name in names():
        soup = BeautifulSoup((SITE / "embed" / name).read_text("utf-8"), "html.parser")
        assert soup.main.p.get_text().strip() and soup.find(role="group"), name
        assert soup.find("a", string="CC BY 4.0"), name
        assert f'href="{name}"' in listed, name


def test_a_fold_that_an_answer_opens_comes_along():
    for name in (
        "story/temperature-slider.html",
        "recalibrate/temperature-scaling/one-vector.html",
    ):
        soup = BeautifulSoup((SITE / "embed" / name).read_text("utf-8"), "html.parser")
        (fold,) = soup.main.find_all("details", recursive=False)
        assert not fold.has_attr("open") and fold.find("p").get_text().strip(), name


def test_addresses_of_a_frame_lead_somewhere():
    lost = []
    for name in [*names(), "index.html"]:
        path = SITE / "embed" / name
        soup = BeautifulSoup(path.read_text("utf-8"), "html.parser")
        for tag in soup.find_all(
            lambda tag: {"src", "href", "data-file"} & {*tag.attrs}
        ):
            address = tag.get("src") or tag.get("href") or tag.get("data-file")
            there = path.parent / re.split("[?#]", address)[0]
            if not re.match("[a-z]+:", address) and not there.is_file():
                lost.append((name, address))
    assert not lost


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["story/line-up.html", "measure/ece-and-mce/bins-slider.html"]
)
def test_a_foreign_page_shows_the_figure_at_work(browser, tmp_path, name):
    with served(SITE) as site, served(tmp_path) as elsewhere:
        (tmp_path / "lecture.html").write_text(FOREIGN.format(f"{site}/embed/{name}"))
        page, asked = browser.new_page(), []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{elsewhere}/lecture.html")
        frame = page.frames[1]
        frame.locator("[role=group] svg").first.wait_for()
        box = frame.locator("[role=group] button, [role=group] svg[role]").first
        assert box.is_visible()
        assert all(url.startswith((site, elsewhere)) for url in asked)
        assert not frame.evaluate("document.documentElement.scrollWidth > innerWidth")
        page.close()
