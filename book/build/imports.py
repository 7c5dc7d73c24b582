"""The files that code depends on: its import statements followed, nothing of it run."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

PACKAGES = ("calib", "calib_report", "evidence", "book")
DATA = (".csv", ".html", ".json", ".md", ".svg", ".toml", ".ttf")


def followed(root: Path, sources: Iterable[str]) -> list[Path]:
    """Return the modules of a checkout that sources import, also by one another, and their data.

    The data of a module are the tables, pages, pictures, letters, JSON and TOML files beside it.

    Examples
    --------
    >>> files = followed(Path(__file__).parents[2], ["import book.build.imports"])
    >>> [path.name for path in files if path.suffix == ".py"]
    ['__init__.py', '__init__.py', 'imports.py']
    """
    modules: set[Path] = set()
    queue = [path for source in sources for path in _modules(root, source)]
    while queue:
        path = queue.pop()
        if path not in modules:
            modules.add(path)
            queue += _imported(root, path, path.stat().st_mtime_ns)
    beside = {
        path
        for folder in {path.parent for path in modules}
        for path in folder.iterdir()
    }
    return sorted(modules | {path for path in beside if path.suffix in DATA})


@cache
def _imported(root: Path, path: Path, changed: int) -> list[Path]:
    package = ".".join(path.parent.relative_to(root).parts)
    return _modules(root, path.read_text(encoding="utf-8"), package)


def _modules(root: Path, source: str, package: str = "") -> list[Path]:
    """Return the files of the modules that source imports, and of the packages that hold them."""
    files = []
    for names in (name.split(".") for name in _names(source, package)):
        for n in range(1, len(names) + 1 if names[0] in PACKAGES else 1):
            place = root.joinpath(*names[:n])
            paths = [place / "__init__.py", place.with_suffix(".py")]
            files += [path for path in paths if path.is_file()][:1]
    return files


def _names(source: str, package: str) -> Iterator[str]:
    """Yield what is imported, but for what a function imports of another package when called."""
    inside = (
        ("book.", "evidence.")
        if package.startswith("book")
        else f"{package.partition('.')[0]}."
    )
    queue: list[tuple[ast.AST, bool]] = [(ast.parse(source), False)]
    while queue:
        node, is_late = queue.pop(0)
        is_late |= bool(package) and isinstance(node, ast.FunctionDef)
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.expr):  # no expression holds a statement
                queue.append((child, is_late))
        for name in _imported_names(node):
            if not is_late or name.startswith(inside):
                yield name


def _imported_names(node: ast.AST) -> list[str]:
    """Return the modules that a statement imports, and what it imports of one, as if modules."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []
