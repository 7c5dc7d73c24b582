"""Gaps by other judges, and temperatures for people: counted by hand."""

import numpy as np
import pandas as pd
import pytest
from drawings import labelled, points, segments, texts, ticks

from book.show.learn import against_whom


def gaps(samples="all", **by_judge):
    """Gaps of two sources by judges, each with an interval of 0.02 to both sides."""
    rows = [
        {"judge": judge, "source": source, "samples": samples, "gap": gap}
        for judge, values in by_judge.items()
        for source, gap in zip("ab", values, strict=True)
    ]
    table = pd.DataFrame(rows)
    return table.assign(low=table.gap - 0.02, high=table.gap + 0.02, n=100, share=0.5)


def test_a_dot_is_one_source_by_two_judges():
    rows = gaps("every", label=[0.1, 0.2], people=[0.3, 0.4])
    shuffled = rows.iloc[[0, 1, 3, 2]]  # the judges have other orders of sources
    other = gaps("one", label=[0, 0], people=[0.5, 0.5])
    clouds = ("every", "all", 1, 2), ("one", "few", 3, 4)
    figure = against_whom.draw_gaps_by_judge(
        pd.concat([shuffled, other]), "people", "a person", *clouds
    )
    (ax,) = figure.axes
    assert points(ax, 0) == pytest.approx(np.array([[10, 30], [20, 40]]))
    across, up = ax.collections[:2]
    assert segments(across)[0] == pytest.approx([8, 30, 12, 30])
    assert segments(up)[0] == pytest.approx([10, 28, 10, 32])
    assert (texts(ax), ax.get_ylabel()) == (["all", "few"], "by a person (points)")


def test_on_cifar_clear_and_unclear_images_are_two_clouds():
    rows = [gaps(s, label=[0.1, 0.1], people=[0.2, 0.3]) for s in ("clear", "unclear")]
    (ax,) = against_whom.draw_gaps_on_cifar(pd.concat(rows)).axes
    assert texts(ax) == ["clear images", "unclear"]
    assert ax.get_ylabel() == "by a random person (points)"


def test_gaps_by_people_exceed_those_by_the_label_most_where_unclear(glued):
    rows = [
        gaps("all", label=[0.1, 0.2], people=[0.15, 0.25]),
        gaps("unclear", label=[0.1, 0.2], people=[0.3, 0.4]).assign(n=20),
        gaps("clear", label=[0.1, 0.2], people=[0.11, 0.21]).assign(n=80),
    ]
    against_whom.glue_gaps_by_people(pd.concat(rows))
    assert glued == {
        "whom-cifar-n": 2,
        "whom-cifar-shift": "5.0",
        "whom-unclear": "30 to 40",
        "whom-unclear-share": "20",
        "whom-unclear-part": "80",  # 20 points of 20 images, of 5 points of 100
    }
    rows[0] = gaps("all", label=[0.1, 0.2], people=[0.05, 0.25])
    with pytest.raises(ValueError, match="larger everywhere"):
        against_whom.glue_gaps_by_people(pd.concat(rows))


def real(label=0.1, accepted=-0.03):
    """Gaps of 25 networks by the label and by the accepted labels, of two kinds of images."""
    parts = []
    for samples, move in (("any", 1), ("one", 0.5)):
        for judge, gap, share in (
            ("label", label, 0.7),
            ("ReaL", label + move * accepted, 0.8),
        ):
            sources = [f"net{i}" for i in range(25)]
            part = pd.DataFrame({"source": sources, "gap": gap, "share": share})
            parts.append(part.assign(judge=judge, samples=samples))
    table = pd.concat(parts)
    return table.assign(low=table.gap - 0.08, high=table.gap + 0.08)


