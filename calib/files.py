"""Write files whole or not at all."""

import os
import stat
from pathlib import Path


def read_file(path: str | Path) -> bytes:
    """Return the bytes of a regular file, which a pipe or a device, that may never end, is not."""
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise ValueError("not a regular file")
    return Path(path).read_bytes()


def write_whole(path: str | Path, content: bytes) -> None:
    """Write bytes to a temporary name beside the path, then move it there.

    An OSError says that it cannot be written; what was there before is then still there.
    """
    # in the same folder, where replacing is one step; two writers have two names
    partial = Path(path).with_name(f".{Path(path).name}.{os.urandom(4).hex()}.part")
    try:
        partial.write_bytes(content)
        os.replace(partial, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        partial.unlink(missing_ok=True)
