"""Maps of the logits: temperature, vector and matrix scaling, Dirichlet calibration."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy

from calib import check
from calib.constants import MASKED_BELOW, TINY
from calib.logits import normalised_exp
from calib.maps.base import (
    SOLVER,
    Array,
    CheckedWeight,
    ConvergenceError,
    Learned,
    ProbabilityCalibrator,
    warn_caller,
)
from calib.maps.newton import (
    AllLogits,
    CommonLogit,
    OwnLogit,
    PenalisedNLL,
    StiffNLL,
    in_units,
    newton,
)
from calib.matrices import masked_classes, row_blocks, uniform_rows

SUBSET_ROWS = 2000  # rows that are enough for a first estimate of the temperature
# standard deviation of the scaled logits below which they say nothing
LEAST_SPREAD = 1e-12
# T where no finite one is best, in units of the gaps to the top logit
LEAST_TEMPERATURE, LARGEST_TEMPERATURE = 0.05, 20.0
# of what differs from class to class, where nothing seems to
LEAST_VARIANCE_OF_CLASSES = 1e-6


class TemperatureScaling(ProbabilityCalibrator):
    """Divide the logits by one temperature T > 0, chosen to minimise the mean NLL.

    The NLL is convex in 1/T, where Newton's method finds its one minimum. T > 1 lowers every
    confidence, T < 1 raises it, and no predicted class changes. Adding a constant to a row of
    logits changes nothing, so log-probabilities serve as well.

    No finite positive temperature is best where every row is classified correctly (T goes to 0),
    where the true class's logit is no larger on average than the others' (T goes to infinity), or
    where the logits of every row are equal. `fit` then warns, says which it is, and takes T = 0.05
    or T = 20 times the median gap between a logit and the largest of its row, or T = 1.

    Parameters
    ----------
    tol : float
        The solver stops where a Newton step changes 1/T by less than this fraction.
    max_iter : int
        Largest number of Newton steps.
    no_optimum : {"warn", "raise"}
        "raise" makes a :class:`ConvergenceError` of the warning.

    Attributes
    ----------
    temperature_ : float
        The temperature T.
    gradient_norm_, n_iter_
        Absolute derivative of the mean NLL by log T, in nats, and passes over the calibration set;
        0 where no finite temperature is best.

    References
    ----------
    Guo et al. (2017), section 4.2; Vasilev & D'yakonov (2021), section 4.1.3.

    Examples
    --------
    >>> scaling = TemperatureScaling().fit([[4.0, 0.0]] * 4, [0, 0, 0, 1])
    >>> round(scaling.temperature_, 4)
    3.641
    >>> scaling.predict_proba([[4.0, 0.0]]).round(4)
    array([[0.75, 0.25]])
    """

    tol: float = 1e-6
    max_iter: int = 100
    no_optimum: str = "warn"
    _learned: ClassVar = {"temperature_": Learned(positive=True), **SOLVER}
    keeps_accuracy = True

    def _fit(self, z: Array, y: Array, weight: CheckedWeight) -> None:
        if np.isneginf(z.min()):
            # far below all others its probability is zero all the same
            z = np.maximum(z, MASKED_BELOW, dtype=np.result_type(z, np.float32))
        inverse, rough_steps = self._rough_estimate(z, y, weight)
        try:
            inverse, gradient, steps = self._solve(
                z, y, weight, inverse, self.tol, np.float64
            )
        except ConvergenceError as error:
            self._take_a_bound(z, y, weight, error)
            return
        self.temperature_: float = 1 / inverse
        self.gradient_norm_: float = abs(inverse * gradient)
        self.n_iter_: int = rough_steps + steps

    def _predict_proba(self, z: Array) -> Array:
        return _tempered(z, self.temperature_)

    def _rough_estimate(
        self, z: Array, y: Array, weight: CheckedWeight
    ) -> tuple[float, int]:
        """Return 1/T to three digits, from some rows and then from all, computed in float32."""
        if len(z) < 10 * SUBSET_ROWS:
            return 1.0, 0
        # rows of the whole set, since files are often sorted by class
        every = slice(None, None, len(z) // SUBSET_ROWS)
        subset = z[every], y[every], None if weight is None else weight[every]
        try:
            start, _, _ = self._solve(*subset, 1.0, 1e-3, np.float32)
            inverse, _, steps = self._solve(z, y, weight, start, 1e-3, np.float32)
        except ConvergenceError:
            return 1.0, 0
        return inverse, steps

    def _solve(
        self,
        z: Array,
        y: Array,
        weight: CheckedWeight,
        inverse: float,
        tol: float,
        dtype: type[np.floating],
    ) -> tuple[float, float, int]:
        """Return 1/T of the least NLL, the gradient where the last step began, and the steps.

        Newton's method inside what is known to hold the minimum.
        """
        derivatives, low, high = nll_derivatives(z, y, weight, dtype), 0.0, np.inf
        for step in range(1, self.max_iter + 1):
            gradient, curvature = derivatives(inverse)
            spread, slope = inverse * np.sqrt(curvature), abs(inverse * gradient)
            # the probabilities no longer move with T: there is nothing to be found
            if max(spread, slope) < LEAST_SPREAD:
                break
            # the NLL is convex in 1/T, so that its slope says on which side the optimum lies
            low, high = (inverse, high) if gradient < 0 else (low, inverse)
            new = inverse - gradient / curvature if curvature > 0 else np.inf
            if abs(new - inverse) <= tol * inverse:
                return new, gradient, step
            # reach out tenfold, or halve, where Newton would leave what is known
            if not low < new < min(high, 10 * inverse):
                new = 10 * inverse if high == np.inf else (low + high) / 2
            inverse = new
        raise ConvergenceError(
            f"stopped at T = {1 / inverse:.3g}", abs(inverse * gradient)
        )

    def _take_a_bound(
        self, z: Array, y: Array, weight: CheckedWeight, error: ConvergenceError
    ) -> None:
        """Take the least or the largest T and warn, or raise an error that says why."""
        reason, bound = _why_none_is_best(z, y, weight)
        message = f"TemperatureScaling: {reason}"
        if np.isnan(bound) or self.no_optimum == "raise":
            raise ConvergenceError(
                f"{message}; {error.args[0]}", error.gradient_norm
            ) from None
        gaps = z.max(axis=1, keepdims=True) - z
        is_behind = (gaps > 0) & (z > MASKED_BELOW)
        of_behind = np.broadcast_to(
            1.0 if weight is None else weight[:, None], z.shape
        )[is_behind]
        self.temperature_ = (
            bound * _median(gaps[is_behind], of_behind) if is_behind.any() else 1.0
        )
        self.gradient_norm_ = error.gradient_norm
        self.n_iter_ = 0
        advice = f"T = {self.temperature_:.3g} is taken; no_optimum='raise' makes an error of this"
        warn_caller(f"{message}: {advice}")


def _why_none_is_best(z: Array, y: Array, weight: CheckedWeight) -> tuple[str, float]:
    """Return why no finite temperature is best, and the bound to take; NaN where none is."""
    top, true = z.max(axis=1), z[np.arange(len(z)), y]
    if np.all(z.min(axis=1) == top):
        reason = "the logits of every row are equal, so the NLL does not depend on T"
        return reason, LARGEST_TEMPERATURE
    if np.all(true == top):
        reason = "every row is classified correctly, so the NLL falls as T goes to 0"
        return reason, LEAST_TEMPERATURE
    lead = np.average(true - z.mean(axis=1, dtype=float), weights=weight)
    if lead <= LEAST_SPREAD * z.std(dtype=float):
        reason = (
            "the logit of the true class is on average no larger than the mean logit, "
        )
        return f"{reason}so the NLL falls as T goes to infinity", LARGEST_TEMPERATURE
    return "no minimum of the NLL found", np.nan


def _median(values: Array, weight: Array) -> float:
    """Return the weighted median, midway between two values where half of the weight is below."""
    order = np.argsort(values)
    below = np.cumsum(weight[order])
    half = below[-1] / 2
    first = np.searchsorted(below, half * (1 - 1e-12))
    after = np.searchsorted(below, half * (1 + 1e-12), side="right")
    return float(values[order[first]] + values[order[after]]) / 2


def _tempered(z: Array, temperature: float) -> Array:
    """Return softmax(z / T), in float32 for float32 and float16."""
    z = z.astype(np.float32) if z.dtype == np.float16 else z
    z = z - np.maximum.reduce(z, axis=1, keepdims=True)  # quicker than z.max of one row
    # of which float32 makes no zero
    temperature = max(temperature, float(np.finfo(z.dtype).tiny))
    if temperature < 1e-8:
        # keep the quotient finite; its exponential is zero all the same
        z = np.maximum(z, np.finfo(z.dtype).min * temperature)
    z /= z.dtype.type(temperature)
    return normalised_exp(z)


class _SoftmaxRegression(ProbabilityCalibrator):
    """A linear map of features of the logits, fitted by maximum likelihood."""

    _learned: ClassVar = {"intercept_": Learned(("K",)), **SOLVER}

    def _minimised(self, nll: PenalisedNLL, start: Array) -> Array:
        # below it each sample has more than 1/2: larger parameters lower the NLL for ever
        bound = -np.inf if nll.penalty.any() else np.log(2) * nll.weight.min()
        solution = newton(nll, start.ravel(), self, no_minimum_below=bound)
        self.gradient_norm_: float = solution.gradient_norm
        self.n_iter_: int = solution.n_iter
        return solution.x.reshape(start.shape)

    def _store(self, coef: Array, intercept: Array) -> None:
        self.coef_: Array = coef
        self.intercept_: Array = intercept

    def _predict_proba(self, z: Array) -> Array:
        x, masked = self._masked_features(z.astype(np.float64))
        u = x * self.coef_ if self.coef_.ndim == 1 else x @ self.coef_.T
        u = u + self.intercept_
        u = u if masked is None else np.where(masked, -np.inf, u)
        return normalised_exp(u - u.max(axis=1, keepdims=True))

    def _masked_features(self, z: Array) -> tuple[Array, Array | None]:
        """Return the features, 0 where a class is masked, and where that is; None if nowhere."""
        x, masked = self._transform(z), masked_classes(z)
        return x if masked is None else np.where(masked, 0, x), masked

    def _transform(self, z: Array) -> Array:
        return z


@dataclass(frozen=True)
class _Affine:
    """Parameters of a map of features: a row of coefficients a class, then its offset.

    `coef` has the shape (K, 1) or (K, K), `offset` (K, 1), or (K, 0) where none is fitted.
    """

    coef: Array
    offset: Array

    @classmethod
    def of(cls, parameters: Array, bias: bool) -> "_Affine":
        n_coef = parameters.shape[1] - bias
        return cls(parameters[:, :n_coef], parameters[:, n_coef:])

    @property
    def parameters(self) -> Array:
        return np.hstack([self.coef, self.offset])

    def in_units(self, mean: Array, scale: Array) -> "_Affine":
        """Return the parameters that do to (x - mean) / scale what these do to x."""
        shift = (self.coef * mean).sum(axis=1, keepdims=True)
        # what is the same for all classes changes no probability
        return _Affine(self.coef * scale, self.offset + shift - shift.mean())

    def from_units(self, mean: Array, scale: Array) -> "_Affine":
        """Return the parameters that do to x what these do to (x - mean) / scale."""
        coef = self.coef / scale
        return _Affine(coef, self.offset - (coef * mean).sum(axis=1, keepdims=True))


class _FreeRegression(_SoftmaxRegression):
    """One whose parameters are free but for Kull's penalties; `_identity` is what changes none."""

    bias: bool = True
    _features: ClassVar[Any]
    _identity: ClassVar[Any]

    def _fit(self, z: Array, y: Array, weight: CheckedWeight) -> None:
        n_classes = z.shape[1]
        identity = self._identity(n_classes)
        # the optimum lies near temperature scaling, which is quickly found
        start = _Affine.of(_inverse_temperature(z, y, weight) * identity, self.bias)
        penalty = _Affine.of(self._penalty(identity), self.bias)
        weight = np.ones(len(y)) if weight is None else weight
        x, masked = self._masked_features(z.astype(np.float64))
        free_offset = self.bias and not penalty.offset.any()
        if free_offset:
            _warn_of_absent_classes(type(self).__name__, y, masked, n_classes)
        x, mean, scale = in_units(x, start.coef, centred=free_offset)
        # the square of a coefficient in units is scale**2 times as large
        penalties = np.hstack([penalty.coef / scale**2, penalty.offset])
        nll = PenalisedNLL(
            self._features(x, self.bias),
            y,
            weight / weight.sum(),
            penalties,
            masked=masked,
        )
        solution = self._minimised(nll, start.in_units(mean, scale).parameters)
        fitted = _Affine.of(solution, self.bias).from_units(mean, scale)
        offset = fitted.offset[:, 0] if self.bias else np.zeros(n_classes)
        self._store(self._coef(fitted.coef), offset - offset.mean())

    def _penalty(self, identity: Array) -> Array:
        return np.zeros(identity.shape)

    def _coef(self, coef: Array) -> Array:
        return coef[:, 0].copy()


