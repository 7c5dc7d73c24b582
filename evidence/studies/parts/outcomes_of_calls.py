"""What comes of calls with something wrong: an answer, an error of our own, or a fault."""

import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

import calib
from evidence.pieces import ROOT
from evidence.rows import Row

Outcome = tuple[str, str]  # of a call, and an example that shows it
SEED = 3
N, K = 60, 3
RNG = np.random.default_rng(0)
Z = 2 * RNG.standard_normal((N, K))
Y = (Z + RNG.gumbel(size=Z.shape)).argmax(axis=1)
SCORE = RNG.random(N)
HIT = RNG.random(N) < SCORE
ROOMS = ("calib", "calib_report")
OURS = (ValueError, TypeError, OSError, calib.ConvergenceError)
SECONDS = 5  # of processor time that no call may take


def judged(
    call: Callable[[], Any], accepted: tuple[type[Exception], ...] = OURS
) -> tuple[str, Any]:
    """Call; return "returned", "refused" or what is wrong, and the answer or the error."""
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", r"\w+(Scaling|Calibration): ")  # our own
            verdict, answer = "returned", call()
    except Warning as warning:
        verdict, answer = f"warning: {str(warning)[:80]}", None
    except BaseException as error:
        inner = Path(traceback.extract_tb(error.__traceback__)[-1].filename)
        ours = any(inner.is_relative_to(ROOT / room) for room in ROOMS)
        ours |= isinstance(error, OSError) and error.filename is not None
        refused = ours and isinstance(error, accepted)
        verdict = (
            "refused"
            if refused
            else f"foreign {type(error).__name__}: {str(error)[:80]}"
        )
        answer = str(error)
    if time.process_time() - start > SECONDS:
        verdict = f"took {time.process_time() - start:.0f} s"
    return verdict, answer


def count_outcomes(
    outcomes: Iterable[Outcome], right: Iterable[str]
) -> tuple[Counter[str], dict[str, str]]:
    """Return how often each outcome came, and the first example of each that is wrong."""
    counts: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for verdict, example in outcomes:
        counts[verdict if verdict in right else "wrong"] += 1
        if verdict not in right:
            examples.setdefault(verdict, example)
    return counts, examples


def row_of_counts(head: str, name: str, kinds: Iterable[str], outcomes: Any) -> Row:
    """Return the counts of all kinds of outcomes; print an example of each that is wrong."""
    counts, examples = outcomes
    for fault, example in examples.items():
        print(f"{name}: {fault}: {example}", flush=True)
    return {head: name} | {kind: counts[kind] for kind in kinds}
