"""The data sets, each cut into training, calibration and test examples.

Examples are sorted by the SHA-256 of their pixels or text and then permuted with a fixed seed, so
the copy they come from does not matter.
"""

import csv
import gzip
import hashlib
import json
import os
import re
import tarfile
import urllib.request
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from evidence.training.trees import encode_tree, nodes_of

Document = tuple[str, str]  # its topic, or its label, and its text

ROOT = Path(__file__).resolve().parents[2]
DOWNLOADED = ROOT / "_build" / "datasets"
DEBIAN = Path("/usr/share/datasets")
# some copies of train.txt hold the 1101 trees of dev.txt behind these
SST_TRAINING = 8544

FASHION = "https://github.com/zalandoresearch/fashion-mnist/raw/master/data/fashion/"
CIFAR = "https://www.cs.toronto.edu/~kriz/"
FASHION_PARTS = (
    "train-images-idx3",
    "train-labels-idx1",
    "t10k-images-idx3",
    "t10k-labels-idx1",
)
DOWNLOADS = {  # what is looked for: the address of the official file; `FINGERPRINTS` prove it
    **{f"fashion-mnist/{n}-ubyte.gz": f"{FASHION}{n}-ubyte.gz" for n in FASHION_PARTS},
    "cifar-10-batches-bin": f"{CIFAR}cifar-10-binary.tar.gz",
    "cifar-100-binary": f"{CIFAR}cifar-100-binary.tar.gz",
}
CIFAR100_IMAGES = Path(__file__).with_name("cifar100_images.npy")
FINGERPRINTS = dict(
    csv.reader(Path(__file__).with_name("fingerprints.csv").read_text().splitlines())
)


@dataclass
class Examples:
    """x: images (n, channels, height, width) uint8, or a list of documents; y: labels (n,)."""

    x: np.ndarray | list[Any]
    y: np.ndarray

    def __len__(self) -> int:
        return len(self.y)

    def take(self, rows: np.ndarray) -> "Examples":
        x = (
            self.x[rows]
            if isinstance(self.x, np.ndarray)
            else [self.x[i] for i in rows]
        )
        return Examples(x, self.y[rows])


@dataclass
class Dataset:
    """`mean` and `std` are of the training pixels; `words` is the size of a text's vocabulary."""

    classes: int
    train: Examples | None  # None where weights are those of others
    calibration: Examples
    test: Examples
    mean: float | np.ndarray = 0.0
    std: float | np.ndarray = 1.0
    words: int = 0


def places() -> list[Path]:
    """The folders that may hold data sets, in order; two environment variables name further ones.

    ``CALIB_DATASETS`` names one of data sets, ``CALIB_SOURCES`` a copy of public repositories, of
    which one has the trees.
    """
    named, sources = os.environ.get("CALIB_DATASETS"), os.environ.get("CALIB_SOURCES")
    copies = Path(sources).glob("munikarmanish/RNTN/*") if sources else []
    return [*([Path(named)] if named else []), DOWNLOADED, DEBIAN, *sorted(copies)]


def find(relative: str) -> Path:
    """The first place that holds this file or folder, downloaded where none does."""
    for place in places():
        if (place / relative).exists():
            return place / relative
    if relative in DOWNLOADS:
        return download(DOWNLOADS[relative], DOWNLOADED / relative)
    raise FileNotFoundError(
        f"{relative} is in none of {', '.join(map(str, places()))}; CALIB_DATASETS names a "
        "folder that has it, see evidence/training/README.md"
    )


def download(address: str, target: Path) -> Path:
    """Fetch a file or an archive of the target, and unpack or keep it when it is whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    # downloaded under another name, so that what bears its own name is whole
    unfinished = target.with_name(target.name + ".part")
    urllib.request.urlretrieve(address, unfinished)
    if address.endswith(".tar.gz"):
        with tarfile.open(unfinished) as archive:
            # "data" refuses names that leave the folder
            archive.extractall(target.parent, filter="data")
        unfinished.unlink()
    else:
        unfinished.replace(target)
    return target


def digests(examples: Examples) -> list[bytes]:
    """The SHA-256 of each example's content, in bytes."""
    contents = (x.encode() if isinstance(x, str) else x.tobytes() for x in examples.x)
    return [hashlib.sha256(content).digest() for content in contents]


