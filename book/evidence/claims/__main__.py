"""Compare the stored ledger with the evidence, or store it: ``python -m book.evidence.claims``."""

import argparse
from datetime import UTC, datetime
from difflib import unified_diff

import pandas as pd

from book.evidence.claims.ledger import (
    PARTS,
    all_claims,
    as_csv,
    file_name,
    judge_all,
    load_claims,
    load_ledger,
    quoted_alone,
)
from book.evidence.claims.log import lines, load_log, unlogged
from book.evidence.data import data_folder
from calib.files import write_whole


def main():
    """Print the difference, and store the ledger where the command line says so."""
    parser = argparse.ArgumentParser(prog="python -m book.evidence.claims", description=__doc__)
    parser.add_argument("--update", action="store_true", help="store the verdicts of today")
    parser.add_argument("--because", metavar="WHY", help="why rules changed, for claims-log.csv")
    options = parser.parse_args()
    claims, log = all_claims(), load_log()
    changed = unlogged(claims, log)
    if options.update and changed and not options.because:
        parser.error(f"rules changed, say why with --because: {changed}")
    judged = pd.concat({part: judge_all(load_claims(part)) for part in PARTS})
    judged.insert(judged.columns.get_loc("as_mostly") + 1, "alone", quoted_alone(judged))
    if options.update and options.because:
        stored = pd.concat([load_ledger(part=part) for part in PARTS])
        today = datetime.now(UTC).date().isoformat()
        log = lines(claims, log, stored, judged, today, options.because)
        write_whole(data_folder() / "claims-log.csv", as_csv(log).encode())
    for part in PARTS:
        compare(file_name("ledger", part, "csv"), as_csv(judged.loc[part]), options.update)


def compare(name, text, update):
    """Print how a file of the ledger differs from the stored one; store it where asked to."""
    path = data_folder() / name
    old = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    for line in unified_diff(old, text.splitlines(), "stored", "judged anew", n=0, lineterm=""):
        print(line)
    if update:
        write_whole(path, text.encode())


if __name__ == "__main__":
    main()
