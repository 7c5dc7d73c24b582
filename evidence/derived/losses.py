"""Focal loss, its weight and its gradient, as a chapter derives them; one row a sample."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_softmax, xlogy


def focal_loss(
    logits: ArrayLike, y: ArrayLike, *, gamma: float
) -> tuple[np.ndarray, np.ndarray]:
    """Focal loss in nats, -(1 - p_y)^gamma log p_y; its gradient is a weight times p - e_y.

    Here p = softmax(z) of the logits z, shape (n, K), and e_y is the one-hot label; the gradient
    is with respect to z. The weight is :func:`focal_weight`; gamma = 0 is cross-entropy.

    Lin et al. (2017); Vasilev & D'yakonov (2021), equation 18.

    Examples
    --------
    >>> loss, gradient = focal_loss([[0.0, 0.0]], [0], gamma=2)
    >>> loss.round(4), gradient.round(4)
    (array([0.1733]), array([[-0.2983,  0.2983]]))
    """
    z = np.asarray(logits, float)
    log_p, one_hot = log_softmax(z, axis=1), np.eye(z.shape[1])[np.asarray(y)]
    p = np.exp(log_p)
    complement = np.sum((1 - one_hot) * p, axis=1)  # 1 - p_y, without cancellation
    log_true = np.sum(log_p, axis=1, where=one_hot > 0)
    weight = _weight(complement, np.exp(log_true) * log_true, gamma)
    return -(complement**gamma) * log_true, weight[:, None] * (p - one_hot)


def focal_weight(p_true: ArrayLike, gamma: float) -> np.ndarray:
    """Ratio of the focal loss's gradient to cross-entropy's, given the true class's probability.

    It is (1 - p)^gamma - gamma (1 - p)^(gamma - 1) p log p, Mukhoti et al. (2020), section 4.

    Examples
    --------
    >>> focal_weight([0.0, 0.5, 1.0], gamma=2).round(4)
    array([1.    , 0.5966, 0.    ])
    """
    p = np.asarray(p_true)
    return _weight(1 - p, xlogy(p, p), gamma)


def _weight(others: np.ndarray, p_log_p: np.ndarray, gamma: float) -> np.ndarray:
    if gamma == 0:
        return np.ones_like(others)
    power = np.power(others, gamma - 1, out=np.zeros_like(others), where=others > 0)
    return others**gamma - gamma * power * p_log_p
