"""Make a course in a folder of its own (`teaching.folder`), and what its students get.

In: the built site, and the roster. Out: solutions and secrets for the teacher; for students labs
whose checks hold no answers, only seals of the numbers of each student.
"""

import json
import re
import secrets
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
from nbformat import NotebookNode

from book.build.handouts import SUPPORT
from book.build.project import zipped
from book.show.labs import digest, letters_alone
from book.show.sealed_checks import recorded_seals, sealed_check
from evidence import load_zoo
from teaching import reserved
from teaching.folder import secret_of_course, write_derived, write_new
from teaching.judge import SolvedLab, as_student, lab_of_notebook
from teaching.tables import (
    MARKS,
    ROSTER,
    RULES,
    CourseError,
    Person,
    labs_of_course,
    load_rules,
    roster,
)

# the network whose logits are reserved; its labels play no part
RESERVED = "cifar10-resnet44"


def create(folder: Path, build: Path) -> None:
    """Make what a course lacks and change nothing that it has."""
    if folder.resolve().is_relative_to(build.resolve()):
        raise CourseError(
            f"{folder}: `make clean` empties {build}; name a folder elsewhere"
        )
    archive = build / "html" / "_static" / "exercises.zip"
    keys = build / "sphinx" / "handouts"
    if not archive.is_file() or not keys.is_dir():
        raise CourseError("the site is not built: make book")
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)  # no other user of this machine reads keys and hand-ins
    write_new(folder / "secret.txt", f"{secrets.token_hex(16)}\n")
    (folder / "secret.txt").chmod(0o600)
    labs = _keys(folder, keys / "teacher" / "labs")
    due = "".join(map("  {}:\n".format, labs))
    write_new(folder / "roster.csv", ROSTER)
    write_new(folder / "marks.csv", MARKS)
    write_new(folder / "course.yml", RULES + due)
    write_new(folder / ".gitignore", "*\n")
    (folder / "inbox").mkdir(exist_ok=True)
    _reserve(folder)
    _support(folder, part_of_archive(_unpacked(archive), _pages(labs)))


def _reserve(folder: Path) -> None:
    """Draw the labels of the reserved network, once."""
    if not (folder / "keys" / "labels-keep.npz").is_file():
        logits = np.asarray(load_zoo(RESERVED).test.logits)
        reserved.write_reserved(
            logits, int(secret_of_course(folder), 16), folder / "keys"
        )


def _support(folder: Path, files: dict[str, bytes]) -> None:
    """Write what a notebook imports, and what is handed out, beside the keys."""
    networks = (folder / "keys" / "reserved.npz").read_bytes()
    files["exercises/labs/reserved.npz"] = networks
    for name, content in files.items():
        if name.startswith(f"{SUPPORT}/") or name.endswith(".whl"):
            write_new(folder / "keys" / name, content)
    write_new(folder / "keys" / "handout.zip", zipped(files))


def _pages(labs: list[str]) -> list[str]:
    return [f"labs/{lab}" for lab in labs]


