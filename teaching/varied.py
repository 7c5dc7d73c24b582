"""The questions of the exam whose numbers differ from seed to seed.

Each function draws its numbers from a generator and returns text, right answer, and three wrong
answers with the reason why somebody arrives at each.
"""

from itertools import product
from math import ceil, log, prod, sqrt

QUESTIONS = {}


def question(number: int, chapter: str, level: str):
    """Enter a function into the bank."""

    def keep(function):
        QUESTIONS[number] = chapter, level, function
        return function

    return keep


def percent(value: float, digits: int = 1) -> str:
    return f"{100 * value:.{digits}f} %"


@question(4, "measure/what-calibration-means", "apply")
def second_case(rng):
    a, b = rng.choice([0.6, 0.65, 0.7]), rng.choice([0.75, 0.8, 0.85])
    first = b + 0.05
    right = a + b - first
    text = (
        f"A network says {a:g} or {b:g}, equally often. When it says {b:g} it is right with probability "
        f"{first:g}. With which probability must it be right when it says {a:g}, so that its mean "
        "confidence equals its accuracy?"
    )
    return text, f"{right:.2f}", [
        (f"{a:.2f}", "Then the accuracy is above the mean confidence."),
        (f"{right + 0.1:.2f}", "The error was carried over with the wrong sign."),
        (f"{(a + b) / 2:.2f}", "That is the mean confidence itself."),
    ]  # fmt: skip


@question(9, "measure/reliability-diagrams", "apply")
def standard_error(rng):
    n, s = int(rng.choice([25, 100, 400])), float(rng.choice([0.5, 0.8, 0.9]))
    error = sqrt(s * (1 - s) / n)
    text = (
        f"A bin holds {n} samples of a calibrated network, each with the score {s:g}. What is the "
        "standard deviation of its accuracy?"
    )
    return text, f"{error:.3f}", [
        (f"{s * (1 - s) / n:.4f}", "The variance; the root is missing."),
        (f"{sqrt(s * (1 - s)):.3f}", "That of one sample; divide by the root of n."),
        (f"{1.96 * error:.3f}", "About half the width of the whisker: two standard deviations."),
    ]  # fmt: skip


@question(10, "measure/ece-and-mce", "apply")
def three_bins(rng):
    counts = [int(rng.integers(2, 5)), int(rng.integers(5, 9)), int(rng.integers(7, 12))]
    confidences = [0.55, 0.75, 0.9]
    hits = [1, counts[1] - 2, counts[2] - 3]
    gaps = [h - n * c for h, n, c in zip(hits, counts, confidences, strict=True)]
    total = sum(counts)
    rows = "; ".join(
        f"{n} predictions with mean confidence {c:g}, {h} right"
        for n, c, h in zip(counts, confidences, hits, strict=True)
    )
    means = [abs(g) / n for g, n in zip(gaps, counts, strict=True)]
    right = sum(map(abs, gaps)) / total
    text = f"Three bins hold all predictions: {rows}. What is the ECE?"
    return text, f"{right:.3f}", [
        (f"{sum(means) / 3:.3f}", "The plain mean of the gaps; they have to be weighted by the counts."),
        (f"{max(means):.3f}", "The largest gap is the MCE."),
        (f"{sum(map(abs, gaps)) / 3:.3f}", "Divided by the number of bins instead of predictions."),
    ]  # fmt: skip


@question(14, "measure/ece-and-mce", "apply")
def merged(rng):
    n = int(rng.choice([10, 20, 40]))
    up, down = 0.2, -0.1
    text = (
        f"Two neighbouring bins hold {n} samples each. The gap, accuracy less confidence, is {up:+g} in "
        f"one and {down:+g} in the other. What do the two contribute to the mean gap of these {2 * n} "
        "samples apart, and merged?"
    )
    return text, "0.15 apart, 0.05 merged", [
        ("0.15 apart, 0.15 merged", "True if both gaps had one sign."),
        ("0.05 apart, 0.15 merged", "Merging never raises it."),
        ("0.30 apart, 0.10 merged", "Sums; the mean divides by two."),
    ]  # fmt: skip


