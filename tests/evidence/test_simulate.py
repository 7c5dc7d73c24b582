"""The true errors of the simulated models: second quadratures, closed forms and large samples."""

import numpy as np
import pytest
from scipy import integrate, special, stats

from book.evidence.simulate import BetaDistorted, LabelNoise, TemperedGaussian
from calib import calibration_error, classwise_ece, ece, equal_width, one_vs_rest, top_label

MODELS = [
    BetaDistorted(),
    BetaDistorted(alpha=2, beta=2, a=0.5, b=1.4, c=0.3),
    BetaDistorted(alpha=0.5, beta=0.5, a=1.6, b=1.6),
    TemperedGaussian(),
    TemperedGaussian(n_classes=2, radius=1.0, temperature=0.7),
    TemperedGaussian(n_classes=6, radius=3.0, temperature=1.5),
    LabelNoise(),
    LabelNoise(n_classes=3, concentration=1.0, noise=0.3),
]
every_model = pytest.mark.parametrize("model", MODELS, ids=repr)
N = 200_000


def ks(score, hit):
    """KS error without ties."""
    order = np.argsort(score)
    return np.abs(np.cumsum((hit - score)[order])).max() / len(score)


@pytest.fixture(scope="module", params=MODELS, ids=repr)
def sampled(request):
    return request.param, *request.param.sample(N, np.random.default_rng(11))


@pytest.mark.slow
def test_errors_match_large_samples(sampled):
    model, y, p = sampled
    score, hit = top_label(y, p)
    four_errors = 4 * 0.5 / np.sqrt(N)
    assert hit.mean() == pytest.approx(model.true_accuracy(), abs=four_errors)
    assert ece(y, p, n_bins=50) == pytest.approx(model.true_ece(), abs=four_errors)
    assert ks(score, hit) == pytest.approx(model.true_ks(), abs=four_errors)
    root = calibration_error(y, p, bins=equal_width(50), norm="l2")
    assert root == pytest.approx(model.true_ece("l2"), abs=four_errors)


@pytest.mark.slow
def test_classwise_errors_match_large_samples(sampled):
    model, y, p = sampled
    if p.ndim == 1:
        p = np.column_stack([1 - p, p])
    n_classes = p.shape[1]
    # the classes' gaps average out; 3 errors of a class's frequency 1/K, and the bins' bias
    margin = 4 * np.sqrt(1 / n_classes / N)
    assert classwise_ece(y, p, n_bins=50) == pytest.approx(model.true_classwise_ece(), abs=margin)
    per_class = [ks(*one_vs_rest(k)(y, p)) for k in range(n_classes)]
    assert np.mean(per_class) == pytest.approx(model.true_classwise_ks(), abs=margin)


@every_model
def test_the_calibrated_case_has_no_error(model):
    right = model.calibrated()
    errors = [right.true_ece(), right.true_ece("l2"), right.true_ks()]
    errors += [right.true_classwise_ece(), right.true_classwise_ece("l2")]
    assert [*errors, right.true_classwise_ks()] == [0.0] * 6
    assert right == type(right)(**vars(right))


@pytest.mark.slow
@every_model
def test_identities(model):
    assert 0 < model.true_ks() <= model.true_ece() * (1 + 1e-12)
    assert model.true_ece() <= model.true_ece("l2") < 1
    assert model.true_classwise_ece() <= model.true_classwise_ece("l2")
    assert model.true_classwise_ks() <= model.true_classwise_ece() * (1 + 1e-12)


@every_model
def test_samples_repeat_with_their_seed(model):
    one, two, other = (model.sample(50, np.random.default_rng(seed)) for seed in (3, 3, 4))
    np.testing.assert_array_equal(one[0], two[0])
    np.testing.assert_array_equal(one[1], two[1])
    assert not np.array_equal(one[1], other[1])


@pytest.mark.parametrize("model", MODELS[:2], ids=repr)
def test_beta_by_the_midpoint_rule(model):
    edges = np.linspace(0, 1, 400_001)
    s = (edges[1:] + edges[:-1]) / 2
    gap = (model.hit_probability(s) - s) * stats.beta(model.alpha, model.beta).pdf(s) / len(s)
    assert model.true_ece() == pytest.approx(np.abs(gap).sum(), abs=1e-8)
    assert model.true_ks() == pytest.approx(np.abs(np.cumsum(gap)).max(), abs=1e-8)


