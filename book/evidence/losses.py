"""Training losses and their gradients with respect to the logits, one row a sample.

Each takes logits z and labels y and returns the loss of every sample and its gradient. With
p = softmax(z) and e_y the one-hot label, cross-entropy's gradient is p - e_y; label smoothing moves
the target, focal loss the weight.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_softmax, xlogy

from calib.check import (
    check_labels,
    check_logits,
    check_nonnegative,
    check_not_masked,
    check_probabilities,
    check_scores,
)
from calib.doc import FAULTS, PARTS, documented

PARTS["logits"] = """\
logits : array_like, shape (n, K)
y : array_like of int, shape (n,)
    Labels."""
PARTS["loss"] = f"""\
Returns
-------
loss : ndarray of float64, shape (n,)
    In nats.
gradient : ndarray of float64, shape (n, K)

{FAULTS}"""


@documented
def cross_entropy(logits: ArrayLike, y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Cross-entropy, -log p_y; its gradient is p - e_y.

    Parameters
    ----------
    %(logits)s

    %(loss)s

    References
    ----------
    Vasilev & D'yakonov (2021), equation 16.

    Examples
    --------
    >>> loss, gradient = cross_entropy([[0.0, 0.0]], [0])
    >>> loss.round(4), gradient
    (array([0.6931]), array([[-0.5,  0.5]]))
    """
    log_p, one_hot = _prepare(logits, y)
    return -np.sum(log_p, axis=1, where=one_hot > 0), np.exp(log_p) - one_hot


@documented
def label_smoothing(
    logits: ArrayLike, y: ArrayLike, *, alpha: float
) -> tuple[np.ndarray, np.ndarray]:
    """Cross-entropy of the smoothed target t = (1 - alpha) e_y + alpha / K; gradient p - t.

    Parameters
    ----------
    %(logits)s
    alpha : float
        Share of the target that is spread evenly over all classes, from 0 to 1.

    %(loss)s

    References
    ----------
    Vasilev & D'yakonov (2021), equation 17.

    Examples
    --------
    The gradient vanishes at finite logits, where p is the smoothed target:

    >>> _, gradient = label_smoothing(np.log([[0.95, 0.05]]), [0], alpha=0.1)
    >>> np.abs(gradient).max() < 1e-12
    np.True_
    """
    if check_nonnegative(alpha, "alpha") > 1:
        raise ValueError(f"alpha: {alpha!r}, expected a number from 0 to 1")
    log_p, one_hot = _prepare(logits, y)
    target = (1 - alpha) * one_hot + alpha / one_hot.shape[1]
    loss = np.multiply(target, log_p, out=np.zeros_like(log_p), where=target > 0)
    return -loss.sum(axis=1), np.exp(log_p) - target


@documented
def focal_loss(logits: ArrayLike, y: ArrayLike, *, gamma: float) -> tuple[np.ndarray, np.ndarray]:
    """Focal loss, -(1 - p_y)^gamma log p_y; its gradient is a weight times p - e_y.

    The weight is :func:`focal_weight`; gamma = 0 is cross-entropy.

    Parameters
    ----------
    %(logits)s
    gamma : float
        How much less the samples that are already right count, 0 or more.

    %(loss)s

    References
    ----------
    Lin et al. (2017); Vasilev & D'yakonov (2021), equation 18.

    Examples
    --------
    >>> loss, gradient = focal_loss([[0.0, 0.0]], [0], gamma=2)
    >>> loss.round(4), gradient.round(4)
    (array([0.1733]), array([[-0.2983,  0.2983]]))
    """
    gamma = check_nonnegative(gamma, "gamma")
    log_p, one_hot = _prepare(logits, y)
    p = np.exp(log_p)
    others = np.sum((1 - one_hot) * p, axis=1)  # 1 - p_y, without cancellation
    log_true = np.sum(log_p, axis=1, where=one_hot > 0)
    weight = _focal_weight(others, np.exp(log_true) * log_true, gamma)
    return -(others**gamma) * log_true, weight[:, None] * (p - one_hot)


def focal_weight(p_true: ArrayLike, gamma: float) -> np.ndarray:
    """Ratio of the focal loss's gradient to cross-entropy's, given the true class's probability.

    It is (1 - p)^gamma - gamma (1 - p)^(gamma - 1) p log p.

    Parameters
    ----------
    p_true : array_like of float, shape (n,)
        Probability of the true class.
    gamma : float
        Exponent of the focal loss, 0 or more.

    Returns
    -------
    ndarray of float64, shape (n,)

    Raises
    ------
    ValueError, TypeError
        Where a probability is not from 0 to 1, or `gamma` is negative or not a number.

    References
    ----------
    Mukhoti et al. (2020), section 4.

    Examples
    --------
    >>> focal_weight([0.0, 0.5, 1.0], gamma=2).round(4)
    array([1.    , 0.5966, 0.    ])
    """
    p = np.minimum(check_scores(p_true, name="p_true"), 1)
    return _focal_weight(1 - p, xlogy(p, p), check_nonnegative(gamma, "gamma"))


def entropy(y_prob: ArrayLike) -> np.ndarray:
    """Entropy of each row of probabilities, H(p) = -sum of p_k log p_k, in nats.

    Focal loss is bounded by it: focal >= cross-entropy - gamma * entropy.

    Parameters
    ----------
    y_prob : array_like, shape (n, K)
        Probabilities; rows sum to one.

    Returns
    -------
    ndarray of float64, shape (n,)

    Raises
    ------
    ValueError
        Where the rows are not probabilities.

    References
    ----------
    Mukhoti et al. (2020), section 4.

    Examples
    --------
    >>> entropy([[0.5, 0.5], [1.0, 0.0]]).round(4) + 0.0
    array([0.6931, 0.    ])
    """
    p = check_probabilities(y_prob).astype(np.float64)
    return -xlogy(p, p).sum(axis=1)


def _prepare(logits: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    z = check_logits(logits).astype(np.float64)
    y = check_labels(y, z.shape[1], n=len(z), name="y")
    check_not_masked(z, y)
    return log_softmax(z, axis=1), np.eye(z.shape[1])[y]


def _focal_weight(others: Any, p_log_p: Any, gamma: Any) -> np.ndarray:
    if gamma == 0:
        return np.ones_like(others)
    power = np.power(others, gamma - 1, out=np.zeros_like(others), where=others > 0)
    return others**gamma - gamma * power * p_log_p
