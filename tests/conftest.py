"""What every test run starts from."""

import os

import helpers

for name in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{name}_NUM_THREADS", "1")
os.environ.pop("CALIB_DECLARED", None)


def pytest_runtest_setup(item):
    for mark in helpers.MARKED:
        helpers.MARKED[mark] = item.get_closest_marker(mark) is not None
