"""Compute imagenetx.csv: four networks on ImageNet, self-supervised ones among them, by bins.

`python -m evidence.studies imagenetx` from the root. The predictions are CC BY-NC 4.0 and
are not kept. `ece`, `low` and `high`: of the whole network, with its 95 % basic interval.
"""

from collections.abc import Iterator

import calib
from evidence import load_source
from evidence.studies.pieces import Row, generator, of_bins

NETWORKS = {"dino": "DINO", "resnet50": "ResNet-50", "simclr": "SimCLR", "vit": "ViT"}
BINS = 15


def bins(short: str, model: str) -> Iterator[Row]:
    """Yield the rows of a network, one a bin: sums of scores and of hits."""
    source = f"imagenetx-imagenet-{short}"
    score, hit = load_source(source).test.pairs
    options = {"method": "basic", "rng": generator("imagenetx", short)}
    ece = calib.bootstrap(calib.ece, hit, score, **options)
    head = {"source": source, "model": model, "n": len(hit)}
    head |= {"ece": ece.value, "low": ece.low, "high": ece.high}
    yield from of_bins(head, calib.equal_width(BINS)(score, hit))


def rows() -> Iterator[Row]:
    """Yield the bins of all networks."""
    for short, model in NETWORKS.items():
        yield from bins(short, model)
