"""What is said of how a file was read."""

import numpy as np

from calib_report.reading.reader import read
from evidence.files_with_truth.samples import LOGITS, NAMED, TOP, Y, frame, prefixed


def test_what_is_left_out_is_told():
    outputs = read(
        frame(label=NAMED, entropy=TOP, age=Y, picture=np.arange(120).astype(str))
    )
    notes = " ".join(map(str, outputs.notes))
    assert "left out: 'entropy', 'age'" in notes and "named by 'picture'" in notes
    assert (
        outputs.read_as
        == "probabilities are from 'cat', 'dog', 'hen', the labels from 'label'"
    )
    logits = prefixed("logit_", values=LOGITS)
    begins = read(prefixed("prob_").join(logits).assign(label=NAMED), scores="prob_")
    assert begins.kind == "probabilities" and "left out: 'logit_cat'" in " ".join(
        map(str, begins.notes)
    )
    numbers = read(prefixed("p_").assign(label=Y), scores="p_")
    assert "Labels are numbers of the columns, as they stand: 0 is 'cat'" in " ".join(
        map(str, numbers.notes)
    )


def test_what_parts_or_names_samples_is_not_left_out():
    site, patient = np.arange(120) % 4, np.arange(120) // 2
    table = frame(label=NAMED, entropy=TOP, site=site, patient=patient)
    table["picture"] = [f"p{row}" for row in range(120)]
    beside = {"groups": "site", "clusters": "patient", "ids": "picture"}
    for chosen in ({}, {"groups": "site"}, {"clusters": "patient"}, beside):
        notes = " ".join(map(str, read(table, **chosen).notes))
        left = [n for n in ("entropy", "site", "patient") if n not in chosen.values()]
        assert f"left out: {', '.join(map(repr, left))}." in notes
        assert "named by 'picture'" in notes
    notes = " ".join(
        map(str, read(table, ignore="site", **beside | {"groups": ()}).notes)
    )
    assert "left out: 'entropy', 'site'." in notes
