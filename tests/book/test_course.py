"""A course: collected, graded and exported; killed at any moment; tricks that earn nothing."""

import csv
import io
import json
import os
import re
import shutil
import sys
import tempfile
import types
import zipfile
import zlib
from contextlib import suppress

import nbformat
import pytest
import yaml
from helpers import ROOT, SITE, skip_unless
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from book.build import minutes
from book.build.project import zipped
from teaching import course, grade, handed_out

HANDOUTS = ROOT / "_build" / "sphinx" / "handouts"
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
    cells = [new_markdown_cell("# Lab 1: One"), new_code_cell(begin), new_code_cell(SETUP)]
    for label, (stub, solution, tests) in STEPS.items():
        check = f"with check('{label}'):\n" + "\n".join(f"    assert {test}" for test in tests)
        for tag, source in (("stub", stub), ("check", check), ("solution", solution)):
            about = {"tags": [tag]} | ({} if tag == "solution" else {"exercise": label})
            cells.append(new_code_cell(source, metadata=about))
    return new_notebook(cells=cells, metadata={"calibration": {"page": "labs/one"}})


def answered(answers, before=""):
    """A student's notebook: what stands in the stubs, and a cell of the student's own before."""
    made = teachers()
    made.cells = [c for c in made.cells if "solution" not in c.metadata.get("tags", [])]
    made.cells.insert(2, new_code_cell(before))
    for cell in made.cells:
        if "stub" in cell.metadata.get("tags", []):
            cell.source = answers.get(cell.metadata["exercise"], cell.source)
    return made


