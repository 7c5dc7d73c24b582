"""The long fuzz, `python -m tests.fuzz CALLS [NAME …]`: counts go to README.md and data/results.

All callables and all kinds of files, or those named; the tables keep what they have of the others.
"""

import csv
import sys
import tempfile
import time
from pathlib import Path

import matplotlib as mpl

from book.evidence.tables import csv_bytes
from calib.files import write_whole
from fuzz import corpus, files

RESULTS = Path(__file__).resolve().parents[2] / "data" / "results"
README = Path(__file__).with_name("README.md")
OF_CALLS = ("returned", "refused", "wrong")
OF_FILES = ("same", "other", "refused", "wrong")
OF_KILLS = ("killed", "orphans", "left", "same")
TEXT = """# Fuzz

Every public callable of `calib` is called with good arguments of which one is replaced by a bad or
odd one (`corpus.py`): another type, shape, length or size, NaN, infinity, a mask, strings, objects
that raise. It must return, or refuse by an error that `calib` itself raises. A warning, a foreign
error, an input that is changed, or more than {seconds} s of processor time is wrong. `make test`
makes a few calls of each; this is what `make fuzz` counted, seed {seed}.

{calls}

A whole file of each kind that is read (`files.py`) has bytes flipped, cut out, repeated or swapped.
It must be refused by an error of the reader, or read: as the same (the change lay where nothing is
read), or, where no checksum seals it, as other numbers: those that a second reader, of another
library or by hand, finds in the same bytes. `make test` changes a few.

{files}

`kills.py` kills a run ten times at random moments (SIGKILL), and then lets it end. Counted are the
processes and temporary files that outlived a kill, and whether what was made at last is, byte for
byte, what a run makes in peace.

{kills}

That containers, types of numbers, the order of samples and repetitions change no answer is asked of
every callable by `test_properties.py`, with samples that hypothesis draws: `FUZZ_EXAMPLES=100`
makes it ask long.
"""


def read(name):
    """The rows of a table, whole numbers as such; none where it is not there."""
    path = RESULTS / f"{name}.csv"
    rows = list(csv.DictReader(path.read_text().splitlines())) if path.exists() else []
    return [{k: int(v) if v.isdecimal() else v for k, v in row.items()} for row in rows]


def table(rows, kinds):
    """A Markdown table, with a last row of sums where all columns are numbers."""
    name = next(iter(rows[0]))
    lines = [f"| {name} | {' | '.join(kinds)} |", f"|---|{'---:|' * len(kinds)}"]
    lines += [f"| `{row[name]}` | {' | '.join(str(row[k]) for k in kinds)} |" for row in rows]
    if all(isinstance(row[kind], int) for row in rows for kind in kinds):
        sums = [str(sum(row[kind] for row in rows)) for kind in kinds]
        lines.append(f"| **all** | {' | '.join(sums)} |")
    return "\n".join(lines)


def readme(seed=1):
    """What README.md says, made from the tables."""
    return TEXT.format(
        seconds=corpus.SECONDS,
        seed=seed,
        calls=table(read("fuzz"), OF_CALLS),
        files=table(read("fuzz_files"), OF_FILES),
        kills=table(read("kills"), OF_KILLS),
    )


def counted(head, names, kinds, chosen, known, fuzz):
    """Yield a row for each name, of those chosen a new one."""
    known = {row[head]: row for row in known}
    for name in names:
        if chosen and name not in chosen and name in known:
            yield known[name]
            continue
        counts, wrong = fuzz(name)
        for what, example in wrong.items():
            print(f"{name}: {what}: {example}", flush=True)
        yield {head: name, **{kind: counts[kind] for kind in kinds}}


def main(n_calls=1000, *chosen, seed=1):
    """Fuzz callables and files and write the counts; the exit status says whether any was wrong."""
    mpl.use("Agg")
    start = time.monotonic()
    calls = counted(
        "callable",
        corpus.public(),
        OF_CALLS,
        chosen,
        read("fuzz"),
        lambda name: corpus.fuzz(name, int(n_calls), seed),
    )
    write_whole(RESULTS / "fuzz.csv", csv_bytes(list(calls)))
    with tempfile.TemporaryDirectory() as folder:
        held = files.corpus(Path(folder))
        changes = counted(
            "file",
            held,
            OF_FILES,
            chosen,
            read("fuzz_files"),
            lambda name: files.mutate(
                name, held[name], int(n_calls), Path(folder) / "changed", seed
            ),
        )
        write_whole(RESULTS / "fuzz_files.csv", csv_bytes(list(changes)))
    write_whole(README, readme(seed).encode())
    wrong = sum(row["wrong"] for name in ("fuzz", "fuzz_files") for row in read(name))
    print(f"{time.monotonic() - start:.0f} s, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
