"""Compare the stored ledger with the evidence, or store it: ``python -m evidence.claims``."""

import argparse
from datetime import UTC, datetime
from difflib import unified_diff
from pathlib import Path
from textwrap import shorten

import pandas as pd

from calib.files import write_whole
from evidence.claims import ledger, log, stored
from evidence.claims.claim import (
    PARTS,
    Claim,
    all_claims,
    file_name,
    load_claims,
)
from evidence.claims.entry_types import ClaimError
from evidence.claims.likelihood_cache import cached_likelihood
from evidence.claims.vocabulary import unknown
from evidence.data import data_folder

LOG = "ledger/claims-log.csv"
SPREADS = ["effect", "scale"]
WIDTH = 200  # of a text that is printed


def main() -> None:
    """Print the difference, and store the ledger where the command line says so."""
    parser = command_line()
    options = parser.parse_args()
    try:
        run(parser, options)
    except ClaimError as error:
        parser.exit(2, f"{error}\n")


def run(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Do what the command line says; a ClaimError names an entry that is no claim."""
    if options.only:
        print_rows(ledger.judge_all([claim_named(options.only)]))
        return
    claims, lines = all_claims(), log.load_log()
    gathered = ledger.gather(claims, cached_likelihood())
    networks = stored.as_csv(gathered.networks)
    changed = log.unlogged(claims, lines, networks)
    if options.update and changed and not options.because:
        parser.error(f"rules or counts changed, say why with --because: {changed}")
    scales = gathered.scales()
    judged = {
        part: ledger.judge_all(load_claims(part), scales, gathered) for part in PARTS
    }
    if options.update and options.because:
        logged = lines_with(claims, lines, networks, judged, options.because)
        write_whole(data_folder() / LOG, stored.as_csv(logged).encode())
    for name, text in files_of(judged, gathered, scales).items():
        compare(data_folder() / name, text, options.update)


def claim_named(name: str) -> Claim:
    """Return the claim of a name; a ClaimError tells the nearest where there is none."""
    by_name = {claim.id: claim for claim in all_claims()}
    if name not in by_name:
        raise ClaimError(unknown("--only", name, by_name))
    return by_name[name]


def command_line() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m evidence.claims", description=__doc__
    )
    parser.add_argument(
        "--update", action="store_true", help="store what the evidence says today"
    )
    parser.add_argument(
        "--because", metavar="WHY", help="why rules changed, for claims-log.csv"
    )
    parser.add_argument(
        "--only", metavar="NAME", help="print what one claim finds; store nothing"
    )
    return parser


def lines_with(
    claims: list[Claim],
    lines: pd.DataFrame,
    networks: str,
    judged: dict[str, pd.DataFrame],
    because: str,
) -> pd.DataFrame:
    """Return the log with the rules and verdicts that changed, and why."""
    before = pd.concat([stored.load_ledger(part=part) for part in PARTS])
    after = pd.concat(judged.values())
    today = datetime.now(UTC).date().isoformat()
    return log.lines(claims, lines, networks, before, after, today, because)


def files_of(
    judged: dict[str, pd.DataFrame],
    gathered: ledger.Gathered,
    scales: dict[str, float],
) -> dict[str, str]:
    """Return the text of each file of the ledger, by its name below the folder of data."""
    whole = pd.concat([rows.assign(part=part) for part, rows in judged.items()])
    tables = {
        "ledger/ledger-networks.csv": gathered.networks,
        "ledger/ledger-spreads.csv": pd.DataFrame(scales.items(), columns=SPREADS),
        "ledger/ledger-pooled.csv": ledger.pooled(whole, gathered, scales),
    }
    for part, rows in judged.items():
        tables[file_name("ledger", part, "csv")] = rows
    return {name: stored.as_csv(table) for name, table in tables.items()}


def print_rows(judged: pd.DataFrame) -> None:
    """Print what each kind of evidence says, a column a line; long texts are cut."""
    for row in judged.to_dict("records"):
        for column, value in row.items():
            number = isinstance(value, float)
            text = f"{value:.4g}" if number else shorten(str(value), WIDTH)
            print(f"{column:12}{text}")
        print()


def compare(path: Path, text: str, update: bool) -> None:
    """Print how a file of the ledger differs from the stored one; store it where asked to."""
    old = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    for line in unified_diff(
        old, text.splitlines(), "stored", "judged anew", n=0, lineterm=""
    ):
        print(line)
    if update:
        write_whole(path, text.encode())


if __name__ == "__main__":
    main()
