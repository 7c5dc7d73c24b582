"""Download and verify public predictions: ``python -m book.evidence.sources``."""

import argparse
import sys

from book.evidence.sources import download, local_folder


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m book.evidence.sources",
        description="Download and verify public predictions.",
    )
    parser.add_argument("names", nargs="*", help="names in data/sources.csv; all by default")
    parser.add_argument("--quiet", action="store_true", help="no progress bars")
    options = parser.parse_args(arguments)
    try:
        failures = download(options.names or None, progress=not options.quiet)
    except ValueError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; files that were finished are kept", file=sys.stderr)
        return 130
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures:
        print(f"{len(failures)} files missing; run the same command again", file=sys.stderr)
        return 1
    print(f"all files are in {local_folder()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
