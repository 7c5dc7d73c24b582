"""Read arrays from npy and npz files, trusting nothing in them.

Each reader takes the bytes of a file and returns NumPy arrays. What is not an array is refused: no
code of the file runs, whatever it holds. Errors are ValueErrors.
"""

import io
import zipfile

import numpy as np

LARGEST = 1 << 30  # bytes that one file may unpack to


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
        array = np.lib.format.read_array(stream, allow_pickle=False)
    except Exception as error:  # a hostile header can raise nearly anything
        raise ValueError(f"not an npy file of numbers: {error}") from None
    if stream.read(1):
        raise ValueError("not an npy file: data after its end")
    return array


def read_npz(content: bytes) -> dict[str, np.ndarray]:
    """The arrays of an npz file by name; objects are refused."""
    with open_zip(content) as archive:
        names = archive.namelist()
        return {name.removesuffix(".npy"): read_npy(unpack(archive, name)) for name in names}


def open_zip(content: bytes) -> zipfile.ZipFile:
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        size = sum(info.file_size for info in archive.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise ValueError(f"not a zip archive: {error}") from None
    if size > LARGEST:
        raise ValueError(f"the archive unpacks to {size} bytes, at most {LARGEST} are read")
    return archive


def unpack(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        return archive.read(name)
    except Exception as error:  # a damaged archive can raise nearly anything
        raise ValueError(f"not a whole zip archive: {name}: {error}") from None
