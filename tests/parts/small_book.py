"""A book of a few pages, built as the whole one is."""

from pathlib import Path

import yaml

from book.build.sphinx_run import run_sphinx


def small_book(folder: Path, pages: list[str]) -> Path:
    """Build pages that lie in a folder, the first the root; return where they are."""
    root, *chapters = pages
    contents = {"format": "jb-book", "root": root}
    contents["chapters"] = [{"file": name} for name in chapters]
    config = {
        "title": "T",
        "execute": {"execute_notebooks": "off"},
        "parse": {"myst_enable_extensions": ["dollarmath"]},
    }
    for name, content in (("_toc", contents), ("_config", config)):
        (folder / f"{name}.yml").write_text(yaml.safe_dump(content, sort_keys=False))
    (folder / "data.json").write_text("{}")
    run_sphinx(folder, folder / "work", "html", strict=True)
    return folder / "work"
