"""One frozen site per version: packed at its release, and laid beside the newest from then on.

`python -m book freeze` packs the built site; `python -m book earlier FOLDER` lays the sites that
are packed there into versions/X.Y.Z/ of the built one, each page with a line that says its age.
"""

import re
import zipfile
from pathlib import Path, PurePosixPath

import calib
from book.build.project import BookError, Project, zipped
from calib.files import write_whole

PACKED = re.compile(r"site-(\d+\.\d+\.\d+)\.zip")
# the package, behind the address of the site, in a command that installs it
WHEEL = re.compile(
    r"(https?://[^\s\"'<>]+/)(neural_calibration-[\w.]+-py3-none-any\.whl)"
)
TEXTS = (".html", ".md", ".ipynb", ".txt")
BODY = re.compile(r"<body\b[^>]*>")
LINE = (
    '<p role="note" style="margin: 0; padding: .5rem 1rem; background: #ffd; color: #222">'
    'This is version {version}, as it was published. <a style="color: #0645ad" href="{newest}">'
    "The newest version</a></p>"
)
LIST = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Versions of the book</title>
<h1>Versions of the book</h1>
<ul>
<li><a href="../index.html">the newest</a></li>
{rows}
</ul>
</html>
"""


def freeze(project: Project) -> Path:
    """Pack the built site, less what it was given of earlier versions; return the archive."""
    if not (project.site / "index.html").is_file():
        raise BookError("the site is not built: make book")
    paths = (path for path in sorted(project.site.rglob("*")) if path.is_file())
    names = {path.relative_to(project.site).as_posix(): path for path in paths}
    files = {
        name: p.read_bytes()
        for name, p in names.items()
        if not name.startswith("versions/")
    }
    packed = project.build / f"site-{calib.__version__}.zip"
    write_whole(packed, zipped(files))
    return packed


def earlier(project: Project, folder: Path) -> list[str]:
    """Lay the packed sites of a folder into the built one; return their versions, newest first."""
    archives = {}
    for path in folder.glob("site-*.zip"):
        name = PACKED.fullmatch(path.name)
        if name:
            archives[name[1]] = path
    # by numbers: 0.10.0 is newer than 0.9.0
    order = sorted(
        archives, key=lambda version: [*map(int, version.split("."))], reverse=True
    )
    for version in order:
        unpack_version(archives[version], project.site / "versions" / version, version)
    rows = "\n".join(
        f'<li><a href="{v}/index.html">version {v}</a></li>' for v in order
    )
    page = project.site / "versions" / "index.html"
    page.parent.mkdir(exist_ok=True)
    page.write_text(LIST.format(rows=rows), "utf-8")
    return order


def unpack_version(packed: Path, folder: Path, version: str) -> None:
    """Unpack a frozen site; each page says its version, and search engines leave it out."""
    with zipfile.ZipFile(packed) as archive:
        for name in archive.namelist():
            parts = PurePosixPath(name).parts
            # an archive from elsewhere may not write beside its folder
            if name.startswith("/") or ".." in parts:
                raise BookError(f"{packed.name}: {name!r} lies outside of the site")
            content = archive.read(name)
            if name.endswith(TEXTS):
                content = with_own_package(content.decode("utf-8"), version).encode()
            if name.endswith(".html"):
                newest = "../" * (len(parts) + 1) + "index.html"
                content = with_line_of_version(
                    content.decode("utf-8"), version, newest
                ).encode("utf-8")
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def with_own_package(text: str, version: str) -> str:
    """Let what installs the package find it in the frozen site: above it lies the newest alone."""
    return WHEEL.sub(rf"\g<1>versions/{version}/\g<2>", text)


def with_line_of_version(page: str, version: str, newest: str) -> str:
    """Return a page with the line of its version, not to be indexed."""
    page = page.replace("<head>", '<head>\n<meta name="robots" content="noindex">', 1)
    line = LINE.format(version=version, newest=newest)
    return BODY.sub(lambda body: f"{body[0]}\n{line}", page, count=1)
