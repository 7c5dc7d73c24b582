"""The numbers of a report and their intervals, against definitions and known truth."""

import numpy as np
import pytest
from scipy.stats import binom
from tempered_models import of_pairs, outputs

import calib
import calib_report
from calib import METRICS
from calib_report import analyse
from calib_report.limits import FEWEST_SAMPLES as FEWEST
from calib_report.measuring import measure
from calib_report.measuring.outcome import Outcome, outcome_as_is
from evidence.simulate import TemperedGaussian

# as a report draws them: the tests draw less
N_DRAWS = (measure.N_DRAWS, measure.N_DRAWS_OF_MANY)


def test_numbers_of_the_sentence_are_those_of_the_library():
    source = outputs(2.0)
    numbers = analyse(calib_report.read(source)).numbers
    p = calib.softmax(source["logits"])
    score, hit = calib.top_label(source["y"], p)
    assert numbers["mean_confidence"] == pytest.approx(score.mean())
    assert numbers["hit_rate"] == pytest.approx(hit.mean())
    assert numbers["before"]["ECE"]["value"] == pytest.approx(calib.ece(source["y"], p))
    assert numbers["before"]["ECE"]["chance"] == pytest.approx(
        calib.error_if_calibrated(score)
    )
    assert numbers["before"]["classwise ECE"]["value"] == pytest.approx(
        calib.classwise_ece(source["y"], p)
    )
    assert numbers["temperature"] == pytest.approx(
        calib.TemperatureScaling().fit(source["logits"], source["y"]).temperature_
    )


def test_errors_among_the_surest_are_those_of_nine_tenths():
    """Of 1000 answers the surest 800 are right, the next 100 wrong, the last hundred right."""
    confidence = np.linspace(0.99, 0.5, 1000)
    correct = np.repeat([1, 0, 1], [800, 100, 100])
    source = {"confidence": confidence, "correct": correct}
    number = analyse(calib_report.read(source)).numbers["before"][
        "errors among the surest 90 %"
    ]
    assert number["value"] == pytest.approx(100 / 900)
    assert 0 < number["low"] < 100 / 900 < number["high"] < 0.2


@pytest.mark.parametrize("said", [(0.95, 0.95), (0.95, 0.9)])
def test_errors_among_the_surest_are_the_same_in_any_order_of_the_rows(said):
    """All say one number: the interval is that of a share of 1000, whichever 900 are kept."""
    score, hit = np.repeat(said, 500), np.ones(1000, int)
    hit[[*range(460, 500), *range(980, 1000)]] = 0
    numbers = [
        measure.kept_risk(
            outcome_as_is(
                calib_report.ModelOutputs(
                    hit[order],
                    probabilities=np.column_stack([1 - score, score])[order],
                    task="pairs",
                )
            )
        )
        for order in (np.arange(1000), np.arange(1000)[::-1], np.argsort(-hit))
    ]
    assert [list(number.values()) for number in numbers[1:]] == [
        pytest.approx(list(numbers[0].values()))
    ] * 2
    if said[0] == said[1]:
        half = 1.96 * np.sqrt(0.06 * 0.94 / 1000)
        assert numbers[0]["value"] == pytest.approx(0.06)
        assert numbers[0]["high"] - 0.06 == pytest.approx(half, rel=1e-3)


def test_errors_among_the_surest_of_few_stated_numbers_hold_the_truth():
    """Of five numbers, of which samples keep the last in part: by lot, or not at all."""
    stated, share = (
        np.array([0.99, 0.95, 0.9, 0.7, 0.5]),
        np.array([0.3, 0.2, 0.2, 0.2, 0.1]),
    )
    right = np.array([0.95, 0.9, 0.8, 0.6, 0.5])
    risk = share[:4] @ (1 - right[:4]) / 0.9
    rng, n_held = np.random.default_rng(8), 0
    for _ in range(300):
        of = rng.choice(5, 600, p=share)
        score, hit = stated[of], (rng.random(600) < right[of]).astype(int)
        outputs = calib_report.ModelOutputs(
            hit, probabilities=np.column_stack([1 - score, score]), task="pairs"
        )
        number = measure.kept_risk(outcome_as_is(outputs))
        n_held += number["low"] <= risk <= number["high"]
    # 285 are promised, with a standard deviation of 4
    assert 273 <= n_held <= 296


def test_chance_of_the_classwise_error_is_that_of_drawn_labels():
    y, p = TemperedGaussian(n_classes=5).sample(2000, np.random.default_rng(0))
    error = measure.classwise_with_chance(Outcome.of(y, p))
    rng = np.random.default_rng(1)
    drawn = [
        (p.cumsum(axis=1) < rng.random((2000, 1))).sum(axis=1).clip(max=4)
        for _ in range(40)
    ]
    errors = [calib.classwise_ece(labels, p) for labels in drawn]
    assert error["chance"] == pytest.approx(np.mean(errors), rel=0.03)


