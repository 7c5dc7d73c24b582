"""Make the files of data/saved, with torch: ``.venv-zoo/bin/python tests/report/torch_files.py``.

They hold thirty samples of three classes, as torch saves them.
"""

from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parents[2] / "data" / "saved"


def write_files() -> None:
    """Write each file; torch is needed here alone, so the tests can read this module without."""
    import torch

    rng = np.random.default_rng(16)
    logits = np.round(rng.normal(scale=2, size=(30, 3)), 3)
    z, y = (
        torch.tensor(logits),
        torch.tensor((logits + rng.gumbel(size=(30, 3))).argmax(axis=1)),
    )
    names = ["cat", "dog", "hen"]
    torch.save({"logits": z, "labels": y, "classes": names}, HERE / "dict.pt")
    torch.save((z.float(), y), HERE / "pair.pth")
    torch.save({"logits": z.bfloat16(), "y": y.int()}, HERE / "bfloat16.pt")
    torch.save(
        {"logits": torch.nn.Parameter(z.float()), "targets": y}, HERE / "gradient.pt"
    )
    torch.save({"logits": z.T.contiguous().T, "y": y}, HERE / "strided.pt")
    torch.save({"model": torch.nn.Linear(3, 3), "y": y}, HERE / "model.pt")


if __name__ == "__main__":
    write_files()
