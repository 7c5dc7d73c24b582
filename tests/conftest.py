"""What every test run starts from."""

import os

import helpers

for name in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{name}_NUM_THREADS", "1")
os.environ.pop("CALIB_DECLARED", None)

LONG = [
    "pages_in_browser",
    "incremental",
    "workers",
    "explorables",
    "judge",
    "course",
    "ledger",
    "promises_of_the_library",
    "time_and_memory",
]


def pytest_collection_modifyitems(items):
    """Begin with the files that take longest, so that no process waits for one at the end."""
    place = {f"test_{name}.py": number for number, name in enumerate(LONG)}
    items.sort(key=lambda item: place.get(item.path.name, len(LONG)))


def pytest_runtest_setup(item):
    for mark in helpers.MARKED:
        helpers.MARKED[mark] = item.get_closest_marker(mark) is not None
