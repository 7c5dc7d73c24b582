"""Metrics against shares, preprocessing, and temperatures from five probabilities of a vector."""

import numpy as np

import calib
from evidence import Outputs, check_paired, load_source, source_names
from evidence.studies.evaluate import PartialTemperature, calibration_and_test

N_RESAMPLES = 1000
SEED = 7


def against(score, truth) -> dict:
    """Metrics of scores against shares: a sample is a hit and a miss, weighted by its shares."""
    scores, hit = np.concatenate([score, score]), np.repeat([1, 0], len(score))
    weight = np.concatenate([truth, 1 - truth])
    return {
        "confidence": float(score.mean()),
        "share": float(truth.mean()),
        "ece": calib.ece(hit, scores, sample_weight=weight),
        "ks": calib.ks_error(hit, scores, sample_weight=weight),
        "top1_brier": calib.top1_brier(hit, scores, sample_weight=weight),
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
        columns = np.column_stack([*first.pairs, *second.pairs])
        for metric, function in METRICS.items():

            def difference(_, of_both, function=function):
                score_a, hit_a, score_b, hit_b = of_both.T
                return function(hit_b, score_b) - function(hit_a, score_a)

            options = {"n_resamples": N_RESAMPLES, "rng": np.random.default_rng(SEED)}
            estimate = calib.bootstrap(difference, first.y, columns, **options)
            a, b = (float(function(hit, score)) for score, hit in (first.pairs, second.pairs))
            row = {"model": model, "metric": metric, "first": a, "second": b}
            row |= {"difference": estimate.value, "low": estimate.low, "high": estimate.high}
            rows.append(row | {"n_resamples": N_RESAMPLES, "same_class": same})
    return rows


METRICS = {
    "accuracy": lambda y_true, y_prob: y_true.mean(),
    "confidence": lambda y_true, y_prob: y_prob.mean(),
    "ece": calib.ece,
    "ks": calib.ks_error,
    "top1_brier": calib.top1_brier,
}


def missing_mass() -> list[dict]:
    """Temperature scaling from whole vectors, from their five largest, from these in float16."""
    rows = []
    for name in source_names():
        net = load_source(name)
        if net.known not in ("logits", "probabilities") or net.about["dataset"] == "20 Newsgroups":
            continue
        calibration, test = calibration_and_test(net)
        scaling = calib.TemperatureScaling().fit(calibration.as_logits(), calibration.y)
        prob = scaling.predict_proba(test.as_logits())
        whole = Outputs(test.y, order=test.order, probabilities=prob)
        losses = {"whole": (scaling.temperature_, whole)}
        for kind, dtype in (("top5", np.float64), ("top5 in float16", np.float16)):
            partial = PartialTemperature(test.n_classes).fit(head(calibration, dtype))
            losses[kind] = partial.temperature_, partial.predict(head(test, dtype))
        for kind, (temperature, split) in losses.items():
            score, hit = split.top_r_pairs(1)
            row = {"source": name, "known": kind, "temperature": temperature}
            rows.append(row | {"ece": calib.ece(hit, score), "ks": calib.ks_error(hit, score)})
    return rows


def head(split, dtype):
    """The five largest probabilities of a split, rounded to a type."""
    prob, classes = (a[:, :5] for a in split.ranked)
    return Outputs(split.y, order=split.order, scores=prob.astype(dtype), classes=classes)