@question(22, "measure/without-bins", "apply")
def ks(rng):
    high = float(rng.choice([0.7, 0.8, 0.9]))
    low = round(1 - high, 1)
    text = (
        f"Four samples: scores {low:g}, 0.4, 0.6, {high:g} with hits 1, 0, 0, 1. What is the KS "
        "calibration error?"
    )
    steps = [1 - low, -0.4, -0.6, 1 - high]
    sums = [sum(steps[: i + 1]) for i in range(4)]
    right = max(map(abs, sums)) / 4
    return text, f"{right:.3f}", [
        (f"{4 * right:.3f}", "Not divided by n."),
        (f"{sum(map(abs, steps)) / 4:.3f}", "The mean of the absolute gaps: the ECE with a bin for each."),
        (f"{abs(sums[-1]) / 4:.3f}", "The last cumulative sum is accuracy less mean score."),
    ]  # fmt: skip


@question(25, "measure/proper-scores", "apply")
def log_loss(rng):
    q = float(rng.choice([0.6, 0.7, 0.8]))
    cost = -q * log(q) - (1 - q) * log(1 - q)
    text = f"You believe in rain with probability {q:g} and say so. Which log loss (nats) do you expect?"
    return text, f"{cost:.2f}", [
        (f"{-log(q):.2f}", "The loss if it rains; it may not."),
        (f"{q * (1 - q):.2f}", "The expected squared error."),
        (f"{-log(1 - q):.2f}", "The loss if it does not rain."),
    ]  # fmt: skip


@question(27, "measure/proper-scores", "apply")
def reliability(rng):
    said, truth = float(rng.choice([0.9, 0.95])), float(rng.choice([0.7, 0.75, 0.8]))
    text = (
        f"A network says {said:g} to everything and is right in {percent(truth, 0)} of the cases. What is "
        "the reliability term of its squared error?"
    )
    return text, f"{(said - truth) ** 2:.4f}", [
        (f"{said - truth:.4f}", "The gap; it enters squared."),
        (f"{truth * (1 - truth):.4f}", "The uncertainty."),
        (f"{(said - truth) ** 2 + truth * (1 - truth):.4f}", "The whole score."),
    ]  # fmt: skip


@question(29, "measure/how-sure-is-the-number", "apply")
def chance_level(rng):
    n = int(rng.choice([100, 400, 1600]))
    level = sqrt(2 / 3.14159265) * 0.5 / sqrt(n)
    text = (
        f"A calibrated forecaster says 0.5 to all of {n} cases. Which ECE do you expect? (The mean "
        "absolute value of a normal variable is 0.80 standard deviations.)"
    )
    return text, percent(level), [
        (percent(0), "That is the true error."),
        (percent(0.5 / sqrt(n)), "The standard deviation, without the factor 0.80."),
        (percent(level / sqrt(n)), "Divided by n instead of its root."),
    ]  # fmt: skip


@question(30, "measure/how-sure-is-the-number", "apply")
def more_images(rng):
    start, times = int(rng.choice([1000, 2000, 5000])), int(rng.choice([3, 4, 5]))
    text = (
        f"The chance level of an ECE is {times} times too high with {start} images. About how many images "
        "are needed?"
    )
    return text, f"{start * times**2}", [
        (f"{start * times}", "It falls with the root of n."),
        (f"{round(start * sqrt(times))}", "The root was taken the wrong way."),
        (f"{start * times**3}", "A cube root is for the number of bins."),
    ]  # fmt: skip


@question(37, "recalibrate/temperature-scaling", "apply")
def two_classes(rng):
    a, q = float(rng.choice([3, 4, 6])), float(rng.choice([0.75, 0.8, 0.9]))
    right = a / log(q / (1 - q))
    text = (
        f"A binary network outputs the logits ({a:g}, 0) for every sample; {percent(q, 0)} of them are of "
        "the first class. What is the best temperature?"
    )
    return text, f"{right:.2f}", [
        (f"{log(q / (1 - q)) / a:.2f}", "Upside down: that is 1/T."),
        (f"{a * q:.2f}", "Not the log-odds of the frequency."),
        (f"{a / q:.2f}", "The frequency instead of its log-odds."),
    ]  # fmt: skip


