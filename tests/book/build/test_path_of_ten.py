"""At each of the pages of the path the next one is named."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document
from sphinx.addnodes import pending_xref

from book.build.path_of_ten import NextStop, stops_of

LABELS = {name: (f"part/{name}", name) for name in ("first", "second", "third")}


def listed(*labels, classes=("path",)):
    references = [pending_xref("", reftarget=label) for label in labels]
    return nodes.container("", *references, classes=list(classes))


def book(*lists, found=("story",), page="story"):
    """What Sphinx knows of a book whose story holds some lists of references."""
    return SimpleNamespace(
        docname=page,
        found_docs=found,
        get_doctree=lambda name: nodes.section("", *lists),
        get_domain=lambda name: SimpleNamespace(anonlabels=LABELS),
        titles={name: nodes.title("", f"On {name}") for name, _ in LABELS.values()},
    )


def test_the_stops_are_those_of_the_list_of_the_path_in_its_order():
    path = listed("second", "first", "not-built", "third")
    env = book(listed("third", classes=["other"]), path)
    assert stops_of(env) == ["part/second", "part/first", "part/third"]
    assert stops_of(book(path, found=())) == []


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("part/second", "Stop 1 of the path of ten. The next: On part/first"),
        ("part/first", "Stop 2 of the path of ten. The next: On part/third"),
        ("part/third", ""),
        ("part/off-the-path", ""),
    ],
)
def test_a_stop_but_the_last_ends_with_a_link_to_the_next(page, said):
    env = book(listed("second", "first", "third"), page=page)
    env.app = SimpleNamespace(
        builder=SimpleNamespace(get_relative_uri=lambda here, there: f"{here} {there}")
    )
    document = new_document("page")
    document.settings.env = env
    document += nodes.section("", ids=["page"])
    NextStop(document).run()
    assert document.astext() == said
    places = [node["refuri"] for node in document.findall(nodes.reference)]
    following = said.rpartition("On ")[2]
    assert places == ([f"{page} {following}"] if said else [])
