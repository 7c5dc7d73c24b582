"""What the report says to do is what keeps its promise: simulated models whose truth is known."""

import numpy as np
import pytest
from report.tempered_models import drawn, outputs

import calib
import calib_report
from calib_report import analyse, comparison, decide
from calib_report.comparison import frequencies_p_value
from calib_report.measure import HeldOut, unchanged


def rare(n=4000, seed=0, temperature=2.0):
    """Two classes, of which the second, sick, is one in ten."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.1).astype(int)
    x = rng.normal(2.0 * y)
    truth = 2 * x - 2 + np.log(1 / 9)  # log odds of sick
    return y, np.column_stack([np.zeros(n), temperature * truth])


def test_the_order_of_the_columns_does_not_change_the_decision():
    y, logits = rare()
    wish = {"costs": "alarm=sick,false_alarm=1,miss=5"}
    one = analyse(
        calib_report.read({"y": y, "logits": logits}, classes=["healthy", "sick"]),
        **wish,
    ).numbers
    other = analyse(
        calib_report.read(
            {"y": 1 - y, "logits": logits[:, ::-1]}, classes=["sick", "healthy"]
        ),
        **wish,
    ).numbers
    for found in (one, other):
        assert found["costs"]["alarm"] == "sick"
        assert found["costs"]["threshold"] == pytest.approx(1 / 6)
        assert found["costs"]["constant_decision"] == "healthy"
    assert one["recommended"]["name"] == other["recommended"]["name"]
    for key in ("before", "after"):
        assert one["costs"][key]["value"] == pytest.approx(
            other["costs"][key]["value"], rel=1e-6
        )


def test_groups_are_judged_after_the_map_as_well():
    """All groups are overconfident alike, but one: after one temperature it alone is off."""
    y, logits = drawn(6000, 3, temperature=2.5)
    ward = np.random.default_rng(4).choice(["a", "b", "c", "d"], len(y))
    logits[ward == "d"] /= 2.5
    outputs = calib_report.read({"y": y, "logits": logits, "ward": ward}, groups="ward")
    rows = {row["group"]: row for row in analyse(outputs).numbers["groups"]["ward"]}
    for name in "abc":
        assert rows[name]["before"]["flagged"] and rows[name]["before"]["value"] > 0.05
        assert abs(rows[name]["after"]["value"]) < rows[name]["before"]["value"] / 2
    assert not rows["d"]["before"]["flagged"]
    assert rows["d"]["after"]["flagged"] and rows["d"]["after"]["value"] < -0.03


def test_a_threshold_gives_on_new_samples_what_was_asked():
    y, logits = drawn(6000, 5, temperature=1.5)
    outputs = calib_report.read({"y": y, "logits": logits})
    report = analyse(outputs, coverage=0.7)
    found, held, fitted = report.numbers, report.outcomes, report.fitted
    one = held[found["recommended"]["name"]]
    for_risk = decide.declined(one, np.random.default_rng(0), decide.Asked(risk=0.1))
    fresh, more = drawn(20_000, 6, temperature=1.5)
    p = fitted.predict_proba(more)
    kept = p.max(axis=1) >= found["declined"]["threshold"]
    assert kept.mean() == pytest.approx(0.7, abs=0.02)
    assert (
        found["declined"]["kept"]["low"] - 0.01
        < 0.7
        < found["declined"]["kept"]["high"] + 0.01
    )
    kept = p.max(axis=1) >= for_risk["threshold"]
    assert (p.argmax(axis=1) != fresh)[kept].mean() < 0.1 and kept.mean() > 0.2
    with pytest.raises(ValueError, match="ask for one of them"):
        analyse(outputs, coverage=0.5, risk=0.1)


@pytest.mark.parametrize(("clusters", "fewest"), [(None, 30), (5, 3)])
def test_a_risk_is_exceeded_in_one_report_of_twenty_at_most(clusters, fewest):
    """The half that is surer is right nine times in ten: a lower threshold breaks the promise.

    One that is found on half of the samples, and is not shown to keep it, does so half the time.
    """
    rng, wish, limits = np.random.default_rng(0), decide.Asked(risk=0.1), []
    for seed in range(100):
        sure = rng.uniform(0, 1, 2000)
        right = (rng.random(2000) < 0.75 + 0.2 * sure).astype(int)
        numbers = None
        if clusters:  # answers of a cluster are right together
            sure, right = (
                np.repeat(column[::clusters], clusters) for column in (sure, right)
            )
            numbers = np.arange(2000) // clusters
        held = HeldOut(0 * sure, 0 * sure, sure, right, clusters=numbers, task="pairs")
        alone = decide.declined(held, np.random.default_rng(seed), wish)
        if alone["threshold"] is not None:
            assert alone["at_most"] <= 0.1
            limits.append(alone["threshold"])
    assert np.sum(np.array(limits) < 0.5) <= 10 and len(limits) > fewest


def test_no_threshold_makes_guesses_right():
    rng = np.random.default_rng(0)
    confidence, right = (
        np.round(rng.random(1000), 1),
        (rng.random(1000) < 0.3).astype(int),
    )
    outputs = calib_report.read({"confidence": confidence, "correct": right})
    assert analyse(outputs, risk=0.01).numbers["declined"]["threshold"] is None


def test_a_stated_certainty_counts_as_the_page_says():
    """Stated 1.0 has infinite log odds; the factor alone would leave it."""
    rng = np.random.default_rng(0)
    confidence = rng.choice([0.6, 0.8, 0.9, 0.99, 1.0], 2000)
    right = (rng.random(2000) < 0.3 + 0.3 * confidence).astype(int)
    outputs = calib_report.read({"confidence": confidence, "correct": right})
    report = analyse(outputs)
    found, held = report.numbers, report.outcomes
    names = [row["name"] for row in found["comparison"]]
    assert names[1] == "one factor on the log odds" and "isotonic regression" in names
    one = held["one factor on the log odds"].score
    assert one[confidence == 1].max() < 0.95
    if found["recommended"]["name"] == names[1]:
        assert f"0 and 1 count as {found['floor']:.2g}" in found["decision"]


def test_costs_by_hand():
    costs = decide.read_costs("alarm=yes,false_alarm=1,miss=4", ["no", "yes"])
    assert decide.threshold(costs) == 0.2
    p = np.array([[0.7, 0.3], [0.9, 0.1]])
    losses = HeldOut.of(np.array([0, 1]), p, costs=costs.matrix)
    assert losses.cost.tolist() == [1, 4]
    outputs = calib_report.ModelOutputs(
        [0, 1, 2, 2], probabilities=np.eye(3)[[0, 1, 2, 0]]
    )
    of_three = decide.Costs(1 - np.eye(3))
    own = unchanged(outputs, of_three.matrix)
    found = decide.cost_table(of_three, own, own, outputs)
    assert found["constant_decision"] == "2" and found["before"]["value"] == 1 / 4
    with pytest.raises(ValueError, match="coverage: 4 samples, expected 200"):
        decide.asked_of(outputs, coverage=0.9)


def test_the_cost_is_that_of_new_samples():
    """Map, then decide at the threshold."""
    y, logits = rare(6000)
    outputs = calib_report.read({"y": y, "logits": logits}, classes=["healthy", "sick"])
    report = analyse(outputs, costs="alarm=sick,false_alarm=1,miss=3")
    found = report.numbers["costs"]
    y, logits = rare(400_000, seed=1)
    told = report.fitted.predict_proba(logits)[:, 1] >= found["threshold"]
    cost = np.where(y == 1, 3.0 * ~told, 1.0 * told).mean()
    assert found["after"]["low"] < cost < found["after"]["high"]
    assert found["constant"] == pytest.approx(3 * (outputs.y == 1).mean())


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (decide.read_costs, "miss=1", "alarm=CLASS"),
        (
            decide.read_costs,
            "alarm=ill,false_alarm=1,miss=2",
            "there is no class 'ill'",
        ),
        (decide.read_costs, "alarm=sick,false_alarm=one,miss=2", "expected a number"),
        (decide.read_costs, "alarm=sick,false_alarm=1,miss=inf", "finite"),
        (decide.read_costs, "costs.csv", r"costs.csv: .*expected no heading"),
    ],
)
def test_wrong_costs_are_refused(read, text, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "costs.csv").write_text("wait,treat\n0,1\n5,0\n")
    with pytest.raises(ValueError, match=message):
        read(text, ["healthy", "sick"])


def test_cross_validated_losses_keep_the_order_of_samples_and_split_no_cluster():
    """Each sample's loss is that of the map that was fitted to the other folds."""
    y, logits = drawn(2000, 0)
    shop = np.random.default_rng(0).integers(0, 37, len(y))
    for clusters in (None, shop):
        outputs = calib_report.ModelOutputs(y, logits=logits, clusters=clusters)
        parts = comparison.folds(outputs, np.random.default_rng(0))
        assert sorted(np.concatenate(parts)) == list(range(len(y)))
        scaling, rng = calib.TemperatureScaling(), np.random.default_rng(0)
        losses = comparison.held_out(scaling, outputs, rng)
        for rows in parts:
            rest = np.setdiff1d(np.arange(len(y)), rows)
            p = (
                calib.TemperatureScaling()
                .fit(logits[rest], y[rest])
                .predict_proba(logits[rows])
            )
            np.testing.assert_allclose(
                losses.nll[rows], calib.nll_per_sample(y[rows], p)
            )
    assert sum(len(np.unique(shop[rows])) for rows in parts) == 37


