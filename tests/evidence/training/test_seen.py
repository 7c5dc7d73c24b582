"""What a network sees in training: its examples, their labels and order, and moved images."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence.training import seen
from evidence.training.datasets import Dataset, Examples
from evidence.training.runs import resnet


def rng():
    return np.random.default_rng(5)


def data_set(n=50, classes=5):
    x = np.arange(n, dtype=np.uint8).reshape(n, 1, 1, 1)
    examples = Examples(x, np.arange(n) % classes)
    return Dataset(classes, examples, examples, examples)


def test_label_noise_makes_exactly_so_many_labels_wrong():
    y = np.arange(40) % 4
    noisy = seen.with_label_noise(y, 0.3, 4, rng())
    assert (noisy != y).sum() == 12 and y.tolist() == (np.arange(40) % 4).tolist()
    # each of the other classes is drawn, and none that is not there
    many = seen.with_label_noise(np.zeros(3000, int), 1, 4, rng())
    assert np.bincount(many, minlength=4).min(initial=9999, where=[0, 1, 1, 1]) > 900
    assert many.min() == 1 and many.max() == 3


def test_the_first_examples_are_the_same_for_each_seed_and_drawn_ones_are_not():
    first = [resnet("b", 8, 4, training_images=20, seed=seed) for seed in (1, 2)]
    for run in first:
        examples, y = seen.labels_of(run, data_set())
        assert examples.x.ravel().tolist() == list(range(20))
        assert y.tolist() == examples.y.tolist()
    drawn = [
        resnet("b", 8, 4, training_images=20, seed=s, subset="drawn") for s in (1, 2)
    ]
    one, other = (set(seen.labels_of(run, data_set())[0].x.ravel()) for run in drawn)
    assert len(one) == len(other) == 20 and one != other
    whole, _ = seen.labels_of(resnet("b", 8, 4, training_images=0), data_set())
    assert len(whole) == 50
    noisy, y = seen.labels_of(
        resnet("b", 8, 4, training_images=20, label_noise=0.5), data_set()
    )
    assert (y != noisy.y).sum() == 10


def test_nothing_to_train_on_is_said():
    weights_of_others = Dataset(10, None, None, None)
    with pytest.raises(ValueError, match="fashion: there is nothing to train on"):
        seen.labels_of(resnet("b", 8, 4), weights_of_others)


def test_each_epoch_has_whole_batches_alone_in_an_order_of_its_own():
    steps = list(seen.rows_of_steps(10, 3, 2, rng()))
    assert [len(rows) for rows in steps] == [3] * 6
    first, second = np.concatenate(steps[:3]), np.concatenate(steps[3:])
    for epoch in (first, second):
        assert len(set(epoch)) == 9 and set(epoch) < set(range(10))
    assert first.tolist() != second.tolist()
    assert list(seen.rows_of_steps(2, 3, 2, rng())) == []


def test_trees_of_one_height_come_together_each_of_them_once():
    heights = rng().permutation(np.repeat(np.arange(1, 11), 12))
    trees = [SimpleNamespace(height=[0, h], place=i) for i, h in enumerate(heights)]
    steps = list(seen.trees_of_steps(trees, rng(), size=50))
    # 120 trees are three batches of 40, of three heights and a part of a fourth
    assert [len(some) for some in steps] == [40] * 3
    assert sorted(tree.place for some in steps for tree in some) == list(range(120))
    assert all(np.ptp([tree.height[-1] for tree in some]) == 3 for some in steps)
    orders = {
        tuple(
            t.place for t in next(seen.trees_of_steps(trees, np.random.default_rng(s)))
        )
        for s in range(5)
    }
    assert len(orders) == 5


def test_an_image_is_moved_by_at_most_four_pixels_and_half_are_mirrored():
    """An image with two marks says by how much it was moved, and whether mirrored."""
    image = np.zeros((1, 21, 21), np.uint8)
    image[0, 10, 10], image[0, 10, 11] = 1, 2
    many = seen.moved_and_mirrored(np.repeat(image[None], 2000, 0), rng())
    assert many.shape == (2000, 1, 21, 21) and set(np.unique(many)) == {0, 1, 2}
    ones, twos = (np.argwhere(many[:, 0] == mark)[:, 1:] for mark in (1, 2))
    assert (ones[:, 0] == twos[:, 0]).all()
    mirrored = ones[:, 1] > twos[:, 1]
    assert 0.45 < mirrored.mean() < 0.55
    assert set(ones[:, 0]) == set(ones[~mirrored, 1]) == set(range(6, 15))
    assert set(ones[mirrored, 1]) == set(
        range(6, 15)
    )  # the middle of 21 stays in place


def test_what_comes_in_from_beyond_the_border_is_black():
    white = np.full((300, 1, 9, 9), 255, np.uint8)
    moved = seen.moved_and_mirrored(white, rng())
    left = (moved == 255).sum((1, 2, 3))
    assert left.max() == 81 and left.min() == 25


def test_images_are_normalised_by_the_training_pixels():
    data = data_set()
    data.mean, data.std = 0.5, 0.25
    of_bytes = seen.normalised(np.array([0, 255], np.uint8), data)
    assert of_bytes.tolist() == [-2, 2] and of_bytes.dtype == np.float32
    assert seen.normalised(np.array([0.25, 0.5]), data).tolist() == [-1, 0]


def test_documents_are_one_row_of_words():
    words, starts = seen.words_in_a_row(
        [np.array([7]), np.array([1, 2]), np.array([3])]
    )
    assert words.tolist() == [7, 1, 2, 3] and starts.tolist() == [0, 1, 3]
