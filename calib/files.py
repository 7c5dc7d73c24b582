"""Write files whole or not at all."""

import csv
import io
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


def csv_bytes(rows):
    """Return the CSV table of dictionaries that have the same keys.

    Parameters
    ----------
    rows : list of dict
        At least one.

    Returns
    -------
    bytes

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
