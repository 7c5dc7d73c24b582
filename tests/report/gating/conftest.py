"""The numbers of an earlier report, which rules hold a model to."""

import pytest
from weeks import week_of_three_classes

from calib_report import make_report


@pytest.fixture
def base(tmp_path):
    make_report(week_of_three_classes(), tmp_path / "base.json")
    return tmp_path / "base.json"