class VectorScaling(_FreeRegression):
    r"""Give each logit its own scale and, with `bias`, its own offset: softmax(v * z + b).

    The map is not invariant to a constant added to a row of logits: give it the network's logits.
    `fit` raises :class:`ConvergenceError` where a map of this form classifies the whole calibration
    set correctly, as no finite map is then best. Of a class that no calibration sample is of no
    finite offset is best either, and `fit` warns: it ends where the solver stops, far below the
    others, and such samples have an NLL that depends on `tol`.

    With `shrink` the map departs from one scale of all as far as the classes show that they
    differ, and a class that nothing is known of stays. With :math:`x = z / T` and the mean
    :math:`m_k` of its column, each sample with the weight :math:`p_k (1 - p_k)`, the map is
    :math:`s x_k + a_k (x_k - m_k) + c_k`, with the penalised mean NLL

    .. math:: \mathrm{NLL} + \frac{1}{2n} \sum_k \Big[ \frac{c_k^2}{\sigma^2}
       + \frac{a_k^2}{\tau^2} \Big] .

    The variances of c and of a over the classes come from the calibration set. The derivative
    :math:`S_k` of the log-likelihood by :math:`c_k` has the variance :math:`V_k`, the sum of
    :math:`p_k (1 - p_k)`, where :math:`c_k` is zero, and else a mean of about :math:`V_k c_k`.
    So :math:`\sigma^2` is the sum of :math:`S_k^2 - V_k` over the sum of :math:`V_k^2`, and
    zero where this is negative; :math:`\tau^2` likewise. The optimum is finite wherever that
    of T is, absent classes or not; else `fit` raises :class:`ConvergenceError`.

    Parameters
    ----------
    bias : bool
        Whether offsets are fitted.
    tol : float
        Largest norm of the gradient of the mean NLL, in nats, at which the solver stops; of the
        free maps of logits, for logits divided by their standard deviation.
    max_iter : int
        Largest number of Newton steps.
    shrink : bool
        Whether scales and offsets are drawn towards those of one temperature. Weights count as
        Kish's number of samples.

    Attributes
    ----------
    coef_, intercept_ : ndarray, shape (K,)
        v and b; b sums to zero.
    gradient_norm_, n_iter_
        How the solver ended.

    References
    ----------
    Guo et al. (2017), section 4.2; Vasilev & D'yakonov (2021), section 4.1.3. Offsets beside one
    temperature: Alexandari, Kundaje & Shrikumar (2020). A variance from sums of squares: Efron &
    Morris (1973).

    Examples
    --------
    >>> VectorScaling().fit([[4.0, 0.0]] * 4, [0, 0, 0, 1]).predict_proba([[4.0, 0.0]]).round(4)
    array([[0.75, 0.25]])

    Three samples a class say little of a class, and something of all:

    >>> rng = np.random.default_rng(0)
    >>> true = 3 * rng.standard_normal((300, 100))
    >>> y = (true + rng.gumbel(size=true.shape)).argmax(axis=1)
    >>> offset = rng.standard_normal(100)
    >>> shrunken = VectorScaling(shrink=True).fit(true + offset, y)
    >>> float(np.corrcoef(shrunken.intercept_, -offset)[0, 1]) > 0.5
    True
    """

    tol: float = 1e-8
    max_iter: int = 100
    shrink: bool = False
    _learned: ClassVar = {"coef_": Learned(("K",))}
    _features: ClassVar = OwnLogit

    def _identity(self, n_classes: int) -> Array:
        return np.tile([1.0, 0.0][: 1 + self.bias], (n_classes, 1))

    def _fit(self, z: Array, y: Array, weight: CheckedWeight) -> None:
        if self.shrink:
            self._fit_shrunken(
                z, y, check.sample_counts(weight, frequency_weights=False)
            )
        else:
            super()._fit(z, y, weight)

    def _fit_shrunken(self, z: Array, y: Array, weight: CheckedWeight) -> None:
        """Fit departures from one temperature, about as large as their squares say."""
        weight = np.ones(len(y)) if weight is None else weight
        scaling = TemperatureScaling(no_optimum="raise")
        scaling._fit(z, y, weight)
        inverse = 1 / scaling.temperature_
        x, masked = self._masked_features(inverse * z.astype(np.float64))
        middle, variance = _departures(x, y, weight, masked)
        if not self.bias:
            middle = np.zeros_like(middle)
        n_classes, n_columns = z.shape[1], 1 + self.bias
        penalty = np.tile(1 / (weight.sum() * variance[:n_columns]), (n_classes + 1, 1))
        penalty[-1, 0] = 0  # the scale of all is free
        start = np.zeros((n_classes + 1, n_columns))
        start[-1, 0] = 1
        features = CommonLogit(x, middle, self.bias)
        nll = PenalisedNLL(features, y, weight / weight.sum(), penalty, masked=masked)
        *each, common = self._minimised(nll, start)
        scale = np.array([row[0] for row in each])
        offset = [row[-1] for row in each] if self.bias else np.zeros(n_classes)
        offset = offset - scale * middle
        self._store(inverse * (common[0] + scale), offset - offset.mean())


