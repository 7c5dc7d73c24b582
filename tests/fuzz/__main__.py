"""The long fuzz: `make fuzz`, or `python -m tests.fuzz CALLS`; writes counts to README.md."""

import sys
import time
from pathlib import Path

import matplotlib as mpl

from fuzz import corpus

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
    lines, totals, start = [], [0, 0, 0], time.monotonic()
    for name in corpus.public():
        counts, wrong = corpus.fuzz(name, n_calls, seed)
        row = [counts[kind] for kind in ("returned", "refused", "wrong")]
        totals = [total + one for total, one in zip(totals, row, strict=True)]
        lines.append(f"| `{name}` | {row[0]} | {row[1]} | {row[2]} |")
        for what, example in wrong.items():
            print(f"{name}: {what}: {example}", flush=True)
    lines.append(f"| **all** | {totals[0]} | {totals[1]} | {totals[2]} |")
    head = HEAD.format(seconds=corpus.SECONDS, calls=n_calls, seed=seed)
    Path(__file__).with_name("README.md").write_text(head + "\n".join(lines) + "\n")
    print(f"{sum(totals)} calls in {time.monotonic() - start:.0f} s, {totals[2]} wrong")
    return int(totals[2] > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
