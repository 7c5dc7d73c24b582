"""The built site in a browser: every page, light and dark, by keyboard, wide and narrow."""

import re
from urllib.parse import urlparse

import pytest
from helpers import ROOT, SITE, served, site_pages

from book.show.looks import SMALL, STYLE

QUESTIONS = (ROOT / "tests" / "book" / "assets" / "in_browser.js").read_text(
    encoding="utf-8"
)
DESKTOP = {"width": 1440, "height": 900}
PHONE, SMALL_PHONE = {"width": 390, "height": 844}, {"width": 320, "height": 640}
REQUESTS = 60
LOCAL = {"file", "data", "blob", "about"}
FAULTS = {
    "console": "writes an error or a warning to the console",
    "external": "asks for something from elsewhere",
    "failed": "asks for something that is not there",
    "requests": f"makes more than {REQUESTS} requests",
    "headings": "has headings out of order",
    "axe": "has a finding of axe, of any level",
    "dark": "has too little contrast in the dark",
    "focus": "has a control that looks the same with the keyboard on it",
    "code": "has code, a table or an equation that scrolls sideways on a screen of 1440 px",
    "overflow": "scrolls sideways on a phone",
    "narrow": "scrolls sideways at 320 px",
    "targets": "has targets smaller than a finger on a phone (24 px, those within sentences apart)",
    "small": "has text smaller than 12 px on a phone",
}


def visit(page, address, seen) -> dict[str, list]:
    """Open one page, and return its faults by kind.

    What axe judges, it judges on a phone; what is around the article on a wide screen as well,
    where it has something new. Colours are judged where they are new. `seen` holds the looks and
    the frames of the pages before, and grows.
    """
    from axe_playwright_python.base import AXE_SCRIPT

    faults, requests = {"console": [], "failed": []}, []

    def said(message):
        if message.type in {"error", "warning"}:
            faults["console"].append(message.text)

    hearers = {
        "request": lambda request: requests.append(request.url),
        "requestfailed": lambda request: faults["failed"].append(request.url),
        "pageerror": lambda error: faults["console"].append(str(error)),
        "console": said,
    }
    for event, hear in hearers.items():
        page.on(event, hear)
    page.set_viewport_size(DESKTOP)
    page.goto(address, wait_until="load")
    page.evaluate(AXE_SCRIPT)
    page.evaluate(QUESTIONS)
    page.evaluate("ask.ready()")
    page.keyboard.press("Tab")
    for kind in ("headings", "focus", "code"):
        faults[kind] = page.evaluate(f"ask.{kind}()")
    page.set_viewport_size(SMALL_PHONE)
    faults["narrow"] = page.evaluate("ask.overflow()")
    page.set_viewport_size(PHONE)
    for kind in ("overflow", "small"):
        faults[kind] = page.evaluate(f"ask.{kind}()")
    frame = seen.setdefault("frame", [])
    seen["frame"] = page.evaluate("known => ask.frame(known)", frame)
    around = len(seen["frame"]) > len(frame)
    page.evaluate("whole => ask.thin(whole)", around)
    faults |= {"axe": [], "dark": []}
    sizes = [PHONE, DESKTOP] if around else [PHONE]
    for size in sizes:
        page.set_viewport_size(size)
        faults["axe"] += page.evaluate("ask.rules()")
        colours = "([known, last]) => ask.colours(known, last)"
        looks = seen.setdefault("looks", {})
        found, seen["looks"] = page.evaluate(colours, [looks, size is sizes[-1]])
        faults["axe"] += found["light"]
        faults["dark"] += found["dark"]
    faults["targets"] = [fault for fault in faults["axe"] if ": target-size: " in fault]
    faults["axe"] = [fault for fault in faults["axe"] if fault not in faults["targets"]]
    for event, hear in hearers.items():
        page.remove_listener(event, hear)
    faults["external"] = [url for url in requests if urlparse(url).scheme not in LOCAL]
    faults["requests"] = [f"{len(requests)}"] if len(requests) > REQUESTS else []
    return faults


@pytest.fixture(scope="module")
def context(browser):
    look = {
        "color_scheme": "light",
        "reduced_motion": "reduce",
        "device_scale_factor": 0.25,
    }
    return browser.new_context(viewport=DESKTOP, **look)


@pytest.fixture(scope="module")
def tab(context):
    tab = context.new_page()
    tab.set_default_timeout(120_000)
    return tab


