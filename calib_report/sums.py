"""Metrics, and a temperature, of a data set that comes batch by batch, or in several processes."""

from collections.abc import Callable
from functools import partial, reduce
from itertools import starmap
from operator import add
from typing import Any, Self

import numpy as np

from calib.bins import above_first_bin, assign, equal_width, rest_in_first_bin
from calib.check import (
    PROBABILITIES,
    check_count,
    check_labels,
    check_logits,
    check_not_masked,
    check_probabilities,
    looks_like_probabilities,
    row_blocks,
)
from calib.maps.base import ConvergenceError
from calib.maps.of_logits import (
    TemperatureScaling,
    low_where_masked,
    nll_derivatives,
    solve_inverse_temperature,
)
from calib.metrics import NORMS, classwise_norm
from calib_report.adapters import as_numpy

MERGED_AT_ONCE = 16  # sums of blocks
FINE = 4096  # bins of the confidence from which the KS error is bounded


class Accumulator:
    """Sums from which the metrics of all samples seen so far follow.

    Scores in bins of equal width and means of losses are sums over samples: they come out as if
    all samples were there at once, but for rounding. The KS error needs the scores in order; it is
    bounded from both sides.

    Parameters
    ----------
    n_bins : int
        Bins of equal width, of the calibration errors.
    atol : float, optional
        How far from one the sum of a row may be; by default as for every metric, which allows for
        the rounding of float16 and bfloat16.

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

    def __init__(self, n_bins: int = 15, *, atol: float | None = None) -> None:
        self.n_bins = check_count(n_bins, "n_bins", high=10_000)
        self.atol = atol
        self.n = 0
        self._sums: Any = None

    def update(self, y: Any, probabilities: Any) -> Self:
        """Add a batch.

        Parameters
        ----------
        y : array_like of int, shape (n,)
            Labels; tensors are taken as well.
        probabilities : array_like, shape (n, K)
            There may be no rows, as in a part of filtered data: then nothing is added.

        Returns
        -------
        Accumulator
            Itself.

        Raises
        ------
        ValueError
            Where the batch is not as described, or has another number of classes than those
            before. Nothing of it is added then.
        """
        p, y = as_numpy(probabilities, "probabilities"), as_numpy(y, "y")
        if not _without_rows(y, p):
            p = check_probabilities(p, atol=self.atol, name="probabilities")
            y = check_labels(y, p.shape[1], n=len(p), name="y")
        return self.update_checked(y, p)

    def update_checked(self, y: np.ndarray, p: np.ndarray) -> Self:
        """Add a batch of labels and probabilities that are checked already."""
        if self._sums is None:
            self._sums = self._zeros(p.shape[1])
        if p.shape[1] != self.n_classes:
            raise ValueError(f"probabilities: {p.shape[1]} classes, expected {self.n_classes}")
        for start, rows in row_blocks(p):
            self._add(y[start : start + len(rows)], rows)
        self.n += len(y)
        return self

    @property
    def n_classes(self) -> int:
        """The number of classes K, known from the first batch on; before, a ValueError."""
        if self._sums is None:
            self._refuse_none()
        return len(self._sums["class_hits"])

    @property
    def class_bins(self) -> tuple[np.ndarray, np.ndarray]:
        """Number of samples, and sum of the probabilities, in the bins of each class, (K, M)."""
        self._refuse_none()
        return self._sums["class_count"], self._sums["class_score"]

    def by_class(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return frequency, mean probability and one-vs-rest ECE of each class, (K,) each."""
        self._refuse_none()
        own, n = self._sums, self.n
        error = np.abs(own["class_gap"]).sum(axis=1)
        return own["class_hits"] / n, own["class_score"].sum(axis=1) / n, error / n

    def _refuse_none(self) -> None:
        if self.n == 0:
            raise ValueError("no samples yet: update first")

    def _zeros(self, n_classes: int) -> dict[str, Any]:
        shapes = {"losses": 4, "top": (4, self.n_bins), "fine": (3, FINE), "class_hits": n_classes}
        shapes |= {"class_count": (n_classes, self.n_bins), "class_gap": (n_classes, self.n_bins)}
        shapes |= {"class_score": (n_classes, self.n_bins)}
        return {name: np.zeros(shape) for name, shape in shapes.items()}

    def _add(self, y: Any, p: Any) -> None:
        own = self._sums
        rows = np.arange(len(y))
        true = p[rows, y].astype(float)
        top = p.argmax(axis=1)
        score, hit = p[rows, top].astype(float), top == y
        squares = np.einsum("nk,nk->n", p, p, dtype=float)
        with np.errstate(divide="ignore"):
            losses = hit, -np.log(true), squares - 2 * true + 1, (score - hit) ** 2
        own["losses"] += [loss.sum() for loss in losses]
        for name, n_bins in (("top", self.n_bins), ("fine", FINE)):
            place = assign(score, equal_width(n_bins).edges, "right")
            for total, values in zip(own[name], (None, score, hit, score**2), strict=False):
                total += np.bincount(place, values, n_bins)
        self._add_classes(y, p)

    def _add_classes(self, y: Any, p: Any) -> None:
        """Add the sums of each class; the first bin is what the others leave."""
        own, n_bins = self._sums, self.n_bins
        hits = np.bincount(y, minlength=self.n_classes)
        own["class_hits"] += hits
        row, k, score, bin_of = above_first_bin(p, equal_width(n_bins))
        hit, place = y[row] == k, n_bins * k + bin_of
        total = np.ones(len(p)) @ p
        rest = {"class_count": len(y), "class_score": total, "class_gap": hits - total}
        values = {"class_count": None, "class_score": score, "class_gap": hit - score}
        for name, value in values.items():
            sums = np.bincount(place, value, own[name].size).reshape(own[name].shape)
            sums = sums.astype(float, copy=False)  # integers where none is counted
            sums[:, 0] = rest[name]
            own[name] += rest_in_first_bin(sums)

    def merge(self, other: Any) -> Self:
        """Add what another has seen, of another process or machine.

        Returns
        -------
        Accumulator
            Itself.

        Raises
        ------
        ValueError, TypeError
            Where the other has other bins or classes, or is none.
        """
        if not isinstance(other, Accumulator):
            raise TypeError(f"other: {type(other).__name__}, expected an Accumulator")
        if other.n_bins != self.n_bins:
            raise ValueError(f"other: {other.n_bins} bins, expected {self.n_bins}")
        if other._sums is None:
            return self
        if self._sums is None:
            self._sums = self._zeros(other.n_classes)
        if other.n_classes != self.n_classes:
            raise ValueError(f"other: {other.n_classes} classes, expected {self.n_classes}")
        for name, total in self._sums.items():
            total += other._sums[name]
        self.n += other.n
        return self

    def compute(self) -> dict[str, Any]:
        """Return the metrics of all samples so far.

        Returns
        -------
        dict of str to float
            "KS" lies between "KS, at least" and "KS, at most"; all others are exact but for
            rounding. Beside the ECE stands what a calibrated model with these confidences would
            show on average, the hits of a bin taken for normal.

        Raises
        ------
        ValueError
            Where there are no samples yet.
        """
        self._refuse_none()
        own, n = self._sums, self.n
        names = ("accuracy", "NLL", "Brier", "top-1 Brier")
        count, score, hit, squared = own["top"]
        top = hit - score, count
        titles = {"ECE, 15 bins": "l1", "RMSCE": "l2", "MCE": "max"}
        found = dict(zip(names, (own["losses"] / n).tolist(), strict=True))
        found["mean confidence"] = float(score.sum() / n)
        for title, norm in titles.items():
            found[title.replace("15", str(self.n_bins))] = float(NORMS[norm](*top))
        spread = np.sqrt(np.maximum(score - squared, 0) * 2 / np.pi)  # mean of |normal|
        found[f"ECE, {self.n_bins} bins, if calibrated"] = float(spread.sum() / n)
        found["classwise ECE"] = classwise_norm(own["class_gap"], n)
        at_least, at_most = self._ks()
        return found | {"KS, at least": at_least, "KS, at most": at_most}

    def _ks(self) -> tuple[float, float]:
        """Bound the KS error: inside a fine bin the sum moves by its scores or its hits at most."""
        _, score, hit = self._sums["fine"]
        after = np.abs(np.cumsum(hit - score))
        before = np.append(0, after[:-1])
        inside = np.maximum(before, after) + np.minimum(score, hit)
        return float(after.max() / self.n), float(min(inside.max() / self.n, 1))


