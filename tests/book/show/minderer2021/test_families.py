"""Error and ECE of classifiers, and who counts once: numbers by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from drawings import points, segments

from book.show.minderer2021 import families


def test_a_mark_grows_with_the_root_of_the_parameters():
    assert families.mark_area(400) == pytest.approx(2 * families.mark_area(100))
    wide = np.sqrt(families.mark_area(1000) / families.mark_area(1))
    assert 5.5 < wide < 6  # a thousand times the parameters: nearly six times as wide


def medians():
    columns = ["accuracy", "accuracy_q25", "accuracy_q75", "ece", "ece_q25", "ece_q75"]
    rows = pd.DataFrame(
        [[80, 75, 85, 5, 4, 7], [70, 65, 75, 3, 2, 4]], ["ViT", "BiT"], columns
    )
    return rows.assign(parameters=[100, 25], over=[1.0, -1.0])


def plane():
    """Networks whose predictions are public, one published twice."""
    names = [
        "northcutt-imagenet-alexnet",
        "timm-imagenet-a",
        "timm-imagenet-b",
        "hollance-r50",
    ]
    models = ["AlexNet", "A", "ResNet-50", "ResNet-50"]
    table = pd.DataFrame({"model": models, "accuracy": [56.0, 80, 76, 74]}, names)
    table = table.assign(
        ece=[2.0, 7, 4, 5], over=[-1.0, 1, -1, 1], error=100 - table.accuracy
    )
    return table.assign(ece_low=table.ece - 1, ece_high=table.ece + 1)


def test_medians_have_their_quartiles_and_are_filled_where_too_sure():
    front = plane().iloc[[0]]
    above, below = families.draw_figure_1(medians(), medians(), plane(), front).axes
    first, second = above.collections[4], above.collections[7]
    assert first.get_offsets().tolist() == [[20, 5]]
    assert first.get_sizes() == pytest.approx(families.mark_area(100))
    assert second.get_facecolor()[0].tolist() == [1, 1, 1, 1]  # not sure enough: white
    assert segments(above.collections[2])[0] == pytest.approx([15, 5, 25, 5])
    assert segments(above.collections[3])[0] == pytest.approx([20, 4, 20, 7])
    assert points(below, 0).tolist() == [[44, 2]]
    assert segments(below.collections[0])[0] == pytest.approx([44, 1, 44, 3])


def test_a_network_that_is_published_twice_counts_once(monkeypatch):
    monkeypatch.setattr(families.claims, "relatives", lambda names: {"author": "x"})
    once = families.counted_once(plane()).set_index("case")
    assert len(once) == 3
    assert once.loc["timm-imagenet-b", ["accuracy", "ece"]].tolist() == [75, 4.5]


def groups():
    columns = "level family training n under rank_ece rank_ece_after astray ece accuracy".split()
    rows = [
        ("all", "", "", 1116, 0.56, -0.2, 0.3, 4, 5, 80),
        ("family", "CLIP", "zero-shot", 20, 0.5, 0, 0, 0, 5.25, 70.0),
        ("family", "CLIP", "pretrained", 30, 0.25, 0, 0, 0, 7.2, 85),
    ]
    return pd.DataFrame(rows, columns=columns)


def test_the_text_on_figure_1_counts_networks(glued, monkeypatch):
    monkeypatch.setattr(families.claims, "relatives", lambda names: {})
    monkeypatch.setattr(families, "_correlation", lambda once: (0.1, -0.3, 0.5))
    families.glue_figure_1(plane(), groups())
    assert glued["minderer-sets"] == 4 and glued["minderer-networks"] == 3
    assert glued["minderer-resize"] == "2.0" and glued["minderer-resize-ece"] == "agree"
    assert glued["minderer-under"] == 2 and glued["minderer-below"] == 0
    assert (glued["minderer-timm"], glued["minderer-timm-over"]) == (2, 1)
    assert glued["minderer-rho"] == "+0.10 [−0.30, +0.50]"
    assert (
        glued["minderer-best"] == "2.0 and 7.0" and glued["minderer-alexnet"] == "2.0"
    )
    assert glued["minderer-classifiers-under"] == "56%"
    assert glued["minderer-clip-error"] == "30"
    assert glued["minderer-clip-tuned-ece"] == "7.2"
    monkeypatch.setattr(families, "_correlation", lambda once: (0.3, 0.1, 0.5))
    with pytest.raises(ValueError, match="not resolved"):
        families.glue_figure_1(plane(), groups())


def test_the_correlation_is_the_ledgers(monkeypatch):
    asked = {}

    def measured_networks(cases, *, rows, named):
        asked.update(cases=cases, named=named)
        return SimpleNamespace(shown_interval=(0.1, 0, 0.2))

    monkeypatch.setattr(families.claims, "measured_networks", measured_networks)
    monkeypatch.setattr(families, "correlates", lambda once, **keywords: keywords)
    assert families._correlation(plane()) == (0.1, 0, 0.2)
    assert asked == {
        "cases": {"x": "accuracy", "y": "ece", "sign": 1},
        "named": ["ImageNet"],
    }
