"""What writers write, byte by byte where no library reads it back."""

import json

import numpy as np
import pandas as pd

from evidence.files_with_truth import writers


def test_the_upper_half_of_a_float_is_the_nearest(tmp_path):
    """Between one and one and a 128th there is none: three quarters of the way is up, one down."""
    p = np.array([[1 + 3 / 512, 1 + 1 / 512], [0.5, 0.75]])
    writers.bfloat16(np.array([1, 0]), p)(tmp_path / "x.safetensors")
    content = (tmp_path / "x.safetensors").read_bytes()
    size = int.from_bytes(content[:8], "little")
    header, body = json.loads(content[8 : 8 + size]), content[8 + size :]
    first, end = header["probs"]["data_offsets"]
    halves = np.frombuffer(body[first:end], "<u2").astype("<u4") << 16
    assert halves.view("<f4").tolist() == [1 + 1 / 128, 1, 0.5, 0.75]
    first, end = header["y"]["data_offsets"]
    assert np.frombuffer(body[first:end], "<i8").tolist() == [1, 0]
    assert end == len(body)


def test_parts_hold_each_row_once(tmp_path):
    table = pd.DataFrame({"a": range(120)})
    writers.in_parts(table, writers.csv, "csv")(tmp_path / "parts")
    parts = sorted((tmp_path / "parts").glob("part-*.csv"))
    rows = pd.concat(map(pd.read_csv, parts))["a"].tolist()
    assert len(parts) == 2 and rows == [*range(120)]
    assert (tmp_path / "parts" / "_SUCCESS").read_text() == ""


def test_a_second_file_lies_beside_the_first(tmp_path):
    scores, truth = pd.DataFrame({"p": [0.5]}), pd.DataFrame({"label": [1]})
    writers.two_files(scores, truth)(tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text() == "p\n0.5\n"
    assert (tmp_path / "truth.csv").read_text() == "label\n1\n"
