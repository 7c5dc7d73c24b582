"""The losses of the zoo, each a mean over a batch of logits."""

from torch.nn import functional as F


def focal(gamma):
    """Mean of -(1 - p_y)^gamma log p_y (Lin et al. 2017)."""

    def loss(logits, y):
        log_p = F.log_softmax(logits, 1).gather(1, y[:, None])[:, 0]
        return -((1 - log_p.exp()) ** gamma * log_p).mean()

    return loss


def label_smoothing(epsilon):
    """Cross-entropy against (1 - epsilon) onehot(y) + epsilon / K."""
    return lambda logits, y: F.cross_entropy(logits, y, label_smoothing=epsilon)


LOSSES = {
    "ce": F.cross_entropy,
    "fl1": focal(1),
    "fl2": focal(2),
    "fl3": focal(3),
    "ls0.05": label_smoothing(0.05),
}
