"""Compare the stored ledger with the evidence, or store it: ``python -m evidence.claims``."""

import argparse
from datetime import UTC, datetime
from difflib import unified_diff
from pathlib import Path

import pandas as pd

from calib.files import write_whole
from evidence.claims import ledger, log
from evidence.claims.remembered import remembered_likelihood
from evidence.data import data_folder

SPREADS = ["effect", "scale"]


def main() -> None:
    """Print the difference, and store the ledger where the command line says so."""
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
    options = parser.parse_args()
    claims, lines = ledger.all_claims(), log.load_log()
    if options.only:
        chosen = [claim for claim in claims if claim.id == options.only]
        if not chosen:
            parser.error(f"--only: no claim has the id {options.only!r}")
        print(ledger.judge_all(chosen).T.to_string())
        return
    gathered = ledger.gather(claims, remembered_likelihood())
    networks = ledger.as_csv(gathered.networks)
    changed = log.unlogged(claims, lines, networks)
    if options.update and changed and not options.because:
        parser.error(f"rules or counts changed, say why with --because: {changed}")
    scales = gathered.scales()
    judged = {}
    for part in ledger.PARTS:
        judged[part] = ledger.judge_all(ledger.load_claims(part), scales, gathered)
    if options.update and options.because:
        stored = pd.concat([ledger.load_ledger(part=part) for part in ledger.PARTS])
        today = datetime.now(UTC).date().isoformat()
        after = pd.concat(judged.values())
        lines = log.lines(
            claims, lines, networks, stored, after, today, options.because
        )
        write_whole(
            data_folder() / "ledger/claims-log.csv", ledger.as_csv(lines).encode()
        )
    files = {"ledger/ledger-networks.csv": networks}
    spreads = pd.DataFrame(scales.items(), columns=SPREADS)
    files["ledger/ledger-spreads.csv"] = ledger.as_csv(spreads)
    whole = pd.concat([rows.assign(part=part) for part, rows in judged.items()])
    files["ledger/ledger-pooled.csv"] = ledger.as_csv(
        ledger.pooled(whole, gathered, scales)
    )
    for part in ledger.PARTS:
        files[ledger.file_name("ledger", part, "csv")] = ledger.as_csv(judged[part])
    for name, text in files.items():
        compare(data_folder() / name, text, options.update)


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
