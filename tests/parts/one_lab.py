"""A lab of three steps, its solution, and a site that holds it."""

import zipfile

import nbformat
from helpers import ROOT
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from book.build.project import zipped

SETUP = "import numpy as np\nfrom book.show.labs import own_seed\nseed = own_seed()"
STEPS = {  # stub, solution, assertions
    "one-mean": (
        "mean = ...\nlarger = ...",
        "mean, larger = float(seed % 97), seed % 2 == 0",
        ["np.isclose(mean, seed % 97)", "larger is (seed % 2 == 0)"],
    ),
    "lab3-threshold": (
        "def threshold(error, review): ...",
        "def threshold(error, review):\n    return 1 - review / error",
        ["np.isclose(threshold(30, 1.5), 0.95)", "np.isclose(threshold(10, 5), 0.5)"],
    ),
    "one-table": (
        "table = ...\nvalues = ...",
        "table, values = {'a': 0.25, 'b': seed / 7}, np.arange(5) * 0.5 + seed",
        ["all(np.isclose(table[k], v) for k, v in {'a': 0.25, 'b': seed / 7}.items())",
         "np.allclose(values, np.arange(5) * 0.5 + seed)"],
    ),
}  # fmt: skip
RIGHT = {label: solution for label, (_, solution, _) in STEPS.items()}


def teachers():
    """A lab as the teacher has it, with three steps."""
    begin = "from book.show.handed_out import begin\nbegin('labs/one', '')"
    cells = [
        new_markdown_cell("# Lab 1: One"),
        new_code_cell(begin),
        new_code_cell(SETUP),
    ]
    for label, (stub, solution, tests) in STEPS.items():
        check = f"with check('{label}'):\n" + "\n".join(
            f"    assert {test}" for test in tests
        )
        for tag, source in (("stub", stub), ("check", check), ("solution", solution)):
            about = {"tags": [tag]} | ({} if tag == "solution" else {"exercise": label})
            cells.append(new_code_cell(source, metadata=about))
    return new_notebook(cells=cells, metadata={"calibration": {"page": "labs/one"}})


def answered(answers, before=""):
    """A student's notebook: what stands in the stubs, and a cell of the student's own before."""
    notebook = teachers()
    notebook.cells = [
        c for c in notebook.cells if "solution" not in c.metadata.get("tags", [])
    ]
    notebook.cells.insert(2, new_code_cell(before))
    for cell in notebook.cells:
        if "stub" in cell.metadata.get("tags", []):
            cell.source = answers.get(cell.metadata["exercise"], cell.source)
    return notebook


def site(folder):
    """A site with one lab, as far as a course needs it."""
    build = folder / "_build"
    keys, static = build / "sphinx/handouts/teacher/labs", build / "html/_static"
    keys.mkdir(parents=True)
    static.mkdir(parents=True)
    nbformat.write(teachers(), keys / "one.ipynb")
    code = {f"calibration-book/{p.relative_to(ROOT).as_posix()}": p.read_bytes()
            for room in ("book", "calib", "evidence") for p in (ROOT / room).rglob("*")
            if p.suffix in {".py", ".toml", ".html"}}  # fmt: skip
    files = code | {
        "calibration-book/data.json": b'{"labs/one": {"published/a.csv": "", "zoo/b.npz": ""}}',
        "calibration-book/data/published/a.csv": b"a\n",
        "calibration-book/data/zoo/b.npz": b"",
        "calibration-book/data/zoo/other.npz": b"",
        "exercises/labs/one.ipynb": nbformat.writes(answered({})).encode(),
        "exercises/measure/other.ipynb": b"{}",
        "README.md": b"read me",
    }
    (static / "exercises.zip").write_bytes(zipped(files))
    return build


def put_into_inbox(folder, name, members):
    """Write a zip as a platform does, of notebooks by their names in it."""
    with zipfile.ZipFile(folder / "inbox" / name, "w") as packed:
        for member, notebook in members.items():
            content = (
                notebook
                if isinstance(notebook, bytes)
                else nbformat.writes(notebook).encode()
            )
            packed.writestr(zipfile.ZipInfo(member, (2027, 1, 20, 12, 0, 0)), content)


def contents(folder, *rooms):
    """What files of some rooms hold, by name; half of a file is none."""
    files = (
        p
        for room in rooms
        for p in [folder / room, *sorted((folder / room).rglob("*"))]
    )
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files
            if p.is_file() and p.suffix != ".part"}  # fmt: skip
