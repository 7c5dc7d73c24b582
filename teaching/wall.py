"""The wall: a submission runs on copies, which it leaves with one file of plain values.

The wall is the operating system's. In the workspace are the notebook, the lab's data, the modules
that students have and a scratch folder to write into, in memory and of limited size: no course, no
secret, no work of others, no network, no process but its own. What a submission writes to its
output is read here by size, and by `teaching.values` by form.
"""

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from teaching import student
from teaching.tables import CourseError

SECONDS_OF_NOTEBOOK = 300  # with all its answers
LARGEST_OUTPUT = 2**25  # bytes of all answers
LARGEST_SCRATCH = 2**28  # bytes of the folder that a notebook may write into
PATH = "/usr/bin:/bin"
COPIES, SCRATCH = "/workspace/copies", "/workspace/scratch"  # inside
HERE = Path(__file__).parent
USR = Path("/usr")
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache")
ALONE = ("ipc", "pid", "net", "uts")
USER = str(student.NOBODY)
CONTAINER_OPTIONS = (
    "--rm",
    "--network=none",
    "--read-only",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
    "--pids-limit=64",
    f"--memory={student.LIMITS['AS']}",
    f"--user={USER}:{USER}",
    f"--workdir={SCRATCH}",
    f"--tmpfs={SCRATCH}:mode=1777,size={LARGEST_SCRATCH}",
)
Questions = tuple[list[str], list[bytes]]  # names, and calls of functions