def _departures(
    x: Array, y: Array, weight: Array, masked: Array | None
) -> tuple[Array, Array]:
    """Return the columns' weighted means, (K,), and the variances of scales and of offsets, (2,).

    A score is the derivative of the log-likelihood by the departure of a class. Its square is on
    average its information, and more by the square of the information times the departure's.
    """
    u = x if masked is None else np.where(masked, -np.inf, x)
    p = normalised_exp(u - u.max(axis=1, keepdims=True))
    residual = -weight[:, None] * p
    residual[np.arange(len(y)), y] += weight
    information = weight[:, None] * p * (1 - p)
    total = information.sum(axis=0)
    middle = np.einsum("nk,nk->k", information, x) / np.maximum(total, TINY)
    x = x - middle
    scores = np.einsum("nk,nk->k", residual, x), residual.sum(axis=0)
    informations = np.einsum("nk,nk,nk->k", information, x, x), total
    variances = [
        np.sum(score**2 - known) / max(np.sum(known**2), TINY)
        for score, known in zip(scores, informations, strict=True)
    ]
    return middle, np.maximum(variances, LEAST_VARIANCE_OF_CLASSES)


class MatrixScaling(_FreeRegression):
    """Map the logits by a matrix and, with `bias`, an offset: softmax(W z + b).

    Off-diagonal and intercept regularisation (ODIR) adds to the mean NLL

        lam / (K (K - 1)) * sum of W_jk^2 over j != k  +  mu / K * sum of b_k^2.

    Without it the K^2 + K parameters over-fit small calibration sets, and what follows holds.
    The map is not invariant to a constant added to a row of logits: give it the network's logits.
    `fit` raises :class:`ConvergenceError` where a map of this form classifies the whole calibration
    set correctly, as no finite map is then best. Of a class that no calibration sample is of no
    finite offset is best either, unless penalised, and `fit` warns: it ends where the solver stops,
    far below the others, and such samples have an NLL that depends on `tol`.

    Parameters
    ----------
    bias : bool
        Whether offsets are fitted.
    lam, mu : float
        Strength of the two penalties. :class:`CrossValidated` chooses them.
    tol : float
        Largest norm of the gradient of the mean NLL, in nats, at which the solver stops; of the
        free maps of logits, for logits divided by their standard deviation.
    max_iter : int
        Largest number of Newton steps.

    Attributes
    ----------
    coef_ : ndarray, shape (K, K)
        W; the means of its off-diagonal columns are zero where `lam` is, and a row added to all
        rows would change nothing.
    intercept_ : ndarray, shape (K,)
        b, which sums to zero.
    gradient_norm_, n_iter_
        How the solver ended.

    References
    ----------
    Guo et al. (2017), section 4.2; Kull et al. (2019), section 3 for the penalties.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> z = rng.standard_normal((20_000, 3))
    >>> y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    >>> MatrixScaling(lam=0.1, mu=0.1).fit(2 * z, y).coef_.round(1) + 0.0
    array([[0.5, 0. , 0. ],
           [0. , 0.5, 0. ],
           [0. , 0. , 0.5]])
    """

    lam: float = 0.0
    mu: float = 0.0
    tol: float = 1e-8
    max_iter: int = 100
    _learned: ClassVar = {"coef_": Learned(("K", "K"))}
    _features: ClassVar = AllLogits

    def _identity(self, n_classes: int) -> Array:
        return np.eye(n_classes, n_classes + self.bias)

    def _penalty(self, identity: Array) -> Array:
        k = len(identity)
        penalty = np.full(identity.shape, 2 * self.lam / (k * (k - 1)))
        np.fill_diagonal(penalty, 0)
        penalty[:, k:] = 2 * self.mu / k
        return penalty

    def _coef(self, coef: Array) -> Array:
        shift = (coef.sum(axis=0) - np.diag(coef)) / (len(coef) - 1)
        return coef - shift if self.lam == 0 else coef


