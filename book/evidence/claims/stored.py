"""The stored verdicts beside those of today."""

import argparse
from difflib import unified_diff

from book.evidence.data import data_folder
from calib.files import write_whole


def compare(name, text, update):
    """Print how a ledger judged anew differs from the stored one; store it where `update` says so.

    Parameters
    ----------
    name : str
        Its file in the folder of the data.
    text : str
        The ledger judged anew, as it is stored.
    update : bool
    """
    path = data_folder() / name
    old = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    for line in unified_diff(old, text.splitlines(), "stored", "judged anew", n=0, lineterm=""):
        print(line)
    if update:
        write_whole(path, text.encode())


def run(module, name, text_of):
    """Carry out the command line of a ledger without a log, ``python -m MODULE [--update]``."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}")
    parser.add_argument("--update", action="store_true", help="store the verdicts of today")
    compare(name, text_of(), parser.parse_args().update)
