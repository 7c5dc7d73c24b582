"""Reserved networks: the leaderboard of what a class hands in."""

import re

import numpy as np

import calib
from teaching import reserved


def test_the_leaderboard_prefers_the_truth_and_lists_what_it_cannot_score(tmp_path):
    """Students get logits, and no labels of the second part."""
    logits = 4 * np.random.default_rng(0).normal(size=(3000, 5))
    labels = tmp_path / "labels-keep.npz"
    reserved.write_reserved(logits, 3, tmp_path)
    with np.load(labels) as hidden, np.load(tmp_path / "reserved.npz") as handed_out:
        assert set(handed_out) == {"logits", "y", "test_logits"}
        true, z, y, tail = (
            hidden["true_prob"],
            handed_out["logits"],
            handed_out["y"],
            handed_out["test_logits"],
        )
    assert (len(y), len(tail)) == (2000, 1000)
    scaled = calib.TemperatureScaling().fit(z, y).predict_proba(tail)
    handed_in = {"raw": calib.softmax(tail), "short": scaled[:5], "scaled": scaled}
    handed_in |= {"loud": 2 * scaled, "truth": true}
    paths = {name: tmp_path / f"{name}.npz" for name in (*handed_in, "broken", "bare")}
    for name, prob in handed_in.items():
        np.savez(paths[name], prob=prob)
    paths["broken"].write_bytes(paths["raw"].read_bytes()[:-99])
    with paths["bare"].open("wb") as file:
        np.save(file, scaled)
    table = reserved.leaderboard(labels, paths)
    assert re.findall(r"^ +\d  (\w+)", table, re.MULTILINE) == [
        "truth",
        "scaled",
        "raw",
    ]
    assert "short: short.npz: prob has the shape (5, 5), expected (1000, 5)" in table
    assert "loud.npz: the rows of prob are no probabilities" in table
    assert "  -  broken: " in table and "  -  bare: " in table
