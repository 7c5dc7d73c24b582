"""Compute temperature_of_top_five.csv: from whole vectors, or from their five largest parts."""

from typing import Any

import numpy as np

import calib
from evidence import Outputs, load_source, source_names
from evidence.rows import Row
from evidence.studies.parts.partial_temperature import PartialTemperature
from evidence.studies.parts.two_sets import calibration_and_test


def rows() -> list[Row]:
    """Temperature scaling from whole vectors, from their five largest, from these in float16."""
    table = []
    for name in source_names():
        net = load_source(name)
        if (
            net.known not in ("logits", "probabilities")
            or net.about["dataset"] == "20 Newsgroups"
        ):
            continue
        calibration, test = calibration_and_test(net)
        scaling = calib.TemperatureScaling().fit(calibration.as_logits(), calibration.y)
        prob = scaling.predict_proba(test.as_logits())
        whole = Outputs(test.y, order=test.order, probabilities=prob)
        losses = {"whole": (scaling.temperature_, whole)}
        for kind, dtype in (("top5", np.float64), ("top5 in float16", np.float16)):
            partial = PartialTemperature(test.n_classes).fit(
                top_five(calibration, dtype)
            )
            losses[kind] = partial.temperature_, partial.predict(top_five(test, dtype))
        for kind, (temperature, split) in losses.items():
            score, hit = split.top_r_pairs(1)
            row = {"source": name, "known": kind, "temperature": temperature}
            table.append(
                row | {"ece": calib.ece(hit, score), "ks": calib.ks_error(hit, score)}
            )
    return table


def top_five(split: Outputs, dtype: type[Any]) -> Outputs:
    """The five largest probabilities of a split, rounded to a type."""
    prob, classes = (a[:, :5] for a in split.ranked)
    return Outputs(
        split.y, order=split.order, scores=prob.astype(dtype), classes=classes
    )
