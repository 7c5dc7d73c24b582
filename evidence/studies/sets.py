"""Compute sets.csv, set_temperature.csv, set_law.csv, abstention.csv and abstention_zoo.csv.

`python -m evidence.studies studies.sets` from the root, or with the names of some of these tables.
Prediction sets and abstention from the probabilities of public networks and of the zoo, before and
after recalibration. Of a difference of two areas no interval is known to keep its promise: `low` to
`high` is the paired basic bootstrap's.
"""

import numpy as np

import calib
from evidence import load_source, load_zoo
from evidence.studies.evaluate import WHOLE, calibration_and_test
from evidence.studies.pieces import compute_pieces, generator, means
from evidence.studies.zoo import supported

SOURCES = (
    *("netcal-cifar100-wideresnet-16-4", "ferrer-cifar100-resnet20", "ferrer-cifar100-repvgg-a2"),
    *("kull-cifar10-resnet110", "ferrer-cifar10-resnet20", "ferrer-cifar10-repvgg-a2"),
    *("ferrer-cifar10-vgg19-bn", "netcal-cifar10-lenet5", "cleanlab-20news"),
    *("ferrer-emotion-wav2vec", "baan-mnli-roberta-s0"),
)
CIFAR100 = SOURCES[:3]
ABSTAIN = (*SOURCES, "ferrer-pneumonia-resnet50", "ferrer-speaker-plda", "baan-snli-roberta-s0")
SCORES = {
    "lac": calib.ConformalSets("lac"),
    "aps": calib.ConformalSets("aps", randomize=True),
    "raps": calib.ConformalSets("raps", randomize=True),
}
N_SPLITS = 20
TEMPERATURES = (0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1.0, 1.15, 1.3, 1.5, 2.0, 3.0, 10.0)
SIZES = (50, 200, 1000)
N_RESAMPLES = 200
METRICS = {
    "accuracy": calib.accuracy,
    "ece": calib.ece,
    "aurc": calib.aurc,
    "excess": calib.excess_aurc,
}
MAPS = {name: WHOLE[name] for name in ("temperature", "vector", "isotonic", "histogram")}


def outputs(name):
    test = load_source(name).test
    return np.asarray(test.as_logits(), float), test.y


def class_gap(y, covered):
    """Mean distance of the coverage of a class from what is promised."""
    n = np.bincount(y)
    share = np.bincount(y, covered) / np.maximum(n, 1)
    return float(np.abs(share - 0.9)[n > 0].mean())


def chance_gap(y, n_own, rng, n_draws=200):
    """The class gap of sets whose coverage is the same in every class: what chance alone makes.

    The coverage follows the Beta law of `n_own` samples, the samples covered in a class are
    binomial.
    """
    rank = np.ceil((n_own + 1) * 0.9)
    n = np.bincount(y)
    n = n[n > 0]
    coverage = rng.beta(rank, n_own + 1 - rank, (n_draws, 1))
    return float(np.abs(rng.binomial(n, coverage, (n_draws, len(n))) / n - 0.9).mean())


def measured(fitted, p, y, rng):
    """Coverage, size and class coverage of sets."""
    sets = fitted.predict(p, rng=rng)
    size = sets.sum(axis=1)
    covered = sets[np.arange(len(y)), y]
    return {
        "coverage": float(covered.mean()),
        "size": float(size.mean()),
        "class_gap": class_gap(y, covered),
        "empty": float((size == 0).mean()),
        "single": float((size == 1).mean()),
    }


def splits(name):
    """One row a map and score: means over random thirds for the map, the threshold, the test."""
    z, y = outputs(name)
    by_method = {}
    for split in range(N_SPLITS):
        order = generator(name, split).permutation(len(y))
        fit, calibration, test = np.array_split(order, 3)
        scaling = calib.TemperatureScaling().fit(z[fit], y[fit])
        chance = chance_gap(y[test], len(calibration), generator(name, split, "chance"))
        for key, proba in (("none", calib.softmax), ("temperature", scaling.predict_proba)):
            p, p_test = proba(z[calibration]), proba(z[test])
            for score, sets in SCORES.items():
                rng = generator(name, split, "lots")
                fitted = sets.fit(p, y[calibration], rng=rng)
                row = measured(fitted, p_test, y[test], rng)
                row |= {"temperature": scaling.temperature_, "class_gap_chance": chance}
                by_method.setdefault((key, score), []).append(row)
    rows = []
    for (key, score), sizes in by_method.items():
        row = {"source": name, "calibrator": key, "score": score, "n_splits": N_SPLITS}
        before, after = (np.array([d["size"] for d in by_method[k, score]]) for k in ("none", key))
        gap = [np.array([d["class_gap"] for d in by_method[k, score]]) for k in ("none", key)]
        low, high = np.quantile(after - before, [0.025, 0.975])
        change = {"grew": (after > before).mean(), "growth": (after - before).mean()}
        change |= {"growth_low": low, "growth_high": high}
        change["class_gap_change"] = (gap[1] - gap[0]).mean()
        rows.append(row | means(sizes) | {name: float(x) for name, x in change.items()})
    return rows


