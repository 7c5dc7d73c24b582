"""A saved map for other programs: as JSON with its formula, a torch module, or ONNX.

Maps of all logits are a few steps of linear algebra, which `steps` names; the three forms write
these steps. Maps in bins, splines and the like have no short formula and are not exported.
"""

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from calib.calibrators.scaling import (
    DirichletCalibration,
    MatrixScaling,
    StructuredMatrixScaling,
    TemperatureScaling,
    VectorScaling,
)
from calib.calibrators.storage import as_json, read_map
from calib.files import write_whole


@dataclass(frozen=True, eq=False)
class Step:
    """One step from logits, or their logarithms of probabilities, to probabilities.

    Attributes
    ----------
    name : {"multiply", "matrix", "add", "softmax", "log"}
        Multiply each column, multiply by the transpose of a matrix, add to each column, softmax of
        each row, logarithm.
    value : ndarray or None
    """

    name: str
    value: np.ndarray | None = None


def steps(fitted: Any) -> Any:
    """Return a fitted map as steps, the last of which is a softmax.

    Raises
    ------
    ValueError
        Where the map has no such form.

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
    raise ValueError(
        f"{type(fitted).__name__} has no short formula; temperature, vector, matrix, structured "
        "matrix and Dirichlet scaling are exported"
    )


def run_steps(listed: Any, z: Any) -> Any:
    """Return what steps make of logits, shape (n, K), in numpy."""
    z = np.asarray(z, float)
    for step in listed:
        z = NUMPY[step.name](z, step.value)
    return z


def _softmax(z: Any, _: Any) -> Any:
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


NUMPY = {
    "multiply": lambda z, value: z * value,
    "matrix": lambda z, value: z @ value.T,
    "add": lambda z, value: z + value,
    "softmax": _softmax,
    "log": lambda z, _: np.log(z),
}
FORMULA = {
    "multiply": "z[k] = value[k] * z[k]",
    "matrix": "z[j] = sum over k of value[j][k] * z[k]",
    "add": "z[k] = z[k] + value[k]",
    "softmax": "z[k] = exp(z[k]) / sum over j of exp(z[j])",
    "log": "z[k] = log(z[k])",
}


def export_map(path: Any, output: Any) -> None:
    """Write a saved map as JSON, a torch module or ONNX, as the name of the output says.

    Parameters
    ----------
    path : str or Path
        A map that a report or :func:`calib.save_map` saved.
    output : str or Path
        NAME.json, NAME.pt or NAME.onnx. A map that was fitted on probabilities takes their
        logarithms.

    Raises
    ------
    ValueError, OSError
        Where the map has no short formula, or the output another ending; where torch or onnx is
        needed and absent.
    """
    output = Path(output)
    if output.suffix not in WRITERS:
        raise ValueError(f"{output}: the name of the output must end in {' or '.join(WRITERS)}")
    saved = read_map(path)
    write_whole(output, WRITERS[output.suffix](saved, steps(saved.map)))


def _json(saved: Any, listed: Any) -> Any:
    return json.dumps(
        {
            "takes": "logits" if saved.kind == "logits" else "logarithms of probabilities",
            "classes": saved.classes or [str(label) for label in saved.map.classes_],
            "steps": [
                {
                    "name": step.name,
                    "formula": FORMULA[step.name],
                    **({} if step.value is None else {"value": step.value.tolist()}),
                }
                for step in listed
            ],
            "map": as_json(saved.map),
        },
        indent=1,
    ).encode()


def torch_module(listed: Any) -> Any:
    """Return steps as a module of torch, whose parameters are buffers.

    Parameters
    ----------
    listed : list of Step
    """
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


def _onnx(saved: Any, listed: Any) -> Any:
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
