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
import tarfile
import urllib.request
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
DOWNLOADED = ROOT / "_build" / "datasets"
PLACES = [
    *([Path(os.environ["CALIB_DATASETS"])] if "CALIB_DATASETS" in os.environ else []),
    DOWNLOADED,
    Path("/usr/share/datasets"),
    ROOT.parent / "shared" / "datasets",
]


FASHION = "https://github.com/zalandoresearch/fashion-mnist/raw/master/data/fashion/"
CIFAR = "https://www.cs.toronto.edu/~kriz/"
FASHION_PARTS = ("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1")
DOWNLOADS = {  # what is looked for: the address of the official file; `FINGERPRINTS` prove it
    **{f"fashion-mnist/{n}-ubyte.gz": f"{FASHION}{n}-ubyte.gz" for n in FASHION_PARTS},
    "cifar-10-batches-bin": f"{CIFAR}cifar-10-binary.tar.gz",
    "cifar-100-binary": f"{CIFAR}cifar-100-binary.tar.gz",
}
CIFAR100_IMAGES = Path(__file__).with_name("cifar100_images.npy")
FINGERPRINTS = {
    "fashion train": "2d86eaf0f5f22d2013ee8437770f5f914885801f90117501ab77fad2543cca29",
    "fashion t10k": "0387bcdc84089e9e1728e6162640fbdcb2724bd2b77e44bdc3028755dee6097c",
    "cifar10 test": "c570203eec5823a6c731546f5c4e31127f0555462fa8fcb643b37d5e4372b070",
    "cifar100 train": "0cacdd9b64d6a0ba21990dc7748fd8b0a9e0d385b1e2a4d662a0b949353898de",
    "cifar100 test": "cc6a995ef2ed37194ce3e7d0f50a670b98ac6a0d437dbd69f8a811951cc865e7",
    "20news train": "0259dc022255b2e3c67a4b80e8bdf801a732289569a622c7323b943d9aa19a27",
    "20news test": "0e63ac9e96e822082c223b5436433e6201e748be3a3f53ed6b6498e1fd3ce78f",
    "reuters-r52 train": "c99f307de63c3df7be64b03da8aa9cc6a960d7cac4e6360356388c53ee0e9c21",
    "reuters-r52 test": "96b675b7cc3492169cf4f0578aa05033be34af0ab3bd28816f7eb0d71dd679ab",
    "reuters-r8 train": "a2aacef05cb615905dea6421f1886ff9598ba7cb1f2c92c3e05a59069f3296c7",
    "reuters-r8 test": "180624b65c9df8df70583595a15c4f42feef316ed3242300ea0d2db0b9d50518",
    "sst2 train": "5a9004737ed65afbb2c0865fc13d6f30f0d0b690512284e8432f72d2c1a1c698",
    "sst2 dev": "aafed3e6e8d6f027a55cd4efa1ae92bb3531f80146f1272d785ea673e202a2bc",
    "sst2 test": "9972cff95e1737473b34b3b0935162a53d21d973332b5cafb892fe93b960a569",
}


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
    """The first place that holds this file or folder, downloaded where none does."""
    for place in PLACES:
        if (place / relative).exists():
            return place / relative
    if relative in DOWNLOADS:
        return download(relative)
    places = ", ".join(str(place) for place in PLACES)
    raise FileNotFoundError(f"{relative} is in none of {places}; see data/training/README.md")


def download(relative):
    """Fetch an official file or archive, and unpack or keep it when it is whole."""
    target = DOWNLOADED / relative
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    urllib.request.urlretrieve(DOWNLOADS[relative], part)
    if DOWNLOADS[relative].endswith(".tar.gz"):
        with tarfile.open(part) as archive:
            archive.extractall(DOWNLOADED, filter="data")
        part.unlink()
    else:
        part.replace(target)
    return target


def digests(examples):
    """The SHA-256 of each example's content, in bytes."""
    contents = (x.encode() if isinstance(x, str) else x.tobytes() for x in examples.x)
    return [hashlib.sha256(content).digest() for content in contents]


def canonical(examples, name=None):
    """Sort by the SHA-256 of the content (label second), then permute with a fixed seed.

    Of the examples called `name` the fingerprint, which does not depend on their order, is checked.
    """
    digest = digests(examples)
    order = sorted(range(len(examples)), key=lambda i: (digest[i], int(examples.y[i])))
    if name:
        everything = b"".join(digest[i] + bytes([examples.y[i]]) for i in order)
        fingerprint = hashlib.sha256(everything).hexdigest()
        if fingerprint != FINGERPRINTS[name]:
            raise ValueError(
                f"{name}: {len(order)} examples with fingerprint {fingerprint}, "
                f"expected {FINGERPRINTS[name]}; this is another version of the data"
            )
    return examples.take(np.array(order)[np.random.default_rng(0).permutation(len(order))])


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
        "cifar100-25k": cifar100_25k,
        "20news": lambda: texts("20news", newsgroups(), 1100),
        "reuters-r52": lambda: texts("reuters-r52", reuters(), 650),
        "reuters-r8": lambda: texts("reuters-r8", reuters(R8), 550),
        "sst2": sst2,
    }[name]()


