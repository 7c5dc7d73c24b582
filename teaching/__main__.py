"""What only teachers get: `python -m teaching archive`, and a leaderboard: `… score`."""

import argparse
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat

from book.build.handouts import wheel_name
from book.build.project import BookError, Project, zipped
from book.build.slides import folder as slides_folder
from book.evidence import load_zoo
from calib.files import write_whole
from teaching import bank, reserved

ROOT = Path(__file__).resolve().parents[1]
LABS = "labs"
RESERVED = "cifar10-resnet44"  # the network whose logits are reserved; its labels play no part


def write_archive(project: Project, seed: int) -> Path:
    """Write `_build/teacher.zip`: solutions, labs, exam and key, reserved data, the library."""
    place = project.build / "teacher"
    shutil.rmtree(place, ignore_errors=True)
    handouts = project.build / "sphinx" / "handouts"
    if not handouts.is_dir():
        raise SystemExit("the notebooks are not built: make book")
    shutil.copytree(handouts / "teacher", place / "notebooks-with-solutions")
    print_labs(handouts, place)
    shutil.copy(ROOT / "teaching" / "discussions.md", place / "labs")
    write_exam(place / "exam", seed)
    (place / "reserved").mkdir()
    reserved.make(
        load_zoo(RESERVED).test.logits,
        secret(project),
        place / "reserved" / "reserved.npz",
        place / "reserved" / "labels-keep.npz",
    )
    build_wheel(place)
    if slides_folder(project).is_dir():
        shutil.copytree(slides_folder(project), place / "lectures")
    files = {p.relative_to(place).as_posix(): p for p in sorted(place.rglob("*")) if p.is_file()}
    packed = zipped({f"teacher/{name}": path.read_bytes() for name, path in files.items()})
    path = project.build / "teacher.zip"
    path.write_bytes(packed)
    return path


def build_wheel(place: Path) -> Path:
    """Write the library as one file that pip installs; setuptools leaves no trace in the tree."""
    with tempfile.TemporaryDirectory() as copy:
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, copy)
        compiled = shutil.ignore_patterns("__pycache__")
        for room in ("calib", "calib_report"):
            shutil.copytree(ROOT / room, Path(copy, room), ignore=compiled)
        command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(place)]
        done = subprocess.run([*command, copy], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"the library was not packed\n{done.stdout}{done.stderr}")
    return place / wheel_name()


def print_labs(handouts: Path, place: Path) -> None:
    """Write each lab, and its solution, as a page to print; as PDF too where Chromium is."""
    from nbconvert import HTMLExporter

    from book.build.site import print_pages

    exporter = HTMLExporter(template_name="basic", exclude_input_prompt=True)
    shutil.copytree(ROOT / "book" / "assets" / "mathjax", place / "labs" / "mathjax")
    pages = []
    for reader, mark in (("student", ""), ("teacher", "-solution")):
        for source in sorted((handouts / reader / LABS).glob("*.ipynb")):
            notebook = nbformat.read(source, as_version=4)
            notebook.cells.pop(1)  # fetches data, which paper needs not
            body, _ = exporter.from_notebook_node(notebook)
            page = place / "labs" / f"{source.stem}{mark}.html"
            page.write_text(SHEET.format(title=source.stem, body=body), encoding="utf-8")
            pages.append(page)
    try:
        print_pages({page: page.with_suffix(".pdf") for page in pages})
    except BookError as problem:
        print(f"labs are not printed: {problem}", file=sys.stderr)


SHEET = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>body {{ font: 15px/1.45 sans-serif; max-width: 48em; margin: 1em auto; }}
pre {{ background: #f3f3f3; padding: .5em; white-space: pre-wrap; }}
.anchor-link {{ display: none; }}</style>
<script>
MathJax = {{loader: {{load: ["core", "input/tex", "output/chtml", "a11y/assistive-mml"]}}}};
MathJax.tex = {{inlineMath: [["$", "$"]]}};
</script>
<script src="mathjax/startup.js" defer></script></head><body>{body}</body></html>
"""


def write_exam(place: Path, seed: int) -> None:
    """Write paper and key of the exam of a seed, and the whole bank: key, GIFT and QTI."""
    place.mkdir(parents=True)
    title = f"Calibration of neural networks, exam {seed}"
    (place / "paper.html").write_text(bank.paper(bank.exam(seed), title), encoding="utf-8")
    (place / "key.html").write_text(bank.key(bank.exam(seed), title), encoding="utf-8")
    questions, title = bank.drawn(seed), f"Calibration of neural networks, bank {seed}"
    (place / "bank-key.html").write_text(bank.key(questions, title), encoding="utf-8")
    (place / "bank.gift").write_text(bank.gift(questions), encoding="utf-8")
    bank.write_qti(questions, title, place / "bank-qti.zip")


def secret(project: Project) -> int:
    """Return what the reserved labels are drawn from: chosen once at random, told to nobody."""
    path = project.root / "teacher-secret.txt"
    if not path.is_file():
        write_whole(path, f"{secrets.token_hex(16)}\n".encode())
    return int(path.read_text(), 16)


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(prog="python -m teaching", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    packed = commands.add_parser("archive", help="write _build/teacher.zip")
    packed.add_argument("--seed", type=int, default=1, help="another seed, another exam")
    scored = commands.add_parser("score", help="score submissions of the reserved networks")
    scored.add_argument("labels", type=Path)
    scored.add_argument("submissions", type=Path, nargs="+")
    options = parser.parse_args(arguments)
    if options.command == "score":
        print(reserved.leaderboard(options.labels, options.submissions))
    else:
        print(f"wrote {write_archive(Project(ROOT), options.seed)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
