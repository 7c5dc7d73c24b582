"""Data of interactive figures in files of their own: a page's text comes before them.

It takes 1.2 MB out of the ledger's page, which is 0.5 MB then, 0.6 MB out of the arena's and 0.3 or
less out of the others'; a figure loads its data when a reader comes near. As a script, since a page
that is opened from a disk may load one and may not fetch a file.
"""

import base64
import hashlib
import re
from pathlib import Path

# Fewer characters stay in the page: a request costs more than they do.
DATA = re.compile(
    r'(?s)<script type="application/json">((?:(?!</script).){10000,})</script>'
)
DOWNLOAD = re.compile(
    r'<a download="([^"]*)" href="data:[^;"]*;base64,([A-Za-z0-9+/=]{10000,})"'
)


def in_files(page: str, static: Path, root: str) -> str:
    """Return a page whose figures' data, and large downloads, lie in `static / "data"`."""

    def script(data: re.Match[str]) -> str:
        content = f"document.currentScript.data = {data[1]};"
        name = f"data/{_digest(data[1].encode())}.js"
        (static / name).write_text(content, "utf-8")
        address = f"{root}_static/{name}"
        return f'<script type="application/json" data-file="{address}"></script>'

    def file(link: re.Match[str]) -> str:
        content = base64.b64decode(link[2])
        name = f"data/{_digest(content)}-{link[1].rpartition('/')[2]}"
        (static / name).write_bytes(content)
        return f'<a download="{link[1]}" href="{root}_static/{name}"'

    return DOWNLOAD.sub(file, DATA.sub(script, page))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]
