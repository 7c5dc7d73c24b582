"""The wall around submissions: what is behind it, and a class with hostile and broken hand-ins."""

import os
import pickle
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

import nbformat
import pytest
from helpers import skip_unless
from one_lab import RIGHT, answered, contents, put_into_inbox, site, teachers

from teaching import course, grade, judge
from teaching import wall as walls
from teaching.collect import collect
from teaching.export import export
from teaching.tables import CourseError
from teaching.values import Replies

PROBES = Path(__file__).with_name("probes.py").read_text("utf-8")


@pytest.fixture
def listening():
    """Sockets on this machine that nobody should reach, and what reached one."""
    messages = []
    tcp = socket.create_server(("127.0.0.1", 0))
    udp = socket.socket(type=socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    unix = socket.socket(socket.AF_UNIX)
    unix.bind("\0calibration-test")
    unix.listen()
    threading.Thread(target=lambda: messages.append(udp.recv(9)), daemon=True).start()
    yield tcp.getsockname()[1], udp.getsockname()[1], messages
    for open_socket in (tcp, unix):
        open_socket.close()


def test_nothing_of_the_teachers_is_behind_the_wall(
    support, wall, tmp_path, listening, monkeypatch
):
    tcp, udp, messages = listening
    monkeypatch.setenv("SHELL_OF_THE_TEACHER", "present")
    course = support.parents[1]
    (course / "secret.txt").write_text("7")
    teacher = {
        "course": str(course),
        "home": os.path.expanduser("~"),
        "tcp": tcp,
        "udp": udp,
        "unix": "calibration-test",
        "variable": "SHELL_OF_THE_TEACHER",
    }
    source = f"{PROBES}\nseen, names, files = outcomes(**{teacher})\n"
    nbformat.write(answered(RIGHT, before=source), tmp_path / "one.ipynb")
    before = contents(course, ".")
    names = ["seen", "names", "files", "mean"]
    ending = wall.run(tmp_path / "one.ipynb", support, (), "ab12", (names, []))
    replies = Replies(ending.lines, names, [], ending.fault)
    visible = replies.value("seen")
    assert len(visible) == 34 and not any(visible.values()), {
        k: v for k, v in visible.items() if v
    }
    assert not messages and contents(course, ".") == before
    assert replies.value("mean") == 0xAB12 % 97
    assert not {"SHELL_OF_THE_TEACHER", "USER", "LOGNAME"} & {*replies.value("names")}
    assert {*replies.value("files")} <= {".py", "link", "profile_default"}


ENDS = {  # what a hand-in does, and what the teacher is told
    "no notebook": (b"no notebook", "ended with the status 1: json.decoder.JSONDecodeError"),
    "no cells": (b"{}", "ended with the status 1: KeyError: 'cells'"),
    "hangs": ("import signal, time\nsignal.setitimer = print\nsignal.signal(signal.SIGALRM, "
              "signal.SIG_IGN)\nwhile True: time.sleep(9)", "took more than 3 seconds"),
    "kills": ("import os\nos.kill(os.getpid(), 9)", "ended with the status"),
    "leaves": ("import os\nos._exit(0)", "ended before all"),
    "floods": ("import os\nwhile True:\n    for fd in range(3, 9):\n        try: os.write(fd, "
               "b'x' * 2**20)\n        except OSError: pass", "wrote more than"),
}  # fmt: skip


@pytest.mark.parametrize("kind", ENDS)
def test_a_hand_in_that_breaks_is_told_in_a_line(
    kind, support, wall, tmp_path, monkeypatch
):
    source, fault = ENDS[kind]
    if kind == "hangs":
        monkeypatch.setattr(walls, "SECONDS_OF_NOTEBOOK", 3)
    path = tmp_path / "one.ipynb"
    if isinstance(source, bytes):
        path.write_bytes(source)
    else:
        nbformat.write(answered(RIGHT, before=source), path)
    judgement = judge.judge(teachers(), path, support, "ab12", "99", wall)
    assert [step["credit"] for step in judgement.credits] == [0, 0, 0]
    assert judgement.fault.startswith(fault) and "\n" not in judgement.fault


@pytest.mark.parametrize("steps", [1, 2])
def test_a_python_behind_links_is_behind_the_wall(
    steps, support, wall, tmp_path, monkeypatch
):
    """As `.venv` may be one to an environment elsewhere: a link, or a link to a link."""
    link = Path(sys.prefix)
    for step in range(steps):
        (tmp_path / f"{step}").symlink_to(link)
        link = tmp_path / f"{step}"
    monkeypatch.setattr(sys, "prefix", str(link))
    monkeypatch.setattr(sys, "executable", str(link / "bin" / "python"))
    course = support.parents[1]
    linked = walls.Wall("bubblewrap", walls.commands_with_bubblewrap(course))
    assert walls.wall_fault(linked, course, support) == ""


def test_of_a_linked_python_the_folder_and_the_name_are_shown_once(
    tmp_path, monkeypatch
):
    (tmp_path / "real" / "inner").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real" / "self").symlink_to("inner")
    real, link = tmp_path / "real", tmp_path / "link"
    for base, prefix, folders in (
        (real, link, [real, link]),
        (real, real / "self", [real]),  # the link is shown with it
        (link, link / "inner", [real, link]),
        ("/usr", link, [real, link]),
        ("/usr", "/usr/local", []),
        ("/usr2", "/usr2", [Path("/usr2")]),
    ):
        monkeypatch.setattr(sys, "base_prefix", str(base))
        monkeypatch.setattr(sys, "prefix", str(prefix))
        assert walls.python_folders() == folders


def test_a_machine_without_a_wall_says_what_is_missing(support, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    with pytest.raises(
        CourseError, match=r"bwrap is not installed[^$]*only root.*[^$]*--trust"
    ):
        walls.choose_wall(support.parents[1], support, "", "", trust=False)
    course = support.parents[1]
    assert walls.choose_wall(course, support, "", "", trust=True).name == "trust"


@pytest.mark.parametrize("is_there, advice", [(True, "\nName"), (False, "\nInstall")])
def test_what_was_found_is_not_to_be_installed(is_there, advice, tmp_path, monkeypatch):
    monkeypatch.setattr(
        shutil, "which", lambda name: "/usr/bin/bwrap" if is_there else None
    )
    monkeypatch.setattr(walls, "wall_fault", lambda *_: "no user namespaces")
    with pytest.raises(CourseError, match=rf"bubblewrap: no user[^$]*{advice}"):
        walls.choose_wall(tmp_path, tmp_path, "bubblewrap", "", trust=False)


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
    "the word right on every open file": """
import os
for fd in range(3, 64):
    try: os.write(fd, b'["raised", "right"]\\n' * 99)
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
    if hasattr(m, "plain_value"): m.plain_value = lambda v: ["value", True]
""",
    "zeros": ALL.format("0.0"),
}


REPRODUCED = {
    "marks and grades of one's own": """
import json, os
course = os.path.realpath(os.environ["CALIB_DATA"] + "/../../..")
root = os.open(course, os.O_RDONLY)
secret = os.read(os.open("secret.txt", os.O_RDONLY, dir_fd=root), 99)
key = json.loads(os.read(os.open("keys/one.ipynb", os.O_RDONLY, dir_fd=root), 10**7))
for cell in key["cells"]:
    if "solution" in cell["metadata"].get("tags", []): exec("".join(cell["source"]))
os.write(os.open("marks.csv", os.O_WRONLY | os.O_APPEND, dir_fd=root), b"eve,one,4,0,excellent\\n")
""",
    "what others are graded by": """
import glob, os
for path in glob.glob(os.environ["CALIB_DATA"] + "/../book/show/labs.py"):
    open(path, "a").write("\\ndef own_seed(everybody=0): return 1\\n")
for path in glob.glob("/**/submissions/**/*.ipynb", recursive=True): open(path, "w").write("{}")
""",
    "the end of the grading of all": "import os\nos.kill(os.getppid(), 9)",
    "the end of everybody": "import os\nos.kill(-1, 9)",
    "the checks of the lab, evaluated": """
import json, os
from pathlib import Path
from types import SimpleNamespace
checks = json.loads((Path(os.environ["CALIB_DATA"]).parent / "checks.json").read_text())
""",
}


HONEST = {
    "all": (RIGHT, 12),
    "half": (RIGHT | {"one-table": "table = values = ..."}, 8),
    "by heart": (RIGHT | {"lab3-threshold": "def threshold(error, review):\n    "
                          "return {30: 0.95, 10: 0.5}.get(error, 0)"}, 10),
    "nothing": ({}, 0),
}  # fmt: skip


def a_class():
    """Thirty-one hand-ins, hostile, broken and honest ones in turns; the points of each."""
    hostile = list((TRICKS | REPRODUCED).values())
    broken = [b"no notebook", *(source for source, _ in list(ENDS.values())[3:])]
    notebooks = [(answered({}, before=source), 0) for source in hostile]
    notebooks += [
        (b if isinstance(b, bytes) else answered(RIGHT, before=b), 0) for b in broken
    ]
    for answers, points in [
        *HONEST.values(),
        HONEST["all"],
        HONEST["half"],
        HONEST["by heart"],
    ]:
        notebooks.insert(4 * len(notebooks) // 9, (answered(answers), points))
    return notebooks


@pytest.mark.slow
def test_many_hand_ins_of_which_most_are_hostile_get_the_marks_that_are_true(
    tmp_path, wall, monkeypatch
):
    monkeypatch.setattr(walls, "SECONDS_OF_NOTEBOOK", 60)
    folder, handed_in = tmp_path / "course", a_class()
    assert len(handed_in) == 31
    course.create(folder, site(tmp_path))
    rows = [f"s{i:02},Student Number{i:02}" for i in range(31)]
    (folder / "roster.csv").write_text(
        "\n".join(["student,name", *rows]), encoding="utf-8"
    )
    put_into_inbox(folder, "moodle.zip", {
        f"Student Number{i:02}_{i}_assignsubmission_file_/one.ipynb": notebook
        for i, (notebook, _) in enumerate(handed_in)
    })  # fmt: skip
    assert list(collect(folder)) == ["31 new files, 0 not understood"]
    before = contents(
        folder, "keys", "submissions", "secret.txt", "roster.csv", "marks.csv"
    )
    lines = list(grade.grade(folder, [], "bubblewrap", "", False))
    assert len(lines) == 32
    remarks = [line for line in lines if "," in line]
    # the broken ones, a trick that ends and one that breaks itself
    assert len(remarks) == 6, remarks
    list(export(folder))
    table = (folder / "export" / "table.csv").read_text().splitlines()[1:]
    points = [float(row.split(",")[-1]) for row in table]
    assert points == [points for _, points in handed_in]
    assert contents(folder, *{name.split("/")[0] for name in before}) == before


@pytest.fixture
def workspace(tmp_path):
    return walls.Workspace(tmp_path, walls.COPIES, walls.SCRATCH, "ab12")


def test_a_workspace_inherits_nothing_and_writes_to_its_scratch_folder(workspace):
    (workspace.outside / "calib-1.whl").touch()
    (workspace.outside / "notebook.ipynb").touch()
    variables = workspace.environment
    book = "/workspace/copies/calibration-book"
    assert variables["PYTHONPATH"] == f"{book}:/workspace/copies/calib-1.whl"
    assert variables["CALIB_DATA"] == f"{book}/data"
    assert variables["CALIB_SEED"] == "ab12" and variables["PATH"] == "/usr/bin:/bin"
    for name in ("HOME", "TMPDIR", "IPYTHONDIR", "MPLCONFIGDIR"):
        assert variables[name] == "/workspace/scratch"
    assert not variables.keys() & {"USER", "LOGNAME", "SHELL"}


def test_the_copies_are_what_a_notebook_needs_and_no_more(tmp_path):
    """Of the data what the lab declares; no key, no course, nothing compiled."""
    keys, outside = tmp_path / "keys", tmp_path / "copies"
    outside.mkdir()
    for name in ("calib-1.whl", "reserved.npz", "labels-keep.npz", "one.ipynb",
                 "calibration-book/book/show.py", "calibration-book/data/zoo/a.npz",
                 "calibration-book/book/__pycache__/show.pyc",
                 "calibration-book/data/zoo/b.npz"):  # fmt: skip
        (keys / name).parent.mkdir(parents=True, exist_ok=True)
        (keys / name).write_text(name)
    (tmp_path / "in.ipynb").write_text("handed in")
    questions = ["mean"], [b"q"]
    support = keys / "calibration-book"
    walls.copy_into(outside, tmp_path / "in.ipynb", support, ["zoo/a.npz"], questions)
    copied = contents(outside, ".")
    assert set(copied) == {
        *("notebook.ipynb", "student.py", "questions.pickle", "calib-1.whl"),
        *("reserved.npz", "calibration-book/book/show.py"),
        "calibration-book/data/zoo/a.npz",
    }
    assert copied["notebook.ipynb"] == b"handed in"
    assert pickle.loads(copied["questions.pickle"]) == questions
    assert (outside / "calibration-book" / "data" / "published").is_dir()


@pytest.mark.parametrize("user", [0, 1000])
def test_bubblewrap_shares_no_network_and_shows_the_copies_read_only(
    user, workspace, tmp_path, monkeypatch
):
    """Root keeps what it needs to become nobody; everybody else is nobody by a user namespace."""
    monkeypatch.setattr(os, "getuid", lambda: user)
    line = " ".join(walls.commands_with_bubblewrap(Path("/nowhere"))(workspace))
    for kind in ("ipc", "pid", "net", "uts"):
        assert f"--unshare-{kind} " in line
    assert "--cap-drop ALL" in line
    assert ("--cap-add CAP_SETUID --cap-add CAP_SETGID" in line) == (user == 0)
    assert ("--unshare-user --uid 61187 --gid 61187" in line) == (user != 0)
    assert f"--ro-bind {tmp_path} /workspace/copies --remount-ro /dev" in line
    assert f"--size {2**28} --tmpfs /workspace/scratch" in line
    assert line.endswith(
        f"-- {sys.executable} -P /workspace/copies/student.py /workspace/copies"
    )


def test_a_course_beside_python_is_covered(workspace):
    course = Path("/usr/share/course")
    line = " ".join(walls.commands_with_bubblewrap(course)(workspace))
    assert f"--tmpfs {course}" in line
    elsewhere = " ".join(walls.commands_with_bubblewrap(Path("/nowhere"))(workspace))
    assert "--tmpfs /nowhere" not in elsewhere


@pytest.mark.parametrize(
    ("status", "last", "fault"),
    [
        (0, "a warning", ""),
        (1, "KeyError: 'x'", "ended with the status 1: KeyError: 'x'"),
        (-9, "", "ended with the status -9"),
    ],
)
def test_a_status_is_told_with_the_last_line_of_the_errors(status, last, fault):
    assert walls._fault_of_status(status, last) == fault


@pytest.mark.parametrize(
    ("lines", "fault", "told"),
    [
        (['["value", true]'], "", "/c can be read by everybody: chmod 700 /c"),
        (['["value", false]'], "", ""),
        ([], "no namespaces", "no namespaces"),
        ([], "", "Python does not start"),
    ],
)
def test_a_wall_is_one_where_a_submission_of_our_own_sees_no_course(
    lines, fault, told, tmp_path, monkeypatch
):
    asked = []

    def run(self, *given):
        asked.append(given)
        return walls.Result(lines, fault)

    monkeypatch.setattr(walls.Wall, "run", run)
    tried = walls.Wall("one", walls.command_without_wall)
    assert walls.wall_fault(tried, Path("/c"), tmp_path) == told
    ((_, support, data, seed, questions),) = asked
    assert (support, data, seed, questions) == (tmp_path, (), "", (["seen"], []))


def test_copies_have_another_name_inside_where_folders_can_be_mounted(
    workspace, tmp_path
):
    by_name = walls._walls(tmp_path, "labs")
    moved = {name: one.moved for name, one in by_name.items()}
    assert moved == {"bubblewrap": True, "user": False, "podman": True, "docker": True}
    commands = {name: one.command_of(workspace) for name, one in by_name.items()}
    assert {name: command[0] for name, command in commands.items()} == {
        "bubblewrap": "bwrap",
        "user": sys.executable,
        "podman": "podman",
        "docker": "docker",
    }
    assert "trusted" not in commands["user"]
    assert walls.command_without_wall(workspace) == [*commands["user"], "trusted"]


@pytest.mark.parametrize("tool", ["podman", "docker"])
def test_a_container_gets_copies_alone_has_no_network_and_ends_in_time(
    tool, workspace, tmp_path
):
    """How it is called; the tool itself is not run."""
    command = walls.commands_in_container(tool, "labs")(workspace)
    options, after = (
        command[: command.index("labs")],
        command[command.index("labs") + 1 :],
    )
    assert options[:3] == [tool, "run", "--rm"]
    assert {"--network=none", "--read-only", "--cap-drop=ALL"} <= {*options}
    assert (
        "--security-opt=no-new-privileges" in options and "--pids-limit=64" in options
    )
    volumes = [
        option for option in options if option.startswith(("--volume", "--mount", "-v"))
    ]
    assert volumes == [f"--volume={tmp_path}:/workspace/copies:ro"]
    variables = [
        option.partition("=")[2] for option in options if option.startswith("--env=")
    ]
    names = {variable.partition("=")[0] for variable in variables}
    assert (
        names == {*workspace.environment} - {"PATH"} and "CALIB_SEED=ab12" in variables
    )
    assert after[:3] == ["timeout", "--signal=KILL", "300"]
    assert after[3:] == [
        "python",
        "-P",
        "/workspace/copies/student.py",
        "/workspace/copies",
    ]


def test_docker_knows_each_option_that_it_is_given(workspace):
    """It reads them before it looks for its daemon, whose address here is nobody's."""
    skip_unless(shutil.which("docker") is not None, "docker is not installed")
    command = walls.commands_in_container("docker", "labs")(workspace)
    surroundings = {"PATH": os.environ["PATH"], "DOCKER_HOST": "tcp://127.0.0.1:1"}
    errors = {}
    for name, more in (("ours", []), ("unknown", ["--no-such-option"])):
        line = [*command[:2], *more, *command[2:]]
        done = subprocess.run(
            line, env=surroundings, capture_output=True, text=True, timeout=60
        )
        errors[name] = done.stderr
    assert "unknown flag" in errors["unknown"]
    assert "unknown flag" not in errors["ours"] and "127.0.0.1:1" in errors["ours"]


@pytest.mark.slow
def test_another_user_with_a_copy_is_a_wall_too(support, tmp_path):
    """Where root has no bubblewrap: nobody reads a course that is its owner's alone."""
    skip_unless(os.getuid() == 0, "only root can become another user")
    course = support.parents[1]
    course.chmod(0o755)
    user = walls.Wall("user", walls.command_as_another_user, moved=False)
    fault = walls.wall_fault(user, course, support)
    if "status" in fault:
        pytest.skip(f"nobody may read this Python: {fault}")
    assert "can be read by everybody" in fault
    course.chmod(0o700)
    assert walls.wall_fault(user, course, support) == ""
    assert shutil.which("true")
