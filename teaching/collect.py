"""Take in what Moodle and Canvas give: each file to its student and lab, or a word on why not.

In: zip files in `inbox/`, whose names say who handed in. Out: `submissions/STUDENT/LAB/`, to which
files are added and in which none is changed, and a line for each file that is nobody's. Of several
files the last counts: by the time in the zip, which is that of the download, then by Canvas's
number of the upload, then by the place in the zip and by the order in which they were taken in.
"""

import datetime
import hashlib
import json
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from book.show.labs import letters_alone
from teaching.folder import HandInName, latest_hand_in, write_new
from teaching.tables import Person, load_rules, roster

MOODLE = re.compile(r"(?P<name>[^/]+?)_(?P<id>\d+)_assignsubmission_file_?(?P<file>.*)")
CANVAS = re.compile(
    r"(?P<name>[^_/]+?)_(?P<late>LATE_)?(?P<id>\d+)_(?P<upload>\d+)_(?P<file>.+)"
)
LARGEST_FILE = 2**26  # bytes of a file that is taken in
BROKEN: tuple[type[Exception], ...] = (
    zipfile.BadZipFile,
    zlib.error,
    RuntimeError,
    OSError,
    EOFError,
    ValueError,
    NotImplementedError,  # a compression that Python lacks
)


@dataclass(frozen=True)
class HandIn:
    """A file of a platform's zip: who, by which number of a platform, and the file's own name."""

    name: str
    number: str  # of Canvas; that of Moodle is no user's
    file: str
    late: bool = False
    upload: int = 0  # Canvas's number of the file: a later one has a larger


def hand_in_of_member(member: str) -> HandIn | None:
    """Return what the first folder or name that a platform made says of a member of a zip.

    What lies below is the student's, whatever it is called.
    """
    pieces = PurePosixPath(member.replace("\\", "/")).parts
    for i, piece in enumerate(pieces):
        last = i == len(pieces) - 1
        if match := MOODLE.fullmatch(piece):
            file = match["file"] if last else pieces[-1]
            return HandIn(match["name"], "", file)
        if last and (match := CANVAS.fullmatch(piece)):
            late, upload = bool(match["late"]), int(match["upload"])
            return HandIn(match["name"], match["id"], match["file"], late, upload)
    return None


def person_of(hand_in: HandIn, people: list[Person]) -> Person:
    """Return whose a file is; LookupError says why nobody's."""
    if hand_in.number:
        for person in people:
            if person.canvas_id == hand_in.number:
                return person
    return _person_called(hand_in, people)


def _person_called(hand_in: HandIn, people: list[Person]) -> Person:
    """Return who has the name of a file, and no other number of Canvas."""
    name = letters_alone(hand_in.name)
    called = [person for person in people if name in person.full_names]
    # the roster's number of Canvas is another: two people may have one name
    same = [person for person in called if not (hand_in.number and person.canvas_id)]
    if not same:
        raise LookupError(_why_nobody(hand_in, called))
    if len(same) > 1:
        raise LookupError(f"{' and '.join(p.student for p in same)} have this name")
    return same[0]


def _why_nobody(hand_in: HandIn, called: list[Person]) -> str:
    if not called:
        return "nobody of the roster"
    others = (f"{person.student} has canvas_id {person.canvas_id}" for person in called)
    return f"{' and '.join(others)}, not {hand_in.number}"


def lab_of(file: str, content: bytes, labs: Collection[str]) -> str | None:
    """Return the lab of a file; None where it is of none of the course."""
    kind, lab = Path(file).suffix.lower(), None
    if kind == ".npz":
        lab = "reserved-networks"
    if kind == ".ipynb":
        lab = _lab_of_notebook(content) or _lab_of_name(file, labs)
    return lab if lab in labs else None


def _lab_of_notebook(content: bytes) -> str | None:
    """Return which lab a notebook says that it is; None where it is broken or says nothing."""
    with suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError):
        page = json.loads(content)["metadata"]["calibration"]["page"]
        return page.removeprefix("labs/")
    return None


def _lab_of_name(file: str, labs: Collection[str]) -> str | None:
    """Return the lab whose name a file's begins with."""
    return next((lab for lab in labs if file.casefold().startswith(lab)), None)


