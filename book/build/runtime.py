"""Python for the pages: Pyodide's core and packages, the library, the book and its data.

The core comes from npm, packages from the distribution's own address, each checked by its SHA-256,
into ``_build/runtime/python``, for the next build. Without it pages have no buttons.
"""

import json
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pooch

from book.build.project import BookError, Project, zipped
from evidence.data import check_sha256

VERSION = "314.0.7"
SHA256 = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"  # of npm's archive
CORE = "pyodide.mjs pyodide.asm.mjs pyodide.asm.wasm python_stdlib.zip pyodide-lock.json".split()
PACKAGES = ("numpy", "scipy", "matplotlib", "pandas", "jinja2", "pyyaml")
OURS = ("seaborn",)  # plain Python that the distribution lacks: from this environment
ADDRESS = re.compile(r"https://[\w.]+/pyodide/v\$\{\w+\}/full/")  # in the core itself


def folder(project: Project) -> Path:
    return project.build / "runtime" / "python"


def fetch(project: Project) -> Path:
    """Bring the runtime up to date."""
    # what is fetched in part lies beside: the folder is whole or is not there
    target = folder(project)
    partial = target.with_name("part")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    unpack_core(partial)
    packages = fetch_packages(partial, target.with_name("packages"))
    (partial / "book.zip").write_bytes(archive(project))
    for name in OURS:
        (partial / f"{name}.zip").write_bytes(installed(name))
    manifest = {"packages": packages, "archives": ["book.zip"], "imported": list(OURS)}
    (partial / "manifest.json").write_text(json.dumps(manifest))
    shutil.rmtree(target, ignore_errors=True)
    partial.rename(target)
    return target


def fetch_packages(folder_of_core: Path, store: Path) -> list[str]:
    """Put the packages beside the core, those fetched before from a store; return their names."""
    lock = json.loads((folder_of_core / "pyodide-lock.json").read_text())["packages"]
    names = closure(lock, PACKAGES)
    address = address_of_packages((folder_of_core / "pyodide.mjs").read_text())
    for entry in (lock[name] for name in names):
        file = pooch.retrieve(
            address + entry["file_name"],
            path=store,
            known_hash=f"sha256:{entry['sha256']}",
            fname=entry["file_name"],
        )
        shutil.copy(file, folder_of_core)
    return names


def address_of_packages(core_script: str) -> str:
    """Return the folder from which the core loads packages: a template with a variable version."""
    template = ADDRESS.search(core_script)
    if template is None:
        raise BookError("pyodide.mjs does not say where its packages lie")
    return re.sub(r"\$\{\w+\}", VERSION, template[0])


def unpack_core(folder_of_core: Path) -> None:
    """Unpack what is needed of npm's package, once its checksum is right."""
    command = ["npm", "pack", "--silent", f"pyodide@{VERSION}"]
    done = subprocess.run(command, cwd=folder_of_core, capture_output=True, text=True)
    archive = folder_of_core / f"pyodide-{VERSION}.tgz"
    if done.returncode or not archive.is_file():
        raise BookError(f"npm did not fetch pyodide {VERSION}\n{done.stderr}")
    check_sha256(archive.name, archive.read_bytes(), SHA256)
    with tarfile.open(archive) as files:
        for name in CORE:
            content = files.extractfile(f"package/{name}")
            if content is None:
                raise BookError(f"{archive.name} has no file {name}")
            (folder_of_core / name).write_bytes(content.read())
    archive.unlink()


def closure(lock: dict[str, Any], names: Iterable[str]) -> list[str]:
    """Return packages and all that they depend on, in alphabetical order."""
    closed, queue = set(), list(names)
    while queue:
        name = queue.pop()
        if name not in closed:
            closed.add(name)
            queue += lock[name]["depends"]
    return sorted(closed)


def archive(project: Project) -> bytes:
    """Return the library, and of the book what chapters import, as a zip of fixed bytes."""
    ours = ("book/**/*.py", "book/show/**/*.html", "book/show/*.ttf", "evidence/*.toml")
    rooms = (*ours, "calib/**/*", "calib_report/**/*")
    return _zipped(
        project.root, [path for room in rooms for path in project.root.glob(room)]
    )


def installed(name: str) -> bytes:
    """Return a package of this environment that is plain Python, its licence with it, as a zip."""
    dist = distribution(name)
    files = [
        f
        for f in dist.files or ()
        if f.parts[0] == name or f.name.startswith("LICENSE")
    ]
    if any(file.suffix in {".so", ".pyd", ".dylib"} for file in files):
        raise BookError(f"{name} is not plain Python")
    return _zipped(
        Path(str(dist.locate_file(""))), [Path(str(file.locate())) for file in files]
    )


def _zipped(root: Path, paths: list[Path]) -> bytes:
    files = sorted(path for path in paths if path.is_file() and path.suffix != ".pyc")
    return zipped(
        {path.relative_to(root).as_posix(): path.read_bytes() for path in files}
    )
