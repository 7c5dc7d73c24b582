"""Compare the stored ledger with the evidence, or store it: ``python -m book.evidence.claims``."""

import argparse
from difflib import unified_diff

from book.evidence.claims.ledger import ledger_csv
from book.evidence.data import data_folder


def main():
    """Print the difference, and store the ledger where the command line says so."""
    parser = argparse.ArgumentParser(prog="python -m book.evidence.claims", description=__doc__)
    parser.add_argument("--update", action="store_true", help="store the verdicts of today")
    update = parser.parse_args().update
    path, text = data_folder() / "ledger.csv", ledger_csv()
    old = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    for line in unified_diff(old, text.splitlines(), "stored", "judged anew", n=0, lineterm=""):
        print(line)
    if update:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