def test_held_out_losses_are_those_of_the_map_fitted_without_them(tmp_path):
    y, logits = drawn(2000, 0)
    half = len(y) // 2
    arrays = {"logits": logits[half:], "y": y[half:]}
    arrays |= {"calibration_logits": logits[:half], "calibration_y": y[:half]}
    np.savez(tmp_path / "a.npz", **arrays)
    row = calib_report.compare(calib_report.read(tmp_path / "a.npz"))[0][1]
    fitted = calib.TemperatureScaling().fit(logits[:half], y[:half])
    assert row["nll"] == pytest.approx(
        calib.nll(y[half:], fitted.predict_proba(logits[half:]))
    )


def test_the_bound_on_errors_is_exact():
    """Of 100 worlds with one error in ten among the kept, few bounds lie below it."""
    rng, below = np.random.default_rng(0), []
    for seed in range(100):
        score = np.round(rng.uniform(0.5, 1, 400), 2)
        right = (rng.random(400) < 0.9).astype(int)
        own = unchanged(calib_report.read({"confidence": score, "correct": right}))
        wish = decide.Asked(coverage=0.5)
        below.append(
            decide.declined(own, np.random.default_rng(seed), wish)["at_most"] < 0.1
        )
    assert np.mean(below) < 0.09
    a, b = (decide.declined(own, np.random.default_rng(0), wish) for _ in range(2))
    assert a == b


