"""What a hand-in tries behind the wall: `test_wall.py` puts this program into a notebook's cell.

A probe takes the teacher's surroundings and returns what it reached; nothing, or an error, where
there is a wall.
"""

import ctypes
import glob
import os
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from multiprocessing import util
from types import SimpleNamespace

DATA = os.environ.get("CALIB_DATA", "")  # a wall sets it; who collects tests has none
PROBES = []  # in this order
libc = ctypes.CDLL(None, use_errno=True)


def outcomes(**surroundings):
    """Return what each probe reached, and which variables and files are here."""
    teacher = SimpleNamespace(**surroundings)
    reached = {probe.__name__: outcome(probe, teacher) for probe in PROBES}
    return reached, sorted(os.environ), sorted(os.listdir("."))


def outcome(probe, teacher):
    try:
        answer = probe(teacher)
    except BaseException:
        return None
    return answer if isinstance(answer, int | str | None) else repr(answer)


def probe(function):
    PROBES.append(function)
    return function


def seen(path):
    return os.path.exists(path) or None


@probe
def the_course(teacher):
    return seen(teacher.course)


@probe
def the_course_by_its_descriptor(teacher):
    root = os.open(os.path.realpath(DATA + "/../../.."), os.O_RDONLY)
    return os.read(os.open("secret.txt", os.O_RDONLY, dir_fd=root), 99)


@probe
def the_course_through_another_process(teacher):
    roots = glob.glob("/proc/[0-9]*/root") + glob.glob("/proc/[0-9]*/cwd")
    secrets = [root + teacher.course + "/secret.txt" for root in roots]
    return next(filter(os.path.exists, secrets), None)


@probe
def the_course_through_a_link(teacher):
    os.symlink("/proc/1/root" + teacher.course, "link")
    return os.listdir("link")[0]


@probe
def the_home_of_the_teacher(teacher):
    return seen(teacher.home + "/.bashrc") or seen("/root/.bashrc")


@probe
def another_environment(teacher):
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, errors="replace") as file:
                variables = file.read()
        except OSError:
            continue
        if teacher.variable in variables:
            return variables


@probe
def a_changed_module(teacher):
    beside_data = os.path.dirname(DATA) + "/x"
    for path in (DATA + "/../book/show/labs.py", beside_data, sys.prefix + "/x"):
        try:
            open(path, "a").close()
        except OSError:
            continue
        return path


@probe
def a_hard_link(teacher):
    os.link(DATA + "/../data.json", "mine")
    return "linked"


@probe
def a_renamed_module(teacher):
    os.rename(DATA + "/../book", DATA + "/../kalib")
    return "renamed"


@probe
def a_data_base(teacher):
    sqlite3.connect(DATA + "/../x.db").execute("create table x (y)")
    return "made"


@probe
def the_parent_killed(teacher):
    os.kill(os.getppid(), signal.SIGKILL)
    return "alive" if os.getppid() < 2 else None


@probe
def everybody_else(teacher):
    processes = sorted(name for name in os.listdir("/proc") if name.isdigit())
    return str(processes) if len(processes) > 2 else None


@probe
def limits_raised(teacher):
    resource.setrlimit(resource.RLIMIT_CPU, (10**6, 10**6))
    return "raised"


@probe
def limits_of_the_parent(teacher):
    resource.prlimit(1, resource.RLIMIT_CPU, (1, 1))
    return "set"


@probe
def root_again(teacher):
    os.setuid(0)
    return "root"


@probe
def root_by_ctypes(teacher):
    return libc.setresuid(0, 0, 0) == 0 or None


@probe
def a_mount(teacher):
    return libc.mount(b"none", b"/workspace", b"tmpfs", 0, None) == 0 or None


@probe
def a_remount(teacher):
    return libc.mount(None, b"/workspace/copies", None, 32, None) == 0 or None


@probe
def a_changed_root(teacher):
    os.chroot("/proc/1/root")
    return "changed"


@probe
def a_traced_process(teacher):
    return libc.ptrace(16, 1, 0, 0) == 0 or None


@probe
def a_device(teacher):
    os.mknod("disk", 0o60666, os.makedev(8, 0))
    return "made"


@probe
def a_fork(teacher):
    return os.fork() >= 0 and "forked"


@probe
def a_program(teacher):
    return subprocess.run(["/bin/true"]).returncode + 1


@probe
def a_program_by_a_back_door(teacher):
    return util.spawnv_passfds(b"/bin/true", [b"true"], []) or "started"


@probe
def a_thread(teacher):
    threading.Thread(target=int).start()
    return "started"


@probe
def a_connection(teacher):
    socket.create_connection(("127.0.0.1", teacher.tcp), 2)
    return "connected"


@probe
def a_datagram(teacher):
    """Reached where the test's socket receives it."""
    sender = socket.socket(type=socket.SOCK_DGRAM)
    sender.sendto(b"x", ("127.0.0.1", teacher.udp))


@probe
def an_abstract_socket(teacher):
    socket.socket(socket.AF_UNIX).connect("\0" + teacher.unix)
    return "connected"


@probe
def an_address(teacher):
    return socket.getaddrinfo("example.org", 80)[0][4][0]


@probe
def much_memory(teacher):
    return len(bytearray(2**33))


@probe
def much_disk(teacher):
    total = 0
    try:
        for number in range(40):
            with open(f"f{number}", "wb") as file:
                total += file.write(bytes(2**25))
    finally:
        for path in glob.glob("f*"):
            os.remove(path)
    return total


@probe
def a_long_file(teacher):
    os.truncate(open(".py", "w").name, 2**40)
    return "made"


@probe
def a_program_that_sets_its_user(teacher):
    for path in ("/usr/bin/su", "/usr/bin/mount"):
        if os.access(path, os.X_OK):
            return a_program(teacher)


@probe  # the last: what a name space of one's own gives is of no use
def a_room_to_write_in_by_a_name_space(teacher):
    libc.unshare(0x10000000 | 0x00020000)
    for path in (b"/workspace/copies", b"/"):
        libc.mount(None, path, None, 32 | 4096, None)
    for path in ("/workspace/copies/x", "/x"):
        try:
            return open(path, "w").write("x")
        except OSError:
            continue