def fashion_mnist():
    def values(part):
        with gzip.open(find(f"fashion-mnist/{part}-ubyte.gz")) as file:
            return np.frombuffer(file.read(), np.uint8)

    def read(part):
        x, y = values(f"{part}-images-idx3"), values(f"{part}-labels-idx1")
        return canonical(Examples(x[16:].reshape(-1, 1, 28, 28), y[8:]), f"fashion {part}")

    train, calibration = split(read("train"), 5000)
    return Dataset(10, train, calibration, read("t10k"), 0.286, 0.353)


def cifar10_test():
    """The 10 000 test images, half for calibration; nothing to train on."""
    rows = np.fromfile(cifar("cifar-10-batches-bin") / "test_batch.bin", np.uint8)
    rows = rows.reshape(-1, 3073)
    images = canonical(Examples(planes(rows[:, 1:]), rows[:, 0]), "cifar10 test")
    test, calibration = split(images, 5000)
    mean, std = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
    shape = (3, 1, 1)
    return Dataset(10, None, calibration, test, np.reshape(mean, shape), np.reshape(std, shape))


def cifar100():
    """A tenth of the training images are for calibration."""
    train, test = cifar100_images()
    train, calibration = split(train, 2500)
    return Dataset(100, train, calibration, test.take(np.arange(2500)), 0.48, 0.27)


def cifar100_25k():
    """All images to train on are for training, and of those for testing some are for calibration.

    The 2500 test images are those of `cifar100`.
    """
    train, held_out = cifar100_images()
    test, calibration = (held_out.take(np.arange(start, start + 2500)) for start in (0, 2500))
    return Dataset(100, train, calibration, test, 0.48, 0.27)


def cifar100_images():
    """The 25 000 images to train on, half of those published, and the 10 000 for testing."""

    def read(part):
        rows = np.fromfile(cifar("cifar-100-binary") / f"{part}.bin", np.uint8)
        rows = rows.reshape(-1, 3074)
        return Examples(planes(rows[:, 2:]), rows[:, 1])

    train = read("train")
    if len(train) == 50_000:
        known = {bytes(row) for row in np.load(CIFAR100_IMAGES)}
        train = train.take([i for i, digest in enumerate(digests(train)) if digest[:6] in known])
    return canonical(train, "cifar100 train"), canonical(read("test"), "cifar100 test")


def planes(rows):
    return rows.reshape(-1, 3, 32, 32)


def cifar(folder):
    """A folder of official binary files, from the local mosaics where these are."""
    script = ROOT.parent / "shared" / "datasets" / "unpack_cifar.py"
    if script.exists() and not (DOWNLOADED / folder).exists():
        subprocess.run([sys.executable, script, DOWNLOADED], check=True)
    return find(folder)


R8 = ("acq", "crude", "earn", "grain", "interest", "money-fx", "ship", "trade")


def newsgroups():
    """Training and test messages of 20 Newsgroups by date, without their headers."""

    def read(part):
        with gzip.open(find(f"20news-bydate-{part}.jsonl.gz"), "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        return [(row["label"], row["text"].partition("\n\n")[2]) for row in rows]

    return read("train"), read("test")


def reuters(topics=None):
    """Training and test documents of Reuters R52, restricted to some topics (R8) or not."""

    def read(part):
        with gzip.open(find(f"reuters-r52-{part}.txt.gz"), "rt", encoding="utf-8") as lines:
            rows = [line.rstrip("\n").split("\t") for line in lines]
        return [(topic, text) for topic, text in rows if topics is None or topic in topics]

    return read("train"), read("test")


def sst2():
    def read(part):
        with gzip.open(find(f"sst2-{part}.tsv.gz"), "rt", encoding="utf-8") as lines:
            rows = [line.rstrip("\n").split("\t") for line in lines]
        return [(label, text) for text, label in rows]

    return encode(
        *(numbered(read(part), "01", f"sst2 {part}") for part in ("train", "dev", "test"))
    )


def texts(name, parts, held_out):
    topics = sorted({topic for topic, _ in parts[0]})
    train = numbered(parts[0], topics, f"{name} train")
    return encode(*split(train, held_out), numbered(parts[1], topics, f"{name} test"))


def numbered(rows, topics, name):
    y = np.array([topics.index(topic) for topic, _ in rows], np.uint8)
    return canonical(Examples([text for _, text in rows], y), name)


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
