"""The contract of files, in ten lines, and the errors of a file that does not keep it."""

# Mirrored by the answer desk, book/assets/desk/reading.js and roles.js: change both.

import re
import shlex
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from os import PathLike
from typing import Any, Literal

CONTRACT = """\
A file is read without options if its names say all; a row is a sample:
 1  the label stands in one column, or array: label or y (labels, y_true, target, targets);
 2  a table has a column a class: the label, alone or behind p_, prob_, probability_ or logit_;
 3  of two classes one column of probabilities will do: p_sick, beside the labels sick and well;
 4  an archive has (n, K) logits or probabilities (probs, p, y_prob); labels from 0, or `classes`;
 5  of answers: a column confidence, from 0 to 1, and a column correct, 0 and 1 or true and false;
 6  probabilities sum to 1 as far as their digits go; of logits each column has a label;
 7  ids (id, NAME_id) name each sample once; calibration_y and calibration_logits are to fit maps;
 8  other columns are left out; second labels, other predictions, split, fold, model are asked.
Of any other file `calib look FILE` shows how it could be read: nothing is guessed."""
_TABLE = tomllib.loads(
    files("calib_report").joinpath("contract.toml").read_text("utf-8")
)
NAMES: dict[str, tuple[str, ...]] = {
    what: tuple(names) for what, names in _TABLE["names"].items()
}
PATTERNS = {
    what: re.compile(text, re.IGNORECASE) for what, text in _TABLE["patterns"].items()
}
UNREAD: dict[str, str] = _TABLE["unread"]
NOTED: dict[str, str] = _TABLE["noted"]
ROW: dict[str, str] = _TABLE["row"]
READ_AS: dict[str, str] = _TABLE["read_as"]
SUSPECT: dict[str, str] = _TABLE["suspect"]
Changes = Mapping[str, Any]  # of options, by their names
ScoreKind = Literal["logits", "probabilities", "log-probabilities", "odds"]


class ReadingError(ValueError):
    """A file is not what it should be.

    Attributes
    ----------
    problem : str
        What is wrong, with the row where it is one of a row.
    suggestions : tuple of dict
        Changes of options, each of which would say what the file does not.
    source : str or Path or None
        The file, which whoever opened it puts down.
    """

    def __init__(self, problem: str, *suggestions: Changes, source: Any = None) -> None:
        self.problem, self.suggestions, self.source = problem, suggestions, source
        super().__init__(problem, *suggestions)

    def __str__(self) -> str:
        return self._line(self.problem)

    def _line(self, problem: str) -> str:
        """Return a problem between the file that it is of and the options that would help."""
        place = "" if self.source is None else f"{self.source}: "
        # quoted as a shell needs it: what is shown can be typed
        options = ", or ".join(
            shlex.join(as_typed(changes)) for changes in self.suggestions
        )
        return " ".join(f"{place}{problem}{': ' if options else ''}{options}".split())


class OptionError(ReadingError):
    """An option is not what it should be, or not what a file or a question allows.

    Attributes
    ----------
    option : str
        Its name, as Python has it.
    """

    def __init__(self, option: str, problem: str, *suggestions: Changes) -> None:
        super().__init__(f"{option}: {problem}", *suggestions)
        self.option = option

    def as_typed(self) -> str:
        """Return the line of the error with the option as a command line has it."""
        return self._line(flag_of(self.option) + self.problem.removeprefix(self.option))


class NotSaidError(ReadingError):
    """Neither names nor options say what is the label, or the score, or of which kind it is.

    Attributes
    ----------
    role : {"y", "scores", "kind"}
        The option that would say it.
    """

    def __init__(self, problem: str, *suggestions: Changes, role: str) -> None:
        super().__init__(problem, *suggestions)
        self.role = role
        self.add_note(CONTRACT)


class NotJudgedError(ReadingError):
    """The file is of another question, which calib does not judge: nothing is proposed."""


class DoubtError(ReadingError):
    """What is said can be read, but something in the file speaks against it; `yes` reads it so."""


@dataclass(frozen=True)
class Note:
    """A sentence that whoever reads a report should know, and what it is about.

    Attributes
    ----------
    text : str
    about : {"file", "suspicion", "options"}
        How the file was read; that it looks wrong; that it needed no options.
    """

    text: str
    about: Literal["file", "suspicion", "options"] = "file"

    def __str__(self) -> str:
        return self.text


