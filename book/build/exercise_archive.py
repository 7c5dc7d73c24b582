"""The archive for students: notebooks, their data, the modules that they import, the checks."""

import json
import shutil
from itertools import chain
from pathlib import Path

from sphinx.application import Sphinx

from book.build import wheel
from book.build.handout_checks import CHECKS, SEALS, checks_of
from book.build.handouts import ROOT, SUPPORT, TEMPLATES, folder
from book.build.project import zipped
from book.build.publish import published
from evidence import data_folder

LARGE = {  # notebooks that fetch what no other needs, so that the archive stays small
    "recalibrate/arena",
    "recalibrate/choosing-a-method",
    "recalibrate/trained-to-be-calibrated",
    "replicate/evidence",
    "replicate/guo2017",
    "replicate/gupta2021",
    "replicate/minderer2021",
    "replicate/nixon2019",
    "replicate/vasilev2021",
}
KIT = {  # what lies beside the notebooks, and its source
    "README.md": "kit.md",
    "start.py": "../../teaching/start.py",
    "LICENSE": "../../LICENSE",
}


def pack(app: Sphinx, exception: Exception | None) -> None:
    """Put on the site what students get: notebooks with what they need, and both apart."""
    if exception or app.builder.name != "html" or app.config.root_doc != "index":
        return
    static = published(app) / "_static"
    data_of_pages = json.loads(Path(app.srcdir, "data.json").read_text())
    copy_data(data_of_pages, static / "data")
    files = support_files(data_of_pages, Path(app.srcdir))
    (static / "data" / SEALS).parent.mkdir(exist_ok=True)
    for name in (CHECKS, SEALS):
        (static / "data" / name).write_bytes(files[f"{SUPPORT}/{name}"])
    files |= data_of_small_pages(data_of_pages)
    files |= {name: (TEMPLATES / source).read_bytes() for name, source in KIT.items()}
    files[wheel.NAME] = stored_wheel(app)
    files |= exercise_notebooks(app)
    (static / "exercises.zip").write_bytes(zipped(files))


def data_of_small_pages(data_of_pages: dict[str, list[str]]) -> dict[str, bytes]:
    """Return the data of pages that are not `LARGE`, where the archive has them."""
    small_pages = [names for page, names in data_of_pages.items() if page not in LARGE]
    names = sorted(set(chain.from_iterable(small_pages)))
    return {
        f"{SUPPORT}/data/{name}": (data_folder() / name).read_bytes() for name in names
    }


def stored_wheel(app: Sphinx) -> bytes:
    """Return the library as a wheel, built once: a change of it takes the folder away."""
    path = folder(app) / wheel.NAME
    if not path.is_file():
        path.write_bytes(wheel.content(ROOT))
    return path.read_bytes()


def exercise_notebooks(app: Sphinx) -> dict[str, bytes]:
    """Return the notebooks that students get; the site has each of them alone as well."""
    notebooks, alone = folder(app) / "student", published(app) / "_static" / "notebooks"
    files = {}
    for path in sorted(notebooks.rglob("*.ipynb")):
        name = path.relative_to(notebooks).as_posix()
        files[f"exercises/{name}"] = path.read_bytes()
        copy = alone / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return files


def copy_data(data_of_pages: dict[str, list[str]], folder: Path) -> None:
    """Copy the data that pages declare to where the site has them."""
    folder.mkdir(parents=True, exist_ok=True)  # also where no page declares any
    for name in set(chain.from_iterable(data_of_pages.values())):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(data_folder() / name, path)


def support_files(
    data_of_pages: dict[str, list[str]], source: Path
) -> dict[str, bytes]:
    """Return what notebooks import, the checks that they name, and the list of their data."""
    modules = ("book/__init__.py", "book/show/**/*.py", "evidence/**/*.py")
    rooms = (*modules, "book/show/**/*.html", "book/show/*.ttf", "evidence/*.toml")
    code = sorted(chain.from_iterable(map(ROOT.glob, rooms)))
    files = {
        f"{SUPPORT}/{path.relative_to(ROOT).as_posix()}": path.read_bytes()
        for path in code
    }
    stored = checks_of(data_of_pages, source)
    checks = {label: entry["check"] for label, entry in stored.items()}
    seals = {label: entry["seals"] for label, entry in stored.items()}
    for name, content in (
        ("data.json", data_of_pages),
        (CHECKS, checks),
        (SEALS, seals),
    ):
        text = json.dumps(content, indent=0, sort_keys=True)
        files[f"{SUPPORT}/{name}"] = text.encode()
    return files
