"""Compare the stored ledger with the evidence, or store it: ``python -m book.evidence.claims``."""

import argparse
from datetime import UTC, datetime
from difflib import unified_diff

from book.evidence.claims.ledger import as_csv, judge_all, load_claims, load_ledger
from book.evidence.claims.log import lines, load_log, unlogged
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
    path, judged = data_folder() / "ledger.csv", judge_all(claims)
    old = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    for line in unified_diff(old, as_csv(judged).splitlines(), "stored", "new", n=0, lineterm=""):
        print(line)
    if options.update:
        if options.because:
            today = datetime.now(UTC).date().isoformat()
            log = lines(claims, log, load_ledger(), judged, today, options.because)
            write_whole(data_folder() / "claims-log.csv", as_csv(log).encode())
        write_whole(path, as_csv(judged).encode())


if __name__ == "__main__":
    main()
