"""What a report advises for the networks that were sealed."""

import numpy as np
import pytest
from helpers import need_shared

from evidence import load_results
from evidence.studies.maps import report_on_registered_networks


@pytest.mark.shared
def test_a_split_of_an_opened_network_is_computed_again():
    arrays = np.load(need_shared("unsealed/originals/verified_vgg16_c10.npz"))
    logits = np.log(arrays["probs"].astype(float))
    (row,) = report_on_registered_networks.splits(
        "cifar10-vgg16", arrays["labels"], logits, n_splits=1
    )
    (stored,) = (
        load_results("report_on_registered_networks")
        .query("network == @row['network'] and split == 0")
        .to_dict("records")
    )
    for name, value in row.items():
        number = isinstance(value, float)
        assert stored[name] == (pytest.approx(value, rel=1e-6) if number else value)


def test_opened_files_that_are_absent_are_named(tmp_path, monkeypatch):
    monkeypatch.delenv(report_on_registered_networks.FOLDER, raising=False)
    with pytest.raises(FileNotFoundError, match="CALIB_OPENED names no folder"):
        list(report_on_registered_networks.rows())
    monkeypatch.setenv(report_on_registered_networks.FOLDER, str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"cifar10-vgg16, .*by the SHA-256"):
        list(report_on_registered_networks.rows())