@dataclass
class Inbox:
    """A run over the inbox: what is taken to a folder, and what was not understood."""

    folder: Path
    people: list[Person]
    labs: list[str]
    # how many files are new, by student, lab and kind of file
    new: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    faults: int = 0

    def take_in(self, path: Path) -> Iterator[str]:
        """Take in what lies in the inbox; yield a line for what is no zip file."""
        if path.suffix.lower() == ".zip" and path.is_file():
            yield from self.take_in_archive(path)
        else:
            self.faults += 1
            yield f"{path.name}: no zip file; put in what the platform gave, not unpacked"

    def take_in_archive(self, path: Path) -> Iterator[str]:
        """Take in a zip file; yield a line for each file that is not understood."""
        try:
            with zipfile.ZipFile(path) as packed:
                for member in sorted(packed.infolist(), key=upload_of):
                    if fault := self.take_in_member(packed, member):
                        self.faults += 1
                        yield f"{path.name}, {member.filename}: {fault}"
        except BROKEN as error:
            self.faults += 1
            yield f"{path.name}: cannot be read: {error}"

    def take_in_member(self, packed: zipfile.ZipFile, member: zipfile.ZipInfo) -> str:
        """Take in a member of a zip; return why not."""
        if member.is_dir() or member.filename.startswith("__MACOSX/"):
            return ""
        if member.file_size > LARGEST_FILE:
            return f"{member.file_size >> 20} MB, more than {LARGEST_FILE >> 20}"
        try:
            content = packed.read(member)
        except BROKEN as error:
            return f"cannot be read: {error}"
        return self.take_in_file(member.filename, content, time_of_packing(member))

    def take_in_file(self, name: str, content: bytes, time: str) -> str:
        """Take in a file by the name that a platform gave it; return why not."""
        hand_in = hand_in_of_member(name)
        if hand_in is None:
            return "no name that Moodle or Canvas makes"
        try:
            person = person_of(hand_in, self.people)
        except LookupError as fault:
            return fault.args[0]
        if not content:  # an upload that broke off: what came before counts
            return "is empty"
        lab = lab_of(hand_in.file, content, self.labs)
        if lab is None:
            return "no lab of the course"
        self.store(person, lab, hand_in, content, time)
        return ""

    def store(
        self, person: Person, lab: str, hand_in: HandIn, content: bytes, time: str
    ) -> None:
        """Write a file that was handed in, but for one that the platform gives once more."""
        digest = hashlib.sha256(content).hexdigest()[:12]
        suffix = Path(hand_in.file).suffix.lower()
        before = latest_hand_in(self.folder, person.student, lab, suffix)
        hand_ins = self.folder / "submissions" / person.student / lab
        # the archive may have been read before, and another file have come after it
        is_read_again = any(hand_ins.glob(f"{time}-*{digest}*{suffix}"))
        is_downloaded_again = before is not None and digest in before.name
        if is_read_again or is_downloaded_again:
            return
        number = len(list(hand_ins.glob(f"*{suffix}"))) + 1
        name = HandInName(time, number, digest, hand_in.late, suffix)
        write_new(hand_ins / str(name), content)
        self.new[person.student, lab, suffix] += 1

    def last_of_several(self) -> Iterator[str]:
        """Yield which file counts where more than one is new."""
        for (student, lab, suffix), n in self.new.items():
            last = latest_hand_in(self.folder, student, lab, suffix)
            if n > 1 and last is not None:
                yield f"{student}: {n} new files for {lab}, the last counts: {last.name}"


def upload_of(member: zipfile.ZipInfo) -> int:
    """Return Canvas's number of an upload; 0 of what has none, which stays in its place."""
    hand_in = hand_in_of_member(member.filename)
    return 0 if hand_in is None else hand_in.upload


def time_of_packing(member: zipfile.ZipInfo) -> str:
    """Return when a file was packed; the first day that a zip knows where it says none."""
    try:
        time = datetime.datetime(*member.date_time)
    except ValueError:
        time = datetime.datetime(1980, 1, 1)
    return time.strftime("%Y%m%dT%H%M%S")


def collect(folder: Path) -> Iterator[str]:
    """Take in the zip files of the inbox; yield what was not understood, and how many are new."""
    inbox = Inbox(folder, roster(folder), list(load_rules(folder).due))
    for path in sorted((folder / "inbox").glob("[!.]*")):
        yield from inbox.take_in(path)
    yield from inbox.last_of_several()
    yield f"{inbox.new.total()} new files, {inbox.faults} not understood"
