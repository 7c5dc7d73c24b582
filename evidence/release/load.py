"""Load the held-out outputs of one network, or a set of language models' answers. NumPy only."""

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).resolve().parent


def load(name: str, folder: Path = FOLDER) -> dict[str, Any]:
    """Return the arrays of a file by their names, after its checksum is verified.

    Parameters
    ----------
    name : str
        A network of ``zoo``, such as ``"fashion-resnet8-w8-s1"``, or answers of ``language``.
    folder : path, default: where this file lies
        The data set, unpacked.

    Returns
    -------
    dict
        Arrays; logits as float64, confidences from 0 to 1 (NaN: none), ``about`` as a dict.
    """
    folder = Path(folder)
    lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    expected = dict(line.split("  ", 1)[::-1] for line in lines)
    paths = {Path(path).stem: path for path in expected if path.endswith(".npz")}
    if name not in paths:
        raise ValueError(
            f"{name!r} is not in the data set; it holds {', '.join(sorted(paths))}"
        )
    content = (folder / paths[name]).read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if digest != expected[paths[name]]:
        raise ValueError(
            f"{paths[name]}: SHA-256 {digest}, expected {expected[paths[name]]}"
        )
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return {key: decoded(key, arrays[key]) for key in arrays}


def decoded(key: str, array: Any) -> Any:
    """Return an array as one computes with it: the files hold logits and confidences rounded."""
    if key == "about":
        return json.loads(str(array))
    if key.startswith("confidence_"):
        return np.where(array == 65535, np.nan, array / 60000)
    return array.astype(np.float64) if array.dtype == np.float16 else array
