"""Run Sphinx; what it complains of is an error."""

import atexit
import gc
import io
from pathlib import Path
from typing import Any

from book.build.configuration import sphinx_config
from book.build.project import BookError


def run_sphinx(
    source: Path,
    work: Path,
    builder: str,
    config: dict[str, Any] | None = None,
    *,
    strict: bool = True,
) -> None:
    """Run Sphinx, into `work / "raw"`; what it complains of is a `BookError` if strict."""
    from sphinx.application import Sphinx
    from sphinx.errors import SphinxError
    from sphinx.util.console import nocolor
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    nocolor()  # the warnings go into an error, which a log may hold
    gc.set_threshold(200_000, 50, 100)  # seldom search the large trees of pages,
    atexit.register(gc.freeze)  # and not at the end
    config, warnings = config or sphinx_config(source, strict), io.StringIO()
    failed = True
    try:
        with patch_docutils(str(source)), docutils_namespace():
            app = Sphinx(
                source,
                None,
                work / "raw",
                work / "doctrees",
                builder,
                config,
                status=None,
                warning=warnings,
                warningiserror=strict,
                keep_going=True,
            )
            app.build()
            failed = app.statuscode != 0
    except SphinxError as error:
        warnings.write(f"{error}\n")
    problems = warnings.getvalue().replace(f"{source}/", "chapters/").strip()
    if failed:
        raise BookError(f"the pages were not built: see the warnings\n{problems}")
    if problems:
        print(problems)
