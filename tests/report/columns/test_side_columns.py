"""What stands beside the samples: groups, clusters, names."""

import numpy as np
import pytest
from typed import typed

from calib_report.columns.side_columns import side_columns_of
from calib_report.contract import ReadingError
from calib_report.options import Options
from calib_report.reading.reader import read
from evidence.files_with_truth.samples import NAMED, frame

TABLE = "id key ward w; x 5 a 1; y 6 b 2; z 7 - 2"


def test_groups_clusters_and_ids_are_named():
    wards, ids = np.arange(120) % 4, [f"s{i}" for i in range(120)]
    source = frame(label=NAMED, ward=wards, w=wards, person=ids)
    outputs = read(source, groups="ward", clusters="w", ids="person")
    assert outputs.groups["ward"].tolist() == [str(ward) for ward in wards]
    assert outputs.clusters.tolist() == wards.tolist() and outputs.ids.tolist() == ids
    assert outputs.take(np.arange(3)).ids.tolist() == ids[:3]


@pytest.mark.parametrize(
    ("options", "keys"),
    [
        # the first column that names each row once
        ({}, "ids id"),
        ({"ids": ("key",)}, "ids key"),
        ({"groups": ("w",), "clusters": ("w",)}, "groups w, clusters w, ids id"),
        # what has a role of its own names no samples
        ({"ignore": ("id",)}, "ignore id, ids key"),
        ({"clusters": ("id",), "groups": ("key",)}, "groups key, clusters id"),
    ],
)
def test_side_columns_are_what_options_name_and_the_first_that_names_rows(
    options, keys
):
    columns = side_columns_of(typed(TABLE), Options(**options))
    assert ", ".join(map(" ".join, columns)) == keys


def test_ids_that_stand_twice_name_no_samples():
    assert side_columns_of(typed("id w; x 1; x 2"), Options()) == {}


BLANK = np.array(["2026-01-01", "NaT"], "datetime64[D]")


@pytest.mark.parametrize(
    ("column", "option"),
    [
        (np.array(["a", ""]), "groups"),
        (np.array(["a", " "]), "groups"),
        (np.array(["a", ""]), "clusters"),
        (np.array(["a", "none"]), "clusters"),
        (np.array([1, np.nan]), "groups"),
        (BLANK, "clusters"),
    ],
)
def test_what_tells_samples_apart_is_never_empty(column, option):
    message = rf"'c' \({option}\) is empty in 1 of 2 rows, the first is row 1; .*: "
    with pytest.raises(ReadingError, match=f"{message}--leave-out-empty c$"):
        side_columns_of({"c": column}, Options(**{option: ("c",)}))


@pytest.mark.parametrize(
    ("column", "option"),
    [
        (np.array(["a", "none"]), "groups"),  # a group may be called so
        (np.array(["a", ""]), "ignore"),
        (np.array([["a", ""]]), "groups"),  # of another shape, which is refused later
    ],
)
def test_what_may_be_empty_is_taken_as_it_is(column, option):
    columns = side_columns_of({"c": column}, Options(**{option: ("c",)}))
    assert columns[option, "c"] is column


@pytest.mark.parametrize("option", ["groups", "clusters", "ids", "ignore"])
def test_a_side_column_that_is_not_there_is_named_with_its_option(option):
    with pytest.raises(ReadingError, match=f"^{option}: there is no 'x', found 'c'"):
        side_columns_of({"c": BLANK}, Options(**{option: ("x",)}))
