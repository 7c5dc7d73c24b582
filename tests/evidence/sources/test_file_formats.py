"""Files of others are read as numbers or refused; nothing in them runs."""

import io
import os
import pickle
import zipfile

import numpy as np
import pytest
from stand_ins import Calls

from evidence.data import read_npz
from evidence.sources import readers


def test_a_table_has_its_first_line_and_is_of_numbers():
    table = readers.read_csv(b"a,b\r\n\r\n1,2\r\n\r\n3,4\r\n", ["a", "b"])
    assert table["a"].tolist() == [1, 3] and table["b"].tolist() == [2, 4]
    assert readers.read_csv(b"1,2\n3,4\n")["1"].tolist() == [2, 4]
    for content, message in (
        (b"<!DOCTYPE html>\n<html>", "the first line is"),
        (b"a,b\n1,x\n", "could not convert"),
        (b"a,b\n1,2\n3\n", "shorter"),
    ):
        with pytest.raises(ValueError, match=message):
            readers.read_csv(content, ["a", "b"])


@pytest.mark.parametrize("protocol", [3, 4])
@pytest.mark.parametrize("code", ["<f4", "<f8", "u1", "<i8", "?"])
def test_pickled_arrays(protocol, code):
    array = np.arange(6).reshape(2, 3).astype(code)
    first, second = readers.read_pickled_arrays(
        pickle.dumps([array, array.T], protocol)
    )
    assert np.array_equal(first, array) and np.array_equal(second, array.T)
    assert first.dtype == array.dtype


@pytest.mark.parametrize("protocol", range(6))
def test_nothing_runs(protocol, tmp_path):
    mark = tmp_path / "ran"
    for call in (
        Calls(os.mkdir, str(mark)),
        Calls(os.system, f"touch {mark}"),
        Calls(eval, f"__import__('os').mkdir({str(mark)!r})"),
        Calls(np.save, str(mark), np.eye(2)),
        Calls(getattr, np.ndarray, "dumps"),
        Calls(pickle.loads, b"N."),
    ):
        content = pickle.dumps([np.eye(2), call], protocol)
        with pytest.raises(ValueError, match="not a pickle of arrays alone"):
            readers.read_pickled_arrays(content)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("x/data.pkl", content)
    with pytest.raises(ValueError, match="not a pickle of arrays alone"):
        readers.read_torch(file.getvalue())
    objects = io.BytesIO()
    np.savez(objects, x=np.array([Calls(os.mkdir, str(mark))], dtype=object))
    with pytest.raises(ValueError, match="Object arrays cannot be loaded"):
        read_npz(objects.getvalue())
    assert not mark.exists()
    pickle.loads(pickle.dumps(Calls(os.mkdir, str(mark))))  # they are not harmless
    assert mark.exists()


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


def test_tensors_of_torch():
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert np.array_equal(readers.read_torch(torch_file(array, (2, 3), (3, 1))), array)
    tensor = readers.read_torch(torch_file(array, (2, 2), (3, 1), offset=1))
    assert tensor.tolist() == [[1, 2], [4, 5]]
    with pytest.raises(ValueError, match="names torch"):
        readers.read_torch(torch_file(array, (2, 3), (3, 1), name="QUInt8Storage"))