class DirichletCalibration(MatrixScaling):
    """Map the log-probabilities by a matrix and an offset: softmax(W log p + b).

    This is the posterior where the probabilities of each class follow a Dirichlet distribution:
    matrix scaling of log softmax(z), with its penalties, invariant to a constant added to a row.

    Parameters
    ----------
    lam, mu : float
        See :class:`MatrixScaling`.
    tol : float
        Largest norm of the gradient of the mean NLL, in nats, at which the solver stops; of the
        free maps of logits, for logits divided by their standard deviation.
    max_iter : int
        Largest number of Newton steps.

    Attributes
    ----------
    coef_, intercept_, gradient_norm_, n_iter_
        See :class:`MatrixScaling`.

    References
    ----------
    Kull et al. (2019).

    Examples
    --------
    >>> scaled = DirichletCalibration(lam=0.1).fit([[4.0, 0.0]] * 4, [0, 0, 0, 1])
    >>> scaled.predict_proba([[4.0, 0.0]]).round(4)
    array([[0.75, 0.25]])
    """

    bias = True

    def __init__(
        self, lam: float = 0.0, mu: float = 0.0, tol: float = 1e-8, max_iter: int = 100
    ) -> None:
        self.lam: float = lam
        self.mu: float = mu
        self.tol: float = tol
        self.max_iter: int = max_iter

    def _transform(self, z: Array) -> Array:
        return scipy.special.log_softmax(z, axis=1)


