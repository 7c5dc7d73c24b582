"""What the claims on promises read, from few rows by hand and from what is stored."""

import numpy as np
import pandas as pd
import pytest

from evidence.claims import promise_frames
from evidence.claims.promise_frames import frames


def numbers(rows):
    """The value of each method and metric of one network."""
    return {(row.method, row.metric): row.value for row in rows.itertuples()}


def test_a_frame_has_the_network_without_its_seed_and_no_empty_number():
    table = pd.DataFrame({"name": ["toy-a-s1", "toy-a-s2"], "ece": [0.5, np.nan]})
    (row,) = promise_frames.tidy(table, "none", {"ece": ("ECE", 100)}).itertuples()
    assert (row.case, row.method, row.metric, row.value) == ("toy-a", "none", "ECE", 50)
    assert row.dataset == "MMLU"  # what no list of networks knows


def test_people_and_the_majority_judge_what_is_disputed(give_table):
    def row(source, judge, samples, ece):
        return {"source": source, "judge": judge, "samples": samples, "ece": ece}

    rows = [
        row("a", "majority", "unclear", 0.25),
        row("a", "people", "unclear", 0.125),
        row("a", "people", "all", 0.9),
        row("a", "true probability", "unclear", 0.9),
        row("baan-b", "majority", "all", 0.5),
        row("baan-b", "people", "all", 0.75),
        row("baan-b", "people", "unclear", 0.9),
        row(frames.REPEATED[0], "people", "unclear", 0.9),
    ]
    give_table("results/promises/labels_of_people.csv", rows)
    judged = promise_frames.judged_by_people()
    errors = judged[judged["metric"] == "ECE"]
    assert [*zip(errors["source"], errors["method"], errors["value"], strict=True)] == [
        ("a", "majority", 25),
        ("a", "people", 12.5),
        ("baan-b", "majority", 50),
        ("baan-b", "people", 75),
    ]
    apart = judged[judged["metric"] == "Apart"].set_index("source")["value"]
    assert apart.to_dict() == {"a": 12.5, "baan-b": 25}


def test_accuracy_by_real_labels_is_of_any_sample_and_not_of_alexnet(give_table):
    sources = ("hendrycks-imagenet-alexnet", "northcutt-imagenet-alexnet", "new")
    rows = [
        {"source": source, "samples": samples, "judge": "ReaL", "share": 0.75}
        for source in sources
        for samples in ("any", "one label")
    ]
    give_table("results/promises/imagenet_real_labels.csv", rows)
    found = promise_frames.imagenet_real_labels()
    assert "northcutt-imagenet-alexnet" not in set(found["source"])
    assert found["source"].is_unique and (found["value"] == 75).all()


def test_maps_of_groups_have_ends_of_1_96_deviations(give_table):
    row = {"source": "a", "map": "isotonic", "brier": 0.25, "nll": 1.0, "worst": 0.5}
    row |= {"brier_sd": 0.1, "nll_sd": np.nan, "worst_sd": 0.0}
    give_table("results/promises/group_maps.csv", [row])
    found = numbers(promise_frames.maps_of_groups())
    assert found["isotonic", "Top-1 Brier"] == 0.25
    assert found["isotonic, lower end", "Top-1 Brier"] == pytest.approx(0.054, abs=1e-5)
    assert found["isotonic, upper end", "Top-1 Brier"] == pytest.approx(0.446, abs=1e-5)
    # one split has no deviation: both ends are the number itself
    assert found["isotonic, lower end", "NLL"] == 1
    assert found["isotonic, upper end", "Worst cell"] == 50


def test_sets_of_a_network_are_hot_where_its_temperature_is_above_one(give_table):
    about = {"score": "aps", "size": 2.5, "class_gap": 0.25, "coverage": 0.875}
    rows = [
        {"source": source, "calibrator": calibrator, "temperature": temperature}
        for source, of_source in (("a", 1.5), ("b", 0.5))
        for calibrator, temperature in (("none", np.nan), ("temperature", of_source))
    ]
    give_table("results/promises/set_sizes.csv", [row | about for row in rows])
    found = promise_frames.prediction_sets()
    assert found.groupby("source")["hot"].all().to_dict() == {"a": True, "b": False}
    assert numbers(found[found["source"] == "a"]) == {
        ("aps, none", "Size"): 2.5,
        ("aps, none", "Class gap"): 25,
        ("aps, temperature", "Size"): 2.5,
        ("aps, temperature", "Class gap"): 25,
        ("every score", "Coverage of aps, none"): 87.5,
        ("every score", "Coverage of aps, temperature"): 87.5,
    }


def test_sets_along_the_temperature_are_named_by_their_score(give_table):
    rows = [{"source": "a", "score": "lac", "size": 3.5}]
    give_table("results/promises/set_temperature.csv", rows)
    found = promise_frames.set_temperature()
    assert numbers(found) == {("lac", "Size of lac"): 3.5}


