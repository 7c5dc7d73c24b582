"""Old addresses: a page that leads on at each that `_config.yml` lists as moved."""

from pathlib import Path
from posixpath import dirname, relpath

from sphinx.application import Sphinx

MOVED = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>Moved</title>
<link rel="canonical" href="{to}">
<script>location.replace("{to}" + location.hash)</script>
<noscript><meta http-equiv="refresh" content="0; url={to}"></noscript>
<p>This page is now <a href="{to}">here</a>.</p>
</html>
"""


def keep_old_addresses(app: Sphinx, exception: Exception | None) -> None:
    """Write a page that leads on at each address that `_config.yml` lists as moved."""
    if exception or app.builder.name != "html":
        return
    for old, new in app.config.html_context.get("moved", {}).items():
        # of a chapter built alone the others are not there
        if new in app.env.found_docs:
            path = Path(app.outdir, f"{old}.html")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(
                MOVED.format(to=f"{relpath(new, dirname(old))}.html"), "utf-8"
            )