def test_one_unconfirmed_temperature_where_a_test_rejects_and_nothing_is_clear():
    """On few samples of a model that is sure of too much, it lowers the true loss."""
    gains, (fresh, more) = [], drawn(20_000, 99, n_classes=2, temperature=1.6)
    for seed in range(12):
        y, z = drawn(100, seed, n_classes=2, temperature=1.6)
        few = calib_report.read({"y": y, "logits": z})
        table = calib_report.compare(few)[0]
        chosen = calib_report.recommend(table, few, 0.01)
        if chosen["confirmed"]:
            continue
        assert (
            chosen["name"] == "temperature scaling"
            and "do not confirm" in chosen["reason"]
        )
        assert calib_report.recommend(table, few, 0.2)["name"] == "none"
        t = calib.TemperatureScaling().fit(z, y).temperature_
        before, after = (calib.nll(fresh, calib.softmax(z)) for z in (more, more / t))
        gains.append(before - after)
    assert len(gains) > 3 and np.mean(gains) > 0


def test_of_few_samples_a_gain_has_to_survive_one_more_mistake():
    """A small sample may hold none of the mistakes that a map says never are."""
    few, many = (outputs(1.0, n, 2, seed=n) for n in (300, 1000))
    change = {"difference": -0.02, "low": -0.03, "high": -0.01}
    row = {
        "name": "isotonic regression",
        "n_parameters": 300,
        "nll": 0.3,
        "nll_change": change,
    }
    row |= {"nll_from_best": {"low": 0.0}}
    one = row | {
        "name": "temperature scaling",
        "n_parameters": 1,
        "nll_change": {"difference": 0.1, "high": 0.1},
    }
    for source, mistake, name in ((few, 0.005, row["name"]), (few, 0.02, "none")):
        table = [{"name": "none"}, one, row | {"one_mistake": mistake}]
        chosen = calib_report.recommend(table, calib_report.read(source))
        assert chosen["name"] == name
    assert "by more than one more mistake would undo" in chosen["reason"]
    assert calib_report.recommend(table, calib_report.read(many))["name"] == row["name"]
    # the best did not survive
    table[-1] |= {"one_mistake": 0.0, "nll_from_best": {"low": 0.01}}
    assert calib_report.recommend(table, calib_report.read(few))["name"] == row["name"]
    sure = calib_report.compare(calib_report.read(few))[0][-1]["one_mistake"]
    assert 0 < sure <= np.log(1e12) / 300


@pytest.mark.parametrize("size", [1, 4])
def test_frequencies_of_a_calibrated_model_are_seldom_called_others(size):
    """`size` samples of a cluster share a label, of which each says the same."""
    rng = np.random.default_rng(5)
    p_values = []
    for _ in range(300):
        logits = np.repeat(2 * rng.normal(size=(400 // size, 5)), size, axis=0)
        p = calib.softmax(logits)
        y = np.repeat((p[::size].cumsum(1) < rng.random((400 // size, 1))).sum(1), size)
        clusters = np.arange(400) // size if size > 1 else None
        outputs = calib_report.ModelOutputs(
            y.clip(max=4), logits=logits, clusters=clusters
        )
        p_values.append(frequencies_p_value(outputs))
    assert np.mean(np.array(p_values) < 0.01) < 0.04
    assert 0.4 < np.mean(p_values) < 0.6


@pytest.mark.slow
def test_of_few_samples_that_surely_have_other_classes_each_class_gets_a_number():
    rng, bias = np.random.default_rng(6), np.array([0.6, -0.6, 0.0, 0.5, -0.5])
    names = []
    for _ in range(5):
        z = 2 * rng.normal(size=(500, 5))
        y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
        outputs = calib_report.ModelOutputs(y, logits=z + bias)
        names.append(
            calib_report.recommend(calib_report.compare(outputs)[0], outputs)["name"]
        )
    assert "none" not in names
    assert "temperature scaling" not in names
