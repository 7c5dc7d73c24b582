"""The data of a notebook that was handed out: there already, or fetched from the book's site."""

import json
import os
from pathlib import Path
from urllib.request import urlopen

from book.show.labs import student_name
from book.show.looks import set_style
from calib.files import write_whole
from evidence.data import check_sha256

FOLDER = Path(__file__).resolve().parents[2]


def begin(page: str, site: str) -> None:
    """Set the style of a notebook's figures; tell it where its data lie, and fetch large ones."""
    set_style()
    os.environ["CALIB_DATA"] = str(FOLDER / "data")
    bring_data(page, os.environ.get("CALIB_SITE", site).rstrip("/"))
    if page.startswith("labs/"):
        print(f"data of {student_name() or 'everybody'}")


def bring_data(page: str, site: str) -> None:
    """Fetch what a notebook declares and the folder lacks; check each file before it is kept."""
    declared = json.loads((FOLDER / "data.json").read_text(encoding="utf-8"))[page]
    # the folder by which the evidence tells its data
    (FOLDER / "data" / "published").mkdir(parents=True, exist_ok=True)
    for name, sha256 in declared.items():
        path = FOLDER / "data" / name
        if path.is_file():
            continue
        if not site:
            raise FileNotFoundError(
                f"{name} is not in the archive: set the variable CALIB_SITE to the address of "
                "the book's site, before this notebook starts"
            )
        with urlopen(f"{site}/_static/data/{name}") as answer:
            content = answer.read()
        check_sha256(name, content, sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
