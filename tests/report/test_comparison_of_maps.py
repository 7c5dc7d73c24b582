"""Which map is recommended where the best is known, and how two models are compared."""

import json

import numpy as np
import pytest
from tempered_models import drawn, outputs

import calib
import calib_report
from calib_report import compare
from calib_report.analysing.analysis import notes_on
from calib_report.command import main
from calib_report.judging import comparison_of_maps
from calib_report.judging.recommendation import frequencies_p_value
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


def test_which_maps_are_tried_goes_by_the_number_of_classes():
    def names(n, n_classes):
        return {
            candidate.name for candidate in comparison_of_maps.candidates(n, n_classes)
        }

    matrix = {"structured matrix scaling"}
    # a matrix of up to twenty classes
    assert names(2000, 20) - names(2000, 21) == matrix
    assert names(2000, 3) == names(2000, 20)
    # of up to a hundred all but the matrix; beyond, what few samples a class allow
    assert names(2000, 100) == names(2000, 21)
    assert names(2000, 101) == {"temperature scaling", "shrunken vector scaling"}


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


def test_cross_validated_losses_keep_the_order_of_samples_and_split_no_cluster():
    """Each sample's loss is that of the map that was fitted to the other folds."""
    y, logits = drawn(2000, 0)
    shop = np.random.default_rng(0).integers(0, 37, len(y))
    for clusters in (None, shop):
        outputs = calib_report.ModelOutputs(y, logits=logits, clusters=clusters)
        parts = comparison_of_maps.rows_of_folds(outputs, np.random.default_rng(0))
        assert sorted(np.concatenate(parts)) == list(range(len(y)))
        scaling, rng = calib.TemperatureScaling(), np.random.default_rng(0)
        losses = comparison_of_maps.outcome_held_out(scaling, outputs, rng)
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
    row = calib_report.compare_maps(calib_report.read(tmp_path / "a.npz"))[0][1]
    fitted = calib.TemperatureScaling().fit(logits[:half], y[:half])
    assert row["nll"] == pytest.approx(
        calib.nll(y[half:], fitted.predict_proba(logits[half:]))
    )


def test_one_unconfirmed_temperature_where_a_test_rejects_and_nothing_is_clear():
    """On few samples of a model that is sure of too much, it lowers the true loss."""
    gains, (fresh, more) = [], drawn(20_000, 99, n_classes=2, temperature=1.6)
    for seed in range(12):
        y, z = drawn(100, seed, n_classes=2, temperature=1.6)
        few = calib_report.read({"y": y, "logits": z})
        table = calib_report.compare_maps(few)[0]
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
    temperature = row | {
        "name": "temperature scaling",
        "n_parameters": 1,
        "nll_change": {"difference": 0.1, "high": 0.1},
    }
    for source, mistake, name in ((few, 0.005, row["name"]), (few, 0.02, "none")):
        table = [{"name": "none"}, temperature, row | {"one_mistake": mistake}]
        chosen = calib_report.recommend(table, calib_report.read(source))
        assert chosen["name"] == name
    assert "by more than one more mistake would undo" in chosen["reason"]
    assert calib_report.recommend(table, calib_report.read(many))["name"] == row["name"]
    # the best did not survive
    table[-1] |= {"one_mistake": 0.0, "nll_from_best": {"low": 0.01}}
    assert calib_report.recommend(table, calib_report.read(few))["name"] == row["name"]
    sure = calib_report.compare_maps(calib_report.read(few))[0][-1]["one_mistake"]
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
            calib_report.recommend(calib_report.compare_maps(outputs)[0], outputs)[
                "name"
            ]
        )
    assert "none" not in names
    assert "temperature scaling" not in names


