"""A saved map for other programs: as JSON with its formula, a torch module, or ONNX.

Maps of all logits are a few steps of linear algebra, which `steps` names; the three forms write
these steps. Maps of one score by one-vs-rest, Platt, beta, isotonic and in bins, are written as
JSON alone. Splines, and maps rank by rank, have no short formula and are not exported.
"""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import expit, softmax

from calib.files import write_whole
from calib.maps.of_logits import (
    DirichletCalibration,
    MatrixScaling,
    StructuredMatrixScaling,
    TemperatureScaling,
    VectorScaling,
)
from calib.maps.of_scores import (
    LOG_FLOOR,
    BetaCalibration,
    HistogramBinning,
    IsotonicCalibration,
    PlattScaling,
    inside,
    log_odds,
)
from calib.maps.saved import as_json, read_map
from calib.maps.wrappers import OneVsRest, normalise


@dataclass(frozen=True, eq=False)
class Step:
    """One step from logits, or their logarithms of probabilities, to probabilities.

    `name` says what is done, a key of `FORMULA`. The `value` of ``interpolate`` and ``bins`` is two
    lists a class: places and values, edges and values.
    """

    name: str
    value: Any = None


def steps(fitted: Any) -> list[Any]:
    """Return a fitted map as steps, from logits to probabilities; ValueError where it has none.

    Examples
    --------
    >>> fitted = TemperatureScaling().fit([[3.0, 0.0]] * 3, [0, 0, 1])
    >>> [step.name for step in steps(fitted)]
    ['multiply', 'softmax']
    """
    k = len(getattr(fitted, "classes_", ()))
    if isinstance(fitted, TemperatureScaling):
        return [Step("multiply", np.full(k, 1 / fitted.temperature_)), Step("softmax")]
    if isinstance(fitted, VectorScaling):
        linear = [Step("multiply", fitted.coef_), Step("add", fitted.intercept_)]
        return [*linear, Step("softmax")]
    if isinstance(fitted, MatrixScaling | StructuredMatrixScaling):
        first = []
        if isinstance(fitted, DirichletCalibration):
            first = [Step("softmax"), Step("log")]
        if isinstance(fitted, StructuredMatrixScaling):
            mixed = [Step("multiply", np.full(k, 1 - fitted.uniform_))]
            mixed.append(Step("add", np.full(k, fitted.uniform_ / k)))
            tempered = Step("multiply", np.full(k, 1 / fitted.temperature_))
            first = [tempered, Step("softmax"), *mixed, Step("log")]
        linear = [Step("matrix", fitted.coef_), Step("add", fitted.intercept_)]
        return [*first, *linear, Step("softmax")]
    if isinstance(fitted, OneVsRest) and type(fitted.maps_[0]) in OF_ONE_SCORE:
        of_scores = OF_ONE_SCORE[type(fitted.maps_[0])](fitted.maps_)
        return [Step("softmax"), *of_scores, Step("normalise")]
    raise ValueError(
        f"{type(fitted).__name__} has no short formula; temperature, vector, matrix, structured "
        "matrix and Dirichlet scaling are exported, and as JSON Platt, beta and isotonic "
        "calibration and histogram binning by OneVsRest"
    )


def _platt(maps: list[Any]) -> list[Any]:
    coef, intercept = (np.array([getattr(m, a) for m in maps]) for a in ("coef_", "intercept_"))
    return [Step("log odds"), Step("multiply", coef), Step("add", intercept), Step("sigmoid")]


def _beta(maps: list[Any]) -> list[Any]:
    return [Step("beta", np.array([[*m.coef_, m.intercept_] for m in maps])), Step("sigmoid")]


def _isotonic(maps: list[Any]) -> list[Any]:
    lines = [[m.thresholds_.tolist(), m.values_.tolist()] for m in maps]
    return [Step("interpolate", lines), Step("clip", [maps[0].floor, 1 - maps[0].floor])]


