"""Each interactive figure has an address of its own, which works in a frame of a foreign page."""

import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
import sphinx_revealjs
from bs4 import BeautifulSoup
from helpers import SITE, served, site_pages

from book.build import embedded_figures

FRAME = '<iframe src="{}" width="700" height="760"></iframe>'
FOREIGN = f"<!DOCTYPE html><title>A lecture</title>{FRAME}"
WIDTHS = 320, 390, 1280  # a small phone, a phone, a lecture
JUDGED = 390, 1280  # by axe, too
# anew, after a change of size
DRAWN = "() => new Promise(done => setTimeout(done, 50))"
AXE = """() => axe.run(document, {
    resultTypes: ["violations"], rules: {"target-size": {enabled: innerWidth < 768}},
}).then(({violations}) => violations.map(({id, nodes}) => `${id}: ${nodes[0].html}`))"""
# What is wrong with the order of a frame: its words, its open question, its marks, its answer.
ORDER = """() => {
    const figure = document.querySelector("main > [role=group]")
    const [ask, covered] = [".w-ask", "svg.w-covered"].map(place => figure.querySelector(place))
    const top = node => node.getBoundingClientRect().top
    const found = []
    if (!(top(document.querySelector("main > p")) < top(figure))) found.push("words below")
    if (covered && top(ask) > top(covered)) found.push("the question below the marks")
    if (figure.asks && !ask.querySelector("button")) found.push("nothing to answer with")
    if (figure.querySelector(".w-seen")?.textContent) found.push("told")
    if (document.querySelector("main > details[open]")) found.push("an open answer")
    return found
}"""


def names() -> list[str]:
    """Return the addresses of all figures, from the pages that hold them."""
    found = []
    for page in site_pages():
        text = (SITE / page).read_text("utf-8")
        tags = re.findall(r'<([a-z]+-[a-z-]+) id="([^"]*)" role="group"', text)
        found += [f"{page.removesuffix('.html')}/{name}.html" for _, name in tags]
    return found


def test_each_figure_has_its_page_and_is_listed():
    site_pages()
    listed = (SITE / "embed" / "index.html").read_text("utf-8")
    assert len(names()) > 20
    for name in names():
        soup = BeautifulSoup((SITE / "embed" / name).read_text("utf-8"), "html.parser")
        lead, figure = soup.main.h1.find_next_siblings()[:2]
        assert lead.name == "p" and lead.get_text().strip(), name
        assert figure["role"] == "group", name
        assert soup.find("a", string="CC BY 4.0"), name
        assert f'href="{name}"' in listed, name


def test_a_fold_that_an_answer_opens_comes_along():
    site_pages()
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


def faults(page, site: str, name: str) -> list[str]:
    """Open a frame; return what scrolls, asks elsewhere, tells too early or axe finds."""
    from axe_playwright_python.base import AXE_SCRIPT

    asked, found = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site}/embed/{name}", wait_until="load")
    page.evaluate("book.base.beginAll()")
    page.locator(".w-fallback").wait_for(state="detached")
    page.evaluate(AXE_SCRIPT)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate(DRAWN)
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        wrong = page.evaluate(ORDER) + [f"{over} px too wide"] * (over > 0)
        wrong += page.evaluate(AXE) if width in JUDGED else []
        found += [f"{name} at {width} px: {fault}" for fault in wrong]
    elsewhere = [url for url in asked if not url.startswith((site, "data:", "blob:"))]
    return found + [f"{name} asks {url}" for url in elsewhere]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_frame_has_no_fault(browser, scheme):
    """It does not scroll sideways, its question comes first, axe finds nothing."""
    found = []
    with served(SITE) as site:
        for name in names():
            page = browser.new_page(color_scheme=scheme)
            found += faults(page, site, name)
            page.close()
    assert not found


BAD = """<!doctype html><html lang="en"><title>Bad</title><main>
<test-figure role="group"><svg class="w-covered" width="500"></svg>
<div class="w-ask"><p class="w-seen">It is 2.</p></div></test-figure>
<p>Words</p><details open>An answer</details></main><img src="http://127.0.0.1:9/a.png">
<script>const book = {base: {beginAll() {}}}</script>"""


@pytest.mark.slow
def test_every_fault_of_a_frame_is_found(browser, tmp_path):
    (tmp_path / "embed").mkdir()
    (tmp_path / "embed" / "bad.html").write_text(BAD, "utf-8")
    with served(tmp_path) as site:
        page = browser.new_page()
        found = " ".join(faults(page, site, "bad.html"))
        page.close()
    for words in ("too wide", "asks http://127.0.0.1:9", "words below", "told"):
        assert words in found
    for words in ("below the marks", "an open answer", "image-alt"):
        assert words in found


