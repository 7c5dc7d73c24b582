"""Networks of the second set: samples without numbers, reasons, and frames by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import calib
from evidence.forecasts.second import network_frames

Y = np.arange(300) % 3
EVEN = np.full((300, 3), 1 / 3)


def test_samples_without_numbers_are_left_out_and_counted():
    p = np.full((300, 3), 1 / 3)
    p[0] = np.nan
    frame = network_frames.network_of(np.arange(300) % 3, probabilities=p)
    assert frame.left_out == 1 and len(frame.y) == 299
    p[:100] = np.nan
    with pytest.raises(ValueError, match="100 of 300 samples"):
        network_frames.network_of(np.arange(300) % 3, probabilities=p)


@pytest.mark.parametrize(("label", "left_out"), [(-1, 1), (0.5, 1), (3, 1), (2, 0)])
def test_a_label_is_one_of_the_classes(label, left_out):
    y = np.r_[Y[:-1], label]
    assert network_frames.network_of(y, logits=EVEN).left_out == left_out


@pytest.mark.parametrize(
    ("n", "n_lost", "fits"),
    [
        (300, 3, True),
        (300, 4, False),
        (100, 0, True),
        (99, 0, False),
        (100, 1, False),
    ],
)
def test_a_network_has_a_hundred_samples_and_loses_one_in_a_hundred(n, n_lost, fits):
    y = Y[:n].astype(float)
    y[:n_lost] = np.nan
    if fits:
        assert len(network_frames.network_of(y, logits=EVEN[:n]).y) == n - n_lost
    else:
        with pytest.raises(ValueError, match=f"{n_lost} of {n} samples"):
            network_frames.network_of(y, logits=EVEN[:n])


def test_two_classes_are_enough_and_nothing_is_left_out_unless_told():
    frame = network_frames.network_of(Y % 2, logits=EVEN[:, :2])
    assert frame.logits.shape == (300, 2) and frame.left_out == 0
    assert network_frames.Network(Y, EVEN).left_out == 0


@pytest.mark.parametrize("outlier", [-1e-6, 1.002])
def test_probabilities_lie_between_zero_and_one(outlier):
    p = EVEN.copy()
    p[0, 0] = outlier
    with pytest.raises(ValueError, match="below zero or above one"):
        network_frames.network_of(Y, probabilities=p)


def test_probabilities_are_logits_by_their_logarithm_and_sums_may_be_rounded():
    p = np.tile([1.0005, 0.0, 0.25], (300, 1))
    logits = network_frames.network_of(Y, probabilities=p).logits
    assert np.exp(logits[0]) == pytest.approx([1.0005, 1e-12, 0.25])


@pytest.mark.parametrize("shape", [(300, 1), (299, 3), (300,)])
def test_scores_go_along_with_labels(shape):
    with pytest.raises(ValueError, match="do not go along"):
        network_frames.network_of(Y, logits=np.zeros(shape))


def test_a_file_that_is_no_network_says_why(tmp_path):
    path = tmp_path / "one.npz"
    for content in (b"", b"PK\x03\x04 cut off"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="not a file of numpy"):
            network_frames.read_network(path)
    np.savez(path, y=Y)
    with pytest.raises(ValueError, match=r"are needed; it has y$"):
        network_frames.read_network(path)
    np.savez(path, y=Y, probabilities=EVEN)
    assert network_frames.read_network(path).logits == pytest.approx(np.log(EVEN))


def test_halves_are_each_sample_once():
    seen, measured = network_frames.Network(Y[:7], EVEN[:7]).halves
    assert (len(seen), len(measured)) == (4, 3)
    assert sorted([*seen, *measured]) == [*range(7)]


def test_what_cannot_be_measured_is_empty_with_a_reason():
    def fails():
        raise ValueError("a class is absent")

    measured = network_frames.Measured()
    measured.add("ECE", "map", lambda: 0.25, 100)
    measured.add("KS", "map", fails)
    measured.add_rows("sets", "adaptive", fails)
    assert measured.numbers[0] == ("ECE", "map", 25) and np.isnan(
        measured.numbers[1].value
    )
    absent = "a class is absent"
    assert measured.reasons == [
        f"KS of map: {absent}",
        f"sets of adaptive: {absent}",
    ]
    assert measured.rows().columns.tolist() == ["metric", "method", "value"]


@pytest.mark.parametrize(("before", "change"), [(0.2, [25, -50]), (0.0, [np.nan] * 2)])
def test_a_change_of_order_is_told_of_the_ledgers_maps(before, change):
    measured = network_frames.Measured()
    areas = {"Vector scaling": 0.1, "Isotonic regression": 0.25, "BBQ": 0.3}
    for method, value in {"Uncalibrated": before, **areas}.items():
        measured.record("AURC", method, value)
    measured.record("ECE", "Histogram binning", 9)
    network_frames.add_changes_of_order(measured)
    names = [row[:2] for row in measured.numbers[5:]]
    assert names == [
        ("Change of AURC by Isotonic regression", "every map"),
        ("Change of AURC by Vector scaling", "every map"),
    ]
    values = [row.value for row in measured.numbers[5:]]
    assert values == pytest.approx(change, nan_ok=True)


@pytest.fixture(scope="module")
def network():
    rng = np.random.default_rng(5)
    z = 2 * rng.standard_normal((200, 3))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    return network_frames.Network(y, 2 * z)


@pytest.fixture(scope="module")
def found(network):
    measured = network_frames.measure(network)
    return {row[:2]: row.value for row in measured.numbers}


def test_maps_see_one_half_and_metrics_the_other(network, found):
    fit, test = network.halves
    y, logits = network.y, network.logits
    scaling = calib.TemperatureScaling().fit(logits[fit], y[fit])
    p = scaling.predict_proba(logits[test])
    method = "Temperature scaling"
    assert found["Temperature", method] == pytest.approx(scaling.temperature_)
    assert found["NLL", method] == pytest.approx(calib.nll(y[test], p))
    score, hit = calib.top_label(y[test], p)
    assert found["KS", method] == pytest.approx(100 * calib.ks_error(hit, score))
    assert found["ECE", method] == pytest.approx(100 * calib.ece(hit, score))
    tace = calib.tace(y[test], p, threshold=1e-4)
    assert found["TACE 0.0001", method] == pytest.approx(100 * tace)
    assert found["n", ""] == 100
    assert found["Size", "lac, none"] >= 0.8


def test_a_spline_maps_the_scores_of_each_view(network, found):
    fit, test = network.halves
    for name, view in (
        ("", calib.top_label),
        (" within-top-2", calib.within_top_r(2)),
    ):
        score, hit = view(network.y, calib.softmax(network.logits))
        spline = calib.SplineCalibration(floor=0).fit(score[fit], hit[fit])
        error = calib.ks_error(hit[test], spline.predict(score[test]))
        assert found[f"KS{name}", "Spline"] == pytest.approx(100 * error)


def test_bins_alone_move_the_ece_of_a_calibrated_network(network, found):
    test = network.halves[1]
    score = calib.softmax(network.logits[test]).max(axis=1)
    rng, ranges = np.random.default_rng(2021), []
    for _ in range(50):
        hit = rng.random(100) < score
        errors = [calib.ece(hit, score, n_bins=n) for n in range(5, 51, 5)]
        ranges.append(max(errors) - min(errors))
    mean = 100 * sum(ranges) / 50
    assert found["ece_range by chance", "Uncalibrated"] == pytest.approx(mean)
    assert ("ece_range", "Uncalibrated") in found


def rows_of(evidence, model, temperature, ece):
    numbers = [
        ("n", "", 50),
        ("Temperature", "map", temperature),
        ("ECE", "map", ece),
    ]
    rows = pd.DataFrame(numbers, columns=["metric", "method", "value"])
    about = SimpleNamespace(model=model, dataset="d", evidence=evidence)
    return network_frames.with_names(rows, about)


@pytest.mark.parametrize(("temperature", "hot"), [(1.5, True), (1.0, False)])
def test_rows_are_named_and_say_how_many_samples_there_are(temperature, hot):
    rows = rows_of("fourteen networks", "ResNet-50", temperature, 3.0)
    assert rows["metric"].tolist() == ["Temperature", "ECE"]
    names = ["case", "family", "kin", "author", "n", "hot"]
    expected = [
        "ResNet-50",
        "ResNet",
        "ResNet-50",
        "fourteen networks",
        50,
        hot,
    ]
    assert rows.loc[2, names].tolist() == expected


def test_an_ensemble_stands_beside_the_medians_of_the_fourteen():
    rows = [rows_of("fourteen networks", f"VGG-{i}", 1.0, float(i)) for i in (1, 2, 6)]
    rows += [rows_of("sampled ensemble", "HMC", 1.0, 5.0)]
    frames = network_frames.frames_of(pd.concat(rows, ignore_index=True))
    assert frames["network table"]["ECE map"].tolist() == [1, 2, 6]
    (ensemble,) = frames["ensemble table"].to_dict("records")
    assert (ensemble["ECE map"], ensemble["fourteen: ECE map"]) == (5, 2)
    alone = network_frames.frames_of(rows[0])
    assert set(alone) == {"networks", "network table"}
