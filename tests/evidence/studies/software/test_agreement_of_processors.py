"""How far maps agree between processors, by hand."""

import numpy as np

from evidence.studies.software import agreement_of_processors as study


def test_the_largest_difference_of_a_map_is_told_for_each_processor(
    monkeypatch,
):
    here = {
        "Platt float32": np.array([0.5, 0.25]),
        "BBQ float64": np.array([0.5]),
    }
    there = {
        "Platt float32": np.array([0.25, 0.75]),
        "BBQ float64": np.array([0.5]),
    }
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


class Mean:
    """A map that says of each score, or vector, how far it is from the mean of its fit."""

    def fit(self, x, y):
        assert len(x) == len(y) == 4
        self.mean = x.mean(axis=0, dtype=float)
        return self

    def predict(self, x):
        return x - self.mean

    predict_proba = predict


def test_numbers_are_such_as_each_type_holds_exactly(monkeypatch):
    monkeypatch.setattr(study, "N_FIT", 4)
    monkeypatch.setattr(study, "N_NEW", 3)
    monkeypatch.setattr(study, "OF_LOGITS", {"Mean": Mean})
    monkeypatch.setattr(study, "OF_SCORES", {"Scores": Mean})
    outputs = study.outputs_of_maps()
    assert [*outputs][:3] == ["Mean float64", "Scores float64", "Mean float32"]
    logits, scores = outputs["Mean float64"], outputs["Scores float64"]
    assert logits.shape == (3, 5) and scores.shape == (3,)
    # multiples of 1 / 256 and 1 / 4096, less a mean of four
    assert (1024 * logits % 1 == 0).all() and np.abs(logits).max() < 20
    assert (16_384 * scores % 1 == 0).all() and np.abs(scores).max() < 1
    np.testing.assert_array_equal(outputs["Mean float32"], logits)
    np.testing.assert_array_equal(outputs["Scores float32"], scores)


def test_another_process_has_the_variables_beside_its_own(monkeypatch):
    def run(command, env, check):
        assert check and command[1] == "-m" and env["HOME_OF_TEST"] == "here"
        np.savez(command[-1], name=np.array([float(env["CORE"])]))

    monkeypatch.setenv("HOME_OF_TEST", "here")
    monkeypatch.setattr(study.subprocess, "run", run)
    assert study.elsewhere(CORE="2")["name"].tolist() == [2]