DECK = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A lecture</title>
<link rel="stylesheet" href="dist/reveal.css">
<link rel="stylesheet" href="dist/theme/white.css">
<div class="reveal"><div class="slides"><section><h2>Sure</h2>{}</section></div></div>
<script src="dist/reveal.js"></script>
<script>Reveal.initialize({{ width: 1280, height: 720 }})</script></html>"""

ZOOM = 1.3  # of the frame, which Playwright's own click does not know
MIDDLE = """node => {
    const {x, y, width, height} = node.getBoundingClientRect()
    return [x + width / 2, y + height / 2]
}"""


@pytest.mark.slow
def test_a_slide_shows_the_figure_at_work(browser, tmp_path):
    """The line of the list, in a deck of reveal.js elsewhere, and the slide of the site."""
    listed = (SITE / "embed" / "index.html").read_text("utf-8")
    line = BeautifulSoup(listed, "html.parser").pre.get_text()
    reveal = Path(sphinx_revealjs.__file__).parent / "_static" / "revealjs"
    shutil.copytree(reveal / "dist", tmp_path / "dist")
    with served(SITE) as site, served(tmp_path) as elsewhere:
        line = re.sub('src=".*?embed/', f'src="{site}/embed/', line)
        (tmp_path / "deck.html").write_text(DECK.format(line), "utf-8")
        for address in (f"{elsewhere}/deck.html", f"{site}/embed/slide.html"):
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.goto(address)
            frame = page.frames[1]
            picture = frame.locator("line-up .w-tile").nth(7)
            box = page.locator("iframe").bounding_box()
            x, y = picture.evaluate(MIDDLE)
            assert box["y"] + ZOOM * y < 720  # the last of eight, without scrolling
            page.mouse.click(box["x"] + ZOOM * x, box["y"] + ZOOM * y)
            assert " is real" in frame.locator(".w-status").inner_text()
            assert box["width"] > 1100 and 0 <= box["x"] and box["y"] > 40
            assert box["y"] + box["height"] <= 720
            page.screenshot(path=tmp_path / f"{address.rpartition('/')[2]}.png")
            page.close()


# A site of one page with one figure.

PAGE = """<html><head><meta name="citation_title" content="A &amp; B">
<link rel="stylesheet" href="../_static/style.css"><link rel="icon" href="../icon.svg">
<script src="../_static/widgets/base.js"></script><script src="../_static/book.js"></script>
</head><body><article><p>Above.</p><p>How many? See <a href="other.html">there</a>.</p>
<div class="cell">only computes</div><div class="cell"><div class="cell_output">
<line-up id="line-up" role="group" aria-label="A &lt;row&gt;">
<script data-file="../_static/data/a.js"></script></line-up>
<span id="not-one" role="group"></span></div></div>
<details class="package"><p>Where it comes from</p></details><p>So <a href="#there">many</a>.</p>
</article></body></html>"""


@pytest.fixture
def app(tmp_path):
    site = tmp_path / "html"
    (site / "part").mkdir(parents=True)
    (site / "part" / "one.html").write_text(PAGE)
    (site / "index.html").write_text('<link rel="stylesheet" href="_static/style.css">')
    return SimpleNamespace(
        outdir=tmp_path / "raw",
        builder=SimpleNamespace(name="html"),
        config=SimpleNamespace(root_doc="index", html_baseurl=None),
        env=SimpleNamespace(found_docs={"index", "part/one"}),
    )


def test_a_frame_holds_a_figure_between_its_question_and_what_answers_it(app):
    embedded_figures.write_figure_pages(app, None)
    folder = app.outdir.parent / "html" / "embed"
    (frame,) = (folder / "part" / "one").iterdir()
    soup = BeautifulSoup(frame.read_text(), "html.parser")
    assert frame.name == "line-up.html" and "A & B" in soup.title.text
    texts = [
        node.get_text(" ", strip=True) for node in soup.main.find_all(["p", "details"])
    ]
    assert texts[0] == "How many? See there ."
    (fold,) = soup.main.find_all("details")
    assert fold.summary.text == "What it shows" and fold.p.text == "So many."
    scripts = [tag["src"] for tag in soup.find_all("script", src=True)]
    assert scripts[0] == "../../../_static/widgets/base.js" and "book.js" not in str(
        scripts
    )
    assert soup.find("script", attrs={"data-file": "../../../_static/data/a.js"})
    styles = [tag["href"] for tag in soup.find_all("link", rel="stylesheet")]
    assert styles[0] == "../../../_static/style.css"
    links = {
        tag.text: (tag["href"], tag.get("target")) for tag in soup.main.find_all("a")
    }
    assert links["there"] == ("../../../part/other.html", "_top")
    assert links["many"] == ("../../../part/one.html#there", "_top")


@pytest.mark.parametrize("address", [None, "https://book.example/"])
def test_the_list_has_the_line_to_paste_and_a_slide(app, address):
    app.config.html_baseurl = address
    embedded_figures.write_figure_pages(app, None)
    folder = app.outdir.parent / "html" / "embed"
    soup = BeautifulSoup((folder / "index.html").read_text(), "html.parser")
    (row,) = soup.find_all("li")
    assert row.a["href"] == "part/one/line-up.html" and row.a.text == "A <row>"
    assert f'src="{address or "ADDRESS/"}embed/part/one/line-up.html"' in row.pre.text
    assert f'height="{embedded_figures.HEIGHT}"' in row.pre.text
    assert soup.find("link", rel="stylesheet")["href"] == "../_static/style.css"
    slide = (folder / "slide.html").read_text()
    assert embedded_figures.on_a_slide(embedded_figures.SHOWN) in slide


@pytest.mark.parametrize("case", ["failed", "print", "page alone", "no figure"])
def test_where_there_is_no_figure_or_no_site_nothing_is_embedded(app, case):
    app.builder.name = "singlehtml" if case == "print" else "html"
    app.config.root_doc = "part/one" if case == "page alone" else "index"
    if case == "no figure":
        app.env.found_docs.remove("part/one")
    embedded_figures.write_figure_pages(app, ValueError() if case == "failed" else None)
    assert not (app.outdir.parent / "html" / "embed").exists()
