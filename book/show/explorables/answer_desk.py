"""The desk that reads a reader's own table."""

from typing import Any

import numpy as np

from book.show import stills
from book.show.explorables.element import Contents, explorable


@explorable
def answer_desk(
    examples: list[tuple[str, str, Any]], score: np.ndarray, hit: np.ndarray
) -> Contents:
    """A desk that reads a table of yours and says how far its probabilities can be trusted.

    `examples` are a name, the name of a file and a data frame each; `score` and `hit` are drawn
    where no script runs.
    """
    shown = [
        {
            "name": name,
            "file": file,
            "text": frame.to_csv(index=False, float_format="%.4f"),
        }
        for name, file, frame in examples
    ]
    return shown, stills.reliability_diagrams(all=(score, hit))
