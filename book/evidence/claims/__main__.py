"""Compare the stored ledger with the evidence, or store it: ``python -m book.evidence.claims``."""

import argparse
from datetime import UTC, datetime

from book.evidence.claims.ledger import as_csv, judge_all, load_claims, load_ledger
from book.evidence.claims.log import lines, load_log, unlogged
from book.evidence.claims.stored import compare
from book.evidence.data import data_folder
from calib.files import write_whole


def main():
    """Print the difference, and store the ledger where the command line says so."""
    parser = argparse.ArgumentParser(prog="python -m book.evidence.claims", description=__doc__)
    parser.add_argument("--update", action="store_true", help="store the verdicts of today")
    parser.add_argument("--because", metavar="WHY", help="why rules changed, for claims-log.csv")
    options = parser.parse_args()
    claims, log = load_claims(), load_log()
    changed = unlogged(claims, log)
    if options.update and changed and not options.because:
        parser.error(f"rules changed, say why with --because: {changed}")
    judged = judge_all(claims)
    if options.update and options.because:
        today = datetime.now(UTC).date().isoformat()
        log = lines(claims, log, load_ledger(), judged, today, options.because)
        write_whole(data_folder() / "claims-log.csv", as_csv(log).encode())
    compare("ledger.csv", as_csv(judged), options.update)


if __name__ == "__main__":
    main()
