"""Read tables and arrays of others, from files that their checksums have proved. ValueErrors."""

import csv
import io
import pickle
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np

Storage = Callable[[str], bytes]  # what an archive holds under a key


def read_npy(content: bytes) -> np.ndarray:
    """Return the array of an npy file; objects are refused."""
    return np.load(io.BytesIO(content), allow_pickle=False)


def read_csv(
    content: bytes, columns: list[str] | None = None, dtype: type[Any] = float
) -> dict[str, np.ndarray]:
    """Return columns by name; without `columns`, of a table that has no first line.

    The first line has `columns`, after unnamed ones. Empty lines are left out.
    """
    rows = [row for row in csv.reader(io.StringIO(content.decode("utf-8"))) if row]
    header = list(map(str, range(len(rows[0])))) if columns is None else rows.pop(0)
    if columns is not None and header[max(len(header) - len(columns), 0) :] != columns:
        raise ValueError(f"the first line is {header[:9]}, expected {columns}")
    return {
        name: np.array(values, dtype)
        for name, *values in zip(header, *rows, strict=True)
    }


class _Arrays(pickle.Unpickler):
    """Knows the names in which NumPy and torch write arrays, and refuses every other."""

    def __init__(self, content: bytes, storage: Storage | None = None) -> None:
        # the bytes are a stranger's: `find_class` says what may be named
        super().__init__(io.BytesIO(content))
        self.storage = storage

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in SAFE_NAMES:
            raise ValueError(f"it names {module}.{name}, which is not part of an array")
        return SAFE_NAMES[module, name]

    def persistent_load(self, reference: tuple[str, str, str, str, int]) -> np.ndarray:
        _, code, key, *_ = reference
        if self.storage is None:
            raise ValueError("its arrays lie in files beside it")
        # torch keeps numbers in files beside the pickle, which names their type and key
        return np.frombuffer(self.storage(key), code)


def _tensor(
    storage: np.ndarray,
    offset: int,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    *_: object,
) -> np.ndarray:
    # torch counts strides in entries, NumPy in bytes
    steps = [step * storage.itemsize for step in strides]
    return np.lib.stride_tricks.as_strided(storage[offset:], shape, steps).copy()


MAKE_ARRAY = np.empty(0).__reduce__()[0]
SAFE_NAMES: dict[tuple[str, str], Any] = {
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("numpy.core.multiarray", "_reconstruct"): MAKE_ARRAY,
    ("numpy._core.multiarray", "_reconstruct"): MAKE_ARRAY,
    ("torch._utils", "_rebuild_tensor_v2"): _tensor,
    ("torch", "FloatStorage"): "<f4",
    ("torch", "LongStorage"): "<i8",
    ("collections", "OrderedDict"): dict,
}


def read_pickled_arrays(content: bytes, storage: Storage | None = None) -> Any:
    """Return what a pickle of arrays holds; whatever else it names is refused and not run."""
    try:
        return _Arrays(content, storage).load()
    except Exception as error:
        raise ValueError(f"not a pickle of arrays alone: {error}") from None


def read_torch(content: bytes) -> Any:
    """Return the tensors, in lists or tuples, of an archive that torch.save wrote, as arrays."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        # its folder is named after the file that was saved
        folder = archive.namelist()[0].removesuffix("data.pkl")
        return read_pickled_arrays(
            archive.read(f"{folder}data.pkl"),
            lambda key: archive.read(f"{folder}data/{key}"),
        )
