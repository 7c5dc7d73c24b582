"""Which extra of the package brings a library that not every part of calib needs."""

EXTRAS = {
    "plots": ["matplotlib"],
    "sklearn": ["sklearn"],
    "files": ["pandas", "pyarrow", "safetensors"],
    "study": ["joblib", "pandas", "tqdm"],
    "report": ["jinja2", "threadpoolctl"],
    "onnx": ["onnx"],
    "dask": ["dask", "distributed"],
}


def how_to_install(module: str | None, wanted: str | None = None) -> str:
    """Say how to install an extra that brings a module, `wanted` if it does, or the module."""
    package = (module or "").partition(".")[0]
    bring = [extra for extra, packages in EXTRAS.items() if package in packages]
    if not bring:
        return f"; pip install {package}" * bool(package)
    extra = wanted if wanted in bring else bring[0]
    return f"; the extra {extra!r} brings it: pip install '.[{extra}]' in a checkout"
