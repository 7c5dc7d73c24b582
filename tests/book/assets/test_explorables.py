"""Interactive figures in the hand: questions, links, touch, and every state of every page."""

import gzip
import re
from importlib import import_module

import pytest
from explorables import EDGE, move, opened, rows
from helpers import ROOT, SITE, site_pages

WORLD_C = "2-6-12-4-2-14-2-12-6-0-10-10-6-2-12-10-0-10-6-12-2-2-14-4-12-2-6-14-4-2-12-6-2-10-10-0"


VISITOR = (ROOT / "tests" / "book" / "assets" / "explorables.js").read_text("utf-8")


GLIDES = """async (node) => {
    const there = () => node.dots.map(([, path]) => path.getAttribute("d")).join()
    node.stage = 1 - (node.stage > 0)
    node.update()
    const first = there()
    await new Promise(done => setTimeout(done, 1500))
    return first !== there()
}"""


def test_an_answer_uncovers_tells_and_shows_what_was_asked(browser, address):
    there = address("temperature-slider", "deal-cards", "dots-to-bars")
    with opened(browser, there, printed=False) as page:
        page.emulate_media(reduced_motion="reduce")
        for tag, covered, answer, shows in (
            ("temperature-slider", 1, "about 1.6", "T=2."),
            ("deal-cards", 1, "about as strong", "deal=1"),
            ("dots-to-bars", 2, "a smaller share", "stage=2"),
        ):
            element = page.locator(tag)
            element.scroll_into_view_if_needed()
            assert element.locator(".w-covered").count() == covered
            element.get_by_role("button", name=answer).click()
            assert element.locator(".w-covered").count() == 0
            assert element.locator(".w-seen").inner_text().startswith("You said “")
            assert shows in element.evaluate("node => node.address()")
        for reduced in (True, False):
            page.emulate_media(reduced_motion="reduce" if reduced else "no-preference")
            assert page.locator("dots-to-bars").evaluate(GLIDES) != reduced


def test_paper_shows_bars_and_answers_and_readers_get_the_figures_back(
    browser, address
):
    with opened(browser, address(), printed=False) as page:
        covered, line_up = page.locator(".w-covered"), page.locator("line-up .w-status")
        page.evaluate("book.base.beginAll()")
        # it goes on drawing
        page.get_by_text("of 20 intervals hold it").first.wait_for()
        left = page.locator("body").inner_text(), covered.count()
        assert left[1] > 0
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert covered.count() == 0
        assert page.locator("dots-to-bars").get_attribute("data-stage") == "2"
        assert " is real: its ECE is " in line_up.inner_text()
        assert "Press" not in line_up.inner_text()
        assert page.locator("sure-photographs .w-wrong").count() > 0
        assert "8 of 8. Statement 7" in page.locator("bet-quiz .w-task").inner_text()
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        page.get_by_text("of 20 intervals hold it").first.wait_for()
        assert (page.locator("body").inner_text(), covered.count()) == left


@pytest.mark.parametrize(
    ("tag", "number", "value", "said"),
    [
        ("decision-costs", 0, 1.3, "as much as 20 false alarms"),
        ("label-sets", 0, 0, "at 50 % promised"),
        ("people-threshold", 0, 500, "A miss costs €500, a false alarm €20: so flag"),
        ("interval-coverage", 0, 300, "with n = 300 and M = 15"),
        ("draw-curve", 2, 7, "with n = 200 and M = 7"),
        ("spline-knots", 0, 9, "A spline of 9 knots"),
    ],
)
def test_an_open_question_follows_the_controls(
    browser, address, tag, number, value, said
):
    with opened(browser, address(tag), printed=False) as page:
        element = page.locator(tag)
        element.scroll_into_view_if_needed()
        question = element.locator(".w-ask p").first
        before = question.inner_text()
        move(element, value, number)
        asked = question.inner_text()
        assert said in asked.replace("\N{NO-BREAK SPACE}", " ")
        assert said not in before
        element.locator(".w-ask button").first.click()
        assert element.locator(".w-seen").inner_text().startswith("You said “")
        assert question.inner_text() == asked
        move(element, 1, number)
        assert question.inner_text() == asked  # what was answered
        assert element.locator(".w-ask button").count() == 0


