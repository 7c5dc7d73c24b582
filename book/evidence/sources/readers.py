"""Read arrays from tables, pickles and torch files of others, trusting nothing in them.

Each reader takes the bytes of a file and returns NumPy arrays, as `calib.readers.read_npy` does.
What is not an array is refused: no code of the file runs. Errors are ValueErrors.
"""

import csv
import io
import math
import pickle

import numpy as np

from calib.readers import open_zip, unpack


def read_csv(content: bytes, columns: list[str] | None = None) -> dict[str, np.ndarray]:
    """Columns of numbers, by name.

    Parameters
    ----------
    content : bytes
    columns : list of str, optional
        The names that the first line must hold. Without it the file has no such line and the
        columns are named "0", "1", ….

    Returns
    -------
    dict of ndarray of float64, shape (n,)

    Raises
    ------
    ValueError
        If the text is not such a table; the error names the row.

    Examples
    --------
    >>> read_csv(b"label,score\\n1,0.5\\n", ["label", "score"])
    {'label': array([1.]), 'score': array([0.5])}
    """
    try:
        rows = [row for row in csv.reader(io.StringIO(content.decode("utf-8"))) if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"not a CSV file: {error}") from None
    if columns is not None:
        header = rows.pop(0) if rows else []
        if header != columns:
            raise ValueError(f"the first line is {header[:9]}, expected {columns}")
    if not rows:
        raise ValueError("the table is empty")
    width = len(rows[0] if columns is None else columns)
    for number, row in enumerate(rows):
        if len(row) != width:
            raise ValueError(f"row {number} has {len(row)} fields, expected {width}")
    try:
        table = np.array(rows, dtype=np.float64)
    except ValueError as error:
        raise ValueError(f"not a table of numbers: {error}") from None
    return {name: table[:, i] for i, name in enumerate(columns or map(str, range(width)))}


def read_pickled_arrays(content: bytes):
    """Nested lists and tuples of arrays from a pickle, without running it.

    The unpickler knows three names, those in which NumPy writes an array, and puts its own plain
    stand-ins in their place. Every other name is refused, so no class of any library is made.

    Returns
    -------
    list, tuple or ndarray

    Raises
    ------
    ValueError
        If the file holds anything else, or is not a pickle.

    Examples
    --------
    >>> read_pickled_arrays(pickle.dumps([(np.eye(2), np.arange(2))], protocol=3))
    [(array([[1., 0.],
           [0., 1.]]), array([0, 1]))]
    """
    names = {
        ("numpy", "ndarray"): _Name("ndarray"),
        ("numpy", "dtype"): _MakeType(),
        ("numpy.core.multiarray", "_reconstruct"): _MakeArray(),
        ("numpy._core.multiarray", "_reconstruct"): _MakeArray(),
    }
    return _unpickle(content, names)


def read_torch(content: bytes):
    """Nested lists and tuples of arrays from the zip archive that torch.save writes.

    Raises
    ------
    ValueError
        If the archive holds anything else than dense tensors of numbers.
    """
    with open_zip(content) as archive:
        inside = archive.namelist()
        if not inside or not inside[0].endswith("/data.pkl"):
            raise ValueError("not a file of torch.save: it does not begin with data.pkl")
        folder = inside[0].removesuffix("data.pkl")

        def storage(reference):
            kind, storage_type, key, _place, size = reference
            if kind != "storage" or not isinstance(storage_type, _Name):
                raise ValueError("a storage is expected")
            values = np.frombuffer(unpack(archive, f"{folder}data/{key}"), storage_type.code)
            if len(values) != size:
                raise ValueError(f"storage {key} holds {len(values)} numbers, expected {size}")
            return values

        names = {("torch", name): _Name(code) for name, code in _TORCH_TYPES.items()}
        names |= {
            ("torch._utils", "_rebuild_tensor_v2"): _MakeTensor(),
            ("collections", "OrderedDict"): _MakeNothing(),
        }
        byteorder = unpack(archive, f"{folder}byteorder") if f"{folder}byteorder" in inside else b""
        if byteorder not in (b"", b"little"):
            raise ValueError(f"byte order {byteorder!r} is not little")
        return _unpickle(unpack(archive, inside[0]), names, storage)


_TORCH_TYPES = {
    "FloatStorage": "<f4",
    "DoubleStorage": "<f8",
    "HalfStorage": "<f2",
    "LongStorage": "<i8",
    "IntStorage": "<i4",
    "ShortStorage": "<i2",
    "CharStorage": "<i1",
    "ByteStorage": "<u1",
}


def _unpickle(content, names, storage=None):
    class Unpickler(pickle.Unpickler):
        def find_class(self, module, name):
            if (module, name) not in names:
                raise ValueError(f"it names {module}.{name}, which is not part of an array")
            return names[module, name]

        def persistent_load(self, reference):
            if storage is None:
                raise ValueError("it refers to something outside the file")
            return storage(reference)

    stream = io.BytesIO(content)
    try:
        result = _arrays_only(Unpickler(stream).load())
    except Exception as error:  # a hostile pickle can raise nearly anything
        raise ValueError(f"not a pickle of arrays alone: {error}") from None
    if stream.read(1):
        raise ValueError("not a pickle of arrays alone: data after its end")
    return result


def _arrays_only(value, depth=2):
    if isinstance(value, list | tuple) and depth > 0 and len(value) <= 100:
        return type(value)(_arrays_only(item, depth - 1) for item in value)
    if isinstance(value, _Array):
        value = value.array
    if not isinstance(value, np.ndarray):
        raise ValueError(f"not a pickle of arrays alone: it holds a {type(value).__name__}")
    return value


# The stand-ins have no attributes that a pickle could set, and call nothing that it could choose.


class _Name:
    __slots__ = ("code",)

    def __init__(self, code):
        self.code = code

    def __setstate__(self, state):
        raise ValueError("a name that changes")


class _Type:
    __slots__ = ("code",)

    def __setstate__(self, state):
        version, order, *_ = state
        if version != 3 or order not in ("<", "|", ">"):
            raise ValueError(f"a type of state {state}")
        self.code = f"{order}{self.code}"


class _MakeType:
    __slots__ = ()

    def __call__(self, code, _align, _copy):
        if code not in {"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"}:
            raise ValueError(f"a type {code!r}, expected numbers")
        made = _Type()
        made.code = code
        return made


class _Array:
    __slots__ = ("array",)

    def __setstate__(self, state):
        _version, shape, kind, fortran, data = state
        if not isinstance(kind, _Type) or not isinstance(data, bytes):
            raise ValueError("an array that is not made of numbers")
        self.array = np.frombuffer(data, kind.code).reshape(shape, order="F" if fortran else "C")


class _MakeArray:
    __slots__ = ()

    def __call__(self, _kind, _shape, _code):
        return _Array()


class _MakeTensor:
    __slots__ = ()

    def __call__(self, storage, offset, shape, strides, *_):
        sizes = [offset, *shape, *strides]
        if not all(type(size) is int and size >= 0 for size in sizes) or len(shape) != len(strides):
            raise ValueError(f"a tensor of shape {shape} and strides {strides}")
        last = offset + sum((n - 1) * step for n, step in zip(shape, strides, strict=True))
        if not 0 < math.prod(shape) <= len(storage) or last >= len(storage):
            raise ValueError(f"a tensor of shape {shape} in a storage of {len(storage)}")
        bytes_ = [step * storage.itemsize for step in strides]
        return np.lib.stride_tricks.as_strided(storage[offset:], shape, bytes_).copy()


class _MakeNothing:
    __slots__ = ()

    def __call__(self):
        return ()
