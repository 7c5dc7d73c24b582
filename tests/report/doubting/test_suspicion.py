"""Which files are called suspect: no honest one, most damaged ones, with the likely cause."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import norm

import calib
from calib_report import read
from calib_report.doubting import suspicion as rule
from calib_report.doubting.suspicion import (
    HUGE_TEMPERATURE,
    Association,
    _fits_clearly_better,
    _is_shift,
    _softmax_twice,
    _without_idle_moves,
    asks_for_more,
    association,
    is_at_the_end,
    other_order,
    slope_of_nll,
    suspicion,
)
from calib_report.model_outputs import ModelOutputs
from evidence.files_with_truth.honest_and_damaged import (
    DAMAGES,
    GOOD,
    classes,
    false_alarms,
    is_suspect,
    missed_alarms,
    rare,
    small_false_alarms,
    weak,
)
from evidence.simulate import drawn_labels


def cause(y, p, **options):
    finding = suspicion(ModelOutputs(y, probabilities=p, **options))
    return finding and finding.cause


def no_relation(y, p):
    """The rule of a test of independence, to which a weak test is an alarm."""
    relation = association(y, p)
    return relation is None or norm.sf(relation.seen) > 0.01


def test_mean_and_variance_are_those_of_all_orders_of_the_labels():
    rng = np.random.default_rng(1)
    p, y = rng.dirichlet(np.ones(3), size=6), np.array([0, 1, 1, 2, 0, 1])
    sums = [p[np.arange(6), list(order)].sum() for order in permutations(y)]
    expected = (p[np.arange(6), y].sum() - np.mean(sums)) / np.std(sums)
    assert association(y, p).seen == pytest.approx(expected)


def test_the_claim_is_what_labels_of_the_probabilities_reach():
    rng = np.random.default_rng(2)
    relations = [association(*classes(rng, 1000, 5, 1.0)) for _ in range(40)]
    ratio = np.mean([r.seen for r in relations]) / np.mean(
        [r.claimed for r in relations]
    )
    assert ratio == pytest.approx(1, abs=0.03)


def too_hot(y, p):
    """The rule of a best temperature above ten alone, to which a weak file is an alarm."""
    return slope_of_nll(y, np.log(p), HUGE_TEMPERATURE)[0] > 0


def test_the_slope_is_that_of_the_loss_and_its_deviation_that_of_drawn_labels():
    rng = np.random.default_rng(9)
    z = 2 * rng.normal(size=(400, 3))
    y, step = rng.integers(0, 3, 400), 1e-5

    def loss(inverse):
        return -np.log(calib.softmax(inverse * z)[np.arange(400), y]).sum()

    slope = (loss(1 / 4 + step) - loss(1 / 4 - step)) / (2 * step)
    assert slope_of_nll(y, z, 4.0)[0] == pytest.approx(slope, rel=1e-6)
    p = calib.softmax(z / 4)
    slopes = [slope_of_nll(drawn_labels(p, rng), z, 4.0)[0] for _ in range(1000)]
    deviation = slope_of_nll(y, z, 4.0)[1]
    assert np.std(slopes) == pytest.approx(deviation, rel=0.1)
    assert abs(np.mean(slopes)) < 4 * deviation / 1000**0.5
    best = calib.TemperatureScaling().fit(z, y).temperature_
    assert slope_of_nll(y, z, best)[0] == pytest.approx(0, abs=1e-6 * deviation)


def test_small_weak_files_are_not_suspect():
    """Of 350 at most two; a best temperature above ten alone accuses a fifth of them."""
    _, alarms = small_false_alarms(350, np.random.default_rng(10))
    assert alarms.total() <= 2
    _, alarms = small_false_alarms(350, np.random.default_rng(10), too_hot)
    assert alarms.total() > 70


def test_labels_that_chance_lets_go_with_scores_are_found_by_the_temperature():
    """In one order of a hundred the labels seem related; a factor of a sixtieth fits them best."""
    rng = np.random.default_rng(11)
    y, p = weak(rng, 2000, 2.0, 2.0)
    orders = [rng.permutation(y) for _ in range(400)]
    lucky = [order for order in orders if association(order, p).seen >= 2.33]
    assert 1 <= len(lucky) <= 12
    assert {cause(order, p) for order in lucky} == {"hardly related"}
    sure, right = p.copy(), (rng.random(2000) < 0.5).astype(int)
    assert cause(right, sure, task="pairs") is None


def test_much_too_sure_scores_that_rank_well_are_not_suspect():
    """Naive Bayes counts the same evidence many times: one factor mends it, the file is right."""
    y, p = weak(np.random.default_rng(12), 3000, 2.0, 15.0)
    assert (
        calib.TemperatureScaling().fit(np.log(np.maximum(p, 1e-16)), y).temperature_
        > 10
    )
    assert cause(y, p) is None


def test_softmax_that_was_taken_twice_is_told():
    rng = np.random.default_rng(13)
    for k in (2, 10, 100):
        z = 5.0 * rng.normal(size=(1500, k))
        y = drawn_labels(calib.softmax(z), rng)
        twice = calib.softmax(calib.softmax(z))
        assert cause(y, calib.softmax(z)) is None
        assert cause(y, twice) == "softmax twice"
        rounded = np.round(twice, 5)
        rounded /= rounded.sum(axis=1, keepdims=True)
        assert cause(y, rounded) == "softmax twice"
        # what the page says undoes it
        log = np.log(twice)
        once = log - log.mean(axis=1, keepdims=True) + 1 / k
        assert once == pytest.approx(calib.softmax(z), abs=1e-12)


def test_scores_that_are_only_shy_are_not_told_to_be_a_second_softmax():
    """Boosting says .5 and a little; a calibrated source that knows little says no more."""
    rng = np.random.default_rng(14)
    for temperature in (0.05, 0.1):
        y, p = weak(rng, 3000, 2.0, temperature)
        assert cause(y, p) is None
    z = rng.uniform(-1, 1, 3000)  # calibrated, and nowhere above .731
    p = calib.softmax(np.column_stack([-z / 2, z / 2]))
    assert cause(drawn_labels(p, rng), p) is None


def test_honest_files_are_not_suspect():
    """Of 121 at most one; a test of independence calls a tenth of them suspect."""
    _, alarms = false_alarms(121, np.random.default_rng(3))
    assert alarms.total() <= 1
    _, alarms = false_alarms(121, np.random.default_rng(3), no_relation)
    assert alarms.total() > 5


def test_damaged_files_are_suspect():
    """Labels in any order pass where a few hundred samples claim little, and only there."""
    _, passed = missed_alarms(100, np.random.default_rng(4))
    assert passed.total() <= 8
    assert passed["turned round"] + passed["columns permuted"] == 0


@pytest.mark.parametrize("name", DAMAGES)
def test_the_likely_cause_is_said(name):
    rng = np.random.default_rng(5)
    two, four = (
        GOOD[world](rng, 3000) for world in ("2 classes", "4 classes, too sure")
    )
    expected = {
        "rows shuffled": {"rows in another order"},
        "rows off by one": {"rows moved"},
        "turned round": {"turned round", "columns moved"},
        "columns permuted": {
            "turned round",
            "columns moved",
            "labels counted from another number",
        },
    }
    for y, p in (two, four):
        assert cause(y, p) is None
        assert cause(*DAMAGES[name](y, p, rng)) in expected[name]


def test_two_swapped_columns_of_ten_are_named():
    y, p = classes(np.random.default_rng(6), 2000, 10, 2.0)
    swapped = p[:, [0, 1, 2, 4, 3, 5, 6, 7, 8, 9]]
    names = [*"abcdefghij"]
    sentence = suspicion(
        ModelOutputs(y, probabilities=swapped, class_names=names)
    ).sentence
    assert "'d' fits the column of 'e'; 'e' fits the column of 'd'" in sentence


def test_a_confidence_that_is_an_uncertainty_is_suspect_and_one_that_knows_nothing_is_not():
    rng = np.random.default_rng(7)
    sure = rng.uniform(0.5, 1, 1000)
    right = (rng.random(1000) < sure).astype(int)
    of_pairs = {"task": "pairs"}
    assert cause(right, np.column_stack([sure, 1 - sure]), **of_pairs) == "turned round"
    assert cause(right, np.column_stack([1 - sure, sure]), **of_pairs) is None
    assert (
        cause(rng.permutation(right), np.column_stack([1 - sure, sure]), **of_pairs)
        is None
    )


def test_nothing_is_said_where_scores_are_all_alike_or_samples_are_few():
    y = np.arange(100) % 2
    assert cause(y, np.full((100, 2), 0.5)) is None
    assert cause(1 - y[:19], np.eye(2)[y[:19]] * 0.8 + 0.1) is None
    assert cause(1 - y[:20], np.eye(2)[y[:20]] * 0.8 + 0.1) == "turned round"


def test_labels_of_one_class_are_told_by_its_name(tmp_path):
    (tmp_path / "one.csv").write_text("label,p_a,p_b\nb,0.3,0.7\nb,0.4,0.6\n")
    assert "all of one class, b:" in read(tmp_path / "one.csv").notes[0].text


def test_a_rare_event_with_thirteen_cases_is_no_reason():
    rng = np.random.default_rng(8)
    assert not any(is_suspect(*rare(rng, 1000, 0.012)) for _ in range(20))


@pytest.mark.parametrize(
    ("name", "claimed", "end"),
    [
        ("is_broken", 8, -0.5),  # a quarter of the claim, less what chance may take
        ("is_broken", 40, 2.33),  # what is no relation, once in a hundred
        ("is_less_than_honest", 8, 2),
        ("is_turned_round", 8, -2.5),
        ("is_turned_round", 40, -10),
    ],
)
def test_labels_below_an_end_are_suspect(name, claimed, end):
    assert getattr(Association(end - 0.01, claimed), name)
    assert not getattr(Association(end + 0.01, claimed), name)


@pytest.mark.parametrize(("claimed", "end"), [(8, 5), (40, 10)])
def test_labels_that_are_kept_go_with_scores_as_those_of_an_honest_source(claimed, end):
    assert Association(end + 0.01, claimed).is_kept
    assert not Association(end - 0.01, claimed).is_kept


def test_labels_count_from_another_number_where_most_classes_moved_by_one_step():
    """Of ten classes all but the last moved up by one; of two swapped each goes its own way."""
    shifted, swapped = np.arange(1, 11), np.array([1, 0, *range(2, 10)])
    shifted[-1] = 9
    few = np.array([1, 1, *range(2, 10)])
    for order, expected in ((shifted, True), (swapped, False), (few, False)):
        moved = np.flatnonzero(order != np.arange(10))
        assert _is_shift(order, moved) == expected


@pytest.mark.parametrize(
    ("n_at_the_end", "most", "expected"),
    [
        (10, 1.0, True),
        (9, 1.0, False),  # a tenth of the rows has to come near
        (10, 0.96, True),  # within a twentieth of the end
        (10, 0.94, False),
        (10, 1.001, True),  # three digits may add as much
        (10, 1.01, False),  # beyond the end no second softmax goes
    ],
)
def test_a_second_softmax_ends_at_e_of_e_and_the_other_classes(
    n_at_the_end, most, expected
):
    """Of two classes at e / (e + 1)."""
    top = np.full(100, 0.5)
    top[:n_at_the_end] = most * np.e / (np.e + 1)
    assert is_at_the_end(np.column_stack([top, 1 - top])) == expected


@pytest.mark.parametrize("absent", [(), (3,)])
def test_a_class_without_labels_stays_where_it_is(absent):
    """Labels 0 and 1 are of each other's columns; a class that never occurs fits any."""
    rng = np.random.default_rng(3)
    p = rng.dirichlet([0.3] * 4, size=2000)
    p = p[~np.isin(p.argmax(axis=1), absent)]
    labels = (p.cumsum(axis=1) < rng.random((len(p), 1))).sum(axis=1).clip(max=3)
    occurs = ~np.isin(labels, absent)
    y, p = np.array([1, 0, 2, 3])[labels[occurs]], p[occurs]
    assert other_order(y, p).tolist() == [1, 0, 2, 3]
    # nothing has moved where the labels are in their own columns
    assert other_order(labels[occurs], p) is None


