"""What the claims on promises read."""

import pytest

from evidence.claims import promise_frames
from evidence.claims.promise_frames import ensembles_of_others


def test_seeds_are_one_case_and_worlds_are_counted_one_by_one():
    assert "baan-mnli-roberta" in set(promise_frames.prediction_sets()["case"])
    assert promise_frames.ensembles()["dataset"].notna().all()
    assert promise_frames.abstention_zoo().groupby("case")["loss"].nunique().max() >= 5
    worlds = promise_frames.worlds_of_priors().query(
        "method == 'worlds where EM raises the accuracy, none'"
    )
    stored = promise_frames.frames.read_table("results/promises/class_priors.csv")
    stored = stored.query("calibrator == 'none' and way == 'EM'")
    assert len(worlds) == stored["n_worlds"].sum()
    assert worlds["value"].mean() == pytest.approx(stored["accuracy_better"].mean())
    pneumonia = worlds[worlds["case"] == "ferrer-pneumonia-resnet50"]
    assert (pneumonia["value"].sum(), pneumonia["metric"].nunique()) == (11, 20)


def test_networks_of_three_data_sets_are_in_the_frame():
    rows = ensembles_of_others().pivot(index="case", columns="method", values="value")
    assert len(rows) == 15 and (rows["pooled"] > rows["members"]).all()
