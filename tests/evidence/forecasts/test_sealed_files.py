"""Sealed files read into frames, and numbers of small networks and tables by hand."""

import hashlib

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

import calib
from evidence.forecasts import sealed_files
from evidence.forecasts.sealed_files import Number


def by_name(rows):
    return {(row.metric, row.method): row.value for row in rows}


def test_a_kind_that_a_model_lacks_changes_no_other_kind(folder):
    whole = pd.read_csv(folder / "kinds.csv")
    lacking = whole.copy()
    lacking.loc[lacking["model"] != "m0", "token"] = np.nan
    before, after = (
        sealed_files.frames_of_models("kinds", rows)["kinds by metric"]
        for rows in (whole, lacking)
    )
    gone = (before["level"] == "token") & (before["case"] != "m0")
    key = ["case", "level", "metric"]
    expected = before[~gone].set_index(key)["value"]
    found = after.set_index(key)["value"]
    pd.testing.assert_series_equal(found.loc[expected.index], expected)
    assert found.drop(expected.index).isna().all()


def test_a_file_lacks_or_is_told_by_what_it_needs(folder, tmp_path):
    assert sealed_files.read_registered(tmp_path, "stated", "model") is None
    assert "model" in sealed_files.read_registered(folder, "stated", "model wording")
    with pytest.raises(ValueError, match="'age' is not there; it has model, wording"):
        sealed_files.read_registered(folder, "stated", "model age")
    (tmp_path / "predictions").mkdir()
    np.savez(tmp_path / "predictions" / "one.npz", y=[0])
    with pytest.raises(ValueError, match=r"one.npz: 'logits' is not there; it has y"):
        sealed_files.read_registered(tmp_path, "one", "y logits")


def test_originals_are_told_by_their_bytes(tmp_path, monkeypatch):
    name = tmp_path / "originals" / "deep" / "any name"
    name.parent.mkdir(parents=True)
    name.write_bytes(b"content")
    digest = hashlib.sha256(b"content").hexdigest()[:16]
    files = pd.DataFrame({"sha256": ["0" * 16, digest]}, index=["first", "second"])
    monkeypatch.setattr(sealed_files, "registered_files", lambda: files)
    assert sealed_files.originals(tmp_path) == ["second"]


@pytest.mark.parametrize(
    ("first", "change"), [(0.2, [0, -50, 25]), (0.0, [np.nan] * 3)]
)
def test_a_change_of_order_is_a_share_of_the_risk_before(first, change):
    methods = ["Uncalibrated", "Temperature scaling", "Spline"]
    values = np.array([first, 0.1, 0.25])
    rows = [Number("AURC", *each) for each in zip(methods, values, strict=True)]
    found = sealed_files.changes_of_order([*rows, Number("ECE", "Spline", 9.0)])
    names = [f"Change of AURC by {method}" for method in methods]
    assert [row.metric for row in found] == names
    assert {row.method for row in found} == {"every map"}
    assert [row.value for row in found] == pytest.approx(change, nan_ok=True)


def test_metrics_of_vectors_are_in_percent_but_for_losses():
    """Two samples, each with .75 on its first choice, of which one is right."""
    p = np.array([[0.75, 0.125, 0.125], [0.125, 0.75, 0.125]])
    found = by_name(sealed_files.numbers_of_vectors(np.array([0, 0]), p, "map"))
    expected = {
        "Accuracy": 50,
        "Confidence": 75,
        "ECE": 25,
        "ECE (25 bins)": 25,
        "KS": 25,
        # the second choice is class 1, then class 0: .125 said, a half right
        "KS top-2": 37.5,
        "KS within-top-2": 12.5,
        "NLL": -(np.log(0.75) + np.log(0.125)) / 2,
    }
    for name, value in expected.items():
        assert found[name, "map"] == pytest.approx(value), name
    assert found["TACE 0.0001", "map"] == pytest.approx(
        100 * calib.tace(np.array([0, 0]), p, threshold=1e-4)
    )


def test_the_ece_comes_about_in_bins():
    """Sums of gaps 6, -4 and 2; five bins, and no more, hold the last two in one."""
    score = np.repeat([0.5, 0.65, 0.75], [12, 20, 8])
    hit = np.r_[np.zeros(12), np.ones(17), np.zeros(3), np.ones(4), np.zeros(4)]
    found = by_name(sealed_files.numbers_of_ece(score, hit, np.zeros(40, int)))
    assert found["two_heaviest_bins", "Uncalibrated"] == pytest.approx(10 / 12)
    spread = 100 * (12 - 8) / 40
    assert found["ece_range", "Uncalibrated"] == pytest.approx(spread)
    assert found["ece_relative_range", "Uncalibrated"] == pytest.approx(spread / 30)


