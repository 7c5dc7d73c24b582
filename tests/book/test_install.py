"""The site holds the package, and pip installs it from the site's address."""

import subprocess
import sys

import pytest
from helpers import SITE, served, site_pages

from book.build.extension import launchers
from book.build.wheel import NAME

SMOKE = "import calib, calib_report; print(calib.__file__)"


@pytest.mark.slow
@pytest.mark.browser
def test_pip_installs_from_the_site(tmp_path):
    """Into a folder, without what it needs, and without any index."""
    site_pages()
    with served(SITE) as address:
        options = [
            "--no-deps",
            "--no-index",
            "--quiet",
            "--target",
            str(tmp_path / "there"),
        ]
        wanted = f"neural-calibration @ {address}/{NAME}"
        told = {"check": True, "capture_output": True, "text": True}
        subprocess.run(
            [sys.executable, "-m", "pip", "install", *options, wanted], **told
        )
        run = [sys.executable, "-c", SMOKE]
        done = subprocess.run(run, cwd=tmp_path / "there", **told)
    assert done.stdout.startswith(str(tmp_path / "there"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", ["story", "use/your-own-model", "use/two-classes", "use/api"]
)
def test_pages_that_use_the_package_say_where_it_comes_from(page):
    site_pages()
    text = (SITE / f"{page}.html").read_text("utf-8")
    root = "../" * page.count("/")
    assert (
        f'href="{root}{NAME}"' in text and f'href="{root}_static/exercises.zip"' in text
    )
    assert (SITE / "_static" / "exercises.zip").is_file()
    assert "colab" not in text and "mybinder" not in text  # while there is no address


def test_with_an_address_a_page_links_its_notebook():
    links = launchers("https://github.com/someone/notebooks/", "use/two-classes")
    assert "/github/someone/notebooks/blob/main/use/two-classes.ipynb" in links
    assert "/gh/someone/notebooks/main?labpath=use/two-classes.ipynb" in links


@pytest.mark.slow
def test_the_page_says_how_to_install_and_links_the_file():
    site_pages()
    page = (SITE / "use" / "your-own-model.html").read_text("utf-8")
    assert f'href="../{NAME}"' in page and "pip install" in page
    assert "git clone ADDRESS" not in (SITE / "use" / "teaching.html").read_text(
        "utf-8"
    )
