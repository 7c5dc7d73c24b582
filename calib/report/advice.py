"""What to report and what to do: one table, which the report follows and the book shows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from calib.report.measurement import ECE_INTERVAL

CHAPTERS = {
    "ece-and-mce": "ECE and MCE",
    "every-class-counts": "Every class counts",
    "proper-scores": "Proper scores",
    "how-sure-is-the-number": "How sure is the number",
    "intervals-and-comparisons": "Intervals and comparisons",
    "temperature-scaling": "Temperature scaling",
    "choosing-a-method": "Choosing a method",
    "decisions": "Decisions",
    "groups": "For whom? Groups",
    "sets-and-abstention": "Sets and abstention",
    "a-moving-world": "When the world moves",
    "language-confidence": "What is the confidence of a language model?",
    "language-repair": "Can it be repaired?",
}


@dataclass(frozen=True)
class Situation:
    """What one has, what to report of it, and what to do.

    `applies` tells from the facts of a report whether this is such a case. `number` is to be
    reported with the `interval`, beside the `chance` level; `method` to be done, but `not_when`.
    The `sentence` is to be pasted into a paper, with what stands in braces filled in; `chapters`,
    keys of `CHAPTERS`, derive it.
    """

    have: str
    applies: Callable[[dict[str, Any]], bool]
    number: str
    interval: str
    chance: str
    method: str
    not_when: str
    sentence: str
    chapters: tuple[str, ...]


SITUATIONS = (
    Situation(
        "fewer than 100 samples, or clusters",
        lambda facts: facts["units"] < 100,
        "accuracy, and mean confidence less accuracy",
        "Wilson's for the accuracy",
        "none: an ECE would be mostly chance",
        "collect more; fit nothing",
        "no map, no ECE, no diagram is worth showing",
        "On {n} samples the accuracy is {accuracy}; too few to judge the calibration.",
        ("how-sure-is-the-number",),
    ),
    Situation(
        "100 to 1000 samples",
        lambda facts: 100 <= facts["units"] < 1000,
        "NLL and Brier score, the ECE beside its chance level",
        f"of a mean for the losses; for the ECE {ECE_INTERVAL}",
        "the ECE of a calibrated model with these confidences",
        "temperature scaling, by cross-validation",
        "maps with a number for each class",
        "The ECE (15 bins) is {ece}, where a calibrated model would show {chance}; NLL {nll}.",
        ("how-sure-is-the-number", "temperature-scaling"),
    ),
    Situation(
        "1000 samples or more, up to 100 classes",
        lambda facts: (
            facts["task"] == "classes" and facts["units"] >= 1000 and facts["n_classes"] <= 100
        ),
        "NLL, Brier score, ECE and classwise ECE, each beside its chance level",
        f"of a mean for the losses; for the ECE {ECE_INTERVAL}; none for the classwise error",
        "the same errors of a calibrated model",
        "the smallest map whose gain in NLL is clear on held-out samples: mostly temperature "
        "scaling, then vector or structured matrix scaling",
        "when no map lowers the NLL by more than chance",
        "The ECE (15 bins) is {ece} (chance level {chance}) and {after} after {map}, on held-out "
        "samples; NLL {nll}.",
        ("ece-and-mce", "choosing-a-method"),
    ),
    Situation(
        "more than 100 classes",
        lambda facts: facts["n_classes"] > 100,
        "NLL, ECE of the top label; classwise ECE only beside its chance level",
        f"of a mean for the losses; for the ECE {ECE_INTERVAL}",
        "most of a classwise ECE is chance: with K classes it has 15 K bins",
        "temperature scaling",
        "vector and matrix scaling, unless there are hundreds of samples a class",
        "The top-label ECE (15 bins) is {ece} (chance level {chance}), and {after} after {map}.",
        ("every-class-counts", "choosing-a-method"),
    ),
    Situation(
        "two classes, and a decision with known costs",
        lambda facts: facts["costs"],
        "expected cost at the threshold that the costs give",
        "of a mean, paired for the change",
        "the cost of the best constant decision",
        "calibrate, then compare with the threshold",
        "at the threshold 0.5, unless both errors cost the same; where costs differ from sample to "
        "sample, compare the mean cost of each decision instead",
        "At the threshold {threshold} the mean cost is {cost}.",
        ("decisions",),
    ),
    Situation(
        "the right to decline an answer",
        lambda facts: facts["task"] != "labels",
        "errors among the surest 90 %, the risk-coverage curve",
        "Wilson's",
        "a random order, whose risk is flat",
        "rank by confidence; a temperature changes the order little or, of two classes, not at all",
        "recalibration to rank better: a monotone map of the score keeps the order",
        "Declining the least sure 10 % lowers the error from {error} to {kept}.",
        ("sets-and-abstention",),
    ),
    Situation(
        "a promise to keep: sets that hold the label",
        lambda facts: facts["sets"] is not None,
        "mean size and coverage of conformal sets",
        "of a mean",
        "the promised coverage, which holds without calibration",
        "split conformal sets from the probabilities",
        "when samples to come are not like these; it holds on average, not for each group",
        "Sets that hold the label {coverage} of the time have {size} classes on average.",
        ("sets-and-abstention",),
    ),
    Situation(
        "groups: hospitals, languages, subjects",
        lambda facts: facts["grouped"],
        "signed gap of each group",
        "of a mean",
        "Holm's correction: of many groups one is off by chance",
        "one map for all, then look again; then a temperature for each group, where held-out "
        "samples say that it helps: a hundred samples a group can be enough",
        "ranking groups by their gap",
        "Of {groups} groups, {flagged} depart from calibration after Holm's correction.",
        ("groups",),
    ),
    Situation(
        "samples that belong together: pixels of an image, questions on a text",
        lambda facts: facts["clustered"],
        "the same numbers",
        "resampled by cluster, never by sample",
        "gaps whose sign is drawn for each cluster",
        "folds that never split a cluster",
        "intervals by pixel: they are far too narrow",
        "Intervals resample whole clusters ({units} of them).",
        ("intervals-and-comparisons",),
    ),
    Situation(
        "several labels a sample",
        lambda facts: facts["task"] == "labels",
        "one yes-or-no problem a label: error of each and of all together",
        "resampled by sample",
        "Holm's correction over the labels",
        "a map for all labels together, or one for each label that has 100 samples of either kind",
        "the top-label ECE, which does not see the other labels",
        "Pooled over {groups} labels the ECE is {ece} (chance level {chance}).",
        ("every-class-counts",),
    ),
    Situation(
        "a confidence and whether it was right, nothing else",
        lambda facts: facts["task"] == "pairs",
        "ECE, Brier score, skill and AUROC of the pairs, errors among the surest",
        f"of a mean; for the ECE {ECE_INTERVAL}",
        "the ECE of a calibrated source with these confidences",
        "a map of one score, fitted on other questions",
        "class by class, sets, new priors, other costs than right or wrong: pairs do not know them",
        "Stated confidence: ECE {ece} (chance level {chance}), Brier score of the pairs {brier}.",
        ("language-confidence", "language-repair"),
    ),
    Situation(
        "class frequencies that will change",
        lambda facts: facts["priors"],
        "the same numbers, samples weighted by new over old frequency",
        "of a weighted mean",
        "as before",
        "calibrate with an offset for each class, then multiply by new over old frequency and "
        "normalise",
        "for a model that is not calibrated, or when the classes themselves look different",
        "Re-priored to the new frequencies the NLL is {priors}.",
        ("a-moving-world",),
    ),
)
