"""Files are read right at once, or after the option shown, or refused; nothing in them runs."""

import csv
import os
import pickle
import sys
import types
import zipfile

import numpy as np
import pytest
from helpers import ROOT
from stand_ins import Calls

import calib
from calib_report.files import formats
from calib_report.reading.reader import read
from evidence.data import csv_bytes
from evidence.files_with_truth.case import is_right, proposals, reading
from evidence.files_with_truth.of_tools import CASES
from evidence.files_with_truth.samples import LOGITS, P, Y
from evidence.studies.software.reading_of_files import outcome

# after a change: make files
FILES = ROOT / "data" / "results" / "software" / "reading_of_files.csv"


TABLE = {
    row["file"]: row for row in csv.DictReader(FILES.read_text("utf-8").splitlines())
}


ENDINGS = ["csv", "json", "jsonl", "parquet", "safetensors", "npz", "npy", "pt"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_file_is_read_right_or_proposed_right_or_refused(case, tmp_path):
    """At once, by the first proposal, or after an option; never wrong."""
    outputs, error = reading(case, tmp_path, {})
    if case.truth is None:
        error = proposals(case, tmp_path)[1]
    if case.shown:
        assert outputs is None and case.shown in error
        assert error.startswith(str(tmp_path)) and "\n" not in error
    if outputs is None and case.after:
        outputs, error = reading(case, tmp_path, case.after)
        assert error == ""
    elif outputs is None:
        readings = proposals(case, tmp_path)[0]
        assert bool(readings) == (case.truth is not None)
        outputs = readings[0].outputs if readings else None
    assert (outputs is None) == (case.truth is None), f"{case}: {error}"
    assert outputs is None or is_right(case, outputs), f"{case}: {outputs.read_as}"
    assert TABLE[case.name] == outcome(case, tmp_path)


@pytest.mark.parametrize("case", CASES[::4], ids=lambda case: case.name)
def test_a_proposal_is_what_its_options_give(case, tmp_path):
    """Typed, the options give the reading that was shown."""
    reading(case, tmp_path, {})
    for proposal in proposals(case, tmp_path)[0]:
        again, error = reading(case, tmp_path, proposal.options.changed())
        assert error == "" and np.array_equal(again.y, proposal.outputs.y)
        np.testing.assert_array_equal(again.prob, proposal.outputs.prob)


def test_most_files_are_read():
    """What the test above holds of each file, counted: none can be wrong."""
    assert [case.name for case in CASES] == list(TABLE) and len(CASES) >= 200
    assert csv_bytes(list(TABLE.values())) == FILES.read_bytes()
    refused = sum(case.truth is None for case in CASES)
    at_once = sum(
        case.truth is not None and not TABLE[case.name]["typed"] for case in CASES
    )
    assert at_once >= 80 and len(CASES) - at_once - refused >= 80


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