@question(43, "recalibrate/binning-isotonic-bbq", "apply")
def pooling(rng):
    zeros = int(rng.integers(2, 4))
    hits = [0, 1, *[0] * zeros, 1, 1]
    value = 1 / (1 + zeros)
    text = (
        f"Samples in order of their scores have the hits {', '.join(map(str, hits))}. Which value does "
        "isotonic regression give to the second sample?"
    )
    return text, f"{value:.2f}", [
        ("1.00", "Its own hit; it violates the order with those behind it."),
        (f"{1 / (2 + zeros):.2f}", "The first miss is pooled only if its mean is not below."),
        (f"{3 / (3 + zeros):.2f}", "The last hits stay apart, their mean is higher."),
    ]  # fmt: skip


@question(45, "recalibrate/platt-to-dirichlet", "apply")
def price(rng):
    classes = int(rng.choice([10, 20, 50]))
    limit = float(rng.choice([0.01, 0.005]))
    need = (classes**2 - 1) / (2 * limit)
    text = (
        f"How many calibration samples does matrix scaling of {classes} classes need to lose about "
        f"{limit:g} nats by over-fitting?"
    )
    return text, f"{need:.0f}", [
        (f"{(2 * classes - 1) / (2 * limit):.0f}", "The parameters of vector scaling."),
        (f"{(classes**2 - 1) / limit:.0f}", "The factor one half is missing."),
        (f"{1 / (2 * limit):.0f}", "One parameter: temperature scaling."),
    ]  # fmt: skip


@question(50, "recalibrate/trained-to-be-calibrated", "apply")
def smoothing(rng):
    alpha, classes = float(rng.choice([0.05, 0.1, 0.2])), int(rng.choice([5, 10, 20]))
    top = 1 - alpha + alpha / classes
    text = (
        f"Label smoothing with alpha = {alpha:g} and {classes} classes, fitted without error. To which "
        "confidence does the loss drive the network?"
    )
    return text, f"{top:.3f}", [
        (f"{1 - alpha:.3f}", "The label gets its share of alpha as well."),
        ("1.000", "That is cross-entropy."),
        (f"{alpha / classes:.3f}", "The target of the other classes."),
    ]  # fmt: skip


@question(52, "recalibrate/decisions", "apply")
def threshold(rng):
    error, review = int(rng.choice([40, 50, 80])), int(rng.choice([2, 4, 5]))
    right = 1 - review / error
    text = (
        f"A wrong answer that is accepted costs {error} euro, a review {review} euro and finds the truth. "
        "From which probability of being right should an answer be accepted?"
    )
    return text, f"{right:.3f}", [
        (f"{review / error:.3f}", "One less it: that is the probability of an error."),
        ("0.500", "Both costs would have to be such that it is."),
        (f"{error / (error + review):.3f}", "A review is paid in any case; the costs are not alternatives of one bet."),
    ]  # fmt: skip


@question(55, "promises/against-whom", "apply")
def people(rng):
    one, two = float(rng.choice([0.9, 0.95])), float(rng.choice([0.6, 0.7]))
    mean = (1 - one + 1 - two) / 2
    text = (
        f"On two images {percent(one, 0)} and {percent(two, 0)} of the people name the majority's class, and "
        "a network says just that. By how much is it underconfident against the majority?"
    )
    return text, f"{mean:.3f}", [
        ("0.000", "That is its gap against a random person."),
        (f"{1 - one * two:.3f}", "Products belong to nothing here."),
        (f"{(one + two) / 2:.3f}", "Its mean confidence."),
    ]  # fmt: skip


@question(57, "promises/sets-and-abstention", "apply")
def least_images(rng):
    c = float(rng.choice([0.9, 0.95, 0.98]))
    n = round(c / (1 - c))
    text = (
        f"How many calibration images does a conformal set with coverage {percent(c, 0)} need at least for a "
        "finite threshold?"
    )
    return text, f"{n}", [
        (f"{n + 1}", "The rank (n + 1) c may be n itself."),
        (f"{round(1 / (1 - c) ** 2)}", "No root is taken anywhere."),
        ("1", "Then every set holds all classes."),
    ]  # fmt: skip


