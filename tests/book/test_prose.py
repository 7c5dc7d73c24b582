"""What Sphinx makes of a page: links to the glossary, fixed spaces, tables, styles, minutes."""

import ast
import inspect
import re
from pathlib import Path

import nbformat
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from small_book import small_book

import calib
from book.build.minutes import minutes
from book.build.page_html import one_row
from book.build.sidebar import behind_doors
from book.build.style import used

ROOT = Path(__file__).parents[2]

GLOSSARY = """# Glossary

```{glossary}
bin
  A set of samples.

calibration error
  A number.

ECE
expected calibration error
  Another number.

score
  A number in [0, 1].

confidence
  The largest probability.
```
"""
PAGE = """# A bin in a heading

```{admonition} In this chapter
The score of a box.
```

A cabin, a bin-wise sum, `bin`, $bin$, [a bin](https://example.org), an ece and a scorecard.
A 95 % confidence interval of 12.3%, of **7.1** % in 50 000 images, `5 % of 10 000`, $5 \\%$,
100%-wool, in 2017 100 networks, 3 1234.

| bin | score |
|---|---|
| bin | 8% |

Scores fall in *bins*; the bin of a score.
The expected calibration error, or ECE, is a calibration error. Its confidence is a confidence.
"""
SET = "# Page\n\nWritten {term}`score`, score and a bin. Then {term}`bin`.\n"
LINK = re.compile(
    r'<a class="reference[^"]*" href="[^"]*#term-([^"]*)"[^>]*>(.*?)</a>', re.DOTALL
)
FIRST = [
    ("Scores", "score"),
    ("bins", "bin"),
    ("expected calibration error", "expected-calibration-error"),
    ("ECE", "ECE"),
    ("calibration error", "calibration-error"),
    ("confidence", "confidence"),
]
SECOND = [("score", "score"), ("bin", "bin")]  # the author's own


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    source = tmp_path_factory.mktemp("glossary")
    for name, text in {"page": PAGE, "set": SET, "glossary": GLOSSARY}.items():
        (source / f"{name}.md").write_text(text)
    return small_book(source, ["page", "set", "glossary"])


def article(path):
    return re.search(r"<article.*</article>", path.read_text(), re.DOTALL)[0]


def test_an_address_that_is_not_there_leads_to_the_search(built):
    page = (built / "html/404.html").read_text()
    assert 'action="./search.html"' in page and 'href="./index.html"' in page


@pytest.mark.parametrize(
    ("page", "expected"),
    [("html/page", FIRST), ("html/set", SECOND)],
)
def test_the_first_use_of_a_term_in_prose_links_to_the_glossary(built, page, expected):
    links = LINK.findall(article(built / f"{page}.html"))
    shown = [
        (" ".join(re.sub("<[^>]*>", "", words).split()), term) for term, words in links
    ]
    assert shown == expected


def test_a_link_to_a_term_holds_the_first_sentence_of_its_definition(built):
    page = article(built / "html/page.html")
    said = dict(re.findall(r'#term-([^"]*)" data-term="([^"]*)"', page))
    assert said == {
        "score": "A number in [0, 1].",
        "bin": "A set of samples.",
        "expected-calibration-error": "Another number.",
        "ECE": "Another number.",
        "calibration-error": "A number.",
        "confidence": "The largest probability.",
    }


def test_percentages_and_long_numbers_stay_on_one_line_but_not_in_code(built):
    text = re.sub("<[^>]+>", "", article(built / "html/page.html"))
    text = text.replace("\N{NO-BREAK SPACE}", "~")
    for shown in (
        "A 95~% confidence",
        "12.3~%, of 7.1~% in 50~000 images",
        "8~%",
        "3 1234",
    ):
        assert shown in text
    for shown in ("5 % of 10 000, ", r"\(5 \%\)", "100%-wool", "in 2017~100 networks"):
        assert shown in text


def mended(html):
    table = re.sub(r"<thead>.*?</thead>", one_row, html, flags=re.DOTALL)
    rows = re.findall(r"<tr.*?</tr>", table, re.DOTALL)
    return [re.sub(r"<[^>]*>|&nbsp;", " ", row).split() for row in rows]


