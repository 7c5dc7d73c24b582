"""The networks of the zoo that studies measure: those of settings with all their seeds."""

from evidence import zoo_index

SEEDS = 3


def networks_with_all_seeds() -> list[str]:
    """The networks of the settings with all their seeds, and those published by others, sorted."""
    index = zoo_index()
    setting = index["name"].str.replace(r"-s\d+$", "", regex=True)
    complete = setting.map(setting.value_counts()) >= SEEDS
    return sorted(index["name"][complete | index["seed"].isna()])
