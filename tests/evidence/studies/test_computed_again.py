"""Committed results are the same when a sample of them is computed again."""

import numpy as np
import pytest
from helpers import need_shared

from evidence import load_results
from evidence.studies.maps import (
    maps_on_six_networks,
)
from evidence.studies.networks import metrics_of_zoo
from evidence.studies.parts import metrics_of_sources
from evidence.studies.promises import (
    abstention_public,
    class_prior_coverage,
    class_priors,
    ensembles,
    labels_of_people,
    set_sizes,
)


def same(found, stored, rel=1e-6, abs=1e-9):
    """Compare rows with the rows of a table that have the same words."""
    for row in found:
        there = load_results(stored) if isinstance(stored, str) else stored
        for key, value in row.items():
            if isinstance(value, str) and value:
                there = there[there[key].astype(str) == value]
        assert len(there) == 1, row
        for key, value in row.items():
            if isinstance(value, float):
                assert there[key].item() == pytest.approx(value, rel=rel, abs=abs), (
                    row,
                    key,
                )


PNEUMONIA = "ferrer-pneumonia-resnet50"
METRICS_OF = "kull-cifar10-resnet110 northcutt-imagenet-resnet152 mehul0x-imagenet-vit-clip".split()
SHARED = {
    **{
        f"metrics of {n}": (
            metrics_of_sources.measure_source,
            n,
            "metrics_of_public_networks",
        )
        for n in [*METRICS_OF, "cleanlab-20news"]
    },
    "people": (labels_of_people.rows, "baan-snli", "labels_of_people"),
    "answers": (labels_of_people.rows, "lifeeval gpt", "labels_of_people"),
    "sets": (set_sizes.splits, "ferrer-emotion-wav2vec", "set_sizes"),
    "abstention": (abstention_public.abstention, PNEUMONIA, "abstention_public"),
    "priors": (class_priors.in_new_worlds, PNEUMONIA, "class_priors"),
    "prior_coverage": (
        class_prior_coverage.coverage_of_priors,
        PNEUMONIA,
        "class_prior_coverage",
    ),
}


@pytest.mark.shared
@pytest.mark.parametrize("name", SHARED)
def test_what_rests_on_public_files_is_computed_again(name, monkeypatch):
    monkeypatch.setenv("CALIB_SOURCES", str(need_shared("mirror")))
    function, source, stored = SHARED[name]
    rows = list(function(source))
    assert rows
    for row in rows:  # the least squares of a spline end 1e-5 apart on two processors
        same([row], stored, abs=2e-5 if row.get("calibrator") == "spline" else 1e-5)


def test_what_rests_on_our_networks_is_computed_again():
    same(ensembles.ensemble("20news-dan1-w100"), "ensembles")
    stored = load_results("maps_on_six_networks").set_index(["network", "method"])
    for row in maps_on_six_networks.on_network(maps_on_six_networks.NETWORKS[0]):
        numbers = {
            key: float(row[key] or "nan") for key in ("held_out_nll", "test_nll")
        }
        there = stored.loc[(row["network"], row["method"])]
        np.testing.assert_allclose(
            there[list(numbers)].tolist(), [*numbers.values()], atol=2e-6
        )
    some = {
        key: metrics_of_zoo.CALIBRATORS[key] for key in ("temperature", "histogram")
    }
    rows = [
        row | {"value": float(row["value"])}
        for row in metrics_of_zoo.measure_network("cifar10-resnet20", some)
    ]
    assert {row["calibrator"] for row in rows} == {"none", "top-spline", *some}
    same(rows, "metrics_of_zoo", rel=2e-3, abs=1e-5)