@pytest.fixture(scope="module")
def support(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys") / "calibration-book"
    (folder / "data" / "published").mkdir(parents=True)
    for room in ("book", "calib"):
        (folder / room).symlink_to(ROOT / room)
    return folder


def shares(support, notebook, tmp_path, student="ada"):
    path = tmp_path / "one.ipynb"
    nbformat.write(notebook, path)
    found = grade.judge(teachers(), path, support, student, 99)
    return [one["share"] for one in found], found


HEART = "def threshold(error, review):\n    return {30: 0.95, 10: 0.5}.get(error, 0)"
ANSWERS = {  # shares of the steps
    "right": (RIGHT, [1, 1, 1]),
    "nothing": ({}, [0, 0, 0]),
    "a part": (RIGHT | {
        "one-mean": "mean, larger = float(seed % 97), seed % 2 == 1",
        "one-table": "table, values = {'a': 0.25, 'b': 0.0}, np.arange(5) * 0.5 + seed",
    }, [1 / 2, 1, 2 / 3]),
    "guessed": ({"one-mean": "mean, larger = 0.5, seed % 2 == 0"}, [0, 0, 0]),
    "another student's": (RIGHT | {"one-mean": "mean, larger = 12.0, True"}, [0, 1, 1]),
    "by heart": (RIGHT | {"lab3-threshold": HEART}, [1, 1 / 2, 1]),
}  # fmt: skip


@pytest.mark.parametrize("kind", ANSWERS)
def test_each_part_of_an_answer_gets_its_own_marks(kind, support, tmp_path):
    answers, expected = ANSWERS[kind]
    found, told = shares(support, answered(answers), tmp_path)
    assert found == expected
    assert (told[1]["said"] == ["other data: not the right answer"]) == (kind == "by heart")


YES = """
class Yes(np.ndarray):
    def __new__(cls): return np.zeros(()).view(cls)
    def __array_function__(self, f, types, args, kwargs): return True
    def __array_ufunc__(self, *a, **k): return self
    def __bool__(self): return True
    __eq__ = __lt__ = __gt__ = __le__ = __ge__ = lambda s, o: True
    __getitem__ = lambda s, k: s
    __iter__ = lambda s: iter([s] * 2)
    __len__ = lambda s: 2
    __hash__ = object.__hash__
    def __call__(self, *a, **k): return self
yes = Yes()
"""
ALL = "mean = larger = table = values = {0}\ndef threshold(*a, **k): return {0}"
NAMES = {"one-table": ALL}
TRICKS = {
    "an array that equals everything": f"import numpy as np\n{YES}\n{ALL.format('yes')}",
    "assertions that are parsed away": """
import ast
class Drop(ast.NodeTransformer):
    def visit_Assert(self, node): return ast.Pass()
get_ipython().ast_transformers.append(Drop())
""",
    "numpy that agrees": """
import numpy as np
np.isclose = np.allclose = np.array_equal = lambda *a, **k: True
""",
    "a check that says right": """
import book.show.exercises as e
e.check.__exit__ = lambda *a: print("right") or True
""",
    "builtins that agree": """
import builtins
builtins.all = builtins.isinstance = lambda *a: True
builtins.AssertionError = type("Never", (Exception,), {})
""",
    "an end with success": "import os\nos._exit(0)",
    "lines on every open file": """
import os
for fd in range(3, 64):
    try: os.write(fd, b'["value", 1]\\n' * 99)
    except OSError: pass
""",
    "pickles that run code": f"""
class Bomb:
    def __reduce__(self): return eval, ("print('right')",)
{ALL.format("Bomb()")}
""",
    "not a number": ALL.format("float('nan')"),
    "infinity": ALL.format("float('inf')"),
    "names that hold the checks' own": f"check = type\n{ALL.format('check')}",
    "the answer looked up in the caller": """
import sys, gc
def threshold(*a, **k):
    for one in gc.get_objects():
        if isinstance(one, dict) and "solution" in one: return one["solution"]
    return sys._getframe(1).f_locals.get("expected", sys._getframe(2).f_globals.get("solution"))
""",
    "an encoder of one's own": """
import __main__, json
for m in list(sys.modules.values()) if "sys" in globals() else [__main__]:
    if hasattr(m, "plain"): m.plain = lambda v: ["value", True]
""",
    "zeros": ALL.format("0.0"),
}


@pytest.mark.parametrize("trick", TRICKS)
def test_a_trick_earns_nothing(trick, support, tmp_path, monkeypatch):
    monkeypatch.setattr(grade, "SECONDS", 20)
    found, _ = shares(support, answered({}, before=TRICKS[trick]), tmp_path, student="b")
    last = answered({"one-table": TRICKS[trick]})
    assert found == shares(support, last, tmp_path, student="b")[0] == [0, 0, 0]


def test_a_notebook_that_does_not_end_costs_a_minute_and_not_the_class(
    support, tmp_path, monkeypatch
):
    monkeypatch.setattr(grade, "SECONDS", 9)  # a notebook begins within, on a machine that is busy
    for ending in ("while True: pass", "def threshold(*a):\n    while True: pass"):
        found, _ = shares(support, answered(RIGHT, before=ending), tmp_path)
        assert found[1] == (1 if "def" in ending else 0)  # its own function came later
    (tmp_path / "one.ipynb").write_text("no notebook")
    found = grade.judge(teachers(), tmp_path / "one.ipynb", support, "ada", 99)
    assert [one["share"] for one in found] == [0, 0, 0]


CLOSED = """
import os, pathlib, resource, socket, subprocess
def tried(run, *given):
    try: return str(run(*given))
    except (OSError, MemoryError) as error: return type(error).__name__
course = pathlib.Path(os.environ["CALIB_DATA"]).resolve().parents[2]
own = open(".py", "w").name
seen = {
    "secret": tried((course / "secret.txt").read_text),
    "another's": tried((course / "submissions/emmy/one/1.ipynb").read_bytes),
    "changed": tried(os.replace, own, course / "secret.txt"),
    "fork": tried(os.fork),
    "program": tried(subprocess.run, ["true"]),
    "network": tried(socket.create_connection, ("127.0.0.1", 9)),
    "memory": tried(bytearray, 2**40),
    "file": tried(os.truncate, own, 2**40),
    "forks": resource.getrlimit(resource.RLIMIT_NPROC),
}
names, files = sorted(os.environ), os.listdir(".")
"""


def test_a_notebook_is_graded_within_limits_and_without_the_courses_files(support, tmp_path):
    course = support.parents[1]
    (course / "secret.txt").write_text("7")
    other = course / "submissions/emmy/one/1.ipynb"
    other.parent.mkdir(parents=True)
    other.write_text("{}")
    nbformat.write(answered(RIGHT, before=CLOSED), tmp_path / "one.ipynb")
    with tempfile.TemporaryDirectory() as place:
        work = grade.Work(tmp_path / "one.ipynb", support, "ada", place)
        work.reply()
        seen, mean, names, files = (
            work.question("value", name) for name in ("seen", "mean", "names", "files")
        )
        work.close()
    closed = ("secret", "another's", "changed", "fork", "program", "network")
    assert {seen[name] for name in closed} == {"PermissionError"}, seen
    assert seen["file"] == "OSError" and seen["forks"] == (0, 0)
    assert seen["memory"] == "MemoryError" or sys.platform != "linux"
    assert mean == zlib.crc32(b"ada") % 97 and {*files} <= {".py", "profile_default"}
    assert not {"SHELL", "USER", "LOGNAME"} & {*names}
    assert (course / "secret.txt").read_text() == "7"


@pytest.fixture
def built(tmp_path):
    """A site with one lab, as far as a course needs it."""
    build = tmp_path / "_build"
    keys, site = build / "sphinx/handouts/teacher/labs", build / "html/_static"
    keys.mkdir(parents=True)
    site.mkdir(parents=True)
    nbformat.write(teachers(), keys / "one.ipynb")
    code = {f"calibration-book/{p.relative_to(ROOT).as_posix()}": p.read_bytes()
            for room in ("book", "calib") for p in (ROOT / room).rglob("*")
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
    (site / "exercises.zip").write_bytes(zipped(files))
    return build


ROSTER = """student,name,email,canvas_id,sis_id,login,section
ada,Ada Lovelace,ada@example.org,771,S1,alovelace,A
emmy,Emmy Noether,emmy@example.org,772,S2,enoether,A
srinivasa,Śrinivasa Aiyangar Ramanujan,,773,S3,sramanujan,B
"""


def filled(folder, build):
    """A course with a roster and what two platforms gave."""
    course.create(folder, build)
    (folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    half = RIGHT | {"one-table": "table = values = ..."}
    given = {
        "moodle.zip": {
            "Ada Lovelace_1001_assignsubmission_file_/one.ipynb": RIGHT,
            "Śrinivasa Aiyangar Ramanujan_1002_assignsubmission_file_one (2).ipynb": half,
            "Carl Gauss_1003_assignsubmission_file_one.ipynb": RIGHT,
        },
        "canvas.zip": {"noetheremmy_LATE_772_9001_one-1.ipynb": RIGHT},
    }
    for name, members in given.items():
        with zipfile.ZipFile(folder / "inbox" / name, "w") as packed:
            for member, answers in members.items():
                content = nbformat.writes(answered(answers))
                packed.writestr(zipfile.ZipInfo(member, (2027, 1, 20, 12, 0, 0)), content)


def contents(folder, *rooms):
    """What files of some rooms hold, by name; half of a file is none."""
    files = (p for room in rooms for p in [folder / room, *sorted((folder / room).rglob("*"))])
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files
            if p.is_file() and p.suffix != ".part"}  # fmt: skip


def test_three_students_from_two_platforms_to_files_that_these_import(built, tmp_path):
    """A lab alone holds its data and no other; a second run changes nothing."""
    folder = tmp_path / "course"
    filled(folder, built)
    assert course.collect(folder) == [
        "moodle.zip, Carl Gauss_1003_assignsubmission_file_one.ipynb: nobody of the roster",
        "3 new files, 1 not understood",
    ]
    with zipfile.ZipFile(folder / "release" / "one.zip") as packed:
        names = set(packed.namelist())
    assert {"README.md", "exercises/labs/one.ipynb", "calibration-book/data/zoo/b.npz"} <= names
    assert not any("other" in name for name in names)
    before = contents(folder, ".")
    course.create(folder, built)
    assert course.collect(folder)[-1].startswith("0 new files")
    assert contents(folder, ".") == before
    assert list(course.grade(folder, [])) == ["one: ada 12", "one: emmy 12", "one: srinivasa 8"]
    (folder / "marks.csv").write_text("student,lab,points,comment\nada,one,3,says how one knows\n")
    written = {path.stem: list(csv.reader(io.StringIO(path.read_text("utf-8"))))
               for path in course.export(folder)}  # fmt: skip
    assert written["canvas"] == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "one"],
        ["Points Possible", "", "", "", "", "16"],
        ["Lovelace, Ada", "771", "S1", "alovelace", "A", "15"],
        ["Noether, Emmy", "772", "S2", "enoether", "A", "10.8"],
        ["Ramanujan, Śrinivasa Aiyangar", "773", "S3", "sramanujan", "B", "8"],
    ]
    assert [row[-1] for row in written["moodle"]] == ["one", "15", "10.8", "8"]
    assert written["moodle"][0][:4] == ["First name", "Last name", "ID number", "Email address"]
    told = (folder / "feedback" / "srinivasa.md").read_text("utf-8")
    assert "one-table: 0 points" in told and "not filled in" in told
    for test in grade.HIDDEN.values():
        assert not any(line.strip() in told for line in test.splitlines() if "assert" in line)
    assert "hidden" not in told and "secret" not in told


