"""Proper scores and their decompositions."""

import numpy as np

from calib.checks import check_labels, check_probabilities, check_weights, row_blocks


def nll(y_true, y_prob, *, sample_weight=None):
    """Negative log-likelihood: the mean of -log of the label's probability, in nats.

    Infinite where a label has probability zero: nothing is clipped.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
    y_prob : array_like, shape (n, K)
    sample_weight : array_like of float, shape (n,), optional

    Returns
    -------
    float

    Raises
    ------
    ValueError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Vasilev & D'yakonov (2021), equation 10.

    Examples
    --------
    >>> round(nll([0, 1], [[0.5, 0.5], [0.75, 0.25]]), 6)
    1.039721
    """
    y, p, weight = _check(y_true, y_prob, sample_weight)
    with np.errstate(divide="ignore"):
        loss = -np.log(p[np.arange(len(y)), y], dtype=np.float64)
    return _mean(loss, weight)


def brier(y_true, y_prob, *, sample_weight=None):
    """Brier score: the squared distance of the probabilities from the label, summed over classes.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
    y_prob : array_like, shape (n, K)
    sample_weight : array_like of float, shape (n,), optional

    Returns
    -------
    float
        From 0 to 2. For two classes it is twice the score of the binary convention.

    Raises
    ------
    ValueError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Brier (1950); Vasilev & D'yakonov (2021), equation 11.

    Examples
    --------
    >>> brier([0, 1], [[0.5, 0.5], [0.75, 0.25]])
    0.8125
    """
    y, p, weight = _check(y_true, y_prob, sample_weight)
    loss = np.empty(len(y))
    for start, rows in row_blocks(p):
        rows = rows.astype(np.float64)
        rows[np.arange(len(rows)), y[start : start + len(rows)]] -= 1
        loss[start : start + len(rows)] = np.einsum("ij,ij->i", rows, rows)
    return _mean(loss, weight)


def _check(y_true, y_prob, sample_weight):
    p = check_probabilities(y_prob)
    y = check_labels(y_true, p.shape[1], n=len(p))
    return y, p, check_weights(sample_weight, len(y))


def _mean(loss, weight):
    return float(np.average(loss, weights=weight))
