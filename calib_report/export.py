"""A saved map for other programs: as a torch module or an ONNX graph.

A map is a list of steps, each of one body that torch and ONNX run alike: what they need is
arithmetic, comparisons, sums along a row, and looking numbers up. All is computed in float64 and
given back in the type that came in.
"""

import io
import json
import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import calib
from calib_report.apply import saved_map
from calib_report.writing import output_path, write_together

MASKED = -1.0000001e30  # a logit below masks its class; that of float32 nearest to -1e30 does not
LEAST = 1e-12  # scores this near to 0 or 1 count as this near where their logarithm is taken
ON_EDGE = 1 + 1e-12  # a score this little above the edge of a bin is on it, but for rounding


Step = tuple[str, Any]  # from logits, or probabilities, to probabilities: a method of `_Run`


def steps(fitted: Any) -> list[Step]:
    """Return a fitted map of logits as steps; a ValueError where it predicts no probabilities.

    Examples
    --------
    >>> fitted = calib.TemperatureScaling().fit([[3.0, 0.0]] * 3, [0, 0, 1])
    >>> [name for name, _ in steps(fitted)]
    ['multiply', 'softmax']
    """
    if isinstance(fitted, calib.CrossValidated):
        return steps(fitted.map_)
    if isinstance(fitted, calib.TemperatureScaling):
        return [("multiply", 1 / fitted.temperature_), ("softmax", None)]
    if isinstance(fitted, calib.OneVsRest | calib.RankWise):
        rank = [("rank", None)] * isinstance(fitted, calib.RankWise)
        scores = ("softmax", None) if rank else ("scores", None)
        return [*rank, scores, *_of_scores(fitted.maps_), ("normalise", None)]
    first: list[Step] = []
    linear: list[Step] = []
    if isinstance(fitted, calib.DirichletCalibration):
        first = [("log softmax", None)]
    elif isinstance(fitted, calib.StructuredMatrixScaling):
        first = [("multiply", 1 / fitted.temperature_), ("log softmax", None)]
        first.append(("mix", fitted.uniform_))
    if isinstance(fitted, calib.VectorScaling):
        linear = [("multiply", fitted.coef_)]
    elif isinstance(fitted, calib.MatrixScaling | calib.StructuredMatrixScaling):
        linear = [("matrix", fitted.coef_.T)]
    if not linear:
        raise ValueError(f"{type(fitted).__name__} is not exported")
    return [*first, *linear, ("add", fitted.intercept_), ("softmax", None)]


def _of_scores(maps: list[Any]) -> list[Step]:
    """Return the steps of maps of one score, one a class or rank."""
    one, before, pieces = maps[0], [], []
    if isinstance(one, calib.PlattScaling | calib.BetaCalibration):
        both = [np.broadcast_to(m.coef_, 2) for m in maps]  # Platt's are the same
        lines = [[a, -b, m.intercept_] for (a, b), m in zip(both, maps, strict=True)]
        return [("log odds", np.array(lines)), ("sigmoid", None)]
    if isinstance(one, calib.ScalingBinning):
        before = _of_scores([m.map_ for m in maps])
    if isinstance(one, calib.HistogramBinning | calib.BBQ | calib.ScalingBinning):
        # Scores of the calibration set lie on edges, and rounding must not move them.
        edges = [np.append(m.edges_[1:-1] * ON_EDGE, 2) for m in maps]
        flat = [(m.values_, 0 * m.values_, 0 * m.values_) for m in maps]
        pieces = [np.array([end, *rest]) for end, rest in zip(edges, flat, strict=True)]
    elif isinstance(one, calib.IsotonicCalibration):
        pieces = [_line(m.thresholds_, m.values_) for m in maps]
    elif isinstance(one, calib.SplineCalibration):
        pieces = [_line(m.score_, m.slope_) for m in maps]
    if not pieces:
        raise ValueError(f"{type(one).__name__} is not exported")
    floor, size = getattr(one, "floor", 0.0), max(map(np.size, pieces)) // 4
    size = 1 << (size - 1).bit_length()  # a power of two, for the search by halves
    filled = [np.pad(p, ((0, 0), (0, size - p.shape[1])), mode="edge") for p in pieces]
    clip = ("clip", [floor, 1 - floor])
    return [*before, ("pieces", np.stack(filled, axis=1)), clip]


