"""What a report decides by its numbers, and on what that rests; `wording.words` says it."""

# Mirrored by the answer desk, book/assets/desk/words.js: change both.

from dataclasses import dataclass
from typing import Literal

import numpy as np

from calib_report.deciding.comparison_of_maps import maps_tried
from calib_report.limits import FEWEST_SAMPLES, FEWEST_TO_TELL, SIGNIFICANCE_LEVEL
from calib_report.measuring.estimates import is_beyond_chance
from calib_report.measuring.event import event_of_classes, excess_of_event
from calib_report.schema import NO_MAP, Basis, TriedMap

SMALL_ERROR = 0.02  # calibration error that harms nobody
BEARABLE = 0.08  # one that may be left unseen, if it is said
TELLING = 0.05  # one that enough samples would show

# by its name `texts.toml` has the sentence
Conclusion = Literal[
    "suspect",
    "cannot_tell",
    "confirmed",
    "unconfirmed",
    "care",
    "as_it_is",
    "bearable",
]


@dataclass(frozen=True)
class Lack:
    """Of samples that cannot tell: why, how many would, and what they show already.

    Attributes
    ----------
    n : int
        Samples, or clusters of them.
    why : {"alike", "more_needed", "shown"}
        All of them are right, or none; more are needed; they show the side alone.
    needed : int
        How many would show an error of five points.
    side : {"over", "under", None}
        To which side the model is off, where they show it.
    """

    n: int
    why: Literal["alike", "more_needed", "shown"]
    needed: int
    side: Literal["over", "under"] | None = None


@dataclass(frozen=True)
class Decision:
    """What a report decides, and on what it rests.

    Attributes
    ----------
    conclusion : str
        What to do with the scores, or why that cannot be told.
    chance_explains_all : bool
        Whether chance explains the error, and how far an event is off.
    chance_explains_error : bool
        Whether chance explains the error alone.
    unseen : float
        The error that would not show.
    is_of_answers : bool
        Whether the answers to an event are further off than its mean probability.
    is_event_off : bool
        Whether the mean probability of an event is off by more than chance.
    costs_accuracy : bool
        Whether the recommended map costs accuracy, by more than chance.
    lack : Lack or None
        Where samples cannot tell.
    """

    conclusion: Conclusion
    chance_explains_all: bool
    chance_explains_error: bool
    unseen: float
    is_of_answers: bool
    is_event_off: bool
    costs_accuracy: bool
    lack: Lack | None

    @property
    def is_for_a_map(self) -> bool:
        return self.conclusion in ("confirmed", "unconfirmed")


def decide(report: Basis) -> Decision:
    """Return what a report decides."""
    error, excess = report["before"]["ECE"], excess_of_event(report)
    chance_explains_error = error["p_value"] > SIGNIFICANCE_LEVEL
    # an event without an interval says nothing, neither for chance nor against
    chance_explains_all = chance_explains_error and not is_beyond_chance(excess)
    unseen = max(error["high"], abs(excess.get("low", 0)), abs(excess.get("high", 0)))
    conclusion = _conclusion(report, chance_explains_all, unseen)
    return Decision(
        conclusion=conclusion,
        chance_explains_all=chance_explains_all,
        chance_explains_error=chance_explains_error,
        unseen=unseen,
        is_of_answers=_is_of_answers(report, chance_explains_all),
        is_event_off=is_beyond_chance(excess),
        costs_accuracy=_costs_accuracy(report),
        lack=lack_of(report, unseen) if conclusion == "cannot_tell" else None,
    )


def _conclusion(report: Basis, chance_explains_all: bool, unseen: float) -> Conclusion:
    """Return what to do: of a file that looks wrong nothing else is judged."""
    if report["looks_wrong"]:
        return "suspect"
    if report["lack_of_samples"] is not None:
        return "cannot_tell"
    if report["recommended"]["name"] != NO_MAP:
        return "confirmed" if report["recommended"]["confirmed"] else "unconfirmed"
    return _conclusion_without_a_map(chance_explains_all, unseen)


def _conclusion_without_a_map(chance_explains_all: bool, unseen: float) -> Conclusion:
    """Return what to do with a model that no map is recommended for, by its error."""
    if not chance_explains_all:
        return "care"
    if unseen <= SMALL_ERROR:
        return "as_it_is"
    # what a few samples leave open may be more than anybody would bear
    return "bearable" if unseen <= BEARABLE else "cannot_tell"


def _is_of_answers(report: Basis, chance_explains_all: bool) -> bool:
    """Tell whether the answers to an event are off, and further than its mean probability is."""
    is_fine = chance_explains_all and report["recommended"]["name"] == NO_MAP
    if is_fine or event_of_classes(report) is None:
        return False
    excess = excess_of_event(report)
    return bool(abs(report["excess"]["value"]) > abs(excess["value"]))


def _costs_accuracy(report: Basis) -> bool:
    """Tell whether the recommended map lowers the accuracy by more than chance."""
    if report["task"] != "classes":
        return False
    row = row_of_map(report)
    return bool(row["accuracy_change"].get("high", 0) < 0)


def row_of_map(report: Basis) -> TriedMap:
    """Return what the comparison says of the recommended map, or of none."""
    name = report["recommended"]["name"]
    return next(row for row in maps_tried(report["comparison"]) if row["name"] == name)


def lack_of(report: Basis, unseen: float) -> Lack:
    """Return why samples cannot tell, and how many would."""
    n = report["clusters"] or report["n"]
    needed = _samples_needed(n, unseen)
    if report["lack_of_samples"] is None:
        return Lack(n, "more_needed", needed)
    if report["lack_of_samples"] == "one_class":
        return Lack(n, "alike", needed)
    side = _side_shown(report) if n >= FEWEST_TO_TELL else None
    return Lack(n, "more_needed" if side is None else "shown", needed, side)


def _samples_needed(n: int, unseen: float) -> int:
    """Return how many samples would show an error of five points, with two digits."""
    needed = max(n * (min(unseen, 1.0) / TELLING) ** 2, 1.1 * n, FEWEST_SAMPLES)
    digit = 10 ** max(int(np.log10(needed)) - 1, 0)
    # 1.1 * 200 is a little more than 220
    return int(np.ceil(np.round(needed / digit, 9)) * digit)


def _side_shown(report: Basis) -> Literal["over", "under"] | None:
    """Return to which side a model is off, where few samples show it.

    The interval of a mean is too short where all or nearly all answers are right: the accuracy's
    own, Wilson's, has to leave out the mean confidence as well.
    """
    is_of_labels = report["task"] == "labels"
    share = report["before"]["share of yes" if is_of_labels else "accuracy"]
    excess = report["excess"]
    are_alike = share["value"] in (0, 1)
    if are_alike or share["low"] <= report["mean_confidence"] <= share["high"]:
        return None
    if not is_beyond_chance(excess):
        return None
    return "over" if excess["value"] > 0 else "under"
