"""What a user says of a file, checked: the options of reading."""

# Mirrored by the answer desk, book/assets/desk/reading.js: change both.

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np

from calib_report.arrays import as_numpy
from calib_report.contract import OptionError, ReadingError, ScoreKind

MOST_ATOL = 0.05
KINDS: tuple[ScoreKind, ...] = get_args(ScoreKind)


class Condition(NamedTuple):
    """Rows where a column holds a value, typed as COLUMN=VALUE."""

    column: str
    value: str
    option: str = "where"  # that an error names

    @classmethod
    def parsed(cls, text: str, option: str = "where") -> "Condition":
        column, equals, value = text.partition("=")
        if not equals:
            raise OptionError(option, f"{text!r}, expected COLUMN=VALUE")
        return cls(column, value, option)

    def __str__(self) -> str:
        return f"{self.column}={self.value}"


# uses of an option, which its field declares
ALSO_WITHOUT_LABELS = "a file without labels needs it as well"
ALSO_FOR_CALIBRATION = (
    "a calibration set needs it as well, whatever its columns are called"
)
MAY_BE_TAKEN_BACK = "an error may show another value, or none"


def _uses(*uses: str) -> dict[str, tuple[str, ...]]:
    return {"uses": uses}


@dataclass(frozen=True)
class Options:
    """What the user says of a file; :func:`calib_report.read` describes each.

    What is () by default may be named several times.
    """

    y: str | None = None
    scores: str | None = field(default=None, metadata=_uses(ALSO_WITHOUT_LABELS))
    kind: ScoreKind | None = field(
        default=None, metadata=_uses(ALSO_WITHOUT_LABELS, ALSO_FOR_CALIBRATION)
    )
    pairs: bool | None = field(default=None, metadata=_uses(ALSO_FOR_CALIBRATION))
    predicted: str | None = field(
        default=None, metadata=_uses(MAY_BE_TAKEN_BACK, ALSO_FOR_CALIBRATION)
    )
    positive: str | None = field(
        default=None, metadata=_uses(MAY_BE_TAKEN_BACK, ALSO_FOR_CALIBRATION)
    )
    percent: float | None = field(
        default=None, metadata=_uses(ALSO_WITHOUT_LABELS, ALSO_FOR_CALIBRATION)
    )
    long: str | None = None
    class_axis: int | None = field(
        default=None, metadata=_uses(ALSO_WITHOUT_LABELS, ALSO_FOR_CALIBRATION)
    )
    classes: tuple[str, ...] | None = None
    labels: str | PathLike[str] | None = None
    labels_from: int | None = field(default=None, metadata=_uses(ALSO_FOR_CALIBRATION))
    calibration: str | None = None
    where: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    leave_out_empty: tuple[str, ...] = ()
    ignore_index: tuple[int, ...] = field(
        default=(), metadata=_uses(ALSO_FOR_CALIBRATION)
    )
    multilabel: bool = field(default=False, metadata=_uses(ALSO_FOR_CALIBRATION))
    atol: float | None = field(
        default=None, metadata=_uses(ALSO_WITHOUT_LABELS, ALSO_FOR_CALIBRATION)
    )
    yes: bool = False

    @classmethod
    def of(cls, **typed: Any) -> "Options":
        """Return options as a user may give them: one name or several, True for a hundred."""
        options: dict[str, Any] = {name: _as_tuple(name, typed) for name in SEVERAL}
        read = cls(**typed | options | _typed_alike(typed))
        read.check()
        return read.replaced(classes=class_names(read.classes))

    def check(self) -> None:
        """Raise ReadingError where an option is not what it should be."""
        for names, is_right, expected in EXPECTED:
            for name in names:
                self._expect(name, is_right, expected)
        for text in self.where:
            Condition.parsed(text)
        if self.yes and not self.say_all:
            problem = "only together with options that say all: --y and --scores"
            raise OptionError("yes", problem)

    def _expect(
        self, name: str, is_right: Callable[[Any], bool], expected: str
    ) -> None:
        value = getattr(self, name)
        if not is_right(value):
            # an array is shown in lines, and an error is one
            text = " ".join(repr(value).split())
            raise OptionError(name, f"{text:.60}, expected {expected}")

    @property
    def say_all(self) -> bool:
        """Whether the options name the labels and the scores."""
        names_labels = self.y is not None or self.labels is not None
        return names_labels and self.scores is not None

    def replaced(self, **changes: Any) -> "Options":
        """Return these options with others in the place of some."""
        return replace(self, **changes)

    def with_more(self, **changes: Any) -> "Options":
        """Return these options and others; what may be named several times is added to."""
        for name in changes.keys() & {*SEVERAL}:
            changes[name] = _each_once(getattr(self, name), changes[name])
        return self.replaced(**changes)

    def changed(self) -> dict[str, Any]:
        """Return what is said, by the names of the options."""
        return self.other_than(Options())

    def other_than(self, base: "Options") -> dict[str, Any]:
        """Return the options that have another value, or none, than in some others."""
        values = {name: getattr(self, name) for name in DEFAULTS}
        return {
            name: value
            for name, value in values.items()
            if value != getattr(base, name)
        }


