"""Reserved networks: the leaderboard of what a class hands in."""

import re

import numpy as np
import pytest

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
    table = reserved.table_of_places(labels, paths)
    assert re.findall(r"^ +\d  (\w+)", table, re.MULTILINE) == [
        "truth",
        "scaled",
        "raw",
    ]
    assert "short: short.npz: prob has the shape (5, 5), expected (1000, 5)" in table
    assert "loud.npz: the rows of prob are no probabilities" in table
    assert "  -  broken: " in table and "  -  bare: " in table


LOSSES = np.random.default_rng(5).exponential(1.3, size=4000) + 1.2  # of the better one


def losses_with_differences(mean, half):
    """Return losses that are more by a mean whose 95 % interval has this half-width."""
    signs = np.random.default_rng(6).permutation([-1, 1] * (len(LOSSES) // 2))
    return LOSSES + mean + signs * half / 1.96 * np.sqrt(len(LOSSES))


def lines_of_table(folder, by_name):
    """Return the places of submissions with these losses; each label is the first of two."""
    labels = folder / "labels-keep.npz"
    y, true = np.zeros(len(LOSSES), int), np.full((len(LOSSES), 2), 0.5)
    np.savez(labels, y=y, true_prob=true)
    paths = {name: folder / f"{name}.npz" for name in by_name}
    for name, losses in by_name.items():
        q = np.exp(-losses)
        np.savez(paths[name], prob=np.column_stack([q, 1 - q]))
    return reserved.table_of_places(labels, paths).splitlines()[1:]


def test_a_submission_is_measured_as_by_hand(tmp_path):
    """Four images, one distance each: .25, 0, .5 and 1; right twice where it is surest."""
    true = [[0.5, 0.5], [0.1, 0.9], [0.5, 0.5], [1, 0]]
    prob = [[0.75, 0.25], [0.1, 0.9], [1, 0], [0, 1]]
    np.savez(tmp_path / "labels-keep.npz", y=[0, 1, 0, 0], true_prob=true)
    np.savez(tmp_path / "ada.npz", prob=prob)
    paths = tmp_path / "labels-keep.npz", tmp_path / "ada.npz"
    measures = reserved.measures_of("ada", *paths)
    losses = [-np.log(0.75), -np.log(0.9), 0, np.inf]
    assert np.allclose(measures.losses, losses)
    assert np.isclose(measures.distance, (0.25 + 0 + 0.5 + 1) / 4)
    # confidences .75, .9 and 1 (twice, of which one is right) in bins of their own
    assert np.isclose(measures.ece, (0.25 + 0.1 + 2 * 0.5) / 4)
    assert measures.nll == np.inf
    line = reserved.table_of_places(
        paths[0], {"ada": paths[1], "bob": None}
    ).splitlines()[1]
    assert line.split() == ["1", "ada", "inf", "±", "inf", "0.3375", "0.4375"]


@pytest.mark.parametrize("change, fault", [
    ({"prob": [[0.5, 0.5]]}, r"x.npz: prob has the shape \(1, 2\), expected \(2, 2\)"),
    ({"prob": [[1.5, -0.5], [0.5, 0.5]]}, "x.npz: the rows of prob are no probabilities"),
    ({"prob": [[0.5, 0.5], [0.5, 0.501]]}, "the rows of prob are no probabilities"),
    ({"prob": [[0.5, 0.5], [np.nan, 0.5]]}, "the rows of prob are no probabilities"),
    ({"p": [[0.5, 0.5]]}, "x.npz: it holds no array prob"),
])  # fmt: skip
def test_what_is_no_row_of_probabilities_for_each_image_is_named(
    change, fault, tmp_path
):
    np.savez(tmp_path / "labels.npz", y=[0, 1], true_prob=np.full((2, 2), 0.5))
    np.savez(tmp_path / "x.npz", **change)
    with pytest.raises(ValueError, match=fault):
        reserved.measures_of("x", tmp_path / "labels.npz", tmp_path / "x.npz")


def test_rounded_probabilities_are_taken(tmp_path):
    np.savez(tmp_path / "labels.npz", y=[0], true_prob=[[0.5, 0.5]])
    np.savez(tmp_path / "x.npz", prob=np.array([[0.33336, 0.66667]], np.float32))
    measures = reserved.measures_of("x", tmp_path / "labels.npz", tmp_path / "x.npz")
    assert np.isclose(measures.nll, -np.log(0.33336), atol=1e-4)


def test_true_probabilities_are_flatter_and_of_a_secret_alone():
    """Logits of 40 are certain; the distortion leaves two to eight per cent to the others."""
    logits = 40 * np.eye(5).repeat(2, axis=0)
    one, same, other = (
        reserved.true_probabilities(logits, np.random.default_rng(seed))
        for seed in (1, 1, 2)
    )
    assert np.array_equal(one, same) and not np.allclose(one, other)
    assert np.allclose(one.sum(axis=1), 1) and np.array_equal(one[::2], one[1::2])
    favoured = 1 - one.max(axis=1)
    assert (favoured > 0).all() and favoured.max() < 0.08
    # what is added to a class is the same in every row
    assert np.allclose(one[0, 2:], one[2, 2:]) and not np.isclose(*one[0, 1:3])


def test_places_are_decided_by_the_paired_difference_of_the_same_images(tmp_path):
    """Of .032 with .005 it is decided although the two intervals, .04 to each side, overlap."""
    by_name = {"better": LOSSES, "worse": losses_with_differences(0.032, 0.005)}
    first, second = lines_of_table(tmp_path, by_name)
    nll, half = (float(number) for number in re.findall(r"\d\.\d{4}", first)[:2])
    assert nll == np.round(LOSSES.mean(), 4)
    assert half == np.round(1.96 * LOSSES.std() / np.sqrt(4000), 4) > 0.035
    assert first.startswith("    1  better") and "undecided" not in first
    assert second.startswith("    2  worse") and second.endswith("0.0320 ± 0.0050")


def test_a_paired_difference_within_chance_is_undecided(tmp_path):
    by_name = {"better": LOSSES, "worse": losses_with_differences(0.032, 0.033)}
    _, second = lines_of_table(tmp_path, by_name)
    assert second.endswith("0.0320 ± 0.0330 undecided")
    _, equal = lines_of_table(tmp_path, {"one": LOSSES, "other": LOSSES})
    assert equal.endswith("0.0000 ± 0.0000 undecided")


def test_an_infinite_score_is_worse_than_a_finite_one_only(tmp_path):
    infinite = np.where(np.arange(len(LOSSES)) == 7, np.inf, LOSSES)
    by_name = {"infinite": infinite, "finite": LOSSES, "too": infinite}
    first, second, third = lines_of_table(tmp_path, by_name)
    assert first.startswith("    1  finite")
    assert second.endswith("infinite") and third.endswith("undecided")


def test_the_interval_of_the_difference_is_that_of_the_book():
    worse = losses_with_differences(0.032, 0.005)
    prob = [np.column_stack([q, 1 - q]) for q in (np.exp(-worse), np.exp(-LOSSES))]
    y = np.zeros(len(LOSSES), int)
    drawn = calib.paired_difference(calib.nll, y, *prob, rng=0)
    half = reserved.half_width_of_losses(worse - LOSSES)
    assert np.allclose([drawn.low, drawn.high], [0.032 - half, 0.032 + half], atol=5e-4)
