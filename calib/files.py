"""Write files whole or not at all, and know again what was written."""

import csv
import glob
import hashlib
import io
import json
import os
import stat
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any


def refuse_special(path: str | Path) -> None:
    """Raise an error where a path is not that of a regular file, such as a pipe or a device."""
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise ValueError("not a regular file")


def read_file(path: str | Path) -> bytes:
    """Return the bytes of a regular file, which a pipe or a device, that may never end, is not."""
    refuse_special(path)
    return Path(path).read_bytes()


def write_whole(path: str | Path, content: bytes) -> None:
    """Write bytes to a temporary name beside the path, then move it there.

    An OSError says that it cannot be written; what was there before is then still there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(f"{folder}/a.txt", b"all of it")
    ...     os.listdir(folder)
    ['a.txt']
    """
    write_together({path: content})


def write_together(contents: Mapping[Any, bytes | None]) -> None:
    """Write bytes to several paths, all of them or, where there is an OSError, none.

    All are written to temporary names first, then moved in this order; None removes a file. Of two
    processes that write the same paths one moves all of its files before the other.
    """
    own = f"{os.getpid()}-{threading.get_ident()}"
    contents = {Path(path): content for path, content in contents.items()}
    partial = {path: path.with_name(f".{path.name}.{own}.part") for path in contents}
    try:
        for (path, part), content in zip(partial.items(), contents.values(), strict=True):
            _remove_left_behind(path)
            if content is not None:
                part.write_bytes(content)
        with alone(path.parent):
            for path, part in partial.items():
                if contents[path] is None:
                    path.unlink(missing_ok=True)
                else:
                    os.replace(part, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        for part in partial.values():
            part.unlink(missing_ok=True)


@contextmanager
def alone(folder: str | Path) -> Iterator[None]:
    """Let no other process move files into a folder meanwhile, on systems that know such locks."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def _remove_left_behind(path: Path) -> None:
    """Remove what processes that were killed had begun to write to this path."""
    for partial in path.parent.glob(f".{glob.escape(path.name)}.*-*.part"):
        process = partial.name.removeprefix(f".{path.name}.").partition("-")[0]
        if process.isdecimal() and not is_running(int(process)):
            partial.unlink(missing_ok=True)


def is_running(process: int) -> bool:
    """Tell whether there is a process of this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def sealed(
    kind: str, version: int, content: dict[str, Any], payload: Iterable[Any] = ()
) -> dict[str, Any]:
    """Return content with its format and the checksum of all of it, to be written as JSON.

    Maps, cached results and records of executed notebooks are written like this. The checksum is
    also of the payload, bytes that lie beside it, such as arrays.

    Examples
    --------
    >>> found = sealed("note", 1, {"text": "a"})
    >>> found["format"], found["sha256"][:6]
    ('calib note, version 1', '5dde24')
    >>> unsealed("note", 1, found)
    {'text': 'a'}
    """
    about = {"format": f"calib {kind}, version {version}"} | content
    return about | {"sha256": _checksum(about, payload)}


def unsealed(kind: str, version: int, found: Any, payload: Iterable[Any] = ()) -> dict[str, Any]:
    """Return the content that :func:`sealed` was given; refuse anything else.

    Examples
    --------
    >>> unsealed("note", 1, sealed("note", 1, {"text": "a"}) | {"text": "b"})
    Traceback (most recent call last):
    ValueError: its checksum is not that of what it holds: it was changed or damaged
    """
    expected = f"calib {kind}, version {version}"
    if not isinstance(found, dict) or found.get("format") != expected:
        held = found.get("format") if isinstance(found, dict) else None
        raise ValueError(f"expected the format {expected!r}, found {held!r}")
    about = {name: value for name, value in found.items() if name != "sha256"}
    if found.get("sha256") != _checksum(about, payload):
        raise ValueError("its checksum is not that of what it holds: it was changed or damaged")
    return {name: value for name, value in about.items() if name != "format"}


def _checksum(about: dict[str, Any], payload: Iterable[Any]) -> str:
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for part in payload:
        digest.update(part)
    return digest.hexdigest()


def csv_bytes(rows: list[dict[str, Any]]) -> bytes:
    """Return the CSV table of dictionaries that have the same keys; there is one at least.

    Examples
    --------
    >>> csv_bytes([{"name": "a", "n": 1}, {"name": "b", "n": 2}])
    b'name,n\\na,1\\nb,2\\n'
    """
    text = io.StringIO()
    table = csv.DictWriter(text, rows[0].keys(), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue().encode()
