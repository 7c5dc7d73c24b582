"""Judge the forecasts on a folder of evidence: ``python -m evidence.forecasts FOLDER``."""

import argparse
import json
from pathlib import Path

import calib
from evidence.forecasts.digests import digests
from evidence.forecasts.judge_first import (
    BINS,
    FROZEN_FIRST,
    judge_table,
    load_registered,
    scores,
)
from evidence.forecasts.sealed_files import frames, originals


def main() -> None:
    """Write the verdicts, the scores and a reliability diagram of the probabilities."""
    parser = argparse.ArgumentParser(
        prog="python -m evidence.forecasts", description=__doc__
    )
    parser.add_argument("folder", help="laid out as `evidence.forecasts` says")
    parser.add_argument(
        "-o", "--out", required=True, type=Path, help="folder of what was found"
    )
    options = parser.parse_args()
    if not Path(options.folder).is_dir():
        parser.error(f"{options.folder}: no such folder")
    judged = judge_table(load_registered(), frames(options.folder))
    if (judged.verdict == "no evidence").all():
        parser.error(
            f"{options.folder}: it holds no file that data/forecasts/registered-files.csv lists"
        )
    header = {"sealed files": originals(options.folder), "rules": digests(FROZEN_FIRST)}
    text = json.dumps(header | scores(judged), indent=1)
    options.out.mkdir(parents=True, exist_ok=True)
    judged.to_csv(options.out / "verdicts.csv", index=False, lineterminator="\n")
    (options.out / "scores.json").write_text(text + "\n", encoding="utf-8")
    known = judged.dropna(subset="true")
    if len(known):
        pairs = known["true"].astype(int), known["probability"]
        axes = calib.reliability_diagram(*pairs, bins=BINS, band=0.95)
        axes.figure.savefig(options.out / "reliability.svg")  # type: ignore[union-attr]
    print(text)


if __name__ == "__main__":
    main()
