"""What every test run starts from."""

import os

for name in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{name}_NUM_THREADS", "1")
os.environ.pop("CALIB_DECLARED", None)
