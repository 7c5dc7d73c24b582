"""Human labels, preprocessing, and temperatures from five probabilities of a vector."""

import numpy as np

import calib
from book.evidence import check_paired, load_source, source_names
from calib import errors, scores

from .evaluate import PartialTemperature, calibration_and_test, split_logits, split_pairs

N_RESAMPLES = 1000
SEED = 7


def human() -> list[dict]:
    """Confidence against the share of about 51 people who named the predicted class."""
    rows = []
    for name in source_names():
        net = load_source(name)
        if "human_counts" not in net.about:
            continue
        counts, y = net.about["human_counts"], net.test.y
        share = counts / counts.sum(axis=1, keepdims=True)
        predicted = net.test.prob.argmax(axis=1)
        score, hit = net.test.pairs
        named = share[np.arange(len(y)), predicted]
        clear = share.max(axis=1) >= 0.9
        for samples, rows_in in (("all", slice(None)), ("clear", clear), ("unclear", ~clear)):
            for judge, truth in (("label", hit.astype(float)), ("people", named)):
                rows.append(
                    {"source": name, "samples": samples, "judge": judge, "n": len(y[rows_in])}
                    | against(score[rows_in], truth[rows_in])
                )
    return rows


def against(score, truth) -> dict:
    """Metrics of scores against shares: a sample is a hit and a miss, weighted by its shares."""
    both, hit = np.concatenate([score, score]), np.repeat([1, 0], len(score))
    weight = np.concatenate([truth, 1 - truth])
    return {
        "confidence": float(score.mean()),
        "share": float(truth.mean()),
        "ece": errors.ece(hit, both, sample_weight=weight),
        "ks": errors.ks_error(hit, both, sample_weight=weight),
        "top1_brier": scores.top1_brier(hit, both, sample_weight=weight),
    }


PREPROCESSED = {
    "DenseNet-161": ("northcutt-imagenet-densenet161", "hollance-imagenet-densenet161"),
    "ResNet-101": ("northcutt-imagenet-resnet101", "hollance-imagenet-resnet101"),
}


def preprocessing() -> list[dict]:
    """The same weights and images, prepared by two people: differences, second less first."""
    rows = []
    for model, names in PREPROCESSED.items():
        first, second = (load_source(name).test for name in names)
        check_paired(first, second)
        same = float((first.classes[:, 0] == second.classes[:, 0]).mean())
        (score_a, hit_a), (score_b, hit_b) = first.pairs, second.pairs
        for metric, function in METRICS.items():
            rng = np.random.default_rng(SEED)
            n = len(score_a)
            a, b = function(hit_a, score_a), function(hit_b, score_b)
            drawn = [
                function(hit_b[i], score_b[i]) - function(hit_a[i], score_a[i])
                for i in (rng.integers(n, size=n) for _ in range(N_RESAMPLES))
            ]
            high, low = 2 * (b - a) - np.quantile(drawn, [0.025, 0.975])
            rows.append(
                {"model": model, "metric": metric, "first": float(a), "second": float(b)}
                | {"difference": float(b - a), "low": float(low), "high": float(high)}
                | {"n_resamples": N_RESAMPLES, "same_class": same}
            )
    return rows


METRICS = {
    "accuracy": lambda hit, score: hit.mean(),
    "confidence": lambda hit, score: score.mean(),
    "ece": errors.ece,
    "ks": errors.ks_error,
    "top1_brier": scores.top1_brier,
}


def missing_mass() -> list[dict]:
    """Temperature scaling from whole vectors, from their five largest, from these in float16."""
    rows = []
    for name in source_names():
        net = load_source(name)
        if net.known not in ("logits", "probabilities") or net.about["dataset"] == "20 Newsgroups":
            continue
        calibration, test = calibration_and_test(net)
        z, z_test = split_logits(calibration), split_logits(test)
        scaling = calib.TemperatureScaling().fit(z, calibration.y)
        prob = scaling.predict_proba(z_test)
        whole = calib.Split(test.y, order=test.order, probabilities=prob)
        found = {"whole": (scaling.temperature_, whole)}
        for kind, dtype in (("top5", np.float64), ("top5 in float16", np.float16)):
            partial = PartialTemperature(z.shape[1]).fit(head(calibration, dtype))
            found[kind] = partial.temperature_, partial.predict(head(test, dtype))
        for kind, (temperature, split) in found.items():
            score, hit = split_pairs(split)["top_1"]
            rows.append(
                {"source": name, "known": kind, "temperature": temperature}
                | {"ece": errors.ece(hit, score), "ks": errors.ks_error(hit, score)}
            )
    return rows


def head(split, dtype):
    """The five largest probabilities of a split, rounded to a type."""
    prob, classes = (a[:, :5] for a in split.ranked)
    return calib.Split(split.y, order=split.order, scores=prob.astype(dtype), classes=classes)
