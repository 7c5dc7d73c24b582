"""A saved map for other programs, as a torch module or an ONNX graph.

Maps have one body, which torch and ONNX run alike: what it needs is arithmetic, comparisons, sums
along a row, and looking numbers up. All is computed in float64 and given back in the type that came
in.
"""

import io
import json
import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import calib
from calib_report.applying.saved_maps import SavedMap
from calib_report.files.saving import output_path, write_together

# a logit below masks its class; that of float32 nearest to -1e30 does not
MASKED = -1.0000001e30
# rows of probabilities sum to one within this, and are then taken as written
MOST_ROUNDED = 1e-4


def _sigmoid(fitted: Any) -> list[float]:
    """Return the coefficients of log p and log(1 - p), the intercept and the floor of a map."""
    a, b = np.broadcast_to(fitted.coef_, 2)  # Platt's are the same
    return [a, -b, fitted.intercept_, fitted.floor_]


def _pieces_of_map(fitted: Any) -> np.ndarray:
    """Return the ends, values and slopes of a map of one score that is made of lines."""
    if isinstance(fitted, calib.HistogramBinning | calib.BBQ | calib.ScalingBinning):
        # no score reaches 2: the last piece ends nowhere
        ends, flat = np.append(fitted.edges_[1:-1], 2), 0 * fitted.values_
        return np.array([ends, fitted.values_, flat, flat])
    if isinstance(fitted, calib.IsotonicCalibration):
        return _line(fitted.thresholds_, fitted.values_)
    if isinstance(fitted, calib.SplineCalibration):
        return _line(fitted.score_, fitted.slope_)
    raise ValueError(f"{type(fitted).__name__} is not exported")


def _floor(fitted: Any) -> float:
    """Return the smallest probability of a map of one score, and of all beside it."""
    # splines learn it from the samples, which are the same for all of them
    if isinstance(fitted, calib.SplineCalibration):
        return float(fitted.floor_)
    return float(getattr(fitted, "floor", 0.0))


