"""The exam: sixty-four questions, sixty-four versions, keys, and files for learning platforms.

A version has one question of each of sixteen places: a part of the book, a level, an objective,
four questions each. Which one is the height of a plane over the field of four elements, one plane a
version: two planes meet in four places of sixteen or in none. Where they meet they differ in slope,
which chooses the numbers: no two versions ask anything in the same words.
The bank for platforms has every question once, with numbers of its own.
"""

import math
import sys
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from jinja2 import Environment, FileSystemLoader

from book.build.project import BookError
from calib.files import write_whole

TOPICS = yaml.safe_load(
    Path(__file__).with_name("exam.yml").read_text(encoding="utf-8")
)
VERSIONS = 64
LETTERS = "abcd"
POINTS = {"recall": 1, "apply": 2, "judge": 2}
MINUTES = {"recall": 3, "apply": 5, "judge": 4}
PRODUCTS = [
    [0, 0, 0, 0],
    [0, 1, 2, 3],
    [0, 2, 3, 1],
    [0, 3, 1, 2],
]  # in the field; + is ^
SPECIAL = str.maketrans({c: f"\\{c}" for c in "~=#{}:\\"})  # in GIFT
HERE = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True)
SHEETS: Any = HERE.get_template("print.html").module


@dataclass(frozen=True)
class Question:
    """A question as it is asked: options in order, which of them is right, a reason for each."""

    part: str
    level: str
    objective: str
    chapter: str
    text: str
    options: tuple[str, ...]
    right: int
    reasons: tuple[str, ...]

    letter = property(lambda self: LETTERS[self.right])
    points = property(lambda self: POINTS[self.level])
    worth = property(
        lambda self: f"{self.points} point{'s' if self.points > 1 else ''}"
    )

    def lettered(self) -> list[tuple[str, str, str]]:
        """Return letter, text and reason of each option."""
        return list(zip(LETTERS, self.options, self.reasons, strict=True))


def drawn_question(
    topic: dict[str, Any],
    entry: dict[str, Any],
    numbers: dict[str, Any],
    rng: np.random.Generator,
) -> Question:
    """Return a question with some numbers, its options in some order."""
    names = vars(math) | {"round": round, "ceil": math.ceil} | numbers
    for name, source in entry.get("let", {}).items():
        names[name] = eval(str(source), names)
    pairs = [entry["right"], *entry["wrong"]]
    options = [[_filled(text, names) for text in pair] for pair in pairs]
    order = rng.permutation(4)
    texts, reasons = zip(*(options[i] for i in order), strict=True)
    about = (topic["part"], topic["level"], topic["objective"], entry["chapter"])
    right = int(np.flatnonzero(order == 0)[0])
    return Question(*about, _filled(entry["text"], names), texts, right, reasons)


def _filled(text: str, names: dict[str, Any]) -> str:
    """Return a text of exam.yml, an f-string, with the values of its names."""
    return eval(f"f{text!r}", names)