def accumulate(
    y: Any, probabilities: Any, *, n_bins: int = 15, atol: float | None = None
) -> "Accumulator":
    """Accumulate blocks, where they lie: each is summed by itself, and the sums are merged.

    Parameters
    ----------
    y, probabilities : Dask array, or lists of equally many blocks
        Labels (n,) and probabilities (n, K), or the blocks of their rows: arrays, memory maps, or
        Dask's delayed values, of which some may have no rows. Dask computes its blocks on its
        workers and returns sums alone.
    n_bins, atol
        As of :class:`Accumulator`.

    Returns
    -------
    Accumulator

    Raises
    ------
    ValueError
        Where a block is not as described, there are not as many of one kind as of the other, or
        they come from an iterator, which would be kept whole (:meth:`Accumulator.update` keeps
        nothing).

    Examples
    --------
    >>> blocks = accumulate([[0, 1], [1]], [[[0.9, 0.1], [0.6, 0.4]], [[0.2, 0.8]]])
    >>> blocks.n, blocks.compute()["accuracy"]
    (3, 0.6666666666666666)
    """
    return _merged(
        partial(_accumulated, n_bins, atol), _both, _pairs(y, probabilities, "probabilities")
    )


def fit_temperature(
    logits: Any, y: Any, *, tol: float = 1e-6, max_iter: int = 100
) -> TemperatureScaling:
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

    Returns
    -------
    TemperatureScaling

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
    scaling, pairs = TemperatureScaling(tol, max_iter), _pairs(y, logits, "logits")
    scaling._check_parameters()
    n_classes, start = _merged(_first_guess, add, pairs[:1])

    def derivatives(inverse: float) -> tuple[float, float]:
        sums = _merged(partial(_derivatives, inverse, n_classes), add, pairs)
        n, n_alike, gradient, curvature = sums
        if n == 0:
            raise ValueError("logits: no rows in any block")
        if n == n_alike:
            raise ValueError(PROBABILITIES.format("logits"))
        return float(gradient / n), float(curvature / n)

    try:
        found = solve_inverse_temperature(derivatives, start, tol=tol, max_iter=max_iter)
    except ConvergenceError as error:
        message = f"no temperature is best: {error.args[0]}"
        raise ConvergenceError(message, error.gradient_norm) from None
    inverse, gradient, scaling.n_iter_ = found
    scaling.temperature_, scaling.gradient_norm_ = 1 / inverse, abs(inverse * gradient)
    scaling.classes_ = np.arange(n_classes)
    return scaling


