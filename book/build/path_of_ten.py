"""The ten pages that the story lists for a first reading: at each, which is the next."""

from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform


class NextStop(SphinxPostTransform):
    """At the end of a stop of the path of ten: which is the next."""

    default_priority = 300
    formats = ("html",)

    def run(self, **_: Any) -> None:
        page, stops = self.env.docname, stops_of(self.env)
        if page not in stops[:-1]:
            return
        number = stops.index(page) + 1
        following = stops[number]
        title = self.env.titles[following].astext()
        address = self.app.builder.get_relative_uri(page, following)
        line = nodes.paragraph("", "", classes=["next-stop"])
        line += nodes.Text(f"Stop {number} of the path of ten. The next: ")
        line += nodes.reference("", title, refuri=address, internal=True)
        next(self.document.findall(nodes.section)).append(line)


def stops_of(env: BuildEnvironment) -> list[str]:
    """Return the pages of the path of ten that are built, as the story lists them."""
    if "story" not in env.found_docs:  # another chapter is built alone
        return []
    lists = env.get_doctree("story").findall(nodes.container)
    path = next(node for node in lists if "path" in node["classes"])
    labels = env.get_domain("std").anonlabels
    named = [ref["reftarget"] for ref in path.findall(pending_xref)]
    # where the story is built alone, its references lead to no page
    return [labels[label][0] for label in named if label in labels]