def test_gaps_of_one_bin_of_fifteen_cancel():
    """Scores .61 and .65 share a bin of fifteen, and would not one of sixteen."""
    score = np.repeat([0.61, 0.65, 0.1, 0.9], 10)
    hit = np.repeat([0, 1, 0, 1], 10)
    found = by_name(sealed_files.numbers_of_ece(score, hit, np.zeros(40, int)))
    heaviest = found["two_heaviest_bins", "Uncalibrated"]
    assert heaviest == pytest.approx((6.1 - 3.5 + 1) / (6.1 - 3.5 + 2))


def test_gaps_of_classes_are_judged_by_cochrans_q():
    """Classes of 20, 30 and 19 predictions; the last is too rare."""
    predicted = np.repeat([0, 1, 2], [20, 30, 19])
    hit = (np.arange(69) % 20 < 12).astype(int)
    score = np.linspace(0.5, 0.9, 69)
    weights, gaps = [], []
    for label, n in ((0, 20), (1, 30)):
        hits = sum(hit[predicted == label])
        share = (hits + 1) / (n + 2)
        weights.append(n / (share * (1 - share)))
        gaps.append(sum(score[predicted == label] - hit[predicted == label]) / n)
    mean = sum(w * g for w, g in zip(weights, gaps, strict=True)) / sum(weights)
    q = sum(w * (g - mean) ** 2 for w, g in zip(weights, gaps, strict=True))
    found = sealed_files.p_of_class_gaps(score, hit, predicted)
    assert found == pytest.approx(chi2.sf(q, 1)) and 0.001 < found < 0.999


@pytest.fixture(scope="module")
def measured():
    """A network of three classes, its numbers by metric and method, and its two halves."""
    rng = np.random.default_rng(5)
    z = 2 * rng.standard_normal((240, 3))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    arrays = {"y": y, "logits": 2 * z, "train_y": y[:50], "train_logits": z[:50]}
    return arrays, sealed_files.measure_network(arrays)


def test_maps_see_one_half_and_metrics_the_other(measured):
    arrays, rows = measured
    y, logits, found = arrays["y"], arrays["logits"], by_name(rows.itertuples())
    order = np.random.default_rng(2021).permutation(240)
    fit, test = order[:120], order[120:]
    scaling = calib.TemperatureScaling().fit(logits[fit], y[fit])
    after = scaling.predict_proba(logits[test])
    before = calib.softmax(logits)
    fitted = "Temperature scaling"
    assert found["Temperature", fitted] == pytest.approx(scaling.temperature_)
    assert rows["hot"].all() and scaling.temperature_ > 1
    assert found["NLL", fitted] == pytest.approx(calib.nll(y[test], after))
    assert found["NLL", "Uncalibrated"] == pytest.approx(
        calib.nll(y[test], before[test])
    )
    tace = 100 * calib.tace(y[test], before[test], threshold=1e-4)
    assert found["TACE 0.0001", "Uncalibrated"] == pytest.approx(tace)
    train = calib.softmax(arrays["train_logits"])
    assert found["NLL", "Training"] == pytest.approx(calib.nll(y[:50], train))
    hit, score = (array[test] for array in calib.top_label(y, before)[::-1])
    assert found["ECE", "Uncalibrated"] == pytest.approx(100 * calib.ece(hit, score))
    for name, view in (("", calib.top_label), (" top-2", calib.top_r(2))):
        score, hit = view(y, before)
        spline = calib.SplineCalibration(floor=0).fit(score[fit], hit[fit])
        error = calib.ks_error(hit[test], spline.predict(score[test]))
        assert found[f"KS{name}", "Spline"] == pytest.approx(100 * error)


def test_a_networks_numbers_stand_one_a_row_and_one_a_column(tmp_path, monkeypatch):
    numbers = [("ECE", "Spline", 3.0), ("KS", "none", 4.0)]
    rows = pd.DataFrame(numbers, columns=Number._fields)
    about = {"dataset": "d", "model": "m", "needs": "y logits"}
    files = pd.DataFrame([about, about], index=["net", "absent"])
    monkeypatch.setattr(sealed_files, "registered_files", lambda: files)
    monkeypatch.setattr(sealed_files, "measure_network", lambda arrays: rows)
    (tmp_path / "predictions").mkdir()
    np.savez(tmp_path / "predictions" / "net.npz", y=[0], logits=[[0, 1]])
    found = sealed_files.frames(tmp_path)
    assert found["networks"]["value"].tolist() == [3, 4]
    (network,) = found["files"].to_dict("records")
    about = {"dataset": "d", "case": "net", "model": "m"}
    assert network == about | {"ECE Spline": 3, "KS none": 4}


