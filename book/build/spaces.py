"""Set percentages and long numbers alike on every page, and keep each on one line."""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

FIXED = "\N{NO-BREAK SPACE}"
PERCENT = re.compile(r"(?:(?<=\d) ?|^ )%(?![\w-])")
THOUSANDS = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")
AS_WRITTEN = (nodes.literal, nodes.FixedTextElement, nodes.math, nodes.raw, nodes.comment)


class FixedSpaces(SphinxPostTransform):
    """Set a space that does not break before each percent sign and between groups of digits."""

    default_priority = 400  # glued numbers are text by then

    def run(self, **_) -> None:
        for text in list(self.document.findall(nodes.Text)):
            fixed = fixed_spaces(text)
            if fixed != text and not is_as_written(text):
                text.parent.replace(text, nodes.Text(fixed))


def fixed_spaces(text: str) -> str:
    return THOUSANDS.sub(FIXED, PERCENT.sub(f"{FIXED}%", text))


def is_as_written(node) -> bool:
    """Return whether a node stands in code, mathematics or what a page takes over as it is."""
    while node is not None:
        if isinstance(node, AS_WRITTEN):
            return True
        node = node.parent
    return False


def setup(app) -> dict:
    app.add_post_transform(FixedSpaces)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