class StructuredMatrixScaling(_SoftmaxRegression):
    r"""Matrix scaling that departs from temperature scaling as far as the data can tell.

    The probabilities after temperature scaling are mixed with the uniform ones, which get the share
    1 / (n + 1). Of their logarithm x the map is softmax(W x + b), with the penalised mean NLL

    .. math:: \mathrm{NLL} + \frac{\lambda K}{n} \Big[ \sum_k b_k^2 + \sum_k (W_{kk} - 1)^2 +
       (K - 1) \sum_{j \ne k} W_{jk}^2 \Big] .

    One strength serves for few and for many samples and classes. The objective is strictly convex:
    its optimum is finite on any calibration set. Where no finite temperature is best, 1 is kept.

    Parameters
    ----------
    strength : float
        The factor :math:`\lambda`.
    tol : float
        Largest norm of the gradient of the mean NLL, in nats, at which the solver stops; of the
        free maps of logits, for logits divided by their standard deviation.
    max_iter : int
        Largest number of Newton steps.
    frequency_weights : bool
        Whether weights are numbers of repetitions, whose sum is n; of others n is Kish's number.

    Attributes
    ----------
    temperature_, uniform_ : float
        T, and the share of the uniform probabilities.
    coef_, intercept_ : ndarray, shape (K, K) and (K,)
        W and b.
    gradient_norm_, n_iter_
        How the solver ended.

    References
    ----------
    Berta, Holzmüller, Jordan & Bach (2026); the ridge penalty of their released code.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> z = rng.standard_normal((2000, 3))
    >>> y = (z + [1, 0, 0] + rng.gumbel(size=z.shape)).argmax(axis=1)
    >>> fitted = StructuredMatrixScaling().fit(2 * z, y)
    >>> np.bincount(y) / 2000, fitted.predict_proba(2 * z).mean(axis=0).round(3)
    (array([0.5055, 0.247 , 0.2475]), array([0.505, 0.247, 0.248]))
    """

    strength: float = 1.0
    tol: float = 1e-6
    max_iter: int = 100
    frequency_weights: bool = False
    _learned: ClassVar = {
        "temperature_": Learned(positive=True),
        "uniform_": Learned(low=0, high=1),
        "coef_": Learned(("K", "K")),
    }

    def _fit(self, z: Array, y: Array, weight: CheckedWeight) -> None:
        counts = check.sample_counts(weight, self.frequency_weights)
        weight = np.ones(len(y)) if counts is None else counts
        n, k = weight.sum(), z.shape[1]
        self.temperature_: float = 1 / (_inverse_temperature(z, y, weight) or 1.0)
        # a doubt of one sample in n + 1, by which no logarithm is infinite
        self.uniform_: float = float(1 / (n + 1))
        x, masked = self._masked_features(z)
        unchanged = np.eye(k, k + 1)
        penalty = np.full((k, k + 1), 2 * self.strength * k / n)
        # an entry beside the diagonal costs as much as K - 1 entries on it
        penalty[:, :k] *= np.where(np.eye(k), 1, k - 1)
        nll = StiffNLL(
            AllLogits(x, bias=True), y, weight / n, penalty, unchanged, masked
        )
        parameters = self._minimised(nll, unchanged)
        self._store(parameters[:, :k].copy(), parameters[:, k].copy())

    def _transform(self, z: Array) -> Array:
        p = _tempered(z.astype(np.float64), self.temperature_)
        uniform = uniform_rows(z.shape, masked_classes(z))
        mixed = (1 - self.uniform_) * p + self.uniform_ * uniform
        return np.log(mixed, out=np.zeros_like(mixed), where=mixed > 0)


