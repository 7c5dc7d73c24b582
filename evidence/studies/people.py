"""Compute real.csv, people.csv, entropy.csv and truth.csv: calibrated against whom?

`python -m evidence.studies studies.people` from the root. A truth may be a label, the set of labels
that people accept (ReaL), the shares of many people's labels (CIFAR-10H, ChaosNLI), or a true
probability (LifeEval). Gaps are confidence less share: positive is overconfident.
"""

import json

import numpy as np
from scipy.stats import entropy, spearmanr

import calib
from evidence import load_source, source_names
from evidence.language.originals import load_answer_source
from evidence.sources import read_source
from evidence.studies.extra import against
from evidence.studies.pieces import compute_pieces, generator

N_RESAMPLES = 1000
PAIRED = "imagenet-validation"  # the order of the files that ReaL can be joined to
N_IMAGES, N_CLASSES = 50_000, 1000
TRUTH_SOURCES = (
    *("kerrigan-cifar10-resnet110", "kerrigan-cifar10-densenet-bc-190-40"),
    *("baan-snli-roberta-s0", "baan-mnli-roberta-s0"),
    *("lifeeval gpt-4o", "lifeeval deepseek-v3", "lifeeval deepseek-r1"),
)
SIZE = 1000
N_REPEATS = 100
ESTIMATORS = {
    "ece": calib.ece,
    "ece_mass": lambda y, p, **o: calib.calibration_error(y, p, bins=calib.equal_mass(15), **o),
    "debiased_ece": lambda y, p, **o: calib.debiased_ece(y, p, norm="l1", **o),
    "ks": calib.ks_error,
    "smooth_ece": calib.smooth_ece,
    "kde_ece": calib.kde_ece,
}
AIMS = {"debiased_ece": "ece_mass"}  # what an estimator estimates, where it is not its own value


def accepted_labels():
    """Which classes people accept for each image, shape (n, K), in the order of the networks."""
    by_name = json.loads(read_source("imagenet.real"))
    paths = json.loads(read_source("imagenet.paths"))
    number = [int(path.removesuffix(".JPEG").rsplit("_", 1)[1]) for path in paths]
    if sorted(number) != list(range(1, N_IMAGES + 1)) or len(by_name) != N_IMAGES:
        raise ValueError("imagenet.paths: expected each of the validation images once")
    accepted = np.zeros((N_IMAGES, N_CLASSES), bool)
    for row, i in enumerate(number):
        accepted[row, by_name[i - 1]] = True
    return accepted


def judged(labels, score, truth):
    """One row: a score against a truth, a share or a hit."""
    gap, rng = score - truth, generator(*labels.values())
    options = {"n_resamples": N_RESAMPLES, "rng": rng}
    estimate = calib.bootstrap_statistic(lambda rows: gap[rows].mean(), len(gap), **options)
    interval = {"gap": estimate.value, "low": estimate.low, "high": estimate.high}
    return labels | {"n": len(score)} | against(score, truth) | interval


def real():
    """Each ImageNet network by label and by ReaL, on all images with ReaL labels and on those
    with one."""
    accepted = accepted_labels()
    number = accepted.sum(axis=1)
    for name in source_names():
        test = load_source(name).test
        if test.order != PAIRED:
            continue
        score, hit = test.pairs
        accept = accepted[np.arange(N_IMAGES), test.ranked[1][:, 0]]
        for samples, rows in (("any", number > 0), ("one", number == 1), ("several", number > 1)):
            for judge, truth in (("label", hit), ("ReaL", accept)):
                labels = {"source": name, "samples": samples, "judge": judge}
                yield judged(labels, score[rows], truth[rows].astype(float))


def with_people(start=""):
    """Yield name, predictions and shares of people for each source that people have labelled.

    `start` is how the names of the sources begin.
    """
    counts = load_source("kerrigan-cifar10-resnet110").about["human_counts"]
    for name in [*source_names(), *source_names("sources-promises")]:
        if name.startswith(start) and name != "kull-cifar10-resnet110-top1":
            net = load_source(name)
            if net.test.order == "cifar10-test" or "human_counts" in net.about:
                counts_by_people = net.about.get("human_counts", counts)
                yield name, net.test, counts_by_people / counts_by_people.sum(axis=1, keepdims=True)


def named(test, shares):
    """The share of people who name the predicted class."""
    return shares[np.arange(len(test)), test.ranked[1][:, 0]]


def life_eval():
    """Yield model, stated confidence and true probability."""
    columns = load_answer_source("michael-lifeeval")
    score, truth = columns["stated_confidence"], columns["prob"]
    for model in np.unique(columns["model"]):
        rows = (columns["model"] == model) & (score >= 0) & (score <= 1)
        yield f"lifeeval {model}", score[rows], truth[rows]


