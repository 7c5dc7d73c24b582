"""Make the files of this folder, with torch: ``.venv-zoo/bin/python data/saved/make.py``.

They hold what ``book.saved_files`` holds: thirty samples of three classes, as torch saves them.
"""

import sys
from pathlib import Path

import torch

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))
from book.saved_files import LOGITS, Y  # noqa: E402

z, y = torch.tensor(LOGITS), torch.tensor(Y)
names = ["cat", "dog", "hen"]
torch.save({"logits": z, "labels": y, "classes": names}, HERE / "dict.pt")
torch.save((z.float(), y), HERE / "pair.pth")
torch.save({"logits": z.bfloat16(), "y": y.int()}, HERE / "bfloat16.pt")
torch.save({"logits": torch.nn.Parameter(z.float()), "targets": y}, HERE / "gradient.pt")
torch.save({"logits": z.T.contiguous().T, "y": y}, HERE / "strided.pt")
torch.save({"model": torch.nn.Linear(3, 3), "y": y}, HERE / "model.pt")
