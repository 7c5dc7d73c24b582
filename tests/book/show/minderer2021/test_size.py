"""Errors of recipes and of sizes, and how often what rises: by hand."""

import pandas as pd
import pytest
from drawings import labelled, points, segments

from book.show.minderer2021 import size


def recipes():
    columns = "accuracy_smallest accuracy_largest ece_smallest ece_largest".split()
    table = pd.DataFrame([[70, 80, 3, 5], [75, 78, 6, 4]], columns=columns)
    return table.assign(ece_after_smallest=1.0, ece_after_largest=2.0)


def test_a_recipes_line_ends_with_a_dot_at_its_largest_network():
    named = {"ViT": recipes()}
    trained, scaled = size.draw_errors_of_recipes(recipes(), named).axes
    assert points(trained, 0).tolist() == [[30, 3], [20, 5]]
    assert points(trained, 1).tolist() == [[20, 5]]
    assert points(scaled, 2).tolist() == [[25, 1], [22, 2]]
    assert list(labelled(trained)) == ["ViT"]  # one entry for all lines of a family


def test_families_of_three_sizes_are_coloured_by_whether_the_error_rises():
    siblings = pd.DataFrame(
        {
            "siblings": [*"aaabbbcc"],
            "parameters": [1, 2, 4, 1, 2, 4, 1, 2],
            "value": [1.0, 2, 3, 3, 1, 2, 1, 2],
        }
    )
    scaled = pd.concat(
        {
            key: pd.DataFrame({"low": [1.0], "ece": [2.0], "high": [4.0]}, ["net"])
            for key in ("before", "after")
        },
        axis=1,
    )
    above, below = size.draw_errors_by_size(siblings, scaled).axes
    assert len(above.lines) == 2  # of two sizes nothing is told
    colours = [line.get_color() for line in above.lines]
    assert colours == [size.COLOURS["vermillion"], size.COLOURS["blue"]]
    assert segments(below.collections[0])[0] == pytest.approx([1, 0, 4, 0])
    assert labelled(below)["after"].tolist() == [[2, 0]]


def test_what_rises_is_counted_among_recipes(glued):
    sides = ["all recipes", "all over", "all under"]
    rises = pd.DataFrame({"recipes": [10, 6, 4], "the accuracy": [9, 0, 0]}, sides)
    rises["confidence less accuracy"] = [7, 0, 0]
    rises["the ECE as trained"] = [0, 5, 1]
    rises["the ECE scaled"] = [3, 0, 0]
    groups = pd.DataFrame({"family": ["ViT", "BiT", "ViT"], "level": "family"})
    groups["training"] = ["pretrained", "pretrained", "zero-shot"]
    groups = groups.assign(ece=[1.0, 2.25, 9], ece_after=[0.5, 0.75, 9])
    size.glue_trends_of_recipes(rises, groups)
    assert glued == {
        "minderer-recipes-n": 10,
        "minderer-recipes-accuracy": "9 of 10",
        "minderer-recipes-over": "7 of 10",
        "minderer-recipes-ece-over": "5 of 6",
        "minderer-recipes-ece-under": "1 of 4",
        "minderer-recipes-scaled": "3 of 10",
        "minderer-vit-ece": "1.0",
        "minderer-vit-ece-after": "0.5",
        "minderer-bit-ece": "2.2",
        "minderer-bit-ece-after": "0.8",
    }
