"""Which map is recommended where the best is known."""

import numpy as np
import pytest
from scipy.special import chdtrc
from tempered_models import drawn, outputs

import calib
import calib_report
from calib_report.analysing.analysis import notes_on
from calib_report.deciding import recommendation
from calib_report.deciding.recommendation import fitted_map, frequencies_p_value
from calib_report.reading.reader import read

N, K = 2000, 5


def model(n=N, n_classes=K, *, seed=0, temperature=1.0, bias=0.0, absent=0):
    """Logits of a model whose true ones, divided by a temperature and shifted, gave the labels.

    The last `absent` classes never occur. Returns the logits, the labels and the true logits.
    """
    rng = np.random.default_rng(seed)
    true = 1.5 * rng.standard_normal((n, n_classes))
    drawn = true[:, : n_classes - absent] if absent else true
    y = (drawn + rng.gumbel(size=drawn.shape)).argmax(axis=1)
    return temperature * (true + bias * np.linspace(-1, 1, n_classes)), y, true


def decided(tmp_path, y, **scores):
    """The name of the map that is recommended for a file."""
    atol = scores.pop("atol", None)
    np.savez(tmp_path / "model.npz", y=y, **scores)
    outputs = read(tmp_path / "model.npz", atol=atol)
    return calib_report.recommend(calib_report.compare_maps(outputs)[0], outputs)[
        "name"
    ]


UNCLEAR = {"difference": -0.01, "low": -0.03, "high": 0.01}
CLEAR = {"difference": -0.02, "low": -0.03, "high": -0.01}
WORSE = {"difference": 0.1, "low": 0.05, "high": 0.15}


def tried(name, change=CLEAR, *, n_parameters=6, low_from_best=0.0, **more):
    """The row of a map that was fitted, as far as a recommendation reads it."""
    row = {"name": name, "n_parameters": n_parameters, "nll": 0.3, "nll_change": change}
    row |= {"nll_from_best": {"low": low_from_best}, "one_mistake": 0.0, "zeros": 0}
    return row | more


def test_a_calibrated_model_is_left_alone(tmp_path):
    """In 8 worlds: two or three of a hundred may look improved by chance, and seldom do."""
    worlds = [model(n=500, n_classes=3, seed=seed)[:2] for seed in range(8)]
    assert [decided(tmp_path, y, logits=z) for z, y in worlds].count("none") >= 7


def test_a_wrong_temperature_and_shifted_classes_are_mended_by_the_smallest_map(
    tmp_path,
):
    for temperature, bias, name in (
        (3.0, 0.0, "temperature scaling"),
        (0.4, 0.0, "temperature scaling"),
        (2.0, 2.0, "shrunken vector scaling"),
    ):
        z, y, _ = model(temperature=temperature, bias=bias)
        assert decided(tmp_path, y, logits=z) == name


def test_a_model_that_says_almost_the_same_of_everything(tmp_path):
    """The order of its scores is right and no temperature fits: half of its doubt is lost."""
    rng = np.random.default_rng(0)
    score = rng.uniform(0.5, 1, 6000)
    y = np.where(rng.random(6000) < score, 1, 0)
    squeezed = 0.5 + (score - 0.5) ** 4 * 2
    squeezed[score > 0.9] = 0.9 + (score[score > 0.9] - 0.9) / 2
    p = np.column_stack([1 - squeezed, squeezed])
    name = decided(tmp_path, y, probabilities=p)
    assert name in {"splines, rank by rank", "isotonic regression", "histogram binning"}


def test_few_samples_or_one_class_alone_decide_nothing(tmp_path):
    z, y, _ = model(n=99, temperature=4.0)
    assert decided(tmp_path, y, logits=z) == "none"
    z, _, _ = model(temperature=3.0)
    assert decided(tmp_path, np.zeros(N, int), logits=z) == "none"


@pytest.mark.parametrize("temperature", [1.0, 3.0])
def test_zeros_of_rounding_change_no_decision(tmp_path, temperature):
    z, y, _ = model(temperature=temperature)
    p = np.round(calib.softmax(z), 3)
    zeros = (p[np.arange(N), y] == 0).sum()
    assert zeros > 20 or temperature == 1
    name = decided(tmp_path, y, probabilities=p, atol=0.01)
    assert name == ("none" if temperature == 1 else "temperature scaling")


