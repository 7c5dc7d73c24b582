"""Lay out the cases as a package of their own, with a fixture for pytest, and build its wheel.

`python -m evidence.conformance.package` writes `_build/calibration-conformance`: the plugin beside
this file, the cases of `data/conformance`, the licence; and the wheel in its folder `dist`.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from evidence.conformance.compare_program import cases_folder

ROOT, HERE = Path(__file__).resolve().parents[2], Path(__file__).resolve().parent
BUILT = ROOT / "_build" / "calibration-conformance"


def lay_out(folder: Path) -> Path:
    """Write the package into a folder, which is emptied before."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(
        HERE / "plugin", folder, ignore=shutil.ignore_patterns("__pycache__")
    )
    cases = folder / "calibration_conformance" / "cases"
    cases.mkdir()
    for place in sorted(cases_folder().glob("*.json")):
        shutil.copy(place, cases)
    shutil.copy(ROOT / "LICENSE", folder)
    return folder


def main() -> None:
    folder = lay_out(BUILT)
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
    ]
    subprocess.run(
        [*build, "--wheel-dir", str(folder / "dist"), str(folder)], check=True
    )
    print(*sorted((folder / "dist").iterdir()))


if __name__ == "__main__":
    main()
