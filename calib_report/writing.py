"""Where a command writes: checked before the work, and written whole or not at all."""

import os
import secrets
import tempfile
from collections.abc import Iterable, Mapping
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
        if place.is_dir():
            raise ValueError(f"{place}: is a folder, where a file is to be written")
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
        for path, content in contents.items():
            if content is not None:
                drafts[path].write_bytes(content)
        if len(contents) > 1:
            path = page
            page.unlink(missing_ok=True)
        for path, content in contents.items():
            _put(drafts[path], path, content)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)


def _put(draft: Path, path: Path, content: bytes | None) -> None:
    """Put a draft in its place, or remove what stands there."""
    if content is None:
        path.unlink(missing_ok=True)
    else:
        os.replace(draft, path)
