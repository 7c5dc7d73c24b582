"""Compute imagenet_diagrams.csv: bins of the ImageNet networks as trained."""

from collections.abc import Iterator

from evidence import source_index
from evidence.rows import Row
from evidence.studies.parts.bins_of_networks import as_trained


def rows() -> Iterator[Row]:
    files = source_index()
    names = files.name[(files.dataset == "ImageNet") & files.reader.notna()]
    for row in as_trained("name", names, 15):
        yield row | {"hits": row.pop("hit_sum")}
