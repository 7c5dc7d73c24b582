"""The configuration: `_config.yml`, what the environment adds, and what Sphinx gets of both."""

import os
from pathlib import Path
from typing import Any

from book.build import runtime, slides, wheel
from book.build.project import Project

REFERENCES = ["ref.*", "myst.xref_missing"]


def site_config(project: Project, *, pdf: bool = False) -> dict[str, Any]:
    """Return `_config.yml` with what BOOK_ADDRESS, BOOK_REPOSITORY and BOOK_BRANCH add."""
    config = project.config()
    sphinx = config["sphinx"]["config"]
    address = os.environ.get("BOOK_ADDRESS", "").rstrip("/")
    if address:
        sphinx["html_baseurl"] = f"{address}/"
    sphinx["html_extra_path"] = _extra_files(project, pdf=pdf)
    repository = os.environ.get("BOOK_REPOSITORY", "").rstrip("/")
    if repository:
        _add_repository(config, repository, os.environ.get("BOOK_BRANCH", "main"))
    return config


def _extra_files(project: Project, *, pdf: bool) -> list[str]:
    """Return what the site takes up as it is: the PDF, Python, the lectures, the wheel."""
    names = ["book.pdf"] if pdf else []
    for folder in (runtime.folder(project), slides.folder(project)):
        if folder.is_dir():
            names.append(str(folder.parent))  # a page finds them as python/ and slides/
    if wheel.folder(project).is_dir():
        names.append(str(wheel.folder(project)))
    return names


def _add_repository(config: dict[str, Any], address: str, branch: str) -> None:
    """Let pages lead to their source, and to where it is edited."""
    config["repository"] = {
        "url": address,
        "branch": branch,
        "path_to_book": "chapters",
    }
    for button in ("repository", "edit_page", "issues"):
        config["html"][f"use_{button}_button"] = True
    # a page is built from its notebook, and written in Markdown
    name = "{{ file_name.replace('.ipynb', '.md') }}"
    config["sphinx"]["config"]["html_context"] |= {
        "edit_page_url_template": f"{address}/edit/{branch}/chapters/{name}",
        "edit_page_provider_name": "GitHub",
    }


def sphinx_config(source: Path, strict: bool) -> dict[str, Any]:
    """Return the configuration that Jupyter Book derives from a staged folder."""
    from jupyter_book.config import get_final_config

    config, _ = get_final_config(
        user_yaml=source / "_config.yml",
        cli_config={"latex_individualpages": False},
        sourcedir=source,
        raise_on_invalid=True,
    )
    unused = {"sphinx_thebe", "sphinx_comments", "sphinx_jupyterbook_latex"}
    config["extensions"] = [name for name in config["extensions"] if name not in unused]
    config["extensions"].append("book.build.extension")
    config.pop("comments_config", None)
    config["nitpicky"] = strict
    config["suppress_warnings"] = [
        *config["suppress_warnings"],
        *([] if strict else REFERENCES),
    ]
    return config