class EnsembleTemperatureScaling(ProbabilityCalibrator):
    """Mix three predictions: w_1 softmax(z / T) + w_2 softmax(z) + w_3 / K.

    K is the number of classes that a row does not mask. T is that of temperature scaling; the
    weights, not negative, of sum one, then minimise the mean NLL. No predicted class changes. `fit`
    raises :class:`ConvergenceError` where no finite temperature is best.

    Parameters
    ----------
    tol, max_iter : float, int
        Largest violation of the optimality conditions at which the solver stops, and of its steps.

    Attributes
    ----------
    temperature_ : float
    weights_ : ndarray, shape (3,)
    gradient_norm_, n_iter_
        Largest violation of the optimality conditions, and the number of steps.

    References
    ----------
    Zhang, Kailkhura & Han (2020), equation 4.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> z = 3 * rng.standard_normal((20_000, 4))
    >>> y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    >>> noisy = np.where(rng.random(20_000) < 0.2, rng.integers(0, 4, 20_000), y)
    >>> EnsembleTemperatureScaling().fit(z, noisy).weights_[2].round(1)
    np.float64(0.2)
    """

    tol: float = 1e-8
    max_iter: int = 200
    _learned: ClassVar = {
        "temperature_": Learned(positive=True),
        "weights_": Learned((3,), low=0, high=1),
        **SOLVER,
    }
    keeps_accuracy = True

    def _fit(self, z: Array, y: Array, weight: CheckedWeight) -> None:
        scaling = TemperatureScaling(no_optimum="raise")
        scaling._fit(z, y, weight)
        self.temperature_: float = scaling.temperature_
        true = np.array([p[np.arange(len(y)), y] for p in self._components(z)])
        weight = (
            np.full(len(y), 1 / len(y)) if weight is None else weight / weight.sum()
        )
        weights, norm, n_iter = mixture_weights(
            true, weight, tol=self.tol, max_iter=self.max_iter
        )
        self.weights_: Array = weights
        self.gradient_norm_: float = norm
        self.n_iter_: int = n_iter

    def _predict_proba(self, z: Array) -> Array:
        return sum(
            weight * p
            for weight, p in zip(self.weights_, self._components(z), strict=True)
        )

    def _components(self, z: Array) -> tuple[Array, Array, Array]:
        z = z.astype(np.float64)
        z -= z.max(axis=1, keepdims=True)
        uniform = uniform_rows(z.shape, masked_classes(z))
        with np.errstate(over="ignore"):  # to -inf, whose probability is zero
            scaled = z / self.temperature_
        return normalised_exp(scaled), normalised_exp(z), uniform


