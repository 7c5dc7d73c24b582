"""Forecasts of what evidence will show that nobody here has seen, and what judges them.

``data/forecasts/registered.csv`` has a line a forecast, ``data/forecasts/registered-files.csv`` the
files with what is needed of each. ``python -m evidence.forecasts FOLDER -o OUT`` judges what is in
a folder:

- ``predictions/NAME.npz``: labels ``y`` (n,) and ``logits`` (n, K) of a whole test set; of
  ``mnist`` also ``train_y`` and ``train_logits``;
- ``classifiers.csv``, one row an ImageNet network: ``family`` as the ledger writes it (VGG,
  ResNet, ViT, BiT), ``training`` (supervised, pretrained, distilled, zero-shot), ``parameters`` in
  millions, ``temperature``, and numbers ``_before`` and ``_after`` it, in percent;
- ``stated.csv``, one row an answer of a ``model`` to a ``question`` under a ``wording``:
  ``correct`` (0 or 1) and ``confidence`` (0 to 1), empty where there is none;
- ``kinds.csv``, the same with ``repeat``, and confidences ``stated``, ``token`` and ``vote``;
- ``originals/``: the sealed files themselves, under any name, known by their SHA-256.

`sealed_files` reads a folder into frames, `judge_first` judges the lines by the rule that was
registered with them (`former_rule`), `verdicts` scores what was found. The second list has a
package of its own, `second`.
"""

from evidence.forecasts.judge_first import judge_table, load_registered, scores

__all__ = ["judge_table", "load_registered", "scores"]
