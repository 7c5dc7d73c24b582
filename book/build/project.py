"""The folders of the book, its chapters and its table of contents, read and checked."""

import io
import re
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

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
    front_matter: dict = field(hash=False)

    def code(self) -> list[str]:
        """Return the code cells, less the lines of IPython's commands."""
        cells = CELL.finditer(self.path.read_text(encoding="utf-8"))
        return [COMMAND.sub("", cell["source"]) for cell in cells]

    @property
    def is_notebook(self) -> bool:
        return "kernelspec" in self.front_matter

    @property
    def data(self) -> list[str]:
        """Patterns, relative to the data folder, of the files that the chapter reads."""
        return self.front_matter.get("calib", {}).get("data", [])

    @property
    def parameters(self) -> dict:
        return self.front_matter.get("calib", {}).get("parameters", {})


@dataclass(frozen=True)
class Project:
    """A checkout of the book."""

    root: Path

    @property
    def chapters(self) -> Path:
        return self.root / "chapters"

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def build(self) -> Path:
        return self.root / "_build"

    @property
    def site(self) -> Path:
        return self.build / "html"

    def executed(self, chapter: Chapter, folder: str = "executed") -> Path:
        return self.build / folder / f"{chapter.name}.ipynb"

    def data_files(self, chapter: Chapter) -> list[Path]:
        """Return the files that a chapter declares; a pattern without any file is an error."""
        found = set()
        for pattern in chapter.data:
            files = [path for path in self.data.glob(pattern) if path.is_file()]
            if not files:
                raise BookError(f"{chapter.path}: front matter: no file matches data/{pattern}")
            found.update(files)
        return sorted(found)

    def declared(self, chapter: Chapter) -> list[str]:
        return [path.relative_to(self.data).as_posix() for path in self.data_files(chapter)]

    def config(self) -> dict:
        """Return `_config.yml`, checked against Jupyter Book's schema."""
        from jsonschema import ValidationError
        from jupyter_book.config import validate_yaml

        config = _mapping(self.root / "_config.yml")
        try:
            validate_yaml(config, raise_on_errors=True)
        except ValidationError as error:
            raise BookError(f"_config.yml: {error.message}") from None
        return config

    def contents(self) -> dict:
        return _mapping(self.root / "_toc.yml")

    def chapter(self, name: str) -> Chapter:
        """Return one chapter by its name, `measure/ece-and-mce`."""
        name = name.removeprefix("chapters/").removesuffix(".md")
        path = self.chapters / f"{name}.md"
        if not path.is_file():
            raise BookError(f"chapters/{name}.md: no such chapter")
        return Chapter(name, path, front_matter(path))

    def found(self) -> list[Chapter]:
        """Return the chapters on disk."""
        paths = self.chapters.rglob("*.md")
        names = [path.relative_to(self.chapters).with_suffix("").as_posix() for path in paths]
        return [self.chapter(name) for name in sorted(names) if ".ipynb_checkpoints" not in name]

    def listed(self) -> list[Chapter]:
        """Return the chapters in the order of `_toc.yml`, which must name each file once."""
        names = list(_files(self.contents()))
        found = {chapter.name: chapter for chapter in self.found()}
        absent, orphans = set(names) - set(found), set(found) - set(names)
        twice = {name for name in names if names.count(name) > 1}
        problems = [f"_toc.yml: {n}: chapters/{n}.md does not exist" for n in sorted(absent)]
        problems += [f"_toc.yml: {n}: listed twice" for n in sorted(twice)]
        problems += [f"chapters/{n}.md: not listed in _toc.yml" for n in sorted(orphans)]
        if problems:
            raise BookError("\n".join(problems))
        return [found[name] for name in names]


def front_matter(path: Path) -> dict:
    """Return the YAML block at the head of a chapter, its `calib` part checked."""
    try:
        text = path.read_text(encoding="utf-8")
        block = FRONT_MATTER.match(text)
        found = yaml.safe_load(block.group(1)) or {} if block else {}
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BookError(f"{path}: front matter: {_in_one_line(error)}") from None
    if not isinstance(found, dict) or not isinstance(found.get("calib", {}), dict):
        raise BookError(f"{path}: front matter: expected a mapping, also below calib")
    if "{code-cell}" in text and "kernelspec" not in found:
        raise BookError(f"{path}: has code cells but no kernelspec in its front matter")
    declared = found.get("calib", {})
    data, parameters = declared.get("data", []), declared.get("parameters", {})
    problem = ""
    if unknown := set(declared) - {"data", "parameters"}:
        problem = f"unknown keys {', '.join(sorted(unknown))}"
    elif not (isinstance(data, list) and all(isinstance(pattern, str) for pattern in data)):
        problem = f"data must be a list of patterns, is {data!r}"
    elif not isinstance(parameters, dict):
        problem = f"parameters must be a mapping, is {parameters!r}"
    if problem:
        raise BookError(f"{path}: front matter: calib: {problem}")
    return found


def _mapping(path: Path) -> dict:
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BookError(f"{path.name}: no such file") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BookError(f"{path.name}: {_in_one_line(error)}") from None
    if not isinstance(found, dict):
        raise BookError(f"{path.name}: expected a mapping, found {type(found).__name__}")
    return found


def _in_one_line(error):
    return " ".join(str(error).split())


def _files(entry):
    """Yield every file named below an entry of the table of contents, in reading order."""
    if not isinstance(entry, dict):
        raise BookError(f"_toc.yml: expected an entry with a file, found {entry!r}")
    for key in ("root", "file"):
        if key in entry:
            yield entry[key]
    for key in ("parts", "chapters", "sections"):
        for below in entry.get(key) or []:
            yield from _files(below)


def zipped(files: dict[str, bytes]) -> bytes:
    """Return a zip of files by their names; the same files give the same bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compresslevel=9) as made:
        for name, file in files.items():
            packed = zipfile.ZIP_STORED if name.endswith(".npz") else zipfile.ZIP_DEFLATED
            made.writestr(zipfile.ZipInfo(name), file, packed)
    return content.getvalue()
