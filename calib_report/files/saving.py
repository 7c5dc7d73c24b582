"""Where a command writes: checked before the work, and written whole or not at all."""

import os
import secrets
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def output_path(output: Any, *suffixes: str) -> Path:
    """Return the path of an output that can be written and whose name ends as it should."""
    path = Path(output)
    if not path.name.lower().endswith(suffixes):
        raise ValueError(
            f"{output}: the name of the output must end in {' or '.join(suffixes)}"
        )
    if not path.parent.is_dir():
        raise ValueError(f"{output}: there is no folder {path.parent}")
    try:
        # rights alone do not tell: a disk may be full, or read-only
        tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        raise OSError(
            error.errno, f"cannot be written: {error.strerror}", str(output)
        ) from None
    return path


def refuse_places(places: Iterable[Path], inputs: Iterable[Any]) -> None:
    """Raise ValueError where a file would replace a folder or what is read."""
    sources = [Path(source) for source in inputs if source and Path(source).exists()]
    for place in filter(Path.exists, places):
        _refuse_place(place, sources)


def _refuse_place(place: Path, sources: Iterable[Path]) -> None:
    if place.is_dir():
        raise ValueError(f"{place}: is a folder, where a file is to be written")
    # a link, or a relative path, may name what is read in other words
    if any(map(place.samefile, sources)):
        raise ValueError(
            f"{place}: is read, so it cannot be written; choose another name"
        )


def write_together(contents: Mapping[Path, bytes | None]) -> None:
    """Write bytes to several paths, all of them or, where there is an OSError, none.

    None removes a file. The last one is gone while the others change: whoever is killed between
    two of them leaves no page beside the numbers of another.
    """
    token = f"{os.getpid()}-{secrets.token_hex(4)}"  # two containers may have one pid
    drafts = {path: path.with_name(f".{path.name}.{token}.part") for path in contents}
    *_, page = contents
    try:
        # first all drafts: a full disk shows before anything is replaced
        for path, content in contents.items():
            with _naming_path(path):
                _write_draft(drafts[path], content)
        if len(contents) > 1:
            with _naming_path(page):
                page.unlink(missing_ok=True)
        for path, content in contents.items():
            with _naming_path(path):
                _put_in_place(drafts[path], path, content)
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)


@contextmanager
def _naming_path(path: Path) -> Iterator[None]:
    """Let an error name the path that was asked for, not its draft."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _write_draft(draft: Path, content: bytes | None) -> None:
    if content is not None:
        draft.write_bytes(content)


def _put_in_place(draft: Path, path: Path, content: bytes | None) -> None:
    """Put a draft in its place, or remove what stands there."""
    if content is None:
        path.unlink(missing_ok=True)
    else:
        # of one folder, so that it is one step: no half of a file is ever seen
        os.replace(draft, path)