def _accumulated(n_bins: int, atol: Any, y: Any, probabilities: Any) -> Accumulator:
    return Accumulator(n_bins, atol=atol).update(y, probabilities)


def _both(one: Accumulator, other: Accumulator) -> Accumulator:
    return Accumulator(one.n_bins, atol=one.atol).merge(one).merge(other)


def _without_rows(y: np.ndarray, values: np.ndarray) -> bool:
    """Tell whether a batch has columns but no rows."""
    return y.shape == (0,) and values.ndim == 2 and len(values) == 0 and values.shape[1] > 1


def _checked_logits(y: Any, logits: Any) -> tuple[np.ndarray, np.ndarray]:
    z, y = as_numpy(logits, "logits"), as_numpy(y, "y")
    if _without_rows(y, z):
        return z, y
    z = check_logits(z)
    y = check_labels(y, z.shape[1], n=len(z), name="y")
    check_not_masked(z, y)
    return low_where_masked(z), y


def _first_guess(y: Any, logits: Any) -> tuple[int, float]:
    """Return the number of classes, and 1/T of one block, or 1 where it has none."""
    z, y = _checked_logits(y, logits)
    if len(z) == 0 or looks_like_probabilities(z):
        return z.shape[1], 1.0
    try:
        scaling = TemperatureScaling(tol=1e-3, no_optimum="raise").fit(z, y)
        return z.shape[1], 1 / scaling.temperature_
    except ConvergenceError:
        return z.shape[1], 1.0


