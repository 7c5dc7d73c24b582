"""A course in a directory of its own, which lies outside of `_build` and loses nothing.

    FOLDER/course.yml roster.csv marks.csv   the teacher's, written once, never changed here
    FOLDER/secret.txt keys/                  hidden numbers and solutions: for nobody else
    FOLDER/release/                          what students get: labs.zip, and each lab alone
    FOLDER/inbox/                            zip files as Moodle and Canvas export them
    FOLDER/submissions/STUDENT/LAB/          what was handed in: added to, never changed
    FOLDER/grades/ feedback/ export/         made of the others, any number of times

Every file appears whole or not at all, so a run that is killed is simply run again.
"""

import csv
import datetime
import hashlib
import io
import json
import re
import secrets
import unicodedata
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import nbformat
import yaml

from book.build.handouts import SUPPORT
from book.build.project import zipped
from calib.files import write_whole
from evidence import load_zoo
from teaching import reserved
from teaching.grade import judge, steps

CONFIG = """\
title: Calibration of neural networks
step: 4 # points of each step of a lab, given in parts
discussion: 4 # points by hand, in marks.csv
late: {per_day: 10, at_most: 50} # per cent of the points, for each day that marks.csv says
due: # a date, with its time or without, or nothing; students read it in their feedback
"""
ROSTER = "student,name,email,canvas_id,sis_id,login,section\n"
RESERVED = "cifar10-resnet44"  # the network whose logits are reserved; its labels play no part
MARKS = "student,lab,points,days,comment\n"
MOODLE = re.compile(r"^(?P<name>[^/]+?)_(?P<id>\d+)_assignsubmission_file_?/?(?P<file>[^/]+)$")
CANVAS = re.compile(r"^(?P<name>[^_/]+?)_(?P<late>LATE_)?(?P<id>\d+)_\d+_(?P<file>[^/]+)$")


COLUMNS = {  # of what is exported: by name, of what they are made
    "table": {"student": "{student}", "name": "{name}"},
    "moodle": {"First name": "{first}", "Last name": "{last}", "ID number": "{sis_id}",
               "Email address": "{email}"},
    "canvas": {"Student": "{last}, {first}", "ID": "{canvas_id}", "SIS User ID": "{sis_id}",
               "SIS Login ID": "{login}", "Section": "{section}"},
}  # fmt: skip


class CourseError(Exception):
    """Something that a teacher can mend; says what."""


def renew(path: Path, content: bytes | str) -> None:
    """Write a file that is made of others."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content.encode() if isinstance(content, str) else content)


def write_new(path: Path, content: bytes | str) -> None:
    """Write a file that is not there yet."""
    if not path.exists():
        renew(path, content)


def create(folder: Path, build: Path) -> None:
    """Make what a course lacks and change nothing that it has."""
    if folder.resolve().is_relative_to(build.resolve()):
        raise CourseError(f"{folder}: `make clean` empties {build}; name a folder elsewhere")
    archive, keys = build / "html" / "_static" / "exercises.zip", build / "sphinx" / "handouts"
    if not archive.is_file() or not keys.is_dir():
        raise CourseError("the site is not built: make book")
    write_new(folder / "secret.txt", f"{secrets.token_hex(16)}\n")
    (folder / "secret.txt").chmod(0o600)
    notebooks = {p.stem: p.read_bytes() for p in (keys / "teacher" / "labs").glob("*.ipynb")}
    labs = sorted(notebooks, key=lambda lab: int(re.search(rb"Lab (\d+)", notebooks[lab])[1]))
    first = {"roster.csv": ROSTER, "marks.csv": MARKS, ".gitignore": "*\n"}
    first |= {"course.yml": CONFIG + "".join(f"  {lab}:\n" for lab in labs)}
    for name, content in (first | {f"keys/{lab}.ipynb": notebooks[lab] for lab in labs}).items():
        write_new(folder / name, content)
    (folder / "inbox").mkdir(exist_ok=True)
    if not (folder / "keys" / "labels-keep.npz").is_file():
        reserved.make(load_zoo(RESERVED).test.logits, secret(folder), folder / "keys")
    with zipfile.ZipFile(archive) as packed:
        given = {name: packed.read(name) for name in packed.namelist()}
    given["exercises/labs/reserved.npz"] = (folder / "keys" / "reserved.npz").read_bytes()
    for lab in labs:
        write_new(folder / "release" / f"{lab}.zip", zipped(part(given, [f"labs/{lab}"])))
    together = part(given, [f"labs/{lab}" for lab in labs])
    for name, content in together.items():
        if name.startswith(f"{SUPPORT}/") or name.endswith(".whl"):
            write_new(folder / "keys" / name, content)
    write_new(folder / "release" / "labs.zip", zipped(together))


def part(given: dict[str, bytes], pages: list[str]) -> dict[str, bytes]:
    """Return of the site's archive some notebooks, the data that they declare, and the rest."""
    listed = json.loads(given[f"{SUPPORT}/data.json"])
    data = {f"{SUPPORT}/data/{name}" for page in pages for name in listed.get(page, ())}
    return {
        name: content
        for name, content in given.items()
        if not name.startswith((f"{SUPPORT}/data/", "exercises/"))
        or name in data
        or name.removeprefix("exercises/").removesuffix(".ipynb") in pages
        or (name.endswith("/reserved.npz") and "labs/reserved-networks" in pages)
    }


