"""The list of pages beside each page: parts named "Door: part" lie behind one fold a door.

Eighty lines are five to choose from, and the page one is on stands open. `templates/sidebar.html`
calls it with the list that the theme makes, which is a tree already.
"""

from itertools import groupby
from typing import Any

from bs4 import BeautifulSoup, Tag
from sphinx.application import Sphinx


def offer_doors(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Let the sidebar's template call `behind_doors`."""
    context["behind_doors"] = behind_doors


def behind_doors(pages: BeautifulSoup) -> BeautifulSoup:
    """Return the theme's list of pages with the parts of each door in a fold."""
    captions_of_all = pages.find_all("p", class_="caption")
    for door, captions in groupby(
        captions_of_all, key=lambda caption: door_and_part(caption)[0]
    ):
        fold = pages.new_tag("details", attrs={"class": "door"})
        title = pages.new_tag("summary")
        title.string = door
        fold.append(title)
        for caption in captions:
            chapters = caption.find_next_sibling("ul")
            if chapters is None:
                raise ValueError(f"no list of pages below {caption.get_text()!r}")
            if fold.parent is None:
                caption.insert_before(fold)
            if "current" in (chapters.get("class") or ()):
                fold["open"] = ""
            fold.extend([*heading(pages, door_and_part(caption)[1]), chapters])
            caption.decompose()
    return pages


def door_and_part(caption: Tag) -> tuple[str, str]:
    """Return door and part of a caption; the part is empty where the door has but one."""
    door, _, part = caption.get_text().partition(":")
    return door.strip(), part.strip()


def heading(pages: BeautifulSoup, part: str) -> list[Tag]:
    """Return the line above the chapters of a part, where it has a name."""
    if not part:
        return []
    line = pages.new_tag("p")
    line.string = part
    return [line]
