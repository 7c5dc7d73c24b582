"""Run the benchmarks and write their tables: `make bench`.

Each file ``bench_*.py`` is a section of README.md, each group of benchmarks in it a case. Each
benchmark says in ``extra_info`` which library it measures and how many times as fast as the best
other one calib has to be. ``table.py metrics`` runs ``bench_metrics.py`` alone and keeps the other
sections as they are; ``table.py growth`` measures how cost grows, see growth.py, ``table.py
stream`` a file of 4 GB, see stream.py.
"""

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
README = HERE / "README.md"
PATHS = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
ONE_THREAD = os.environ | {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONPATH": PATHS,
}
ABOUT = """# Benchmarks

Written by `make bench`; do not edit. One thread; all libraries on the same data in the same run.
Seconds of the processor, those of the fastest run; the spread is how much longer the median run
took. "Times calib" is how many times as long as calib a library took; a target is what the best
other library has to reach there: 3, or 10 with 1000 classes. "Plain numpy" is the same sums
without checks, weights or ties, see plain.py; calib may take 1.25 times as long. The plain NLL
reads one number a row, where calib checks them all; and the Brier score of 1000 classes cannot be
ten times as fast as others, as reading it once takes a third of its time. "Compiled" is the same
pass in numba, see compiled.py: it saves milliseconds of the ECE of a million rows, a third of
isotonic regression and nothing of the NLL, each less than importing numba and compiling takes, so
that calib does without.
"""
LIMIT = 1.25
OURS = {"calib": "calib", "plain": "plain numpy", "compiled": f"compiled, numba {version('numba')}"}


def run(path):
    """Return the benchmarks of a file, as pytest-benchmark writes them."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "benchmarks.json"
        command = [sys.executable, "-m", "pytest", str(path), "-q", "-p", "no:cacheprovider"]
        options = ["-o", "addopts=", "-o", "python_functions=bench_*"]
        benchmark = [f"--benchmark-json={report}", "--benchmark-timer=time.process_time"]
        subprocess.run(
            [*command, *options, *benchmark],
            cwd=ROOT,
            env=ONE_THREAD,
            check=True,
        )
        return json.loads(report.read_text())["benchmarks"]


def name_of(library):
    """Return the name and, of a package, the version of a library."""
    if library in OURS:
        return OURS[library]
    try:
        return f"{library.replace('_', '-')} {version(library.replace('_', '-'))}"
    except PackageNotFoundError:
        return library.replace("_", " ")


def rows(case, benchmarks):
    """Return the rows of one case, the fastest library first."""
    seconds = {b["extra_info"]["library"]: b["stats"]["min"] for b in benchmarks}
    ours = seconds["calib"]
    best = min((s for library, s in seconds.items() if library not in OURS), default=0)
    for b in sorted(benchmarks, key=lambda b: b["stats"]["min"]):
        library, target, stats = b["extra_info"]["library"], b["extra_info"]["target"], b["stats"]
        spread = f"{100 * (stats['median'] / stats['min'] - 1):.0f} %"
        verdict = ""
        if library == "calib" and target and best:
            verdict = f"{target:g}: {'met' if best >= target * ours else 'missed'}"
        elif library == "plain":
            verdict = f"{LIMIT:g}: {'met' if ours <= LIMIT * stats['min'] else 'missed'}"
        cells = (case, name_of(library), f"{stats['min']:.3g}", spread)
        last = (f"{stats['min'] / ours:.2g}", verdict)
        yield "| " + " | ".join(cells + last) + " |"


def section(name, benchmarks):
    """Return the section of one file: the versions and a table."""
    cases = {}
    for b in benchmarks:
        cases.setdefault(b["group"], []).append(b)
    versions = ", ".join(f"{package} {version(package)}" for package in ("numpy", "scipy", "torch"))
    return "\n".join(
        [
            f"## {name.capitalize()}",
            "",
            f"Python {platform.python_version()}, {versions}, {platform.machine()}.",
            "",
            "| case | library | CPU seconds | spread | times calib | target |",
            "|---|---|--:|--:|--:|---|",
            *(row for case, group in cases.items() for row in rows(case, group)),
            "",
        ]
    )


def main(names):
    kept = README.read_text() if README.exists() else ""
    sections = {
        match[1].lower(): match[0] for match in re.finditer(r"## (\w+)\n(?:(?!## ).*\n?)*", kept)
    }
    for path in sorted(HERE.glob("bench_*.py")):
        name = path.stem.removeprefix("bench_")
        if not names or name in names:
            sections[name] = section(name, run(path))
            README.write_text("\n".join([ABOUT, *sections.values()]))
    if not names or "growth" in names:
        subprocess.run([sys.executable, str(HERE / "growth.py")], env=ONE_THREAD, check=True)
    if not names or "stream" in names:
        subprocess.run([sys.executable, str(HERE / "stream.py")], env=ONE_THREAD, check=True)
    print(README.read_text())


if __name__ == "__main__":
    main(sys.argv[1:])
