"""Where checkout, site and shared files lie; a browser, a server; when a test is skipped."""

import os
import shutil
import threading
import time
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
SITE = ROOT / "_build" / "html"
CHROMIUM = (
    "--no-sandbox --disable-gpu --disable-dev-shm-usage --disable-quic --no-first-run"
)
CHROMIUM += " --disable-background-networking --disable-component-update --disable-sync"
MARKED = {"shared": False}  # whether the running test has the mark


def skip_unless(present: bool, reason: str) -> None:
    """Skip the calling test where something optional is absent; fail instead when CI=true."""
    if present:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason} (an optional part is never absent in CI)")
    pytest.skip(reason)


def need_shared(relative: str) -> Path:
    """Return a path of the folder `shared` beside the checkout, for tests marked `shared` only."""
    if not MARKED["shared"]:
        pytest.fail("a test that reads the folder `shared` carries the mark `shared`")
    skip_unless(
        (SHARED / relative).exists(),
        f"shared/{relative} is absent beside this checkout",
    )
    return SHARED / relative


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


@contextmanager
def chromium():
    """Open a browser; skip the calling test where there is none."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    skip_unless(path is not None, "no chromium on the path")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launch = playwright.chromium.launch
        browser = launch(executable_path=path, args=CHROMIUM.split(), timeout=120_000)
        yield browser
        browser.close()


@contextmanager
def served(folder: Path):
    """Serve a folder at an address of this machine."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def site_pages() -> list[str]:
    """Return the names of the built pages; those of a wrong or an old address are none of it."""
    skip_unless((SITE / "index.html").is_file(), "the site is not built: make book")
    paths = (path.relative_to(SITE) for path in SITE.rglob("*.html"))
    names = (
        p.as_posix() for p in paths if not {"_static", "embed", "404.html"} & {*p.parts}
    )
    return sorted(name for name in names if name.removesuffix(".html") not in moved())


def moved() -> dict[str, str]:
    """Return the old addresses of the site, and where each leads."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    return config["sphinx"]["config"]["html_context"]["moved"]
