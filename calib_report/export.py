"""A saved map for other programs: as JSON with its formulas, a torch module, or an ONNX graph.

A map is a list of steps, each of one body that numpy, torch and ONNX run alike: what they need is
arithmetic, comparisons, sums along a row, and looking numbers up. All is computed in float64 and
given back in the type that came in.
"""

import io
import json
import operator
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import calib
from calib_report.apply import saved_map
from calib_report.writing import output_path, write_together

MASKED = -1.0000001e30  # a logit below masks its class; that of float32 nearest to -1e30 does not
LEAST = 1e-12  # scores this near to 0 or 1 count as this near where their logarithm is taken
ON_EDGE = 1 + 1e-12  # a score this little above the edge of a bin is on it, but for rounding
ABOUT = {
    "minus infinity": "a logit below -1e30 masks its class, which keeps the probability zero: "
    "for it z[k] counts as 0 where it is multiplied, and as minus infinity in a softmax",
    "row": "row[k] is k; after the step rank, how many classes have a larger z",
}


class Step(NamedTuple):
    """One step from logits, or probabilities, to probabilities: a method of `Run`."""

    name: str
    value: Any = None


def steps(fitted: Any) -> list[Step]:
    """Return a fitted map of logits as steps; a ValueError where it predicts no probabilities.

    Examples
    --------
    >>> fitted = calib.TemperatureScaling().fit([[3.0, 0.0]] * 3, [0, 0, 1])
    >>> [step.name for step in steps(fitted)]
    ['multiply', 'softmax']
    """
    if isinstance(fitted, calib.CrossValidated):
        return steps(fitted.map_)
    if isinstance(fitted, calib.TemperatureScaling):
        return [Step("multiply", 1 / fitted.temperature_), Step("softmax")]
    if isinstance(fitted, calib.OneVsRest | calib.RankWise):
        rank = [Step("rank")] * isinstance(fitted, calib.RankWise)
        scores = Step("softmax") if rank else Step("scores")
        return [*rank, scores, *_of_scores(fitted.maps_), Step("normalise")]
    first, linear = [], []
    if isinstance(fitted, calib.DirichletCalibration):
        first = [Step("log softmax")]
    elif isinstance(fitted, calib.StructuredMatrixScaling):
        first = [Step("multiply", 1 / fitted.temperature_), Step("log softmax")]
        first.append(Step("mix", fitted.uniform_))
    if isinstance(fitted, calib.VectorScaling):
        linear = [Step("multiply", fitted.coef_)]
    elif isinstance(fitted, calib.MatrixScaling | calib.StructuredMatrixScaling):
        linear = [Step("matrix", fitted.coef_.T)]
    if not linear:
        raise ValueError(f"{type(fitted).__name__} is not exported")
    return [*first, *linear, Step("add", fitted.intercept_), Step("softmax")]


def _of_scores(maps: list[Any]) -> list[Step]:
    """Return the steps of maps of one score, one a class or rank."""
    one, before, pieces = maps[0], [], []
    if isinstance(one, calib.PlattScaling | calib.BetaCalibration):
        both = [np.broadcast_to(m.coef_, 2) for m in maps]  # Platt's are the same
        lines = [[a, -b, m.intercept_] for (a, b), m in zip(both, maps, strict=True)]
        return [Step("log odds", np.array(lines)), Step("sigmoid")]
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
    clip = Step("clip", [floor, 1 - floor])
    return [*before, Step("pieces", np.stack(filled, axis=1)), clip]