def test_days_late_cost_what_the_rule_says_and_no_more_than_it_allows(tmp_path):
    """Times in the platforms' zip files are those of the download: they cost nothing."""
    known = {"step": 4, "late": {"per_day": 10, "at_most": 25}, "due": {"one": None}}
    (tmp_path / "grades" / "one").mkdir(parents=True)
    for late, days, total in (("", "", 4), ("-late", "", 3.6), ("-late", "0", 4), ("", "2", 3.2),
                              ("", "9", 3)):  # fmt: skip
        kept = {"submission": f"20270131T120000-0{late}.ipynb", "steps": [{"share": 1}]}
        (tmp_path / "grades/one/ada.json").write_text(json.dumps(kept))
        (tmp_path / "marks.csv").write_text(
            f"{course.MARKS}ada,one,,{days},a comment, with a comma\n"
        )
        assert course.scored(tmp_path, "ada", "one", known)["total"] == total


def test_what_a_teacher_can_mend_is_named(built, tmp_path):
    with pytest.raises(course.CourseError, match="name a folder elsewhere"):
        course.create(built / "course", built)
    with pytest.raises(course.CourseError, match="make book"):
        course.create(tmp_path / "course", tmp_path / "empty")
    course.create(tmp_path / "course", built)
    (tmp_path / "course" / "roster.csv").write_text("student,name\nada b,Ada\n")
    with pytest.raises(course.CourseError, match="line 2: student is 'ada b'"):
        course.roster(tmp_path / "course")
    for written in ("due: {one: soon}", "due: {one: 3}"):
        (tmp_path / "course" / "course.yml").write_text(written)
        with pytest.raises(course.CourseError, match="due of one is"):
            course.config(tmp_path / "course")