def mixture_weights(
    likelihood: Array, weight: Array, *, tol: float, max_iter: int
) -> tuple[Array, float, int]:
    """Return the best mixture, shape (m,), of likelihoods (m, n), the violation and the steps.

    The sum of weights that are not negative, minus the mean log-likelihood, is least where they sum
    to one. Each Newton step is a quadratic program, solved as non-negative least squares.
    """

    def rises(old: Array, new: Array) -> bool:
        ratio = (new @ likelihood) / (old @ likelihood)
        if ratio.min() < 0.1:  # further away a parabola says nothing of a logarithm
            return True
        return bool(new.sum() - old.sum() > weight @ np.log(ratio) + 1e-14)

    mixture = np.full(len(likelihood), 1 / len(likelihood))
    for n_iter in range(max_iter + 1):
        ratio = likelihood / (mixture @ likelihood)
        gradient = 1 - ratio @ weight
        violation = float(np.max(np.where(mixture > 0, np.abs(gradient), -gradient)))
        if violation <= tol:
            return mixture / mixture.sum(), violation, n_iter
        hessian = (ratio * weight) @ ratio.T
        # components that agree on all samples leave the Hessian singular
        regular = hessian + 1e-12 * np.trace(hessian) * np.eye(len(hessian))
        root = np.linalg.cholesky(regular)
        # the minimum of the parabola over weights that are not negative, as least squares
        goal = np.linalg.solve(root, hessian @ mixture - gradient)
        best = scipy.optimize.nnls(root.T, goal)[0]
        step = 1.0
        while rises(mixture, mixture + step * (best - mixture)) and step > 1e-10:
            step /= 2
        mixture = mixture + step * (best - mixture)
    raise ConvergenceError(
        f"mixture weights: no optimum in {max_iter} Newton steps", violation
    )


