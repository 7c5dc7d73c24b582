"""The folders of the book, its chapters and its table of contents, read and checked.

In: a checkout. Out: chapters with their front matter; what is wrong in a file is a `BookError` that
names it, before anything is executed.
"""

import hashlib
import io
import re
import zipfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

CELL = re.compile(
    r"^(?P<fence>`{3,})\{code-cell\}[^\n]*\n"
    r"(?P<options>---\n.*?^---\n|(?:^:[\w-]+:[^\n]*\n)*)"
    r"(?P<source>.*?)^(?P=fence)[ ]*$",
    re.MULTILINE | re.DOTALL,
)
COMMAND = re.compile(r"^\s*[%!].*$", re.MULTILINE)
FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)


class BookError(Exception):
    """Something in the book's sources is wrong; the message names the file."""


@dataclass(frozen=True)
class Chapter:
    """One page: its name in the table of contents, its file and its front matter."""

    name: str
    path: Path
    front_matter: dict[str, Any] = field(hash=False)

    def code(self) -> list[str]:
        """Return the code cells, less the lines of IPython's commands."""
        cells = CELL.finditer(self.path.read_text(encoding="utf-8"))
        return [COMMAND.sub("", cell["source"]) for cell in cells]

    is_notebook = property(lambda self: "kernelspec" in self.front_matter)
    # Patterns of the files that it reads:
    data = property(lambda self: self.front_matter.get("calib", {}).get("data", []))


@dataclass(frozen=True)
class Project:
    """A checkout of the book, and the folder in it where things are built."""

    root: Path
    folder: str = "_build"

    chapters = property(lambda self: self.root / "chapters")
    data = property(lambda self: self.root / "data")
    build = property(lambda self: self.root / self.folder)
    site = property(lambda self: self.build / "html")

    def executed(self, chapter: Chapter) -> Path:
        return self.build / "executed" / f"{chapter.name}.ipynb"

    def data_files(self, chapter: Chapter) -> list[Path]:
        """Return the files that a chapter declares; a pattern without any file is an error."""
        declared: set[Path] = set()
        for pattern in chapter.data:
            files = [path for path in self.data.glob(pattern) if path.is_file()]
            if not files:
                message = f"front matter: no file matches data/{pattern}"
                raise BookError(f"{chapter.path}: {message}")
            declared.update(files)
        return sorted(declared)

    def data_digests(self, chapter: Chapter) -> dict[str, str]:
        """Return the SHA-256 of the files that a chapter declares, by their names."""
        files = {
            path.relative_to(self.data).as_posix(): path
            for path in self.data_files(chapter)
        }
        return {
            name: sha256(path, path.stat().st_mtime_ns) for name, path in files.items()
        }

    def config(self) -> dict[str, Any]:
        """Return `_config.yml`, checked against Jupyter Book's schema."""
        from jsonschema import ValidationError
        from jupyter_book.config import validate_yaml

        config = _mapping(self.root / "_config.yml")
        try:
            validate_yaml(config, raise_on_errors=True)
        except ValidationError as error:
            raise BookError(f"_config.yml: {error.message}") from None
        return config

    def contents(self) -> dict[str, Any]:
        return _mapping(self.root / "_toc.yml")

    def chapter(self, name: str) -> Chapter:
        """Return one chapter by its name, `measure/ece-and-mce`."""
        name = name.removeprefix("chapters/").removesuffix(".md")
        path = self.chapters / f"{name}.md"
        if not path.is_file():
            raise BookError(f"chapters/{name}.md: no such chapter")
        return Chapter(name, path, front_matter(path))

    def on_disk(self) -> list[Chapter]:
        """Return the chapters on disk."""
        paths = self.chapters.rglob("*.md")
        names = [
            path.relative_to(self.chapters).with_suffix("").as_posix() for path in paths
        ]
        return [
            self.chapter(name)
            for name in sorted(names)
            if ".ipynb_checkpoints" not in name
        ]

    def listed(self) -> list[Chapter]:
        """Return the chapters in the order of `_toc.yml`, which must name each file once."""
        from sphinx_external_toc.parsing import MalformedError, parse_toc_yaml

        _mapping(self.root / "_toc.yml")
        try:
            names = list(parse_toc_yaml(self.root / "_toc.yml"))
        except MalformedError as error:
            raise BookError(f"_toc.yml: {error}") from None
        chapters = {chapter.name: chapter for chapter in self.on_disk()}
        _refuse_strays(set(names), set(chapters))
        return [chapters[name] for name in names]


def _refuse_strays(listed: set[str], chapters: set[str]) -> None:
    """Raise where `_toc.yml` lists what is no chapter, or leaves a chapter out."""
    problems = [
        f"_toc.yml: {name}: chapters/{name}.md does not exist"
        for name in sorted(listed - chapters)
    ]
    problems += [
        f"chapters/{name}.md: not listed in _toc.yml"
        for name in sorted(chapters - listed)
    ]
    if problems:
        raise BookError("\n".join(problems))


@cache  # `changed`, the time of the last change, is there for the cache alone
def sha256(path: Path, changed: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def front_matter(path: Path) -> dict[str, Any]:
    """Return the YAML block at the head of a chapter, its `calib` part checked."""
    text = _text(path)
    block = FRONT_MATTER.match(text)
    matter = _parsed(path, block[1]) if block else {}
    problem = _fault(matter, has_code="{code-cell}" in text)
    if problem:
        raise BookError(f"{path}: front matter: {problem}")
    return matter


def _fault(matter: Any, *, has_code: bool) -> str:
    """Say what is wrong with the front matter of a chapter; nothing where it is right."""
    fields = matter.get("calib", {}) if isinstance(matter, dict) else None
    if not isinstance(fields, dict):
        return "expected a mapping, also below calib"
    if has_code and "kernelspec" not in matter:
        return "has code cells but no kernelspec"
    unknown = sorted(set(fields) - {"data"})
    if unknown:
        return f"calib: unknown keys {', '.join(unknown)}"
    if not isinstance(fields.get("data", []), list):
        return f"calib: data must be a list of patterns, is {fields['data']!r}"
    return ""


def _mapping(path: Path) -> dict[str, Any]:
    mapping = _parsed(path, _text(path))
    if not isinstance(mapping, dict):
        raise BookError(f"{path}: expected a mapping, found {type(mapping).__name__}")
    return mapping


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BookError(f"{path}: {error}") from None


def _parsed(path: Path, text: str) -> Any:
    try:
        return yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise BookError(f"{path}: {' '.join(str(error).split())}") from None


def zipped(files: dict[str, bytes]) -> bytes:
    """Return a zip of files by their names; the same files give the same bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compresslevel=9) as archive:
        for name, file in files.items():
            packed = (
                zipfile.ZIP_STORED if name.endswith(".npz") else zipfile.ZIP_DEFLATED
            )
            archive.writestr(zipfile.ZipInfo(name), file, packed)
    return content.getvalue()
