"""Read arrays from torch files, running nothing that is in them.

The unpickler knows a few names, those in which torch writes arrays, and puts plain stand-ins of its
own in their place. Every other name is refused, so no class of any library is made and no function
called. Errors are ValueErrors.
"""

import io
import math
import pickle
import pickletools
from os import PathLike
from typing import Any
from zipfile import ZIP_STORED

import numpy as np

from book.evidence.arrays import open_zip, unpack


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
            if kind != "storage" or not isinstance(storage_type, Name):
                raise ValueError("a storage is expected")
            values = np.frombuffer(unpack(archive, f"{folder}data/{key}"), storage_type.code)
            if storage_type.code == _BFLOAT16:
                values = (values.astype("<u4") << 16).view("<f4")
            if len(values) != size:
                raise ValueError(f"storage {key} holds {len(values)} numbers, expected {size}")
            return values

        names: dict[tuple[str, str], Any] = {
            ("torch", name): Name(code) for name, code in _TORCH_TYPES.items()
        }
        names |= {
            ("torch._utils", "_rebuild_tensor_v2"): _MakeTensor(VIEWS * size),
            ("torch._utils", "_rebuild_parameter"): _MakeParameter(),
            ("collections", "OrderedDict"): _MakeNothing(),
        }
        byteorder = unpack(archive, f"{folder}byteorder") if f"{folder}byteorder" in inside else b""
        if byteorder not in (b"", b"little"):
            raise ValueError(f"byte order {byteorder!r} is not little")
        return unpickled(unpack(archive, inside[0]), names, _named_arrays, storage)


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


def unpickled(content: bytes, names: Any, arrays_of: Any, storage: Any = None) -> Any:
    """Return the arrays of what a pickle holds that knows no names but those that are given."""

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
        for operation, argument, _ in pickletools.genops(content):
            if operation.name.endswith("PUT") and int(argument or 0) > len(content):
                raise ValueError(f"it numbers a part {argument}, for which room would be made")
        result = arrays_of(Unpickler(stream).load())
    except Exception as error:  # a hostile pickle can raise nearly anything
        raise ValueError(f"not a pickle of arrays alone: {error}") from None
    if stream.read(1):
        raise ValueError("not a pickle of arrays alone: data after its end")
    return result


def arrays_only(value: Any, depth: int = 2, array_of: Any = lambda value: value) -> Any:
    """Return an array, which `array_of` makes of a stand-in, or lists and tuples of arrays."""
    if isinstance(value, list | tuple) and depth > 0 and len(value) <= 100:
        return type(value)(arrays_only(item, depth - 1, array_of) for item in value)
    value = array_of(value)
    if not isinstance(value, np.ndarray):
        raise ValueError(f"not a pickle of arrays alone: it holds a {type(value).__name__}")
    return value


def _named_arrays(value: Any) -> Any:
    if isinstance(value, dict):
        return {_text(name): _array_or_list(inner) for name, inner in value.items()}
    return arrays_only(value)


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
    return arrays_only(value, depth=0)


# The stand-ins have no attributes that a pickle could set, and call nothing that it could choose.


class Name:
    """The stand-in of a name: of a type of numbers, its code."""

    __slots__ = ("code",)

    def __init__(self, code: Any) -> None:
        self.code = code

    def __setstate__(self, state: Any) -> None:
        raise ValueError("a name that changes")


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
