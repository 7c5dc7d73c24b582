"""Download public predictions into the local copy, each file verified by its checksum."""

from evidence.sources import known_files, local_path
from evidence.sources.readers import Row


def download(names: list[str] | None = None, *, progress: bool = True) -> list[str]:
    """Download the files that are not in the local copy yet, each to a temporary name first.

    What named ones need comes with them. Returned is a line for each file that was not to be had.
    """
    import pooch
    import requests

    # several rows may share one file, which is fetched once
    by_address = {row["address"]: row for row in _rows_of(names)}
    through = {"downloader": pooch.HTTPDownloader(progressbar=progress, timeout=60)}
    failures = []
    for number, (address, row) in enumerate(by_address.items(), 1):
        print(
            f"[{number}/{len(by_address)}] {row['name']} ({int(row['bytes']):,} bytes)"
        )
        digest, path = f"sha256:{row['sha256']}", local_path(address)
        try:
            pooch.retrieve(
                address, digest, fname=path.name, path=path.parent, **through
            )
        except ValueError as error:
            failures.append(f"{row['name']}: refused: {error}")
        except (requests.RequestException, OSError) as error:
            failures.append(f"{row['name']}: not reached: {error}")
    return failures


def _rows_of(names: list[str] | None) -> list[Row]:
    """Return the rows of named sources and of what they need; by default all."""
    files = known_files()
    queue = list(files) if names is None else list(names)
    unknown = [name for name in queue if name not in files]
    if unknown:
        raise ValueError(
            f"names: no source {unknown[0]!r}; there are {', '.join(files)}"
        )
    for name in tuple(queue):
        # what is needed needs nothing itself: one round is enough
        queue += files[name]["needs"].split()
    return [files[name] for name in queue]
