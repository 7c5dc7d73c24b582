"""The SHA-256 of what binds a forecaster: files of data, and no source text.

Code may be written anew as long as it finds the same: what it finds is stored, and compared.
"""

import hashlib
from collections.abc import Iterable

from evidence.data import read_declared


def digests(names: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of files below the folder of data, by their names from the root."""
    return {
        f"data/{name}": hashlib.sha256(read_declared(name)).hexdigest()
        for name in names
    }
