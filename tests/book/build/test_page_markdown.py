"""A page's text as Markdown that every notebook shows."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from docutils.utils import new_document
from sphinx_design.dropdown import dropdown_main, dropdown_title
from sphinx_exercise.nodes import solution_title
from sphinx_markdown_builder import setup

from book.build.page_markdown import PlainMarkdown, with_bars

SITE = "https://book.example/"


def builder(address):
    """What of Sphinx a translator asks: options of the builder, the page, the site's address."""
    options = {}
    app = SimpleNamespace(
        add_builder=lambda *_: None,
        add_config_value=lambda name, default, *_, **__: options.update(
            {name: default}
        ),
    )
    setup(app)
    config = SimpleNamespace(html_baseurl=address, math_numfig=True, **options)
    config.numfig = config.math_eqref_format = None
    return SimpleNamespace(
        config=config, current_docname="part/page", env=SimpleNamespace(config=config)
    )


def markdown(*content, address=""):
    """Markdown of a page that holds some nodes, or of a text in reStructuredText."""
    if isinstance(content[0], str):
        document = publish_doctree(
            content[0], settings_overrides={"doctitle_xform": False}
        )
    else:
        document = new_document("page")
        document += list(content)
    writer = PlainMarkdown(document, builder(address))
    document.walkabout(writer)
    return writer.astext().strip()


def test_a_table_has_one_head_and_a_line_below_it():
    rows = [["a", "b"], ["1", "2"], ["3", "4"]]
    lines = ["| a | b |", "| --- | --- |", "| 1 | 2 |", "| 3 | 4 |"]
    assert with_bars(rows) == lines


def test_numbers_of_a_table_keep_their_last_zeros():
    text = "Before.\n\n==== ====\na    b\n==== ====\n9.10 x\n==== ====\n\nBehind.\n"
    table = "| a | b |\n| --- | --- |\n| 9.10 | x |"
    assert markdown(text) == f"Before.\n\n{table}\n\nBehind."


def test_a_code_cell_leaves_its_number_and_html_nothing():
    cell = nodes.container("", nb_element="cell_code", cell_index=3)
    cell += nodes.literal_block("", "code()")
    box = nodes.container("", nodes.paragraph("", "In a box."))
    shown = markdown(cell, nodes.raw("", "<b-c></b-c>", format="html"), box)
    assert shown == "@@cell 3@@\n\nIn a box."


def test_a_heading_is_one_and_the_title_of_a_box_is_bold():
    section = nodes.section("", nodes.title("", "Heading"), ids=["heading"])
    proof, plain = nodes.Element(), nodes.Element()
    proof += [nodes.title("", "(A theorem)"), nodes.paragraph("", "It holds.")]
    plain += nodes.title("", "Plain")
    section += [proof, plain]
    assert markdown(section) == "# Heading\n\n**A theorem**\n\nIt holds.\n\n**Plain**"


@pytest.mark.parametrize(
    ("about", "address"),
    [
        ({"refuri": "other.html#there", "internal": True}, "part/other.html#there"),
        ({"refuri": "../use/api.html#x", "internal": True}, "use/api.html#x"),
        ({"refid": "here", "internal": True}, "part/page.html#here"),
        ({"refuri": "#here", "internal": True}, "part/page.html#here"),
        ({"refuri": "other.html", "internal": True}, "part/other.html"),
    ],
)
def test_a_link_within_the_book_leads_to_the_site_where_it_has_an_address(
    about, address
):
    link = nodes.reference("", "words", **about)
    paragraph = nodes.paragraph("", "See ", link)
    assert (
        markdown(paragraph.deepcopy(), address=SITE) == f"See [words]({SITE}{address})"
    )
    assert markdown(paragraph) == "See words"


def test_a_link_out_of_the_book_stays():
    link = nodes.reference("", "words", refuri="https://elsewhere.example/a")
    assert (
        markdown(nodes.paragraph("", "", link))
        == "[words](https://elsewhere.example/a)"
    )


@pytest.mark.parametrize(("number", "tag"), [(None, ""), (2, "\n\\tag{2}")])
def test_an_equation_stands_alone_with_its_number(number, tag):
    equation = nodes.math_block("", " a = b\n", number=number, docname="part/page")
    shown = markdown(nodes.paragraph("", "So"), equation, nodes.paragraph("", "ends."))
    assert shown == f"So\n\n$$\na = b{tag}\n$$\n\nends."


def test_what_a_page_folds_is_folded_less_the_mark_that_unfolds_it():
    title = dropdown_title(
        "", nodes.Text("Hint "), nodes.raw("", "<svg>", format="html")
    )
    fold = dropdown_main("", title, nodes.paragraph("", "Think."))
    shown = markdown(nodes.paragraph("", "So"), fold, nodes.paragraph("", "ends."))
    folded = "<details>\n<summary>Hint</summary>\n\nThink.\n\n</details>"
    assert shown == f"So\n\n{folded}\n\nends."


def test_a_solution_is_called_so():
    title = solution_title("", "Solution to Exercise 3")
    assert markdown(title, nodes.paragraph("", "Two.")) == "**Solution**\n\nTwo."