@question(61, "promises/sets-and-abstention", "apply")
def threshold_rank(rng):
    n, c = int(rng.choice([20, 30, 50])), float(rng.choice([0.8, 0.9]))
    text = (
        f"{n} calibration scores are sorted, the smallest first. Which of them is the threshold of a "
        f"conformal set with coverage {percent(c, 0)}?"
    )
    return text, f"number {ceil((n + 1) * c)}", [
        (f"number {round(n * c)}", "The new score is one of n + 1, not of n."),
        (f"number {n}", "Then the coverage is n / (n + 1), more than was asked for."),
        (f"number {round(n * (1 - c))}", "Counted from the wrong end."),
    ]  # fmt: skip


@question(62, "promises/a-moving-world", "apply")
def new_prior(rng):
    said, old = float(rng.choice([0.3, 0.4, 0.5])), float(rng.choice([0.1, 0.2]))
    new = old / 10
    odds = said / (1 - said) * new / old * (1 - old) / (1 - new)
    text = (
        f"A calibrated test says {percent(said, 0)} in a town where {percent(old, 0)} are sick. What should it "
        f"say where {percent(new, 0)} are, if the sick and the healthy look the same in both?"
    )
    return text, percent(odds / (1 + odds)), [
        (percent(said / 10), "The odds are divided, not the probability; the healthy are more."),
        (percent(new), "Then the test would tell nothing."),
        (percent(said), "That promise was made for the first town."),
    ]  # fmt: skip


@question(66, "language/confidence", "apply")
def agreement(rng):
    top = float(rng.choice([0.5, 0.6, 0.7]))
    shares = [top, (1 - top) / 2, (1 - top) / 2]
    drawn = product(range(3), repeat=3)
    expected = sum(prod(shares[i] for i in d) * max(map(d.count, d)) / 3 for d in drawn)
    text = (
        f"A model gives the answers A, B, C with probabilities {top:g}, {shares[1]:g}, {shares[1]:g}. It is "
        "asked three times. What is the expected share of its most frequent answer?"
    )
    return text, f"{expected:.3f}", [
        (f"{top:.3f}", "The expected share of A; the largest of three noisy shares is larger."),
        (f"{top**3:.3f}", "The probability that all three are A."),
        (f"{1 / 3:.3f}", "The least that it can be."),
    ]  # fmt: skip


@question(67, "language/calibrated", "apply")
def constant_confidence(rng):
    said, low = float(rng.choice([0.85, 0.9, 0.95])), float(rng.choice([0.3, 0.4]))
    high = low + float(rng.choice([0.2, 0.3]))
    text = (
        f"Two models say {said:g} to every question. One is right in {percent(low, 0)} of its answers, the "
        f"other in {percent(high, 0)}. By how much is the ECE of the second lower?"
    )
    return text, f"{high - low:.2f}", [
        ("0.00", "Neither knows anything of itself, but the gap to the accuracy shrinks."),
        (f"{said - high:.2f}", "That is the ECE of the second."),
        (f"{said - low:.2f}", "That is the ECE of the first."),
    ]  # fmt: skip


@question(69, "language/repair", "apply")
def skill(rng):
    right, brier = float(rng.choice([0.6, 0.7, 0.8])), float(rng.choice([0.12, 0.14, 0.15]))
    ignorant = right * (1 - right)
    text = (
        f"A model answers {percent(right, 0)} of the questions rightly; the Brier score of its confidence is "
        f"{brier:g}. What is its skill beyond the constant that says the accuracy?"
    )
    return text, f"{1 - brier / ignorant:.2f}", [
        (f"{1 - brier:.2f}", "Compared with a forecaster who is always wrong and sure."),
        (f"{brier / ignorant:.2f}", "The share that is left, not the share that is gained."),
        (f"{1 - brier / right:.2f}", "The constant's Brier score is a (1 − a)."),
    ]  # fmt: skip
