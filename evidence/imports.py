"""The files that code depends on: its import statements followed, nothing of it run."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path

PACKAGES = ("calib", "calib_report", "evidence", "book")
DATA = (".csv", ".html", ".json", ".md", ".svg", ".toml", ".ttf")


def imported_files(root: Path, sources: Iterable[str]) -> list[Path]:
    """Return the modules of a checkout that sources import, also by one another, and their data.

    The data of a module are the tables, pages, pictures, letters, JSON and TOML files beside it.

    Examples
    --------
    >>> files = imported_files(Path(__file__).parents[1], ["import evidence.imports"])
    >>> Path(__file__) in files
    True
    """
    modules: set[Path] = set()
    queue = [path for source in sources for path in _modules(root, source)]
    while queue:
        path = queue.pop()
        if path not in modules:
            modules.add(path)
            queue += _imported(root, path, path.stat().st_mtime_ns)
    folders = {path.parent for path in modules}
    beside = chain.from_iterable(folder.iterdir() for folder in folders)
    return sorted(modules.union(path for path in beside if path.suffix in DATA))


@cache  # `changed`, the time of the last change, is there for the cache alone
def _imported(root: Path, path: Path, changed: int) -> list[Path]:
    package = ".".join(path.parent.relative_to(root).parts)
    return _modules(root, path.read_text(encoding="utf-8"), package)


def _modules(root: Path, source: str, package: str = "") -> list[Path]:
    """Return the files of the modules that source imports, and of the packages that hold them."""
    files = []
    for name in _names(source, package):
        parts = name.split(".")
        if parts[0] in PACKAGES:
            for n in range(1, len(parts) + 1):
                files += _files_of(root.joinpath(*parts[:n]))
    return files


def _files_of(place: Path) -> list[Path]:
    """Return the file of a package or a module; none of what is the name of an object."""
    paths = [place / "__init__.py", place.with_suffix(".py")]
    return [path for path in paths if path.is_file()][:1]


def _names(source: str, package: str) -> Iterator[str]:
    """Yield what is imported, but for what a function imports of another package when called."""
    near = tuple(f"{name}." for name in _neighbours(package))
    queue: list[tuple[ast.AST, bool]] = [(ast.parse(source), False)]
    while queue:
        node, is_late = queue.pop(0)
        is_late |= bool(package) and isinstance(node, ast.FunctionDef)
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.expr):  # no expression holds a statement
                queue.append((child, is_late))
        for name in _imported_names(node):
            if not is_late or name.startswith(near):
                yield name


def _neighbours(package: str) -> tuple[str, ...]:
    """Return the packages of which a late import counts: its own, and for `book` the evidence."""
    return (
        ("book", "evidence")
        if package.startswith("book")
        else (package.partition(".")[0],)
    )


def _imported_names(node: ast.AST) -> list[str]:
    """Return the modules that a statement imports, and what it imports of one, as if modules."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []
