"""Print a version for each package that pyproject.toml names, drawn by lot among those allowed.

`python .ci/draw_versions.py SEED > constraints.txt`; the resolver then takes these or earlier ones.
"""

import random
import re
import subprocess
import sys
import tomllib
from pathlib import Path

EXTRAS = ("plots", "report", "sklearn", "study", "files", "onnx")


def lowest_versions():
    """The lowest allowed version of each package, by name."""
    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
    named = list(project["dependencies"])
    for extra in EXTRAS:
        named += project["optional-dependencies"][extra]
    return dict(
        re.fullmatch(r"([\w-]+)(?:\[.*\])?>=([\d.]+)", text).groups() for text in named
    )


def number(version):
    return tuple(map(int, version.split(".")))


def released(package):
    """All versions that the index has, without candidates and mended ones."""
    command = [sys.executable, "-m", "pip", "index", "versions", package]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    versions = re.search(r"Available versions: (.*)", printed).group(1).split(", ")
    return [version for version in versions if re.fullmatch(r"[\d.]+", version)]


def main():
    lot = random.Random(int(sys.argv[1]))
    for package, lowest in sorted(lowest_versions().items()):
        allowed = [v for v in released(package) if number(v) >= number(lowest)]
        print(f"{package}<={lot.choice(allowed)}")


if __name__ == "__main__":
    main()
