"""Measures of weighted answers."""

import numpy as np
import pytest
from simulated_answers import drawn_pairs

import calib
from evidence.language.pair_measures import auroc
from evidence.studies.language.language_paired import weighted_measures


def test_weights_are_repetitions():
    hit, score = drawn_pairs(400)
    times = np.random.default_rng(4).integers(0, 3, size=(2, len(hit))).astype(float)
    weighted = weighted_measures(hit, score, times)
    for r, count in enumerate(times.astype(int)):
        h, s = np.repeat(hit, count), np.repeat(score, count)
        expected = {
            "accuracy": h.mean(),
            "overconfidence": s.mean() - h.mean(),
            "ece": calib.ece(h, s),
            "brier": calib.top1_brier(h, s),
            "auroc": auroc(h, s).value,
        }
        assert {name: weighted[name][r] for name in expected} == pytest.approx(expected)
