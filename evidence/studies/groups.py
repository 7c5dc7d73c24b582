"""Compute groups.csv, group_maps.csv and group_chance.csv: calibration within groups.

`python -m evidence.studies groups` from the root. Groups are the 57 subjects of MMLU, answered by
four language models, and the superclasses of the classes that CIFAR-100 networks predict. Maps are
fitted on a random half of the samples and judged on the other.
"""

import numpy as np

import calib
from evidence import load_source
from evidence.language.originals import answer_sources, load_answer_source
from evidence.multicalibration import Multicalibration
from evidence.studies.pieces import generator, means
from evidence.studies.sets import CIFAR100

SUPERCLASSES = (
    *("aquatic mammals", "fish", "flowers", "food containers", "fruit and vegetables"),
    *("household electrical devices", "household furniture", "insects", "large carnivores"),
    *("large man-made outdoor things", "large natural outdoor scenes"),
    *("large omnivores and herbivores", "medium-sized mammals", "non-insect invertebrates"),
    *("people", "reptiles", "small mammals", "trees", "vehicles 1", "vehicles 2"),
)
SUPERCLASS_OF = np.array(
    "4 1 14 8 0 6 7 7 18 3 3 14 9 18 7 11 3 9 7 11 6 11 5 10 7 6 13 15 3 15 0 11 1 10 12 14 16 9 "
    "11 5 5 19 8 8 15 13 14 17 18 10 16 4 17 4 2 0 17 4 18 17 10 3 2 12 12 16 12 1 9 19 2 10 0 1 "
    "16 12 9 13 15 13 16 19 2 4 6 19 5 5 8 19 18 1 2 15 6 0 17 8 14 13".split(),
    int,
)
ALPHAS = (0.003, 0.005, 0.01, 0.02)
N_SPLITS = 10
OF_A_GROUP = ("gap", "low", "high", "p_value", "shrunken")


def prediction_sets():
    """Yield name, logits, labels, groups, and a second attribute that cuts across the groups."""
    for name in answer_sources("choices"):
        found = load_answer_source(name)
        yield name, found.logits, found.y, found.group, found.logits.argmax(axis=1).astype(str)
    for name in CIFAR100:
        test = load_source(name).test
        z = np.asarray(test.as_logits(), float)
        ranked = np.argsort(-z, axis=1)[:, :2]
        first, second = SUPERCLASS_OF[ranked].T
        group = np.array(SUPERCLASSES)[first]
        yield name, z, test.y, group, np.where(first == second, "alike", "unlike")


def members(group, attribute):
    """Overlapping groups: everyone, each group, each value of the attribute, shape (n, G)."""
    parts = [np.ones((len(group), 1), bool)]
    parts += [values[:, None] == np.unique(values) for values in (group, attribute)]
    return np.hstack(parts)


def after_maps(z, y, group, attribute, rng):
    """Yield a random half, its hits, which no map changes, and for each map name and scores."""
    fit = rng.permutation(len(y)) < len(y) // 2
    rest = ~fit
    score, hit = calib.top_label(y, calib.softmax(z))
    own = maps(z, y, group, attribute, fit, rest, score, hit)
    yield from ((rest, hit[rest], key, after) for key, after in own)


def maps(z, y, group, attribute, fit, rest, score, hit):
    """Yield name and scores on the rest."""
    yield "none", score[rest]
    scaling = calib.TemperatureScaling().fit(z[fit], y[fit])
    scaled = scaling.predict_proba(z).max(axis=1)
    yield "temperature", scaled[rest]
    own = scaled.copy()
    for name in np.unique(group):
        inside = group == name
        try:
            one = calib.TemperatureScaling(no_optimum="raise")
            one.fit(z[fit & inside], y[fit & inside])
        except (calib.ConvergenceError, ValueError):
            continue  # nothing to learn in this group: the common temperature stays
        own[inside] = one.predict_proba(z[inside]).max(axis=1)
    yield "temperature of the group", own[rest]
    belongs = members(group, attribute)
    for alpha in (*ALPHAS, None):
        patched = Multicalibration(alpha).fit(scaled[fit], hit[fit], belongs[fit])
        key = "by default" if alpha is None else f"{alpha:g}"
        yield f"patches, alpha {key}", patched.predict(scaled[rest], belongs[rest])


def worst(score, hit, belongs):
    """The largest root of m g² over all groups and ten levels: what multicalibration bounds."""
    level = np.minimum((score * 10).astype(int), 9)
    sizes = [
        (hit - score)[cell].sum() ** 2 / cell.sum() / len(score)
        for inside in belongs.T
        for cell in (inside & (level == m) for m in range(10))
        if cell.any()
    ]
    return float(max(sizes) ** 0.5)


def group_rows(name, z, y, group, attribute):
    """One row a map and group, on one random half."""
    for rest, hit, key, score in after_maps(z, y, group, attribute, generator(name)):
        found = calib.group_errors(hit, score, group[rest])
        for i, one in enumerate(found.group):
            own, right = score[group[rest] == one], hit[group[rest] == one].astype(bool)
            yield {
                "source": name,
                "map": key,
                "group": str(one),
                "n": int(found.weight[i]),
                "accuracy": float(right.mean()),
                "confidence": float(own.mean()),
                **{key: float(getattr(found, key)[i]) for key in OF_A_GROUP},
                "score_if_right": float(own[right].mean()) if right.any() else "",
                "score_if_wrong": float(own[~right].mean()) if (~right).any() else "",
            }


def map_rows(name, z, y, group, attribute):
    """One row a map: means over random halves."""
    found = {}
    for split in range(N_SPLITS):
        of = z, y, group, attribute, generator(name, split)
        for rest, hit, key, score in after_maps(*of):
            belongs = members(group, attribute)[rest]
            groups = calib.group_errors(hit, score, group[rest])
            clipped = np.clip(score, 1e-6, 1 - 1e-6)
            row = {
                "ece": calib.ece(hit, np.minimum(score, 1)),
                "brier": float(np.mean((score - hit) ** 2)),
                "nll": float(-np.mean(np.where(hit, np.log(clipped), np.log(1 - clipped)))),
                "mean_gap": float(np.abs(groups.gap).mean()),
                "spread": groups.spread,
                "refused": float((groups.p_value < 0.05).sum()),
                "worst": worst(score, hit, belongs),
            }
            found.setdefault(key, []).append(row)
    for key, drawn in found.items():
        row = {"source": name, "map": key, "n_groups": len(np.unique(group)), "n_splits": N_SPLITS}
        yield row | means(drawn)


def chance_rows(name, z, y, group, attribute):
    """Groups of the same sizes, drawn by lot: gaps, and how many would be called wrong."""
    fit = generator(name).permutation(len(y)) < len(y) // 2
    scaling = calib.TemperatureScaling().fit(z[fit], y[fit])
    score, hit = calib.top_label(y[~fit], scaling.predict_proba(z[~fit]))
    rng = generator(name, "lots")
    for draw in range(200):
        found = calib.group_errors(hit, score, rng.permutation(group[~fit]))
        outside = (found.low > 0) | (found.high < 0)
        yield {
            "source": name,
            "draw": draw,
            "largest": float(np.abs(found.gap).max()),
            "mean_gap": float(np.abs(found.gap).mean()),
            "spread": found.spread,
            "outside": int(outside.sum()),
            "refused": int((found.p_value < 0.05).sum()),
        }


def on_all(rows):
    return lambda: (row for one in prediction_sets() for row in rows(*one))


TABLES = {
    "groups": on_all(group_rows),
    "group_maps": on_all(map_rows),
    "group_chance": on_all(chance_rows),
}
