"""Compare the stored ledger with the evidence, or store it: ``python -m evidence.claims``."""

import argparse
from datetime import UTC, datetime
from difflib import unified_diff

import pandas as pd

from calib.files import write_whole
from evidence.claims import ledger, log
from evidence.data import data_folder


def main():
    """Print the difference, and store the ledger where the command line says so."""
    parser = argparse.ArgumentParser(prog="python -m evidence.claims", description=__doc__)
    parser.add_argument("--update", action="store_true", help="store the verdicts of today")
    parser.add_argument("--because", metavar="WHY", help="why rules changed, for claims-log.csv")
    options = parser.parse_args()
    claims, lines = ledger.all_claims(), log.load_log()
    changed = log.unlogged(claims, lines)
    if options.update and changed and not options.because:
        parser.error(f"rules changed, say why with --because: {changed}")
    judged = pd.concat({part: ledger.judge_all(ledger.load_claims(part)) for part in ledger.PARTS})
    judged.insert(judged.columns.get_loc("as_mostly") + 1, "alone", ledger.quoted_alone(judged))
    if options.update and options.because:
        stored = pd.concat([ledger.load_ledger(part=part) for part in ledger.PARTS])
        today = datetime.now(UTC).date().isoformat()
        lines = log.lines(claims, lines, stored, judged, today, options.because)
        write_whole(data_folder() / "ledger/claims-log.csv", ledger.as_csv(lines).encode())
    for part in ledger.PARTS:
        name, text = ledger.file_name("ledger", part, "csv"), ledger.as_csv(judged.loc[part])
        compare(data_folder() / name, text, options.update)


def compare(path, text, update):
    """Print how a file of the ledger differs from the stored one; store it where asked to."""
    old = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    for line in unified_diff(old, text.splitlines(), "stored", "judged anew", n=0, lineterm=""):
        print(line)
    if update:
        write_whole(path, text.encode())


if __name__ == "__main__":
    main()
