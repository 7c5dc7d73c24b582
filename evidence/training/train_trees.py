"""Train a TreeLSTM on the label of every phrase, and stop early."""

from copy import deepcopy

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from evidence.training.architectures import build
from evidence.training.datasets import Dataset, Examples
from evidence.training.runs import Run
from evidence.training.schedule import EarlyStop
from evidence.training.seen import trees_of_steps
from evidence.training.train import logits_of, make_deterministic
from evidence.training.trees import NO_LABEL, batch_of


def train(run: Run, data: Dataset, examples: Examples) -> tuple[nn.Module, float]:
    """Train until the accuracy on the calibration set has not risen for `run.patience` epochs.

    Returns the model as it was at its best there, and its accuracy on the training sentences.
    """
    make_deterministic()
    torch.manual_seed(run.seed)
    rng = np.random.default_rng(run.seed)
    model = build(run, data.words, data.classes)
    descent = torch.optim.Adagrad(
        model.parameters(), run.optimiser[1], weight_decay=run.weight_decay
    )
    stop, kept = EarlyStop(run.patience), model.state_dict()
    for epoch in range(run.epochs):
        for some in trees_of_steps(list(examples.x), rng):
            batch = batch_of(some)
            descent.zero_grad(set_to_none=True)
            logits = model.of_nodes(batch)
            total = F.cross_entropy(
                logits,
                torch.from_numpy(batch.labels),
                ignore_index=NO_LABEL,
                reduction="sum",
            )
            (total / len(batch.roots)).backward()
            descent.step()
        if stop.record(epoch, tree_accuracy(model, data.calibration, data)):
            kept = deepcopy(model.state_dict())
        if stop.is_over(epoch):
            break
    model.load_state_dict(kept)
    return model, tree_accuracy(model, examples, data)


def tree_accuracy(model: nn.Module, examples: Examples, data: Dataset) -> float:
    """The share of the sentences that a model is right on."""
    return float(np.mean(logits_of(model, examples.x, data).argmax(1) == examples.y))