def _line(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return a line through points, constant outside, as pieces: end, value, slope, and where."""
    slope = np.nan_to_num(np.diff(y) / np.diff(x))
    return np.array([[*x, 2], [y[0], *y], [0, *slope, 0], [x[0], *x]])


class _Run:
    """Steps, each by what a backend, `o`, does with logits or probabilities, (n, K)."""

    def __init__(self, backend: Any, n_classes: int) -> None:
        self.o, self.masked, self.ranks, self.n_classes = backend, None, None, n_classes

    def __call__(self, listed: list[Step], z: Any) -> Any:
        for name, value in listed:
            if self.masked is None and name != "floor":
                self.masked = z < MASKED
            z = getattr(self, name.replace(" ", "_"))(z, value)
        return z

    def unmasked(self, z: Any, instead: float = 0.0) -> Any:
        return self.o.where(self.masked, instead, z)

    def entry(self, table: np.ndarray, at: Any) -> Any:
        return self.o.take(self.o.const(table.ravel()), at)

    @property
    def row(self) -> Any:
        """The row of each class in a table of maps: its number, or its rank."""
        return self.o.const(np.arange(self.n_classes)[None]) if self.ranks is None else self.ranks

    def floor(self, z: Any, v: Any) -> Any:
        return self.o.log(self.o.where(z < v, v, z))

    def multiply(self, z: Any, v: Any) -> Any:
        return self.unmasked(z) * self.o.const(v)

    def matrix(self, z: Any, v: Any) -> Any:
        return self.o.matmul(self.unmasked(z), self.o.const(v))

    def add(self, z: Any, v: Any) -> Any:
        return z + self.o.const(v)

    def log_softmax(self, z: Any, _: Any) -> Any:
        z = self.unmasked(z, -np.inf)
        z = z - self.o.max(z)
        return z - self.o.log(self.o.sum(self.o.exp(z)))

    def softmax(self, z: Any, _: Any) -> Any:
        z = self.unmasked(z, -np.inf)
        e = self.o.exp(z - self.o.max(z))
        return e / self.o.sum(e)

    def scores(self, z: Any, _: Any) -> Any:
        # the softmax by the operations of one-vs-rest, whose maps jump at these very numbers
        z = self.unmasked(z, -np.inf)
        top = self.o.max(z)
        return self.o.exp(z - (top + self.o.log(self.o.sum(self.o.exp(z - top)))))

    def mix(self, z: Any, v: float) -> Any:
        allowed = self.o.sum(self.unmasked(0.0 * self.unmasked(z) + 1.0))
        return self.o.log((1 - v) * self.o.exp(z) + v / allowed)

    def rank(self, z: Any, _: Any) -> Any:
        self.ranks = self.o.rank(z)
        return z

    def log_odds(self, z: Any, v: np.ndarray) -> Any:
        a, b, c = (self.entry(column, self.row) for column in v.T)
        ends = LEAST, 1 - LEAST
        return a * self.o.log(self.clip(z, ends)) + b * self.o.log(self.clip(1.0 - z, ends)) + c

    def sigmoid(self, z: Any, _: Any) -> Any:
        return 1.0 / (1.0 + self.o.exp(0.0 - z))

    def pieces(self, z: Any, v: np.ndarray) -> Any:
        ends, value, slope, start = v  # the piece is found by halves
        place, step = self.row * ends.shape[1], ends.shape[1] // 2
        while step:
            further = self.entry(ends, place + (step - 1)) < z
            place, step = self.o.where(further, place + step, place), step // 2
        return self.entry(value, place) + self.entry(slope, place) * (z - self.entry(start, place))

    def clip(self, z: Any, v: Any) -> Any:
        z = self.o.where(z < v[0], v[0], z)
        return self.o.where(z < v[1], z, v[1])

    def normalise(self, p: Any, _: Any) -> Any:
        p = self.unmasked(p)
        p = self.o.where(self.o.sum(p) < 1e-320, self.unmasked(0.0 * p + 1.0), p)
        return p / self.o.sum(p)


def export_map(path: Any, output: Any) -> None:
    """Write a saved map as a torch module or ONNX, as the name of the output says.

    `path` is a map that a report or :func:`calib.save_map` saved, `output` NAME.pt or NAME.onnx. A
    map that was fitted on probabilities takes probabilities. A ValueError says that a map predicts
    none, a ModuleNotFoundError what is missing.
    """
    output = output_path(output, *WRITERS)
    fitted, about = saved_map(path)
    listed = steps(fitted)
    if about["kind"] == "probabilities":
        listed = [("floor", about["floor"]), *listed]
    about["classes"] = about["classes"] or [str(label) for label in fitted.classes_]
    told = {name: about[name] for name in ("classes", "kind", "floor")}
    write_together({output: WRITERS[output.suffix](listed, told)})


def _torch(listed: list[Step], told: dict[str, Any]) -> bytes:
    import torch

    n_classes = len(told["classes"])

    class CalibrationMap(torch.nn.Module):
        def const(self, value: Any) -> Any:
            if f"value{self.used}" not in dict(self.named_buffers()):
                self.register_buffer(f"value{self.used}", torch.tensor(value))
            self.used += 1
            return getattr(self, f"value{self.used - 1}")

        def forward(self, z: Any) -> Any:
            self.used, self.exp, self.log, self.where = 0, torch.exp, torch.log, torch.where
            self.take, self.matmul = operator.getitem, torch.matmul
            self.max = lambda z: z.amax(dim=1, keepdim=True)
            self.sum = lambda z: z.sum(dim=1, keepdim=True)
            self.rank = lambda z: z.argsort(dim=1, descending=True, stable=True).argsort(dim=1)
            return _Run(self, n_classes)(listed, z.double()).type_as(z)

    module, content, example = CalibrationMap(), io.BytesIO(), torch.rand(2, n_classes)
    module(example)  # which makes its buffers
    files = {"calib.json": json.dumps(told)}
    torch.jit.save(torch.jit.trace(module, example), content, _extra_files=files)
    return content.getvalue()


class _Value:
    """What a node of an ONNX graph gives; arithmetic on it adds nodes."""

    def __init__(self, graph: Any, name: str) -> None:
        self.graph, self.name = graph, name


def _arithmetic(op: str, reflected: bool) -> Callable[[_Value, Any], _Value]:
    return lambda one, other: one.graph.node(op, *((other, one) if reflected else (one, other)))


for _op in ("add", "sub", "mul", "truediv", "lt"):
    _node = {"truediv": "Div", "lt": "Less"}.get(_op, _op.capitalize())
    setattr(_Value, f"__{_op}__", _arithmetic(_node, reflected=False))
    setattr(_Value, f"__r{_op}__", _arithmetic(_node, reflected=True))


class _Graph:
    """What steps need, as nodes of an ONNX graph."""

    def __init__(self, n_classes: int) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        named = {"exp": "Exp", "log": "Log", "where": "Where", "matmul": "MatMul", "take": "Gather"}
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
        """Add numbers."""
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.array(value), f"v{len(self.constants)}"))
        return _Value(self, self.constants[-1].name)


def _onnx(listed: list[Step], told: dict[str, Any]) -> bytes:
    from onnx import TensorProto, helper

    k, ends = len(told["classes"]), (told["kind"], "calibrated")
    graph = _Graph(k)
    z = graph.node("Cast", _Value(graph, ends[0]), to=TensorProto.DOUBLE)
    graph.node("Cast", _Run(graph, k)(listed, z), to=TensorProto.FLOAT)
    graph.nodes[-1].output[0] = ends[1]
    places = [helper.make_tensor_value_info(end, TensorProto.FLOAT, ["n", k]) for end in ends]
    body = helper.make_graph(graph.nodes, "map", places[:1], places[1:], graph.constants)
    opset = [helper.make_opsetid("", 17)]
    model = helper.make_model(body, opset_imports=opset, ir_version=8, producer_name="calib")
    helper.set_model_props(model, {name: json.dumps(value) for name, value in told.items()})
    return model.SerializeToString()


WRITERS = {".pt": _torch, ".onnx": _onnx}
