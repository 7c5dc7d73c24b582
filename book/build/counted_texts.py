"""Texts of pages in which minutes are counted.

Each text of `templates/counted` is a directive, such as ``{chapter-minutes}``, and may use what
`offered` lists; the role ``{page-minutes}`` says how long a page takes.
"""

from functools import partial
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from jinja2 import Environment, FileSystemLoader
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective, SphinxRole

from book.build import minutes, plans
from book.build.slides import lectures

FOLDER = FileSystemLoader(Path(__file__).parents[1] / "templates" / "counted")
TEXTS = Environment(loader=FOLDER, trim_blocks=True, lstrip_blocks=True)


def filled_text(name: str, env: BuildEnvironment) -> str:
    """Return a text of `templates/counted`, filled in."""
    env.metadata[env.docname]["counted"] = True
    course = plans.read_plans()
    weeks = plans.week_of(course) if name == "plan-week" else course["weeks"]
    content = offered(env) | {"guest": course["guest"], "weeks": weeks}
    return TEXTS.get_template(f"{name}.md").render(content)


def offered(env: BuildEnvironment) -> dict[str, Any]:
    """Return what a text may use: the page that shows it, minutes of one thing, and of pages."""
    return {
        "page": env.docname,
        "WORDS": minutes.WORDS,
        "CODE_LINES": minutes.CODE_LINES,
        "EQUATION": minutes.EQUATION,
        "FIGURE": minutes.FIGURE,
        "GESTURE": minutes.GESTURE,
        "EXERCISE": minutes.EXERCISE,
        "TEACHING": minutes.TEACHING,
        "LAB_STEP": plans.LAB_STEP,
        "LAB_TALK": plans.LAB_TALK,
        "SLIDE": plans.SLIDE,
        "OPENER": plans.OPENER,
        "GROUP": plans.GROUP,
        "EXAM": plans.EXAM,
        "lectures": lectures,
        "minutes_of_lecture": plans.minutes_of_lecture,
        "address_in_slides": partial(plans.address_in_slides, env),
        "estimate_of_page": partial(minutes.estimate_of_page, env),
        "minutes_of_lab": partial(plans.minutes_of_lab, env),
        "minutes_to_read": partial(minutes.minutes_to_read, env),
        "parts_with_exercises": partial(plans.parts_with_exercises, env),
    }


class TextWithMinutes(SphinxDirective):
    """Show a text of `templates/counted`."""

    def run(self) -> list[nodes.Node]:
        node = nodes.container()
        text = StringList(
            filled_text(self.name, self.env).splitlines(), self.env.docname
        )
        self.state.nested_parse(text, self.content_offset, node)
        for child in node.children:
            child["classes"].append("counted")  # no description of the page
        return node.children


class PageMinutes(SphinxRole):
    """Say in a sentence how long a page takes to read."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        self.env.metadata[self.env.docname]["counted"] = True
        reading = minutes.minutes_to_read(self.env, [self.text])
        return [nodes.Text(f"{reading} minutes")], []


DIRECTIVES = {
    name.removesuffix(".md"): TextWithMinutes for name in TEXTS.list_templates()
}