def people(start=""):
    """Each prediction set by label, by the majority of people, and by the people themselves."""
    for name, test, shares in with_people(start):
        score, hit = test.pairs
        clear = shares.max(axis=1) >= 0.9
        majority = shares.argmax(axis=1) == test.ranked[1][:, 0]
        judges = {"label": hit, "majority": majority, "people": named(test, shares)}
        for samples, rows in (("all", slice(None)), ("clear", clear), ("unclear", ~clear)):
            for judge, truth in judges.items():
                labels = {"source": name, "samples": samples, "judge": judge}
                yield judged(labels, score[rows], truth[rows].astype(float))
    for name, score, truth in life_eval():
        if name.startswith(start):
            labels = {"source": name, "samples": "all", "judge": "true probability"}
            yield judged(labels, score, truth)


def entropies():
    """Entropy of the people and of the network, and one temperature for labels or for people."""
    for name, test, shares in with_people():
        if test.scores is not None:
            continue
        rng, n = generator(name), len(test)
        of_network, theirs = entropy(test.prob, axis=1), entropy(shares, axis=1)

        def correlation(rows, of_network=of_network, theirs=theirs):
            return spearmanr(of_network[rows], theirs[rows]).statistic

        estimate = calib.bootstrap_statistic(correlation, n, n_resamples=200, rng=rng)
        row = {"network": float(of_network.mean()), "people": float(theirs.mean())}
        row |= {"correlation": estimate.value, "low": estimate.low, "high": estimate.high}
        yield {"source": name, "n": n} | row | temperatures(test, shares, rng)


def temperatures(test, shares, rng):
    """Temperatures fitted on half of the samples, to labels and to people; ECE by people."""
    order = rng.permutation(len(test))
    fit, test_rows = order[: len(order) // 2], order[len(order) // 2 :]
    z = test.as_logits()
    k = z.shape[1]
    label = calib.TemperatureScaling().fit(z[fit], test.y[fit])
    repeated = np.repeat(z[fit], k, axis=0), np.tile(np.arange(k), len(fit))
    person = calib.TemperatureScaling().fit(*repeated, sample_weight=shares[fit].ravel())
    row = {}
    after = {
        key: scaling.predict_proba(z[test_rows])
        for key, scaling in (("label", label), ("people", person))
    }
    y, theirs = test.y[test_rows], shares[test_rows]
    for key, p in ({"none": test.prob[test_rows]} | after).items():
        named_by = theirs[np.arange(len(y)), p.argmax(axis=1)]
        correlation = spearmanr(entropy(p, axis=1), entropy(theirs, axis=1)).statistic
        row |= {
            f"ece_label_{key}": calib.ece(y, p),
            f"ece_people_{key}": against(p.max(axis=1), named_by)["ece"],
            f"distance_{key}": float(np.abs(p - theirs).sum(axis=1).mean() / 2),
            f"correlation_{key}": float(correlation),
        }
    return {"t_label": label.temperature_, "t_people": person.temperature_} | row


def population(name):
    """Scores and true hit probabilities of all samples of a source."""
    if name.startswith("lifeeval"):
        return next((s, t) for model, s, t in life_eval() if model == name)
    test, shares = next((t, shares) for source, t, shares in with_people(name) if source == name)
    return test.pairs[0], named(test, shares)


def true_value(estimator, score, truth):
    """What the estimator aims at: an error where every sample is a hit and a miss in part."""
    metric = ESTIMATORS[AIMS.get(estimator, estimator)]
    scores, hit = np.tile(score, 2), np.repeat([1, 0], len(score))
    return metric(hit, scores, sample_weight=np.concatenate([truth, 1 - truth]))


def exact(score, truth):
    """The error without bins, where scores repeat so often that their truths can be averaged."""
    _, place, count = np.unique(score, return_inverse=True, return_counts=True)
    gap = np.bincount(place, truth - score)
    return float(np.abs(gap).sum() / len(score)) if np.median(count[place]) >= 30 else ""


def truths(name):
    """Bias and coverage of each estimator on samples drawn from a source, labels from its truth."""
    score, truth = population(name)
    rows = []
    for estimator, metric in ESTIMATORS.items():
        target = true_value(estimator, score, truth)
        rng, values, n_held, widths = generator(name, estimator), [], 0, []
        for _ in range(N_REPEATS):
            sampled = rng.integers(len(score), size=SIZE)
            hit = rng.random(SIZE) < truth[sampled]
            options = {"method": "basic", "n_resamples": 100, "rng": rng}
            estimate = calib.bootstrap(metric, hit, score[sampled], **options)
            values.append(estimate.value)
            n_held += estimate.low <= target <= estimate.high
            widths.append(estimate.high - estimate.low)
        row = {"source": name, "n": SIZE, "estimator": estimator, "truth": float(target)}
        row |= {"exact": exact(score, truth), "mean": float(np.mean(values))}
        row |= {"sd": float(np.std(values, ddof=1)), "coverage": n_held / N_REPEATS}
        rows.append(row | {"width": float(np.mean(widths)), "n_repeats": N_REPEATS})
    return rows


TABLES = {
    "real": real,
    "people": people,
    "entropy": entropies,
    "truth": lambda: compute_pieces("truth", truths, TRUTH_SOURCES),
}
