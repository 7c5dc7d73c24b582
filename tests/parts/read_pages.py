"""The files of the built site, read as far as tests ask."""

import re
from functools import cache
from html import unescape
from types import SimpleNamespace

from helpers import SITE, site_pages

AUXILIARY = {"genindex.html", "search.html"}


def read(path):
    """What a page holds, as far as the tests ask."""
    text = path.read_text(encoding="utf-8")
    marked = re.sub(r"(<script\b[^>]*>).*?</script>", r"\1", text, flags=re.DOTALL)

    def found(pattern):
        return [unescape(one) for one in re.findall(pattern, marked)]

    sheets = re.findall(r'<link\s[^>]*rel="(?:stylesheet|preload|icon)"[^>]*>', marked)
    return SimpleNamespace(
        path=path,
        text=text,
        anchors=set(found(r'\s(?:id|name)="([^"]+)"')),
        links=found(r'<a\s[^>]*?href="([^"]*)"'),
        images=found(r'<img\s[^>]*?src="([^"]*)"'),
        sources=found(r'<(?:img|script|source)\s[^>]*?src="([^"]*)"')
        + [unescape(re.search('href="([^"]*)"', one)[1]) for one in sheets],
        title=re.search(r"<title>([^<]*)", text)[1].strip(),
        meta=dict(
            re.findall(
                r'<meta (?:name|property|http-equiv)="([^"]*)" content="([^"]*)"', text
            )
        ),
    )


@cache
def pages():
    return {name: read(SITE / name) for name in site_pages()}


def chapters():
    return {name: page for name, page in pages().items() if name not in AUXILIARY}
