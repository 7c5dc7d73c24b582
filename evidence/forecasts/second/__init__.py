"""The second set: evidence that nobody here has seen, what is expected of it, and what judges.

``data/forecasts/registered-2.csv`` has a line a forecast, ``data/forecasts/registered-2-files.csv``
the files with what is needed of each. ``python -m evidence.forecasts.second FOLDER -o OUT`` judges
what is in a folder:

- ``networks/NAME.npz``: of a whole test set the labels ``y`` (n,), from zero, and ``logits`` or
  ``probabilities`` (n, K); the names are those of ``registered-2-files.csv``;
- ``tasks.csv``, one row a ``model`` and ``task``: ``tuning`` (base or instructed), ``pair`` (what a
  base model and those tuned from it share), ``parameters`` in billions, ``accuracy``,
  ``ece_stated`` and ``ece_logit`` in percent;
- ``subjects.csv``, one row a ``model`` and ``subject`` of MMLU (in lower case, with underscores):
  ``tuning`` (base or chat), ``pair``, ``n``, ``accuracy``, ``ece_before`` and ``ece_after`` a
  temperature in percent.

A cell without a number is empty. What has no answer is counted, with the reason.

`registered` loads the list. `network_frames` and `table_frames` read a folder into frames,
`line_rules` decides a line, `judge_second` judges all, `scoring` scores the forecasters. What the
judge finds in `stand_ins` is stored and binds (`outcomes`). What the ledger expects comes from
`new_networks` and `expected_by_ledger`, which has three modules for kinds of lines.

What the ledger expects was written beside the writer once; the list is sealed, and no command
changes it.
"""

from evidence.forecasts.second.judge_second import judge_lines
from evidence.forecasts.second.registered import load_lines

__all__ = ["judge_lines", "load_lines"]
