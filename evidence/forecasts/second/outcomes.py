"""What the judge finds in the stand-ins: ``python -m evidence.forecasts.second.outcomes``.

These outcomes bind, ``data/forecasts/outcomes-2.csv``: whatever the code of the judge becomes, it
finds them in the stored stand-in, complete (``complete``) and with each of its holes. The holes
are made in a stand-in with three networks, which suffice to break a rule. An outcome is whether a
line has an answer, and which; the reason of none is in today's words. The command prints how
today's outcomes differ from those that are stored, and stores nothing.
"""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from evidence.claims.frames import read_table
from evidence.forecasts.second import stand_ins
from evidence.forecasts.second.judge_second import judge_lines, read_folder
from evidence.forecasts.second.registered import load_lines
from evidence.forecasts.second.stand_ins import HOLES, StandIn

OUTCOMES = "forecasts/outcomes-2.csv"
COMPLETE = "complete"
SOME = ("densenet-121", "hmc-cifar-10", "hmc-imdb")
CLOSE = 1e-6  # of a number, relatively: processors take sums in other orders


def outcome(stand_in: StandIn, folder: Path | str) -> pd.DataFrame:
    """Return what the judge finds in a stand-in, which is written to a folder for it."""
    return judge_lines(load_lines(), read_folder(stand_in.write(folder)).frames)


def with_hole(name: str) -> StandIn:
    """Return the stored stand-in as `name` says: complete, or three networks with a hole."""
    whole = stand_ins.stored()
    return whole if name == COMPLETE else HOLES[name](whole.only(SOME))


def load_outcomes() -> pd.DataFrame:
    """Return the outcomes that bind: one row a stand-in and line."""
    return read_table(OUTCOMES).fillna({"reason": ""})


def differing(today: pd.DataFrame, stored: pd.DataFrame) -> list[str]:
    """Return the lines of which an outcome differs from the one that is stored, by their ids.

    Examples
    --------
    >>> stored = pd.DataFrame({"id": ["a", "b"], "true": 1.0, "number": 2.0, "n": 3, "reason": ""})
    >>> differing(stored.assign(number=[2.0, 2.1]), stored)
    ['b']
    """
    today, stored = today.set_index("id"), stored.set_index("id").reindex(today["id"])
    numbers = np.isclose(
        today["number"], stored["number"], rtol=CLOSE, atol=CLOSE, equal_nan=True
    )
    truths = np.isclose(today["true"], stored["true"], equal_nan=True)
    # why a line has no answer is told in the words of today
    answered = (today["reason"] == "") == (stored["reason"] == "")
    counts = today["n"] == stored["n"]
    return today.index[~(numbers & truths & answered & counts)].tolist()


def main() -> None:
    """Print the lines of which an outcome differs, for each stand-in."""
    for name, stored in load_outcomes().groupby("stand_in", sort=False):
        with tempfile.TemporaryDirectory() as folder:
            today = outcome(with_hole(str(name)), folder)
        print(f"{name}: {', '.join(differing(today, stored)) or 'as stored'}")


if __name__ == "__main__":
    main()
