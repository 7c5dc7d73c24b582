"""Labels of a second file: joined on names, or paired by position."""

import numpy as np
import pandas as pd
import pytest
from typed import typed

from calib_report.arrays import Arrays
from calib_report.columns.second_file import (
    SECOND_LABELS,
    LabelFile,
    joined_with_labels,
)
from calib_report.contract import NotSaidError, ReadingError
from calib_report.options import Options
from calib_report.reading.reader import read
from evidence.files_with_truth.samples import NAMED, NAMES, YES, P, Y, frame, prefixed

N = len(Y)


def test_joins_keep_what_both_files_hold(tmp_path):
    frame(id=np.arange(N)).to_csv(tmp_path / "p.csv", index=False)
    labels = [*NAMED[5:], *NAMES[:1] * 5][::-1]
    truth = pd.DataFrame({"id": np.arange(N)[::-1] + 5.0, "label": labels})
    truth.to_csv(tmp_path / "y.csv", index=False)
    outputs = read(tmp_path / "p.csv", labels=tmp_path / "y.csv")
    assert len(outputs) == N - 5 and "5 of the first and 5 of the second" in " ".join(
        map(str, outputs.notes)
    )
    assert outputs.names == NAMES and outputs.y.tolist() == Y[5:].tolist()


def test_rows_numbered_in_another_order_are_joined_or_paired_as_told(tmp_path):
    order = np.random.default_rng(6).permutation(120)
    prefixed("p_").to_csv(tmp_path / "p.csv")
    pd.DataFrame({"label": Y}).iloc[order].to_csv(tmp_path / "y.csv")
    with pytest.raises(
        ValueError, match="--ids '' joins them on the numbers, --ignore ''"
    ):
        read(tmp_path / "p.csv", labels=tmp_path / "y.csv")
    joined = read(tmp_path / "p.csv", labels=tmp_path / "y.csv", scores="p_", ids="")
    assert joined.y.tolist() == Y.tolist() and "joined on ''" in " ".join(
        map(str, joined.notes)
    )
    paired = read(tmp_path / "p.csv", labels=tmp_path / "y.csv", scores="p_", ignore="")
    assert paired.y.tolist() == Y[order].tolist() and "by position" in " ".join(
        map(str, paired.notes)
    )


def test_classes_may_bear_the_names_of_other_things(tmp_path):
    """Labels x, y and z of a second file are three labels, not one column named y."""
    frame(list("xyz"), P).to_csv(tmp_path / "p.csv", index=False)
    frame(list("xyz"), YES).to_csv(tmp_path / "y.csv", index=False)
    outputs = read(tmp_path / "p.csv", labels=tmp_path / "y.csv")
    assert outputs.task == "labels" and outputs.y.tolist() == YES.ravel().tolist()


def joined(first, second, **options):
    """Labels behind the ids or scores of each row, and the notes, of two tables that are typed."""
    arrays, _ = joined_with_labels(
        Arrays(typed(second)), Arrays(typed(first)), Options(**options)
    )
    rows = zip(
        arrays.named["p"].tolist(), arrays.named[SECOND_LABELS].tolist(), strict=True
    )
    notes = " ".join(note.text for note in arrays.notes)
    return " ".join(f"{score:g}={label}" for score, label in rows), notes


