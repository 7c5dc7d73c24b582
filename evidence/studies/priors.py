"""Compute priors.csv: other frequencies of the classes, met and estimated."""

import numpy as np

import calib
from evidence import load_source
from evidence.studies.new_worlds import N_TARGET, PRIOR_SOURCES, held, new_world
from evidence.studies.pieces import compute_pieces, generator

MAPS = {
    "none": None,
    "temperature": calib.TemperatureScaling(),
    "vector": calib.VectorScaling(),
}
N_WORLDS = 20


def confusion_priors(p_own, y_own, p):
    """New priors from the classes predicted: the confusion matrix of the old world, inverted."""
    k = p.shape[1]
    confusion = np.zeros((k, k))
    np.add.at(confusion, (p_own.argmax(axis=1), y_own), 1)
    confusion /= np.maximum(confusion.sum(axis=0), 1)
    predicted = np.bincount(p.argmax(axis=1), minlength=k) / len(p)
    solution = np.clip(np.linalg.lstsq(confusion, predicted, rcond=None)[0], 0, None)
    return solution / solution.sum()


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


def rows():
    return compute_pieces("priors", worlds, PRIOR_SOURCES)
