"""A book of a landing page and one notebook, with this checkout's calib and data."""

import shutil

from helpers import ROOT

from book.__main__ import main
from book.build.project import Project

HEAD = """---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, language: python, name: python3}
calib: CALIB
---
"""


def cell(source, options=""):
    return f"\n```{{code-cell}} ipython3\n{options}{source}\n```\n"


FIGURE = cell(
    "import matplotlib.pyplot as plt\n\nfig, ax = plt.subplots()\nax.plot([1, 2], [3, 4])",
    """---
mystnb:
  figure: {name: fig-line, caption: "A line."}
  image: {alt: "A line."}
---
""",
)


def one_chapter(folder):
    """Write this book into a folder."""
    (folder / "book").mkdir()
    for name in ("data", "pyproject.toml", "book/references.bib"):
        (folder / name).symlink_to(ROOT / name)
    for name in ("calib", "calib_report", "evidence", "book/show"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("_config.yml", "requirements.lock"):
        shutil.copy(ROOT / name, folder / name)
    book = Project(folder)
    add(book, "index", "# Landing\n")
    add(
        book, "part/one", HEAD.replace("CALIB", "{}") + "# One\n" + cell("print('one')")
    )
    return book


def add(project, name, text):
    path = project.chapters / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    names = sorted(
        file.relative_to(project.chapters).with_suffix("").as_posix()
        for file in project.chapters.rglob("*.md")
    )
    entries = "".join(f"  - file: {entry}\n" for entry in names if entry != "index")
    toc = f"format: jb-book\nroot: index\n{'chapters:' if entries else ''}\n{entries}"
    (project.root / "_toc.yml").write_text(toc)
    return project.chapter(name)


def notebook(project, body, calib="{}", name="part/one"):
    return add(project, name, HEAD.replace("CALIB", calib) + "# One\n" + body)


def run(project, *arguments):
    return main(["--root", str(project.root), *arguments])
