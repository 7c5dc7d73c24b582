"""A hash that changes with what a value is and with the code of its functions and classes."""

import hashlib
import inspect
import io
import pickle
import sys
from types import FunctionType, ModuleType
from typing import Any


def fingerprint(value: Any) -> str:
    """Return a hash of a value: every number of its arrays, every part, and the code of each.

    The code of a class is that of its bases as well; what its methods call is not looked for.
    Classes of `calib`, of Python and compiled ones are known by name. A ValueError says where a
    part is of unknown source, or an open file or its like.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.zeros(2000), np.zeros(2000)
    >>> b[1000] = 1
    >>> fingerprint(a) == fingerprint(a.copy()), fingerprint(a) == fingerprint(b)
    (True, False)
    """
    content = io.BytesIO()
    pickler = _Parts(content, protocol=5)
    pickler.fast = True  # equal parts are written alike, whether or not they are the same object
    try:
        pickler.dump(value)
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{value!r} has no fingerprint: {error}") from None
    return hashlib.sha256(content.getvalue()).hexdigest()


class _Parts(pickle.Pickler):
    """Writes functions and classes as their code, all else as `pickle` does."""

    def persistent_id(self, value: Any) -> Any:
        return sorted(map(fingerprint, value)) if isinstance(value, set | frozenset) else None

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, ModuleType):
            return str, (value.__name__,)
        if isinstance(value, type) and not _by_name(value):
            return str, ("".join(map(_code, value.__mro__)),)
        if isinstance(value, FunctionType):
            held = [cell.cell_contents for cell in value.__closure__ or ()]
            defaults = value.__defaults__, value.__kwdefaults__
            return list, ((_code(value), held, defaults),)
        return NotImplemented


def _by_name(part: type[Any]) -> bool:
    package = part.__module__.split(".")[0]
    return package == "calib" or package in sys.stdlib_module_names


def _code(part: Any) -> str:
    """Return the name and the source of a class or function."""
    name = f"{part.__module__}.{part.__qualname__}"
    if isinstance(part, type) and _by_name(part):
        return name
    try:
        if inspect.getfile(part) == "<string>":
            raise OSError("evaluated from a string")
        return name + inspect.getsource(part)
    except (OSError, TypeError):
        compiled = getattr(sys.modules.get(part.__module__), "__file__", None) is not None
        if isinstance(part, type) and compiled:
            return name
        raise ValueError(f"the source of {part!r} is not known") from None
