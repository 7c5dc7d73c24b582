"""Tables as text: written as they were read, and wide ones."""

from calib_report.files import formats
from calib_report.reading.reader import read
from evidence.files_with_truth.samples import WHOLE


def test_a_table_is_given_back_as_it_is_written(tmp_path):
    WHOLE.assign(code="007").to_csv(tmp_path / "a.csv", index=False)
    frame = formats.as_written(tmp_path / "a.csv")
    assert frame.columns.tolist() == [*WHOLE, "code"] and set(frame["code"]) == {"007"}
    written = [
        line.split(",")[0] for line in (tmp_path / "a.csv").read_text().splitlines()
    ]
    assert ["cat", *frame["cat"]] == written


def test_a_wide_csv_is_read(tmp_path):
    names = ",".join(f"class{k}" for k in range(2500))
    (tmp_path / "wide.csv").write_text(f"y,{names}\n0" + ",0.5" * 2500)
    assert read(tmp_path / "wide.csv", scores="class", kind="logits").scores.shape == (
        1,
        2500,
    )
