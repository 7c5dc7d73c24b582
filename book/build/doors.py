"""The sidebar as four doors: parts named "Door: part" lie behind one fold, open where one is."""

import re
from itertools import groupby

CAPTION = r'<p [^>]*class="caption"[^>]*><span class="caption-text">(.*?)</span></p>\s*'
PART = re.compile(CAPTION + r'(<ul class="(current )?nav bd-sidenav">.*?</ul>\s*)', re.DOTALL)


def folded(page):
    """Return a page whose sidebar shows its doors, and the chapters behind the page's own.

    Examples
    --------
    >>> caption = '<p class="caption"><span class="caption-text">{}</span></p>'.format
    >>> here, there = '<ul class="current nav bd-sidenav"></ul>', '<ul class="nav bd-sidenav"></ul>'
    >>> doors = folded(caption("Learn: one") + here + caption("Use") + there)
    >>> [door.split("<ul")[0] for door in doors.splitlines()]  # doctest: +NORMALIZE_WHITESPACE
    ['<details class="door" open><summary>Learn</summary><p>one</p>',
     '<details class="door"><summary>Use</summary>']
    """
    parts = list(PART.finditer(page))
    if not parts:
        return page
    doors = []
    for door, members in groupby(parts, key=lambda part: part[1].partition(":")[0]):
        members = list(members)
        lists = "".join(f"{_title(part[1])}{part[2]}" for part in members)
        here = " open" if any(part[3] for part in members) else ""
        doors.append(f'<details class="door"{here}><summary>{door}</summary>{lists}</details>')
    return page[: parts[0].start()] + "\n".join(doors) + page[parts[-1].end() :]


def _title(caption):
    name = caption.partition(":")[2].strip()
    return f"<p>{name}</p>" if name else ""