def _line(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return a line through points, constant outside, as pieces: end, value, slope, and where."""
    slope = np.nan_to_num(np.diff(y) / np.diff(x))
    return np.array([[*x, 2], [y[0], *y], [0, *slope, 0], [x[0], *x]])


class Run:
    """Steps, each of which says its formula, by what a backend does."""

    def __init__(self, backend: Any, n_classes: int) -> None:
        self.o, self.masked, self.ranks, self.n_classes = backend, None, None, n_classes

    def __call__(self, listed: list[Step], z: Any) -> Any:
        """Return what steps make of logits, or probabilities, of shape (n, K)."""
        with np.errstate(all="ignore"):
            for name, value in listed:
                if self.masked is None and name != "floor":
                    self.masked = z < MASKED
                z = getattr(self, name.replace(" ", "_"))(z, value)
        return z

    def unmasked(self, z: Any, instead: float = 0.0) -> Any:
        """Return z with another number where a class is masked."""
        return self.o.where(self.masked, instead, z)

    def entry(self, table: np.ndarray, at: Any) -> Any:
        """Return the entries of a table at places that were computed."""
        return self.o.take(self.o.const(table.ravel()), at)

    @property
    def row(self) -> Any:
        """The row of each class in a table of maps: its number, or its rank."""
        return self.o.const(np.arange(self.n_classes)[None]) if self.ranks is None else self.ranks

    def floor(self, z: Any, v: Any) -> Any:
        """z[k] = log(max(z[k], value))"""
        return self.o.log(self.o.where(z < v, v, z))

    def multiply(self, z: Any, v: Any) -> Any:
        """z[k] = value[k] * z[k]; one value is that of all k"""
        return self.unmasked(z) * self.o.const(v)

    def matrix(self, z: Any, v: Any) -> Any:
        """z[j] = sum over k of z[k] * value[k][j]"""
        return self.o.matmul(self.unmasked(z), self.o.const(v))

    def add(self, z: Any, v: Any) -> Any:
        """z[k] = z[k] + value[k]"""
        return z + self.o.const(v)

    def log_softmax(self, z: Any, _: Any) -> Any:
        """z[k] = z[k] - log(sum over j of exp(z[j]))"""
        z = self.unmasked(z, -np.inf)
        z = z - self.o.max(z)
        return z - self.o.log(self.o.sum(self.o.exp(z)))

    def softmax(self, z: Any, _: Any) -> Any:
        """z[k] = exp(z[k]) / sum over j of exp(z[j])"""
        z = self.unmasked(z, -np.inf)
        e = self.o.exp(z - self.o.max(z))
        return e / self.o.sum(e)

    def scores(self, z: Any, _: Any) -> Any:
        """z[k] = exp(z[k] - log(sum over j of exp(z[j])))"""
        # the operations of one-vs-rest, whose maps jump at these very numbers
        z = self.unmasked(z, -np.inf)
        top = self.o.max(z)
        return self.o.exp(z - (top + self.o.log(self.o.sum(self.o.exp(z - top)))))

    def mix(self, z: Any, v: float) -> Any:
        """z[k] = log((1 - value) * exp(z[k]) + value / number of classes not masked)"""
        allowed = self.o.sum(self.unmasked(0.0 * self.unmasked(z) + 1.0))
        return self.o.log((1 - v) * self.o.exp(z) + v / allowed)

    def rank(self, z: Any, _: Any) -> Any:
        """row[k] = number of classes with a larger z, ties by their order"""
        self.ranks = self.o.rank(z)
        return z

    def log_odds(self, z: Any, v: np.ndarray) -> Any:
        """z[k] = a log(z[k]) + b log(1 - z[k]) + c, (a, b, c) = value[row[k]], logs from 1e-12"""
        a, b, c = (self.entry(column, self.row) for column in v.T)
        ends = LEAST, 1 - LEAST
        return a * self.o.log(self.clip(z, ends)) + b * self.o.log(self.clip(1.0 - z, ends)) + c

    def sigmoid(self, z: Any, _: Any) -> Any:
        """z[k] = 1 / (1 + exp(-z[k]))"""
        return 1.0 / (1.0 + self.o.exp(0.0 - z))

    def pieces(self, z: Any, v: np.ndarray) -> Any:
        """r = row[k], i = how many of value[0][r] are below z[k];
        z[k] = value[1][r][i] + value[2][r][i] * (z[k] - value[3][r][i])
        """  # found by halves
        ends, value, slope, start = v
        place, step = self.row * ends.shape[1], ends.shape[1] // 2
        while step:
            further = self.entry(ends, place + (step - 1)) < z
            place, step = self.o.where(further, place + step, place), step // 2
        return self.entry(value, place) + self.entry(slope, place) * (z - self.entry(start, place))

    def clip(self, z: Any, v: Any) -> Any:
        """z[k] = min(max(z[k], value[0]), value[1])"""
        z = self.o.where(z < v[0], v[0], z)
        return self.o.where(z < v[1], z, v[1])

    def normalise(self, p: Any, _: Any) -> Any:
        """z[k] = z[k] / sum over j of z[j]; the same for all where it is 0"""
        p = self.unmasked(p)
        p = self.o.where(self.o.sum(p) < 1e-320, self.unmasked(0.0 * p + 1.0), p)
        return p / self.o.sum(p)


class Numpy:
    """What steps need, by numpy."""

    def __init__(self) -> None:
        self.exp, self.log, self.where, self.matmul = np.exp, np.log, np.where, np.matmul
        self.const, self.take = np.asarray, operator.getitem
        self.max = lambda z: z.max(axis=1, keepdims=True)
        self.sum = lambda z: z.sum(axis=1, keepdims=True)
        self.rank = lambda z: np.argsort(np.argsort(-z, axis=1, kind="stable"), axis=1)


def export_map(path: Any, output: Any) -> None:
    """Write a saved map as JSON, a torch module or ONNX, as the name of the output says.

    `path` is a map that a report or :func:`calib.save_map` saved, `output` NAME.json, NAME.pt or
    NAME.onnx. A map that was fitted on probabilities takes probabilities. A ValueError says that a
    map predicts none, a ModuleNotFoundError what is missing.
    """
    output = output_path(output, *WRITERS)
    fitted, about = saved_map(path)
    listed = steps(fitted)
    if about["kind"] == "probabilities":
        listed = [Step("floor", about["floor"]), *listed]
    about["classes"] = about["classes"] or [str(label) for label in fitted.classes_]
    write_together({output: WRITERS[output.suffix](listed, about)})


def _json(listed: list[Step], about: dict[str, Any]) -> bytes:
    told = []
    for name, value in listed:
        formula = " ".join(str(getattr(Run, name.replace(" ", "_")).__doc__).split())
        step = {"name": name, "formula": formula}
        told.append(step if value is None else step | {"value": np.asarray(value).tolist()})
    found = {"takes": about["kind"], "classes": about["classes"], "floor": about["floor"]}
    return json.dumps(found | ABOUT | {"steps": told, "map": about["map"]}, indent=1).encode()


def _torch(listed: list[Step], about: dict[str, Any]) -> bytes:
    import torch

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
            return Run(self, len(about["classes"]))(listed, z.double()).type_as(z)

    module, content = CalibrationMap(), io.BytesIO()
    example = torch.rand(2, len(about["classes"]))
    module(example)  # which makes its buffers
    told = {"calib.json": json.dumps({name: about[name] for name in TOLD})}
    torch.jit.save(torch.jit.trace(module, example), content, _extra_files=told)
    return content.getvalue()


class Value(NamedTuple):
    """What a node of an ONNX graph gives; arithmetic on it adds nodes."""

    graph: Any
    name: str


def _arithmetic(op: str, reflected: bool) -> Callable[[Value, Any], Value]:
    def add(self: Value, other: Any) -> Value:
        added: Value = self.graph.node(op, *((other, self) if reflected else (self, other)))
        return added

    return add


for _name, _op in {
    "add": "Add",
    "sub": "Sub",
    "mul": "Mul",
    "truediv": "Div",
    "lt": "Less",
}.items():
    setattr(Value, f"__{_name}__", _arithmetic(_op, False))
    setattr(Value, f"__r{_name}__", _arithmetic(_op, True))


class Graph:
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

    def node(self, op: str, *inputs: Any, n_outputs: int = 1, **options: Any) -> Value:
        """Add a node, whose inputs may be numbers, and return the last that it gives."""
        from onnx import helper

        names = [(i if isinstance(i, Value) else self.const(i)).name for i in inputs]
        gives = [f"z{len(self.nodes)}_{number}" for number in range(n_outputs)]
        self.nodes.append(helper.make_node(op, names, gives, **options))
        return Value(self, gives[-1])

    def const(self, value: Any) -> Value:
        """Add numbers."""
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.array(value), f"v{len(self.constants)}"))
        return Value(self, self.constants[-1].name)


def _onnx(listed: list[Step], about: dict[str, Any]) -> bytes:
    from onnx import TensorProto, helper

    graph, k = Graph(len(about["classes"])), len(about["classes"])
    z = graph.node("Cast", Value(graph, about["kind"]), to=TensorProto.DOUBLE)
    graph.node("Cast", Run(graph, k)(listed, z), to=TensorProto.FLOAT)
    graph.nodes[-1].output[0] = "calibrated"
    ends = (about["kind"], "calibrated")
    places = [helper.make_tensor_value_info(end, TensorProto.FLOAT, ["n", k]) for end in ends]
    body = helper.make_graph(graph.nodes, "map", places[:1], places[1:], graph.constants)
    opset = [helper.make_opsetid("", 17)]
    model = helper.make_model(body, opset_imports=opset, ir_version=8, producer_name="calib")
    helper.set_model_props(model, {name: json.dumps(about[name]) for name in TOLD})
    return model.SerializeToString()


TOLD = ("classes", "kind", "floor")
WRITERS = {".json": _json, ".pt": _torch, ".onnx": _onnx}
