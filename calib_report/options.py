"""What a user says of a file, checked: the options of reading."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from calib_report.arrays import as_numpy
from calib_report.contract import ReadingError

MOST_ATOL = 0.05
KINDS = ("logits", "probabilities", "log-probabilities", "odds")
OF_SCORES = (
    "scores",
    "kind",
    "percent",
    "class_axis",
    "atol",
)  # also of files without labels
SEVERAL = ("where", "groups", "clusters", "ids", "ignore", "leave_out_empty")


@dataclass(frozen=True)
class Options:
    """What the user says of a file; :func:`calib_report.read` describes each."""

    y: str | None = None
    scores: str | None = None
    kind: str | None = None
    pairs: bool | None = None
    predicted: str | None = None
    positive: str | None = None
    percent: float | None = None
    long: str | None = None
    class_axis: int | None = None
    classes: tuple[str, ...] | None = None
    labels: str | PathLike[str] | None = None
    labels_from: int | None = None
    calibration: str | None = None
    where: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    leave_out_empty: tuple[str, ...] = ()
    ignore_index: tuple[int, ...] = ()
    multilabel: bool = False
    atol: float | None = None
    yes: bool = False

    @classmethod
    def of(cls, **typed: Any) -> "Options":
        """Return options as a user may give them: one name or several, True for a hundred."""
        named = {name: value for name, value in typed.items() if name not in SEVERAL}
        for name in SEVERAL:
            named[name] = _names(typed.get(name))
        if named.get("positive") is not None:
            named["positive"] = str(named["positive"])
        percent = named.get("percent")
        # `--percent` alone means a hundred, as True does in Python
        named["percent"] = 100.0 if percent is True else percent or None
        index = named.get("ignore_index")
        # one number, a list or an array of them
        index = () if index is None else as_numpy(index, "ignore_index")
        named["ignore_index"] = tuple(np.ravel(index).tolist())
        options = cls(**named)
        options.check()
        return replace(options, classes=class_names(options.classes))

    def check(self) -> None:
        """Raise ReadingError where an option is not what it should be."""
        self._expect("kind", self.kind in (None, *KINDS), " or ".join(map(repr, KINDS)))
        right = self.atol is None or 0 <= self.atol <= MOST_ATOL
        self._expect("atol", right, f"at most {MOST_ATOL}")
        for name in ("multilabel", "yes"):
            self._expect(name, isinstance(getattr(self, name), bool), "True or False")
        for name in ("y", "scores", "predicted", "long", "calibration"):
            right = isinstance(getattr(self, name), str | None)
            self._expect(name, right, "the name of an array or column")
        self._expect(
            "percent", self.percent is None or 1 < self.percent < 1e9, "more than 1"
        )
        self._expect(
            "labels",
            isinstance(self.labels, str | PathLike | None),
            "the path of a file",
        )
        self._expect("labels_from", self.labels_from in (None, 0, 1), "0 or 1")
        self._expect(
            "class_axis",
            isinstance(self.class_axis, int | None),
            "the number of an axis",
        )
        for text in self.where:
            if "=" not in text:
                raise ReadingError(f"where: {text!r}, expected COLUMN=VALUE")
        if self.yes and not self.say_all:
            raise ReadingError(
                "yes: only together with options that say all: --y and --scores"
            )

    def _expect(self, name: str, right: bool, expected: str) -> None:
        if not right:
            value = " ".join(repr(getattr(self, name)).split())
            raise ReadingError(f"{name}: {value:.60}, expected {expected}")

    @property
    def say_all(self) -> bool:
        """Whether the options name the labels and the scores."""
        return (
            self.y is not None or self.labels is not None
        ) and self.scores is not None

    def but(self, **changes: Any) -> "Options":
        """Return other options; what may be named several times is added to."""
        for name in (*SEVERAL, "ignore_index"):
            if name in changes:
                more = changes[name]
                own = getattr(self, name)
                changes[name] = (*own, *(entry for entry in more if entry not in own))
        return replace(self, **changes)

    def changed(self) -> dict[str, Any]:
        """Return what is said, by the names of the options."""
        defaults = {field.name: field.default for field in fields(self)}
        return {
            n: getattr(self, n) for n, d in defaults.items() if getattr(self, n) != d
        }


def of_new_files(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that a file of the same form without labels needs as well.

    Examples
    --------
    >>> of_new_files({"y": "gold", "scores": "conf", "predicted": "pred"})
    {'scores': 'conf'}
    """
    names: tuple[str, ...] = OF_SCORES
    if (
        typed.get("pairs") and typed.get("positive") is not None
    ):  # how sure, or how doubtful
        names = (*OF_SCORES, "y", "pairs", "positive")
    return {name: typed[name] for name in names if typed.get(name) is not None}


def _names(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def class_names(classes: Any) -> tuple[str, ...] | None:
    """Return names of classes: a sequence, or one text with commas, or a file of a name a line."""
    if classes is None:
        return None
    if isinstance(classes, str | PathLike):
        return _listed_names(classes)
    if isinstance(classes, Sequence) or hasattr(classes, "__iter__"):
        return tuple(map(str, classes))
    raise ReadingError(f"classes: {classes!r:.60}, expected names")


def _listed_names(text: str | PathLike[str]) -> tuple[str, ...]:
    """Return the names in a text with commas, unless a file is called so, or in a file."""
    if isinstance(text, str) and "," in text and not Path(text).exists():
        return tuple(map(str.strip, text.split(",")))
    try:
        lines = Path(text).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ReadingError(f"{text}: not a text file: {error}") from None
    return tuple(filter(None, map(str.strip, lines)))
