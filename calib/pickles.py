"""Read arrays from pickles and torch files, running nothing that is in them.

The unpickler knows a few names, those in which NumPy and torch write arrays, and puts plain
stand-ins of its own in their place. Every other name is refused, so no class of any library is
made and no function called. Errors are ValueErrors.
"""

import io
import math
import pickle
from os import PathLike
from typing import Any
from zipfile import ZIP_STORED

import numpy as np

from calib.readers import open_zip, unpack


def read_pickled_arrays(content: bytes) -> list[Any]:
    """Nested lists and tuples of arrays from a pickle, without running it.

    A ValueError says that the file holds anything else, or is not a pickle.

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


def read_torch(content: bytes | str | PathLike[str]) -> Any:
    """What the zip archive that torch.save writes holds: arrays, in lists, tuples or one dict.

    The file is given by its bytes or its path. A dict may also hold lists of text or of numbers,
    such as names of classes; bfloat16 becomes float32. A ValueError says that the archive holds
    anything else than dense tensors of numbers.
    """
    with open_zip(content) as archive:
        inside = archive.namelist()
        if not inside or not inside[0].endswith("/data.pkl"):
            raise ValueError("not a file of torch.save: it does not begin with data.pkl")
        folder = inside[0].removesuffix("data.pkl")
        if any(info.compress_type != ZIP_STORED for info in archive.infolist()):
            raise ValueError("not a file of torch.save: it is compressed")
        size = sum(info.file_size for info in archive.infolist())

        def storage(reference: Any) -> np.ndarray:
            kind, storage_type, key, _place, size = reference
            if kind != "storage" or not isinstance(storage_type, _Name):
                raise ValueError("a storage is expected")
            values = np.frombuffer(unpack(archive, f"{folder}data/{key}"), storage_type.code)
            if storage_type.code == _BFLOAT16:
                values = (values.astype("<u4") << 16).view("<f4")
            if len(values) != size:
                raise ValueError(f"storage {key} holds {len(values)} numbers, expected {size}")
            return values

        names: dict[tuple[str, str], Any] = {
            ("torch", name): _Name(code) for name, code in _TORCH_TYPES.items()
        }
        names |= {
            ("torch._utils", "_rebuild_tensor_v2"): _MakeTensor(VIEWS * size),
            ("torch._utils", "_rebuild_parameter"): _MakeParameter(),
            ("collections", "OrderedDict"): _MakeNothing(),
        }
        byteorder = unpack(archive, f"{folder}byteorder") if f"{folder}byteorder" in inside else b""
        if byteorder not in (b"", b"little"):
            raise ValueError(f"byte order {byteorder!r} is not little")
        return _unpickle(unpack(archive, inside[0]), names, storage)


VIEWS = 4  # times that the numbers of a torch file may be shared, or widened
_BFLOAT16 = "<u2"  # the upper half of a float32
_TORCH_TYPES = {
    "FloatStorage": "<f4",
    "DoubleStorage": "<f8",
    "HalfStorage": "<f2",
    "LongStorage": "<i8",
    "IntStorage": "<i4",
    "ShortStorage": "<i2",
    "CharStorage": "<i1",
    "ByteStorage": "<u1",
    "BoolStorage": "?",
    "BFloat16Storage": _BFLOAT16,
}


def _unpickle(content: Any, names: Any, storage: Any = None) -> Any:
    class Unpickler(pickle.Unpickler):
        def find_class(self, module: Any, name: Any) -> Any:
            if (module, name) not in names:
                raise ValueError(f"it names {module}.{name}, which is not part of an array")
            return names[module, name]

        def persistent_load(self, reference: Any) -> np.ndarray:
            if storage is None:
                raise ValueError("it refers to something outside the file")
            return storage(reference)

    stream = io.BytesIO(content)
    try:
        value = Unpickler(stream).load()
        if storage is not None and isinstance(value, dict):
            result = {_text(name): _array_or_list(inner) for name, inner in value.items()}
        else:
            result = _arrays_only(value)
    except Exception as error:  # a hostile pickle can raise nearly anything
        raise ValueError(f"not a pickle of arrays alone: {error}") from None
    if stream.read(1):
        raise ValueError("not a pickle of arrays alone: data after its end")
    return result


def _arrays_only(value: Any, depth: Any = 2) -> Any:
    if isinstance(value, list | tuple) and depth > 0 and len(value) <= 100:
        return type(value)(_arrays_only(item, depth - 1) for item in value)
    if isinstance(value, _Array):
        value = value.array
    if not isinstance(value, np.ndarray):
        raise ValueError(f"not a pickle of arrays alone: it holds a {type(value).__name__}")
    return value


def _text(name: Any) -> str:
    if not isinstance(name, str):
        raise ValueError(f"an array is named {name!r}, expected text")
    return name


def _array_or_list(value: Any) -> np.ndarray:
    if isinstance(value, list | tuple) and value:
        for kind in (str, int, float):
            if all(type(item) is kind for item in value):
                return np.array(value)
        if all(isinstance(item, np.ndarray) for item in value):
            raise ValueError(
                f"{len(value)} tensors in a list, such as batches: concatenate them before saving, "
                "torch.cat(batches)"
            )
    return _arrays_only(value, depth=0)


# The stand-ins have no attributes that a pickle could set, and call nothing that it could choose.


class _Name:
    __slots__ = ("code",)

    def __init__(self, code: Any) -> None:
        self.code = code

    def __setstate__(self, state: Any) -> None:
        raise ValueError("a name that changes")


class _Type:
    __slots__ = ("code",)
    code: str

    def __setstate__(self, state: Any) -> None:
        version, order, *_ = state
        if version != 3 or order not in ("<", "|", ">"):
            raise ValueError(f"a type of state {state}")
        self.code = f"{order}{self.code}"


class _MakeType:
    __slots__ = ()

    def __call__(self, code: Any, _align: Any, _copy: Any) -> "_Type":
        if code not in {"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"}:
            raise ValueError(f"a type {code!r}, expected numbers")
        made = _Type()
        made.code = code
        return made


class _Array:
    __slots__ = ("array",)

    def __setstate__(self, state: Any) -> None:
        _version, shape, kind, fortran, data = state
        if not isinstance(kind, _Type) or not isinstance(data, bytes):
            raise ValueError("an array that is not made of numbers")
        self.array = np.frombuffer(data, kind.code).reshape(shape, order="F" if fortran else "C")


class _MakeArray:
    __slots__ = ()

    def __call__(self, _kind: Any, _shape: Any, _code: Any) -> "_Array":
        return _Array()


class _MakeTensor:
    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left  # bytes that may still be made: many tensors can share a storage

    def __call__(
        self,
        storage: Any,
        offset: Any,
        shape: Any,
        strides: Any,
        _requires_grad: Any = False,
        _hooks: Any = None,
        metadata: Any = None,
    ) -> np.ndarray:
        if metadata:
            raise ValueError(f"a tensor with {metadata}, which say that its numbers are others")
        sizes = [offset, *shape, *strides]
        if not all(type(size) is int and size >= 0 for size in sizes) or len(shape) != len(strides):
            raise ValueError(f"a tensor of shape {shape} and strides {strides}")
        last = offset + sum((n - 1) * step for n, step in zip(shape, strides, strict=True))
        if not 0 < math.prod(shape) <= len(storage) or last >= len(storage):
            raise ValueError(f"a tensor of shape {shape} in a storage of {len(storage)}")
        self.left -= math.prod(shape) * storage.itemsize
        if self.left < 0:
            raise ValueError("its tensors hold far more numbers than the file")
        bytes_ = [step * storage.itemsize for step in strides]
        return np.lib.stride_tricks.as_strided(storage[offset:], shape, bytes_).copy()


class _MakeParameter:
    __slots__ = ()

    def __call__(self, tensor: Any, *_: Any) -> np.ndarray:
        return tensor


class _MakeNothing:
    __slots__ = ()

    def __call__(self) -> Any:
        return ()