def test_pictures_are_few_marks_and_letters_are_explained(page):
    """Hundreds of marks would be too many to draw between a touch and its picture."""
    for element in page.locator("[role=group]:has(.w-plot)").all():
        marks = element.evaluate(
            "node => node.querySelectorAll('.w-layer > :not(text)').length"
        )
        assert marks < 60
        said = (
            element.locator(".w-status").inner_text()
            + element.locator("svg").first.inner_html()
        )
        for word in ("ECE", "NLL", "KS", "AUROC"):
            tag = element.evaluate("node => node.localName")
            # told by its status
            named = re.search(rf"\b{word}\b", said) and tag != "dots-to-bars"
            assert not named or element.locator(f"abbr:text-is('{word}')").count(), (
                tag,
                word,
            )


def test_a_link_gives_the_settings_and_says_them(browser, address):
    address = address("bins-slider", "spline-knots")
    with opened(browser, address + "#bins-slider:M=42") as page:
        element = page.locator("bins-slider")
        assert element.locator("input").input_value() == "42"
        assert element.locator(".w-status").inner_text().startswith("M = 42:")
        move(element, 7)
        assert page.evaluate("location.href") == address + "#bins-slider:M=7"
        assert element.get_by_role("link").get_attribute("href") == "#bins-slider:M=7"
        page.goto(address + "#spline-knots:knots=9;target=hits")
        page.wait_for_function(
            "document.querySelector('spline-knots input').value === '9'"
        )
        assert page.locator("spline-knots select").input_value() == "hits"


def test_a_wrong_setting_is_left_out_and_names_with_signs_come_back(browser, address):
    address = address("bins-slider", "spline-knots", "map-simplex")
    with opened(browser, address) as page:
        for settings in (
            "bins-slider:M=many",
            "bins-slider:M=3=4;;=",
            "bins-slider:M=%E0",
            "%",
        ):
            page.goto("about:blank")
            page.goto(f"{address}#{settings}")
            page.evaluate("dispatchEvent(new Event('beforeprint'))")
            assert page.locator("bins-slider input").input_value() in {"15", "3"}
        page.goto(f"{address}#spline-knots:target=else;knots=99")
        page.wait_for_function(
            "document.querySelector('spline-knots input').value === '20'"
        )
        assert page.locator("spline-knots select").input_value() == "gap"
        page.locator("map-simplex").get_by_label("Map on the left").select_option(EDGE)
        with opened(browser, page.url) as again:
            assert again.locator("map-simplex select").first.input_value() == EDGE


def test_the_answers_of_a_quiz_can_be_sent_and_stay_on_a_reload(browser, address):
    with opened(browser, address("bet-quiz") + "#bet-quiz:1=90;2=10;3=50") as page:
        element = page.locator("bet-quiz")
        assert "took a side on 2 of 3" in element.locator(".w-status").inner_text()
        assert element.locator(".w-marks").inner_text() == "✓ ✓ – · · · · ·"
        assert element.locator(".w-task").inner_text() == "4 of 8. Statement 3"
        element.get_by_role("button", name="Answer").click()
        page.reload()
        assert len(rows(element)) == 4