@pytest.mark.parametrize(
    ("y", "order"), [([0, 0, 2], [1, 1, 2]), ([0, 1, 2], [1, 0, 2])]
)
def test_an_order_moves_only_classes_that_occur(y, order):
    assert _without_idle_moves(np.array([1, 0, 2]), np.array(y)).tolist() == order


@pytest.mark.parametrize(("step", "side"), [(1, "low"), (-1, "high")])
def test_labels_that_are_moved_by_a_row_are_said_to_be_on_that_side(step, side):
    y, p = small_dirichlet()
    finding = suspicion(ModelOutputs(np.roll(y, step), probabilities=p))
    assert finding.cause == "rows moved" and f"one row too {side}" in finding.sentence


def small_dirichlet():
    rng = np.random.default_rng(0)
    p = rng.dirichlet([0.3, 0.3, 0.3], size=500)
    return drawn_labels(p, rng), p


@pytest.mark.parametrize(
    ("as_read", "otherwise", "is_better"),
    [
        # a hundred gains of 0.34 on average, whose mean varies by 0.1
        (np.zeros(100), 0.34 + np.tile([-1, 1], 50), True),
        (np.zeros(100), 0.32 + np.tile([-1, 1], 50), False),
        # as it is read a quarter of the other order's is reached, or not
        (np.full(100, 0.24), np.ones(100), True),
        (np.full(100, 0.26), np.ones(100), False),
    ],
)
def test_an_order_fits_better_beyond_chance_where_the_one_read_is_worth_little(
    as_read, otherwise, is_better
):
    assert _fits_clearly_better(otherwise, as_read) == is_better


