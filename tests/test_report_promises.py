"""What the report says to do is what keeps its promise: simulated models whose truth is known."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import calib
from calib.report import analyse, decisions, measurement
from calib.simulate import TemperedGaussian


def drawn(n, seed, n_classes=4, temperature=2.5):
    model = TemperedGaussian(n_classes=n_classes, temperature=temperature)
    return model.sample_logits(n, np.random.default_rng(seed))


def test_sets_hold_the_label_as_promised_when_the_map_is_followed():
    y, logits = drawn(4000, 0)
    found, _, fitted = analyse(calib.read({"y": y, "logits": logits}))
    assert found["recommended"]["name"] == "temperature scaling"
    y, logits = drawn(20_000, 1)
    sets = fitted.predict_proba(logits) >= found["sets"]["threshold"]
    assert calib.set_coverage(y, sets) == pytest.approx(0.9, abs=0.02)
    mean, promised = sets.sum(axis=1).mean(), found["sets"]["size"]
    assert promised["low"] - 0.1 < mean < promised["high"] + 0.1


def rare(n=4000, seed=0, temperature=2.0):
    """Two classes, of which the second, sick, is one in ten."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.1).astype(int)
    x = rng.normal(2.0 * y)
    truth = 2 * x - 2 + np.log(1 / 9)  # log odds of sick
    return y, np.column_stack([np.zeros(n), temperature * truth])


def test_the_order_of_the_columns_does_not_change_the_decision():
    y, logits = rare()
    asked = {"costs": "alarm=sick,false_alarm=1,miss=5", "priors": "sick=0.03"}
    one = analyse(
        calib.read({"y": y, "logits": logits}, classes=["healthy", "sick"]), **asked
    ).found
    other = analyse(
        calib.read({"y": 1 - y, "logits": logits[:, ::-1]}, classes=["sick", "healthy"]), **asked
    ).found
    for found in (one, other):
        assert found["costs"]["alarm"] == "sick"
        assert found["costs"]["threshold"] == pytest.approx(1 / 6)
        assert found["costs"]["constant_decision"] == "healthy"
    assert one["recommended"]["name"] == other["recommended"]["name"]
    for key in ("before", "after"):
        for what in ("costs", "priors"):
            assert one[what][key]["value"] == pytest.approx(other[what][key]["value"], rel=1e-6)


def test_an_alarm_that_nobody_named_is_said():
    y, logits = rare()
    outputs = calib.read({"y": y, "logits": logits}, classes=["healthy", "sick"])
    found = analyse(outputs, costs="false_alarm=1,miss=5").found
    assert found["costs"]["alarm"] == "sick"
    assert "taken for 'sick'" in " ".join(found["notes"])


def test_loss_and_cost_at_new_frequencies_are_those_of_samples_that_come_so():
    """Followed on new samples of which half are sick: map, adjust, decide at the threshold."""
    y, logits = rare(6000)
    outputs = calib.read({"y": y, "logits": logits}, classes=["healthy", "sick"])
    asked = {"costs": "alarm=sick,false_alarm=1,miss=3", "priors": "sick=0.5"}
    found, _, fitted = analyse(outputs, **asked)
    assert fitted is not None
    y, logits = rare(400_000, seed=1)
    some = np.concatenate([np.flatnonzero(y == 1), np.flatnonzero(y == 0)[: (y == 1).sum()]])
    y, logits = y[some], logits[some]
    old = [row["old"] for row in found["priors"]["classes"]]
    p = calib.adjust_priors(fitted.predict_proba(logits), old, [0.5, 0.5])
    told = p[:, 1] >= found["costs"]["threshold"]
    cost = np.where(y == 1, 3.0 * ~told, 1.0 * told).mean()
    assert found["priors"]["after"]["low"] < calib.nll(y, p) < found["priors"]["after"]["high"]
    assert found["costs"]["after"]["low"] < cost < found["costs"]["after"]["high"]
    assert found["costs"]["constant"] == 0.5
    raw = calib.softmax(logits)
    before = found["priors"]["before"]
    assert before["low"] < calib.nll(y, raw) < before["high"]
    assert found["priors"]["after"]["value"] < found["priors"]["mapped"]["value"]


def test_the_interval_at_new_frequencies_holds_the_truth():
    """Mean of a class-dependent value, drawn at one half and wanted at one tenth."""
    rng, held = np.random.default_rng(0), []
    for _ in range(400):
        y = (rng.random(500) < 0.5).astype(int)
        values = rng.normal(3.0 * y, 1 + y)
        found = measurement.mean_at(values, y, np.array([0.9, 0.1]))
        held.append(found["low"] < 0.3 < found["high"])
    assert 0.92 < np.mean(held) < 0.98


