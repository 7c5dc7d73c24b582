"""The verdicts of the first forecasts, and their scores."""

import pandas as pd
from helpers import ROOT

from evidence.forecasts import load_registered, verdicts

LINES = load_registered()


def test_the_stored_scores_are_those_of_the_stored_verdicts():
    """The verdicts are those of the rule that was fixed before the files were opened."""
    judged = verdicts.load_verdicts()
    assert len(judged) == len(LINES)
    kept = pd.read_csv(ROOT / "data" / "forecasts" / "scores.csv")
    pd.testing.assert_frame_equal(verdicts.scores_by_evidence(judged), kept, rtol=1e-8)