@pytest.mark.parametrize("temperature", [1.0, 3.0])
def test_masks_change_no_decision(tmp_path, temperature):
    """Each sample may have any of three to five classes; the others are at minus infinity."""
    z, _, true = model(temperature=temperature)
    rng = np.random.default_rng(1)
    masked = rng.random(z.shape) < 0.3
    masked[np.arange(N), rng.integers(0, K, N)] = False
    masked[masked.sum(axis=1) > K - 2] = False
    y = np.where(masked, -np.inf, true + rng.gumbel(size=z.shape)).argmax(axis=1)
    name = decided(tmp_path, y, logits=np.where(masked, -np.inf, z))
    assert name == ("none" if temperature == 1 else "temperature scaling")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("temperature", "less", "maps"),
    [
        (3.0, 36, {"temperature scaling"}),  # rare classes, as the model knows
        # one temperature would leave 2 % to them: a clear loss
        (3.0, 12, {"vector scaling"}),
        (1.0, 0, {"vector scaling", "isotonic regression"}),
    ],
)
def test_classes_that_never_occur_need_a_map_where_they_are_expected(
    tmp_path, temperature, less, maps
):
    z, y, _ = model(n_classes=8, temperature=temperature, absent=3)
    z[:, -3:] -= less
    assert decided(tmp_path, y, logits=z) in maps


@pytest.mark.slow
@pytest.mark.parametrize("temperature", [1.0, 3.0])
def test_duplicates_that_are_named_change_no_decision(tmp_path, temperature):
    """Copies that nobody names are found, and change none either; the page says so."""
    z, y, _ = model(n=1500, temperature=temperature)
    order = np.random.default_rng(2).permutation(3000) % 1500
    np.savez(tmp_path / "model.npz", y=y[order], logits=z[order], person=order)
    outputs = read(tmp_path / "model.npz", clusters="person")
    name = calib_report.recommend(calib_report.compare_maps(outputs)[0], outputs)[
        "name"
    ]
    assert name == ("none" if temperature == 1 else "temperature scaling")
    assert not any("digit for digit" in note.text for note in notes_on(outputs))
    unnamed = read(tmp_path / "model.npz")
    assert any(
        "1500 of 3000 rows repeat another" in note.text for note in notes_on(unnamed)
    )
    assert (
        calib_report.recommend(calib_report.compare_maps(unnamed)[0], unnamed)["name"]
        == name
    )


def test_one_unconfirmed_temperature_where_a_test_rejects_and_nothing_is_clear():
    """On few samples of a model that is sure of too much, it lowers the true loss."""
    gains, (fresh, more) = [], drawn(20_000, 99, n_classes=2, temperature=1.6)
    for seed in range(12):
        y, z = drawn(100, seed, n_classes=2, temperature=1.6)
        small = calib_report.read({"y": y, "logits": z})
        table = calib_report.compare_maps(small)[0]
        chosen = calib_report.recommend(table, small, 0.01)
        if chosen["confirmed"]:
            continue
        assert (
            chosen["name"] == "temperature scaling"
            and "do not confirm" in chosen["reason"]
        )
        assert calib_report.recommend(table, small, 0.2)["name"] == "none"
        t = calib.TemperatureScaling().fit(z, y).temperature_
        before, after = (calib.nll(fresh, calib.softmax(z)) for z in (more, more / t))
        gains.append(before - after)
    assert len(gains) > 3 and np.mean(gains) > 0


def test_of_few_samples_a_gain_has_to_survive_one_more_mistake():
    """A small sample may hold none of the mistakes that a map says never are."""
    few, many = (outputs(1.0, n, 2, seed=n) for n in (300, 1000))
    row = tried("isotonic regression", n_parameters=300)
    temperature = tried("temperature scaling", WORSE, n_parameters=1)
    for source, mistake, name in ((few, 0.005, row["name"]), (few, 0.02, "none")):
        none = tried("none", n_parameters=0)
        table = [none, temperature, row | {"one_mistake": mistake}]
        chosen = calib_report.recommend(table, calib_report.read(source))
        assert chosen["name"] == name
    assert "by more than one more mistake would undo" in chosen["reason"]
    assert calib_report.recommend(table, calib_report.read(many))["name"] == row["name"]
    # the best did not survive
    table[-1] |= {"one_mistake": 0.0, "nll_from_best": {"low": 0.01}}
    assert calib_report.recommend(table, calib_report.read(few))["name"] == row["name"]
    sure = calib_report.compare_maps(calib_report.read(few))[0][-1]["one_mistake"]
    assert 0 < sure <= np.log(1e12) / 300


