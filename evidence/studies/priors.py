"""Compute priors.csv and prior_coverage.csv: other frequencies of the classes, met and estimated.

`python -m evidence.studies studies.priors` from the root. New worlds are made by drawing from real
predictions, so that what is true in them is known.
"""

import numpy as np

import calib
from evidence import load_source
from evidence.studies.pieces import compute_pieces, generator, means

PRIOR_SOURCES = (
    *("kull-cifar10-resnet110", "ferrer-cifar10-resnet20", "ferrer-cifar10-repvgg-a2"),
    *("ferrer-cifar10-vgg19-bn", "kerrigan-cifar10-resnet110", "netcal-cifar10-wideresnet-16-4"),
    *("netcal-cifar10-lenet5", "ferrer-emotion-wav2vec", "ferrer-cifar100-resnet20"),
    *("netcal-cifar100-wideresnet-16-4", "ferrer-pneumonia-resnet50", "baan-snli-roberta-s0"),
)
MAPS = {
    "none": None,
    "temperature": calib.TemperatureScaling(),
    "vector": calib.VectorScaling(),
}
N_WORLDS = 20
N_COVERAGE = 40
N_TARGET = 2000


def confusion_priors(p_own, y_own, p):
    """New priors from the classes predicted: the confusion matrix of the old world, inverted."""
    k = p.shape[1]
    confusion = np.zeros((k, k))
    np.add.at(confusion, (p_own.argmax(axis=1), y_own), 1)
    confusion /= np.maximum(confusion.sum(axis=0), 1)
    predicted = np.bincount(p.argmax(axis=1), minlength=k) / len(p)
    solution = np.clip(np.linalg.lstsq(confusion, predicted, rcond=None)[0], 0, None)
    return solution / solution.sum()


def new_world(y, k, rng):
    """A half of the samples to fit on, samples of a world with other priors, both priors."""
    order = rng.permutation(len(y))
    fit, test = order[: len(order) // 2], order[len(order) // 2 :]
    old = (np.bincount(y[fit], minlength=k) + 1) / (len(fit) + k)
    prior = rng.dirichlet(np.ones(k))
    weight = (prior / np.maximum(np.bincount(y[test], minlength=k), 1))[y[test]]
    chosen = test[rng.choice(len(test), N_TARGET, p=weight / weight.sum())]
    return fit, chosen, old, np.bincount(y[test], weight, k) / weight.sum()


def worlds(name):
    """Means over worlds with other priors, one row a map and way to meet them."""
    test = load_source(name).test
    z, y = np.asarray(test.as_logits(), float), test.y
    k = z.shape[1]
    by_estimator = {}
    for world in range(N_WORLDS):
        fit, chosen, old, new = new_world(y, k, generator(name, world))
        for key, calibrator in MAPS.items():
            proba = calib.softmax if calibrator is None else calibrator.fit(z[fit], y[fit])
            proba = getattr(proba, "predict_proba", proba)
            p, p_own = proba(z[chosen]), proba(z[fit])
            em = calib.estimate_priors(p, old)
            one_more = (N_TARGET * em.priors + 1) / (N_TARGET + k)
            ways = {
                "as it is": p,
                "known": calib.adjust_priors(p, old, new),
                "EM": calib.adjust_priors(p, old, em.priors),
                "EM, one more a class": calib.adjust_priors(p, old, one_more),
            }
            priors = {"EM": em.priors, "EM, one more a class": one_more}
            priors |= {"confusion": confusion_priors(p_own, y[fit], p), "mean": p.mean(axis=0)}
            for way in ways | priors:
                row = after(y[chosen], ways[way]) if way in ways else {}
                if way in priors:
                    row["prior_error"] = float(np.abs(priors[way] - new).sum() / 2)
                row |= held(em, new) if way == "EM" else {}
                by_estimator.setdefault((key, way), []).append(row)
    rows = []
    for (key, way), values in by_estimator.items():
        row = {"source": name, "calibrator": key, "way": way, "n_worlds": N_WORLDS}
        for column in ("accuracy", "nll", "ece", "confidence", "prior_error", "covered"):
            estimates = [v[column] for v in values if column in v]
            row[column] = float(np.mean(estimates)) if estimates else ""
            row[f"{column}_sd"] = float(np.std(estimates, ddof=1)) if estimates else ""
        for column, sign in (("accuracy", 1), ("nll", -1)):
            pairs = zip(values, by_estimator[key, "as it is"], strict=True)
            better = [sign * (v[column] - r[column]) > 0 for v, r in pairs if column in v]
            row[f"{column}_better"] = float(np.mean(better)) if better else ""
        rows.append(row)
    return rows


def after(y, p):
    """Metrics of probabilities in one world."""
    return {
        "accuracy": calib.accuracy(y, p),
        "nll": calib.nll(y, np.maximum(p, 1e-12)),
        "ece": calib.ece(y, p),
        "confidence": float(p.max(axis=1).mean()),
    }


def held(em, new):
    """The share of the new priors that lie inside their intervals."""
    return {"covered": float(np.mean((em.low <= new) & (new <= em.high)))}


def coverage(name):
    """How often intervals of new priors hold the truth although the vectors are calibrated.

    Labels are drawn from the vectors of `VectorScaling`, so that these are calibrated by
    construction. Design "as in priors.csv" then goes on as `worlds` does: frequencies of old and
    new classes are those of the drawn labels, and the samples of a world are drawn again and
    again from one half. Design "whole population" draws from all images by their exact densities.
    """
    test = load_source(name).test
    z = np.asarray(test.as_logits(), float)
    k = z.shape[1]
    p = calib.VectorScaling().fit(z, test.y).predict_proba(z)
    mean = p.mean(axis=0)
    inside_of = {"as in priors.csv": [], "whole population": []}
    for world in range(N_COVERAGE):
        rng = generator(name, "coverage", world)
        y = (p.cumsum(axis=1) < rng.random((len(p), 1))).sum(axis=1).clip(max=k - 1)
        _, chosen, *priors = new_world(y, k, rng)
        inside_of["as in priors.csv"].append((chosen, *priors))
        prior = rng.dirichlet(np.ones(k))
        weight = (p / mean) @ prior
        chosen = rng.choice(len(p), N_TARGET, p=weight / weight.sum())
        inside_of["whole population"].append((chosen, mean, prior))
    rows = []
    for design, inside in inside_of.items():
        row = {"source": name, "design": design, "n_worlds": N_COVERAGE, "n_classes": k}
        distinct = float(np.mean([len(set(chosen)) for chosen, *_ in inside]))
        covered = [held(calib.estimate_priors(p[chosen], old), new) for chosen, old, new in inside]
        rows.append(row | {"n_images": len(p), "distinct": distinct} | means(covered))
    return rows


TABLES = {
    "priors": lambda: compute_pieces("priors", worlds, PRIOR_SOURCES),
    "prior_coverage": lambda: compute_pieces("coverage", coverage, PRIOR_SOURCES),
}