class _Body:
    """What maps make of logits, (n, K), by the operations of a backend: torch, or a graph."""

    def __init__(self, backend: Any, z: Any, n_classes: int) -> None:
        self.backend, self.n_classes = backend, n_classes
        self.masked, self.ranks = z < MASKED, None

    def mapped_logits(self, fitted: Any, z: Any) -> Any:
        """Return the probabilities of a map; a ValueError where it predicts none."""
        if isinstance(fitted, calib.CrossValidated):
            return self.mapped_logits(fitted.map_, z)
        if isinstance(fitted, calib.RankWise):
            self.ranks = self.backend.rank(z)
        if isinstance(fitted, calib.OneVsRest | calib.RankWise):
            z = self.cooled(z, fitted.temperature_)
            return self.normalised(self.mapped_scores(fitted.maps_, self.scores(z)))
        if isinstance(fitted, calib.TemperatureScaling):
            return self.softmax(self.multiplied(z, 1 / fitted.temperature_))
        return self.softmax(self.linear(fitted, z))

    def linear(self, fitted: Any, z: Any) -> Any:
        """Return what maps with an intercept a class make of logits, or of log p."""
        if isinstance(fitted, calib.DirichletCalibration):
            z = self.log_softmax(z)
        elif isinstance(fitted, calib.StructuredMatrixScaling):
            z = self.log_softmax(self.multiplied(z, 1 / fitted.temperature_))
            z = self.mixed(z, fitted.uniform_)
        if isinstance(fitted, calib.VectorScaling):
            z = self.multiplied(z, fitted.coef_)
        elif isinstance(fitted, calib.MatrixScaling | calib.StructuredMatrixScaling):
            z = self.backend.matmul(
                self.unmasked(z), self.backend.const(fitted.coef_.T)
            )
        else:
            raise ValueError(f"{type(fitted).__name__} is not exported")
        return z + self.backend.const(fitted.intercept_)

    def mapped_scores(self, maps: list[Any], p: Any) -> Any:
        """Return what maps of one score make of probabilities, one a class or rank."""
        first = maps[0]
        if isinstance(first, calib.PlattScaling | calib.BetaCalibration):
            lines = np.array([*map(_sigmoid, maps)])
            return 1.0 / (1.0 + self.backend.exp(0.0 - self.log_odds(p, lines)))
        if isinstance(first, calib.ScalingBinning):
            p = self.mapped_scores([fitted.map_ for fitted in maps], p)
        return self.clipped(
            self.looked_up(p, [*map(_pieces_of_map, maps)]), _floor(first)
        )

    def unmasked(self, z: Any, instead: float = 0.0) -> Any:
        return self.backend.where(self.masked, instead, z)

    def multiplied(self, z: Any, by: Any) -> Any:
        return self.unmasked(z) * self.backend.const(by)

    def log_softmax(self, z: Any) -> Any:
        z = self.unmasked(z, -np.inf)
        # the largest is taken off first: exp would overflow
        z = z - self.backend.max(z)
        return z - self.backend.log(self.backend.sum(self.backend.exp(z)))

    def softmax(self, z: Any) -> Any:
        z = self.unmasked(z, -np.inf)
        e = self.backend.exp(z - self.backend.max(z))
        return e / self.backend.sum(e)

    def cooled(self, z: Any, temperature: float) -> Any:
        return z if temperature == 1 else self.multiplied(z, 1 / temperature)

    def scores(self, z: Any) -> Any:
        """The probabilities that maps of one score take; those that are written stay."""
        z = self.unmasked(z, -np.inf)
        top = self.backend.max(z)
        log_norm = top + self.backend.log(self.backend.sum(self.backend.exp(z - top)))
        written = log_norm * log_norm < MOST_ROUNDED**2
        return self.backend.exp(z - self.backend.where(written, 0.0, log_norm))

    def mixed(self, z: Any, uniform: float) -> Any:
        # masked classes take no part in the mixture
        allowed = self.backend.sum(self.unmasked(0.0 * self.unmasked(z) + 1.0))
        return self.backend.log((1 - uniform) * self.backend.exp(z) + uniform / allowed)

    def normalised(self, p: Any) -> Any:
        p = self.unmasked(p)
        # where all classes get zero, all allowed ones are as likely
        p = self.backend.where(
            self.backend.sum(p) < 1e-320, self.unmasked(0.0 * p + 1.0), p
        )
        return p / self.backend.sum(p)

    def clipped(self, p: Any, floor: Any) -> Any:
        p = self.backend.where(p < floor, floor, p)
        return self.backend.where(p < 1.0 - floor, p, 1.0 - floor)

    def row(self) -> Any:
        """The row of each class in a table of maps: its number, or its rank."""
        return (
            self.backend.const(np.arange(self.n_classes)[None])
            if self.ranks is None
            else self.ranks
        )

    def entry(self, table: np.ndarray, at: Any) -> Any:
        return self.backend.take(self.backend.const(table.ravel()), at)

    def log_odds(self, p: Any, lines: np.ndarray) -> Any:
        a, b, c, floor = (self.entry(column, self.row()) for column in lines.T)
        sure = a * self.backend.log(self.clipped(p, floor))
        return sure + b * self.backend.log(self.clipped(1.0 - p, floor)) + c

    def looked_up(self, p: Any, pieces: list[np.ndarray]) -> Any:
        """Return the value of the piece that a score lies in, which is found by halves."""
        # a power of two, so that halving meets every piece
        size = 1 << (max(map(np.size, pieces)) // 4 - 1).bit_length()
        filled = [_padded(piece, size) for piece in pieces]
        ends, value, slope, start = np.stack(filled, axis=1)
        # no loop over data: graphs have only where and take
        place, step = self.row() * size, size // 2
        while step:
            further = self.entry(ends, place + (step - 1)) < p
            place, step = self.backend.where(further, place + step, place), step // 2
        inside = p - self.entry(start, place)
        return self.entry(value, place) + self.entry(slope, place) * inside


def _padded(pieces: np.ndarray, size: int) -> np.ndarray:
    """Return as many pieces as `size`, the last one again and again."""
    return np.pad(pieces, ((0, 0), (0, size - pieces.shape[1])), "edge")


def _line(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return a line through points, constant outside, as pieces: end, value, slope, and where."""
    # two thresholds may be one score, where a line jumps
    slope = np.nan_to_num(np.diff(y) / np.diff(x))
    return np.array([[*x, 2], [y[0], *y], [0, *slope, 0], [x[0], *x]])


def _calibrated(fitted: Any, about: dict[str, Any], z: Any, backend: Any) -> Any:
    """Return what a map makes of its inputs, logits or probabilities."""
    if about["kind"] == "probabilities":
        z = backend.log(backend.where(z < about["floor"], about["floor"], z))
    return _Body(backend, z, len(about["classes"])).mapped_logits(fitted, z)


def export_map(path: Any, output: Any) -> None:
    """Write a saved map as a torch module or ONNX, as the name of the output says.

    `path` is a map that a report or :func:`calib.save_map` saved, `output` NAME.pt or NAME.onnx. A
    map that was fitted on probabilities takes probabilities. A ValueError says that a map predicts
    none, a ModuleNotFoundError what is missing.
    """
    output = output_path(output, *WRITERS)
    saved = SavedMap.read(path)
    about = {name: saved.about[name] for name in ("classes", "kind", "floor")}
    about["classes"] = saved.classes or [*map(str, saved.fitted.classes_)]
    write_together({output: WRITERS[output.suffix](saved.fitted, about)})


def _as_torch(fitted: Any, about: dict[str, Any]) -> bytes:
    import torch

    class CalibrationMap(torch.nn.Module):
        def const(self, value: Any) -> Any:
            # traced twice, so a constant is registered once, by its number
            if f"value{self.used}" not in dict(self.named_buffers()):
                self.register_buffer(f"value{self.used}", torch.tensor(value))
            self.used += 1
            return getattr(self, f"value{self.used - 1}")

        def forward(self, z: Any) -> Any:
            self.used, self.take = 0, operator.getitem
            self.exp, self.log = torch.exp, torch.log
            self.where, self.matmul = torch.where, torch.matmul
            self.max = lambda z: z.amax(dim=1, keepdim=True)
            self.sum = lambda z: z.sum(dim=1, keepdim=True)
            # of the places in falling order, the places
            sorting = {"dim": 1, "stable": True, "descending": True}
            self.rank = lambda z: z.argsort(**sorting).argsort(dim=1)
            return _calibrated(fitted, about, z.double(), self).type_as(z)

    module, content = CalibrationMap(), io.BytesIO()
    example = torch.rand(2, len(about["classes"]))
    module(example)  # which makes its buffers
    files = {"calib.json": json.dumps(about)}
    torch.jit.save(torch.jit.trace(module, example), content, _extra_files=files)
    return content.getvalue()


class _Value:
    """What a node of an ONNX graph gives; arithmetic on it adds nodes."""

    def __init__(self, graph: Any, name: str) -> None:
        self.graph, self.name = graph, name


def _arithmetic(op: str, reflected: bool) -> Callable[[_Value, Any], _Value]:
    """Return the method of an operator; a number before a value comes to it reflected."""
    if reflected:
        return lambda value, number: value.graph.node(op, number, value)
    return lambda value, other: value.graph.node(op, value, other)


for _op in ("add", "sub", "mul", "truediv", "lt"):
    _node = {"truediv": "Div", "lt": "Less"}.get(_op, _op.capitalize())
    setattr(_Value, f"__{_op}__", _arithmetic(_node, reflected=False))
    setattr(_Value, f"__r{_op}__", _arithmetic(_node, reflected=True))


class _Graph:
    """What a body needs, as nodes of an ONNX graph."""

    def __init__(self, n_classes: int) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        named = {
            "exp": "Exp",
            "log": "Log",
            "where": "Where",
            "matmul": "MatMul",
            "take": "Gather",
        }
        vars(self).update({name: partial(self.node, op) for name, op in named.items()})
        self.max = partial(self.node, "ReduceMax", axes=[1])
        self.sum = lambda z: self.node("ReduceSum", z, [1])
        # of places in falling order, ties by their order, the places
        sort = partial(self.node, "TopK", n_outputs=2)
        self.rank = lambda z: sort(sort(z, [n_classes]), [n_classes], largest=0)

    def node(self, op: str, *inputs: Any, n_outputs: int = 1, **options: Any) -> _Value:
        """Add a node, whose inputs may be numbers, and return the last that it gives."""
        from onnx import helper

        names = [(i if isinstance(i, _Value) else self.const(i)).name for i in inputs]
        gives = [f"z{len(self.nodes)}_{number}" for number in range(n_outputs)]
        self.nodes.append(helper.make_node(op, names, gives, **options))
        return _Value(self, gives[-1])

    def const(self, value: Any) -> _Value:
        from onnx import numpy_helper

        self.constants.append(
            numpy_helper.from_array(np.array(value), f"v{len(self.constants)}")
        )
        return _Value(self, self.constants[-1].name)


def _onnx(fitted: Any, about: dict[str, Any]) -> bytes:
    from onnx import TensorProto, helper

    k, ends = len(about["classes"]), (about["kind"], "calibrated")
    graph = _Graph(k)
    z = graph.node("Cast", _Value(graph, ends[0]), to=TensorProto.DOUBLE)
    graph.node("Cast", _calibrated(fitted, about, z, graph), to=TensorProto.FLOAT)
    graph.nodes[-1].output[0] = ends[1]
    places = [
        helper.make_tensor_value_info(end, TensorProto.FLOAT, ["n", k]) for end in ends
    ]
    body = helper.make_graph(
        graph.nodes, "map", places[:1], places[1:], graph.constants
    )
    opset = [helper.make_opsetid("", 17)]
    model = helper.make_model(
        body, opset_imports=opset, ir_version=8, producer_name="calib"
    )
    helper.set_model_props(
        model, {name: json.dumps(value) for name, value in about.items()}
    )
    return model.SerializeToString()


WRITERS = {".pt": _as_torch, ".onnx": _onnx}
