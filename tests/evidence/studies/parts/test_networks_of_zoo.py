"""Which networks of the zoo studies measure."""

import pandas as pd

from evidence.studies.parts import networks_of_zoo


def test_a_setting_that_lacks_a_seed_supports_nothing(monkeypatch):
    names = [*(f"three-s{seed}" for seed in (1, 2, 3)), "two-s1", "two-s2", "published"]
    index = pd.DataFrame({"name": names, "seed": [1, 2, 3, 1, 2, None]})
    monkeypatch.setattr(networks_of_zoo, "zoo_index", lambda: index)
    assert networks_of_zoo.networks_with_all_seeds() == [
        "published",
        "three-s1",
        "three-s2",
        "three-s3",
    ]


def test_each_setting_is_measured_once(monkeypatch):
    names = ["two-s1", "two-s2", "two-s10", "published"]
    monkeypatch.setattr(networks_of_zoo, "networks_with_all_seeds", lambda: names)
    first = networks_of_zoo.first_networks_of_settings()
    assert first == ["two-s1", "published"]
