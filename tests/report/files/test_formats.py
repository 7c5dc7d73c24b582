"""Files of each format: nothing in them runs, and what is damaged is read the same or refused."""

import bz2
import gzip
import io
import lzma
import os
import pickle
import sys
import types
import zipfile

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT
from stand_ins import Calls

import calib
from calib_report.commands.main import main
from calib_report.contract import ReadingError
from calib_report.files import formats
from calib_report.files.formats import load
from calib_report.reading.reader import read
from evidence.files_with_truth.of_tools import CASES
from evidence.files_with_truth.samples import LOGITS, P, Y

ENDINGS = ["csv", "json", "jsonl", "parquet", "safetensors", "npz", "npy", "pt"]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>",
        b"\xff\xfe\x00",
        b"{" * 5000,
        b"[[[1]]]",
        b"0\n1",
        pickle.dumps(1),
    ],
)
def test_whatever_a_file_holds_the_error_is_a_value_error_in_one_line(
    tmp_path, ending, content
):
    path = tmp_path / f"a.{ending}"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"a\.") as caught:
        read(path)
    assert "\n" not in str(caught.value) and "allow_pickle" not in str(caught.value)


@pytest.mark.parametrize("name", ["table.parquet", "plain.npz", "tensors.safetensors"])
def test_a_damaged_file_is_read_the_same_or_refused(tmp_path, name):
    path = tmp_path / name
    next(case for case in CASES if case.name == name).write(path)
    whole = path.read_bytes()
    for at in range(0, len(whole), len(whole) // 40):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :])
        try:
            outputs = read(path)
        except ValueError as error:
            assert str(error).startswith(f"{path}: ") and "\n" not in str(error)
            continue
        if name.endswith("npz"):  # whose arrays have checksums
            np.testing.assert_allclose(outputs.prob, P)


def test_an_archive_holds_no_paths_out_of_it_and_does_not_unpack_to_too_much(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(formats, "MOST_BYTES", 1 << 20)
    np.savez_compressed(tmp_path / "a.npz", y=np.zeros(1 << 20))
    with pytest.raises(ValueError, match="it unpacks to more than 1048576 bytes"):
        read(tmp_path / "a.npz")
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("../evil.npy", b"")
    with pytest.raises(ValueError, match="a path out of the file"):
        read(tmp_path / "a.npz")


def test_an_archive_holds_each_array_once(tmp_path):
    np.savez(tmp_path / "a.npz", y=Y, p=P)
    with zipfile.ZipFile(tmp_path / "a.npz", "a") as archive:
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("y.npy", archive.read("y.npy"))
    with pytest.raises(ReadingError, match="two arrays have one name"):
        load(tmp_path / "a.npz")


def test_of_a_workbook_the_first_sheet_is_read(tmp_path):
    with pd.ExcelWriter(tmp_path / "a.xlsx") as workbook:
        for first, name in ((0, "data"), (5, "more")):
            table = pd.DataFrame({"y": [first, first + 1]})
            table.to_excel(workbook, sheet_name=name, index=False)
    assert load(tmp_path / "a.xlsx").named["y"].tolist() == [0, 1]


def test_nothing_in_an_array_of_objects_runs(tmp_path):
    mark = tmp_path / "ran"
    hostile = np.array([Calls(os.mkdir, str(mark))], dtype=object)
    np.save(tmp_path / "a.npy", hostile)
    np.savez(tmp_path / "a.npz", y=hostile)
    for name in ("a.npy", "a.npz"):
        with pytest.raises(ValueError, match="it holds Python objects"):
            read(tmp_path / name)
    assert not mark.exists()
    np.load(tmp_path / "a.npy", allow_pickle=True)
    assert mark.exists()  # the file was hostile


def test_files_of_torch_are_read_where_torch_is(tmp_path, monkeypatch):
    """The reader asks torch for weights alone; a stand-in gives what torch would."""
    asked = {}

    def load(path, **options):
        asked.update(options)
        return {"labels": Y, "logits": [LOGITS[:50], LOGITS[50:]], "epoch": 3}

    (tmp_path / "a.pt").write_bytes(b"weights")
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(load=load))
    np.testing.assert_allclose(read(tmp_path / "a.pt").prob, P)
    assert asked == {"map_location": "cpu", "weights_only": True}
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ValueError, match=r"reading \.pt files needs torch"):
        read(tmp_path / "a.pt")


def test_files_that_torch_wrote():
    pytest.importorskip("torch", reason="PyTorch is not installed here")
    rng = np.random.default_rng(16)
    z = np.round(rng.normal(scale=2, size=(30, 3)), 3)
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    for name in ("dict.pt", "pair.pth", "bfloat16.pt", "gradient.pt", "strided.pt"):
        outputs = read(ROOT / "data" / "saved" / name)
        np.testing.assert_allclose(outputs.prob, calib.softmax(z), atol=0.02)
        assert outputs.y.tolist() == y.tolist()
    with pytest.raises(ValueError, match="not a torch file of tensors alone"):
        read(ROOT / "data" / "saved" / "model.pt")