@dataclass(frozen=True)
class Workspace:
    """What a submission sees: copies in a folder, and how they are called inside."""

    outside: Path
    inside: str
    scratch: str  # the folder to write into
    seed: str = ""

    @property
    def environment(self) -> dict[str, str]:
        """Nothing of the teacher's is inherited."""
        support = f"{self.inside}/calibration-book"
        wheels = [f"{self.inside}/{path.name}" for path in self.outside.glob("*.whl")]
        return {
            "PATH": PATH,
            "PYTHONPATH": os.pathsep.join([support, *wheels]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "CALIB_DATA": f"{support}/data",
            "CALIB_SEED": self.seed,
            "MPLBACKEND": "Agg",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "HOME": self.scratch,
            "IPYTHONDIR": self.scratch,
            "MPLCONFIGDIR": self.scratch,
            "TMPDIR": self.scratch,
        }

    def python(self, interpreter: str) -> list[str]:
        """Return the command that runs the notebook inside."""
        return [interpreter, "-P", f"{self.inside}/student.py", self.inside]


CommandOf = Callable[[Workspace], list[str]]


@dataclass(frozen=True)
class Result:
    """What a workspace left: lines of answers, and why they are not all there."""

    lines: list[str]
    fault: str


def copy_into(
    outside: Path,
    notebook: Path,
    support: Path,
    data: Iterable[str],
    questions: Questions,
) -> None:
    """Copy what a submission needs into a folder, and nothing else."""
    shutil.copyfile(notebook, outside / "notebook.ipynb")
    shutil.copyfile(HERE / "student.py", outside / "student.py")
    (outside / "questions.pickle").write_bytes(pickle.dumps(questions))
    for path in [*support.parent.glob("*.whl"), *support.parent.glob("reserved.npz")]:
        shutil.copyfile(path, outside / path.name)
    inner = outside / "calibration-book"
    shutil.copytree(
        support, inner, ignore=shutil.ignore_patterns("data", "__pycache__")
    )
    (inner / "data" / "published").mkdir(parents=True)  # by this the folder is known
    for name in data:
        (inner / "data" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(support / "data" / name, inner / "data" / name)


def commands_with_bubblewrap(course: Path) -> CommandOf:
    """Return the function from a workspace to the command that runs its notebook in bubblewrap."""
    command = ["bwrap", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    command += [f"--unshare-{kind}" for kind in ALONE]
    if os.getuid() == 0:  # to become the user `nobody`, whom limits of processes bind
        command += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        command += ["--unshare-user", "--uid", USER, "--gid", USER]
    for path in (*map(Path, SYSTEM), *python_folders()):
        command += options_that_show(path)
        # a course beside Python, of which nothing is shown
        if course.is_relative_to(path):
            command += ["--tmpfs", str(course)]
    command += ["--proc", "/proc", "--dev", "/dev"]
    for folder in ("/dev/shm", SCRATCH):
        command += [
            "--perms",
            "1777",
            "--size",
            str(LARGEST_SCRATCH),
            "--tmpfs",
            folder,
        ]
    bare = ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", SCRATCH, "--"]

    def command_of(workspace: Workspace) -> list[str]:
        mount = ["--ro-bind", str(workspace.outside), workspace.inside]
        return [*command, *mount, *bare, *workspace.python(sys.executable)]

    return command_of


def python_folders() -> list[Path]:
    """Return the folders of this Python that are no part of the system's, then links to them."""
    names = {Path(sys.base_prefix), Path(sys.prefix)}
    folders = sorted({name.resolve() for name in names})
    shown = [USR]
    for path in (*folders, *sorted(names)):
        # below a folder, or a link, that is shown it is there
        if not any(path.is_relative_to(other) for other in shown):
            shown.append(path)
    return shown[1:]


def options_that_show(path: Path) -> list[str]:
    """Return options that show a path under its own name, in folders that every user may enter.

    Of a link this is its name alone: that to which it leads is shown as a folder of its own.
    """
    way = [folder for folder in reversed(path.parents) if folder != Path("/")]
    options = [
        option for folder in way for option in ("--perms", "0755", "--dir", str(folder))
    ]
    real = path.resolve()
    if real != path:
        return [*options, "--symlink", str(real), str(path)]
    return [*options, "--ro-bind-try", str(path), str(path)]


def commands_in_container(tool: str, image: str) -> CommandOf:
    """Return the function from a workspace to the command that runs its notebook in a container."""

    def command_of(workspace: Workspace) -> list[str]:
        # the image knows its Python
        variables = workspace.environment.items() - {("PATH", PATH)}
        return [
            tool,
            "run",
            *CONTAINER_OPTIONS,
            f"--volume={workspace.outside}:{workspace.inside}:ro",
            *(f"--env={name}={value}" for name, value in sorted(variables)),
            image,
            # the tool's own end would leave the container running
            *("timeout", "--signal=KILL", str(SECONDS_OF_NOTEBOOK)),
            *workspace.python("python"),
        ]

    return command_of


def command_as_another_user(workspace: Workspace) -> list[str]:
    """Return the command of a process that becomes the user `nobody` before it reads a notebook."""
    return workspace.python(sys.executable)


def command_without_wall(workspace: Workspace) -> list[str]:
    """Return the command of a process with the rights of who grades."""
    return [*workspace.python(sys.executable), "trusted"]


@dataclass(frozen=True)
class Wall:
    """A way to run a submission: its name, and the command for a workspace."""

    name: str
    command_of: CommandOf
    moved: bool = True  # whether the copies have another name inside

    def run(
        self,
        notebook: Path,
        support: Path,
        data: Iterable[str],
        seed: str,
        questions: Questions,
    ) -> Result:
        """Run a notebook of a submission; return what it answered, whatever it does."""
        with TemporaryDirectory(prefix="workspace-") as name:
            folder = Path(name)
            outside, work = folder / "copies", folder / "work"
            outside.mkdir()
            copy_into(outside, notebook, support, data, questions)
            _make_readable(folder)
            work.mkdir()
            work.chmod(0o777)
            workspace = Workspace(outside, str(outside), str(work), seed)
            if self.moved:
                workspace = Workspace(outside, COPIES, SCRATCH, seed)
            result = _run_within_limits(self.command_of(workspace), workspace, folder)
        names, calls = questions
        if len(result.lines) < len(names) + len(calls) and not result.fault:
            return Result(result.lines, "ended before all was answered")
        return result


def _make_readable(folder: Path) -> None:
    """Let every user read the copies, also where the teacher's files are the teacher's alone."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)


def _run_within_limits(
    command: list[str], workspace: Workspace, folder: Path
) -> Result:
    """Run a command until it ends, takes too long or writes too much."""
    answers, errors = folder / "answers.jsonl", folder / "errors"
    with answers.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=workspace.environment | {"PATH": os.environ["PATH"]},
            cwd=folder / "work",
            start_new_session=True,
        )
        try:
            fault = _wait(process, (answers, errors))
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    with answers.open("rb") as file:
        text = file.read(LARGEST_OUTPUT).decode("utf-8", errors="replace")
    lines = text.split("\n")[:-1]  # what follows the last end of a line is half of one
    with errors.open("rb") as file:
        complaint = file.read(2000).decode("utf-8", errors="replace").strip()
    last = complaint.rpartition("\n")[2]
    return Result(lines, fault or _fault_of_status(process.returncode, last))


def _wait(process: subprocess.Popen[bytes], outputs: tuple[Path, Path]) -> str:
    """Wait for the end of a process; return which limit it passed, nothing if none."""
    until = time.monotonic() + SECONDS_OF_NOTEBOOK
    pause = 0.01
    while process.poll() is None:
        if time.monotonic() > until:
            return f"took more than {SECONDS_OF_NOTEBOOK} seconds"
        if sum(path.stat().st_size for path in outputs) > LARGEST_OUTPUT:
            return f"wrote more than {LARGEST_OUTPUT >> 20} MB"
        time.sleep(pause)
        pause = min(0.1, 1.5 * pause)
    return ""


def _fault_of_status(status: int, last: str) -> str:
    """Return what a status says, with the last line of the errors; nothing of success."""
    if status == 0:
        return ""
    return f"ended with the status {status}" + (f": {last}" if last else "")


TRIAL = """
import os, numpy, matplotlib, pandas
try:
    seen = os.listdir({course!r}) != []
except OSError:
    seen = False
"""
MISSING = """no wall stands between the code of students and this machine:
{reasons}
{advice} a container (`--wall podman --image NAME`,
see README.md), or type --trust to run their code with your rights."""
INSTALL_OR_NAME = "Install bubblewrap (`apt-get install bubblewrap`), name"


def wall_fault(wall: Wall, course: Path, support: Path) -> str:
    """Return why a wall cannot be had here; nothing where it can.

    A submission of our own tries it, and looks for the course.
    """
    if wall.name == "user" and os.getuid() != 0:
        return "only root can become another user"
    source = TRIAL.format(course=str(course))
    cell = {"cell_type": "code", "source": [source]}
    with TemporaryDirectory() as folder:
        notebook = Path(folder, "trial.ipynb")
        notebook.write_text(json.dumps({"cells": [cell]}))
        try:
            result = wall.run(notebook, support, (), "", (["seen"], []))
        except FileNotFoundError as missing:
            return f"{missing.filename} is not installed"
    if result.lines == ['["value", true]']:
        return f"{course} can be read by everybody: chmod 700 {course}"
    if result.lines == ['["value", false]']:
        return ""
    return result.fault or "Python does not start"


def choose_wall(
    course: Path, support: Path, name: str, image: str, trust: bool
) -> Wall:
    """Return the wall that a teacher names, else the best that this machine has."""
    if trust:
        return Wall("trust", command_without_wall, moved=False)
    walls = _walls(course, image)
    reasons = []
    for wall in [walls[name]] if name else [walls["bubblewrap"], walls["user"]]:
        fault = wall_fault(wall, course, support)
        if not fault:
            return wall
        reasons.append(f"- {wall.name}: {fault}")
    advice = "Name" if shutil.which("bwrap") else INSTALL_OR_NAME
    raise CourseError(MISSING.format(reasons="\n".join(reasons), advice=advice))


def _walls(course: Path, image: str) -> dict[str, Wall]:
    """Return all walls by name."""
    walls = [
        Wall("bubblewrap", commands_with_bubblewrap(course)),
        Wall("user", command_as_another_user, moved=False),
    ]
    for tool in ("podman", "docker"):
        walls.append(Wall(tool, commands_in_container(tool, image)))
    return {wall.name: wall for wall in walls}
