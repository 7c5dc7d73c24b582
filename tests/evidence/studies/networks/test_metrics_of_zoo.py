"""Metrics of the zoo: one network measured again."""

from stored_rows import same

from evidence.studies.networks import metrics_of_zoo


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