@pytest.mark.skipif(os.name == "nt", reason="devices and pipes of POSIX")
def test_devices_and_pipes_are_refused_at_once(tmp_path, capsys):
    (tmp_path / "zero.npz").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.csv")
    zero, pipe = str(tmp_path / "zero.npz"), str(tmp_path / "pipe.csv")
    for line in (
        ["check", zero],
        ["check", pipe],
        ["apply", zero, "a.npz", "-o", f"{pipe}.npz"],
    ):
        assert main(line) == 2
        error = capsys.readouterr().err
        assert "not a regular file" in error and error.count("\n") == 1


@pytest.mark.parametrize(
    "content", ['{"y": [0, 1], "y": [1, 0]}', '{"p": {"a": 1, "a": 2}}']
)
def test_a_name_that_comes_twice_in_an_object_is_refused(tmp_path, content):
    for name in ("a.json", "a.jsonl"):
        (tmp_path / name).write_text(content)
        with pytest.raises(ValueError, match=r"an object has '[ya]' twice"):
            read(tmp_path / name)


TABLE = pd.DataFrame({"y": [0, 1], "p": [0.2, 0.9]})


@pytest.mark.parametrize(
    ("ending", "write"),
    [
        (".npz", lambda file: np.savez(file, y=Y)),
        (".parquet", TABLE.to_parquet),
        (".feather", TABLE.to_feather),
        (".csv.gz", lambda file: file.write(gzip.compress(b"y,p"))),
        (".json", lambda file: file.write(b'[{"y": 0, "p": 0.2}]')),
        (".jsonl", lambda file: file.write(b'{"y": 0, "p": 0.2}')),
        (".csv", lambda file: file.write(b"y,p")),
        (".csv", lambda file: file.write(b"")),
    ],
)
def test_the_first_bytes_of_a_file_tell_its_ending(ending, write):
    file = io.BytesIO()
    write(file)
    assert formats.ending_by_content(file.getvalue()) == ending


TEXT = b"y,p\n0,0.2\n1,0.9\n"


def assert_is_table(path):
    assert {name: a.tolist() for name, a in load(path).named.items()} == {
        "y": [0, 1],
        "p": [0.2, 0.9],
    }


@pytest.mark.parametrize(
    ("ending", "pack"),
    [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)],
)
def test_a_packed_file_is_of_the_format_that_its_name_says(tmp_path, ending, pack):
    (tmp_path / f"a.csv.{ending}").write_bytes(pack(TEXT))
    assert_is_table(tmp_path / f"a.csv.{ending}")


def write_archive(path, *names):
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, b"" if name.endswith("/") else TEXT)
    return path


def test_of_an_archive_the_one_file_that_can_be_read_is(tmp_path):
    """Neither a folder, nor what macOS puts beside a file, nor a text without a format."""
    names = ("folder.csv/", "folder.csv/a.csv", "__MACOSX/._a.csv", "readme.md")
    assert_is_table(write_archive(tmp_path / "a.zip", *names))


@pytest.mark.parametrize(
    ("names", "held"),
    [
        (("a.csv", "b.csv"), "a.csv, b.csv"),
        ((), "nothing"),
        (("a.md",), "a.md"),
        ((*(f"{k}.csv" for k in range(6)),), "0.csv, 1.csv, 2.csv, 3.csv, 4.csv"),
    ],
)
def test_an_archive_of_no_file_or_of_several_is_refused(tmp_path, names, held):
    path = write_archive(tmp_path / "a.zip", *names)
    with pytest.raises(ReadingError, match=f"an archive of {held}: expected one file"):
        load(path)


@pytest.mark.parametrize(
    ("most", "is_refused"), [(len(TEXT), False), (len(TEXT) - 1, True)]
)
def test_a_packed_file_unpacks_to_so_many_bytes(
    tmp_path, monkeypatch, most, is_refused
):
    monkeypatch.setattr(formats, "MOST_BYTES", most)
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(TEXT))
    if not is_refused:
        assert_is_table(path)
        return
    with pytest.raises(ReadingError, match=f"unpacks to more than {most} bytes"):
        load(path)


def test_a_pointer_in_the_place_of_a_file_says_how_the_file_comes(tmp_path):
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
    (tmp_path / "a.npz").write_text(pointer)
    with pytest.raises(
        ReadingError, match=r"not a whole \.npz file: a pointer of Git LFS"
    ):
        load(tmp_path / "a.npz")


@pytest.mark.parametrize("ending", sorted({*formats.LOADERS} - {".pt", ".pth"}))
def test_a_file_that_is_not_there_is_told_as_that(tmp_path, ending):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / f"none{ending}")


def test_files_that_were_put_one_behind_the_other_are_refused(tmp_path):
    (tmp_path / "a.csv").write_bytes(TEXT + TEXT)
    with pytest.raises(ReadingError, match="row 2 of column 'y' is 'y' too"):
        load(tmp_path / "a.csv")
    # a name may be a value of its own column alone
    (tmp_path / "a.csv").write_text("y,p\ny,0.2\nn,0.9\n")
    assert load(tmp_path / "a.csv").named["y"].tolist() == ["y", "n"]


def test_part_files_are_rows_in_the_order_of_their_numbers(tmp_path):
    for number in (1, 0):
        text = f"y,p\n{number},0.{number}\n"
        (tmp_path / f"part-{number}.csv").write_text(text)
    assert load(tmp_path).named["y"].tolist() == [0, 1]
    (tmp_path / "part-2.json").write_text("[]")
    with pytest.raises(ReadingError, match="none of part files of one format"):
        load(tmp_path)
