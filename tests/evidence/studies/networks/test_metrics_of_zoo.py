"""Which networks of the zoo are measured."""

import pandas as pd

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