@pytest.mark.slow
def test_two_models_are_compared_sample_by_sample(tmp_path, capsys):
    source = outputs(2.0, n=500)
    before = calib_report.read(source)
    p = calib.softmax(source["logits"] / 2)
    after = calib_report.read({"y": before.y, "p": p})
    rows = compare(before, after)
    assert rows["accuracy"]["difference"] == 0
    assert rows["NLL"]["high"] < 0 and rows["ECE"]["high"] < 0
    assert rows["NLL"]["second"] == pytest.approx(calib.nll(before.y, p))
    np.savez(tmp_path / "a.npz", **source)
    np.savez(tmp_path / "b.npz", y=before.y, p=p)
    assert main(["compare", str(tmp_path / "a.npz"), str(tmp_path / "b.npz")]) == 0
    assert "NLL" in capsys.readouterr().out
    assert (
        main(["compare", "--json", str(tmp_path / "a.npz"), str(tmp_path / "b.npz")])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["NLL"] == rows["NLL"]
    with pytest.raises(ValueError, match="not the same"):
        compare(before, calib_report.read(outputs(2.0, n=500, seed=1)))


def test_a_common_floor_lets_no_better_model_look_worse():
    """A gives ten true classes nothing; B gives all of them at least as much as A."""
    y = np.arange(200) % 2
    right = np.where(np.arange(200) < 10, 0.0, 0.9)
    a = np.stack([right, 1 - right], axis=1)
    b = np.where(a == 0, 1e-9, a)
    b[:10, 1] = 1 - 1e-9
    first, second = (np.where(y[:, None] == 0, p, p[:, ::-1]) for p in (a, b))
    outputs = [calib_report.read({"y": y, "p": p}) for p in (first, second)]
    assert compare(*outputs)["NLL"]["difference"] <= 1e-9


def test_models_are_matched_by_ids_and_pairs_by_their_questions():
    rng = np.random.default_rng(5)
    n = 300
    source, order = outputs(2.0, n=n), rng.permutation(n)
    shuffled = {name: np.asarray(values)[order] for name, values in source.items()}
    names = np.arange(n)
    first = calib_report.read(source | {"id": names})
    rows = compare(first, calib_report.read(shuffled | {"id": names[order]}))
    assert {abs(row["difference"]) < 1e-12 for row in rows.values()} == {True}
    assert len(rows) > 15 and all({"low", "refused"} & {*row} for row in rows.values())
    with pytest.raises(ValueError, match="--ids NAME"):
        compare(first, calib_report.read(shuffled))
    with pytest.raises(ValueError, match="0 names in 'ids' are in both"):
        compare(first, calib_report.read(shuffled | {"id": names + n}))
    floats = names[order].astype(float)  # as pandas writes ids once one was missing
    rows = compare(first, calib_report.read(shuffled | {"id": floats}))
    assert {abs(row["difference"]) < 1e-12 for row in rows.values()} == {True}
    turned = source | {"logits": np.asarray(source["logits"])[:, ::-1], "id": names}
    turned = calib_report.read(turned, classes=first.class_names[::-1])
    assert compare(first, turned)["NLL"]["difference"] == pytest.approx(0)
    with pytest.raises(ValueError, match="cannot be paired"):
        compare(first, first.take(np.arange(9)).annotated(ids=None))
    score = rng.random(500)
    right, surer = rng.random((2, 500)) < score
    one = calib_report.read({"confidence": score, "correct": right.astype(int)})
    other = calib_report.read(
        {"confidence": score, "correct": (right | surer).astype(int)}
    )
    change = compare(one, other)["accuracy"]
    assert change["low"] > 0 and change["second"] == pytest.approx(
        (right | surer).mean()
    )


def test_names_that_are_numbers_in_one_file_and_text_in_the_other_are_the_same():
    source = outputs(2.0, n=300)
    first = calib_report.read(source | {"id": np.arange(300)})
    names = [str(row) for row in range(299)] + ["x299"]
    rows = compare(first, calib_report.read(source | {"id": np.array(names)}))
    assert rows["NLL"]["difference"] == 0
