"""Files of weights that Yerlan Idelbayev has published (BSD 2-clause), by their SHA-256.

https://github.com/akamaster/pytorch_resnet_cifar10
"""

import hashlib
import os
from pathlib import Path

from evidence.training import datasets

COMMIT = "d5489e8995e81e91ce6b1d69dcc98ad579b0b153"
DOWNLOADED = datasets.ROOT / "_build" / "weights"
FOLDER = f"akamaster/pytorch_resnet_cifar10/{COMMIT}/pretrained_models"
FILES = {
    20: "resnet20-12fca82f.th",
    32: "resnet32-d509ac18.th",
    44: "resnet44-014dd654.th",
    56: "resnet56-4bfd9763.th",
}


def weights_file(depth: int) -> Path:
    """The file of weights, from the copy that ``CALIB_SOURCES`` names, or downloaded.

    Its name holds the start of its SHA-256.
    """
    name, path = FILES[depth], DOWNLOADED / FILES[depth]
    if sources := os.environ.get("CALIB_SOURCES"):
        listed = Path(sources) / FOLDER / name
        path = listed if listed.exists() else path
    if not path.exists():
        datasets.download(f"https://raw.githubusercontent.com/{FOLDER}/{name}", path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if not digest.startswith(name.split("-")[1].removesuffix(".th")):
        raise ValueError(f"{path}: SHA-256 {digest} is not the one in the name {name}")
    return path
