"""Errors without and with pretraining stand across and up."""

import pandas as pd
from drawings import labelled, points

from book.show.minderer2021 import pretraining


def test_an_error_with_pretraining_stands_over_the_one_without():
    pairs = pd.DataFrame(
        {"ImageNet-1k": [0.002, 0.003], "ImageNet-21k": [0.004, 0.001]}
    )
    columns = pd.MultiIndex.from_product(
        [["ece", "ece_after"], ["supervised", "pretrained"]]
    )
    medians = pd.DataFrame([[5, 7, 1, 2], [6, 4, 2, 3]], ["ViT", "Swin"], columns)
    above, below = pretraining.draw_errors_by_pretraining(pairs, medians).axes
    assert points(above, 1).tolist() == [[0.002, 0.004], [0.003, 0.001]]
    assert labelled(below)["as trained"].tolist() == [[5, 7], [6, 4]]
    assert labelled(below)["scaled"].tolist() == [[1, 2], [2, 3]]
    assert [(text.get_text(), tuple(text.xy)) for text in below.texts] == [
        ("RegNet, ViT", (5, 7)),
        ("Swin", (6, 4)),
    ]