def _derivatives(inverse: float, n_classes: int, y: Any, logits: Any) -> np.ndarray:
    """Return sums over the samples, shape (4,): one, one in a block that looks like probabilities,
    and the derivatives of the NLL.
    """
    z, y = _checked_logits(y, logits)
    if z.shape[1] != n_classes:
        raise ValueError(f"logits: {z.shape[1]} classes, expected {n_classes}")
    if len(z) == 0:
        return np.zeros(4)
    top, true = z.max(axis=1).astype(float), z[np.arange(len(z)), y].astype(float)
    alike = looks_like_probabilities(z)
    return len(z) * np.array([1.0, alike, *nll_derivatives(z, top, true, None, inverse)])


def _pairs(y: Any, values: Any, name: str) -> list[tuple[Any, Any]]:
    """Return the blocks of labels and of values, side by side."""
    if hasattr(values, "to_delayed"):
        import dask.array

        values, y = values.rechunk({1: -1}), dask.array.asarray(y)
        if not np.isnan(values.shape[0]):
            y = y.rechunk((values.chunks[0],))
        y, values = y.to_delayed(), values.to_delayed().ravel()
    for what, blocks in (("y", y), (name, values)):
        if not hasattr(blocks, "__len__"):
            kind = type(blocks).__name__
            raise ValueError(f"{what}: {kind}, expected a list of blocks: all of it would be kept")
    y, values = list(y), list(values)
    if len(y) != len(values) or not y:
        raise ValueError(f"y: {len(y)} blocks, expected {len(values) or 'at least one'}")
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


def accumulate_npy(
    y_path: Any, probabilities_path: Any, *, rows: Any = 1 << 16, n_bins: int = 15
) -> "Accumulator":
    """Accumulate npy files that may be larger than the memory, a block of rows at a time.

    Parameters
    ----------
    y_path, probabilities_path : str or Path
        npy files of labels (n,) and of probabilities (n, K).
    rows : int
        Rows that are held at a time.
    n_bins : int

    Returns
    -------
    Accumulator

    Raises
    ------
    ValueError, OSError
        Where a file is not what it should be.
    """
    check_count(rows, "rows")
    n = len(_mapped(probabilities_path))
    if len(_mapped(y_path)) != n:
        raise ValueError(f"{y_path}: {len(_mapped(y_path))} labels, expected {n}")
    found = Accumulator(n_bins)
    for start in range(0, n, rows):
        block = slice(start, start + rows)
        found.update(np.array(_mapped(y_path)[block]), np.array(_mapped(probabilities_path)[block]))
    return found


def _mapped(path: Any) -> Any:
    """Map an npy file; what was read of it is given back as soon as it is let go."""
    mapped = np.load(path, mmap_mode="r", allow_pickle=False)
    if not isinstance(mapped, np.ndarray) or mapped.ndim == 0:
        raise ValueError(f"{path}: not an npy file of rows")
    return mapped
