"""Download and verify public predictions: ``python -m evidence.sources [NAME ...]``."""

import sys

from evidence.sources import local_folder
from evidence.sources.downloads import download


def main(names: list[str]) -> int:
    try:
        failures = download(names or None, progress=sys.stderr.isatty())
    except ValueError as error:
        failures = [" ".join(str(error).split())]
    if failures:
        summary = f"{len(failures)} files missing; run the same command again"
        print(*failures, summary, sep="\n", file=sys.stderr)
    else:
        print(f"all files are in {local_folder()}")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