def test_beta_closed_forms():
    # uniform scores, P(h | s) = s / (1 + s): the gap is s - s / (1 + s), never negative
    model = BetaDistorted(alpha=1, beta=1, a=1, b=0, c=0)
    assert model.true_ece() == pytest.approx(np.log(2) - 1 / 2, abs=1e-12)
    assert model.true_ks() == pytest.approx(np.log(2) - 1 / 2, abs=1e-12)
    assert model.true_accuracy() == pytest.approx(1 - np.log(2), abs=1e-12)
    # uniform scores, always P(h | s) = 1/2: mean |s - 1/2| = 1/4, the cumulative gap is 1/8
    model = BetaDistorted(alpha=1, beta=1, a=0, b=0, c=0)
    assert model.true_ece() == pytest.approx(1 / 4, abs=1e-12)
    assert model.true_ks() == pytest.approx(1 / 8, abs=1e-12)
    assert model.true_ece("l2") == pytest.approx(np.sqrt(1 / 12), abs=1e-12)


def test_beta_curve_is_monotone_and_reaches_its_ends():
    curve = BetaDistorted(a=0.0, b=0.5, c=1.0).hit_probability(np.linspace(0, 1, 101))
    assert (np.diff(curve) > 0).all()
    assert curve[0] == pytest.approx(special.expit(1.0))
    assert curve[-1] == 1


def plane(model, n=1201):
    """Weights and true and reported posteriors on a grid in the plane."""
    axis = np.linspace(-model.radius - 9, model.radius + 9, n)
    x = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    density = [np.exp(-((x - m) ** 2).sum(axis=1) / 2) for m in model.means]
    density = np.sum(density, axis=0) / (2 * np.pi * model.n_classes)
    z = x @ model.means.T
    reported = special.softmax(model.temperature * z, axis=1)
    return density * (axis[1] - axis[0]) ** 2, special.softmax(z, axis=1), reported


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS[3:5], ids=repr)
def test_gaussian_by_a_grid_in_the_plane(model):
    weight, true, reported = plane(model)
    assert weight.sum() == pytest.approx(1, abs=1e-9)
    gap = weight @ (true.max(axis=1) - reported.max(axis=1))
    assert model.true_ece() == pytest.approx(abs(gap), abs=2e-5)
    assert model.true_accuracy() == pytest.approx(weight @ true.max(axis=1), abs=2e-5)
    bin_of = (reported[:, 0] * 300).astype(int)
    sums = np.bincount(bin_of, weight * (true - reported)[:, 0])
    assert model.true_classwise_ece() == pytest.approx(np.abs(sums).sum(), abs=1e-4)
    assert model.true_classwise_ks() == pytest.approx(np.abs(np.cumsum(sums)).max(), abs=1e-4)


def test_two_gaussians_are_one_integral():
    model = TemperedGaussian(n_classes=2, radius=0.8, temperature=1.7)
    scale = 2 * model.radius  # z_0 - z_1 = 2 r x, x normal around r or -r

    def mean(f):
        normal = stats.norm(model.radius)
        return integrate.quad(lambda x: normal.pdf(x) * f(scale * x), -9, 10, epsabs=1e-12)[0]

    def gap(z):
        return special.expit(z) - special.expit(model.temperature * z)

    assert model.true_ece() == pytest.approx(mean(lambda z: abs(gap(z))), abs=1e-8)
    assert model.true_classwise_ece() == pytest.approx(mean(lambda z: abs(gap(z))), abs=1e-6)
    assert model.true_ece("l2") ** 2 == pytest.approx(mean(lambda z: gap(z) ** 2), abs=1e-6)
    assert model.true_accuracy() == pytest.approx(stats.norm.cdf(model.radius), abs=1e-9)


def test_the_temperature_repairs_the_network():
    model = TemperedGaussian(temperature=2.5)
    y, logits = model.sample_logits(100, np.random.default_rng(0))
    right = model.calibrated().sample(100, np.random.default_rng(0))
    np.testing.assert_array_equal(y, right[0])
    np.testing.assert_allclose(special.softmax(logits / 2.5, axis=1), right[1])


def test_the_gaussians_posterior_is_the_frequency():
    y, p = TemperedGaussian(n_classes=4).calibrated().sample(N, np.random.default_rng(2))
    assert ks(*top_label(y, p)) < 1.6 * 0.5 / np.sqrt(N)


