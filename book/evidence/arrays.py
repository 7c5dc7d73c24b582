"""Read arrays from npy and npz files, trusting nothing in them.

Each reader takes the bytes of a file and returns NumPy arrays. What is not an array is refused: no
code of the file runs, whatever it holds. Errors are ValueErrors.
"""

import io
import math
import zipfile
from os import PathLike

import numpy as np

MOST_BYTES = 1 << 30  # bytes that one file may unpack to
HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def read_npy(content: bytes) -> np.ndarray:
    """The array of an npy file; objects are refused.

    Examples
    --------
    >>> file = io.BytesIO()
    >>> np.save(file, np.arange(3))
    >>> read_npy(file.getvalue())
    array([0, 1, 2])
    """
    if not content.startswith(b"\x93NUMPY"):
        raise ValueError("not an npy file: it does not begin as one")
    stream = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(stream)
        shape, by_columns, dtype = HEADERS[version](stream)
        if dtype.hasobject:
            raise ValueError("it holds objects")
        start, count = stream.tell(), math.prod(shape)
        array = np.frombuffer(content, dtype, count, start)  # no copy: it may be large
        array = array.reshape(shape, order="F" if by_columns else "C")
    except Exception as error:  # a hostile header can raise nearly anything
        raise ValueError(f"not an npy file of numbers: {error}") from None
    if len(content) != start + array.nbytes:
        raise ValueError("not an npy file: data after its end")
    return array


def read_npz(source: bytes | str | PathLike[str]) -> dict[str, np.ndarray]:
    """The arrays of an npz file, given by its bytes or its path, by name; objects are refused."""
    with open_zip(source) as archive:
        names = archive.namelist()
        if len(set(names)) < len(names):
            raise ValueError("not an npz file: two arrays have one name")
        return {name.removesuffix(".npy"): read_npy(unpack(archive, name)) for name in names}


def open_zip(source: bytes | str | PathLike[str]) -> zipfile.ZipFile:
    """Open a zip archive, given by its bytes or its path, that does not unpack to too much."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source)
        size = sum(info.file_size for info in archive.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise ValueError(f"not a zip archive: {error}") from None
    if size > MOST_BYTES:
        raise ValueError(f"the archive unpacks to {size} bytes, at most {MOST_BYTES} are read")
    return archive


def unpack(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        return archive.read(name)
    except Exception as error:  # a damaged archive can raise nearly anything
        raise ValueError(f"not a whole zip archive: {name}: {error}") from None
