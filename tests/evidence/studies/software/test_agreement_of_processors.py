"""How far maps agree between processors, by hand."""

import numpy as np

from evidence.studies.software import agreement_of_processors as study


def test_the_largest_difference_of_a_map_is_told_for_each_processor(monkeypatch):
    here = {"Platt float32": np.array([0.5, 0.25]), "BBQ float64": np.array([0.5])}
    there = {"Platt float32": np.array([0.25, 0.75]), "BBQ float64": np.array([0.5])}
    ways = {"old": {"CORE": "old"}, "same": {"CORE": "new"}}
    monkeypatch.setattr(study, "processors", lambda: ways)
    monkeypatch.setattr(
        study, "elsewhere", lambda CORE="new": there if CORE == "old" else here
    )
    rows = [tuple(row.values()) for row in study.rows()]
    assert rows == [
        ("Platt", "float32", "old", 0.5),
        ("BBQ", "float64", "old", 0),
        ("Platt", "float32", "same", 0),
        ("BBQ", "float64", "same", 0),
    ]


def test_what_is_lowered_is_what_was_found_and_both_together(monkeypatch):
    results = {"SIMD Extensions": {"found": ["AVX2", "FMA3"], "baseline": ["SSE"]}}
    monkeypatch.setattr(study.np, "show_config", lambda mode: results)
    dispatch = {"NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3"}
    assert study.processors() == {
        "numpy's dispatch": dispatch,
        "OpenBLAS for Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
        "OpenBLAS for Nehalem": {"OPENBLAS_CORETYPE": "Nehalem"},
        "both": dispatch | {"OPENBLAS_CORETYPE": "Nehalem"},
    }