def test_label_noise_closed_forms():
    # uniform on the simplex: the mean of the largest of K is (1 + 1/2 + ... + 1/K) / K
    model = LabelNoise(n_classes=4, concentration=1.0, noise=0.3)
    mean = (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4
    assert model.true_ece() == pytest.approx(0.1 * (4 * mean - 1), abs=1e-10)
    assert model.true_accuracy() == pytest.approx(mean - model.true_ece(), abs=1e-10)
    # two classes, uniform: the confidence is uniform on [1/2, 1]
    model = LabelNoise(n_classes=2, concentration=1.0, noise=0.5)
    assert model.true_ece() == pytest.approx(0.5 * (2 * 3 / 4 - 1), abs=1e-10)
    assert model.true_ece("l2") == pytest.approx(0.5 * np.sqrt(4 * 7 / 12 - 4 * 3 / 4 + 1))
    assert model.true_classwise_ece() == pytest.approx(0.5 * 2 * 1 / 4, abs=1e-12)


@pytest.mark.parametrize(("n_classes", "concentration"), [(3, 1.0), (10, 0.5), (5, 2.0)])
def test_label_noise_per_class_by_quadrature(n_classes, concentration):
    model = LabelNoise(n_classes, concentration, noise=0.2)
    p = stats.beta(concentration, (n_classes - 1) * concentration)

    def mean(f):  # over fractiles: the density may be infinite at zero
        kink = p.cdf(1 / n_classes)
        integral = [
            integrate.quad(lambda u: f(model.hit_probability(p.ppf(u)) - p.ppf(u)), *piece)[0]
            for piece in [(0, kink), (kink, 1)]
        ]
        return np.array(integral)

    assert model.true_classwise_ece() == pytest.approx(mean(np.abs).sum(), abs=1e-7)
    assert model.true_classwise_ece("l2") ** 2 == pytest.approx(mean(np.square).sum(), abs=1e-7)
    assert model.true_classwise_ks() == pytest.approx(mean(np.abs)[0], abs=1e-7)


def test_confident_noise_is_the_noise():
    model = LabelNoise(n_classes=10, concentration=1e-4, noise=0.2)
    assert model.true_ece() == pytest.approx(0.2, abs=1e-3)


def test_many_unsure_classes():
    model = LabelNoise(n_classes=50, concentration=100.0, noise=0.5)
    _, p = model.sample(20_000, np.random.default_rng(0))
    expected = 0.5 * (50 * p.max(axis=1).mean() - 1) / 49
    assert model.true_ece() == pytest.approx(expected, rel=1e-2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BetaDistorted(alpha=0), "alpha: 0, expected a number in"),
        (lambda: BetaDistorted(b=-1.0), "b: -1.0"),
        (lambda: BetaDistorted(c=np.nan), "c: nan"),
        (lambda: TemperedGaussian(n_classes=1), "n_classes: 1"),
        (lambda: TemperedGaussian(temperature=0.0), "temperature: 0.0"),
        (lambda: LabelNoise(noise=1.2), "noise: 1.2"),
        (lambda: LabelNoise().true_ece("max"), "norm: 'max'"),
    ],
)
def test_bad_parameters_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_scores_outside_of_zero_and_one_are_refused():
    with pytest.raises(ValueError, match="score: row 1 is nan"):
        BetaDistorted().hit_probability([0.5, np.nan])
    with pytest.raises(ValueError, match="score: row 0 is 2"):
        LabelNoise().hit_probability(2.0)


@pytest.mark.parametrize("model", [BetaDistorted, LabelNoise, TemperedGaussian])
class TestSimulations:
    @pytest.mark.parametrize("rng", [None, 1.0, np.random.RandomState(0)])
    def test_generator(self, model, rng):
        with pytest.raises(TypeError, match="rng: "):
            model().sample(3, rng)

    @pytest.mark.parametrize("n", [-1, 0, 1.5, "3", None])
    def test_number_of_samples(self, model, n):
        with pytest.raises((TypeError, ValueError), match="n: "):
            model().sample(n, np.random.default_rng(0))

    @pytest.mark.parametrize("value", [np.nan, "a", None, [1.0]])
    def test_parameters(self, model, value):
        for name in model.__dataclass_fields__:
            with pytest.raises((TypeError, ValueError), match=f"^{name}: "):
                model(**{name: value})