def test_a_calibrated_model_exceeds_the_level_of_the_classwise_error_once_in_twenty():
    """Of two classes, whose gaps are the same: the sharpest case."""
    rng, n_beyond = np.random.default_rng(2), 0
    for _ in range(400):
        first = rng.random(500)
        p = np.column_stack([first, 1 - first])
        y = (rng.random(500) > first).astype(int)
        error = measure.classwise_with_chance(Outcome.of(y, p))
        n_beyond += error["value"] > error["chance_high"]
    assert 8 <= n_beyond <= 32


@pytest.mark.parametrize(
    ("said", "n", "n_right"), [(0.9, 50, 41), (0.85, 180, 144), (0.95, 300, 278)]
)
def test_the_p_value_of_one_stated_number_is_that_of_the_binomial(said, n, n_right):
    """All say one number: the error is the distance of a count, and ties with it are the rule."""
    hit = (np.arange(n) < n_right).astype(int)
    outputs = calib_report.ModelOutputs(
        hit, probabilities=np.tile([1 - said, said], (n, 1)), task="pairs"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure, "N_RESAMPLES", 20_000)
        number = measure.ece_with_interval(
            outcome_as_is(outputs), rng=np.random.default_rng(4)
        )
    counts = np.arange(n + 1)
    beyond = np.abs(counts - n * said) >= abs(n_right - n * said) - 1e-9
    exact = binom.pmf(counts, n, said)[beyond].sum()
    assert number["p_value"] == pytest.approx(exact, abs=0.01)


def test_an_error_above_the_threshold_counts_by_the_share_of_errors_near_it():
    """Of 200 answers 180 are kept; near are the ten before the last of these, and ten behind."""
    confidence, hit = np.linspace(0.99, 0.5, 200), np.ones(200, int)
    hit[[3, 50, 90, 172, 175, 178, 181, 185]] = 0
    near = 1 - hit[170:190].mean()
    influence = [(1 - hit[row] - near) / 0.9 if row < 180 else 0 for row in range(200)]
    half = 1.959964 * np.std(influence, ddof=1) / np.sqrt(200)
    outputs = calib_report.ModelOutputs(
        hit, probabilities=np.column_stack([1 - confidence, confidence]), task="pairs"
    )
    number = measure.kept_risk(outcome_as_is(outputs))
    assert number["value"] == pytest.approx(6 / 180)
    assert number["high"] == pytest.approx(6 / 180 + half, rel=1e-5)


def test_intervals_that_are_shown_hold_the_truth_as_often_as_they_say():
    """Of 500 data sets; near calibration that of the ECE is wider than it need be."""
    from evidence import load_results

    stored = load_results("report_coverage")
    shown = stored[stored.metric != "classwise ECE"]
    assert shown.n_trials.min() == 500 and shown.coverage.min() > 0.92
    near = (shown.metric == "ECE") & (shown.world == "after scaling")
    # of an interval that holds the truth in 97 % of data sets 500 show up to 98.5 %
    assert shown[~near].coverage.max() < 0.985
    hidden = stored[stored.metric == "classwise ECE"]
    assert hidden.coverage.min() > 0.9


@pytest.mark.parametrize("n_wrong", [0, 1, 2])
@pytest.mark.parametrize("sure", [0.985, 0.6])
def test_no_interval_is_without_width_or_beyond_the_possible(n_wrong, sure):
    """Of answers that are nearly all right, said with one confidence or with many."""
    rng = np.random.default_rng(n_wrong)
    for spread in (0.0, 0.01):
        p = np.clip(sure + spread * rng.normal(size=120), 0.5, 1)
        y = rng.integers(2, size=120)
        second = np.where(y == 1, p, 1 - p)
        y[:n_wrong] = 1 - y[:n_wrong]
        table = {"y": y, "probabilities": np.column_stack([1 - second, second])}
        report = analyse(calib_report.read(table))
        numbers = {**report.numbers["before"], **report.numbers["other"]}
        ends = {n: v for n, v in numbers.items() if isinstance(v, dict) and "low" in v}
        assert {"accuracy", "errors among the surest 90 %"} <= {*ends}
        for name, interval in ends.items():
            assert interval["low"] < interval["high"], name
            if name != "confidence less accuracy":
                assert 0 <= interval["low"] and (
                    interval["high"] <= 1 or name == "NLL"
                ), name


def all_kept_right(mistakes=(), clusters=None):
    """The errors among the surest of a hundred answers, by falling confidence."""
    hit = np.ones(100, int)
    hit[[*mistakes]] = 0
    score = np.linspace(0.99, 0.5, 100)
    return measure.kept_risk(of_pairs(score, hit, clusters))


