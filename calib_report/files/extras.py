"""What is needed before a file is read: its ending, and packages that may be missing."""

from importlib import import_module
from os import PathLike
from pathlib import Path
from types import ModuleType

from calib_report.contract import ReadingError

EXTRAS = {  # of the package, and what each brings that the application may lack
    "files": ["openpyxl", "pandas", "pyarrow", "safetensors"],
    "report": ["jinja2", "threadpoolctl"],
    "onnx": ["onnx"],
}


def extra(module: str, what: str) -> ModuleType:
    """Return a module that not every installation has; ValueError says what to install."""
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        advice = how_to_install(package)
        raise ReadingError(
            f"reading {what} needs {package}{advice}; npz needs no extra"
        ) from None


def how_to_install(module: str | None) -> str:
    """Say how to install the extra that brings a module, or the module."""
    package = (module or "").partition(".")[0]
    for extra, packages in EXTRAS.items():
        if package in packages:
            return f"; the extra {extra!r} brings it: pip install '.[{extra}]' in a checkout"
    return f"; pip install {package}" if package else ""


def ending_of(path: str | PathLike[str]) -> str:
    return Path(path).suffix.lower()