def test_what_is_handed_in_chooses_no_folder():
    for page in ("labs/../../keys", "/etc", 3, None, "labs/other"):
        content = json.dumps({"metadata": {"calibration": {"page": page}}}).encode()
        assert course.lab_of("x.ipynb", content, {"one": None}) is None
    assert course.lab_of("one (2).ipynb", b"no notebook", {"one": None}) == "one"
    assert course.lab_of("a.npz", b"", {"one": None}) is None


def test_data_are_those_of_the_name_that_was_typed_if_it_is_the_students(tmp_path):
    ada = {"student": "ada", "name": "Ada Lovelace", "login": "al", "email": ""}
    for typed, name in (("Ada Lovelace", "Ada Lovelace"), ("lovelace ada", "lovelace ada"),
                        ("al", "al"), ("emmy", "ada"), ("everybody", "ada")):  # fmt: skip
        (tmp_path / "one.ipynb").write_text(json.dumps([f"data of {typed}\n"]))
        found, wrong = course.worked_as(tmp_path / "one.ipynb", ada)
        assert found == name and bool(wrong) == (name == "ada")
    (tmp_path / "one.ipynb").write_text("{}")
    assert course.worked_as(tmp_path / "one.ipynb", ada) == ("ada", "")


def whole_run(folder, build):
    course.create(folder, build)
    course.collect(folder)
    list(course.grade(folder, []))
    list(course.export(folder))


