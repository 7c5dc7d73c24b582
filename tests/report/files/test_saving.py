"""Where a command writes: never over what is read, and whole files or none."""

import os
import sys
import time

import numpy as np
import pytest
from combined_files import P, Y
from helpers import wait_until
from processes import start

import calib
from calib.files import write_whole
from calib_report.commands.main import main
from calib_report.files.saving import write_together

posix = pytest.mark.skipif(os.name == "nt", reason="kills and limits as POSIX has them")
WRITE = """
import sys
from calib.files import write_whole

for number in range(10**6):
    write_whole(sys.argv[1], bytes([number % 256]) * 200_000)
"""


@posix
def test_a_file_is_whole_whenever_its_writers_are_killed(tmp_path):
    path = tmp_path / "file"
    writers = [start(WRITE, path) for _ in range(2)]
    wait_until(path.exists)
    time.sleep(0.1)
    assert all(writer.poll() is None for writer in writers)
    for writer in writers:
        writer.kill()
        writer.communicate()
    content = path.read_bytes()
    assert len(content) == 200_000 and len(set(content)) == 1
    write_whole(path, b"after")
    # a killed writer tidies nothing
    endings = {p.suffix for p in tmp_path.iterdir()} - {"", ".part"}
    assert not endings and path.read_bytes() == b"after"


@posix
@pytest.mark.parametrize(
    ("size", "line", "made"),
    [
        (30_000, "report a.npz -o out/r.html", ["r.html", "r.json", "r-map.json"]),
        (500, "apply map.json a.npz -o out/o.npz", ["o.npz"]),
        (500, "export map.json -o out/o.onnx", ["o.onnx"]),
        (500, "demo out/o.csv", ["o.csv"]),
    ],
)
def test_a_full_disk_is_told_in_one_line_and_leaves_what_was_there(
    needs_a_map, size, line, made, monkeypatch, capsys
):
    """A limit on the size of files stands for a full disk."""
    resource = pytest.importorskip("resource")
    monkeypatch.chdir(needs_a_map.parent)
    # half of a file of it would be left
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    with np.load(needs_a_map) as archive:
        fitted = calib.VectorScaling().fit(archive["logits"], archive["y"])
    calib.save_map(fitted, "map.json")
    os.mkdir("out")
    for path in (paths := [needs_a_map.parent / "out" / name for name in made]):
        path.write_text("of an earlier run")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        assert main(line.split()) == 2
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, before[1]))
        with pytest.raises(OSError, match="File too large"):
            calib.save_map(fitted, paths[0])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    lines = capsys.readouterr().err.splitlines()
    assert (
        all(one.startswith("calib: ") for one in lines)
        and "File too large" in lines[-1]
    )
    assert any(name in lines[-1] for name in made)
    assert {path.name for path in (needs_a_map.parent / "out").iterdir()} == set(made)
    assert {path.read_text() for path in paths} == {"of an earlier run"}


def test_inputs_are_not_overwritten(folder, capsys):
    np.savez("g.npz", y=Y, probs=P)
    for name, content in (
        ("cl.json", "cat\ndog\nhen\n"),
        ("co.json", "0,1,1\n1,0,1\n1,1,0\n"),
    ):
        (folder / name).write_text(content)
        flag = "--classes" if name == "cl.json" else "--cost"
        assert main(["report", "g.npz", flag, name, "-o", name]) == 2
        assert "is read, so it cannot be written" in capsys.readouterr().err
        assert (folder / name).read_text() == content


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("report outputs.npz -o report.txt", "must end in .html or .md or .json"),
        ("report outputs.npz -o none/report.html", "there is no folder"),
        ("report outputs.npz -o folder.html", "folder.html: is a folder"),
        ("report outputs.npz -o c.html", "c.json: is a folder"),
        ("report b-map.json -o b.html", "b-map.json: is read, so it cannot be written"),
        ("apply map.json outputs.npz -o outputs.npz", "outputs.npz: is read"),
        ("report outputs.npz -o cl.json --classes cl.json", "cl.json: is read"),
        ("report outputs.npz -o co.json --cost co.json", "co.json: is read"),
        ("export map.json -o a.txt", "must end in .pt or .onnx"),
    ],
)
def test_wrong_arguments_get_one_line_and_leave_nothing(line, message, refused_line):
    assert message in refused_line(line)


@pytest.fixture
def there_at_each_step(monkeypatch, tmp_path):
    """The names of files in the folder as each draft is put in its place."""
    there = []

    def replace(draft, path):
        there.append({p.name for p in tmp_path.iterdir() if p.suffix != ".part"})
        os.rename(draft, path)

    monkeypatch.setattr("os.replace", replace)
    return there


def test_no_page_stands_beside_the_numbers_of_another(tmp_path, there_at_each_step):
    places = [tmp_path / name for name in ("map", "numbers", "page")]
    for place in places:
        place.write_bytes(b"old")
    write_together(dict.fromkeys(places, b"new"))
    assert there_at_each_step == [{"map", "numbers"}] * 3
    assert {place.read_bytes() for place in places} == {b"new"}


def test_a_file_that_is_alone_is_never_gone(tmp_path, there_at_each_step):
    (tmp_path / "page").write_bytes(b"old")
    write_together({tmp_path / "page": b"new"})
    assert there_at_each_step == [{"page"}]


@pytest.mark.parametrize("is_there", [True, False])
def test_no_content_removes_a_file_where_one_is(tmp_path, is_there):
    if is_there:
        (tmp_path / "map").write_bytes(b"old")
    write_together({tmp_path / "map": None, tmp_path / "page": b"new"})
    assert {path.name for path in tmp_path.iterdir()} == {"page"}