def config(folder: Path) -> dict:
    """Return what course.yml says, checked."""
    found = yaml.safe_load((folder / "course.yml").read_text(encoding="utf-8"))
    for lab, due in found["due"].items():
        if due is not None and not isinstance(due, datetime.date):
            raise CourseError(f"course.yml: due of {lab} is {due!r}, expected 2027-01-31 or a time")
    return found


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table of the teacher's; what is empty is an empty text."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [{k: (v or "").strip() for k, v in row.items() if k} for row in csv.DictReader(file)]


def roster(folder: Path) -> list[dict[str, str]]:
    """Return the rows of roster.csv; a name that is empty, double or no file name is an error."""
    people = rows(folder / "roster.csv")
    keys = [person.get("student", "") for person in people]
    for number, key in enumerate(keys, 2):
        if not re.fullmatch(r"[\w@-][\w.@-]*", key) or keys.count(key) > 1:
            at = f"roster.csv, line {number}: student is {key!r}"
            raise CourseError(f"{at}, expected a short name without spaces, once")
    return people


def secret(folder: Path) -> int:
    return int((folder / "secret.txt").read_text(), 16)


def plain(text: str) -> str:
    """Return the letters of a name, as platforms write it in names of files."""
    kept = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in kept if c.isalnum())


def whose(name: str, people: list[dict]) -> tuple[dict | None, str, bool]:
    """Return whose file a member of a zip is, its own name, and whether it is marked late."""
    at = "/".join(name.split("/")[-2:])
    found = MOODLE.match(at) or CANVAS.match(name.split("/")[-1])
    if not found:
        return None, name, False
    canvas, said = found.re is CANVAS, plain(found["name"])
    by_id = [p for p in people if canvas and p["canvas_id"] == found["id"]]  # Moodle's is no user's
    by_name = [p for p in people if said and said in _names(p["name"])]
    person = (by_id or (by_name if len(by_name) == 1 else [None]))[0]
    return person, found["file"], canvas and bool(found["late"])


def _names(name: str) -> set[str]:
    """Return a name as Moodle writes it, and as Canvas does, the family's first."""
    words = name.split()
    return {plain("".join(words[i:] + words[:i])) for i in range(len(words))}


def collect(folder: Path) -> list[str]:
    """Take in the zip files of the inbox; return what was not understood, and how many are new."""
    people, labs, new, problems = roster(folder), config(folder)["due"], 0, []
    for archive in sorted((folder / "inbox").glob("*.zip")):
        try:
            with zipfile.ZipFile(archive) as packed:
                given = [(one, packed.read(one)) for one in packed.infolist() if not one.is_dir()]
        except (zipfile.BadZipFile, RuntimeError, OSError) as error:
            problems.append(f"{archive.name}: cannot be read: {error}")
            continue
        for one, content in given:
            person, file, late = whose(one.filename, people)
            lab = lab_of(file, content, labs)
            if person is None or lab is None:
                what = "nobody of the roster" if person is None else "no lab of the course"
                problems.append(f"{archive.name}, {one.filename}: {what}")
                continue
            time = datetime.datetime(*one.date_time).strftime("%Y%m%dT%H%M%S")
            digest, suffix = hashlib.sha256(content).hexdigest()[:12], Path(file).suffix.lower()
            name = f"{time}-{digest}{'-late' if late else ''}{suffix}"
            last = latest(folder, person["student"], lab, suffix)
            if last is None or digest not in last.name:  # platforms give it again and again
                new += 1
                write_new(folder / "submissions" / person["student"] / lab / name, content)
    return [*problems, f"{new} new files, {len(problems)} not understood"]


def lab_of(file: str, content: bytes, labs) -> str | None:
    """Return the lab of a file: as its notebook says, or else as its name begins."""
    named = next((lab for lab in labs if file.casefold().startswith(lab)), None)
    kind = Path(file).suffix.lower()
    if kind == ".ipynb":
        with suppress(ValueError, KeyError, TypeError, AttributeError):
            named = json.loads(content)["metadata"]["calibration"]["page"].removeprefix("labs/")
    found = {".ipynb": named, ".npz": "reserved-networks"}.get(kind)
    return found if found in labs else None


def latest(folder: Path, student: str, lab: str, suffix: str = ".ipynb") -> Path | None:
    """Return the file that counts: the last that was handed in."""
    return max((folder / "submissions" / student / lab).glob(f"*{suffix}"), default=None)