def in_fixed_order(examples: Examples, name: str | None = None) -> Examples:
    """Sort by the SHA-256 of the content (label second), then permute with a fixed seed.

    Of the examples called `name` the fingerprint, which does not depend on their order, is checked.
    """
    digest = digests(examples)
    # by content, so that copies in another order become one; equal images by their label
    order = sorted(range(len(examples)), key=lambda i: (digest[i], int(examples.y[i])))
    if name:
        everything = b"".join(digest[i] + bytes([examples.y[i]]) for i in order)
        fingerprint = hashlib.sha256(everything).hexdigest()
        if fingerprint != FINGERPRINTS[name]:
            raise ValueError(
                f"{name}: {len(order)} examples with fingerprint {fingerprint}, "
                f"expected {FINGERPRINTS[name]}; this is another version of the data"
            )
    return examples.take(
        np.array(order)[np.random.default_rng(0).permutation(len(order))]
    )


def hold_out(examples: Examples, held_out: int) -> tuple[Examples, Examples]:
    """The last `held_out` examples are for calibration."""
    rows = np.arange(len(examples))
    return examples.take(rows[:-held_out]), examples.take(rows[-held_out:])


@cache
def load(name: str) -> Dataset:
    """A data set by its name in the list of runs; a ValueError says that there is none."""
    loaders: dict[str, Callable[[], Dataset]] = {
        "fashion": fashion_mnist,
        "cifar10-test": cifar10_test,
        "cifar10-10k": cifar10_10k,
        "cifar10-60k": cifar10_60k,
        "cifar100": cifar100,
        "cifar100-25k": cifar100_25k,
        "20news": lambda: text_dataset("20news", newsgroups, 1100),
        "reuters-r52": lambda: text_dataset("reuters-r52", reuters, 650),
        "reuters-r8": lambda: text_dataset(
            "reuters-r8", partial(reuters, topics=R8), 550
        ),
        "sst2": sst2,
        "sst2-trees": lambda: sentiment_trees(is_binary=True),
        "sst5-trees": lambda: sentiment_trees(is_binary=False),
    }
    if name not in loaders:
        raise ValueError(f"name: no data set {name!r}; there are {', '.join(loaders)}")
    return loaders[name]()


def fashion_mnist() -> Dataset:
    """55 000 of the training images to train on, 5000 for calibration; the test images."""

    def values(file: str) -> np.ndarray:
        with gzip.open(find(f"fashion-mnist/{file}-ubyte.gz")) as stream:
            return np.frombuffer(stream.read(), np.uint8)

    def read_images(split: str) -> Examples:
        x, y = values(f"{split}-images-idx3"), values(f"{split}-labels-idx1")
        return in_fixed_order(
            # behind the heads of the two files, of 16 and 8 bytes
            Examples(x[16:].reshape(-1, 1, 28, 28), y[8:]),
            f"fashion {split}",
        )

    train, calibration = hold_out(read_images("train"), 5000)
    return Dataset(10, train, calibration, read_images("t10k"), 0.286, 0.353)


def cifar10_test() -> Dataset:
    """The 10 000 test images, half for calibration; nothing to train on."""
    images = in_fixed_order(
        read_binary_images("cifar-10-batches-bin", "test_batch", 1), "cifar10 test"
    )
    test, calibration = hold_out(images, 5000)
    mean, std = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
    shape = (3, 1, 1)
    return Dataset(
        10, None, calibration, test, np.reshape(mean, shape), np.reshape(std, shape)
    )


def cifar10_10k() -> Dataset:
    """The 10 000 test images: 5500 to train on, 1500 for calibration, 3000 for testing."""
    images = in_fixed_order(
        read_binary_images("cifar-10-batches-bin", "test_batch", 1), "cifar10 test"
    )
    train, held_out = hold_out(images, 4500)
    test, calibration = hold_out(held_out, 1500)
    return Dataset(10, train, calibration, test, 0.473, 0.251)