def test_the_index_of_a_table_is_named_in_its_row_of_headings():
    frame = pd.DataFrame(
        {"ECE": [0.1], "NLL": [0.2]}, index=pd.Index(["a"], name="network")
    )
    for html in (frame.to_html(), frame.style.to_html()):
        assert mended(html)[0] == ["network", "ECE", "NLL"]
    assert mended(frame.set_index("NLL", append=True).to_html())[0] == [
        "network",
        "NLL",
        "ECE",
    ]
    two = pd.concat({"before": frame, "after": frame}, axis=1)
    for other in (frame.rename_axis(None), frame.rename_axis("metric", axis=1), two):
        html = other.to_html()
        assert re.sub(r"<thead>.*?</thead>", one_row, html, flags=re.DOTALL) == html


def test_of_a_style_what_no_page_and_no_script_names_goes():
    kept = ["p{x:1}", ".a .b:not(.gone):is(.gone){x:1}", "#c,.gone{x:1}", ".shown{x:1}"]
    kept += [
        '[href$=".pdf"]{x:1}',
        "@media print{.a{x:1}p{x:1}}",
        "@keyframes k{0%{x:1}to{x:2}}",
    ]
    gone = [".gone{x:1}", ".a.gone,#away{x:1}", "@media print{.gone{x:1}}", "/* .a */"]
    style = "/*! licence of x.min */" + "".join(
        k + g for k, g in zip(kept, gone * 2, strict=False)
    )
    assert used(style, {"a", "b", "c", "shown"}) == "\n".join(
        ["/*! licence of x.min */", *kept, ""]
    )


def test_words_equations_code_figures_and_exercises_take_their_minutes():
    def code(source, *tags, shows=()):
        outputs = [nbformat.v4.new_output("display_data", {kind: ""}) for kind in shows]
        return nbformat.v4.new_code_cell(
            source, metadata={"tags": [*tags]}, outputs=outputs
        )

    exercise = "```{exercise-start} A\n```\none two\n```{exercise-end}\n```\n"
    solution = (
        "```{solution-start} a\n```\n" + "word " * 500 + "\n```{solution-end}\n```"
    )
    moves = code("x", "remove-input", shows=["text/html"])
    moves.outputs[0].data["text/html"] = "<bins-slider class='w'></bins-slider>"
    cells = [
        moves,
        nbformat.v4.new_markdown_cell(
            "{glue:text}`a-long-name` "
            + "word " * 500
            + "\n$$\na + b\n$$\n| a |\n|---|\n"
        ),
        code("x\n" * 30, shows=["image/png"]),
        code("x\n" * 30, "hide-input", shows=["text/html"]),
        code("x\n" * 30, "remove-cell", shows=["image/png"]),
        nbformat.v4.new_markdown_cell(exercise + solution),
    ]
    found, exercises = minutes(nbformat.v4.new_notebook(cells=cells))
    assert found == pytest.approx(500 / 120 + 0.5 + 1 + (2 + 1) + 1 + 2, abs=0.1)
    assert exercises == 1


def test_the_door_one_is_in_stands_open():
    caption = '<p class="caption"><span class="caption-text">{}</span></p>'.format
    here, there = (f'<ul class="{now}nav bd-sidenav"></ul>' for now in ("current ", ""))
    lists = caption("Learn: one") + here + caption("Learn: two") + there
    pages = BeautifulSoup(lists + caption("Use") + there, "html.parser")
    assert str(behind_doors(pages)) == (
        f'<details class="door" open=""><summary>Learn</summary><p>one</p>{here}'
        f"<p>two</p>{there}</details>"
        f'<details class="door"><summary>Use</summary>{there}</details>'
    )


def calls_of(code: str) -> list[ast.Call]:
    """Return the calls in a piece of code between backticks; none of what is no Python."""
    try:
        tree = ast.parse(code, mode="eval")
    except SyntaxError:
        return []
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def arguments_that_are_not_there(text: str) -> list[str]:
    missing = []
    for code in re.findall(r"`([^`\n]+)`", text):
        for call in calls_of(code):
            name = ast.unparse(call.func).removeprefix("calib.")
            if not hasattr(calib, name):
                continue
            known = inspect.signature(getattr(calib, name)).parameters
            words = (argument.arg for argument in call.keywords)
            missing += [
                f"{name}({word}=)" for word in words if word and word not in known
            ]
    return missing


def test_an_argument_that_a_page_names_is_there():
    assert arguments_that_are_not_there("`SplineCalibration(monotone=True)`")
    assert not arguments_that_are_not_there(
        "`OneVsRest(HistogramBinning(strategy='mass'))`"
    )
    pages = [*ROOT.glob("chapters/**/*.md"), ROOT / "README.md"]
    missing = {
        page.name: arguments_that_are_not_there(page.read_text()) for page in pages
    }
    assert not {page: names for page, names in missing.items() if names}
