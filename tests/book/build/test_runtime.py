"""What is fetched for Python in the pages."""

import hashlib
import io
import json
import tarfile
import zipfile
from types import SimpleNamespace

import pytest
from helpers import ROOT

from book.build import runtime
from book.build.project import BookError, Project


def test_what_is_fetched_is_complete_and_always_the_same():
    lock = {
        "a": {"depends": ["b"]},
        "b": {"depends": ["c", "a"]},
        "c": {"depends": []},
        "d": {},
    }
    assert runtime.closure(lock, ["a"]) == ["a", "b", "c"]
    for make, content in (
        (
            lambda: runtime.archive(Project(ROOT)),
            {"calib/__init__.py", "book/show/explorables/element.py"},
        ),
        (lambda: runtime.installed("seaborn"), {"seaborn/__init__.py"}),
    ):
        first = make()
        assert first == make() and content <= {
            *zipfile.ZipFile(io.BytesIO(first)).namelist()
        }
    with pytest.raises(BookError, match="numpy is not plain Python"):
        runtime.installed("numpy")


MODULE = "const at = `https://cdn.example/pyodide/v${version}/full/`"
LOCK = {
    name: {"depends": [], "sha256": f"sum-of-{name}", "file_name": f"{name}.whl"}
    for name in ("numpy", "extra")
}


@pytest.fixture
def npm(tmp_path, monkeypatch):
    """Sources from which the runtime is fetched without a network; what they are asked."""
    said = SimpleNamespace(returncode=0, module=MODULE, asked=[], missing=None)

    def pack(command, *, cwd, **_):
        assert command == ["npm", "pack", "--silent", f"pyodide@{runtime.VERSION}"]
        if said.returncode == 0:
            with tarfile.open(cwd / f"pyodide-{runtime.VERSION}.tgz", "w:gz") as files:
                for name in runtime.CORE:
                    text = {"pyodide.mjs": said.module}.get(name, "core")
                    if name == "pyodide-lock.json":
                        text = json.dumps({"packages": LOCK})
                    entry = tarfile.TarInfo(f"package/{name}")
                    entry.size = len(text.encode())
                    files.addfile(entry, io.BytesIO(text.encode()))
            content = (cwd / f"pyodide-{runtime.VERSION}.tgz").read_bytes()
            monkeypatch.setattr(
                runtime, "SHA256", said.sha256 or hashlib.sha256(content).hexdigest()
            )
        return SimpleNamespace(returncode=said.returncode, stderr="no network")

    def retrieve(address, *, path, known_hash, fname):
        said.asked.append((address, known_hash))
        path.mkdir(exist_ok=True)
        (path / fname).write_text(fname)
        return path / fname

    said.sha256 = None
    monkeypatch.setattr(runtime, "PACKAGES", ("numpy",))
    monkeypatch.setattr(runtime.subprocess, "run", pack)
    monkeypatch.setattr(runtime.pooch, "retrieve", retrieve)
    monkeypatch.setattr(runtime, "archive", lambda project: b"book")
    monkeypatch.setattr(runtime, "installed", lambda name: name.encode())
    return said


def test_the_runtime_is_whole_and_takes_the_place_of_the_last(npm, tmp_path):
    project = Project(tmp_path)
    for _ in range(2):
        place = runtime.fetch(project)
        assert place == runtime.folder(project)
        names = {path.name for path in place.iterdir()}
        archives = {"book.zip", "seaborn.zip", "manifest.json", "numpy.whl"}
        assert names == {*runtime.CORE} | archives
        (place / "of-the-last").touch()
    address = f"https://cdn.example/pyodide/v{runtime.VERSION}/full/numpy.whl"
    assert npm.asked == [(address, "sha256:sum-of-numpy")] * 2
    manifest = {
        "packages": ["numpy"],
        "archives": ["book.zip"],
        "imported": ["seaborn"],
    }
    assert json.loads((place / "manifest.json").read_text()) == manifest
    assert (place / "seaborn.zip").read_bytes() == b"seaborn"
    assert (place / "book.zip").read_bytes() == b"book"
    assert not place.with_name("part").exists()


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"returncode": 1}, "npm did not fetch pyodide .*\nno network"),
        ({"module": "const at = here"}, "does not say where its packages lie"),
        ({"sha256": "0" * 64}, "pyodide-.*tgz"),
    ],
)
def test_what_was_fetched_in_part_is_not_served(npm, tmp_path, fault, said):
    vars(npm).update(fault)
    with pytest.raises(Exception, match=said):
        runtime.fetch(Project(tmp_path))
    assert not runtime.folder(Project(tmp_path)).exists()


def test_an_archive_holds_what_chapters_import_and_nothing_compiled(tmp_path):
    names = [
        "calib/a.py",
        "calib/data.toml",
        "calib_report/page.html",
        "book/show/b.py",
    ]
    left_out = ["calib/__pycache__/a.pyc", "book/assets/a.js", "evidence/a.py", "c.py"]
    for name in names + left_out:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    packed = zipfile.ZipFile(io.BytesIO(runtime.archive(Project(tmp_path))))
    assert packed.namelist() == sorted(names)
