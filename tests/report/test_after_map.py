"""What a report says to do keeps its promise: costs, declined answers, groups, time."""

import numpy as np
import pytest
from tempered_models import drawn, of_pairs

import calib_report
from calib_report import analyse
from calib_report.measuring import by_group, by_time, costs, declining, request
from calib_report.measuring.outcome import Outcome, outcome_as_is


def rare(n=4000, seed=0, temperature=2.0):
    """Two classes, of which the second, sick, is one in ten."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.1).astype(int)
    x = rng.normal(2.0 * y)
    truth = 2 * x - 2 + np.log(1 / 9)  # log odds of sick
    return y, np.column_stack([np.zeros(n), temperature * truth])


def test_the_order_of_the_columns_does_not_change_the_decision():
    y, logits = rare()
    options = {"costs": "alarm=sick,false_alarm=1,miss=5"}
    one = analyse(
        calib_report.read({"y": y, "logits": logits}, classes=["healthy", "sick"]),
        **options,
    ).numbers
    other = analyse(
        calib_report.read(
            {"y": 1 - y, "logits": logits[:, ::-1]}, classes=["sick", "healthy"]
        ),
        **options,
    ).numbers
    for numbers in (one, other):
        assert numbers["costs"]["alarm"] == "sick"
        assert numbers["costs"]["threshold"] == pytest.approx(1 / 6)
        assert numbers["costs"]["constant_decision"] == "healthy"
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
    numbers, outcomes, fitted = report.numbers, report.outcomes, report.fitted
    chosen = outcomes[numbers["recommended"]["name"]]
    for_risk = declining.declined(
        chosen, np.random.default_rng(0), request.Request(risk=0.1)
    )
    fresh, more = drawn(20_000, 6, temperature=1.5)
    p = fitted.predict_proba(more)
    kept = p.max(axis=1) >= numbers["declined"]["threshold"]
    assert kept.mean() == pytest.approx(0.7, abs=0.02)
    assert (
        numbers["declined"]["kept"]["low"] - 0.01
        < 0.7
        < numbers["declined"]["kept"]["high"] + 0.01
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
    rng, question, limits = np.random.default_rng(0), request.Request(risk=0.1), []
    for seed in range(100):
        sure = rng.uniform(0, 1, 2000)
        right = (rng.random(2000) < 0.75 + 0.2 * sure).astype(int)
        numbers = None
        if clusters:  # answers of a cluster are right together
            sure, right = (
                np.repeat(column[::clusters], clusters) for column in (sure, right)
            )
            numbers = np.arange(2000) // clusters
        outcome = Outcome(
            0 * sure, 0 * sure, sure, right, clusters=numbers, task="pairs"
        )
        alone = declining.declined(outcome, np.random.default_rng(seed), question)
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
    numbers, outcomes = report.numbers, report.outcomes
    names = [row["name"] for row in numbers["comparison"]]
    assert names[1] == "one factor on the log odds" and "isotonic regression" in names
    stated = outcomes["one factor on the log odds"].score
    assert stated[confidence == 1].max() < 0.95
    if numbers["recommended"]["name"] == names[1]:
        assert f"0 and 1 count as {numbers['floor']:.2g}" in numbers["decision"]


def test_costs_by_hand():
    prices = costs.read_costs("alarm=yes,false_alarm=1,miss=4", ["no", "yes"])
    assert costs.threshold(prices) == 0.2
    p = np.array([[0.7, 0.3], [0.9, 0.1]])
    losses = Outcome.of(np.array([0, 1]), p, costs=prices.matrix)
    assert losses.cost.tolist() == [1, 4]
    outputs = calib_report.ModelOutputs(
        [0, 1, 2, 2], probabilities=np.eye(3)[[0, 1, 2, 0]]
    )
    of_three = costs.Costs(1 - np.eye(3))
    as_is = outcome_as_is(outputs, of_three.matrix)
    table = costs.cost_table(of_three, as_is, as_is, outputs)
    assert table["constant_decision"] == "2" and table["before"]["value"] == 1 / 4
    with pytest.raises(ValueError, match="coverage: 4 samples, expected 200"):
        request.request_of(outputs, coverage=0.9)


def test_the_cost_is_that_of_new_samples():
    """Map, then decide at the threshold."""
    y, logits = rare(6000)
    outputs = calib_report.read({"y": y, "logits": logits}, classes=["healthy", "sick"])
    report = analyse(outputs, costs="alarm=sick,false_alarm=1,miss=3")
    table = report.numbers["costs"]
    y, logits = rare(400_000, seed=1)
    alarms = report.fitted.predict_proba(logits)[:, 1] >= table["threshold"]
    cost = np.where(y == 1, 3.0 * ~alarms, 1.0 * alarms).mean()
    assert table["after"]["low"] < cost < table["after"]["high"]
    assert table["constant"] == pytest.approx(3 * (outputs.y == 1).mean())


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (costs.read_costs, "miss=1", "alarm=CLASS"),
        (
            costs.read_costs,
            "alarm=ill,false_alarm=1,miss=2",
            "there is no class 'ill'",
        ),
        (costs.read_costs, "alarm=sick,false_alarm=one,miss=2", "expected a number"),
        (costs.read_costs, "alarm=sick,false_alarm=1,miss=inf", "finite"),
        (costs.read_costs, "costs.csv", r"costs.csv: .*expected no heading"),
    ],
)
def test_wrong_costs_are_refused(read, text, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "costs.csv").write_text("wait,treat\n0,1\n5,0\n")
    with pytest.raises(ValueError, match=message):
        read(text, ["healthy", "sick"])


def test_the_bound_on_errors_is_exact():
    """Of 100 worlds with one error in ten among the kept, few bounds lie below it."""
    rng, below = np.random.default_rng(0), []
    for seed in range(100):
        score = np.round(rng.uniform(0.5, 1, 400), 2)
        right = (rng.random(400) < 0.9).astype(int)
        as_is = outcome_as_is(
            calib_report.read({"confidence": score, "correct": right})
        )
        question = request.Request(coverage=0.5)
        below.append(
            declining.declined(as_is, np.random.default_rng(seed), question)["at_most"]
            < 0.1
        )
    assert np.mean(below) < 0.09
    a, b = (
        declining.declined(as_is, np.random.default_rng(0), question) for _ in range(2)
    )
    assert a == b


def test_gaps_of_groups_with_few_clusters_hold_the_truth():
    """A calibrated source whose hits rise and fall together in each of six clusters a group."""
    rng, covered = np.random.default_rng(0), []
    group = np.repeat(["a", "b"], 120)
    cluster = np.repeat(np.arange(12), 20)
    for _ in range(120):
        shift = rng.normal(scale=0.15, size=12)[cluster]
        hit = (rng.random(240) < 0.5 + np.clip(shift, -0.5, 0.5)).astype(int)
        rows = by_group.group_table(
            *[of_pairs(np.full(240, 0.5), hit, cluster)] * 2, group
        )
        covered += [row["before"]["low"] < 0 < row["before"]["high"] for row in rows]
    assert 0.92 < np.mean(covered) < 0.985


@pytest.mark.parametrize("clusters", [None, np.arange(1200)], ids=["rows", "clusters"])
def test_the_best_guess_of_a_gap_lies_between_the_gap_and_those_of_all(clusters):
    """Three groups too sure, by .05, .1 and .15: each guess is nearer to .1, and too sure."""
    group = np.repeat(["a", "b", "c"], 400)
    share = np.repeat([0.75, 0.7, 0.65], 400)
    hit = (np.arange(1200) % 400 < 400 * share).astype(int)
    pairs = of_pairs(np.full(1200, 0.8), hit, clusters)
    first, middle, last = by_group.group_table(pairs, pairs, group)
    assert 0.05 < first["before"]["best_guess"] < 0.1
    assert middle["before"]["best_guess"] == pytest.approx(0.1, abs=0.003)
    assert 0.1 < last["before"]["best_guess"] < 0.15


def test_copies_as_clusters_change_no_guess_at_a_gap():
    rng = np.random.default_rng(5)
    score, group = rng.random(900), rng.integers(0, 6, 900)
    hit = (rng.random(900) < np.clip(score + 0.08 * (group - 2.5), 0, 1)).astype(int)
    once = by_group.group_table(*[of_pairs(score, hit, np.arange(900))] * 2, group)
    ten = [np.repeat(a, 10) for a in (score, hit, group, np.arange(900))]
    copies = by_group.group_table(*[of_pairs(ten[0], ten[1], ten[3])] * 2, ten[2])
    for a, b in zip(once, copies, strict=True):
        assert a["before"]["best_guess"] == pytest.approx(
            b["before"]["best_guess"], rel=1e-6
        )


def test_a_trend_is_found_as_often_as_its_level_says_and_holds_the_slope():
    """Gaps of a calibrated source with unequal variances; then of one that drifts by a tenth."""
    rng, rejected, covered = np.random.default_rng(0), [], []
    moment = np.arange(400)
    for _ in range(400):
        score = np.where(moment < 200, 0.5, 0.95)
        hit = rng.random(400) < score
        rejected.append(by_time.trend(moment, score - hit)["p_value"] < 0.05)
        drifted = rng.random(400) < 0.8 - 0.1 * moment / 399
        slope = by_time.trend(moment, 0.8 - drifted)
        covered.append(slope["low"] < 0.1 < slope["high"])
    assert 0.02 < np.mean(rejected) < 0.085 and 0.92 < np.mean(covered) < 0.98


def test_periods_are_in_the_order_of_time_and_hold_all_samples():
    day = np.array([f"2026-{1 + i % 9:02d}-{1 + i % 28:02d}" for i in range(900)])
    pairs = of_pairs(np.full(900, 0.7), (np.arange(900) % 10 < 7).astype(int))
    periods = by_time.time_table("day", day, pairs, pairs)
    ends = [end for row in periods["periods"] for end in (row["from"], row["to"])]
    assert ends == sorted(ends) and len(periods["periods"]) == by_time.MOST_PERIODS
    assert sum(row["samples"] for row in periods["periods"]) == 900
    with pytest.raises(ValueError, match="'ward' holds no numbers and no dates"):
        by_time.moments_of(np.array(["a", "b"]), "ward")