def temperatures(name):
    """Sets of one network along the temperature, the mean of ten splits."""
    z, y = outputs(name)
    for temperature in TEMPERATURES:
        p = calib.softmax(z / temperature)
        for score, sets in SCORES.items():
            fits = []
            for split in range(10):
                order = generator(name, split).permutation(len(y))
                calibration, test = np.array_split(order, 2)
                rng = generator(name, split, "lots")
                fitted = sets.fit(p[calibration], y[calibration], rng=rng)
                fits.append(measured(fitted, p[test], y[test], rng))
            mean = {column: value for column, value in means(fits).items() if column in fits[0]}
            yield {"source": name, "temperature": temperature, "score": score} | mean


def law(name):
    """Coverage over many calibration sets of one size, beside its Beta law."""
    z, y = outputs(name)
    p = calib.softmax(z)
    odd = 1 - p[np.arange(len(y)), y]
    for n in SIZES:
        rng, covered = generator(name, n), []
        for _ in range(1000):
            order = rng.permutation(len(y))
            fitted = calib.ConformalSets().fit(p[order[:n]], y[order[:n]])
            covered.append((odd[order[n:]] <= fitted.threshold_).mean())
        rank = np.ceil((n + 1) * 0.9)
        sd = np.sqrt(rank * (n + 1 - rank) / (n + 1) ** 2 / (n + 2))
        row = {"mean": np.mean(covered), "sd": np.std(covered, ddof=1)}
        row |= {"law_mean": rank / (n + 1), "law_sd": sd}
        yield {"source": name, "n": n} | {key: float(value) for key, value in row.items()}


def abstention(name):
    """AURC of the test half before and after each map, with its paired interval."""
    calibration, test = calibration_and_test(load_source(name))
    z, z_test = calibration.as_logits(), test.as_logits()
    before = np.asarray(test.prob, float)
    predictions = {"none": (test.y, before)}
    for key, calibrator in MAPS.items():
        predictions[key] = test.y, calibrator.fit(z, calibration.y).predict_proba(z_test)
    score, hit = test.pairs
    platt = calib.PlattScaling().fit(*calibration.pairs)
    predictions["top-platt"] = np.asarray(hit), platt.predict(score)
    rows = []
    for key, (y, p) in predictions.items():
        row = {"source": name, "calibrator": key, "n": len(test), "ece": calib.ece(y, p)}
        row["accuracy"] = float(np.mean(hit)) if p.ndim == 1 else calib.accuracy(y, p)
        row |= {"aurc": calib.aurc(y, p), "excess": calib.excess_aurc(y, p)}
        row["risk_80"] = calib.risk_coverage(y, p).risk_at(0.8)
        options = {"n_resamples": N_RESAMPLES, "rng": generator(name, key)}
        estimate = calib.bootstrap(calib.aurc, y, p, **options)
        row |= {"aurc_low": estimate.low, "aurc_high": estimate.high}
        after, hit_after = calib.top_label(y, p) if p.ndim == 2 else (p, y)  # hits may differ
        pair = hit_after, after, score
        basic = options | {"method": "basic"}
        less = calib.paired_difference(calib.aurc, *pair, y_true_b=hit, **basic)
        rows.append(row | {"difference": less.value, "low": less.low, "high": less.high})
    return rows


def of_the_zoo(name):
    net = load_zoo(name)
    scaling = calib.TemperatureScaling().fit(net.calibration.logits, net.calibration.y)
    scaled = scaling.predict_proba(net.test.logits)
    return [
        {"name": name, "calibrator": key} | {m: f(net.test.y, p) for m, f in METRICS.items()}
        for key, p in (("none", np.asarray(net.test.prob, float)), ("temperature", scaled))
    ]


TABLES = {
    "sets": lambda: compute_pieces("sets", splits, SOURCES),
    "set_temperature": lambda: [row for name in CIFAR100 for row in temperatures(name)],
    "set_law": lambda: list(law("ferrer-cifar10-resnet20")),
    "abstention": lambda: compute_pieces("abstention", abstention, ABSTAIN),
    "abstention_zoo": lambda: [r for n in supported() for r in of_the_zoo(n)],
}
