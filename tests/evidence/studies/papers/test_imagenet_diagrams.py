"""Of which networks on ImageNet the bins are told."""

import pandas as pd

from evidence.studies.papers import imagenet_diagrams as study


def test_networks_on_imagenet_that_are_read_have_fifteen_bins(monkeypatch):
    files = pd.DataFrame(
        [("a", "ImageNet", "npz"), ("b", "ImageNet", None), ("c", "CIFAR-10", "npz")],
        columns=["name", "dataset", "reader"],
    )

    def bins(key, names, n_bins):
        return [{key: name, "bin": n_bins, "hit_sum": 7.0} for name in names]

    monkeypatch.setattr(study, "source_index", lambda: files)
    monkeypatch.setattr(study, "as_trained", bins)
    assert [*study.rows()] == [{"name": "a", "bin": 15, "hits": 7.0}]
