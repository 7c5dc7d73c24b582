"""Judge the second set on a folder of evidence: ``python -m evidence.forecasts.second FOLDER``."""

import argparse
import json
from pathlib import Path

from evidence.forecasts.digests import digests
from evidence.forecasts.second.judge_second import (
    FROZEN_SECOND,
    answered,
    judge_lines,
    read_folder,
)
from evidence.forecasts.second.registered import load_lines, load_table
from evidence.forecasts.second.scoring import score_all


def main() -> None:
    """Write the verdicts, the scores of the three forecasters, and what could not be read."""
    program = "python -m evidence.forecasts.second"
    parser = argparse.ArgumentParser(prog=program, description=__doc__)
    parser.add_argument(
        "folder", type=Path, help="laid out as `evidence.forecasts.second` says"
    )
    parser.add_argument(
        "-o", "--out", required=True, type=Path, help="folder of what was found"
    )
    options = parser.parse_args()
    if not options.folder.is_dir():
        parser.error(f"{options.folder}: no such folder")
    content = read_folder(options.folder)
    if not content.frames:
        why = (
            "; ".join(content.notes)
            or "no file that data/forecasts/registered-2-files.csv lists"
        )
        parser.error(f"{options.folder}: it holds no evidence: {why}")
    judged = judge_lines(load_lines(), content.frames)
    scores = score_all(load_table(), judged)
    reasons = judged.loc[~answered(judged), "reason"].value_counts().to_dict()
    summary = {
        "answered": int(answered(judged).sum()),
        "no answer": reasons,
        "notes": list(content.notes),
        "frozen": digests(FROZEN_SECOND),
    }
    text = json.dumps(summary, indent=1)
    options.out.mkdir(parents=True, exist_ok=True)
    judged.to_csv(options.out / "verdicts-2.csv", index=False, lineterminator="\n")
    for name, table in scores.items():
        table.to_csv(
            options.out / f"scores-2-{name}.csv", index=False, lineterminator="\n"
        )
    (options.out / "summary-2.json").write_text(text + "\n", encoding="utf-8")
    print(text)
    for table in scores.values():
        print(table.to_string(index=False, float_format="%.3f"))


if __name__ == "__main__":
    main()
