"""Compute priors.csv, prior_coverage.csv, tilted.csv and ensembles.csv: when the world moves.

`python -m evidence.studies worlds` from the root, or with the names of some of these tables. New
worlds are made by drawing from real predictions, so that what is true in them is known.
"""

import numpy as np
from scipy.stats import entropy

import calib
from evidence import load_source, load_zoo
from evidence.studies.people import with_people
from evidence.studies.pieces import compute_pieces, generator, means
from evidence.studies.zoo import supported

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
N_RESAMPLES = 200
TILTS = (0.0, 1.0, 2.0, 3.0)
TILTED = ("kerrigan-cifar10-resnet110", "kull-cifar10-resnet110", "netcal-cifar10-wideresnet-16-4")


def confusion_priors(p_own, y_own, p):
    """New priors from the classes predicted: the confusion matrix of the old world, inverted."""
    k = p.shape[1]
    confusion = np.zeros((k, k))
    np.add.at(confusion, (p_own.argmax(axis=1), y_own), 1)
    confusion /= np.maximum(confusion.sum(axis=0), 1)
    predicted = np.bincount(p.argmax(axis=1), minlength=k) / len(p)
    found = np.clip(np.linalg.lstsq(confusion, predicted, rcond=None)[0], 0, None)
    return found / found.sum()