def nll_derivatives(
    logits: Array, y: Array, weight: CheckedWeight, dtype: type[np.floating]
) -> Callable[[float], tuple[float, float]]:
    """Return both derivatives of the mean NLL by 1/T, as a function of 1/T.

    They are the means of E_p[z] - z_y and of Var_p[z], with p = softmax(z / T).
    """
    # the top logit is taken off: no exponential overflows, and the NLL stays
    top = logits.max(axis=1).astype(dtype)
    lead = logits[np.arange(len(y)), y].astype(float) - top
    mean, variance = np.empty((2, len(logits)))
    ones = np.ones(logits.shape[1], dtype)
    # one allocation for all blocks
    work = np.empty((2, *next(row_blocks(logits))[1].shape), dtype)

    def derivatives(inverse: float) -> tuple[float, float]:
        for start, rows in row_blocks(logits):
            block = slice(start, start + len(rows))
            z = np.subtract(
                rows, top[block, None], out=work[0, : len(rows)], casting="same_kind"
            )
            p = np.multiply(dtype(inverse), z, out=work[1, : len(rows)])
            np.exp(p, out=p)
            # sums of short rows are quicker as products
            norm = p @ ones
            p *= z
            mean[block] = p @ ones / norm
            p *= z
            variance[block] = p @ ones / norm - mean[block] ** 2
        gradient = np.average(mean - lead, weights=weight)
        return float(gradient), float(np.average(variance, weights=weight))

    return derivatives


def _warn_of_absent_classes(
    name: str, y: Array, masked: Array | None, n_classes: int
) -> None:
    """Warn of classes that no sample is of, though some sample could be."""
    # a class that is masked in every row needs no sample
    possible = np.ones(n_classes, bool) if masked is None else ~masked.all(axis=0)
    absent = np.setdiff1d(np.flatnonzero(possible), y)
    if len(absent):
        more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
        classes = f"class {absent[0]}{more}"
        warn_caller(
            f"{name}: no calibration sample is of {classes}, so no finite offset is best: penalise "
            "the offsets, or take a map without"
        )


def _inverse_temperature(z: Array, y: Array, weight: CheckedWeight) -> float:
    """Return the best 1/T, or 0 where there is none."""
    try:
        scaling = TemperatureScaling(no_optimum="raise")
        scaling._fit(z, y, weight)
        return 1 / scaling.temperature_
    except ConvergenceError:
        return 0.0
