"""What the build takes from a page is what the page does not use."""

import re

from book.build.lighter import (
    joined,
    lighter,
    used,
    with_one_sheet,
    words,
)

PAGE = """<link rel="preload" as="script" href="a.js">
<script defer src="_static/fontawesome.js?d=1"></script>
<script src="_static/documentation_options.js?v=1"></script>
<script src="_static/doctools.js"></script>
<script>let a = 1;</script><script async src="b.js"></script>
<script src="searchindex.js"></script><i class="fas fa-sun"></i>
<img src="1.png" style="width: 50px; height: 40px;">
<img src="2.png" style="width: 70px; height: 60px;">"""


def test_scripts_wait_in_their_order_and_only_a_search_loads_the_index():
    page = lighter(PAGE, "const OPTIONS = 1;")
    assert re.findall(r"<script[^>]*>", page) == [
        "<script>",
        '<script defer src="_static/doctools.js">',
        "<script>",
        '<script async src="b.js">',
    ]
    assert "<script>const OPTIONS = 1;</script>" in page and "preload" not in page
    searches = lighter(PAGE, "", searches=True)
    assert '<script defer src="searchindex.js">' in searches


def test_figures_keep_their_place_and_all_but_the_first_wait_until_they_are_near():
    first, second = re.findall(r"<img [^>]*>", lighter(PAGE, ""))
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
