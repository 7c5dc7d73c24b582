"""Maps on six of our networks, as stored."""

import numpy as np

from evidence import load_results
from evidence.studies.maps import maps_on_six_networks


def test_a_network_is_computed_again():
    stored = load_results("maps_on_six_networks").set_index(["network", "method"])
    for row in maps_on_six_networks.on_network(maps_on_six_networks.NETWORKS[0]):
        numbers = {
            key: float(row[key] or "nan") for key in ("held_out_nll", "test_nll")
        }
        there = stored.loc[(row["network"], row["method"])]
        np.testing.assert_allclose(
            there[list(numbers)].tolist(), [*numbers.values()], atol=2e-6
        )