@pytest.mark.parametrize(
    ("first", "second", "options", "rows", "key"),
    [
        # joined on the name that both files hold, else on each one's own
        ("id p; x .1; y .2", "id label; y b; x a", {}, "0.1=a 0.2=b", "id"),
        ("id p; x .1; y .2", "key label; y b; x a", {}, "0.1=a 0.2=b", "id"),
        ("key id p; 1 x .1; 2 y .2", "id label; y b; x a", {}, "0.1=a 0.2=b", "id"),
        ("k p; x .1; y .2", "k label; y b; x a", {"ids": ("k",)}, "0.1=a 0.2=b", "k"),
        # numbers and their texts are one name
        ("id p; 7 .1; 8 .2", "id label; 8.0 b; 7.0 a", {}, "0.1=a 0.2=b", "id"),
        # on values: words that differ, or numbers with gaps that both hold
        ("who p; x .1; y .2", "who label; y b; x a", {}, "0.1=a 0.2=b", "who"),
        ("who p; 5 .1; 9 .2", "nr label; 9 1; 5 1", {}, "0.1=1 0.2=1", "who"),
        # half of the shorter file is enough
        ("id p; x .1; y .2", "id label; y b; z a", {}, "0.2=b", "id"),
        # by position: nothing names the samples of both
        ("id p; x .1; y .2; z .3", "label; b; a; a", {}, "0.1=b 0.2=a 0.3=a", None),
        ("id p; x .1; y .2", "id label; y b; x a", {"ignore": ("id",)}, "0.1=b 0.2=a", None),
        ("who p; 5 .1; 6 .2", "nr label; 6 1; 5 0", {"y": "label"}, "0.1=1 0.2=0", None),
        ("index p; 0 .1; 1 .2", "index label; 0 b; 1 a", {}, "0.1=b 0.2=a", None),
        ("p; .1; .2", "id; b; a", {}, "0.1=b 0.2=a", None),
        ("p; .1; .2", "index label; 0 b; 1 a", {}, "0.1=b 0.2=a", None),
        ("w p; .5 .1; .7 .2", "w label; .7 1; .5 0", {"y": "label"}, "0.1=1 0.2=0", None),
        ("who p; 5 .1; 9 .2", "nr label; 7 1; 3 0", {"y": "label"}, "0.1=1 0.2=0", None),
        ("nr p; 5 .1; 6 .2", "nr label; 6 b; 5 a", {}, "0.1=a 0.2=b", "nr"),
        ("a p; 2 .1; 2 .2", "b label; 2 1; 2 1", {"y": "label"}, "0.1=1 0.2=1", None),
    ],
)  # fmt: skip
def test_labels_are_joined_on_names_of_both_files_else_by_position(
    first, second, options, rows, key
):
    found, notes = joined(first, second, **options)
    assert found == rows
    assert ("by position" in notes) if key is None else (f"joined on {key!r}" in notes)


@pytest.mark.parametrize(
    ("first", "second", "options", "message"),
    [
        ("id p; x .1; x .2", "id label; y b; x a", {}, "'x' stands twice in 'id': --ids NAME"),
        ("id p; x .1; y .2", "id label; y b; y a", {}, "'y' stands twice in 'id'"),
        ("id p; x .1; y .2", "id label; z b; w a", {}, "0 names in 'id' are in both files, of 2"),
        ("id p; u .1; v .2; x .3", "id label; z b; w a; x a", {}, "1 names in 'id' are in both"),
        ("p; .1; .2", "label; b; a; a", {}, "3 labels, and 2 rows of scores"),
        ("index p; 0 .1; 1 .2", "index label; 1 b; 0 a", {}, "--ids 'index' joins them"),
        ("p q; .1 1; .2 2", "u v; b 1; a 3", {}, "none has a name that says the labels"),
        ("p q; .1 1; .2 2", "u v; b 1; a 3", {"y": "w"}, "y: there is no 'w', found 'u', 'v'"),
    ],
)  # fmt: skip
def test_files_that_do_not_fit_are_refused_with_the_row_or_name(
    first, second, options, message
):
    with pytest.raises(ReadingError, match=message):
        joined(first, second, **options)


def test_what_has_other_rows_than_the_ids_is_left_behind_by_a_join():
    first = typed("id p; x .1; y .2") | {"names": np.array(["a", "b", "c"])}
    second = Arrays(typed("id label; y b; x a") | {"m": np.eye(2)})
    arrays, _ = joined_with_labels(second, Arrays(first), Options())
    assert sorted(arrays.named) == sorted(["id", "p", SECOND_LABELS])


def test_samples_that_one_file_alone_holds_are_counted():
    _, notes = joined("id p; x .1; y .2; z .3", "id label; y b; z a; w c; v c")
    assert "2 samples stand in both files; 1 of the first and 2 of the second" in notes
    _, notes = joined("id p; x .1; y .2", "id label; y b; x a")
    assert "stand in both" not in notes


@pytest.mark.parametrize(
    ("second", "options", "columns"),
    [
        ("id a b; 7 1 0; 8 0 1", {}, ("a", "b")),
        ("a b; 1 0; -1 1", {}, ("a", "b")),
        ("a; 1; 0", {}, None),
        ("a b; 1 0; 2 1", {"y": "a"}, None),
        ("label b; 1 0; 0 1", {}, None),  # beside labels marks may be anything
        ("label p; 1 0; 0 1", {}, None),
    ],
)
def test_columns_of_marks_are_a_label_each(second, options, columns):
    file = LabelFile.found_in(
        typed(second), typed("p q; .1 .9; .2 .8"), Options(**options)
    )
    assert file.columns == columns
    assert file.y.shape == ((2, 2) if columns else (2,))


def test_what_may_be_the_labels_is_suggested_three_at_most():
    columns = typed("id a b c d; 7 x y z w; 9 u y z w")
    with pytest.raises(NotSaidError) as caught:
        LabelFile.found_in(columns, typed("p; .1; .2"), Options())
    assert [dict(way)["y"] for way in caught.value.suggestions] == ["a", "b", "c"]