@pytest.fixture(scope="module")
def visits(tab):
    seen = {}
    return {name: visit(tab, (SITE / name).as_uri(), seen) for name in site_pages()}


@pytest.mark.parametrize("kind", FAULTS)
def test_no_page(visits, kind):
    found = [
        f"{name}: {fault}" for name, faults in visits.items() for fault in faults[kind]
    ]
    assert not found, f"a page {FAULTS[kind]}\n" + "\n".join(found)


BAD = """<!doctype html><html lang="en"><title>Bad</title><style>
a, button, p { color: #999; font-size: 9px } button { height: 9px; width: 9px; padding: 0 }
:focus { outline: none } html[data-theme="dark"] i { color: #111; background: #000 }</style>
<script src="https://nowhere.invalid/a.js"></script>
<main><article><h1>One</h1><h3>Three</h3><p style="width: 600px">Faint <i>words</i>
and <a href="#" style="color: #777; text-decoration: none">a link</a></p>
<button onclick="1">a</button><button onclick="1">b</button>
<div class="cell_input"><pre style="overflow: auto">CODE</pre></div>IMAGES</article></main>"""


def test_every_fault_is_found(tab, tmp_path):
    images = "".join(f'<img alt="" src="{i}.png">' for i in range(REQUESTS))
    page = tmp_path / "bad.html"
    page.write_text(
        BAD.replace("CODE", "code " * 500).replace("IMAGES", images), "utf-8"
    )
    faults = visit(tab, page.as_uri(), {})
    assert {kind for kind in FAULTS if not faults[kind]} == set()
    for rule in ("color-contrast", "link-in-text-block"):
        assert any(f": {rule}: " in fault for fault in faults["axe"]), rule


ANSWERS = {
    "temperature": "recalibrate/temperature-scaling.html",
    "temprature": "recalibrate/temperature-scaling.html",
    "how many bins": "measure/reliability-diagrams.html#how-many-bins-and-where",
    "is my ECE chance": "measure/how-sure-is-the-number.html#is-this-ece-chance",
    "Which map should I use?": "recalibrate/choosing-a-method.html",
    "brier vs log loss": "measure/proper-scores.html#log-loss-and-brier-score-are-honest",
    "deep ensembles": "promises/several-networks.html",
    "unfair groups": "promises/groups.html",
}


def first_result(context, site: str, query: str) -> str:
    """Search, and return the address of the first result, without the words to be marked there."""
    page = context.new_page()
    page.goto(f"{site}/search.html?q={query.replace(' ', '+')}", timeout=120_000)
    link = page.locator("#search-results li a").first.get_attribute(
        "href", timeout=120_000
    )
    page.close()
    assert ":~:text=" in link
    return link.partition(":~:")[0].removesuffix("#")


@pytest.mark.parametrize("query", ANSWERS)
def test_search_finds_the_heading_that_answers_from_disk_and_from_a_server(
    context, query
):
    site_pages()
    assert first_result(context, SITE.as_uri(), query).endswith(ANSWERS[query])
    with served(SITE) as address:
        assert first_result(context, address, query).endswith(ANSWERS[query])


def test_a_page_can_be_read_without_scripts(browser):
    """Text, navigation, figures and solutions are there; only what moves is not."""
    site_pages()
    context = browser.new_context(viewport=DESKTOP, java_script_enabled=False)
    page = context.new_page()
    page.goto(
        (SITE / "recalibrate" / "temperature-scaling.html").as_uri(), timeout=120_000
    )
    assert page.locator("article h1").is_visible()
    assert (
        page.get_by_role("navigation", name="Main")
        .get_by_role("link")
        .first.is_visible()
    )
    assert page.locator("figure img").first.is_visible()
    assert page.locator("temperature-slider .w-fallback").is_visible()
    assert page.locator(".solution p:not(.admonition-title)").first.is_visible()
    context.close()


def test_a_page_prints_its_figures_and_no_solution_that_is_folded(browser):
    site_pages()
    page = browser.new_context(viewport=DESKTOP).new_page()
    page.goto(
        (SITE / "recalibrate" / "temperature-scaling.html").as_uri(), timeout=120_000
    )
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("figure img").evaluate_all(
        "all => all.every((one) => one.naturalWidth)"
    )
    page.emulate_media(media="print")
    solutions = page.locator(".solution p:not(.admonition-title)")
    assert solutions.count() and not any(one.is_visible() for one in solutions.all())


