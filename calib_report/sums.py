"""Metrics, and a temperature, of a data set that comes batch by batch, or in several processes."""

from collections.abc import Callable
from functools import partial, reduce
from itertools import starmap
from operator import add
from typing import Any, Self

import numpy as np

import calib
from calib_report.adapters import as_numpy
from calib_report.outputs import ModelOutputs

AT_ONCE = 1 << 17  # numbers of a batch that are looked at together
MERGED_AT_ONCE = 16  # sums of blocks
FINE = 4096  # bins of the confidence from which the KS error is bounded
LOWEST = -1e30  # what a logit of -inf counts as: its probability is zero all the same


class Accumulator:
    """Sums from which the metrics of all samples seen so far follow.

    Scores in bins of equal width and means of losses are sums over samples: they come out as if
    all samples were there at once, but for rounding. The KS error needs the scores in order; it is
    bounded from both sides.

    Parameters
    ----------
    n_bins : int
        Bins of equal width, of the calibration errors.

    Attributes
    ----------
    n : int
        Number of samples so far.

    Examples
    --------
    >>> first = Accumulator().update([0, 1], [[0.9, 0.1], [0.6, 0.4]])
    >>> second = Accumulator().update([1], [[0.2, 0.8]])
    >>> found = first.merge(second).compute()
    >>> found["accuracy"], round(found["Brier"], 3)
    (0.6666666666666666, 0.273)
    """

    def __init__(self, n_bins: int = 15) -> None:
        self.n_bins = calib.equal_width(n_bins).n_bins
        self.n = 0
        self._sums: dict[str, np.ndarray] = {}

    def update(self, y_true: Any, y_prob: Any) -> Self:
        """Add a batch, and return the accumulator.

        Parameters
        ----------
        y_true : array_like of int, shape (n,)
            Labels; tensors are taken as well. There may be none: then nothing is added.
        y_prob : array_like, shape (n, K)
            Probabilities.

        Raises
        ------
        ValueError
            Where the batch is not as described, or has another number of classes than those
            before. Nothing of it is added then.
        """
        y, p = as_numpy(y_true, "y_true"), as_numpy(y_prob, "y_prob")
        if not _without_rows(y, p):
            calib.nll_per_sample(y, p)  # refuses what no metric takes
        return self.update_checked(y.astype(np.intp, copy=False), p)

    def update_checked(self, y: np.ndarray, p: np.ndarray) -> Self:
        """Add a batch of labels and probabilities that are checked already."""
        k, m = p.shape[1], self.n_bins
        shapes = {"losses": (4,), "top": (4, m), "fine": (4, FINE), "class_hits": (k,)}
        shapes |= dict.fromkeys(("class_count", "class_score", "class_gap"), (k, m))
        self._sums = self._sums or {name: np.zeros(shape) for name, shape in shapes.items()}
        if k != self.n_classes:
            raise ValueError(f"y_prob: {k} classes, expected {self.n_classes}")
        step = max(1, AT_ONCE // k)
        for start in range(0, len(y), step):
            self._add(y[start : start + step], p[start : start + step])
        self.n += len(y)
        return self

    @property
    def n_classes(self) -> int:
        """The number of classes K, known from the first batch on; before, a ValueError."""
        if not self._sums:
            raise ValueError("no samples yet: update first")
        return len(self._sums["class_hits"])

    @property
    def _of_some(self) -> dict[str, np.ndarray]:
        """The sums; a ValueError where they are of no samples."""
        if self.n == 0:
            raise ValueError("no samples yet: update first")
        return self._sums

    @property
    def class_bins(self) -> tuple[np.ndarray, np.ndarray]:
        """Number of samples, and sum of the probabilities, in the bins of each class, (K, M)."""
        return self._of_some["class_count"], self._of_some["class_score"]

    def by_class(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return frequency, mean probability and one-vs-rest ECE of each class, (K,) each."""
        own, n = self._of_some, self.n
        error = np.abs(own["class_gap"]).sum(axis=1)
        return own["class_hits"] / n, own["class_score"].sum(axis=1) / n, error / n

    def _add(self, y: np.ndarray, p: np.ndarray) -> None:
        own, rows, (k, m) = self._sums, np.arange(len(y)), self._sums["class_gap"].shape
        true, top = p[rows, y].astype(float), p.argmax(axis=1)
        score, hit = p[rows, top].astype(float), top == y
        squares = np.einsum("nk,nk->n", p, p, dtype=float, casting="same_kind")
        with np.errstate(divide="ignore"):
            losses = hit, -np.log(true), squares - 2 * true + 1, (score - hit) ** 2
        own["losses"] += [loss.sum() for loss in losses]
        for name, n_bins in (("top", m), ("fine", FINE)):
            place = np.searchsorted(np.arange(1, n_bins) / n_bins, score)
            for total, values in zip(own[name], (None, score, hit, score**2), strict=True):
                total += np.bincount(place, values, n_bins)
        # Of many classes nearly all entries lie in the first bin: it is what the others leave.
        hits, mass = np.bincount(y, minlength=k), np.ones(len(p)) @ p
        own["class_hits"] += hits
        row, of = np.divmod(np.flatnonzero(p > 0.99 / m), k)
        score = p[row, of].astype(float)
        place = m * of + np.searchsorted(np.arange(1, m) / m, score)
        for name, values, whole in (
            ("class_count", None, len(y)),
            ("class_score", score, mass),
            ("class_gap", (y[row] == of) - score, hits - mass),
        ):
            sums = np.bincount(place, values, k * m).reshape(k, m).astype(float, copy=False)
            sums[:, 0] = whole
            sums[:, 0] -= sums[:, 1:].sum(axis=1)
            own[name] += sums

    def merge(self, other: Any) -> Self:
        """Add what another has seen, of another process or machine; return the accumulator.

        A ValueError or TypeError says that the other has other bins or classes, or is none.
        """
        if not isinstance(other, Accumulator):
            raise TypeError(f"other: {type(other).__name__}, expected an Accumulator")
        if other.n_bins != self.n_bins:
            raise ValueError(f"other: {other.n_bins} bins, expected {self.n_bins}")
        if self._sums and other._sums and other.n_classes != self.n_classes:
            raise ValueError(f"other: {other.n_classes} classes, expected {self.n_classes}")
        for name, total in other._sums.items():
            self._sums[name] = self._sums.get(name, 0) + total
        self.n += other.n
        return self

    def compute(self) -> dict[str, Any]:
        """Return the metrics of all samples so far by name; a ValueError where there are none.

        "KS" lies between "KS, at least" and "KS, at most"; all others are exact but for rounding.
        Beside the ECE stands what a calibrated model with these confidences would show on average,
        the hits of a bin taken for normal.
        """
        own, n = self._of_some, self.n
        count, score, hit, squared = own["top"]
        gap, held = np.abs(hit - score), count > 0
        spread = np.sqrt(np.maximum(score - squared, 0) * 2 / np.pi)  # mean of |normal|
        _, fine_score, fine_hit, _ = own["fine"]
        # Inside a fine bin the cumulative gap moves by its scores or its hits at most.
        after = np.abs(np.cumsum(fine_hit - fine_score))
        inside = np.maximum(np.append(0, after[:-1]), after) + np.minimum(fine_score, fine_hit)
        accuracy, nll, brier, top = own["losses"] / n
        found = {
            "accuracy": accuracy,
            "NLL": nll,
            "Brier": brier,
            "top-1 Brier": top,
            "mean confidence": score.sum() / n,
            f"ECE, {self.n_bins} bins": gap.sum() / n,
            "RMSCE": np.sqrt((gap[held] ** 2 / count[held]).sum() / n),
            "MCE": (gap[held] / count[held]).max(),
            f"ECE, {self.n_bins} bins, if calibrated": spread.sum() / n,
            "classwise ECE": np.abs(own["class_gap"]).sum() / (self.n_classes * n),
            "KS, at least": after.max() / n,
            "KS, at most": min(inside.max() / n, 1),
        }
        return {name: float(value) for name, value in found.items()}


def accumulate(y_true: Any, y_prob: Any, *, n_bins: int = 15) -> Accumulator:
    """Accumulate blocks, where they lie: each is summed by itself, and the sums are merged.

    Parameters
    ----------
    y_true, y_prob : Dask array, or lists of equally many blocks
        Labels (n,) and probabilities (n, K), or the blocks of their rows: arrays, memory maps, or
        Dask's delayed values, of which some may have no rows. Dask computes its blocks on its
        workers and returns sums alone.
    n_bins : int
        As of :class:`Accumulator`.

    Raises
    ------
    ValueError
        Where a block is not as described, or they come from an iterator, which would be kept whole.

    Examples
    --------
    >>> blocks = accumulate([[0, 1], [1]], [[[0.9, 0.1], [0.6, 0.4]], [[0.2, 0.8]]])
    >>> blocks.n, blocks.compute()["accuracy"]
    (3, 0.6666666666666666)
    """
    pairs = _pairs({"y_true": y_true, "y_prob": y_prob})
    return _merged(partial(_accumulated, n_bins), _both, pairs)


def fit_temperature(
    logits: Any, y: Any, *, tol: float = 1e-6, max_iter: int = 100
) -> calib.TemperatureScaling:
    """Fit :class:`calib.TemperatureScaling` to blocks, where they lie.

    Each step of Newton's method needs two sums over the samples, the first and second derivative of
    the NLL, so it goes through all blocks once. The first block alone gives the start.

    Parameters
    ----------
    logits, y : Dask array, or lists of equally many blocks
        Logits (n, K) and labels (n,), as in :func:`accumulate`. They are gone through several
        times, and only slices of a memory map and delayed values are not in memory meanwhile.
    tol, max_iter
        As of :class:`calib.TemperatureScaling`.

    Raises
    ------
    ValueError
        Where a block is not as described, or they come from an iterator, which would be kept whole.
    ConvergenceError
        Where no finite positive temperature is best, or it is not found.

    Examples
    --------
    >>> blocks = fit_temperature([[[4.0, 0.0]] * 3, [[4.0, 0.0]]], [[0, 0, 0], [1]])
    >>> round(blocks.temperature_, 4)
    3.641
    """
    scaling, pairs = calib.TemperatureScaling(tol, max_iter), _pairs({"y": y, "logits": logits})
    scaling.fit([[4.0, 0.0]] * 4, [0, 0, 0, 1])  # refuses wrong options, and is fitted anew
    guess = _merged(_first_guess, add, pairs[:1])
    n_classes, inverse = int(guess[0]), guess[1]
    low, high = 0.0, np.inf
    for scaling.n_iter_ in range(1, max_iter + 1):
        slopes = partial(_derivatives, inverse, n_classes)
        n, n_alike, first, second = _merged(slopes, add, pairs)
        if n == n_alike:
            alike = "these are probabilities; take calib.as_logits(y_prob)"
            raise ValueError(f"logits: {alike if n else 'no rows in any block'}")
        gradient, curvature = first / n, second / n
        scaling.gradient_norm_ = float(abs(inverse * gradient))
        if max(inverse * np.sqrt(curvature), scaling.gradient_norm_) < 1e-12:
            break
        low, high = (inverse, high) if gradient < 0 else (low, inverse)
        new = inverse - gradient / max(curvature, 1e-300)
        if abs(new - inverse) <= tol * inverse:
            scaling.temperature_, scaling.classes_ = float(1 / new), np.arange(n_classes)
            return scaling
        inverse = (
            new if low < new < min(high, 10 * inverse) else min(10 * inverse, (low + high) / 2)
        )
    message = f"no temperature is best: stopped at T = {1 / inverse:.3g}"
    raise calib.ConvergenceError(message, scaling.gradient_norm_)


def _accumulated(n_bins: int, y: Any, p: Any) -> Accumulator:
    return Accumulator(n_bins).update(y, p)


def _both(one: Accumulator, other: Accumulator) -> Accumulator:
    return Accumulator(one.n_bins).merge(one).merge(other)


def _without_rows(y: np.ndarray, values: np.ndarray) -> bool:
    """Tell whether a batch has columns but no rows."""
    return y.shape == (0,) and values.ndim == 2 and len(values) == 0 and values.shape[1] > 1


def _block(y: Any, logits: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the checked logits and labels of a block, in which no mask is infinite."""
    z, y = as_numpy(logits, "logits"), as_numpy(y, "y")
    if _without_rows(y, z):
        return z, y
    held = ModelOutputs(y, logits=z)
    z, y = np.maximum(held.known, LOWEST, dtype=float), held.y
    if (lost := z[np.arange(len(y)), y] == LOWEST).any():
        raise ValueError(f"logits: row {lost.argmax()} masks its label, class {y[lost.argmax()]}")
    return z, y


def _first_guess(y: Any, logits: Any) -> np.ndarray:
    """Return the number of classes, and 1/T of one block, or 1 where it has none."""
    z, y = _block(y, logits)
    try:
        scaling = calib.TemperatureScaling(tol=1e-3, no_optimum="raise").fit(z, y)
        return np.array([z.shape[1], 1 / scaling.temperature_])
    except (ValueError, calib.ConvergenceError):
        return np.array([z.shape[1], 1.0])


def _derivatives(inverse: float, n_classes: int, y: Any, logits: Any) -> np.ndarray:
    """Return sums over the samples, shape (4,): one, one in a block that looks like probabilities,
    and the derivatives of the NLL.
    """
    z, y = _block(y, logits)
    if z.shape[1] != n_classes:
        raise ValueError(f"logits: {z.shape[1]} classes, expected {n_classes}")
    if not len(z):
        return np.zeros(4)
    alike = z.min() >= 0 and np.allclose(z.sum(axis=1), 1, atol=1e-2)
    z -= z.max(axis=1, keepdims=True)
    p = np.exp(inverse * z)
    p /= p.sum(axis=1, keepdims=True)
    true, mean = z[np.arange(len(y)), y], np.einsum("nk,nk->n", p, z)
    variance = np.einsum("nk,nk,nk->n", p, z, z) - mean**2
    return np.array([len(z), len(z) * alike, (mean - true).sum(), variance.sum()])


def _pairs(given: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Return the blocks of labels and of values, which are given in this order, side by side."""
    (y_name, y), (_, values) = given.items()
    if hasattr(values, "to_delayed"):
        import dask.array

        values, y = values.rechunk({1: -1}), dask.array.asarray(y)
        if not np.isnan(values.shape[0]):
            y = y.rechunk((values.chunks[0],))
        y, values = list(y.to_delayed()), list(values.to_delayed().ravel())
    for name, blocks in zip(given, (y, values), strict=True):
        if not hasattr(blocks, "__len__"):
            kind = type(blocks).__name__
            raise ValueError(f"{name}: {kind}, expected a list of blocks: all of it would be kept")
    if len(y) != len(values) or not len(y):
        raise ValueError(f"{y_name}: {len(y)} blocks, expected {len(values) or 'at least one'}")
    return list(zip(y, values, strict=True))


def _merged(part: Callable[..., Any], merge: Callable[..., Any], pairs: list[Any]) -> Any:
    """Merge what `part` makes of each pair of blocks: of Dask's, on its workers."""
    if not any(hasattr(block, "__dask_graph__") for pair in pairs for block in pair):
        return reduce(merge, starmap(part, pairs))
    from dask.delayed import delayed

    parts = [delayed(part)(*pair) for pair in pairs]
    while len(parts) > 1:
        groups = (parts[i : i + MERGED_AT_ONCE] for i in range(0, len(parts), MERGED_AT_ONCE))
        parts = [delayed(reduce)(merge, group) for group in groups]
    return parts[0].compute()
