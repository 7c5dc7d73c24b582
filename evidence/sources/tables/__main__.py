"""Tidy a table of others: `python -m evidence.sources.tables NAME PATH`.

NAME is a module of this folder, which says what PATH is; `rows(PATH)` of it yields what is written
to ``data/tables/NAME.csv``.
"""

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from calib.files import write_whole
from evidence.data import csv_bytes, data_folder

HERE = Path(__file__).resolve().parent
TABLE_NAMES = sorted(
    path.stem for path in HERE.glob("*.py") if path.stem.strip("_") == path.stem
)


def main(argv: Sequence[str] | None = None, folder: Path | None = None) -> None:
    """Write the table that the command line names; without a folder to ``data/tables``."""
    parser = argparse.ArgumentParser(
        prog="python -m evidence.sources.tables", description=__doc__
    )
    parser.add_argument(
        "name", metavar="NAME", choices=TABLE_NAMES, help=", ".join(TABLE_NAMES)
    )
    parser.add_argument("path", metavar="PATH", type=Path)
    options = parser.parse_args(argv)
    rows = import_module(f"evidence.sources.tables.{options.name}").rows(options.path)
    folder = folder or data_folder() / "tables"
    write_whole(folder / f"{options.name}.csv", csv_bytes(list(rows)))


if __name__ == "__main__":
    main()
