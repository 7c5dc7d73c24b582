"""Benchmarks run in the peers' environment, one thread, and never in the test suite."""

import os
from importlib.util import find_spec

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

if find_spec("torchmetrics") is None:
    collect_ignore_glob = ["*.py"]
