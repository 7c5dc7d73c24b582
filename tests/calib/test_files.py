"""Regular files are read; what a file replaces, whole or not at all, keeps place, mode, links."""

import os
import stat
import threading

import pytest

from calib.files import read_file, write_whole


def test_a_file_that_is_replaced_keeps_its_mode(tmp_path):
    path = tmp_path / "map.json"
    path.write_bytes(b"old")
    path.chmod(0o600)
    write_whole(path, b"new")
    assert path.read_bytes() == b"new" and stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path):
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "map.json", tmp_path / "map.json"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_whole(link, b"new")
    assert link.is_symlink() and target.read_bytes() == b"new"


def test_a_pipe_is_written_to_and_stays(tmp_path):
    pipe, received = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"content")
    reader.join(10)
    assert received == [b"content"] and stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_name_may_be_as_long_as_the_file_system_takes(tmp_path):
    path = tmp_path / ("n" * 255)
    write_whole(path, b"content")
    assert path.read_bytes() == b"content"
    with pytest.raises(OSError, match="n" * 256):
        write_whole(tmp_path / ("n" * 256), b"content")
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_not_replaced(tmp_path):
    with pytest.raises(OSError, match=tmp_path.name):
        write_whole(tmp_path, b"content")
    assert tmp_path.is_dir()


def test_only_regular_files_are_read(tmp_path):
    path, pipe = tmp_path / "map.json", tmp_path / "pipe"
    path.write_bytes(b"content")
    os.mkfifo(pipe)
    assert read_file(path) == b"content"
    with pytest.raises(ValueError, match="not a regular file"):
        read_file(pipe)
    with pytest.raises(IsADirectoryError):
        read_file(tmp_path)
