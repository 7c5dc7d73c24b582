"""A Content-Security-Policy for each page: the site's own files, and no script of an output."""

import base64
import hashlib
import re
from html import unescape

OWN = "'self' file:"  # of a page that is opened from a disk, browsers differ in what "self" is
CHARSET = re.compile(r"<meta charset=[^>]*>", re.IGNORECASE)
SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.DOTALL)
TAG = re.compile(r"<\w[^<>]*>")
HANDLER = re.compile(r"""\son\w+=(?:"([^"]*)"|'([^']*)')""")


def restricted(pages: list[str]) -> list[str]:
    """Return the pages of a site; each says what its browser may load and run.

    The theme's inline scripts stand outside of the article and are allowed by their hashes, its
    event handlers on all pages, because the search reads one page from another. A script or a
    handler inside of the article would come from an output, and does not run.
    """
    frames = [re.sub(r"<article\b.*</article>", "", page, flags=re.DOTALL) for page in pages]
    handlers = sorted({handler for frame in frames for handler in _handlers(frame)})
    return [
        CHARSET.sub(rf"\g<0>{_policy(_scripts(frame) + handlers)}", page, count=1)
        for page, frame in zip(pages, frames, strict=True)
    ]


def _scripts(frame: str) -> list[str]:
    return [text for head, text in SCRIPT.findall(frame) if " src=" not in head]


def _handlers(frame: str) -> list[str]:
    tags = TAG.findall(SCRIPT.sub("", frame))
    return [unescape(a or b) for tag in tags for a, b in HANDLER.findall(tag)]


def _policy(inline: list[str]) -> str:
    hashes = " ".join(dict.fromkeys(map(_hash, inline)))
    policy = {
        "default-src": "'none'",
        "script-src": f"{OWN} 'wasm-unsafe-eval' 'unsafe-hashes' {hashes}".rstrip(),
        "style-src": f"{OWN} 'unsafe-inline'",
        "img-src": f"{OWN} data: blob:",
        "font-src": f"{OWN} data:",
        "connect-src": OWN,
        "worker-src": OWN,
        "form-action": OWN,
        "base-uri": "'none'",
    }
    said = "; ".join(f"{name} {value}" for name, value in policy.items())
    return f'<meta http-equiv="Content-Security-Policy" content="{said}">'


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