@pytest.mark.parametrize(("n", "n_classes"), [(600, 4), (400, 2)])
def test_frequencies_are_tested_as_pearson_does_over_classes_of_which_five_are_expected(
    n, n_classes
):
    """Of 400 samples four are expected of each rare class, so that both are left out."""
    share = np.array([0.59, 0.39, 0.01, 0.01])
    y = np.repeat(np.arange(4), [n // 2, n // 2 - n // 40, n // 50, n // 200])
    outputs = calib_report.ModelOutputs(y, probabilities=np.tile(share, (n, 1)))
    off = np.bincount(y) - n * share
    if n_classes == 4:
        expected = chdtrc(3, np.sum(off**2 / (n * share)))
    else:
        covariance = n * (np.diag(share) - np.outer(share, share))[:2, :2]
        expected = chdtrc(2, off[:2] @ np.linalg.solve(covariance, off[:2]))
    assert frequencies_p_value(outputs) == pytest.approx(expected, rel=1e-6)


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
            calib_report.recommend(calib_report.compare_maps(outputs)[0], outputs)[
                "name"
            ]
        )
    assert "none" not in names
    assert "temperature scaling" not in names


def compared(*, low, zeros=0):
    """None, a map of one number, and the best of six, from which the first is so far at least."""
    more = {"n_parameters": 1, "nll": 0.31, "low_from_best": low, "zeros": zeros}
    small = tried("temperature scaling", **more)
    return [tried("none", n_parameters=0), small, tried("vector scaling")]


@pytest.mark.parametrize(
    ("low", "zeros", "name"),
    [
        (-0.01, 0, "temperature scaling"),
        (0.0, 0, "temperature scaling"),
        (0.001, 0, "vector scaling"),  # a clear loss against the best
        (-0.01, 3, "vector scaling"),  # it calls impossible what can happen
    ],
)
def test_of_maps_that_no_interval_parts_the_one_of_fewest_numbers_is_chosen(
    low, zeros, name
):
    y, z = drawn(1000, 0, n_classes=3)
    outputs = calib_report.ModelOutputs(y, logits=z)
    chosen = calib_report.recommend(compared(low=low, zeros=zeros), outputs)
    assert chosen["name"] == name and chosen["confirmed"]


def test_a_gain_that_is_the_same_of_each_sample_or_may_be_none_is_not_clear():
    for low, high, expected in (
        (-0.3, -0.1, True),
        (-0.3, 0.0, False),
        (-0.2, -0.2, False),
    ):
        row = tried("a map", {"difference": -0.2, "low": low, "high": high})
        assert recommendation.is_clear(row) == expected
    assert not recommendation.is_clear(tried("a map", {"difference": -0.2}))


@pytest.mark.parametrize(("n", "square"), [(256, 0), (320, 10)])
def test_classes_count_from_five_expected_samples_on(n, square):
    """One in 64 is of each rare class, four or five; one has twice as many, the other none.

    The frequent classes are as expected, so that of five the squares are 25/5 twice.
    """
    share = np.array([32, 30, 1, 1]) / 64
    y = np.repeat([0, 1, 2], [n // 2, n * 30 // 64, n // 32])
    outputs = calib_report.ModelOutputs(y, probabilities=np.tile(share, (n, 1)))
    assert frequencies_p_value(outputs) == pytest.approx(chdtrc(3, square))


@pytest.mark.parametrize(
    ("off", "name"), [(25, "none"), (26, "shrunken vector scaling")]
)
def test_frequencies_are_surely_others_from_one_in_a_hundred_on(off, name):
    """Of 400 halves the standard deviation is 10: 2.5 of them have p = .012, 2.6 p = .009."""
    y = np.repeat([0, 1], [200 - off, 200 + off])
    outputs = calib_report.ModelOutputs(y, probabilities=np.full((400, 2), 0.5))
    table = [
        tried("temperature scaling", WORSE, n_parameters=1),
        tried("shrunken vector scaling", UNCLEAR),
    ]
    assert calib_report.recommend(table, outputs)["name"] == name


FAILED = {"name": "temperature scaling", "failed": "no optimum"}
ONE = tried("temperature scaling", UNCLEAR, n_parameters=1)
NONE = tried("none", WORSE, n_parameters=0)
MORE = tried("another map", UNCLEAR)


@pytest.mark.parametrize(
    ("table", "name"),
    [
        ([NONE, ONE, MORE], "temperature scaling"),
        ([MORE, NONE, ONE], "temperature scaling"),
        ([NONE, MORE], "none"),
        ([NONE, FAILED, MORE], "none"),
        (
            [FAILED, tried("shrunken vector scaling", UNCLEAR)],
            "shrunken vector scaling",
        ),
    ],
)
def test_the_map_of_one_number_is_known_by_its_number_wherever_it_stands(table, name):
    y = np.repeat([0, 1], [100, 300])
    outputs = calib_report.ModelOutputs(y, probabilities=np.full((400, 2), 0.5))
    assert calib_report.recommend(table, outputs, 0.01)["name"] == name


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({}, "shrunken vector scaling"),
        ({"zeros": 1}, "temperature scaling"),
        ({"change": UNCLEAR}, "temperature scaling"),  # no more than one number gains
    ],
)
def test_a_number_a_class_has_to_gain_more_than_one_number_and_forbid_nothing(
    more, name
):
    y = np.repeat([0, 1], [100, 300])
    outputs = calib_report.ModelOutputs(y, probabilities=np.full((400, 2), 0.5))
    change = {"difference": -0.02, "low": -0.05, "high": 0.01}
    by_class = tried("shrunken vector scaling", **{"change": change} | more)
    assert calib_report.recommend([ONE, by_class], outputs, 0.01)["name"] == name


@pytest.mark.parametrize(
    ("change", "is_chosen"), [(-0.001, True), (0.0, False), (0.001, False)]
)
def test_a_map_that_gains_nothing_is_not_recommended_where_a_test_rejects(
    change, is_chosen
):
    """However sure the test: a map whose loss is not lower repairs nothing."""
    rows = [tried("temperature scaling", {"difference": change}, n_parameters=1)]
    words = {"n": 100, "what": "samples"}
    chosen = recommendation._map_of_one_number(rows, 1e-9, words)
    assert (chosen is not None) == is_chosen


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (compared(low=0.0)[1:], "; vector scaling reaches 0.3000, which is no clear gain"),
        ([tried("vector scaling")], ""),
    ],
)  # fmt: skip
def test_the_gain_stands_in_the_reason_between_its_ends(rows, reason):
    y, z = drawn(1000, 0, n_classes=3)
    chosen = calib_report.recommend(rows, calib_report.ModelOutputs(y, logits=z))
    gain = "it lowers the NLL by 0.0200 (0.0100 to 0.0300) on held-out samples"
    assert chosen["reason"].startswith(gain + reason)
    assert bool(reason) == ("reaches" in chosen["reason"])


