"""What several test files need."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


def skip_unless(present: bool, reason: str) -> None:
    """Skip the calling test where something optional is absent; fail instead when CI=true."""
    if present:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason} (an optional part is never absent in CI)")
    pytest.skip(reason)


def need_shared(relative: str) -> Path:
    """Return a path of the folder `shared` beside the checkout; skip where there is no folder."""
    if not SHARED.is_dir():
        pytest.skip("no folder `shared` beside this checkout")
    skip_unless((SHARED / relative).exists(), f"shared/{relative} is absent")
    return SHARED / relative
