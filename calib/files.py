"""Write files whole or not at all."""

import csv
import io
import os
import stat
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
    part = Path(path).with_name(f".{Path(path).name}.{os.urandom(4).hex()}.part")
    try:
        part.write_bytes(content)
        os.replace(part, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        part.unlink(missing_ok=True)


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
