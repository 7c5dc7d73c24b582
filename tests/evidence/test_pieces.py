"""Pieces of studies: kept, and computed again where anything changed."""

import pytest
from helpers import ROOT

from evidence import pieces, rows, sources
from evidence.studies.papers import metrics_over_random_halves


def _rows(item):
    return [{"item": item, "value": 1 / (0 if item == "fails" else 10)}]


def test_pieces_are_kept_until_the_code_changes_and_so_are_rows_of_a_table(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(pieces, "PIECES", tmp_path)
    for module in (pieces, rows):
        monkeypatch.setattr(module, "results_folder", lambda: tmp_path)
    for key, told in (("one", 2), ("one", 0), ("two", 2)):
        monkeypatch.setattr(pieces, "code_key", lambda _, key=key: key)
        found = pieces.compute_pieces("some", _rows, ["b", "a"])
        assert found == [{"item": "b", "value": 0.1}, {"item": "a", "value": 0.1}]
        assert capsys.readouterr().out.count("some") == told
    with pytest.raises(ZeroDivisionError):
        pieces.compute_pieces("some", _rows, ["c", "fails"])
    assert len(list(tmp_path.rglob("c.json"))) == 1
    assert not list(tmp_path.rglob("fails*"))
    rows.write_table(
        "some", [{"item": "a", "value": 1 / 3}, {"item": "b", "value": ""}]
    )
    assert (tmp_path / "some.csv").read_text() == "item,value\na,0.3333333333\nb,\n"
    found = pieces.stored_and_computed("some", _rows, ["c", "b"], "item")
    assert found == [{"item": "c", "value": 0.1}, {"item": "b", "value": ""}]


def test_pieces_are_old_where_anything_changed_that_they_rest_on():
    behind = set(pieces.files_behind(metrics_over_random_halves.rows))
    wanted = (
        "evidence/fit_and_measure.py",
        "evidence/network_outputs.py",
        "evidence/data.py",
    )
    assert {ROOT / name for name in (*wanted, "calib/maps/base.py")} <= behind
    assert ROOT / "evidence/studies/arena/arena.py" not in behind


@pytest.mark.parametrize(
    "name", ["zoo/zoo.csv", "sources/sources.csv", "sources/sources-imagenet.csv"]
)
def test_pieces_are_old_where_a_network_or_a_source_is_another(
    name, tmp_path, monkeypatch
):
    for part in ("published", "zoo", "sources"):
        (tmp_path / part).mkdir()
    path = tmp_path / name
    path.write_text("name,sha256\na,12\n")
    monkeypatch.setattr(pieces, "files_behind", lambda function: [])
    monkeypatch.setenv("CALIB_DATA", str(tmp_path))
    before = pieces.code_key(metrics_over_random_halves.rows)
    assert pieces.code_key(metrics_over_random_halves.rows) == before
    path.write_text("name,sha256\na,34\n")
    assert pieces.code_key(metrics_over_random_halves.rows) != before


def test_pieces_are_old_where_the_packages_or_python_are_others(tmp_path, monkeypatch):
    lock = tmp_path / "requirements.lock"
    monkeypatch.setattr(pieces, "LOCK", lock)
    monkeypatch.setattr(pieces, "files_behind", lambda function: [])
    monkeypatch.setattr(pieces, "lists_of_data", lambda: [])
    keys = []
    for python, packages in (
        ("3.12.1 (main)", "numpy==2.0"),
        ("3.12.1 (main)", "numpy==2.1"),
        ("3.13.0 (main)", "numpy==2.1"),
    ):
        lock.write_text(packages)
        monkeypatch.setattr("sys.version", python)
        keys.append(pieces.code_key(metrics_over_random_halves.rows))
    assert len(set(keys)) == 3


def test_the_lock_of_pieces_is_that_of_the_checkout():
    assert pieces.LOCK.is_file() and "numpy==" in pieces.environment_key()


def test_every_list_of_sources_and_the_zoo_is_in_the_key_of_pieces():
    lists = set(pieces.lists_of_data())
    wanted = [f"sources/{name}.csv" for name in sources.LISTINGS]
    assert {ROOT / "data" / name for name in [*wanted, "zoo/zoo.csv"]} <= lists