def _unpacked(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def _keys(folder: Path, solutions: Path) -> list[str]:
    """Write the solutions that a course lacks; return the names of its labs, in their order."""
    notebooks = {path.stem: path.read_bytes() for path in solutions.glob("*.ipynb")}
    for lab, content in notebooks.items():
        write_new(folder / "keys" / f"{lab}.ipynb", content)
    return sorted(notebooks, key=lambda lab: number_of_lab(lab, notebooks[lab]))


def number_of_lab(lab: str, notebook: bytes) -> int:
    """Return the number in a lab's title."""
    title = re.search(rb"Lab (\d+)", notebook)
    if title is None:
        raise CourseError(f"chapters/labs/{lab}.md: expected a title `# Lab N: NAME`")
    return int(title[1])


def part_of_archive(site: dict[str, bytes], pages: list[str]) -> dict[str, bytes]:
    """Return of the site's archive some notebooks, the data that they declare, and the rest."""
    listed = json.loads(site[f"{SUPPORT}/data.json"])
    data = {f"{SUPPORT}/data/{name}" for page in pages for name in listed.get(page, ())}

    def belongs(name: str) -> bool:
        if name.startswith(f"{SUPPORT}/data/"):
            return name in data
        if name.endswith("/reserved.npz"):
            return "labs/reserved-networks" in pages
        page = name.removeprefix("exercises/").removesuffix(".ipynb")
        return not name.startswith("exercises/") or page in pages

    return {name: content for name, content in site.items() if belongs(name)}


def release(folder: Path, labs: list[str]) -> Iterator[str]:
    """Write what students get: each lab, with checks that hold no answers, for the roster."""
    people, due = roster(folder), list(load_rules(folder).due)
    if not people:
        raise CourseError("roster.csv names nobody: numbers are drawn for its students")
    labs = labs_of_course(labs, due)
    table, unclear = seeds_of_names(people, secret_of_course(folder))
    yield from unclear
    files = _unpacked(folder / "keys" / "handout.zip")
    files[f"{SUPPORT}/students.json"] = table
    together = Checks()
    for lab in labs:
        checks = _sealed(folder, lab, people)
        together.add(checks)
        write_derived(
            folder / "release" / f"{lab}.zip",
            zipped(part_of_archive(files, _pages([lab])) | checks.files),
        )
        yield f"release/{lab}.zip"
    packed = zipped(part_of_archive(files, _pages(labs)) | together.files)
    write_derived(folder / "release" / "labs.zip", packed)
    yield "release/labs.zip"


@dataclass
class Checks:
    """Checks that hold no answers, by label; for each seed the seals that they ask."""

    by_label: dict[str, str] = field(default_factory=dict)
    seals: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, more: "Checks") -> None:
        self.by_label |= more.by_label
        for seed, by_label in more.seals.items():
            self.seals[seed] = self.seals.get(seed, {}) | by_label

    @property
    def files(self) -> dict[str, bytes]:
        """What students get of them."""
        seals = {
            f"{SUPPORT}/seals/{seed}.json": of_seed
            for seed, of_seed in self.seals.items()
        }
        texts = seals | {f"{SUPPORT}/checks.json": self.by_label}
        return {name: json.dumps(content).encode() for name, content in texts.items()}


def seeds_of_names(people: list[Person], secret: str) -> tuple[bytes, list[str]]:
    """Return the class's list of seeds by what each may type, and who types a short name only."""
    salt = digest(secret, "students")
    counts = Counter(chain.from_iterable(map(_spellings, people)))
    seeds, unclear = {}, []
    for person in people:
        for spelling in _spellings(person):
            if counts[spelling] == 1:
                seeds[digest(salt, spelling)] = person.seed(secret)
        if counts[letters_alone(person.name)] > 1:
            unclear.append(_short_name_only(person))
    return json.dumps({"salt": salt, "seeds": seeds}, sort_keys=True).encode(), unclear


def _short_name_only(person: Person) -> str:
    """Say that a full name is no one's alone."""
    return (
        f"{person.student}: another student has the name {person.name!r} too, so that "
        f"{person.student!r} is what to type"
    )


def _spellings(person: Person) -> set[str]:
    """Return all that a student may type, as `book.show.labs` looks it up."""
    exact = {person.student, person.login, person.email, person.name} - {""}
    return person.typed_names | {
        f"={' '.join(name.split()).casefold()}" for name in exact
    }


def _sealed(folder: Path, lab: str, people: list[Person]) -> Checks:
    """Return the checks of a lab that hold no answers, and for each seed the seals."""
    teacher = nbformat.read(folder / "keys" / f"{lab}.ipynb", as_version=4)
    checks = {
        step.label: sealed_check(step.check, step.open_names)
        for step in lab_of_notebook(teacher).steps
    }
    secret, support = secret_of_course(folder), folder / "keys" / SUPPORT
    seeds = [person.seed(secret) for person in people]
    return Checks(checks, {seed: seals_of(teacher, support, seed) for seed in seeds})


def seals_of(
    teacher: NotebookNode, support: Path, seed: str
) -> dict[str, list[dict[str, Any]]]:
    """Return the seals of a lab's checks for one student, by label."""
    solved = SolvedLab(lab_of_notebook(teacher), "")
    by_label = {}
    with as_student(support, seed):
        solved.work()
        for step in solved.steps:
            try:
                seals = recorded_seals(
                    step.label, step.check, step.open_names, step.solution, salt=seed
                )
            except ValueError as error:
                raise CourseError(str(error)) from None
            by_label[step.label] = seals
    return by_label