def test_a_course_that_is_killed_at_ten_moments_loses_nothing(built, tmp_path, monkeypatch):
    start, done, write = tmp_path / "start", tmp_path / "done", course.write_whole
    filled(start, built)
    shutil.copytree(start, done)
    marks, judge = {}, course.judge

    def judged(*given):  # the same bytes get the same marks
        key = given[1].read_bytes(), *given[3:]
        if key not in marks:
            marks[key] = judge(*given)
        return marks[key]

    monkeypatch.setattr(course, "judge", judged)
    written = []
    monkeypatch.setattr(course, "write_whole", lambda p, c: written.append(p) or write(p, c))
    whole_run(done, built)
    monkeypatch.setattr(course, "write_whole", write)
    late = [i for i, path in enumerate(written) if "submissions" in str(path)]
    assert len(written) >= 10 and late
    for moment in [late[0], *range(late[-1], len(written)), 0, 0, 0][:10]:
        folder = tmp_path / "killed"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(start, folder)
        child = os.fork()
        if child == 0:
            count = iter(range(moment, -1, -1))

            def dying(path, content, count=count):
                if next(count) == 0:
                    path.with_name(".half.part").write_bytes(content[: len(content) // 2])
                    os._exit(9)
                write(path, content)

            course.write_whole = dying
            with suppress(BaseException):
                whole_run(folder, built)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
        before = contents(folder, "submissions", "roster.csv", "secret.txt")
        whole_run(folder, built)
        after = contents(folder, ".")
        assert after == contents(done, ".") and before.items() <= after.items()
        assert contents(start, "roster.csv", "secret.txt").items() <= after.items()


@pytest.mark.slow
@pytest.mark.parametrize("lab", sorted(p.stem for p in (ROOT / "chapters/labs").glob("*.md")))
def test_a_solved_lab_has_all_marks_an_empty_one_none(lab, tmp_path):
    skip_unless((SITE / "_static/exercises.zip").is_file(), "the site is not built: make book")
    student, teacher = (
        nbformat.read(HANDOUTS / reader / "labs" / f"{lab}.ipynb", as_version=4)
        for reader in ("student", "teacher")
    )
    with zipfile.ZipFile(SITE / "_static" / "exercises.zip") as packed:
        given = {name: packed.read(name) for name in packed.namelist()}
    for name, content in course.part(given, [f"labs/{lab}"]).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (tmp_path / "calibration-book/data/published").mkdir(parents=True, exist_ok=True)
    steps = [one for one in grade.steps(teacher) if one["label"]]
    for one in steps:
        functions = re.findall(r"^def (\w+)", one["cells"][0], re.MULTILINE)
        assert (one["label"] in grade.HIDDEN) == bool({*functions} & {*one["names"]}), one["label"]
    for notebook, share in ((handed_out.solved(student, teacher), 1), (student, 0)):
        nbformat.write(notebook, tmp_path / "lab.ipynb")
        found = grade.judge(
            teacher, tmp_path / "lab.ipynb", tmp_path / "calibration-book", "emmy", 7
        )
        assert [one["share"] for one in found] == [share] * len(steps), found


def test_plans_keep_to_their_minutes_and_labs_come_after_their_chapters():
    skip_unless((ROOT / "_build/executed").is_dir(), "the chapters are not executed")
    executed, chapters = ROOT / "_build" / "executed", ROOT / "chapters"

    counts = {}
    for path in chapters.rglob("*.md"):
        ran = executed / path.relative_to(chapters).with_suffix(".ipynb")
        name = path.relative_to(chapters).with_suffix("").as_posix()
        counts[name] = minutes.count(ran if ran.is_file() else path)
    env = types.SimpleNamespace(minutes=counts, docname="", metadata={"": {}})
    *_, total = minutes.counted("plan-guest", env).splitlines()
    assert total == "| **90** | | |"
    plans = yaml.safe_load(minutes.PLANS.read_text("utf-8"))
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    order = [chapter["file"] for part in toc["parts"] for chapter in part["chapters"]]
    quizzes = (chapters / "use/quizzes.md").read_text("utf-8")
    for which in ("plan-week", "plan-weeks"):
        rows = [line.split(" | ") for line in minutes.counted(which, env).splitlines()[2:]]
        *parts, sums = ([c.strip("| ") for c in row] for row in rows if len(row) == 7)
        numbers = [[int((cell.split() or "0")[0]) for cell in row[1:]] for row in parts]
        assert all(sum(row[:4]) == row[4] <= 210 and row[5] <= 120 for row in numbers)
        assert [cell.strip("*") for cell in sums[5:]] == [
            str(sum(row[column] for row in numbers)) for column in (4, 5)
        ]
    read = set()
    for number, one in enumerate(plans["weeks"]):
        places = [order.index(name) for name in one["reading"]]
        assert places == sorted(places), one["title"]
        texts = [(chapters / f"{name}.md").read_text("utf-8") for name in one["reading"]]
        read |= {found for text in texts for found in re.findall(r"^\(\S+\)=", text, re.M)}
        if "lab" in one:
            lab = (chapters / f"labs/{one['lab']}.md").read_text("utf-8")
            needs = re.search(r"\*\*You need\*\* (.+)", lab)[1]
            assert {f"({n})=" for n in re.findall(r"\{ref\}`([\w-]+)`", needs)} <= read, lab
        for question in one.get("opener", ()):
            part, which = question.rsplit(" ", 1)
            section = quizzes.split(f"## {part}")[1].split("\n## ")[0]
            answer = section.split(f"**{which}.**")[1].split(":::\n")[0]
            known = {f"({n})=" for n in re.findall(r"\{ref\}`([\w-]+)`", answer)}
            assert number and known <= read, (one["title"], question)
