"""Texts of pages in which minutes are counted."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from helpers import ROOT
from jinja2 import meta

from book.build import counted_texts
from book.build.minutes import Estimate

COUNTED = ROOT / "book" / "templates" / "counted"


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


@pytest.mark.parametrize("name", ["plan-week", "plan-weeks"])
def test_a_week_has_the_days_of_one_week_and_the_others_all_sessions(name, monkeypatch):
    course = {
        "weeks": [{"title": "A"}, {"title": "B"}],
        "week": [{"session": 2}],
        "guest": ["a guest"],
    }
    filled = {}
    template = SimpleNamespace(render=filled.update)
    texts = SimpleNamespace(get_template={f"{name}.md": template}.get)
    monkeypatch.setattr(counted_texts, "TEXTS", texts)
    monkeypatch.setattr(counted_texts.plans, "read_plans", lambda: course)
    env = SimpleNamespace(docname="page", metadata={"page": {}}, minutes={})
    counted_texts.filled_text(name, env)
    titles = {"plan-week": ["B"], "plan-weeks": ["A", "B"]}
    assert [week["title"] for week in filled["weeks"]] == titles[name]
    assert filled["guest"] == ["a guest"] and filled["page"] == "page"


def test_a_text_is_parsed_where_it_stands_and_is_no_description_of_its_page(
    monkeypatch,
):
    monkeypatch.setattr(counted_texts, "filled_text", lambda name, env: f"{name}\n\nb")
    directive = object.__new__(counted_texts.TextWithMinutes)
    directive.name, directive.content_offset = "plan-week", 7

    def nested_parse(text, offset, node):
        assert offset == 7
        node += [nodes.paragraph("", line) for line in text if line]

    env = SimpleNamespace(docname="page")
    settings = SimpleNamespace(env=env)
    document = SimpleNamespace(settings=settings)
    directive.state = SimpleNamespace(nested_parse=nested_parse, document=document)
    paragraphs = directive.run()
    assert [paragraph.astext() for paragraph in paragraphs] == ["plan-week", "b"]
    assert all("counted" in paragraph["classes"] for paragraph in paragraphs)


def test_a_page_that_says_the_minutes_of_another_is_marked():
    env = SimpleNamespace(
        docname="page", metadata={"page": {}}, minutes={"one": Estimate(15, 20, 1)}
    )
    role = counted_texts.PageMinutes()
    settings = SimpleNamespace(env=env)
    role.inliner = SimpleNamespace(document=SimpleNamespace(settings=settings))
    role.text = "one"
    (text,), messages = role.run()
    assert text.astext() == "15 minutes" and messages == []
    assert env.metadata == {"page": {"counted": True}}


def test_each_text_is_a_directive_of_its_name():
    names = {path.stem for path in COUNTED.glob("*.md")}
    assert set(counted_texts.DIRECTIVES) == names >= {"plan-week", "lab-minutes"}
