"""The data sets, each cut into training, calibration and test examples.

Examples are sorted by the SHA-256 of their pixels or text and then permuted with a fixed seed, so
the copy they come from does not matter.
"""

import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PLACES = [
    *([Path(os.environ["CALIB_DATASETS"])] if "CALIB_DATASETS" in os.environ else []),
    ROOT / "_build" / "datasets",
    Path("/usr/share/datasets"),
    ROOT.parent / "shared" / "datasets",
]


@dataclass
class Examples:
    """x: images (n, channels, height, width) uint8, or a list of documents; y: labels (n,)."""

    x: np.ndarray | list
    y: np.ndarray

    def __len__(self):
        return len(self.y)

    def take(self, rows):
        x = self.x[rows] if isinstance(self.x, np.ndarray) else [self.x[i] for i in rows]
        return Examples(x, self.y[rows])


@dataclass
class Dataset:
    """`mean` and `std` are of the training pixels; `words` is the size of a text's vocabulary."""

    classes: int
    train: Examples
    calibration: Examples
    test: Examples
    mean: float | np.ndarray = 0.0
    std: float | np.ndarray = 1.0
    words: int = 0


def find(relative):
    """The first place that holds this file or folder."""
    for place in PLACES:
        if (place / relative).exists():
            return place / relative
    places = ", ".join(str(place) for place in PLACES)
    raise FileNotFoundError(f"{relative} is in none of {places}; set CALIB_DATASETS")


def canonical(examples):
    """Sort by the SHA-256 of the content (label second), then permute with a fixed seed."""

    def key(i):
        x = examples.x[i]
        content = x.encode() if isinstance(x, str) else x.tobytes()
        return hashlib.sha256(content).digest(), int(examples.y[i])

    order = np.array(sorted(range(len(examples)), key=key))
    return examples.take(order[np.random.default_rng(0).permutation(len(order))])


def split(examples, held_out):
    """The last `held_out` examples are for calibration."""
    rows = np.arange(len(examples))
    return examples.take(rows[:-held_out]), examples.take(rows[-held_out:])


@cache
def load(name):
    """A data set by its name in the list of runs."""
    return {
        "fashion": fashion_mnist,
        "cifar10-test": cifar10_test,
        "cifar100": cifar100,
        "20news": lambda: texts(newsgroups(), 1100),
        "reuters-r52": lambda: texts(reuters(), 650),
        "reuters-r8": lambda: texts(reuters(R8), 550),
        "sst2": sst2,
    }[name]()


def fashion_mnist():
    folder = find("fashion-mnist")

    def read(part):
        x = np.frombuffer(gzip.open(folder / f"{part}-images-idx3-ubyte.gz").read(), np.uint8)
        y = np.frombuffer(gzip.open(folder / f"{part}-labels-idx1-ubyte.gz").read(), np.uint8)
        return canonical(Examples(x[16:].reshape(-1, 1, 28, 28), y[8:]))

    train, calibration = split(read("train"), 5000)
    return Dataset(10, train, calibration, read("t10k"), 0.286, 0.353)


def cifar10_test():
    """The 10 000 test images, half for calibration; nothing to train on."""
    rows = np.fromfile(cifar_folder() / "cifar-10-batches-bin/test_batch.bin", np.uint8)
    rows = rows.reshape(-1, 3073)
    test, calibration = split(canonical(Examples(planes(rows[:, 1:]), rows[:, 0])), 5000)
    mean, std = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
    shape = (3, 1, 1)
    return Dataset(10, None, calibration, test, np.reshape(mean, shape), np.reshape(std, shape))


def cifar100():
    def read(part):
        rows = np.fromfile(cifar_folder() / f"cifar-100-binary/{part}.bin", np.uint8)
        rows = rows.reshape(-1, 3074)
        return canonical(Examples(planes(rows[:, 2:]), rows[:, 1]))

    train, calibration = split(read("train"), 2500)
    test = read("test").take(np.arange(5000))
    return Dataset(100, train, calibration, test, 0.48, 0.27)


def planes(rows):
    return rows.reshape(-1, 3, 32, 32)


def cifar_folder():
    """A folder with the official binary files; unpacked from the local mosaics where needed."""
    try:
        return find("cifar-100-binary").parent
    except FileNotFoundError:
        unpacked = ROOT / "_build" / "datasets"
        subprocess.run([sys.executable, find("unpack_cifar.py"), unpacked], check=True)
        return unpacked


R8 = ("acq", "crude", "earn", "grain", "interest", "money-fx", "ship", "trade")


def newsgroups():
    """Training and test messages of 20 Newsgroups by date, without their headers."""

    def read(part):
        with gzip.open(find(f"20news-bydate-{part}.jsonl.gz"), "rt") as lines:
            rows = [json.loads(line) for line in lines]
        return [(row["label"], row["text"].partition("\n\n")[2]) for row in rows]

    return read("train"), read("test")


def reuters(topics=None):
    """Training and test documents of Reuters R52, restricted to some topics (R8) or not."""

    def read(part):
        with gzip.open(find(f"reuters-r52-{part}.txt.gz"), "rt") as lines:
            rows = [line.rstrip("\n").split("\t") for line in lines]
        return [(topic, text) for topic, text in rows if topics is None or topic in topics]

    return read("train"), read("test")


def sst2():
    def read(part):
        with gzip.open(find(f"sst2-{part}.tsv.gz"), "rt") as lines:
            rows = [line.rstrip("\n").split("\t") for line in lines]
        return [(label, text) for text, label in rows]

    train, calibration, test = read("train"), read("dev"), read("test")
    return encode(*(numbered(rows, ("0", "1")) for rows in (train, calibration, test)))


def texts(parts, held_out):
    topics = sorted({topic for topic, _ in parts[0]})
    train, test = (numbered(rows, topics) for rows in parts)
    return encode(*split(train, held_out), test)


def numbered(rows, topics):
    y = np.array([topics.index(topic) for topic, _ in rows], np.uint8)
    return canonical(Examples([text for _, text in rows], y))


def encode(train, calibration, test, size=20_000, longest=500):
    """Replace each word by its rank in the training documents; 0 is any other word."""

    def tokens(text):
        return re.findall(r"[a-z0-9']+", text.lower())[:longest]

    count = Counter(word for text in train.x for word in tokens(text))
    kept = sorted((w for w in count if count[w] > 1), key=lambda w: (-count[w], w))[: size - 1]
    rank = {word: i + 1 for i, word in enumerate(kept)}

    def ranks(text):
        return np.array([rank.get(word, 0) for word in tokens(text)] or [0], np.int64)

    parts = (
        Examples([ranks(text) for text in part.x], part.y) for part in (train, calibration, test)
    )
    return Dataset(int(train.y.max()) + 1, *parts, words=len(rank) + 1)
