"""The minutes of a course."""

from types import SimpleNamespace

import yaml

from book.build import plans
from book.build.minutes import Estimate


def environment(**more):
    """What Sphinx knows of a book of three pages and a lab."""
    pages = {
        "a": Estimate(5, 10, 0),
        "b": Estimate(20, 30, 3),
        "labs/c": Estimate(10, 15, 2),
    }
    about = {"minutes": pages, "docname": "part/page", "metadata": {"part/page": {}}}
    return SimpleNamespace(**about | more)


def test_parts_list_their_chapters_that_have_exercises(tmp_path):
    parts = {"Learn": ["a", "b"], "Labs": ["labs/c"], "Use": ["a"]}
    contents = [
        {"caption": name, "chapters": [{"file": page} for page in pages]}
        for name, pages in parts.items()
    ]
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump({"parts": contents}))
    env = environment(srcdir=tmp_path)
    listed = dict(plans.parts_with_exercises(env))
    assert listed == {"Learn": {"b": (20, 30, 3)}}


def test_minutes_of_labs_and_lectures(monkeypatch):
    env = environment()
    assert plans.minutes_of_lab(env, "labs/c") == 10 + 2 * 15 + 20
    decks = [("one", "One", 20), ("two", "Two", 22)]
    monkeypatch.setattr(plans, "lectures", lambda: decks)
    assert plans.minutes_of_lecture(2) == 4 * 22
    assert plans.minutes_of_lecture(1, 3, 7) == 4 * 5


def test_a_lecture_has_an_address_where_it_is_built(tmp_path):
    config = SimpleNamespace(html_extra_path=["book.pdf", str(tmp_path)])
    env = environment(config=config)
    assert plans.address_in_slides(env, "one.html") == ""
    (tmp_path / "slides").mkdir()
    (tmp_path / "slides" / "one.html").touch()
    assert plans.address_in_slides(env, "one.html") == "../slides/one.html"
    assert plans.address_in_slides(env, "two.html") == ""
    assert plans.address_in_slides(env, "*")


def test_a_day_of_one_week_is_its_session_with_what_it_has_of_its_own():
    course = {
        "weeks": [{"title": "A", "opener": [1]}, {"title": "B", "lecture": [2]}],
        "week": [{"session": 2, "lecture": [2, 3]}, {"session": 1}],
    }
    days = plans.week_of(course)
    assert [day["title"] for day in days] == ["B", "A"]
    assert days[0]["lecture"] == [2, 3] and days[1]["opener"] == [1]


def test_the_plans_have_weeks_one_week_of_them_and_a_guest_lecture():
    course = plans.read_plans()
    assert course.keys() >= {"weeks", "week", "guest"}
    assert len(plans.week_of(course)) == len(course["week"]) < len(course["weeks"])
