"""All results of CalArena: an experiment a row, a map's metric a column."""

from evidence.data import csv_bytes
from evidence.sources.tables import calarena_maps


def write(folder, benchmark, name, dataset, brier):
    row = {"dataset": dataset, "model": "m", f"{name}_brier": brier}
    row |= {f"{name}_logloss": 0.5, f"{name}_ece-15": 0.1}
    (folder / "results" / benchmark).mkdir(parents=True, exist_ok=True)
    (folder / "results" / benchmark / f"{name}.csv").write_bytes(csv_bytes([row]))


def test_a_map_that_a_benchmark_lacks_is_empty_there(tmp_path):
    write(tmp_path, "one", "TS", "a", 0.123456789)
    write(tmp_path, "one", "VS", "a", "")
    write(tmp_path, "two", "TS", "a", 0.25)
    write(tmp_path, "two", "CB-tiny", "a", 0.25)
    first, second = calarena_maps.rows(tmp_path)
    assert (first["benchmark"], second["benchmark"]) == ("one", "two")
    assert (first["brier TS"], second["brier TS"]) == ("0.12346", "0.25")
    assert (first["brier VS"], second["brier VS"]) == ("", "")
    assert (first["nll VS"], second["nll VS"]) == ("0.5", "")
    assert list(first) == list(second) and "brier CB-tiny" not in first