def _histogram(maps: list[Any]) -> list[Any]:
    bins = [[m.edges_.tolist(), m.values_.tolist()] for m in maps]
    return [Step("bins", bins), Step("clip", [maps[0].floor, 1 - maps[0].floor])]


OF_ONE_SCORE: dict[Any, Any] = {
    PlattScaling: _platt,
    BetaCalibration: _beta,
    IsotonicCalibration: _isotonic,
    HistogramBinning: _histogram,
}


def run_steps(listed: Any, z: Any) -> np.ndarray:
    """Return what steps make of logits, shape (n, K), in numpy."""
    z = np.asarray(z, float)
    for step in listed:
        z = NUMPY[step.name](z, step.value)
    return z


def _interpolated(p: np.ndarray, lines: list[Any]) -> np.ndarray:
    return np.column_stack([np.interp(s, *line) for s, line in zip(p.T, lines, strict=True)])


def _binned(p: np.ndarray, bins: list[Any]) -> np.ndarray:
    return np.column_stack(
        [
            np.asarray(values)[np.searchsorted(edges[1:-1], s)]
            for s, (edges, values) in zip(p.T, bins, strict=True)
        ]
    )


def _beta_odds(p: np.ndarray, value: Any) -> np.ndarray:
    a, b, c = np.asarray(value).T
    return a * np.log(inside(p)) - b * np.log(inside(1 - p)) + c


NUMPY: dict[str, Callable[[Any, Any], Any]] = {
    "multiply": lambda z, value: z * value,
    "matrix": lambda z, value: z @ value.T,
    "add": lambda z, value: z + value,
    "softmax": lambda z, _: softmax(z, axis=1),
    "log": lambda z, _: np.log(z),
    "log odds": lambda p, _: log_odds(p),
    "beta": _beta_odds,
    "sigmoid": lambda z, _: expit(z),
    "interpolate": _interpolated,
    "bins": _binned,
    "clip": lambda p, ends: np.clip(p, *ends),
    "normalise": lambda p, _: normalise(p.copy()),
}
FORMULA = {
    "multiply": "z[k] = value[k] * z[k]",
    "matrix": "z[j] = sum over k of value[j][k] * z[k]",
    "add": "z[k] = z[k] + value[k]",
    "softmax": "z[k] = exp(z[k]) / sum over j of exp(z[j])",
    "log": "z[k] = log(z[k])",
    "log odds": f"z[k] = log(z[k]) - log(1 - z[k]), both arguments at least {LOG_FLOOR:g}",
    "beta": "z[k] = value[k][0] * log(z[k]) - value[k][1] * log(1 - z[k]) + value[k][2], the "
    f"arguments of log at least {LOG_FLOOR:g}",
    "sigmoid": "z[k] = 1 / (1 + exp(-z[k]))",
    "interpolate": "z[k] = linear interpolation at z[k] through the points (value[k][0][i], "
    "value[k][1][i]), constant outside",
    "bins": "z[k] = value[k][1][i], with value[k][0][i] < z[k] <= value[k][0][i + 1], or i = 0 at "
    "z[k] = 0",
    "clip": "z[k] = min(max(z[k], value[0]), value[1])",
    "normalise": "z[k] = z[k] / sum over j of z[j]; 1 / K where the sum is 0",
}


def export_map(path: Any, output: Any) -> None:
    """Write a saved map as JSON, a torch module or ONNX, as the name of the output says.

    `path` is a map that a report or :func:`calib.save_map` saved, `output` NAME.json, NAME.pt or
    NAME.onnx. A map that was fitted on probabilities takes their logarithms. Logits of -inf, which
    mask a class, keep its probability zero where the JSON says so; elsewhere the exported steps
    take finite logits alone. A ValueError says that the map has no short formula, or what is
    missing.
    """
    output = Path(output)
    if output.suffix not in WRITERS:
        raise ValueError(f"{output}: the name of the output must end in {' or '.join(WRITERS)}")
    saved = read_map(path)
    listed = steps(saved.map)
    if output.suffix != ".json" and any(step.name not in ONNX for step in listed):
        raise ValueError(f"{output}: {saved.map!r} is exported as .json alone")
    write_whole(output, WRITERS[output.suffix](saved, listed))


