"""Texts of pages in which minutes are counted."""

from types import SimpleNamespace

from jinja2 import meta

from book.build import counted_texts
from book.build.minutes import Estimate


def test_a_text_may_use_what_is_offered_and_marks_its_page():
    env = SimpleNamespace(
        minutes={"labs/c": Estimate(10, 15, 2)},
        docname="labs/c",
        metadata={"labs/c": {}},
    )
    text = counted_texts.filled_text("lab-minutes", env)
    assert (
        "About **60 minutes**" in text and "15 minutes for each of its 2 steps" in text
    )
    assert env.metadata == {"labs/c": {"counted": True}}
    names = {name for source in counted_texts.TEXTS.list_templates()
             for name in undeclared_in(source)}  # fmt: skip
    assert names <= {*counted_texts.offered(env), "guest", "weeks"}


def undeclared_in(source):
    """Names that a text takes from who fills it in."""
    text, *_ = counted_texts.FOLDER.get_source(counted_texts.TEXTS, source)
    return meta.find_undeclared_variables(counted_texts.TEXTS.parse(text))
