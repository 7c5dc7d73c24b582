"""Read tables and pickles of others, trusting nothing in them. Errors are ValueErrors."""

import csv
import io
from functools import partial

import numpy as np


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


def read_pickled_arrays(content):
    """Return nested lists and tuples of arrays from a pickle, without running it.

    The unpickler knows three names, those in which NumPy writes an array, and puts its own plain
    stand-ins in their place. Every other name is refused, so no class of any library is made.

    Raises
    ------
    ValueError
        If the file holds anything else, or is not a pickle.

    Examples
    --------
    >>> import pickle
    >>> read_pickled_arrays(pickle.dumps([(np.eye(2), np.arange(2))], protocol=3))
    [(array([[1., 0.],
           [0., 1.]]), array([0, 1]))]
    """
    from book.evidence.sources.pickles import Name, arrays_only, unpickled

    names = {
        ("numpy", "ndarray"): Name("ndarray"),
        ("numpy", "dtype"): _MakeType(),
        ("numpy.core.multiarray", "_reconstruct"): _MakeArray(),
        ("numpy._core.multiarray", "_reconstruct"): _MakeArray(),
    }
    return unpickled(content, names, partial(arrays_only, array_of=_array_of))


def _array_of(value):
    return value.array if isinstance(value, _Array) else value


# The stand-ins have no attributes that a pickle could set, and call nothing that it could choose.


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
