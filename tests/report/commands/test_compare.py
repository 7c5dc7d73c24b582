"""Two models are compared sample by sample."""

import json

import numpy as np
import pytest
from tempered_models import outputs

import calib
import calib_report
from calib_report import compare
from calib_report.commands.main import main


@pytest.mark.slow
def test_two_models_are_compared_sample_by_sample(tmp_path, capsys):
    source = outputs(2.0, n=500)
    before = calib_report.read(source)
    p = calib.softmax(source["logits"] / 2)
    after = calib_report.read({"y": before.y, "p": p})
    rows = compare(before, after)
    assert rows["accuracy"]["difference"] == 0
    assert rows["NLL"]["high"] < 0 and rows["ECE"]["high"] < 0
    assert rows["NLL"]["second"] == pytest.approx(calib.nll(before.y, p))
    np.savez(tmp_path / "a.npz", **source)
    np.savez(tmp_path / "b.npz", y=before.y, p=p)
    assert main(["compare", str(tmp_path / "a.npz"), str(tmp_path / "b.npz")]) == 0
    assert "NLL" in capsys.readouterr().out
    assert (
        main(["compare", "--json", str(tmp_path / "a.npz"), str(tmp_path / "b.npz")])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["NLL"] == rows["NLL"]
    with pytest.raises(ValueError, match="not the same"):
        compare(before, calib_report.read(outputs(2.0, n=500, seed=1)))
