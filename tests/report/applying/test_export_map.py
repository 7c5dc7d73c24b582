"""Exported maps give what the library gives, on all that it takes, run by the other program."""

import json
import sys

import numpy as np
import pytest
from maps import LOGIT_MAPS, SCORE_MAPS

import calib
from calib_report.applying.export_map import export_map
from calib_report.commands.main import main

RNG = np.random.default_rng(3)
K = 4
Z = (2 * RNG.standard_normal((600, K))).astype(np.float32)
Y = (Z / 1.5 + RNG.gumbel(size=Z.shape)).argmax(axis=1)
MASKED = np.where(np.eye(K)[RNG.integers(0, K, 600)] == 1, -np.inf, Z).astype(
    np.float32
)
LOGITS = np.concatenate(
    [
        Z,
        20 * Z,
        300 * Z,
        Z + 1000,
        MASKED,
        1000 * np.eye(K),
        -1e6 * np.eye(K),
        np.zeros((1, K)),
    ],
    dtype=np.float32,
)
PROBABILITIES = np.concatenate(
    [calib.softmax(Z), calib.softmax(40 * Z), np.eye(K)], dtype="f4"
)
OF_SCORES = [
    calib.PlattScaling(),
    calib.BetaCalibration(),
    calib.IsotonicCalibration(),
    calib.HistogramBinning(),
    calib.HistogramBinning(strategy="mass"),
    calib.ScalingBinning(calib.PlattScaling()),
    calib.SplineCalibration(),
    calib.BBQ(),
]
MAPS = [
    calib.TemperatureScaling(),
    calib.VectorScaling(),
    calib.MatrixScaling(lam=0.1, mu=0.1),
    calib.DirichletCalibration(lam=0.1, mu=0.1),
    calib.StructuredMatrixScaling(),
    *map(calib.OneVsRest, OF_SCORES),
    *map(calib.RankWise, OF_SCORES),
    calib.CrossValidated(calib.MatrixScaling(), {"lam": [0.1, 1.0]}, n_folds=2),
]

NOT_EXPORTED = {
    "EnsembleTemperatureScaling",
    "QuadraticScaling",
    "TopLabel",
    "VennAbers",
}


def test_each_map_is_exported_or_named_among_those_that_are_not():
    every_map = {type(one).__name__ for one in (*SCORE_MAPS, *LOGIT_MAPS)}
    exported = {type(one).__name__ for one in (*OF_SCORES, *MAPS)}
    assert every_map - exported == NOT_EXPORTED and exported <= every_map


@pytest.fixture(scope="module", params=["logits", "probabilities"])
def kind(request):
    return request.param


@pytest.fixture(scope="module", params=MAPS, ids=repr)
def saved(request, kind, tmp_path_factory):
    """A saved map, inputs of all sorts, and what the library makes of them."""
    folder, floor = tmp_path_factory.mktemp("maps"), 1e-9
    x = LOGITS if kind == "logits" else PROBABILITIES
    z = x if kind == "logits" else calib.as_logits(x, floor=floor)
    fitted = request.param.fit(z[:600], Y)
    calib.save_map(
        fitted, folder / "map.json", kind=kind, floor=floor, classes=list("abcd")
    )
    return folder, x, fitted.predict_proba(z)


def by_reference(folder):
    onnx = pytest.importorskip("onnx", reason="onnx is not installed here")
    from onnx.reference import ReferenceEvaluator

    export_map(folder / "map.json", folder / "map.onnx")
    onnx.checker.check_model(str(folder / "map.onnx"), full_check=True)
    about = {
        p.key: json.loads(p.value)
        for p in onnx.load(folder / "map.onnx").metadata_props
    }
    assert about["classes"] == list("abcd") and about["floor"] == 1e-9
    run = ReferenceEvaluator(str(folder / "map.onnx"))
    return about["kind"], lambda x: run.run(None, {about["kind"]: x})[0]


def by_torch(folder):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed here")
    export_map(folder / "map.json", folder / "map.pt")
    files = {"calib.json": ""}
    module = torch.jit.load(str(folder / "map.pt"), _extra_files=files)
    assert module(torch.zeros(1, K, dtype=torch.float64)).dtype == torch.float64
    return json.loads(files["calib.json"])["kind"], lambda x: module(
        torch.tensor(x)
    ).numpy()


@pytest.mark.parametrize("by", [by_reference, by_torch])
def test_an_exported_map_gives_what_the_map_gives(saved, kind, by):
    folder, x, expected = saved
    takes, run = by(folder)
    exported = run(x)
    assert takes == kind and exported.dtype == np.float32
    np.testing.assert_allclose(exported, expected, atol=1e-6, rtol=0)


def test_a_float32_network_and_its_map_run_as_one(tmp_path):
    onnx = pytest.importorskip("onnx", reason="onnx is not installed here")
    from onnx import TensorProto, helper, numpy_helper
    from onnx.reference import ReferenceEvaluator

    weights = RNG.standard_normal((3, K)).astype(np.float32)
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", size])
        for name, size in (("x", 3), ("out", K))
    ]
    node = helper.make_node("MatMul", ["x", "w"], ["out"])
    constant = [numpy_helper.from_array(weights, "w")]
    graph = helper.make_graph([node], "network", ends[:1], ends[1:], constant)
    network = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8
    )
    fitted = calib.RankWise(calib.SplineCalibration()).fit(Z, Y)
    calib.save_map(fitted, tmp_path / "map.json")
    export_map(tmp_path / "map.json", tmp_path / "map.onnx")
    both = onnx.compose.merge_models(
        network, onnx.load(tmp_path / "map.onnx"), io_map=[("out", "logits")]
    )
    x = RNG.standard_normal((50, 3)).astype(np.float32)
    (exported,) = ReferenceEvaluator(both).run(None, {"x": x})
    assert exported.dtype == np.float32
    np.testing.assert_allclose(exported, fitted.predict_proba(x @ weights), atol=1e-6)


def test_a_missing_torch_is_told_with_the_way_to_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "torch", None)
    calib.save_map(calib.TemperatureScaling().fit(Z, Y), tmp_path / "map.json")
    assert (
        main(["export", str(tmp_path / "map.json"), "-o", str(tmp_path / "map.pt")])
        == 2
    )
    assert capsys.readouterr().err.endswith("; pip install torch\n")


@pytest.mark.parametrize(
    ("fitted", "name"),
    [
        (calib.TopLabel(calib.PlattScaling()), "TopLabel"),
        (calib.OneVsRest(calib.VennAbers()), "VennAbers"),
    ],
)
def test_what_cannot_be_exported_is_named(tmp_path, fitted, name):
    calib.save_map(fitted.fit(Z, Y), tmp_path / "saved.json")
    with pytest.raises(ValueError, match=f"{name} is not exported"):
        export_map(tmp_path / "saved.json", tmp_path / "map.onnx")