def test_where_no_kept_answer_is_wrong_the_interval_is_wilsons():
    """Of 90 that are kept, though one is wrong a little below the threshold."""
    highest = 1.959964**2 / (90 + 1.959964**2)
    for mistakes in ((), (92,)):
        assert all_kept_right(mistakes)["high"] == pytest.approx(highest, rel=1e-5)


def test_where_no_kept_answer_is_wrong_clusters_count_as_one_each():
    """Ninety answers of eighteen clusters of five, and ten of two that are not kept."""
    highest = 1.959964**2 / (18 + 1.959964**2)
    risk = all_kept_right((), np.repeat(np.arange(20), 5))
    assert risk["value"] == 0 and risk["high"] == pytest.approx(highest, rel=1e-5)


@pytest.mark.parametrize("n_draws", N_DRAWS)
def test_one_more_draw_exceeds_the_level_of_chance_once_in_twenty(n_draws):
    """It is as likely to lie in any of the places that the draws leave."""
    draws = np.random.default_rng(0).permutation(n_draws).astype(float)
    places = np.arange(n_draws + 1) - 0.5
    assert np.mean(places > measure.level_of_chance(draws)) == pytest.approx(1 / 20)


P_OF_TWO = np.tile([[0.8, 0.2], [0.4, 0.6], [0.3, 0.7]], (20, 1))
Y_OF_TWO = np.arange(60) % 2
PAIRS_OF_ERRORS = [METRICS[name].title for name in measure.OTHERS_OF_PAIRS]
VECTORS_OF_ERRORS = [METRICS[name].title for name in measure.OTHERS_OF_VECTORS]
MEANS = ["mean confidence", "confidence less accuracy"]
AUROC, KEPT = "AUROC of the confidence", "errors among the surest 90 %"


def of_task(task, **more):
    """Sixty outputs of two classes, of answers, or of twenty samples of three labels."""
    if task == "labels":
        more |= {"groups": {"label": np.tile(["a", "b", "c"], 20)}}
    outputs = calib_report.ModelOutputs(
        Y_OF_TWO, probabilities=P_OF_TWO, task=task, **more
    )
    return outputs, outcome_as_is(outputs)


@pytest.mark.parametrize(
    ("task", "first", "others"),
    [
        (
            "classes",
            ["accuracy", "NLL", "Brier", "ECE", "classwise ECE", KEPT],
            [*MEANS, "top-1 Brier", AUROC, *PAIRS_OF_ERRORS, *VECTORS_OF_ERRORS, "AURC"],
        ),
        (
            "pairs",
            ["accuracy", "NLL", "Brier", "ECE", "skill", KEPT],
            [*MEANS, *PAIRS_OF_ERRORS, "AURC"],
        ),
        (
            "labels",
            ["share of yes", "NLL", "Brier", "ECE", "mean ECE of a label", KEPT],
            [*MEANS, AUROC, *PAIRS_OF_ERRORS, "AURC"],
        ),
    ],
)  # fmt: skip
def test_each_kind_of_question_has_its_numbers(task, first, others):
    outputs, outcome = of_task(task)
    rng = np.random.default_rng(0)
    assert [*measure.first_numbers(outcome, rng=rng)] == first
    assert [*measure.other_numbers(outputs, outcome, rng)] == others


def test_of_decisions_with_costs_the_mean_cost_stands_in_the_place_of_what_is_kept():
    outputs, _ = of_task("classes")
    outcome = outcome_as_is(outputs, np.array([[0.0, 1.0], [4.0, 0.0]]))
    numbers = measure.first_numbers(outcome, rng=np.random.default_rng(0))
    assert numbers["mean cost"]["value"] == pytest.approx(outcome.cost.mean())
    assert KEPT not in numbers


def test_the_mean_error_of_labels_is_that_of_each_by_itself():
    """One label is said too often by 0.3, the other too seldom by 0.1: together by 0.1."""
    labels, score = np.repeat(["a", "b"], 10), np.repeat([0.7, 0.5], 10)
    hit = np.array([1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1])
    number = measure.mean_label_ece(score, hit, labels)
    assert number["value"] == pytest.approx((0.3 + 0.1) / 2)
    chances = [calib.error_if_calibrated(score[labels == name]) for name in "ab"]
    assert number["chance"] == pytest.approx(np.mean(chances))


def test_a_true_class_of_probability_zero_makes_the_loss_infinite():
    p = P_OF_TWO.copy()
    p[6] = [0, 1]
    outputs = calib_report.ModelOutputs(Y_OF_TWO, probabilities=p)
    assert measure.rows_of_zeros(outputs).tolist() == [6]
    numbers = measure.numbers_as_they_are(
        outputs, outcome_as_is(outputs), np.random.default_rng(0)
    )
    assert numbers["NLL"] == {"value": np.inf}