@pytest.mark.parametrize(
    ("clusters", "few", "more"),
    [
        (None, "99 samples", "400 samples"),
        (np.arange(400) // 3, "33 clusters", "134 clusters"),
    ],
)
def test_what_stands_alone_is_counted_in_a_reason(clusters, few, more):
    y, z = np.repeat([0, 1], [100, 300]), np.zeros((400, 2))
    outputs = calib_report.ModelOutputs(y, logits=z, clusters=clusters)
    assert more in calib_report.recommend([ONE], outputs, 0.01)["reason"]
    small = outputs.take(np.arange(99))
    assert calib_report.recommend([], small)["reason"].startswith(few)


@pytest.mark.parametrize(
    ("name", "calibrator"),
    [
        ("temperature scaling", calib.TemperatureScaling()),
        ("vector scaling", calib.VectorScaling()),
    ],
)
def test_a_map_is_fitted_by_its_name(name, calibrator):
    y, z = drawn(600, 0, n_classes=3, temperature=2.0)
    fitted = fitted_map(calib_report.ModelOutputs(y, logits=z), name)
    expected = calibrator.fit(z, y).predict_proba(z)
    np.testing.assert_allclose(fitted.predict_proba(z), expected, atol=1e-6)


def test_of_the_name_of_none_no_map_is_fitted():
    y, z = drawn(600, 0, n_classes=3)
    assert fitted_map(calib_report.ModelOutputs(y, logits=z), "none") is None
