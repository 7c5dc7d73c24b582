"""The long fuzz, `python -m tests.fuzz CALLS`: counts go to README.md and data/results."""

import sys
import time
from pathlib import Path

import matplotlib as mpl

from calib.files import csv_bytes, write_whole
from fuzz import corpus

KINDS = ("returned", "refused", "wrong")
HEAD = """# Fuzz

Every public callable of `calib` is called with good arguments of which one is replaced by a bad or
odd one (`corpus.py`): another type, shape, length or size, NaN, infinity, a mask, strings, objects
that raise. It must return, or refuse by an error that `calib` itself raises. A warning, a foreign
error, an input that is changed, or more than {seconds} s of processor time is wrong. `make test`
makes a few calls of each; this is what `make fuzz` counted, {calls} calls of each, seed {seed}.

| callable | returned | refused | wrong |
|---|---:|---:|---:|
"""


def main(n_calls=1000, seed=1):
    """Fuzz every callable and write the counts; the exit status says whether any was wrong."""
    mpl.use("Agg")
    lines, rows, totals, start = [], [], [0, 0, 0], time.monotonic()
    for name in corpus.public():
        counts, wrong = corpus.fuzz(name, n_calls, seed)
        row = [counts[kind] for kind in KINDS]
        totals = [total + one for total, one in zip(totals, row, strict=True)]
        rows.append({"callable": name, **dict(zip(KINDS, row, strict=True))})
        lines.append(f"| `{name}` | {row[0]} | {row[1]} | {row[2]} |")
        for what, example in wrong.items():
            print(f"{name}: {what}: {example}", flush=True)
    lines.append(f"| **all** | {totals[0]} | {totals[1]} | {totals[2]} |")
    head = HEAD.format(seconds=corpus.SECONDS, calls=n_calls, seed=seed)
    Path(__file__).with_name("README.md").write_text(head + "\n".join(lines) + "\n")
    write_whole(Path("data/results/fuzz.csv"), csv_bytes(rows))
    print(f"{sum(totals)} calls in {time.monotonic() - start:.0f} s, {totals[2]} wrong")
    return int(totals[2] > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