def cifar10_60k() -> Dataset:
    """All of CIFAR-10: 45 000 images to train on, 5000 for calibration, 10 000 for testing."""
    images = in_fixed_order(cifar10_archive())
    train, calibration = hold_out(images, 5000)
    test = in_fixed_order(
        read_binary_images("cifar-10-batches-bin", "test_batch", 1), "cifar10 test"
    )
    return Dataset(10, train, calibration, test, 0.473, 0.251)


def cifar10_archive() -> Examples:
    """The 50 000 images of the five training batches of the official binary archive."""
    batches = [f"data_batch_{i}" for i in range(1, 6)]
    folder = find("cifar-10-batches-bin")
    absent = [name for name in batches if not (folder / f"{name}.bin").exists()]
    if absent:
        raise FileNotFoundError(
            f"{folder} lacks {', '.join(absent)}: unpack the official archive "
            f"{DOWNLOADS['cifar-10-batches-bin']} there"
        )
    batch_images = [
        read_binary_images("cifar-10-batches-bin", name, 1) for name in batches
    ]
    images = Examples(
        np.concatenate([batch.x for batch in batch_images]),
        np.concatenate([batch.y for batch in batch_images]),
    )
    counts = np.bincount(images.y, minlength=10).tolist()
    if counts != [5000] * 10:
        raise ValueError(
            f"{folder}: {counts} training images of the classes, expected 5000 of each"
        )
    return images


def cifar100() -> Dataset:
    """A tenth of the training images are for calibration."""
    train, test = cifar100_images()
    train, calibration = hold_out(train, 2500)
    return Dataset(100, train, calibration, test.take(np.arange(2500)), 0.48, 0.27)


def cifar100_25k() -> Dataset:
    """All images to train on are for training, and of those for testing some are for calibration.

    The 2500 test images are those of `cifar100`.
    """
    train, held_out = cifar100_images()
    test, calibration = (
        held_out.take(np.arange(start, start + 2500)) for start in (0, 2500)
    )
    return Dataset(100, train, calibration, test, 0.48, 0.27)


def cifar100_images() -> tuple[Examples, Examples]:
    """The 25 000 images to train on, half of those published, and the 10 000 for testing."""
    train, test = (
        read_binary_images("cifar-100-binary", file, 2) for file in ("train", "test")
    )
    if len(train) == 50_000:
        # which half of the images it is, by the first six bytes of their digests
        known = {bytes(row) for row in np.load(CIFAR100_IMAGES)}
        train = train.take(
            np.flatnonzero([digest[:6] in known for digest in digests(train)])
        )
    return in_fixed_order(train, "cifar100 train"), in_fixed_order(
        test, "cifar100 test"
    )


def read_binary_images(folder: str, file: str, n_labels: int) -> Examples:
    """Images of a binary file, each after its labels, with the last of these."""
    rows = np.fromfile(find(folder) / f"{file}.bin", np.uint8).reshape(
        -1, n_labels + 3072
    )
    return Examples(rows[:, n_labels:].reshape(-1, 3, 32, 32), rows[:, n_labels - 1])


R8 = ("acq", "crude", "earn", "grain", "interest", "money-fx", "ship", "trade")


def lines_of(name: str) -> list[str]:
    """The lines of a packed text file, without their ends."""
    with gzip.open(find(name), "rt", encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file]


def newsgroups(split: str) -> list[Document]:
    """Messages of 20 Newsgroups by date, without their headers."""
    rows = map(json.loads, lines_of(f"20news-bydate-{split}.jsonl.gz"))
    # headers name the group, or who writes in it
    return [(row["label"], row["text"].partition("\n\n")[2]) for row in rows]


def reuters(split: str, topics: Sequence[str] | None = None) -> list[Document]:
    """Documents of Reuters R52, restricted to some topics (R8) or not."""
    rows = (line.split("\t") for line in lines_of(f"reuters-r52-{split}.txt.gz"))
    return [(topic, text) for topic, text in rows if topics is None or topic in topics]