def swipe(page, box, right=0, down=0):
    """A finger put down three quarters along a slider, and drawn over the screen."""
    x, y = box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    for step in range(11):
        point = {"x": x + right * step / 10, "y": y + down * step / 10}
        kind = "touchMove" if step else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_swipe_that_scrolls_the_page_moves_no_slider(browser, address):
    context = browser.new_context(
        viewport={"width": 360, "height": 640}, has_touch=True
    )
    page = context.new_page()
    page.goto(address("draw-curve", "bet-quiz", "world-builder"))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    slider = page.locator("bet-quiz input")
    slider.evaluate("node => node.scrollIntoView({block: 'center'})")
    before = page.evaluate("scrollY")
    swipe(page, slider.bounding_box(), down=-150)
    page.wait_for_function("before => scrollY > before + 50", arg=before)
    assert slider.input_value() == "50"
    assert page.locator("bet-quiz output").inner_text() == "50\N{NO-BREAK SPACE}%"
    resting_place(page)
    slider.scroll_into_view_if_needed()
    swipe(page, slider.bounding_box(), right=30)
    assert int(slider.input_value()) > 60
    check_touch_draws_by_handles(page)
    context.close()


def resting_place(page):
    """Where the page stands once it has not moved for ten frames."""
    return page.evaluate("""() => new Promise(done => {
        let place = scrollY, still = 0
        const look = () => {
            still = scrollY === place ? still + 1 : 0
            place = scrollY
            still < 10 ? requestAnimationFrame(look) : done(place)
        }
        look()
    })""")


def check_touch_draws_by_handles(page):
    """A finger on a plot scrolls, one on a handle draws."""
    for tag, name in (("draw-curve", "at score 0.7"), ("world-builder", "Truth 1")):
        element = page.locator(tag)
        handle = element.get_by_role("slider", name=name)
        for node, draws in (
            (element.locator("svg.w-plot").first, False),
            (handle, True),
        ):
            node.evaluate(
                "node => node.scrollIntoView({block: 'center', behavior: 'instant'})"
            )
            place, setting = (
                resting_place(page),
                element.evaluate("node => node.address()"),
            )
            box = node.bounding_box()
            swipe(page, box if draws else box | {"height": 12}, down=-60)
            moved = abs(resting_place(page) - place)
            assert (element.evaluate("node => node.address()") != setting) == draws
            assert moved < 10 if draws else moved > 20, moved


FORMS = ("answer-desk", "map-chooser")  # no figure of data: test_desk.py asks them


@pytest.mark.parametrize(
    "path", (ROOT / "book/assets/widgets").glob("*-*.js"), ids=lambda path: path.stem
)
def test_a_script_names_the_function_that_puts_it_on_a_page(path):
    text = path.read_text("utf-8")
    named = re.search(r"^// `(\w+)` of `([\w.]+)` puts it on a page", text, re.M)
    if named is None:  # what has no data: a chapter writes its tag
        assert path.stem in ("filter-table", "map-chooser")
    else:
        assert named[1] == path.stem.replace("-", "_")
        assert hasattr(import_module(named[2]), named[1])


@pytest.fixture(scope="module")
def pages():
    """The built pages that hold explorables, and which."""
    tags = [path.stem for path in (ROOT / "book/assets/widgets").glob("*-*.js")]
    tags = [tag for tag in tags if tag not in FORMS]
    texts = {name: (SITE / name).read_text("utf-8") for name in site_pages()}
    found = {
        name: [tag for tag in tags if f"<{tag} " in text]
        for name, text in texts.items()
    }
    return {name: there for name, there in found.items() if there}


def dragged(page, element):
    """Drag three handles of a figure; how many there are, and what is wrong then."""
    handles, wrong = element.locator(".w-handle").all(), []
    handles = [*handles[:2], *handles[2:][-1:]]
    for handle in handles:
        handle.scroll_into_view_if_needed()
        box = handle.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 25, y - 25)
        page.mouse.up()
        wrong += element.evaluate("node => faultsOf(node)")
    return len(handles), wrong


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "height", "least"), [(1440, 900, 400), (390, 844, 300)]
)
def test_every_state_of_every_explorable(browser, pages, width, height, least):
    """Of tables on a wide screen alone: on a phone their rows scroll, whatever is chosen."""
    states, faults = 0, {}
    tables = set() if width == 1440 else {"filter-table"}
    # one tab: a new one costs a second
    with opened(browser, "about:blank", printed=False) as page:
        page.set_viewport_size({"width": width, "height": height})
        for name, tags in pages.items():
            if not (tags := [*{*tags} - tables]):
                continue
            page.goto((SITE / name).as_uri())
            page.evaluate(VISITOR)
            for element in page.locator(", ".join(tags)).all():
                element.evaluate("node => node.scrollIntoView()")
                handle = element.element_handle()
                page.wait_for_function("node => node.data || node.rows", arg=handle)
                seen, found = element.evaluate("node => everyState(node)")
                count, when_dragged = dragged(page, element)
                states += seen + count
                if found or when_dragged:
                    faults[f"{name}: {element.get_attribute('id')}"] = (
                        found + when_dragged
                    )
    print(f"{states} states at {width} px")
    assert faults == {}
    assert states > least


