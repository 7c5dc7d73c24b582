"""What is changed, or required, in the tree of every page before it is written."""

import re
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)
FIXED = "\N{NO-BREAK SPACE}"
PERCENT = re.compile(r"(?:(?<=\d) ?|^ )%(?![\w-])")
THOUSANDS = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")
AS_WRITTEN = (
    nodes.literal,
    nodes.FixedTextElement,
    nodes.math,
    nodes.raw,
    nodes.comment,
)
# Every exercise has one of these in its page, where nothing refers to it.
REPEATED_IDS = {"proof-content", "exercise-content", "solution-content"}


class UniqueIds(SphinxPostTransform):
    """Take away ids that several elements of a page have, which HTML forbids."""

    default_priority = 300

    def run(self, **_: Any) -> None:
        for section in self.document.findall(nodes.section):
            section["ids"] = [i for i in section["ids"] if i not in REPEATED_IDS]


class TextAlternatives(SphinxPostTransform):
    """Require a text alternative for each image."""

    default_priority = 900

    def run(self, **_: Any) -> None:
        for image in self.document.findall(nodes.image):
            if not image.get("alt"):
                node = image.parent if image.line is None else image
                LOGGER.warning(
                    "an image has no text alternative", location=node, type="book"
                )


class FixedSpaces(SphinxPostTransform):
    """Set a space that does not break before each percent sign and between groups of digits."""

    default_priority = 400  # glued numbers are text by then

    def run(self, **_: Any) -> None:
        for text in list(self.document.findall(nodes.Text)):
            fixed = THOUSANDS.sub(FIXED, PERCENT.sub(f"{FIXED}%", text))
            if fixed != text and not is_as_written(text):
                text.parent.replace(text, nodes.Text(fixed))


def is_as_written(node: nodes.Node | None) -> bool:
    """Return whether a node stands in code, in mathematics or in raw HTML."""
    while node is not None and not isinstance(node, AS_WRITTEN):
        node = node.parent
    return node is not None