def sst2() -> Dataset:
    """The sentences of SST-2 in the published splits; the development set is for calibration."""

    def read_sentences(split: str) -> Examples:
        rows = (line.split("\t") for line in lines_of(f"sst2-{split}.tsv.gz"))
        return number_topics(
            [(label, text) for text, label in rows], "01", f"sst2 {split}"
        )

    return encode_words(
        read_sentences("train"), read_sentences("dev"), read_sentences("test")
    )


def read_trees(split: str) -> Examples:
    """The sentences of one split as texts of trees, with their label from 0 to 4."""
    text = find(f"trees/{split}.txt").read_text(encoding="utf-8")
    trees = text.splitlines()[: SST_TRAINING if split == "train" else None]
    y = np.array([int(tree[1]) for tree in trees], np.uint8)
    return in_fixed_order(Examples(trees, y), f"sst trees {split}")


def without_neutral(examples: Examples) -> Examples:
    """Sentences that are negative, 0, or positive, 1; neutral ones are left out."""
    judged = examples.take(np.flatnonzero(examples.y != 2))
    return Examples(judged.x, (judged.y > 2).astype(np.uint8))


def rank_of_words(train: Examples) -> dict[str, int]:
    """Return the words of the training trees in their order, from 1; 0 is any other word."""
    count = Counter(
        word.lower() for text in train.x for _, word, *_ in nodes_of(text) if word
    )
    # a word that training saw once is as unknown as one that it never saw
    words = sorted(word for word in count if count[word] > 1)
    return {word: i + 1 for i, word in enumerate(words)}


def sentiment_trees(is_binary: bool) -> Dataset:
    """The treebank in its published splits; of two classes, without neutral sentences."""
    of_splits = [read_trees(split) for split in ("train", "dev", "test")]
    train, dev, test = map(without_neutral, of_splits) if is_binary else of_splits
    rank = rank_of_words(train)

    def encoded(examples: Examples) -> Examples:
        return Examples(
            [encode_tree(text, rank, is_binary) for text in examples.x], examples.y
        )

    splits = encoded(train), encoded(dev), encoded(test)
    return Dataset(2 if is_binary else 5, *splits, 0.0, 1.0, len(rank) + 1)


def text_dataset(
    name: str, read_documents: Callable[[str], list[Document]], held_out: int
) -> Dataset:
    """Documents by topic, the last `held_out` of the training documents for calibration."""
    rows = read_documents("train")
    topics = sorted({topic for topic, _ in rows})
    train = number_topics(rows, topics, f"{name} train")
    test = number_topics(read_documents("test"), topics, f"{name} test")
    return encode_words(*hold_out(train, held_out), test)


def number_topics(rows: list[Document], topics: Sequence[str], name: str) -> Examples:
    """Documents with their topics as numbers, in the fixed order of the examples called `name`."""
    y = np.array([topics.index(topic) for topic, _ in rows], np.uint8)
    return in_fixed_order(Examples([text for _, text in rows], y), name)


def encode_words(
    train: Examples,
    calibration: Examples,
    test: Examples,
    size: int = 20_000,
    longest: int = 500,
) -> Dataset:
    """Replace each word by its rank in the training documents; 0 is any other word."""

    def tokens(text: str) -> list[str]:
        return re.findall(r"[a-z0-9']+", text.lower())[:longest]

    count: Counter[str] = Counter()
    for text in train.x:
        count.update(tokens(text))
    words = sorted((w for w in count if count[w] > 1), key=lambda w: (-count[w], w))[
        : size - 1
    ]
    rank = {word: i + 1 for i, word in enumerate(words)}

    def ranks(text: str) -> np.ndarray:
        return np.array([rank.get(word, 0) for word in tokens(text)] or [0], np.int64)

    def ranked(examples: Examples) -> Examples:
        return Examples([ranks(text) for text in examples.x], examples.y)

    splits = ranked(train), ranked(calibration), ranked(test)
    return Dataset(int(train.y.max()) + 1, *splits, 0.0, 1.0, len(rank) + 1)
