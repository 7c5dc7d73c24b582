"""What report.json holds, in types; ``schema.json`` describes the same for other programs.

A report is put together in steps, and each step adds fields: a model as it is (`Measurement`),
after the recommended map (`AfterMap`), all that sentences rest on (`Basis`), and the sentences.
"""

from typing import Any, Literal, NotRequired, TypedDict, final

# rises where a field goes or changes its meaning; schema.json describes them
SCHEMA = 7
LackOfSamples = Literal["few", "one_class"]
NO_MAP = "none"  # its name in a comparison, and where no map is recommended


class Interval(TypedDict, total=False):
    """The ends of a 95 % interval, both or none."""

    low: float
    high: float


class Number(Interval):
    """A number, with its interval and what chance alone shows, where these are known."""

    value: float
    chance: NotRequired[float]
    chance_high: NotRequired[float]
    p_value: NotRequired[float]


Numbers = dict[str, Number]  # by their names, in the order of a page


class Change(Interval):
    """A mean paired difference with its interval."""

    difference: float


class Difference(Change):
    """A number of two models, second less first, as `calib compare --json` prints it."""

    first: float
    second: float
    refused: NotRequired[str]  # why it has no interval


@final
class TriedMap(TypedDict):
    """What a map, or none, does to held-out samples."""

    name: str
    n_parameters: int
    nll: float
    brier: float
    ece: float
    accuracy: float
    cost: NotRequired[float]
    one_mistake: float
    nll_from_best: Change
    nll_change: Change
    brier_change: Change
    accuracy_change: Change
    zeros: int


@final
class FailedMap(TypedDict):
    """A map that could not be fitted, and why."""

    name: str
    failed: str


MapRow = TriedMap | FailedMap


class Recommendation(TypedDict):
    """The map to use, or "none", why, and whether its gain is confirmed on held-out samples."""

    name: str
    reason: str
    confirmed: bool


# what a key of JSON is called may be a word of Python
BinRow = TypedDict(
    "BinRow",
    {
        "from": float,
        "to": float,
        "samples": int,
        "confidence": float,
        "accuracy": float,
        "part_of_ece": float,
        "says_little": bool,
    },
)
ClassRow = TypedDict(
    "ClassRow",
    {
        "class": str,
        "samples": int,
        "frequency": float,
        "mean_probability": float,
        "one_vs_rest_ece": float,
    },
)
Period = TypedDict(
    "Period",
    {
        "from": str,
        "to": str,
        "samples": int,
        "accuracy": float,
        "before": Number,
        "after": Number,
    },
)


class RiskRow(TypedDict):
    """Errors among the surest share of the answers, and the confidence where they begin."""

    kept: float
    before: float
    after: float
    threshold: float


class ShareAsked(TypedDict):
    """What is asked of declining: a share of answers to keep, or a share of errors allowed."""

    coverage: NotRequired[float]
    risk: NotRequired[float]


class Declining(TypedDict):
    """A confidence below which to decline, None where no answer can be kept, and what it gives."""

    asked: ShareAsked
    threshold: float | None
    kept: Number
    errors: Number | None
    at_most: float | None


class Mistake(TypedDict):
    """A confident mistake."""

    row: int
    id: str | None
    label: str
    prediction: str
    confidence: float


class GroupExcess(TypedDict):
    """The score less the hits of a group, with Holm's p-value and what is left of it by chance."""

    value: float
    low: float
    high: float
    p_value: float
    best_guess: float
    flagged: bool


class GroupRow(TypedDict):
    """A group, as it is and after the map."""

    group: str
    samples: int
    accuracy: float
    before: GroupExcess
    after: GroupExcess


class CostTable(TypedDict):
    """The mean cost of decisions; of two classes, from which probability on an alarm is cheaper."""

    before: Number
    after: Number
    change: Number
    constant: float
    constant_decision: str
    alarm: NotRequired[str]
    threshold: NotRequired[float]


class TimeTable(TypedDict):
    """Score less hits in order of time, and by how much it changes from first to last."""

    column: str
    periods: list[Period]
    trend_before: Number
    trend_after: Number


class Event(TypedDict):
    """The numbers of the event of two answers, as it is and after the map."""

    name: str
    before: Numbers
    after: Numbers


class AdviceRow(TypedDict):
    """A row of the table of advice: for whom, and which number, interval and method."""

    when: str
    have: str
    number: str
    interval: str
    chance: str
    method: str
    not_when: str
    sentence: str
    chapters: list[str]
    choices: NotRequired[list[str]]


class FileDigest(TypedDict):
    """A file, and the checksum of its bytes."""

    name: str
    sha256: str


class Provenance(TypedDict):
    """What an auditor asks first: which files, how many rows, when, by what."""

    files: list[FileDigest]
    rows: int
    date: str
    version: str
    command: str | None


class Measurement(TypedDict):
    """A model as it is."""

    n: int
    n_classes: int
    task: str
    kind: str
    clusters: int | None
    calibration_n: int
    mean_confidence: float
    hit_rate: float
    excess: Number
    floor: float | None
    before: Numbers
    bins: list[BinRow]
    classes: list[ClassRow]
    looks_wrong: str | None
    lack_of_samples: LackOfSamples | None  # to judge a map by


class RequestedNumbers(TypedDict, total=False):
    """What only some reports hold: the answers to what was asked, and the one temperature."""

    costs: CostTable
    temperature: float
    declined: Declining
    time: TimeTable


class AfterMap(RequestedNumbers):
    """What the recommended map does, and what is asked of decisions by it."""

    after: Numbers
    bins_after: list[BinRow]
    risk: list[RiskRow]
    mistakes: list[Mistake]
    groups: dict[str, list[GroupRow]]


class Basis(Measurement, AfterMap):
    """All that the sentences of a report rest on."""

    schema: int
    seed: int
    folds: int
    comparison: list[MapRow]
    recommended: Recommendation
    event: Event | None
    other: Numbers
    map: dict[str, Any] | None
    read_as: str
    notes: list[str]


class ReportNumbers(Basis):
    """All numbers of a report, and what they come to in words."""

    decision: str
    sentence: str
    advice: list[AdviceRow]


class ReportFile(ReportNumbers):
    """The content of report.json, in which None stands for what is infinite."""

    provenance: Provenance