class Doubter:
    """Doubts of one reading: the first is raised, or, where the user says `yes`, all are noted."""

    def __init__(self, overruled: bool) -> None:
        self.overruled, self.notes = overruled, list[Note]()

    def raise_or_note(self, problem: str, *suggestions: Changes) -> None:
        if not self.overruled:
            raise DoubtError(problem, *suggestions)
        self.notes.append(Note(f"Read as said, although {problem}."))


def flag_of(option: str) -> str:
    """Return the name of an option as a command line has it.

    Examples
    --------
    >>> flag_of("max_risk"), flag_of("costs")
    ('--max-risk', '--cost')
    """
    name = "cost" if option == "costs" else option
    return f"--{name.replace('_', '-')}"


def as_typed(changes: Changes) -> list[str]:
    """Return options as a command line has them.

    Examples
    --------
    >>> as_typed({"y": "gold", "pairs": False, "percent": 100.0, "where": ("split=test",)})
    ['--y', 'gold', '--no-pairs', '--percent', '--where', 'split=test']
    """
    words = []
    for name, value in changes.items():
        if value is not None and value != ():
            words += _option_as_typed(name, value)
    return words


def _option_as_typed(name: str, value: Any) -> list[str]:
    """Return one option as it is typed: a switch, a hundred, names with commas, or each value."""
    flag = flag_of(name)
    if isinstance(value, bool):
        return [flag if value else f"--no-{flag[2:]}"]
    if name == "percent" and value == 100:
        return [flag]
    # names of classes are one text, or that of a file
    if name == "classes" and not isinstance(value, str | PathLike):
        return _flag_with_value(flag, ",".join(value))
    # what may be repeated is a tuple
    return _values_as_typed(flag, value if isinstance(value, tuple) else (value,))


def _values_as_typed(flag: str, values: tuple[Any, ...]) -> list[str]:
    words = []
    for value in values:
        words += _flag_with_value(flag, value)
    return words


def _flag_with_value(flag: str, value: Any) -> list[str]:
    text = f"{value:g}" if isinstance(value, float) else str(value)
    # a value that begins with - would be taken for an option
    return [f"{flag}={text}"] if text.startswith("-") else [flag, text]


def listed(names: Iterable[object], most: int = 8) -> str:
    texts = [str(name) for name in names]
    if not texts:
        return "nothing"
    return ", ".join(map(repr, texts[:most])) + ", …" * (len(texts) > most)


def normalised(name: str) -> str:
    """Return a name without what people vary: case, spaces, underscores, form of accents."""
    return re.sub(r"[\s_\-.]+", "", unicodedata.normalize("NFKC", name).casefold())


def in_small_letters(name: str) -> str:
    """Return a name as the contract writes its own: in small letters, without spaces around."""
    return name.strip().lower()


def is_exactly_called(name: str, *roles: str) -> bool:
    """Tell whether a whole name is one of some role; that of `doc.split` is none of its parts."""
    return any(in_small_letters(name) in NAMES[role] for role in roles)


def name_like(names: Iterable[str], word: str) -> str | None:
    """Return the first name that is a word but for its case; None where none is."""
    return next((name for name in names if in_small_letters(name) == word), None)


def is_called(name: str, *roles: str) -> bool:
    """Tell whether a name, or its last part, is one of some role, such as "labels"."""
    word = in_small_letters(name)
    # nested names are joined by dots: doc.label is a label
    last = word.rpartition(".")[2]
    return any(word in NAMES[role] or last in NAMES[role] for role in roles)


def all_called(names: Iterable[str], *roles: str) -> list[str]:
    """Return the names that are of some role, such as "labels", in their order."""
    return [name for name in names if is_called(name, *roles)]


def is_called_scores(name: str) -> bool:
    """Tell whether a name says scores, of whichever kind."""
    return kind_of(name) is not None or is_called(name, "scores")


def kind_of(name: str) -> ScoreKind | None:
    """Return the kind of scores that a name says; of ``model_logits`` and ``prob_`` as well."""
    low = in_small_letters(name)
    kinds: tuple[ScoreKind, ...]
    # log_prob says prob as well, and log_odds odds
    kinds = ("log-probabilities", "logits", "probabilities", "odds")
    for kind in kinds:
        if low in NAMES[kind] or PATTERNS[kind].search(low):
            return kind
    return None
