"""The dress of the story is the photograph that it is said to be."""

import numpy as np

from book.show import story
from evidence import csv_frame, load_zoo, read_declared


def test_the_dress_is_a_dress_that_the_network_calls_a_shirt_and_stands_at_its_place():
    test = load_zoo("fashion-resnet14-w16-s1").test
    assert test.y[story.PHOTOGRAPH] == story.DRESS
    assert np.argmax(test.prob[story.PHOTOGRAPH]) == story.SHIRT
    rows = csv_frame(read_declared("photographs/fashion.csv")).row
    assert rows[story.DRESS_INDEX] == story.PHOTOGRAPH


def test_a_photograph_is_the_one_at_its_place(monkeypatch):
    row = np.arange(3 * story.WIDTH * 2).reshape(2, -1)
    monkeypatch.setattr(story, "read_declared", lambda path: b"")
    monkeypatch.setattr(story.plt, "imread", lambda file: row)
    columns = [story.photograph(place)[0] for place in range(3)]
    assert [len(column) for column in columns] == [story.WIDTH] * 3
    assert np.concatenate(columns).tolist() == row[0].tolist()
