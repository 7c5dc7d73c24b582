"""Compute reliability.csv: bins of the ImageNet networks as trained."""

from evidence import source_index
from evidence.studies.bins_of_networks import as_trained


def rows():
    files = source_index()
    names = files.name[(files.dataset == "ImageNet") & files.reader.notna()]
    for row in as_trained("name", names, 15):
        yield row | {"hits": row.pop("hit_sum")}
