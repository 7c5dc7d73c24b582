"""What a page of the site may run: its own files and the theme's scripts, nothing of an output."""

import re

import pytest
from helpers import chromium, served

from book.build.policy import restricted

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page</title></head>
<body><script>window.ran = ["theme"];</script><button onclick="ran.push('button')">x</button>
<article><script>ran.push("article")</script>
<img src="no.png" alt="" onerror="ran.push('handler')">
<img src="http://example.invalid/x.png" alt=""><style>p { color: #123456 }</style><p>text</p>
<a href="javascript:ran.push('link')">link</a></article>
<script src="own.js"></script></body></html>"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    (folder / "page.html").write_text(*restricted([PAGE]))
    (folder / "own.js").write_text("ran.push('own')")
    return folder


def test_a_page_without_scripts_has_a_policy_too():
    (page,) = restricted(['<meta charset="utf-8"><p>text</p>'])
    assert page.count("Content-Security-Policy") == 1 and "sha256" not in page
    assert "'unsafe-inline'" not in page.partition("script-src")[2].partition(";")[0]
    assert "unsafe-eval" not in page.replace("wasm-unsafe-eval", "")


def test_scripts_belong_to_a_page_and_handlers_to_the_site():
    other = PAGE.replace("theme", "other").replace("'button'", "'more'")
    hashes = [set(re.findall("sha256-[^']*", page)) for page in restricted([PAGE, other])]
    assert len(hashes[0]) == 3 and len(hashes[0] & hashes[1]) == 2


def test_outputs_run_nothing_and_call_nobody(site):
    with chromium() as browser, served(site) as address:
        for start in (address, site.as_uri()):
            page, asked = browser.new_page(), []
            page.on("response", lambda answer, asked=asked: asked.append(answer.url))
            page.goto(f"{start}/page.html")
            page.get_by_role("button").click()
            page.get_by_role("link").click()
            assert page.evaluate("ran") == ["theme", "own", "button"]
            assert page.evaluate("getComputedStyle(document.querySelector('p')).color") == (
                "rgb(18, 52, 86)"
            )
            assert not [url for url in asked if "invalid" in url]
            page.close()