@pytest.mark.parametrize(
    ("clusters", "is_exact"), [(None, True), (np.arange(60) // 6, False)]
)
def test_chance_is_known_exactly_of_samples_that_stand_alone_and_drawn_of_clusters(
    clusters, is_exact, monkeypatch
):
    monkeypatch.setattr(measure, "error_if_calibrated", lambda _: 9.0)
    _, outcome = of_task("classes", clusters=clusters)
    number = measure.ece_with_interval(outcome, rng=np.random.default_rng(0))
    assert (number["chance"] == 9) == is_exact
    assert is_exact or 0 < number["chance"] < number["chance_high"]


@pytest.mark.parametrize(("most", "is_drawn"), [(120, True), (119, False)])
def test_of_clusters_the_classwise_error_has_its_chance_up_to_so_many_numbers(
    most, is_drawn, monkeypatch
):
    monkeypatch.setattr(measure, "MOST_NUMBERS", most)
    outputs, outcome = of_task("classes", clusters=np.arange(60) // 6)
    numbers = measure.numbers_as_they_are(outputs, outcome, np.random.default_rng(0))
    error = numbers["classwise ECE"]
    assert error["value"] == pytest.approx(calib.classwise_ece(Y_OF_TWO, P_OF_TWO))
    assert ("chance" in error, "chance_high" in error) == (is_drawn, is_drawn)


@pytest.mark.parametrize(("many", "n_draws", "n_chance"), [(61, 30, 9), (60, 20, 4)])
def test_of_many_samples_less_is_drawn(many, n_draws, n_chance, monkeypatch):
    for name, value in (("N_RESAMPLES", 30), ("N_RESAMPLES_OF_MANY", 20)):
        monkeypatch.setattr(measure, name, value)
    for name, value in (("N_DRAWS", 9), ("N_DRAWS_OF_MANY", 4), ("MANY", many)):
        monkeypatch.setattr(measure, name, value)
    drawn = {}
    for name in ("bootstrap", "consistency_test"):
        monkeypatch.setattr(calib, name, recorded(name, getattr(calib, name), drawn))
    _, outcome = of_task("classes")
    monkeypatch.setattr(measure, "level_of_chance", np.max)
    measure.ece_with_interval(outcome, rng=np.random.default_rng(0))
    measure.error_with_chance("ks_error", outcome, np.random.default_rng(0))
    assert drawn == {"bootstrap": n_draws, "consistency_test": n_chance}


def recorded(name, function, drawn):
    """A function that notes how many draws it is asked for."""

    def recording(*arguments, n_resamples, **options):
        drawn[name] = n_resamples
        return function(*arguments, n_resamples=n_resamples, **options)

    return recording


@pytest.mark.parametrize(
    ("n", "y", "lack"),
    [
        (FEWEST - 1, Y_OF_TWO, "few"),
        (FEWEST, Y_OF_TWO, None),
        (FEWEST, [1], "one_class"),
    ],
)
def test_no_map_is_fitted_to_few_samples_or_to_one_class(n, y, lack):
    p = np.resize(P_OF_TWO, (n, 2))
    outputs = calib_report.ModelOutputs(np.resize(y, n), probabilities=p)
    assert measure.lack_of_samples(outputs) == lack


def test_clusters_are_counted_where_samples_hang_together():
    y, p = np.resize(Y_OF_TWO, 2 * FEWEST), np.resize(P_OF_TWO, (2 * FEWEST, 2))
    clusters = np.arange(2 * FEWEST) // 3
    outputs = calib_report.ModelOutputs(y, probabilities=p, clusters=clusters)
    assert measure.lack_of_samples(outputs) == "few"


@pytest.mark.parametrize("kind", ["probabilities", "logits"])
def test_the_fields_of_a_measurement_are_those_of_the_outputs(kind):
    scores = P_OF_TWO if kind == "probabilities" else np.log(P_OF_TWO)
    to_fit = calib_report.ModelOutputs(Y_OF_TWO[:30], **{kind: scores[:30]})
    outputs = calib_report.ModelOutputs(Y_OF_TWO, **{kind: scores}, calibration=to_fit)
    outcome = outcome_as_is(outputs)
    fields = measure.measure(outputs, outcome, np.random.default_rng(0))
    keys = (
        "n",
        "n_classes",
        "task",
        "kind",
        "clusters",
        "calibration_n",
        "lack_of_samples",
    )
    assert [fields[name] for name in keys] == [60, 2, "classes", kind, None, 30, "few"]
    assert fields["floor"] == (outputs.floor if kind == "probabilities" else None)
    assert fields["mean_confidence"] == pytest.approx((0.8 + 0.6 + 0.7) / 3)
    assert fields["hit_rate"] == pytest.approx(outcome.hit.mean())
    assert fields["excess"]["value"] == pytest.approx(0.7 - outcome.hit.mean())
