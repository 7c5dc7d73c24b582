"""Read the training log of a network on CIFAR-100 that somebody published.

A row is an epoch. PATH is ``out/train_CIFAR100_original.out`` of zoetzikra/overconfidence_in_EENNs,
the log of a network (MSDNet) with four exits. After each epoch it prints the loss, summed over the
exits, of each tenth batch of the validation set, and each exit's accuracy on the whole of it.
"""

import re
from pathlib import Path
from typing import Any

BATCH = re.compile(r"^Epoch: \[\d+/79\].*?Loss (?P<loss>[\d.]+)\t", re.MULTILINE)
EXIT = re.compile(r"^ \* (?:[Pp]rec|[Aa]cc)@1 (?P<accuracy>[\d.]+)", re.MULTILINE)
EPOCH = re.compile(r"^Epoch: \[(?P<epoch>\d+)\]\[1/704\]", re.MULTILINE)


def rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of the file of a log."""
    return epochs(path.read_text("utf-8"))


def epochs(log: str) -> list[dict[str, Any]]:
    """Return a row an epoch: the mean loss of the batches printed, how many, the accuracies."""
    starts = [(int(start["epoch"]), start.start()) for start in EPOCH.finditer(log)]
    ends = [place for _, place in starts[1:]] + [len(log)]
    return [
        epoch_row(epoch, log[begin:end])
        for (epoch, begin), end in zip(starts, ends, strict=True)
    ]


def epoch_row(epoch: int, text: str) -> dict[str, Any]:
    """Return the row of one epoch from the lines of its training and validation."""
    losses = [float(batch["loss"]) for batch in BATCH.finditer(text)]
    accuracies = [exit["accuracy"] for exit in EXIT.finditer(text)][:4]
    if not losses or len(accuracies) != 4:
        raise ValueError(
            f"epoch {epoch}: {len(losses)} batches, {len(accuracies)} exits, not 4"
        )
    exits = {f"accuracy_{i}": accuracy for i, accuracy in enumerate(accuracies, 1)}
    mean = sum(losses) / len(losses)
    return {"epoch": epoch, "loss": f"{mean:.4f}", "batches": len(losses)} | exits
