"""Write files whole or not at all."""

import os
from pathlib import Path


def write_whole(path, content):
    """Write bytes to a temporary name beside the path, then move it there.

    Parameters
    ----------
    path : str or Path
        An existing file is replaced.
    content : bytes

    Raises
    ------
    OSError
        If the file cannot be written. What was there before is then still there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(f"{folder}/a.txt", b"all of it")
    ...     os.listdir(folder)
    ['a.txt']
    """
    path = Path(path)
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        partial.write_bytes(content)
        os.replace(partial, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        partial.unlink(missing_ok=True)