def new_world(y, k, rng):
    """A half of the samples to fit on, samples of a world with other priors, both priors."""
    order = rng.permutation(len(y))
    fit, rest = order[: len(order) // 2], order[len(order) // 2 :]
    old = (np.bincount(y[fit], minlength=k) + 1) / (len(fit) + k)
    wanted = rng.dirichlet(np.ones(k))
    weight = (wanted / np.maximum(np.bincount(y[rest], minlength=k), 1))[y[rest]]
    chosen = rest[rng.choice(len(rest), N_TARGET, p=weight / weight.sum())]
    return fit, chosen, old, np.bincount(y[rest], weight, k) / weight.sum()


def worlds(name):
    """Means over worlds with other priors, one row a map and way to meet them."""
    test = load_source(name).test
    z, y = np.asarray(test.as_logits(), float), test.y
    k = z.shape[1]
    drawn = {}
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
                drawn.setdefault((key, way), []).append(row)
    rows = []
    for (key, way), values in drawn.items():
        row = {"source": name, "calibrator": key, "way": way, "n_worlds": N_WORLDS}
        for column in ("accuracy", "nll", "ece", "confidence", "prior_error", "covered"):
            known = [v[column] for v in values if column in v]
            row[column] = float(np.mean(known)) if known else ""
            row[f"{column}_sd"] = float(np.std(known, ddof=1)) if known else ""
        for column, sign in (("accuracy", 1), ("nll", -1)):
            pairs = zip(values, drawn[key, "as it is"], strict=True)
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
    drawn = {"as in priors.csv": [], "whole population": []}
    for world in range(N_COVERAGE):
        rng = generator(name, "coverage", world)
        y = (p.cumsum(axis=1) < rng.random((len(p), 1))).sum(axis=1).clip(max=k - 1)
        _, chosen, *priors = new_world(y, k, rng)
        drawn["as in priors.csv"].append((chosen, *priors))
        wanted = rng.dirichlet(np.ones(k))
        weight = (p / mean) @ wanted
        chosen = rng.choice(len(p), N_TARGET, p=weight / weight.sum())
        drawn["whole population"].append((chosen, mean, wanted))
    rows = []
    for design, found in drawn.items():
        row = {"source": name, "design": design, "n_worlds": N_COVERAGE, "n_classes": k}
        distinct = float(np.mean([len(set(chosen)) for chosen, *_ in found]))
        covered = [held(calib.estimate_priors(p[chosen], old), new) for chosen, old, new in found]
        rows.append(row | {"n_images": len(p), "distinct": distinct} | means(covered))
    return rows


def tilted():
    """Covariate shift: images drawn the more often, the more people disagree about them."""
    rows = []
    chosen = (s for s in with_people() if s[0] in TILTED or s[0].startswith("baan"))
    for name, test, shares in chosen:
        z, y = np.asarray(test.as_logits(), float), test.y
        doubt = entropy(shares, axis=1) / np.log(shares.shape[1])
        for tilt in TILTS:
            drawn = {}
            for world in range(20):
                rng = generator(name, tilt, world)
                order = rng.permutation(len(y))
                fit, rest = order[: len(order) // 2], order[len(order) // 2 :]
                weight = np.exp(tilt * doubt)
                share = weight[rest] / weight[rest].sum()
                draws = (rest[rng.choice(len(rest), n, p=share)] for n in (4000, 500, 100))
                target, few, fewer = draws
                old = fitted(z[fit], y[fit])
                try:
                    from_fewer = fitted(z[fewer], y[fewer])
                except calib.ConvergenceError:  # all of them are right: the old temperature stays
                    from_fewer = old
                ways = {
                    "as it is": calib.softmax,
                    "source labels": old,
                    "source labels, weighted": fitted(z[fit], y[fit], weight[fit]),
                    "500 target labels": fitted(z[few], y[few]),
                    "100 target labels": from_fewer,
                }
                for way, proba in ways.items():
                    p = proba(z[target])
                    gap = p.max(axis=1).mean() - calib.accuracy(y[target], p)
                    found = {"ece": calib.ece(y[target], p), "nll": calib.nll(y[target], p)}
                    found |= {"gap": float(gap), "old_kept": float(proba is old)}
                    top = proba(z).max(axis=1)
                    by_lot = generator(name, way, tilt, world).random(len(y)) < top
                    found["ece_chance"] = calib.ece(by_lot[target], top[target])
                    drawn.setdefault(way, []).append(found)
            for way, values in drawn.items():
                rows.append({"source": name, "tilt": tilt, "way": way} | means(values))
    return rows


def fitted(z, y, weight=None):
    scaling = calib.TemperatureScaling(no_optimum="raise")
    return scaling.fit(z, y, sample_weight=weight).predict_proba


def settings():
    """The networks of the zoo that differ in the seed only, by setting."""
    found = {}
    for name in supported():
        stem, _, seed = name.rpartition("-s")
        if seed.isdigit():
            found.setdefault(stem, []).append(name)
    return found


METRICS = {
    "nll": calib.nll,
    "ece": calib.ece,
    "ks": calib.ks_error,
    "brier": calib.brier,
    "accuracy": calib.accuracy,
    "aurc": calib.aurc,
}


def ensemble(stem):
    """Members, their mean, and the two orders of pooling and calibrating, one row a way."""
    members = [load_zoo(name) for name in settings()[stem]]
    own_y, y = members[0].calibration.y, members[0].test.y
    scalings = [
        calib.TemperatureScaling().fit(net.calibration.logits, net.calibration.y) for net in members
    ]
    singles = [np.asarray(net.test.prob, float) for net in members]
    scaled = [s.predict_proba(net.test.logits) for s, net in zip(scalings, members, strict=True)]
    pool_own = np.mean([net.calibration.prob for net in members], axis=0, dtype=float)
    pool = np.mean(singles, axis=0)
    after = calib.TemperatureScaling().fit(calib.as_logits(pool_own), own_y)
    ways = {
        "members": singles,
        "members, calibrated": scaled,
        "pooled": [pool],
        "calibrated, then pooled": [np.mean(scaled, axis=0)],
        "pooled, then calibrated": [after.predict_proba(calib.as_logits(pool))],
    }
    reference = {"pooled": "members", "calibrated, then pooled": "members, calibrated"}
    reference["pooled, then calibrated"] = "calibrated, then pooled"
    rows = []
    for way, predictions in ways.items():
        row = {"setting": stem, "way": way, "n": len(y), "n_members": len(members)}
        row |= {m: float(np.mean([f(y, p) for p in predictions])) for m, f in METRICS.items()}
        confidence = np.mean([p.max(axis=1).mean() for p in predictions])
        row |= {"gap": float(confidence - row["accuracy"])}
        for metric in ("nll", "ece"):
            low = high = ""
            if way in reference:
                low, high = interval(metric, y, predictions, ways[reference[way]], stem)
            row |= {f"{metric}_low": low, f"{metric}_high": high}
        rows.append(row)
    return rows


def interval(metric, y, predictions, others, stem):
    """95 % basic interval of a metric's mean over predictions less that over others."""
    rng, n = generator(stem, metric), len(y)
    groups = predictions, others
    if metric == "nll":
        labels = [[p[np.arange(n), y] for p in group] for group in groups]
        losses = [np.mean(-np.log(np.maximum(of, 1e-300)), axis=0) for of in labels]
        gain = losses[0] - losses[1]

        def difference(rows):
            return gain[rows].mean()

    else:
        pairs = [[calib.top_label(y, p) for p in group] for group in groups]

        def difference(rows):
            means = [np.mean([calib.ece(h[rows], s[rows]) for s, h in group]) for group in pairs]
            return means[0] - means[1]

    found = calib.bootstrap_statistic(difference, n, n_resamples=N_RESAMPLES, rng=rng)
    return found.low, found.high


TABLES = {
    "priors": lambda: compute_pieces("priors", worlds, PRIOR_SOURCES),
    "prior_coverage": lambda: compute_pieces("coverage", coverage, PRIOR_SOURCES),
    "tilted": tilted,
    "ensembles": lambda: compute_pieces("ensembles", ensemble, sorted(settings())),
}
