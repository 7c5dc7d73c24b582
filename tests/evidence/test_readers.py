"""Files of others are read as numbers or refused; nothing in them runs."""

import io
import os
import pickle
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from book.evidence import arrays as readers
from book.evidence.sources import pickles
from book.evidence.sources import readers as foreign


class Calls:
    """Pickles as a call of the given function."""

    def __init__(self, function, *arguments):
        self.function, self.arguments = function, arguments

    def __reduce__(self):
        return self.function, self.arguments


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


class TestCsv:
    def test_blank_lines_are_skipped(self):
        table = foreign.read_csv(b"a,b\r\n\r\n1,2\r\n\r\n3,4\r\n", ["a", "b"])
        assert table["a"].tolist() == [1, 3] and table["b"].tolist() == [2, 4]

    def test_without_header(self):
        assert foreign.read_csv(b"1,2\n3,4\n")["1"].tolist() == [2, 4]

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"<!DOCTYPE html>\n<html>", "the first line is"),
            (b"a,c\n1,2\n", "the first line is"),
            (b"a,b\n1,2\n3\n", "row 1 has 1 fields, expected 2"),
            (b"a,b\n1,x\n", "not a table of numbers"),
            (b"a,b\n", "the table is empty"),
            (b"", r"the first line is \[\]"),
            (b"\xff\xfe", "not a CSV file"),
        ],
    )
    def test_refused(self, content, message):
        with pytest.raises(ValueError, match=message):
            foreign.read_csv(content, ["a", "b"])


class TestNumpy:
    def test_arrays(self):
        array = np.random.default_rng(0).normal(size=(3, 2)).astype(np.float16)
        assert np.array_equal(readers.read_npy(npy(array)), array)
        file = io.BytesIO()
        np.savez(file, x=array, y=np.arange(3))
        found = readers.read_npz(file.getvalue())
        assert list(found) == ["x", "y"] and np.array_equal(found["x"], array)

    def test_objects_are_refused(self, tmp_path):
        hostile = np.array([Calls(os.mkdir, str(tmp_path / "ran"))], dtype=object)
        with pytest.raises(ValueError, match="holds objects"):
            readers.read_npy(npy(hostile))
        file = io.BytesIO()
        np.savez(file, x=hostile)
        with pytest.raises(ValueError, match="holds objects"):
            readers.read_npz(file.getvalue())
        assert not (tmp_path / "ran").exists()

    @pytest.mark.parametrize(
        "content",
        [b"", b"<html>", npy(np.eye(9))[:-8], npy(np.eye(2)) + b"x", pickle.dumps(1)],
        ids=["empty", "html", "truncated", "longer", "pickle"],
    )
    def test_not_npy(self, content):
        with pytest.raises(ValueError, match="not an npy file"):
            readers.read_npy(content)

    def test_not_a_zip(self):
        with pytest.raises(ValueError, match="not a zip archive"):
            readers.read_npz(b"<html>")

    def test_zip_bomb(self, monkeypatch):
        file = io.BytesIO()
        np.savez_compressed(file, x=np.zeros(10_000))
        monkeypatch.setattr(readers, "MOST_BYTES", 10_000)
        with pytest.raises(ValueError, match="at most 10000 are read"):
            readers.read_npz(file.getvalue())


