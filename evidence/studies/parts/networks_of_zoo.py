"""The networks of the zoo that studies measure: those of settings with all their seeds."""

from evidence import zoo_index
from evidence.data import is_first_seed, setting_of

SEEDS = 3


def networks_with_all_seeds() -> list[str]:
    """The networks of the settings with all their seeds, and those published by others, sorted."""
    index = zoo_index()
    setting = setting_of(index["name"])
    complete = setting.map(setting.value_counts()) >= SEEDS
    return sorted(index["name"][complete | index["seed"].isna()])


def first_networks_of_settings() -> list[str]:
    """The first seed of each setting of `networks_with_all_seeds`, and what others published."""
    return [name for name in networks_with_all_seeds() if is_first_seed(name)]
