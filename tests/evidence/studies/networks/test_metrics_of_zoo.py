"""Metrics of the zoo: which networks are measured, and one measured again."""

import pandas as pd
from stored_rows import same

from evidence.studies.networks import metrics_of_zoo


def test_a_setting_that_lacks_a_seed_supports_nothing(monkeypatch):
    names = [*(f"three-s{seed}" for seed in (1, 2, 3)), "two-s1", "two-s2", "published"]
    index = pd.DataFrame({"name": names, "seed": [1, 2, 3, 1, 2, None]})
    monkeypatch.setattr(metrics_of_zoo, "zoo_index", lambda: index)
    assert metrics_of_zoo.networks_with_all_seeds() == [
        "published",
        "three-s1",
        "three-s2",
        "three-s3",
    ]


def test_a_network_is_measured_again():
    some = {
        key: metrics_of_zoo.CALIBRATORS[key] for key in ("temperature", "histogram")
    }
    rows = [
        row | {"value": float(row["value"])}
        for row in metrics_of_zoo.measure_network("cifar10-resnet20", some)
    ]
    assert {row["calibrator"] for row in rows} == {"none", "top-spline", *some}
    same(rows, "metrics_of_zoo", rel=2e-3, abs=1e-5)