class TestPickle:
    @pytest.mark.parametrize("protocol", [3, 4])
    @pytest.mark.parametrize("code", ["<f4", "<f8", "u1", "<i8", ">f4", "?"])
    def test_arrays(self, protocol, code):
        array = np.arange(6).reshape(2, 3).astype(code)
        first, second = foreign.read_pickled_arrays(pickle.dumps([array, array.T], protocol))
        assert np.array_equal(first, array) and np.array_equal(second, array.T)
        assert first.dtype == array.dtype

    @pytest.mark.parametrize("protocol", range(6))
    def test_nothing_runs(self, protocol, tmp_path):
        mark = tmp_path / "ran"
        for call in (
            Calls(os.mkdir, str(mark)),
            Calls(os.system, f"touch {mark}"),
            Calls(eval, f"__import__('os').mkdir({str(mark)!r})"),
            Calls(exec, f"__import__('os').mkdir({str(mark)!r})"),
            Calls(np.fromfile, str(mark)),
            Calls(np.save, str(mark), np.eye(2)),
            Calls(getattr, np.ndarray, "dumps"),
            Calls(pickle.loads, b"N."),
        ):
            content = pickle.dumps([np.eye(2), call], protocol)
            with pytest.raises(ValueError, match="not a pickle of arrays alone"):
                foreign.read_pickled_arrays(content)
        assert not mark.exists()

    def test_the_same_files_do_run_without_the_reader(self, tmp_path):
        """The test above would not be one if these pickles were harmless."""
        pickle.loads(pickle.dumps([np.eye(2), Calls(os.mkdir, str(tmp_path / "ran"))]))
        assert (tmp_path / "ran").exists()

    @pytest.mark.parametrize(
        "value",
        [
            {"a": np.eye(2)},
            [1.0],
            "text",
            None,
            [[[[np.eye(2)]]]],
            np.array([1, "a"], dtype=object),
            np.array(["2020-01-01"], dtype="M8[D]"),
            np.zeros(2, dtype=[("a", "f4")]),
            np.float64(1),
            [np.eye(2)] * 101,
            np.ndarray,
        ],
        ids=repr,
    )
    def test_only_arrays_of_numbers(self, value):
        with pytest.raises(ValueError, match="not a pickle of arrays alone"):
            foreign.read_pickled_arrays(pickle.dumps(value, 3))

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"<!DOCTYPE html>",
            pickle.dumps([np.eye(3)], 3)[:-30],
            pickle.dumps([np.eye(3)], 3) + b"x",
            b"P1\n.",  # a reference to something outside
            b"]q\x00h\x00a.",  # a list that holds itself
            b"cnumpy\ndtype\n}(U\x01aU\x01bub.",  # a name whose attributes are set
            b"cnumpy\nndarray\n}(U\x04codeU\x01bub.",
            b"cnumpy\nload\n.",
            b"cos\nsystem\n.",
            b"\x80\x04\x8c\x05numpy\x8c\x0dndarray.dumps\x93.",
            b"\x82\x01.",  # an extension
            b"\x80\x03Nr\xff\xff\xff\x0f.",  # a number that asks for gigabytes
            b"\x80\x03Np999999999\n.",
        ],
    )
    def test_bytes(self, content):
        with pytest.raises(ValueError, match="not a pickle of arrays alone"):
            foreign.read_pickled_arrays(content)

    def test_a_shape_that_the_data_do_not_fill(self):
        good = pickle.dumps(np.zeros((3, 4), "u1"), 3)
        bad = good.replace(b"K\x03K\x04\x86", b"K\x03K\x09\x86")
        assert bad != good
        with pytest.raises(ValueError, match="cannot reshape"):
            foreign.read_pickled_arrays(bad)

    @given(st.binary(max_size=200))
    @settings(max_examples=300, deadline=None)
    def test_any_bytes(self, content):
        try:
            foreign.read_pickled_arrays(content)
        except ValueError:
            pass

    def test_one_byte_changed(self):
        """Each byte in turn becomes nothing, all ones, or another in one bit."""
        whole = pickle.dumps([(np.eye(3), np.arange(3))], 3)
        for place, byte in enumerate(whole):
            for other in {0, 255, *(byte ^ 1 << bit for bit in range(8))}:
                content = whole[:place] + bytes([other]) + whole[place + 1 :]
                try:
                    found = foreign.read_pickled_arrays(content)
                except ValueError:
                    continue
                assert isinstance(found, list | tuple | np.ndarray)


def torch_file(array, *, shape=None, strides=None, offset=0, data=None, name="FloatStorage"):
    """A file as torch.save writes one, for tests without torch."""
    shape = shape or array.shape
    strides = strides or [step // array.itemsize for step in array.strides]
    integers = [offset, len(array.ravel()), *shape, *strides]
    offset, size, *rest = (b"J" + value.to_bytes(4, "little", signed=True) for value in integers)
    sizes, steps = b"".join(rest[: len(shape)]), b"".join(rest[len(shape) :])
    program = (
        b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\n"
        + name.encode()
        + b"\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpu"
        + size
        + b"tQ"
        + offset
        + b"("
        + sizes
        + b"t("
        + steps
        + b"t\x89ccollections\nOrderedDict\n)RtR."
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("x/data.pkl", program)
        archive.writestr("x/byteorder", b"little")
        archive.writestr("x/data/0", array.tobytes() if data is None else data)
    return file.getvalue()


class TestTorch:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)

    def test_tensor(self):
        assert np.array_equal(pickles.read_torch(torch_file(self.array)), self.array)

    def test_strides_and_offset(self):
        found = pickles.read_torch(torch_file(self.array, shape=(2, 2), strides=(3, 1), offset=1))
        assert found.tolist() == [[1, 2], [4, 5]]

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"shape": (2, 4), "strides": (3, 1)}, "in a storage of 6"),
            ({"shape": (2, 3), "strides": (9, 1)}, "in a storage of 6"),
            ({"shape": (2, 3), "strides": (-3, 1)}, "a tensor of shape"),
            ({"offset": 5}, "in a storage of 6"),
            ({"shape": (1 << 30,), "strides": (0,)}, "in a storage of 6"),
            ({"data": b"1234"}, "holds 1 numbers, expected 6"),
            ({"name": "QUInt8Storage"}, "it names torch.QUInt8Storage"),
        ],
    )
    def test_refused(self, change, message):
        with pytest.raises(ValueError, match=message):
            pickles.read_torch(torch_file(self.array, **change))

    def test_nothing_runs(self, tmp_path):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            hostile = pickle.dumps(Calls(os.mkdir, str(tmp_path / "ran")))
            archive.writestr("x/data.pkl", hostile)
        with pytest.raises(ValueError, match="not a pickle of arrays alone"):
            pickles.read_torch(file.getvalue())
        assert not (tmp_path / "ran").exists()

    def test_other_archives(self):
        file = io.BytesIO()
        np.savez(file, x=self.array)
        with pytest.raises(ValueError, match=r"not a file of torch\.save"):
            pickles.read_torch(file.getvalue())
        with pytest.raises(ValueError, match="not a zip archive"):
            pickles.read_torch(b"<html>")