def test_groups_are_judged_after_the_map_as_well():
    """All groups are overconfident alike, but one: after one temperature it alone is off."""
    y, logits = drawn(6000, 3, temperature=2.5)
    ward = np.random.default_rng(4).choice(["a", "b", "c", "d"], len(y))
    logits[ward == "d"] /= 2.5
    outputs = calib.read({"y": y, "logits": logits, "ward": ward}, groups="ward")
    rows = {row["group"]: row for row in analyse(outputs).found["groups"]["ward"]}
    for name in "abc":
        assert rows[name]["before"]["flagged"] and rows[name]["before"]["value"] > 0.05
        assert abs(rows[name]["after"]["value"]) < rows[name]["before"]["value"] / 2
    assert not rows["d"]["before"]["flagged"]
    assert rows["d"]["after"]["flagged"] and rows["d"]["after"]["value"] < -0.03


def test_of_two_classes_the_probability_of_the_alarm_is_judged_by_group():
    y, logits = rare(6000, temperature=1.0)
    ward = np.random.default_rng(1).choice(["a", "b"], len(y))
    logits[ward == "b", 1] += 1.5  # too many alarms there
    outputs = calib.read(
        {"y": y, "logits": logits, "ward": ward}, groups="ward", classes=["healthy", "sick"]
    )
    found = analyse(outputs, costs="alarm=sick,false_alarm=1,miss=5").found["groups_of_class"]
    a, b = found["groups"]["ward"]
    sick = calib.softmax(logits)[:, 1]
    assert found["class"] == "sick" and a["accuracy"] == y[ward == "a"].mean()
    assert b["before"]["value"] == pytest.approx((sick - y)[ward == "b"].mean())
    assert b["before"]["flagged"] and not a["before"]["flagged"]


def test_a_threshold_gives_on_new_samples_what_was_asked():
    y, logits = drawn(6000, 5, temperature=1.5)
    outputs = calib.read({"y": y, "logits": logits})
    found, held, fitted = analyse(outputs, coverage=0.7)
    losses = held[found["recommended"]["name"]].losses
    for_risk = decisions.declined(outputs, losses, np.random.default_rng(0), risk=0.05)
    fresh, more = drawn(20_000, 6, temperature=1.5)
    p = fitted.predict_proba(more)
    for declined, measured, wanted in (
        (found["declined"], "kept", 0.7),
        (for_risk, "errors", 0.05),
    ):
        kept = p.max(axis=1) >= declined["threshold"]
        wrong = (p.argmax(axis=1) != fresh)[kept].mean()
        assert {"kept": kept.mean(), "errors": wrong}[measured] == pytest.approx(wanted, abs=0.02)
        number = declined[measured]
        assert number["low"] - 0.01 < wanted < number["high"] + 0.01
    with pytest.raises(ValueError, match="ask for one of them"):
        analyse(outputs, coverage=0.5, risk=0.1)


def test_no_threshold_makes_guesses_right():
    rng = np.random.default_rng(0)
    confidence, right = np.round(rng.random(1000), 1), (rng.random(1000) < 0.3).astype(int)
    outputs = calib.read({"confidence": confidence, "correct": right})
    assert analyse(outputs, risk=0.01).found["declined"]["threshold"] is None


def test_the_interval_over_few_clusters_holds_the_truth():
    """Fourteen subjects, each with an error of its own."""
    rng, held = np.random.default_rng(0), []
    cluster = np.repeat(np.arange(14), 30)
    for _ in range(600):
        values = rng.normal(size=14)[cluster] + rng.normal(size=len(cluster))
        found = measurement.mean_with_interval(values, cluster)
        held.append(found["low"] < 0 < found["high"])
    assert 0.93 < np.mean(held) < 0.98


def test_gaps_of_groups_with_few_clusters_hold_the_truth():
    """A calibrated source whose hits rise and fall together in each of six clusters a group."""
    rng, held = np.random.default_rng(0), []
    group = np.repeat(["a", "b"], 120)
    cluster = np.repeat(np.arange(12), 20)
    for _ in range(250):
        shift = rng.normal(scale=0.15, size=12)[cluster]
        hit = (rng.random(240) < 0.5 + np.clip(shift, -0.5, 0.5)).astype(int)
        rows = decisions.group_table(*[(np.full(240, 0.5), hit)] * 2, group, cluster)
        held += [row["before"]["low"] < 0 < row["before"]["high"] for row in rows]
    assert 0.92 < np.mean(held) < 0.985


def pair_intervals(rng, n):
    p = rng.beta(2, 1, n)
    hit = (rng.random(n) < p**1.5).astype(int)
    return (
        measurement.skill_with_interval(p, hit),
        measurement.auroc_with_interval(p, hit),
        roc_auc_score(hit, p),
    )


