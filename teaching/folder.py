"""The folder of a course: what lies where, and how a file is written.

    FOLDER/course.yml roster.csv marks.csv   the teacher's, written once, never changed here
    FOLDER/secret.txt keys/                  hidden numbers and solutions: for nobody else
    FOLDER/release/                          what students get: labs.zip, and each lab alone
    FOLDER/inbox/                            zip files as Moodle and Canvas export them
    FOLDER/submissions/STUDENT/LAB/          what was handed in: added to, never changed
    FOLDER/grades/ feedback/ export/         made of the others, any number of times

Every file appears whole or not at all, so a run that is killed is simply run again.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from calib.files import write_whole
from teaching.tables import CourseError

TEACHERS = (
    "submissions",
    "keys",
    "course.yml",
    "roster.csv",
    "marks.csv",
    "secret.txt",
)


def write_derived(path: Path, content: bytes | str) -> None:
    """Write a file that is made of others."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content.encode() if isinstance(content, str) else content)


def write_new(path: Path, content: bytes | str) -> None:
    """Write a file that is not there yet."""
    if not path.exists():
        write_derived(path, content)


def secret_of_course(folder: Path) -> str:
    """Return what hidden numbers are drawn from, in hexadecimal digits."""
    return (folder / "secret.txt").read_text().strip()


LATE = "-late"  # the end of a hand-in's stem, where the platform says so


@dataclass(frozen=True)
class HandInName:
    """The name of a file that was handed in; by it hand-ins of a lab are in their order."""

    time: str  # of packing
    number: int  # of the hand-in, from 1
    digest: str  # of the content
    late: bool
    suffix: str

    def __str__(self) -> str:
        late = LATE if self.late else ""
        return f"{self.time}-{self.number:03d}-{self.digest}{late}{self.suffix}"


def is_late(name: str) -> bool:
    """Return whether a hand-in's name says that it was late; a teacher may write it too."""
    return Path(name).stem.endswith(LATE)


def latest_hand_in(
    folder: Path, student: str, lab: str, suffix: str = ".ipynb"
) -> Path | None:
    """Return the file that counts: the last that was handed in."""
    hand_ins = (folder / "submissions" / student / lab).glob(f"*{suffix}")
    return max(hand_ins, default=None)


def digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file that no submission may change."""
    by_name = {}
    for path in _teachers_files(folder):
        name = path.relative_to(folder).as_posix()
        by_name[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return by_name


def _teachers_files(folder: Path) -> Iterator[Path]:
    for name in TEACHERS:
        for path in [folder / name, *(folder / name).rglob("*")]:
            if path.is_file():
                yield path


def refuse_changes(before: dict[str, str], folder: Path, whose: str) -> None:
    """Stop where a file is another than before a submission ran."""
    after = digests(folder)
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            raise CourseError(
                f"{name} changed while {whose} ran: nothing more is graded. "
                "Put it back from your copy, then grade again"
            )
