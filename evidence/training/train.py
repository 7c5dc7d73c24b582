"""Train one network, or evaluate public weights, and hand back what is kept of it."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from evidence.training.architectures import build, initialise
from evidence.training.datasets import Dataset, Examples
from evidence.training.runs import Run
from evidence.training.schedule import rate_factor
from evidence.training.seen import (
    moved_and_mirrored,
    normalised,
    rows_of_steps,
    words_in_a_row,
)
from evidence.training.trees import Tree, batch_of

Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]  # of logits and labels
Watch = Callable[[nn.Module, int, float], None]  # of model, step and epoch


def focal(gamma: float) -> Loss:
    """Mean of -(1 - p_y)^gamma log p_y (Lin et al. 2017)."""

    def loss(logits: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        # of logits, so that no probability of zero meets a logarithm
        log_p = F.log_softmax(logits, 1).gather(1, y[:, None])[:, 0]
        return -((1 - log_p.exp()) ** gamma * log_p).mean()

    return loss


LOSSES = {  # means over a batch of logits
    "ce": F.cross_entropy,
    "fl1": focal(1),
    "fl2": focal(2),
    "fl3": focal(3),
    "ls0.05": lambda logits, y: F.cross_entropy(logits, y, label_smoothing=0.05),
}


def make_deterministic() -> None:
    """One thread and no denormal numbers: the same seed gives the same outputs."""
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.use_deterministic_algorithms(True)
    # what is written anyway need not be filled first
    torch.utils.deterministic.fill_uninitialized_memory = False


def as_input(x: np.ndarray | list[Any], data: Dataset) -> Any:
    """Images: normalised, channels last. Documents: all words, and where each document starts.

    Trees: their nodes, by height.
    """
    if isinstance(x, list) and isinstance(x[0], Tree):
        return batch_of(x)
    if isinstance(x, list):
        words, starts = words_in_a_row(x)
        return torch.from_numpy(words), torch.from_numpy(starts)
    images = torch.from_numpy(normalised(x, data))
    return images.contiguous(memory_format=torch.channels_last)


def logits_of(
    model: nn.Module, x: np.ndarray | list[Any], data: Dataset, batch: int = 500
) -> np.ndarray:
    """Logits (n, K) in float32, in evaluation mode."""
    model.eval()
    batches = []
    with torch.no_grad():
        for start in range(0, len(x), batch):
            batches.append(model(as_input(x[start : start + batch], data)))
    model.train()
    return torch.cat(batches).numpy()


def optimiser_and_schedule(run: Run, model: nn.Module, steps: int) -> tuple[Any, Any]:
    """SGD with Nesterov momentum or AdamW, and the rate of each step: 5 % warm-up, then cosine."""
    kind, rate = run.optimiser
    if kind == "sgd":
        optimiser = torch.optim.SGD(
            model.parameters(), rate, 0.9, weight_decay=run.weight_decay, nesterov=True
        )
    else:
        optimiser = torch.optim.AdamW(
            model.parameters(), rate, weight_decay=run.weight_decay
        )
    factor = partial(rate_factor, steps=steps)
    return optimiser, torch.optim.lr_scheduler.LambdaLR(optimiser, factor)


def train(
    run: Run,
    data: Dataset,
    examples: Examples,
    y: np.ndarray,
    watch: Watch | None = None,
    batch: int = 64,
) -> tuple[nn.Module, float]:
    """Train the network of a run on examples with labels y.

    `watch(model, step, epoch)` is called every `run.curve` steps and at the end.
    Returns the model and its accuracy on the labels that were used.
    """
    make_deterministic()
    torch.manual_seed(run.seed)
    rng = np.random.default_rng(run.seed)
    model = build(run, data.words or np.shape(examples.x)[1], data.classes)
    model = model.to(memory_format=torch.channels_last)
    initialise(model, run.initialisation)
    loss = LOSSES[run.loss]
    targets = torch.from_numpy(y.astype(np.int64))
    epoch_steps = len(y) // batch
    steps = epoch_steps * run.epochs
    descent, schedule = optimiser_and_schedule(run, model, steps)
    for step, rows in enumerate(rows_of_steps(len(y), batch, run.epochs, rng)):
        if watch and run.curve and step % run.curve == 0:
            watch(model, step, step / epoch_steps)
        x = examples.take(rows).x
        if run.augmentation:
            x = moved_and_mirrored(np.asarray(x), rng)
        descent.zero_grad(set_to_none=True)
        with torch.autocast("cpu", torch.bfloat16, enabled=run.precision == "bfloat16"):
            # convolutions in half the digits; weights and losses stay in float32
            outputs = model(as_input(x, data))
        loss(outputs.float(), targets[rows]).backward()
        descent.step()
        schedule.step()
    if watch and run.curve:
        watch(model, steps, run.epochs)
    return model, float(np.mean(logits_of(model, examples.x, data).argmax(1) == y))
