"""Compute groups.csv, group_maps.csv and group_chance.csv: calibration within groups.

`python -m evidence.studies studies.groups` from the root. Groups are the 57 subjects of MMLU,
answered by four language models, and the superclasses of the classes that CIFAR-100 networks
predict. Maps are fitted on a random half of the samples and judged on the other.
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
        columns = load_answer_source(name)
        yield (
            name,
            columns.logits,
            columns.y,
            columns.group,
            columns.logits.argmax(axis=1).astype(str),
        )
    for name in CIFAR100:
        test = load_source(name).test
        z = np.asarray(test.as_logits(), float)
        ranked = np.argsort(-z, axis=1)[:, :2]
        first, second = SUPERCLASS_OF[ranked].T
        group = np.array(SUPERCLASSES)[first]
        yield name, z, test.y, group, np.where(first == second, "alike", "unlike")


def members(group, attribute):
    """Overlapping groups: everyone, each group, each value of the attribute, shape (n, G)."""
    indicators = [np.ones((len(group), 1), bool)]
    indicators += [values[:, None] == np.unique(values) for values in (group, attribute)]
    return np.hstack(indicators)


def after_maps(z, y, group, attribute, rng):
    """Yield a random half, its hits, which no map changes, and for each map name and scores."""
    fit = rng.permutation(len(y)) < len(y) // 2
    test = ~fit
    score, hit = calib.top_label(y, calib.softmax(z))
    mapped = maps(z, y, group, attribute, fit, test, score, hit)
    yield from ((test, hit[test], key, after) for key, after in mapped)


def maps(z, y, group, attribute, fit, rest, score, hit):
    """Yield name and scores on the rest."""
    yield "none", score[rest]
    scaling = calib.TemperatureScaling().fit(z[fit], y[fit])
    scaled = scaling.predict_proba(z).max(axis=1)
    yield "temperature", scaled[rest]
    scores = scaled.copy()
    for name in np.unique(group):
        in_group = group == name
        try:
            temperature = calib.TemperatureScaling(no_optimum="raise")
            temperature.fit(z[fit & in_group], y[fit & in_group])
        except (calib.ConvergenceError, ValueError):
            continue  # nothing to learn in this group: the common temperature stays
        scores[in_group] = temperature.predict_proba(z[in_group]).max(axis=1)
    yield "temperature of the group", scores[rest]
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
        for member in belongs.T
        for cell in (member & (level == m) for m in range(10))
        if cell.any()
    ]
    return float(max(sizes) ** 0.5)


def group_rows(name, z, y, group, attribute):
    """One row a map and group, on one random half."""
    for test, hit, key, score in after_maps(z, y, group, attribute, generator(name)):
        errors = calib.group_errors(hit, score, group[test])
        for i, group_name in enumerate(errors.group):
            scores, hits = (
                score[group[test] == group_name],
                hit[group[test] == group_name].astype(bool),
            )
            yield {
                "source": name,
                "map": key,
                "group": str(group_name),
                "n": int(errors.weight[i]),
                "accuracy": float(hits.mean()),
                "confidence": float(scores.mean()),
                **{key: float(getattr(errors, key)[i]) for key in OF_A_GROUP},
                "score_if_right": float(scores[hits].mean()) if hits.any() else "",
                "score_if_wrong": float(scores[~hits].mean()) if (~hits).any() else "",
            }


def map_rows(name, z, y, group, attribute):
    """One row a map: means over random halves."""
    values = {}
    for split in range(N_SPLITS):
        of = z, y, group, attribute, generator(name, split)
        for test, hit, key, score in after_maps(*of):
            belongs = members(group, attribute)[test]
            groups = calib.group_errors(hit, score, group[test])
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
            values.setdefault(key, []).append(row)
    for key, splits in values.items():
        row = {"source": name, "map": key, "n_groups": len(np.unique(group)), "n_splits": N_SPLITS}
        yield row | means(splits)


def chance_rows(name, z, y, group, attribute):
    """Groups of the same sizes, drawn by lot: gaps, and how many would be called wrong."""
    fit = generator(name).permutation(len(y)) < len(y) // 2
    scaling = calib.TemperatureScaling().fit(z[fit], y[fit])
    score, hit = calib.top_label(y[~fit], scaling.predict_proba(z[~fit]))
    rng = generator(name, "lots")
    for draw in range(200):
        errors = calib.group_errors(hit, score, rng.permutation(group[~fit]))
        outside = (errors.low > 0) | (errors.high < 0)
        yield {
            "source": name,
            "draw": draw,
            "largest": float(np.abs(errors.gap).max()),
            "mean_gap": float(np.abs(errors.gap).mean()),
            "spread": errors.spread,
            "outside": int(outside.sum()),
            "refused": int((errors.p_value < 0.05).sum()),
        }


def on_all(rows):
    return lambda: (row for samples in prediction_sets() for row in rows(*samples))


TABLES = {
    "groups": on_all(group_rows),
    "group_maps": on_all(map_rows),
    "group_chance": on_all(chance_rows),
}