def keeps_masks(fitted: Any, listed: Any) -> bool:
    """Tell whether the steps, as the map does, give a logit of -inf the probability zero."""
    k = len(fitted.classes_)
    z = np.where(np.eye(k, dtype=bool), -np.inf, 0.0)
    with np.errstate(all="ignore"):
        return bool(np.allclose(run_steps(listed, z), fitted.predict_proba(z), atol=1e-9))


def _json(saved: Any, listed: list[Any]) -> bytes:
    return json.dumps(
        {
            "takes": "logits" if saved.kind == "logits" else "logarithms of probabilities",
            "minus infinity": "keeps the probability zero"
            if keeps_masks(saved.map, listed)
            else "not taken: mask no class",
            "classes": saved.classes or [str(label) for label in saved.map.classes_],
            "steps": [
                {
                    "name": step.name,
                    "formula": FORMULA[step.name],
                    **({} if step.value is None else {"value": _listed(step.value)}),
                }
                for step in listed
            ],
            "map": as_json(saved.map),
        },
        indent=1,
    ).encode()


def _listed(value: Any) -> list[Any]:
    return value.tolist() if isinstance(value, np.ndarray) else value


def torch_module(listed: Any) -> Any:
    """Return steps as a module of torch, whose parameters are buffers."""
    import torch

    class CalibrationMap(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            for i, step in enumerate(listed):
                if step.value is not None:
                    self.register_buffer(f"value{i}", torch.tensor(step.value))

        def forward(self, z: Any) -> Any:
            z = z.double()
            for i, step in enumerate(listed):
                if step.name == "multiply":
                    z = z * getattr(self, f"value{i}")
                elif step.name == "matrix":
                    z = z @ getattr(self, f"value{i}").T
                elif step.name == "add":
                    z = z + getattr(self, f"value{i}")
                else:
                    z = torch.softmax(z, dim=1) if step.name == "softmax" else torch.log(z)
            return z

    return CalibrationMap()


def _torch(saved: Any, listed: Any) -> Any:
    try:
        import torch
    except ImportError:
        raise ValueError("a .pt file needs torch: pip install torch") from None
    module, content = torch_module(listed), io.BytesIO()
    example = torch.zeros(1, len(saved.map.classes_), dtype=torch.float64)
    torch.jit.save(torch.jit.trace(module, example), content)
    return content.getvalue()


def _onnx(saved: Any, listed: list[Any]) -> bytes:
    try:
        from onnx import TensorProto, helper, numpy_helper
    except ImportError:
        raise ValueError("an .onnx file needs onnx: pip install onnx") from None
    nodes, constants, last = [], [], "logits"
    for i, step in enumerate(listed):
        name = "probabilities" if i == len(listed) - 1 else f"z{i}"
        inputs = [last]
        if step.value is not None:
            value = step.value.T if step.name == "matrix" else step.value
            constants.append(numpy_helper.from_array(np.ascontiguousarray(value), f"value{i}"))
            inputs.append(f"value{i}")
        options: Any = {"axis": 1} if step.name == "softmax" else {}
        nodes.append(helper.make_node(ONNX[step.name], inputs, [name], **options))
        last = name
    k = len(saved.map.classes_)
    place = [
        helper.make_tensor_value_info(name, TensorProto.DOUBLE, ["n", k])
        for name in ("logits", "probabilities")
    ]
    graph = helper.make_graph(nodes, "calibration_map", place[:1], place[1:], constants)
    opset = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=opset, ir_version=8).SerializeToString()


ONNX = {"multiply": "Mul", "matrix": "MatMul", "add": "Add", "softmax": "Softmax", "log": "Log"}
WRITERS = {".json": _json, ".pt": _torch, ".onnx": _onnx}
