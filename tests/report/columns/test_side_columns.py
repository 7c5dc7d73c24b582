"""What stands beside the samples: groups, clusters, names."""

import numpy as np
import pytest
from refusals import refusal

from calib_report.reading.reader import read
from evidence.files_with_truth.samples import HIT, NAMED, TOP, Y, frame


def test_groups_clusters_and_ids_are_named():
    wards, ids = np.arange(120) % 4, [f"s{i}" for i in range(120)]
    source = frame(label=NAMED, ward=wards, w=wards, person=ids)
    outputs = read(source, groups="ward", clusters="w", ids="person")
    assert outputs.groups["ward"].tolist() == [str(ward) for ward in wards]
    assert outputs.clusters.tolist() == wards.tolist() and outputs.ids.tolist() == ids
    assert outputs.take(np.arange(3)).ids.tolist() == ids[:3]


REFUSED = {
    "an empty cluster": (
        {"correct": HIT, "confidence": TOP, "ward": [""] * len(Y)},
        {"clusters": "ward"},
        "--leave-out-empty ward",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_what_to_do(case):
    source, options, message = REFUSED[case]
    assert message in refusal(source, **options)