def sets_of_versions(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the sets of numbers of a question that versions of the exam draw from."""
    return _sets(entry["draw"])


def sets_of_bank(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the sets of numbers that the bank draws from: in each is one that no version has."""
    apart = {name: [value] for name, value in entry["bank"].items()}
    return _sets(entry["draw"] | apart)


def _sets(values: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Return every choice of one value for each name."""
    return [
        dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())
    ]


def height_of_plane(version: int, x: int, y: int) -> int:
    """Return which of its four questions a version asks of the topic (x, y).

    A version is a plane over the field of four elements, a + b x + c y. Two planes meet in a line,
    in four of the sixteen topics, or nowhere: no two versions share more than a quarter.
    """
    a, slopes = divmod(version, 16)
    b, c = divmod(slopes, 4)
    return a ^ PRODUCTS[b][x] ^ PRODUCTS[c][y]


def exam_questions(secret: int, version: int) -> list[Question]:
    """Return a version of the exam of a secret, sixteen questions, recalling first."""
    if not 0 <= version < VERSIONS:
        raise BookError(f"version: {version}, expected 0 to {VERSIONS - 1}")
    questions = []
    for i, topic in enumerate(TOPICS):
        of_heights = np.random.default_rng([secret, i]).permutation(4)
        chosen = int(of_heights[height_of_plane(version, *divmod(i, 4))])
        entry = topic["questions"][chosen]
        sets = sets_of_versions(entry)
        lots = np.random.default_rng([secret, i, chosen]).permutation(len(sets))
        order = np.random.default_rng([secret, i, chosen, version])
        numbers = sets[lots[version % 16]]  # planes of one slope share no question
        questions.append(drawn_question(topic, entry, numbers, order))
    return sorted(questions, key=lambda q: (list(POINTS).index(q.level), q.part))


def bank_questions(secret: int) -> list[Question]:
    """Return every question once, with numbers that no version of the exam has, of any secret."""
    questions: list[Question] = []
    for topic in TOPICS:
        for entry in topic["questions"]:
            rng = np.random.default_rng([secret, len(questions)])
            sets = sets_of_bank(entry)
            numbers = sets[rng.integers(len(sets))]
            questions.append(drawn_question(topic, entry, numbers, rng))
    return questions


def questions_as_gift(questions: list[Question]) -> str:
    """Return the questions in Moodle's GIFT: a category for each part and level, with points."""
    blocks, category = [], ""
    for q in questions:
        if category != f"{q.part}/{q.level} ({q.worth})":
            category = f"{q.part}/{q.level} ({q.worth})"
            blocks.append(f"$CATEGORY: $course$/calibration/{category}")
        lines = [
            f"::{q.objective.translate(SPECIAL)}::[plain]{q.text.translate(SPECIAL)} {{"
        ]
        for letter, option, reason in q.lettered():
            sign = "=" if letter == q.letter else "~"
            lines.append(
                f"{sign}{option.translate(SPECIAL)} # {reason.translate(SPECIAL)}"
            )
        blocks.append("\n".join([*lines, "}"]))
    return "\n\n".join(blocks) + "\n"


def questions_as_quiz(questions: list[Question], title: str) -> str:
    """Return the questions as a quiz, a text that the library text2qti reads."""
    lines = [f"Quiz title: {title}", ""]
    for number, q in enumerate(questions, 1):
        lines += [f"Title: {q.part}, {q.level}: {q.objective}", f"Points: {q.points}"]
        lines.append(f"{number}.  {q.text}")
        for letter, option, reason in q.lettered():
            sign = "*" if letter == q.letter else ""
            lines += [f"{sign}{letter})  {option}", f"... {reason}"]
        lines.append("")
    return "\n".join(lines)


def write_qti(path: Path, quiz: str) -> None:
    """Write a quiz, a text that the library text2qti reads, as Canvas imports it."""
    from text2qti.config import Config
    from text2qti.qti import QTI
    from text2qti.quiz import Quiz

    QTI(Quiz(quiz, config=Config())).save(path)


def print_sheets(sheets: dict[Path, str]) -> None:
    """Write pages of HTML, and where Chromium is each as PDF too."""
    from book.build.printing import print_pages

    for path, page in sheets.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, page.encode())
    try:
        print_pages({path: path.with_suffix(".pdf") for path in sheets})
    except BookError as problem:
        print(f"not printed: {problem}", file=sys.stderr)


def write_version(folder: Path, secret: int, version: int) -> Path:
    """Write paper and key of a version, printed where Chromium is, and the bank for platforms."""
    questions = exam_questions(secret, version)
    title = f"Calibration of neural networks, version {version}"
    time = 5 * math.ceil(sum(MINUTES[q.level] for q in questions) / 5)
    page = folder / f"{version}-paper.html"
    print_sheets({page: SHEETS.paper(questions, title, time)})
    key = SHEETS.key(questions, f"{title}: key")
    write_whole(folder / f"{version}-key.html", key.encode())
    bank = bank_questions(secret)
    write_whole(folder / "bank.gift", questions_as_gift(bank).encode())
    write_qti(folder / "bank-qti.zip", questions_as_quiz(bank, "Calibration"))
    return page