def test_a_change_of_the_aurc_is_a_share_of_that_before_the_map(give_table):
    rows = [("a", "none", 0.2), ("a", "vector", 0.25), ("a", "matrix", 0.9)]
    rows += [("b", "none", 0.5), ("b", "vector", 0.25)]
    table = pd.DataFrame(rows, columns=["source", "calibrator", "aurc"])
    give_table("results/promises/abstention_public.csv", table)
    found = promise_frames.abstention_public().set_index("source")
    assert (found["metric"] == "Change of AURC by vector").all()
    assert found["value"].to_dict() == pytest.approx({"a": 25, "b": -50})


def test_em_is_better_in_as_many_worlds_as_its_share_says(give_table):
    about = {"source": "a", "n_worlds": 4, "accuracy_better": 0.75}
    rows = [{"calibrator": "none", "way": way} | about for way in ("EM", "BBSE")]
    give_table("results/promises/class_priors.csv", rows)
    found = promise_frames.worlds_of_priors()
    assert found["metric"].tolist() == ["world 1", "world 2", "world 3", "world 4"]
    assert found["value"].tolist() == [1, 1, 1, 0]
    method = "worlds where EM raises the accuracy, none"
    assert (found["method"] == method).all()


def test_an_ensemble_is_beside_its_members(give_table):
    """Pooling adds .01 (lower end) to an ECE of .03, and .06 to the accuracy after a map."""
    columns = ["way", "nll", "ece", "accuracy", "gap", "ece_low"]
    rows = [
        ("members", 0.5, 0.03, 0.75, 0.1, np.nan),
        ("members, calibrated", 0.5, 0.02, 0.74, 0.0, np.nan),
        ("pooled", 0.4, 0.05, 0.8, -0.1, 0.01),
    ]
    table = pd.DataFrame(rows, columns=columns).assign(setting="toy")
    give_table("results/promises/ensembles.csv", table)
    found = numbers(promise_frames.ensembles())
    assert found["pooled, lower end", "ECE"] == pytest.approx(4)
    assert found["pooled", "Gain in accuracy"] == pytest.approx(6)
    assert found["members", "Gain in accuracy"] == pytest.approx(1)
    assert (found["pooled", "NLL"], found["pooled", "Gap"]) == (0.4, -10)


def test_experiments_of_calarena_are_repeated_where_classes_are_many(give_table):
    about = {"benchmark": "imagenet-multiclass", "dataset": "imagenet", "model": "vit"}
    numbers_of_maps = {"brier none": 0.25, "ece none": 0.125, "nll vector": 0.5}
    few = about | {"benchmark": "tabular", "dataset": "adult"}
    rows = [about | numbers_of_maps, few | numbers_of_maps]
    give_table("tables/calarena_maps.csv", rows)
    found = promise_frames.maps_of_calarena()
    is_many = found["case"].str.startswith("imagenet")
    once = {("none", "Brier"): 0.25, ("none", "ECE"): 12.5, ("vector", "NLL"): 0.5}
    assert numbers(found[~is_many]) == once
    ends = ("", ", a hundred classes or more")
    assert numbers(found[is_many]) == {
        (method, metric + end): value
        for (method, metric), value in once.items()
        for end in ends
    }


def test_ensembles_of_others_add_to_members_that_count_as_zero(give_table):
    rows = [{"dataset": "sst", "network": "cnn", "accuracy": 1.5}]
    give_table("tables/uncertainty_bench.csv", rows)
    found = promise_frames.ensembles_of_others()
    assert numbers(found) == {("members", "Accuracy"): 0, ("pooled", "Accuracy"): 1.5}


def test_seeds_of_a_public_network_are_one_case():
    assert "baan-mnli-roberta" in set(promise_frames.prediction_sets()["case"])


def test_every_ensemble_has_a_data_set():
    assert promise_frames.ensembles()["dataset"].notna().all()


def test_networks_of_the_zoo_that_differ_in_their_loss_are_one_case():
    areas = promise_frames.abstention_zoo()
    assert areas.groupby("case")["loss"].nunique().max() >= 5
    alike = ["dataset", "architecture", "depth", "width", "epochs", "weight_decay"]
    assert (areas.groupby("case")[alike].nunique() <= 1).all(axis=None)
    assert (areas["label_noise"] == 0).all() and (areas["calibrator"] == "none").all()


def test_stored_worlds_of_priors_are_as_many_as_were_drawn():
    worlds = promise_frames.worlds_of_priors().query(
        "method == 'worlds where EM raises the accuracy, none'"
    )
    stored = frames.read_table("results/promises/class_priors.csv")
    stored = stored.query("calibrator == 'none' and way == 'EM'")
    assert len(worlds) == stored["n_worlds"].sum()
    assert worlds["value"].mean() == pytest.approx(stored["accuracy_better"].mean())


def test_stored_ensembles_of_three_data_sets_surpass_their_members():
    rows = promise_frames.ensembles_of_others()
    rows = rows.pivot(index="case", columns="method", values="value")
    assert len(rows) == 15 and (rows["pooled"] > rows["members"]).all()