def test_intervals_of_skill_and_order_hold_the_truth():
    rng = np.random.default_rng(0)
    p = (np.arange(2_000_000) + 0.5) ** 0.5 / 2_000_000**0.5  # quantiles of beta(2, 1)
    q = p**1.5
    a, brier = q.mean(), (p**2 - 2 * p * q + q).mean()
    skill = 1 - brier / (a * (1 - a))
    below = np.cumsum(1 - q) - (1 - q) / 2
    order = (q @ below) / (q.sum() * (1 - q).sum())
    held = []
    for _ in range(300):
        found, auroc, peer = pair_intervals(rng, 400)
        assert auroc["value"] == pytest.approx(peer)
        held.append([found["low"] < skill < found["high"], auroc["low"] < order < auroc["high"]])
    assert (np.mean(held, axis=0) > 0.92).all() and (np.mean(held, axis=0) < 0.98).all()


def test_a_stated_certainty_counts_as_the_page_says():
    """Stated 1.0 has infinite log odds; the factor alone would leave it."""
    rng = np.random.default_rng(0)
    confidence = rng.choice([0.6, 0.8, 0.9, 0.99, 1.0], 2000)
    right = (rng.random(2000) < 0.3 + 0.3 * confidence).astype(int)
    outputs = calib.read({"confidence": confidence, "correct": right})
    found, held, _ = analyse(outputs)
    names = [row["name"] for row in found["comparison"]]
    assert names[1] == "one factor on the log odds" and "isotonic regression" in names
    one = held["one factor on the log odds"].losses.score
    assert one[confidence == 1].max() < 0.95
    if found["recommended"]["name"] == names[1]:
        assert f"0 and 1 count as {found['floor']:.2g}" in found["sentence"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ill=0.1", "there is no class 'ill', found 'healthy', 'sick'"),
        ("0.5,0.4", "sum to 1"),
        ("0.5,0.4,0.1", "3 shares"),
        ("sick=x", "expected a number"),
        ("sick=1.5", "sum to 1"),
        ("sick=0.1,sick=0.2", "expected NAME=SHARE"),
    ],
)
def test_wrong_priors_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        decisions.read_priors(text, ["healthy", "sick"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("miss=1", "alarm=CLASS"),
        ("alarm=ill,false_alarm=1,miss=2", "there is no class 'ill'"),
        ("false_alarm=one,miss=2", "expected a number"),
        ("false_alarm=1,miss=inf", "finite"),
    ],
)
def test_wrong_costs_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        decisions.read_costs(text, ["healthy", "sick"])


def test_a_csv_of_costs_has_no_heading(tmp_path):
    (tmp_path / "costs.csv").write_text("wait,treat\n0,1\n5,0\n")
    with pytest.raises(ValueError, match=r"costs.csv: .*expected no heading"):
        decisions.read_costs(str(tmp_path / "costs.csv"), ["healthy", "sick"])


def test_answers_without_a_confidence_are_counted(tmp_path):
    rng = np.random.default_rng(0)
    confidence = rng.choice(["0.5", "0.8", "1.0", ""], 400)
    right = np.where(confidence == "", "", rng.choice(["yes", "no"], 400))
    lines = [f"{c},{r},{i % 3}" for i, (c, r) in enumerate(zip(confidence, right, strict=True))]
    path = tmp_path / "stated.csv"
    path.write_text("\n".join(["confidence,correct,subject", *lines]))
    with pytest.raises(ValueError, match="--leave-out-empty confidence"):
        calib.read(path, groups="subject")
    outputs = calib.read(path, groups="subject", leave_out_empty="confidence")
    empty = int((confidence == "").sum())
    assert len(outputs) == len(outputs.groups["subject"]) == 400 - empty
    assert f"{empty} of 400 rows leave 'confidence' empty" in " ".join(outputs.notes)
    stated = confidence[confidence != ""].astype(float)
    np.testing.assert_array_equal(outputs.pairs[0], stated)
    np.testing.assert_array_equal(outputs.pairs[1], (right == "yes")[confidence != ""])


def test_copies_as_clusters_change_no_guess_at_a_gap():
    rng = np.random.default_rng(5)
    score, group = rng.random(900), rng.integers(0, 6, 900)
    hit = (rng.random(900) < np.clip(score + 0.08 * (group - 2.5), 0, 1)).astype(int)
    once = decisions.group_table(*[(score, hit)] * 2, group, np.arange(900))
    ten = [np.repeat(a, 10) for a in (score, hit, group, np.arange(900))]
    copies = decisions.group_table(*[(ten[0], ten[1])] * 2, ten[2], ten[3])
    for a, b in zip(once, copies, strict=True):
        assert a["before"]["best_guess"] == pytest.approx(b["before"]["best_guess"], rel=1e-6)


def test_a_missing_group_has_a_name():
    outputs = calib.read(
        {
            "label": [0, 1, 1, 0],
            "probabilities": np.eye(2)[[0, 1, 0, 1]] * 0.8 + 0.1,
            "ward": np.array([1.0, np.nan, 2.0, 1.0]),
        },
        groups="ward",
    )
    assert list(outputs.groups["ward"]) == ["1", "(none)", "2", "1"]