@pytest.mark.parametrize("k", [2, 4, 10])
def test_the_largest_probability_of_a_second_softmax_is_told(k):
    p = calib.softmax(np.eye(k))
    outputs = ModelOutputs(np.arange(k), probabilities=p)
    assert f"{p.max():.3g}" in _softmax_twice(outputs).sentence


@pytest.mark.parametrize(
    ("order", "moved", "is_shift"),
    [
        ([1, 2, 3, 3], [0, 1, 2], True),
        ([1, 2, 2, 3], [0, 1], False),  # half of the classes are not most
        ([1, 2, 0, 3], [0, 1, 2], False),  # one moved by another number
    ],
)
def test_labels_count_otherwise_where_most_classes_moved_alike(order, moved, is_shift):
    assert _is_shift(np.array(order), np.array(moved)) == is_shift


def test_another_order_is_looked_for_up_to_so_many_columns(monkeypatch):
    y = np.random.default_rng(0).integers(4, size=400)
    p = np.full((400, 4), 0.1)
    p[np.arange(400), (y + 1) % 4] = 0.7
    assert other_order(y, p).tolist() == [1, 2, 3, 0]
    monkeypatch.setattr(rule, "MOST_COLUMNS", 3)
    assert other_order(y, p) is None


@pytest.mark.parametrize(("n", "asks"), [(1, False), (4000, True)])
def test_one_right_answer_asks_for_no_smaller_temperature_and_thousands_do(n, asks):
    """All are right by a little: each says that surer would be better."""
    y, z = np.zeros(n, int), np.tile([0.1, 0.0], (n, 1))
    assert asks_for_more(y, z) == asks