def test_sets_are_fitted_on_one_quarter_after_the_temperature_of_another(measured):
    arrays, rows = measured
    y, logits, found = arrays["y"], arrays["logits"], by_name(rows.itertuples())
    order = np.random.default_rng(2021).permutation(240)
    first, second, test = order[:60], order[60:120], order[120:]
    scaling = calib.TemperatureScaling().fit(logits[first], y[first])
    for key, proba in (("none", calib.softmax), ("temperature", scaling.predict_proba)):
        # of 60 scores the 55th, the least rank above .9 of 61, by 1 - p of the label
        of_label = proba(logits[second])[np.arange(60), y[second]]
        most = np.sort(1 - of_label)[54]
        chosen = 1 - proba(logits[test]) <= most
        gaps = []
        for label in range(3):
            rows_of_class = [i for i in range(120) if y[test][i] == label]
            covered = sum(chosen[i, label] for i in rows_of_class)
            gaps.append(abs(covered / len(rows_of_class) - 0.9))
        size = chosen.sum() / 120
        assert found["Size", f"lac, {key}"] == pytest.approx(size)
        gap = 100 * sum(gaps) / 3
        assert found["Class gap", f"lac, {key}"] == pytest.approx(gap)


def test_answers_without_confidence_are_counted_and_left_out():
    """Four answers of six: sure .95 right, .9 wrong, .525 right, .3 wrong."""
    answers = pd.DataFrame(
        {
            "correct": [1, 0, 1, 0, 1, np.nan],
            "confidence": [0.95, 0.9, 0.525, 0.3, np.nan, 0.5],
        }
    )
    found = sealed_files.numbers_of_answers(answers)
    expected = {
        "Accuracy": 50,
        "Confidence": 100 * 2.675 / 4,
        "AUROC": 3 / 4,
        "Error": 50,
        "Error of the surest half": 50,
        "Answered": 100 * 4 / 6,
        "Round": 75,  # .525 is no multiple of .05
        "Sure": 50,
        "Levels": 4,
        "ECE": 100 * (0.05 + 0.9 + 0.475 + 0.3) / 4,
    }
    for name, value in expected.items():
        assert found[name] == pytest.approx(value), name
    assert found["ECE, lower end"] < found["ECE"]


def test_the_table_of_classifiers_is_turned_into_one_number_a_row():
    row = {"model": "a", "family": "VGG", "training": "plain", "parameters": 100.0}
    for n, before in zip((10, 15, 30, 50), (4.0, 5.0, 6.0, 9.0), strict=True):
        row |= {f"ece_{n}_before": before, f"ece_{n}_after": 1.0}
    row |= {"accuracy_before": 75.0, "accuracy_after": 74.0}
    row |= {"confidence_before": 80.0, "confidence_after": 75.0}
    table = pd.DataFrame([row, row, {**row, "model": "b", "ece_15_after": np.nan}])
    frames = sealed_files.frames_of_classifiers(table)
    (network,) = frames["classifiers"].to_dict("records")
    assert (network["error"], network["accuracy"], network["log_parameters"]) == (
        25,
        75,
        2,
    )
    assert network["siblings"] == "VGG, plain" and network["kin"] == "VGG"
    found = by_name(frames["classifiers by metric"].itertuples())
    assert found == {
        ("Accuracy", "Uncalibrated"): 75,
        ("Accuracy", "Temperature scaling"): 74,
        ("Confidence", "Uncalibrated"): 80,
        ("Confidence", "Temperature scaling"): 75,
        ("ECE", "Uncalibrated"): 5,
        ("ECE", "Temperature scaling"): 1,
        ("ece_range", "Uncalibrated"): 5,
        ("ece_relative_range", "Uncalibrated"): 1,
    }


def test_answers_to_two_wordings_become_numbers_of_each_model():
    """The wording that comes first is called so."""
    hits = {"b": [1, 1, 0, 1], "a": [0, 0, 1, 0]}
    rows = [("m", "f", word, hit, 0.5) for word, all_ in hits.items() for hit in all_]
    columns = ["model", "family", "wording", "correct", "confidence"]
    frames = sealed_files.frames_of_models(
        "stated", pd.DataFrame(rows, columns=columns)
    )
    table = frames["stated"].set_index("wording")
    assert table["Accuracy"].to_dict() == {"first": 75, "second": 25}
    (wide,) = frames["stated by model"].to_dict("records")
    assert (wide["Accuracy first"], wide["Accuracy second"]) == (75, 25)
    long = frames["stated by metric"].query("metric == 'Error'")
    assert long["value"].tolist() == [25, 75] and (long["kin"] == "f").all()
    assert long["level"].tolist() == ["first", "second"]


@pytest.mark.parametrize("score", ["aps", "raps"])
def test_sets_by_sums_of_probabilities_are_randomised(measured, score):
    arrays, rows = measured
    y, p, found = (
        arrays["y"],
        calib.softmax(arrays["logits"]),
        by_name(rows.itertuples()),
    )
    order = np.random.default_rng(2021).permutation(240)
    own, test = order[60:120], order[120:]
    rng = np.random.default_rng(2021)
    sets = calib.ConformalSets(score, randomize=True).fit(p[own], y[own], rng=rng)
    size = sets.predict(p[test], rng=rng).sum() / 120
    assert found["Size", f"{score}, none"] == pytest.approx(size)
