"""What is known of each metric."""

import calib


def test_every_metric_is_public():
    assert {metric.function.__name__ for metric in calib.METRICS.values()} <= set(
        calib.__all__
    )
