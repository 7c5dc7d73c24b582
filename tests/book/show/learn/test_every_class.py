"""Errors of classes as bars; the dress of the story, and second answers, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
from drawings import heights, segments, texts

from book.show.learn import every_class


def test_bars_of_a_class_stand_beside_each_other_and_a_line_tells_chance():
    figure = every_class.draw_errors_of_classes(
        ["cat", "dog"], np.array([2.0, 5.0]), np.array([1.0, 0.5]), np.array([0.7, 0.8])
    )
    (ax,) = figure.axes
    assert heights(ax)[:, 2].tolist() == [2, 5, 1, 0.5]
    middles = heights(ax)[:, 1] + heights(ax)[:, 3] / 2
    assert middles == pytest.approx([-0.2, 0.8, 0.2, 1.2])
    assert segments(ax.collections[0]).tolist() == [
        [0.7, 0, 0.7, 0.4],
        [0.8, 1, 0.8, 1.4],
    ]
    assert texts(ax) == ["before", "after", "95 % end of chance"]
    assert ax.texts[0].get_position() == pytest.approx((5.03, 0.8))


def outputs(prob, label=3):
    return SimpleNamespace(y=np.array([label, 0]), prob=prob)


def test_the_dress_is_said_to_be_a_shirt(glued, monkeypatch):
    monkeypatch.setattr(every_class, "PHOTOGRAPH", 0)
    trained = np.full((2, 7), 0.0125)
    trained[0, [3, 6]] = 0.0375, 0.9
    after = np.full((2, 7), 0.0)
    after[0, [3, 6]] = 0.2, 0.6
    every_class.glue_dress_of_story(outputs(trained), after)
    assert glued == {
        "every-case-dress-trained": "3.8%",
        "every-case-dress-after": "20%",
        "every-case-shirt-trained": "90.0%",
        "every-case-shirt-after": "60%",
    }
    for wrong in (outputs(trained[::-1]), outputs(trained, label=6)):
        with pytest.raises(ValueError, match="called a shirt"):
            every_class.glue_dress_of_story(wrong, after)


def second_answers(second, n_right, n=400):
    """Labels and probabilities: a first answer, a second one, and the rest."""
    prob = np.tile([0.8 - second, second, 0.1, 0.1], (n, 1))
    prob[:, 2:] = (1 - prob[:, :2].sum(axis=1, keepdims=True)) / 2
    return (np.arange(n) < n_right).astype(int), prob


def test_second_answers_near_ten_per_cent_are_counted(glued):
    y, prob = second_answers(0.12, 120)
    far, sure = second_answers(0.3, 400)
    every_class.glue_second_answers(np.append(y, far), np.concatenate([prob, sure]))
    assert glued == {
        "every-case-second-said": "12%",
        "every-case-second-right": "30%",
        "every-case-second-error": "5%",  # 1.966 sqrt(.3 .7 / 399)
    }
    with pytest.raises(ValueError, match="right more often"):
        every_class.glue_second_answers(*second_answers(0.12, 60))
