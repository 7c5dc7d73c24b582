"""Exported maps give what the map gives, run by the other program."""

import json

import numpy as np
import pytest

import calib
from calib_report.export import Step, export_map, run_steps, steps

RNG = np.random.default_rng(3)
Z = 2 * RNG.standard_normal((800, 4))
Y = (Z + RNG.gumbel(size=Z.shape)).argmax(axis=1)
MAPS = {
    "temperature": calib.TemperatureScaling(),
    "vector": calib.VectorScaling(),
    "matrix": calib.MatrixScaling(lam=0.1, mu=0.1),
    "dirichlet": calib.DirichletCalibration(lam=0.1, mu=0.1),
    "structured": calib.StructuredMatrixScaling(),
}


@pytest.fixture(scope="module", params=MAPS)
def saved(request, tmp_path_factory):
    fitted = MAPS[request.param].fit(1.5 * Z, Y)
    path = tmp_path_factory.mktemp("maps") / "map.json"
    calib.save_map(fitted, path, classes=["a", "b", "c", "d"])
    return fitted, path


def test_steps_give_what_the_map_gives(saved):
    fitted, _ = saved
    np.testing.assert_allclose(run_steps(steps(fitted), Z), fitted.predict_proba(Z), atol=1e-12)


def test_json_holds_all_that_is_needed(saved, tmp_path):
    fitted, path = saved
    export_map(path, tmp_path / "map.json")
    found = json.loads((tmp_path / "map.json").read_text())
    listed = [
        Step(s["name"], np.array(s["value"]) if "value" in s else None) for s in found["steps"]
    ]
    np.testing.assert_allclose(run_steps(listed, Z), fitted.predict_proba(Z), atol=1e-12)
    assert found["classes"] == ["a", "b", "c", "d"] and found["takes"] == "logits"
    assert found["map"]["class"] == type(fitted).__name__


def test_onnx(saved, tmp_path):
    onnx = pytest.importorskip("onnx", reason="onnx is not installed here")
    from onnx.reference import ReferenceEvaluator

    fitted, path = saved
    export_map(path, tmp_path / "map.onnx")
    onnx.checker.check_model(str(tmp_path / "map.onnx"))
    (found,) = ReferenceEvaluator(str(tmp_path / "map.onnx")).run(None, {"logits": Z})
    np.testing.assert_allclose(found, fitted.predict_proba(Z), atol=1e-6)


def test_torch(saved, tmp_path):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed here")
    fitted, path = saved
    export_map(path, tmp_path / "map.pt")
    found = torch.jit.load(str(tmp_path / "map.pt"))(torch.tensor(Z)).numpy()
    np.testing.assert_allclose(found, fitted.predict_proba(Z), atol=1e-6)


OF_ONE_SCORE = [
    calib.PlattScaling(),
    calib.BetaCalibration(),
    calib.IsotonicCalibration(),
    calib.HistogramBinning(),
]


@pytest.mark.parametrize("one", OF_ONE_SCORE, ids=lambda one: type(one).__name__)
def test_maps_of_one_score_are_exported_as_json(one, tmp_path):
    fitted = calib.OneVsRest(one).fit(1.5 * Z, Y)
    calib.save_map(fitted, tmp_path / "saved.json")
    export_map(tmp_path / "saved.json", tmp_path / "map.json")
    found = json.loads((tmp_path / "map.json").read_text())
    listed = [Step(s["name"], s.get("value")) for s in found["steps"]]
    assert all(step["formula"] for step in found["steps"])
    np.testing.assert_allclose(run_steps(listed, Z), fitted.predict_proba(Z), atol=1e-12)
    for ending in ("pt", "onnx"):
        with pytest.raises(ValueError, match=r"is exported as \.json alone"):
            export_map(tmp_path / "saved.json", tmp_path / f"map.{ending}")


def test_what_a_masked_class_becomes_is_said(tmp_path):
    said = {}
    for name in ("temperature", "matrix"):
        calib.save_map(MAPS[name].fit(Z, Y), tmp_path / "saved.json")
        export_map(tmp_path / "saved.json", tmp_path / "map.json")
        said[name] = json.loads((tmp_path / "map.json").read_text())["minus infinity"]
    assert said["temperature"] == "keeps the probability zero"
    assert said["matrix"] == "not taken: mask no class"


def test_what_has_no_formula_is_refused(tmp_path):
    fitted = calib.RankWise(calib.SplineCalibration()).fit(Z, Y)
    calib.save_map(fitted, tmp_path / "saved.json")
    with pytest.raises(ValueError, match="RankWise has no short formula"):
        export_map(tmp_path / "saved.json", tmp_path / "map.json")
    with pytest.raises(ValueError, match="must end in"):
        export_map(tmp_path / "saved.json", tmp_path / "map.txt")
