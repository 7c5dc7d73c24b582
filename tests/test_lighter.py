"""What the build takes from a page is what the page does not use."""

import re
from base64 import b64decode
from io import BytesIO
from pathlib import Path

import pydata_sphinx_theme
import pytest
from fontTools.ttLib import TTFont

from book.lighter import drawn, joined, lighter, used, with_one_sheet, with_signs_inside, words
from book.project import BookError

THEME = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static"
DRAWINGS = """p={hub:[9,9,[],"f1","M0 1"]};d("fab",p);p={sun:[640,512,[1],"f185","M1 2"]};d("far",p)
p={moon:[1,1,[],"f0","M9"],"sun":[512,512,[9728],"f185","M2 3"]};d("fas",p)"""


def test_an_icon_becomes_the_drawing_that_the_script_would_put_there():
    icon = drawn(
        DRAWINGS, "theme-switch fa-solid fa-sun   fa-lg", ' data-mode="light" title="Light"'
    )
    assert icon.startswith(
        '<svg class="svg-inline--fa fa-sun theme-switch fa-lg" data-mode="light" '
    )
    assert 'viewBox="0 0 512 512"' in icon and 'd="M2 3"' in icon and "<title>Light</title>" in icon
    assert 'aria-hidden="true"' in drawn(DRAWINGS, "fas fa-sun", "")
    assert 'd="M0 1"' in drawn(DRAWINGS, "fab fa-hub", "")


@pytest.mark.parametrize("classes", ["far fa-moon", "fab fa-sun", "fas fa-hub", "fa-sun"])
def test_an_icon_that_is_not_there_stops_the_build(classes):
    with pytest.raises(BookError, match="an icon that is not known"):
        drawn(DRAWINGS, classes, "")


PAGE = """<link rel="preload" as="script" href="a.js">
<script defer src="_static/fontawesome.js?d=1"></script>
<script src="_static/documentation_options.js?v=1"></script>
<script src="_static/doctools.js"></script>
<script>let a = 1;</script><script async src="b.js"></script>
<script src="searchindex.js"></script><i class="fas fa-sun"></i>
<img src="1.png" style="width: 50px; height: 40px;">
<img src="2.png" style="width: 70px; height: 60px;">"""


def test_scripts_wait_in_their_order_and_only_a_search_loads_the_index():
    page = lighter(PAGE, DRAWINGS, "const OPTIONS = 1;")
    assert re.findall(r"<script[^>]*>", page) == [
        "<script>",
        '<script defer src="_static/doctools.js">',
        "<script>",
        '<script async src="b.js">',
    ]
    assert "<script>const OPTIONS = 1;</script>" in page and "preload" not in page
    searches = lighter(PAGE, DRAWINGS, "", searches=True)
    assert '<script defer src="searchindex.js">' in searches


def test_figures_keep_their_place_and_all_but_the_first_wait_until_they_are_near():
    first, second = re.findall(r"<img [^>]*>", lighter(PAGE, DRAWINGS, ""))
    assert first == '<img src="1.png" width="50" height="40">'
    assert second == '<img src="2.png" loading="lazy" decoding="async" width="70" height="60">'


def test_of_a_style_what_no_page_and_no_script_names_goes():
    known = words(['<p class="a b" id=c>d</p>'], ["x.classList.add('shown')"])
    assert known >= {"a", "b", "c", "shown"} and "d" not in known
    kept = ["p{x:1}", ".a .b:not(.gone):is(.gone){x:1}", "#c,.gone{x:1}", ".shown{x:1}"]
    kept += ['[href$=".pdf"]{x:1}', "@media print{.a{x:1}p{x:1}}", "@keyframes k{0%{x:1}to{x:2}}"]
    gone = [".gone{x:1}", ".a.gone,#away{x:1}", "@media print{.gone{x:1}}", "/* .a */"]
    style = "/*! licence of x.min */" + "".join(k + g for k, g in zip(kept, gone * 2, strict=False))
    assert used(style, known) == f"/*! licence of x.min */\n{''.join(kept)}\n"


def test_sheets_become_one_that_finds_its_files(tmp_path):
    (tmp_path / "styles").mkdir()
    (tmp_path / "base.css").write_text("a{x:url(file.png)}")
    (tmp_path / "styles/theme.css").write_text('@charset "UTF-8";@import "../base.css";b{x:1}')
    (tmp_path / "styles/more.css").write_text("c{x:url(../font.woff);y:url(data:z)}")
    style = joined([tmp_path / "styles/theme.css", tmp_path / "styles/more.css"], tmp_path)
    assert style == "a{x:url(file.png)}b{x:1}\nc{x:url(font.woff);y:url(data:z)}"
    page = (
        '<head>\n<link href="../_static/a.css?v=1" rel="stylesheet" />x<link rel="icon" href="i">'
    )
    page += '<link rel="stylesheet" type="text/css" href="../_static/b.css" /></head>'
    link = '<link rel="stylesheet" href="../_static/style.css?v=2">'
    assert with_one_sheet(page, "style.css?v=2") == (
        f'<head>\n{link}x<link rel="icon" href="i"></head>'
    )


def test_the_signs_of_the_theme_stand_in_its_style():
    style = (THEME / "styles/pydata-sphinx-theme.css").read_text("utf-8")
    shown = set(re.findall('--pst-icon-[a-z-]+:"([\ue000-\uf8ff])"', style))
    lit = with_signs_inside(style, THEME / "vendor/fontawesome/webfonts/fa-solid-900.ttf")
    font = TTFont(BytesIO(b64decode(re.search(r"data:font/woff;base64,([^)]*)\)", lit)[1])))
    assert len(shown) > 10
    assert {ord(sign) for sign in shown} - set(font.getBestCmap()) == {0xF09B, 0xF296}  # brands
    assert "fa-solid-900" not in lit and len(lit) < len(style) - 50_000