def worked_as(notebook: Path, person: dict) -> tuple[str, str]:
    """Return the name by which data are drawn, and what is wrong with the one that was typed."""
    typed = re.search(r'"data of (.+?)\\n"', notebook.read_text(encoding="utf-8", errors="replace"))
    names = {plain(person.get(key, "")) for key in ("student", "login", "email")}
    if typed is None or plain(typed[1]) in (names | _names(person["name"])) - {""}:
        return (typed[1] if typed else person["student"]), ""
    return person["student"], f"worked on the data of {typed[1]}, graded on {person['student']}'s"


def grade(folder: Path, labs: list[str]) -> Iterator[str]:
    """Mark what has no marks yet, and write the students' feedback; yield the marks."""
    known, number, people = config(folder), secret(folder), roster(folder)
    for lab in labs or list(known["due"]):
        if lab not in known["due"]:
            raise CourseError(f"{lab}: no lab of course.yml")
        teacher = nbformat.read(folder / "keys" / f"{lab}.ipynb", as_version=4)
        for person in people:
            notebook = latest(folder, person["student"], lab)
            path = folder / "grades" / lab / f"{person['student']}.json"
            if notebook is None or graded(path).get("submission") == notebook.name:
                continue
            name, wrong = worked_as(notebook, person)
            try:
                found = judge(teacher, notebook, folder / "keys" / SUPPORT, name, number)
            except Exception as error:  # of the solution: not the student's fault
                yield f"{lab}: {person['student']} not graded, the solution fails: {error}"
                continue
            found[0]["said"] += [wrong] if wrong else []
            renew(path, json.dumps({"submission": notebook.name, "steps": found}, indent=1))
            yield f"{lab}: {person['student']} {_sum(found, known):g}"
    for person in people:
        if text := feedback(folder, person["student"], known):
            renew(folder / "feedback" / f"{person['student']}.md", text)


def graded(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _sum(found: list[dict], known: dict) -> float:
    return round(sum(known["step"] * one["share"] for one in found), 2)


def marks(folder: Path) -> dict[tuple[str, str], tuple[float, int | None, str]]:
    """Return what the teacher has written into marks.csv: points, days late if said, comment."""
    try:
        return {
            (row["student"], row["lab"]): (
                float(row["points"] or 0),
                int(row["days"]) if row.get("days") else None,
                row["comment"],
            )
            for row in rows(folder / "marks.csv")
        }
    except (KeyError, TypeError, ValueError) as error:
        raise CourseError(f"marks.csv: {error}; each row has {MARKS.strip()}") from None


def scored(folder: Path, student: str, lab: str, known: dict) -> dict:
    """Return points, deduction and steps of a student's lab; nothing where none was graded."""
    if not (kept := graded(folder / "grades" / lab / f"{student}.json")):
        return {}
    by_hand, days, comment = marks(folder).get((student, lab), (0.0, None, ""))
    days, rule = int("-late" in kept["submission"]) if days is None else days, known["late"]
    off = min(rule["at_most"], rule["per_day"] * days) / 100
    total = round((_sum(kept["steps"], known) + by_hand) * (1 - off), 2)
    return kept | {"talk": by_hand, "comment": comment, "days": days, "total": total}


def feedback(folder: Path, student: str, known: dict) -> str:
    """Return what a student is told: points, and what the checks say; never a hidden test."""
    text = ""
    for lab in known["due"]:
        if not (found := scored(folder, student, lab, known)):
            continue
        most = known["step"] * len(found["steps"]) + known["discussion"]
        due = f", due {known['due'][lab]}" if known["due"][lab] else ""
        text += f"\n## {lab}: {found['total']:g} of {most:g}{due}\n\n"
        for one in found["steps"]:
            notes = "; ".join(one["said"]) or "right"
            text += f"- {one['label']}: {known['step'] * one['share']:g} points. {notes}\n"
        text += f"- discussion: {found['talk']:g} points. {found['comment']}\n"
        text += f"- {found['days']} days late\n" if found["days"] else ""
    return f"# {known['title']}: {student}\n{text}" if text else ""


def export(folder: Path) -> Iterator[Path]:
    """Write one row a student: a table to look at, and what Moodle and Canvas import."""
    known, people = config(folder), roster(folder)
    labs = list(known["due"])
    keys = [nbformat.read(folder / "keys" / f"{lab}.ipynb", as_version=4) for lab in labs]
    most = [known["step"] * (len(steps(key)) - 1) + known["discussion"] for key in keys]
    for kind, columns in COLUMNS.items():
        summed = kind == "table"  # platforms add up themselves
        lines = [[*columns, *labs, *["total"] * summed]]
        lines += [["Points Possible", "", "", "", "", *most]] if kind == "canvas" else []
        for person in people:
            first, _, last = person["name"].rpartition(" ")
            who = [text.format(**person, first=first, last=last) for text in columns.values()]
            found = [scored(folder, person["student"], lab, known) for lab in labs]
            points = [f"{one['total']:g}" if one else "-" * (kind == "moodle") for one in found]
            total = sum(one["total"] for one in found if one)
            lines.append([*who, *points, *[f"{total:g}"] * summed])
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(lines)
        renew(folder / "export" / f"{kind}.csv", text.getvalue())
        yield folder / "export" / f"{kind}.csv"