def test_the_visitor_sees_faults(browser, address):
    with opened(browser, address("temperature-slider")) as page:
        page.evaluate(VISITOR)
        element = page.locator("temperature-slider")
        assert element.evaluate("node => faultsOf(node)") == []
        letters = (
            "node.plots[0].plot.marks.append(node.plots[0].plot.letters({}))".format
        )
        for change, fault in (
            ("node.diagram.say(0.5, 0.5, 'not NaN')", "NaN"),
            (letters("node.plots[0].plot.right, 30, 'a long label'"), "clipped"),
            ("[0, 3].map((x) => " + letters("99 + x, 60, 'twice'") + ")", "over"),
            (
                "node.plots[1].plot.svg.setAttribute('viewBox', '0 0 100 100')",
                "several sizes",
            ),
            ("node.style.height = '2000px'", "px high"),
        ):
            element.evaluate(f"node => {{ {change}; }}")
            assert any(
                fault in one for one in element.evaluate("node => faultsOf(node)")
            ), fault
            element.evaluate(
                "n => { n.update(); n.room = 0; n.resize(); n.style = ''; }"
            )


def test_scripts_and_data_of_a_page_are_light(pages):
    """All scripts that a page names, the theme's too; the mathematics comes with its formulas."""
    for name in pages:
        html = (SITE / name).read_text("utf-8")
        data = "".join(re.findall(r'(?s)<div class="w-fallback">.*?</script>', html))
        scripts = re.findall(r'<script [^>]*src="([^"?]+)', html)
        parts = [
            data.encode(),
            *((SITE / name).parent.joinpath(s).read_bytes() for s in scripts),
        ]
        assert sum(len(gzip.compress(part)) for part in parts) < 250_000, name


SAID = [
    (
        "measure/ece-and-mce",
        "bins-slider:M=1",
        r"one bin its ECE is (\S+?)%.*? show (\S+?)%",
    ),
    (
        "measure/ece-and-mce",
        "bins-slider:M=100",
        r"a hundred bins it is (\S+?)%.*? show (\S+?)%",
    ),
    (
        "measure/what-calibration-means",
        f"world-builder:world={WORLD_C}",
        r"add up to (\S+)\.",
    ),
    (
        "recalibrate/temperature-scaling",
        "temperature-slider:T=1",
        r"trained its ECE is (\S+?)%",
    ),
    (
        "language/confidence",
        "deal-cards:confidence=verbal%2C%20MMLU-Pro",
        r"stated numbers of (\d+) models the correlation is (\S+),",
    ),
]


@pytest.mark.parametrize(("name", "setting", "said"), SAID)
def test_a_paragraph_and_its_explorable_show_the_same(
    browser, pages, name, setting, said
):
    with opened(
        browser, f"{(SITE / name).as_uri()}.html#{setting}", printed=False
    ) as page:
        words = re.sub(r"\s+", " ", page.locator("article").inner_text()).replace(
            " %", "%"
        )
        figure = page.locator(setting.partition(":")[0]).inner_text().replace("−", "-")
        there = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", figure)]
        numbers = [
            float(found.replace("−", "-")) for found in re.search(said, words).groups()
        ]
        assert set(numbers) <= set(there), (numbers, figure)