DEFAULTS: dict[str, Any] = {option.name: option.default for option in fields(Options)}
# what may be named several times: one more is added to the others
SEVERAL = tuple(name for name, default in DEFAULTS.items() if default == ())


def _options_of_use(use: str) -> tuple[str, ...]:
    """Return the options that declare a use."""
    return tuple(
        option.name
        for option in fields(Options)
        if use in option.metadata.get("uses", ())
    )


OF_SCORES = _options_of_use(ALSO_WITHOUT_LABELS)
OF_CALIBRATION_SET = _options_of_use(ALSO_FOR_CALIBRATION)
TAKEN_BACK = _options_of_use(MAY_BE_TAKEN_BACK)


def _is_one_of(*values: object) -> Callable[[Any], bool]:
    return lambda value: value in values


def _is_of(types: Any) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, types)


def _is_number(value: Any) -> bool:
    # True is 1 for Python, and nobody means it
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return _is_number(value) and value % 1 == 0


def _is_place(value: Any) -> bool:
    return value is None or (isinstance(value, int) and _is_whole(value))


def _is_first_label(value: Any) -> bool:
    return value is None or (_is_number(value) and value in (0, 1))


def _is_tolerance(value: Any) -> bool:
    return value is None or (_is_number(value) and 0 <= value <= MOST_ATOL)


def _is_unit(value: Any) -> bool:
    return value is None or (_is_number(value) and 1 < value < 1e9)


def _are_names(value: Any) -> bool:
    return value is None or isinstance(value, PathLike) or hasattr(value, "__iter__")


def _are_texts(values: tuple[Any, ...]) -> bool:
    return all(isinstance(value, str) for value in values)


def _are_whole(values: tuple[Any, ...]) -> bool:
    return all(map(_is_whole, values))


NAMING = ("y", "scores", "predicted", "long", "calibration")
NAMING_SEVERAL = ("groups", "clusters", "ids", "ignore", "leave_out_empty")
# what each option may be, and how an error says it
EXPECTED: tuple[tuple[tuple[str, ...], Callable[[Any], bool], str], ...] = (
    (("kind",), _is_one_of(None, *KINDS), " or ".join(map(repr, KINDS))),
    (("atol",), _is_tolerance, f"at most {MOST_ATOL}, and not below 0"),
    (("multilabel", "yes"), _is_of(bool), "True or False"),
    (("pairs",), _is_of(bool | None), "True or False"),
    (NAMING, _is_of(str | None), "the name of an array or column"),
    (NAMING_SEVERAL, _are_texts, "names of columns"),
    (("where",), _are_texts, "COLUMN=VALUE"),
    (("percent",), _is_unit, "more than 1, as a number"),
    (("positive",), _is_of(str | None), "a label"),
    (("classes",), _are_names, "names"),
    (("labels",), _is_of(str | PathLike | None), "the path of a file"),
    (("labels_from",), _is_first_label, "0 or 1"),
    (("class_axis",), _is_place, "the number of an axis"),
    (("ignore_index",), _are_whole, "numbers of labels"),
)


def _typed_alike(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return a label as text, and the unit of probabilities as a number."""
    positive, percent = typed.get("positive"), typed.get("percent")
    # `--percent` alone means a hundred, as True does in Python; 0 is no unit, and refused
    if isinstance(percent, bool):
        percent = 100.0 if percent else None
    return {
        "positive": None if positive is None else str(positive),
        "percent": percent,
    }


def _as_tuple(name: str, typed: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what was typed of an option, one value or several, as a tuple."""
    value = typed.get(name)
    if value is None:
        return ()
    if name == "ignore_index":
        return tuple(np.ravel(as_numpy(value, name)).tolist())
    is_one = isinstance(value, str) or not hasattr(value, "__iter__")
    return (value,) if is_one else tuple(value)


def _each_once(values: tuple[Any, ...], more: Iterable[Any]) -> tuple[Any, ...]:
    """Return values with others behind them, each once."""
    return (*values, *(value for value in more if value not in values))


def options_of_new_files(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that a file of the same form without labels needs as well.

    Examples
    --------
    >>> options_of_new_files({"y": "gold", "scores": "conf", "predicted": "pred"})
    {'scores': 'conf'}
    """
    names = OF_SCORES
    # a confidence may say how sure an answer is, or how doubtful
    if typed.get("pairs") and typed.get("positive") is not None:
        names = (*OF_SCORES, "y", "pairs", "positive")
    return {name: typed[name] for name in names if typed.get(name) is not None}


def class_names(classes: Any) -> tuple[str, ...] | None:
    """Return names of classes: a sequence, or one text with commas, or a file of a name a line."""
    if classes is None:
        return None
    if isinstance(classes, str | PathLike):
        return _listed_names(classes)
    if hasattr(classes, "__iter__"):
        return tuple(map(str, classes))
    raise OptionError("classes", f"{classes!r:.60}, expected names")


def _listed_names(text: str | PathLike[str]) -> tuple[str, ...]:
    """Return the names in a text with commas, unless a file is called so, or in a file."""
    if isinstance(text, str) and "," in text and not Path(text).exists():
        return tuple(map(str.strip, text.split(",")))
    try:
        lines = Path(text).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ReadingError(f"{text}: not a text file: {error}") from None
    return tuple(filter(None, map(str.strip, lines)))
