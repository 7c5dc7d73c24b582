"""Tests against other libraries run in an environment of their own: `make peers`."""

from importlib.util import find_spec

if find_spec("torchmetrics") is None:
    collect_ignore_glob = ["test_*.py"]