def test_networks_are_counted_that_are_too_sure_by_each_judge(glued):
    against_whom.glue_gaps_by_accepted_labels(real())
    assert glued == {
        "whom-any-label": 25,
        "whom-any-real": 25,
        "whom-any-sure": 0,
        "whom-change-any": "−3.0",
        "whom-change-one": "−1.5",
        "whom-lead": "10 to 10",
    }
    table = real()
    with pytest.raises(ValueError, match="25 networks"):
        against_whom.glue_gaps_by_accepted_labels(table[table.source != "net3"])
    with pytest.raises(ValueError, match="beyond chance"):
        against_whom.glue_gaps_by_accepted_labels(real(label=0.05))


def entropies():
    """What a temperature for labels and one for people do to four sources."""
    columns = {
        "source": [
            "calibench-cifar10-resnet50-ce",
            "calibench-cifar10-resnet50-focal",
            "baan-snli-bert",
            "baan-mnli-roberta",
        ],
        "t_label": [1.0, 2, 1, 1],
        "t_people": [1.5, 1.5, 2, 3],
        "ece_people_none": [0.10, 0.20, 0.3, 0.4],
        "ece_people_label": [0.05, 0.10, 0.2, 0.1],
        "ece_people_people": [0.02, 0.12, 0.1, 0.05],
        "distance_none": [0.1, 0.1, 0.1, 0.1],
        "distance_label": [0.12, 0.1, 0.1, 0.1],
        "distance_people": [0.13, 0.09, 0.2, 0.08],
        "correlation": [0.4, 0.3, 0.5, 0.2],
        "correlation_none": [0.4, 0.3, 0.5, 0.2],
        "correlation_people": [0.42, 0.31, 0.45, 0.21],
        "low": [0.3, 0.2, 0.4, 0.1],
        "high": [0.5, 0.4, 0.6, 0.3],
    }
    return pd.DataFrame(columns)


def test_sources_are_counted_where_people_ask_for_a_higher_temperature(glued):
    against_whom.glue_temperatures_for_people(entropies())
    assert glued == {
        "whom-hotter": "3 of 4",
        "whom-better": "3 of 4",
        "whom-farther": "1 of 2",
        "whom-nearer": "1 of 2",
        "whom-sources": "2 for CIFAR-10, 2 for sentences",
        "whom-corr": "0.20 to 0.50",
        "whom-corr-raised": "3 of 4",
        "whom-corr-top": "0.5",
    }


@pytest.fixture
def plain_labels(monkeypatch):
    monkeypatch.setattr(against_whom, "source_label", lambda name: name)


def test_a_temperature_moves_an_error_and_a_distance(plain_labels):
    rows = pd.concat([entropies()] * 2, ignore_index=True)
    rows["source"] = [f"net {i}" for i in range(8)]
    errors, moves = against_whom.draw_effects_of_temperatures(rows).axes
    assert points(errors, 0)[:4, 0] == pytest.approx([10, 20, 30, 40])
    assert points(errors, 2)[:4, 0] == pytest.approx([2, 12, 10, 5])
    assert np.isnan(points(moves, 0)[:, 0]).all()  # what is as trained has not moved
    assert points(moves, 2)[:4, 0] == pytest.approx([3, -1, 10, -2])
    assert texts(errors) == ["as trained", "T for labels", "T for people"]


def test_seeds_of_a_network_are_one_line_of_the_figure(monkeypatch):
    monkeypatch.setattr(
        against_whom, "source_label", lambda name: f"CIFAR-10 net, seed {name}"
    )
    rows = pd.concat([entropies()] * 2, ignore_index=True)
    rows["source"] = [*"12345678"]
    with pytest.raises(IndexError):  # one line: there is no fifth to write beside
        against_whom.draw_effects_of_temperatures(rows)


def test_sources_stand_in_the_order_of_their_correlations(plain_labels):
    (ax,) = against_whom.draw_correlations_of_entropies(entropies()).axes
    assert points(ax, 0)[:, 0].tolist() == [0.2, 0.3, 0.4, 0.5]
    assert segments(ax.collections[0])[0] == pytest.approx([0.1, 0, 0.3, 0])
    assert ticks(ax.yaxis)[0] == "baan-mnli-roberta"
    assert labelled(ax) == {}
