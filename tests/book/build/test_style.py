"""The one style: the rules that pages use."""

from types import SimpleNamespace

import pytest

from book.build.style import (
    THEME,
    OneStyle,
    known_to_pages,
    read_sheet,
    without_unused_rules,
)


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
    assert without_unused_rules(style, {"a", "b", "c", "shown"}) == "\n".join(
        ["/*! licence of x.min */", *kept, ""]
    )


@pytest.fixture
def static(tmp_path):
    """The sheets of a theme, one of the book's, and scripts."""
    files = {
        THEME[0]: '@charset "UTF-8";.theme{x:1}',
        THEME[1]: '@import "more.css";.gone{x:1}',
        "styles/more.css": ".of-script{background:url(../a.png)}",
        "book.css": '.own{x:url("data:,")}',
        "book.js": "node.className = 'of-script'",
        "mathjax/core.js": "gone",
        "mathjax/output/a.js": "within",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_a_page_names_its_classes_and_ids_and_a_script_all_its_words(static):
    page = "<p class=\"a b\" id='c'><i class=d>no</i>"
    names = known_to_pages([page], static)
    assert {"a", "b", "c", "d", "of-script", "within"} <= names
    assert not {"no", "gone"} & names


def test_a_sheet_has_what_it_imports_and_addresses_from_where_it_will_lie(static):
    style = read_sheet(static / THEME[1], static)
    assert style == ".of-script{background:url(a.png)}.gone{x:1}"
    assert read_sheet(static / THEME[0], static) == ".theme{x:1}"
    assert read_sheet(static / "book.css", static) == '.own{x:url("data:,")}'


def test_the_sheets_that_pages_ask_for_are_one_behind_those_of_the_theme(static):
    style = OneStyle()
    sheets = [SimpleNamespace(filename="_static/book.css", priority=500)]
    context = {"css_files": sheets}
    app = SimpleNamespace(builder=SimpleNamespace(name="html"))
    style.note_sheets(app, "page", "page.html", context, None)
    assert context["css_files"] == []
    content = style.write(['<p class="theme own">'], static)
    rules = content.decode().splitlines()
    assert rules == [
        ".theme{x:1}",
        ".of-script{background:url(a.png)}",
        '.own{x:url("data:,")}',
    ]
    assert (static / "style.css").read_bytes() == content


def test_a_print_links_its_own_sheets():
    context = {"css_files": ["sheet"]}
    app = SimpleNamespace(builder=SimpleNamespace(name="singlehtml"))
    OneStyle().note_sheets(app, "page", "page.html", context, None)
    assert context["css_files"] == ["sheet"]


def test_a_style_that_cannot_be_read_is_refused():
    with pytest.raises(ValueError, match="the style cannot be read"):
        without_unused_rules("}", set())
