"""Networks that two groups measured."""

import numpy as np
import pandas as pd
import pytest
from helpers import need_shared

from evidence import load_results
from evidence.studies.networks import same_networks


@pytest.mark.shared
def test_another_group_measured_the_same_networks_alike(monkeypatch):
    monkeypatch.setenv("CALIB_SOURCES", str(need_shared("mirror")))
    again = pd.DataFrame(same_networks.rows())
    stored = load_results("same_networks")
    assert again.drop(columns="difference").equals(stored.drop(columns="difference"))
    np.testing.assert_allclose(again["difference"], stored["difference"], atol=1e-9)
    apart = stored.groupby("method")["difference"].agg(
        lambda values: values.abs().max()
    )
    assert apart["Uncalibrated"] < 1e-4 < apart["Temperature scaling"] < 0.05
