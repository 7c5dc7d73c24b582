"""Which arrays are of a set to fit maps on."""

from calib_report.reading.reader import read
from evidence.files_with_truth.samples import P, Y


def test_labels_of_a_test_set_go_with_scores_of_no_set():
    outputs = read({"y_test": Y, "y_prob": P, "y_train": Y[:9]}, y="y_test")
    assert (
        outputs.y.tolist() == Y.tolist()
        and "left out: 'y_train'" in outputs.notes[0].text
    )
