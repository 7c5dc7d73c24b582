"""Compute imagenet_real_labels.csv: networks by label, and by all labels that people accept.

Gaps are confidence less share: positive is overconfident.
"""

import json
from collections.abc import Iterator

import numpy as np

from evidence import load_source, source_names
from evidence.rows import Row
from evidence.sources import read_source
from evidence.studies.parts.human_labels import judged_row

PAIRED = "imagenet-validation"  # the order of the files that ReaL can be joined to
N_IMAGES, N_CLASSES = 50_000, 1000


def accepted_labels() -> np.ndarray:
    """Which classes people accept for each image, shape (n, K), in the order of the networks."""
    by_name = json.loads(read_source("imagenet.real"))
    paths = json.loads(read_source("imagenet.paths"))
    number = [int(path.removesuffix(".JPEG").rsplit("_", 1)[1]) for path in paths]
    # each image once: two lists that differ would pair labels with other images
    if sorted(number) != list(range(1, N_IMAGES + 1)) or len(by_name) != N_IMAGES:
        raise ValueError("imagenet.paths: expected each of the validation images once")
    accepted = np.zeros((N_IMAGES, N_CLASSES), bool)
    for row, i in enumerate(number):
        accepted[row, by_name[i - 1]] = True
    return accepted


def rows() -> Iterator[Row]:
    """Each ImageNet network by label and by ReaL, on all images with ReaL labels and on those
    with one."""
    accepted = accepted_labels()
    number = accepted.sum(axis=1)
    for name in source_names():
        test = load_source(name).test
        if test.order != PAIRED:
            continue
        score, hit = test.pairs
        accept = accepted[np.arange(N_IMAGES), test.ranked[1][:, 0]]
        for samples, chosen in (
            ("any", number > 0),
            ("one", number == 1),
            ("several", number > 1),
        ):
            for judge, truth in (("label", hit), ("ReaL", accept)):
                labels = {"source": name, "samples": samples, "judge": judge}
                yield judged_row(labels, score[chosen], truth[chosen].astype(float))
