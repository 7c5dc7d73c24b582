"""Files of others are read as numbers or refused; nothing in them runs."""

import io
import os
import pickle
import zipfile

import numpy as np
import pytest
from stand_ins import Calls

from evidence.data import read_npz
from evidence.sources import file_formats


def test_columns_of_a_table_have_the_names_of_its_first_line():
    table = file_formats.read_csv(b"a,b\r\n\r\n1,2\r\n\r\n3,4\r\n", ["a", "b"])
    assert {name: column.tolist() for name, column in table.items()} == {
        "a": [1, 3],
        "b": [2, 4],
    }


def test_columns_of_a_table_without_a_first_line_are_numbered():
    table = file_formats.read_csv(b"1,2\n3,4\n")
    assert {name: column.tolist() for name, column in table.items()} == {
        "0": [1, 3],
        "1": [2, 4],
    }


def test_unnamed_columns_may_stand_before_those_that_are_expected():
    table = file_formats.read_csv(b",a,b\n0,1,2\n", ["a", "b"])
    assert [*table] == ["", "a", "b"] and table["b"].tolist() == [2]


def test_a_column_may_be_of_words():
    table = file_formats.read_csv(b"a\nword\n", ["a"], str)
    assert table["a"].tolist() == ["word"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<!DOCTYPE html>\n<html>", "the first line is"),
        (b"a,c\n1,2\n", "the first line is"),
        (b"b\n1\n", "the first line is"),
        (b"a,b\n1,x\n", "could not convert"),
        (b"a,b\n1,2\n3\n", "shorter"),
    ],
)
def test_a_table_of_other_columns_or_of_words_is_refused(content, message):
    with pytest.raises(ValueError, match=message):
        file_formats.read_csv(content, ["a", "b"])


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def test_an_array_is_read_and_objects_are_refused():
    array = np.arange(6.0).reshape(2, 3)
    assert np.array_equal(file_formats.read_npy(npy(array)), array)
    with pytest.raises(ValueError, match="Object arrays cannot be loaded"):
        file_formats.read_npy(npy(np.array([{}], dtype=object)))


@pytest.mark.parametrize("protocol", [3, 4])
@pytest.mark.parametrize("code", ["<f4", "<f8", "u1", "<i8", "?"])
def test_pickled_arrays(protocol, code):
    array = np.arange(6).reshape(2, 3).astype(code)
    first, second = file_formats.read_pickled_arrays(
        pickle.dumps([array, array.T], protocol)
    )
    assert np.array_equal(first, array) and np.array_equal(second, array.T)
    assert first.dtype == array.dtype


CALLS = {
    "mkdir": lambda mark: Calls(os.mkdir, str(mark)),
    "system": lambda mark: Calls(os.system, f"touch {mark}"),
    "eval": lambda mark: Calls(eval, f"__import__('os').mkdir({str(mark)!r})"),
    "save": lambda mark: Calls(np.save, str(mark), np.eye(2)),
    "getattr": lambda mark: Calls(getattr, np.ndarray, "dumps"),
    "loads": lambda mark: Calls(pickle.loads, b"N."),
}


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("call", CALLS)
def test_nothing_that_a_pickle_calls_is_run(call, protocol, tmp_path):
    mark = tmp_path / "ran"
    content = pickle.dumps([np.eye(2), CALLS[call](mark)], protocol)
    with pytest.raises(ValueError, match="not a pickle of arrays alone"):
        file_formats.read_pickled_arrays(content)
    assert not mark.exists()


def test_nothing_that_an_archive_of_torch_calls_is_run(tmp_path):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        content = pickle.dumps(Calls(os.mkdir, str(tmp_path / "ran")))
        archive.writestr("x/data.pkl", content)
    with pytest.raises(ValueError, match="not a pickle of arrays alone"):
        file_formats.read_torch(file.getvalue())
    assert not (tmp_path / "ran").exists()


def test_nothing_that_an_archive_of_numpy_calls_is_run(tmp_path):
    file = io.BytesIO()
    calls = [Calls(os.mkdir, str(tmp_path / "ran"))]
    np.savez(file, x=np.array(calls, dtype=object))
    with pytest.raises(ValueError, match="Object arrays cannot be loaded"):
        read_npz(file.getvalue())
    assert not (tmp_path / "ran").exists()


def test_the_calls_of_these_tests_are_not_harmless(tmp_path):
    pickle.loads(pickle.dumps(CALLS["mkdir"](tmp_path / "ran")))
    assert (tmp_path / "ran").exists()


def torch_file(array, shape, strides, offset=0, name="FloatStorage"):
    """A file as torch.save writes one, for tests without torch."""
    integers = [offset, array.size, *shape, *strides]
    offset, size, *dimensions = (
        b"J" + value.to_bytes(4, "little") for value in integers
    )
    sizes, steps = b"".join(dimensions[:2]), b"".join(dimensions[2:])
    program = (
        b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\n"
    )
    program += (
        name.encode()
        + b"\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpu"
        + size
        + b"tQ"
        + offset
    )
    program += b"(" + sizes + b"t(" + steps + b"t\x89ccollections\nOrderedDict\n)RtR."
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("x/data.pkl", program)
        archive.writestr("x/data/0", array.tobytes())
    return file.getvalue()


@pytest.mark.parametrize(
    ("shape", "strides", "offset", "expected"),
    [
        ((2, 3), (3, 1), 0, [[0, 1, 2], [3, 4, 5]]),
        ((3, 2), (1, 3), 0, [[0, 3], [1, 4], [2, 5]]),
        ((2, 2), (3, 1), 1, [[1, 2], [4, 5]]),
    ],
)
def test_a_tensor_of_torch_is_a_view_of_its_storage(shape, strides, offset, expected):
    array = np.arange(6, dtype=np.float32)
    tensor = file_formats.read_torch(torch_file(array, shape, strides, offset))
    assert tensor.tolist() == expected


def test_a_tensor_of_integers_is_read_as_such():
    content = torch_file(np.array([2**40, 3]), (2, 1), (1, 1), name="LongStorage")
    assert file_formats.read_torch(content).tolist() == [[2**40], [3]]


def test_a_type_of_torch_that_is_not_known_is_refused():
    content = torch_file(np.zeros(1), (1, 1), (1, 1), name="QUInt8Storage")
    with pytest.raises(ValueError, match="names torch"):
        file_formats.read_torch(content)


def test_a_pickle_whose_arrays_lie_beside_it_is_refused_without_them():
    archive = zipfile.ZipFile(io.BytesIO(torch_file(np.zeros(1), (1, 1), (1, 1))))
    with pytest.raises(ValueError, match="its arrays lie in files beside it"):
        file_formats.read_pickled_arrays(archive.read("x/data.pkl"))
