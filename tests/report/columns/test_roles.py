"""Which columns are labels and scores, by their names."""

from calib_report.reading.reader import read
from evidence.files_with_truth.samples import YES, P, frame


def test_classes_may_bear_the_names_of_other_things(tmp_path):
    """Labels x, y and z of a second file are three labels, not one column named y."""
    frame(list("xyz"), P).to_csv(tmp_path / "p.csv", index=False)
    frame(list("xyz"), YES).to_csv(tmp_path / "y.csv", index=False)
    outputs = read(tmp_path / "p.csv", labels=tmp_path / "y.csv")
    assert outputs.task == "labels" and outputs.y.tolist() == YES.ravel().tolist()
