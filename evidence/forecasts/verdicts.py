"""What the opened files showed: ``python -m evidence.forecasts.verdicts`` scores it."""

import pandas as pd

from calib.files import write_whole
from evidence.data import csv_frame, data_folder, read_declared
from evidence.forecasts.judge_first import load_registered, scores

COLUMNS_OF_VERDICTS = ["probability", "verdict", "true"]


def load_verdicts() -> pd.DataFrame:
    """Return the forecasts with what was found, by the rule that was fixed before."""
    verdicts = csv_frame(read_declared("forecasts/verdicts.csv"))
    lines = load_registered().drop(columns="evidence")
    return lines.merge(verdicts, on="id", validate="one_to_one")


def scores_by_evidence(judged: pd.DataFrame) -> pd.DataFrame:
    """Return the scores of all forecasts and of those of each kind of evidence, one a row."""
    by_evidence = {name: rows for name, rows in judged.groupby("evidence", sort=False)}
    rows = []
    for name, lines in {"all": judged, **by_evidence}.items():
        numbers = scores(lines[COLUMNS_OF_VERDICTS])
        numbers.pop("verdicts")
        rows.append({"evidence": name, **numbers})
    return pd.DataFrame(rows)


if __name__ == "__main__":
    table = scores_by_evidence(load_verdicts())
    text = table.to_csv(index=False, float_format="%.10g", lineterminator="\n")
    write_whole(data_folder() / "forecasts/scores.csv", text.encode())
