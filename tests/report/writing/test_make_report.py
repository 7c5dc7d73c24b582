"""A page is written with its numbers and its map, in place of those of an earlier report."""

import os
import stat

import numpy as np
from tempered_models import outputs

from calib_report import make_report
from calib_report.commands.main import main


def test_files_have_the_mode_of_the_user_and_no_map_of_an_earlier_report_stays(
    tmp_path,
):
    npz = tmp_path / "a.npz"
    np.savez(npz, **outputs(2.5, n=400))
    previous = os.umask(0o027)
    try:
        make_report(npz, tmp_path / "report.html")
        fitted = str(tmp_path / "report-map.json")
        assert main(["apply", fitted, str(npz), "-o", f"{npz}.npz"]) == 0
    finally:
        os.umask(previous)
    written = [path for path in tmp_path.iterdir() if path != npz]
    assert len(written) == 4
    assert {stat.S_IMODE(path.stat().st_mode) for path in written} == {0o640}
    make_report(outputs(2.5, n=50), tmp_path / "report.html")
    assert not (tmp_path / "report-map.json").exists()
