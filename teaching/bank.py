"""The exam bank: seventy questions, those of one exam, keys, and files for learning platforms."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np
import yaml

from teaching.varied import QUESTIONS

FIXED = Path(__file__).with_name("exam.yml")
LETTERS = "abcd"
SPECIAL = str.maketrans({c: f"\\{c}" for c in "~=#{}:\\"})  # in GIFT


@dataclass(frozen=True)
class Question:
    """A question as it is asked: options in order, which of them is right, why each is not."""

    number: int
    chapter: str
    level: str
    text: str
    options: tuple[str, ...]
    right: int
    reasons: tuple[str, ...]

    @property
    def letter(self) -> str:
        return LETTERS[self.right]


def drawn(seed: int) -> list[Question]:
    """Return all questions, by number; another seed has other numbers and orders of options."""
    found = {}
    for entry in yaml.safe_load(FIXED.read_text(encoding="utf-8")):
        wrong = [(one["option"], one["because"]) for one in entry["wrong"]]
        content = entry["text"], entry["right"], wrong
        found[entry["number"]] = entry["chapter"], entry["level"], *content
    for number, (chapter, level, function) in QUESTIONS.items():
        found[number] = chapter, level, *_distinct(function, seed, number)
    return [_asked(number, *found[number], seed) for number in sorted(found)]


def exam(seed: int, each: int = 6) -> list[Question]:
    """Choose an exam: for each part of the book as many questions, at random."""
    parts: dict[str, list[Question]] = {}
    for question in drawn(seed):
        part = question.chapter.partition("/")[0]
        parts.setdefault("language" if part == "replicate" else part, []).append(question)
    rng = np.random.default_rng([seed, 2])
    chosen = {q.number for part in parts.values() for q in rng.permutation(part)[:each]}
    return [question for question in drawn(seed) if question.number in chosen]


def _distinct(function, seed: int, number: int):
    """Draw numbers until no two options are the same."""
    rng = np.random.default_rng([seed, number])
    while True:
        text, right, wrong = function(rng)
        if len({right, *(option for option, _ in wrong)}) == 4:
            return text, right, wrong


def _asked(number, chapter, level, text, right, wrong, seed) -> Question:
    options = [(right, ""), *wrong]
    order = np.random.default_rng([seed, number, 1]).permutation(4)
    return Question(
        number,
        chapter,
        level,
        " ".join(text.split()),
        tuple(options[i][0] for i in order),
        int(np.flatnonzero(order == 0)[0]),
        tuple(options[i][1] for i in order),
    )


def paper(questions: list[Question], title: str) -> str:
    """Return the exam as a page to print."""
    items = "".join(
        f"<li value='{q.number}'><p>{escape(q.text)}</p><ol type='a'>"
        + "".join(f"<li>{escape(option)}</li>" for option in q.options)
        + "</ol></li>"
        for q in questions
    )
    return _page(title, f"<p>One answer each. Name: ______________________</p><ol>{items}</ol>")


def key(questions: list[Question], title: str) -> str:
    """Return the key: right answers, and why the others are wrong."""
    items = ""
    for q in questions:
        reasons = "".join(
            f"<li>({LETTERS[i]}) {escape(q.options[i])}: {escape(reason)}</li>"
            for i, reason in enumerate(q.reasons)
            if reason
        )
        items += (
            f"<li value='{q.number}'><b>{q.letter}</b> {escape(q.options[q.right])} "
            f"<small>[{q.level}; {q.chapter}]</small><ul>{reasons}</ul></li>"
        )
    return _page(f"{title}: key", f"<ol>{items}</ol>")


def _page(title: str, body: str) -> str:
    style = "body{font:16px/1.45 sans-serif;max-width:44em;margin:2em auto}li{break-inside:avoid}"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{style}</style><h1>{escape(title)}</h1>{body}</html>\n"
    )


def gift(questions: list[Question]) -> str:
    """Return the questions in Moodle's GIFT format, each wrong answer with its reason."""
    blocks = []
    for q in questions:
        lines = [f"::{q.number} {q.chapter}::[plain]{q.text.translate(SPECIAL)} {{"]
        for i, (option, reason) in enumerate(zip(q.options, q.reasons, strict=True)):
            said = f" # {reason.translate(SPECIAL)}" if reason else ""
            lines.append(f"{'=' if i == q.right else '~'}{option.translate(SPECIAL)}{said}")
        blocks.append("\n".join([f"// level: {q.level}", *lines, "}"]))
    return "\n\n".join(blocks) + "\n"


def text2qti(questions: list[Question], title: str) -> str:
    """Return the questions as the library text2qti reads them, to be written as QTI."""
    lines = [f"Quiz title: {title}", ""]
    for q in questions:
        lines.append(f"{q.number}.  {q.text}")
        for i, (option, reason) in enumerate(zip(q.options, q.reasons, strict=True)):
            lines.append(f"{'*' if i == q.right else ''}{LETTERS[i]})  {option}")
            if reason:
                lines.append(f"... {reason}")
        lines.append("")
    return "\n".join(lines)


def write_qti(questions: list[Question], title: str, path: Path) -> None:
    """Write the questions as a QTI package, by text2qti."""
    from text2qti.config import Config
    from text2qti.qti import QTI
    from text2qti.quiz import Quiz

    quiz = Quiz(text2qti(questions, title), config=Config())
    QTI(quiz).save(path)
