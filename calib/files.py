"""Read regular files; write files whole or not at all."""

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

    An OSError says that it cannot be written; what was there before is then still there. A file
    that is replaced keeps its mode, and a link leads to what is replaced. A pipe or a device takes
    the bytes as they are.
    """
    try:
        before = os.stat(path)
    except OSError:
        # nothing there yet, or a place that cannot be reached: writing will say so
        before = None
    if (
        before is not None
        and not stat.S_ISREG(before.st_mode)
        and not stat.S_ISDIR(before.st_mode)
    ):
        Path(path).write_bytes(content)
        return
    target = Path(os.path.realpath(path))
    # in the same folder, where replacing is one step; two writers have two names, and a long name
    # is none of theirs
    partial = target.with_name(f".{os.urandom(8).hex()}.part")
    try:
        partial.write_bytes(content)
        if before is not None:
            os.chmod(partial, stat.S_IMODE(before.st_mode))
        os.replace(partial, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        partial.unlink(missing_ok=True)
