"""The numbers of an earlier report, which rules hold a model to."""

import pytest
from weeks import week_of_three_classes

from calib_report import make_report


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    place = tmp_path_factory.mktemp("report") / "base.json"
    make_report(week_of_three_classes(), place)
    return place