def test_a_link_to_a_section_ends_there_on_a_phone(browser):
    """Figures, formulas and tables above it take their room only after the page was opened."""
    site_pages()
    page = browser.new_context(viewport=PHONE).new_page()
    for chapter in ("measure/ece-and-mce", "replicate/ledger"):
        page.goto(
            f"{(SITE / chapter).as_uri()}.html#take-away",
            wait_until="load",
            timeout=120_000,
        )
        page.wait_for_timeout(2000)
        top = page.locator("#take-away").evaluate(
            "place => place.getBoundingClientRect().top"
        )
        assert 0 <= top <= 100, f"{chapter} ends {top} px from the top"


FIGURES = """() => [...document.querySelectorAll("article img[src*=_images]")]
    .filter(image => image.checkVisibility())
    .map(image => [image.alt, image.getBoundingClientRect().width / image.getAttribute("width")])"""
DRAWN = re.compile(
    r"figsize\"?[=:] ?\((?P<inches>[\d.]+)"
    r"|(?:fontsize|labelsize)\"?[=:] ?(?P<points>\d+(?:\.\d+)?)"
)
DOTS = 100  # an inch


def test_letters_of_figures_have_nine_pixels_on_a_phone(browser):
    """The smallest letters of a figure are `SMALL` points, drawn at `DOTS` an inch."""
    phone = {"viewport": PHONE, "is_mobile": True, "has_touch": True}
    context, small = browser.new_context(**phone), []
    page = context.new_page()
    for name in site_pages():
        if "_images/" not in (SITE / name).read_text("utf-8"):
            continue
        page.goto((SITE / name).as_uri())
        page.evaluate(QUESTIONS)
        page.evaluate("ask.ready()")
        sizes = [
            (SMALL * DOTS / 72 * scale, alt) for alt, scale in page.evaluate(FIGURES)
        ]
        small += [f"{name}: {size:.2f} px: {alt}" for size, alt in sizes if size < 9]
    context.close()
    assert not small


def test_no_source_of_a_figure_asks_for_letters_that_a_phone_makes_too_small():
    drawn = [
        *(ROOT / "book" / "show").rglob("*.py"),
        *(ROOT / "chapters").rglob("*.md"),
    ]
    for path in drawn:
        inches = STYLE["figure.figsize"][0]
        for found in DRAWN.finditer(path.read_text("utf-8")):
            if found["inches"]:
                inches = float(found["inches"])
                continue
            scale = min(1, PHONE["width"] / (DOTS * inches))
            pixels = float(found["points"]) * DOTS / 72 * scale
            assert pixels >= 9, f"{path.name}: {found[0]} is {pixels:.2f} px on a phone"


HEADINGS = """theme => {
    document.documentElement.dataset.theme = theme
    const section = document.querySelector("article section section")
    const light = ([r, g, b]) => [r, g, b].map(c => c / 255)
        .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0.05)
    const read = (node, key) => light(getComputedStyle(node)[key].match(/[\\d.]+/g).map(Number))
    return ["h2", "h3", "h4"].map(name => {
        const node = section.appendChild(document.createElement(name))
        node.textContent = name
        const {fontSize, fontWeight} = getComputedStyle(node)
        const [ink, paper] = [read(node, "color"), read(document.body, "backgroundColor")]
        const contrast = Math.max(ink, paper) / Math.min(ink, paper)
        return [parseFloat(fontSize), Number(fontWeight), contrast]
    })
}"""


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_heading_is_lighter_than_the_one_above_it(browser, size, theme):
    site_pages()
    page = browser.new_page(viewport=size)
    page.goto((SITE / "use" / "files-and-options.html").as_uri())
    section, part, detail = page.evaluate(HEADINGS, theme)
    page.close()
    assert section[0] > part[0] > detail[0] >= 16  # pixels
    assert section[1] >= 600 > part[1] >= detail[1]  # weights: bold against regular
    assert min(section[2], part[2], detail[2]) >= 7  # contrasts


def test_the_statement_on_accessibility_says_what_is_tested():
    text = (ROOT / "chapters" / "use" / "accessibility.md").read_text("utf-8")
    listed = [
        line[2:].rstrip(";.") for line in text.splitlines() if line.startswith("- ")
    ]
    assert listed[: len(FAULTS)] == list(FAULTS.values())
