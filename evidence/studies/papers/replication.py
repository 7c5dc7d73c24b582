"""Compute replication.csv: the papers' cells beside what their networks, or siblings, give."""

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import calib
from calib.maps.spline import spline_basis
from calib.views import Viewed
from evidence import Outputs, load_published, load_source
from evidence.data import generator
from evidence.fit_and_measure import calibrated
from evidence.rows import Row
from evidence.sources import RESNET
from evidence.studies.parts.random_halves import GROUP_2, half_rows, vasilev_first_group
from evidence.studies.parts.two_sets import SEED

Cell = Any  # a row of a published table, as pandas' itertuples yields it
Halves = dict[tuple[str, str, str], list[float]]  # values by source, method and metric

TOLERANCE = 0.002  # percentage points
METHODS = [
    "Uncalibrated",
    "Temperature scaling",
    "Vector scaling",
    "MS-ODIR",
    "Dir-ODIR",
    "Spline",
]
ODIR = {"MS-ODIR": calib.MatrixScaling, "Dir-ODIR": calib.DirichletCalibration}
KNOTS = {"KS": 6, "KS top-2": 6, "KS within-top-2": 14, "ECE": 13, "Accuracy": 6}


class Reason(NamedTuple):
    """Why our number is not the printed one, or, where it `agrees`, in what it does.

    The numbers that the text names have columns of their own: what the released `script` gives,
    the range over all penalties (`least` to `most`), and whether the printed value is that of
    another network too, perhaps `copied`.
    """

    text: str
    agrees: bool = False
    script: float | str = ""
    least: float | str = ""
    most: float | str = ""
    copied: str = ""


AGREES = Reason("agrees", agrees=True)
EARLY_STOP = Reason(
    "Gupta took the baseline of Kull (2019), which Adam trains until its loss "
    "stalls; ours is the optimum of the same loss"
)
FOLDS_OF_KULL = (
    "Kull (2019) trains by Adam and averages the models of five folds; ours is the optimum "
    "for the penalties that five folds choose. Over our grid of penalties"
)
ALL_RANKS = Reason("how the ranks' splines are put together is not printed")
SIBLING = Reason(
    "other weights of the architecture, other preprocessing, and an unknown half"
)
UNKNOWN_HALF = Reason("the paper's half of the test set is not published")
GROUP_1 = Reason(
    "weights of the same repository, perhaps of another release, in float16; the "
    "paper's half is not published"
)
UNKNOWN_EXPONENT = Reason(
    "the exponent of the focal loss is presumed; the paper's half is not published"
)
TOP_FIVE = Reason(
    "fitted to the five largest probabilities, the missing mass spread evenly; an "
    "unknown half"
)
KERNEL = Reason(
    "bandwidth and boundary rule of the KDE differ from the published script"
)
OTHER_BIRDS = Reason("another network and another test set of the same name")


def in_unit(value: float, published: Cell) -> float:
    """The value in the unit of its cell: percent, but for losses and Gupta's Table 7."""
    is_table_7 = published.paper == "gupta2021" and published.table == 7
    is_loss = published.metric in ("NLL", "Brier")
    return value if is_loss or is_table_7 else 100 * value


@functools.cache
def with_best_penalty(kind: Any) -> calib.CrossValidated:
    """Matrix or Dirichlet scaling with the penalties that five folds choose."""
    split = load_source(RESNET).to_fit
    return calib.CrossValidated(kind()).fit(split.as_logits(), split.y)


@functools.cache
def over_all_penalties(kind: Any) -> list[Outputs]:
    """What the kind of scaling makes of the test set with each combination of penalties."""
    net, penalties = load_source(RESNET), with_best_penalty(kind).combinations
    return [calibrated(kind(**each), net.to_fit, net.test) for each in penalties]


def as_outputs(test: Outputs, prob: np.ndarray) -> Outputs:
    return Outputs(test.y, order=test.order, probabilities=prob)


def odir_reason(method: str, metric: str, printed: float) -> Reason:
    """The range of a cell over all penalties, and who else has a printed value below it."""
    splits = over_all_penalties(ODIR[method])
    values = [
        100 * gupta_metric(metric, *view_pairs(split, metric)) for split in splits
    ]
    least, most = min(values), max(values)
    text = f"{FOLDS_OF_KULL} the value runs from {least:.3f} to {most:.3f}"
    cells = select("gupta2021", metric=metric, method=method, dataset="CIFAR-10")
    twins = [c.model for c in cells if c.value == printed and c.model != "ResNet-110"]
    copied = twins[0] if printed < least and twins else ""
    if copied:
        text += f"; the printed value is that of {copied} too, perhaps copied"
    return Reason(text, least=round(least, 3), most=round(most, 3), copied=copied)


def ks_reason(score: np.ndarray, hit: np.ndarray) -> Reason:
    """What the released script gives: running sums in single precision."""
    order = np.argsort(score)
    score, hit = (a[order].astype(np.float32) for a in (score, hit))
    sums = np.cumsum(score) / len(score) - np.cumsum(hit) / len(hit)
    value = 100 * float(np.abs(sums).max())
    cut = float(np.floor(1000 * value) / 1000)
    return Reason(
        f"agrees; with running sums in single precision, as in the released script, {value:.4f}, "
        f"of which three decimals without rounding are {cut:.3f}",
        agrees=True,
        script=cut,
    )


def resnet_method(method: str) -> Outputs:
    """What a method makes of the test set of the network, as a split."""
    net = load_source(RESNET)
    if method in ODIR:  # fitted already, by folds
        return as_outputs(
            net.test,
            with_best_penalty(ODIR[method]).predict_proba(net.test.as_logits()),
        )
    calibrators: dict[str, Any] = {
        "Uncalibrated": None,
        "Temperature scaling": calib.TemperatureScaling(),
        "Vector scaling": calib.VectorScaling(),
        "Spline": calib.RankWise(calib.SplineCalibration(floor=0)),
    }
    return calibrated(calibrators[method], net.to_fit, net.test)


def view_pairs(split: Outputs, metric: str) -> Viewed:
    """The pairs that one of Gupta's metrics is about."""
    if metric == "KS top-2":
        return split.top_r_pairs(2)
    if metric == "KS within-top-2":
        return split.within_top_r_pairs(2)
    return split.pairs


def gupta_metric(metric: str, score: np.ndarray, hit: np.ndarray) -> float:
    if metric == "Accuracy":
        return float(np.mean(hit))
    if metric == "ECE":
        return calib.ece(hit, score, n_bins=25)
    return calib.ks_error(hit, score)


def resampled(
    source: str, published: Cell, score: np.ndarray, hit: np.ndarray
) -> tuple[float, float]:
    """The 95 % interval of a cell from resamples of the test samples, the map held fixed."""

    rng = generator(f"{source}/{published.table}/{published.method}", seed=SEED)
    estimate = calib.bootstrap(
        lambda y_true, y_prob: gupta_metric(published.metric, y_prob, y_true),
        hit,
        score,
        rng=rng,
    )
    return estimate.low, estimate.high


def script_spline(
    score: np.ndarray, hit: np.ndarray, new: np.ndarray, n_knots: int
) -> np.ndarray:
    """Spline calibration with the choices of the authors' released script.

    Scores in single precision; fractiles (i - 1)/(n - 1); the slope taken at the fractiles; and
    the two weights of the linear interpolation between calibration scores exchanged.
    """
    order = np.argsort(score)
    x = score[order]
    calibrated_x = x + slope_at_fractiles(hit[order] - x, n_knots)
    inside = exchanged_interpolation(x, calibrated_x, new)
    outside = np.where(new >= x[-1], calibrated_x[-1], calibrated_x[0])
    return np.where((new > x[0]) & (new < x[-1]), inside, outside).clip(0, 1)


def slope_at_fractiles(gaps: np.ndarray, n_knots: int) -> np.ndarray:
    """The slope of the natural spline that is fitted to the running sums of gaps."""
    fractile = np.linspace(0, 1, len(gaps))
    sums = np.cumsum(gaps) / len(gaps)
    weights = np.linalg.lstsq(spline_basis(fractile, n_knots), sums, rcond=None)[0]
    step = 1e-6
    inner = np.clip(fractile, step, 1 - step)
    rise = spline_basis(inner + step, n_knots) - spline_basis(inner - step, n_knots)
    return rise @ weights / (2 * step)


def exchanged_interpolation(
    x: np.ndarray, values: np.ndarray, new: np.ndarray
) -> np.ndarray:
    """Values between those at `x`, each neighbour with the weight that the other should have."""
    above = np.clip(np.searchsorted(x, new), 1, len(x) - 1)
    from_below, to_above = new - x[above - 1], x[above] - new
    width = np.where(x[above] > x[above - 1], x[above] - x[above - 1], 1)
    return (to_above * values[above] + from_below * values[above - 1]) / width


def in_single_precision(split: Outputs) -> Outputs:
    """The split with the softmax taken in single precision, as the script does."""
    return as_outputs(split, calib.softmax(split.as_logits().astype(np.float32)))


class Recomputed(NamedTuple):
    """The scores and hits of a cell, what its metric is of them, and why it is another number."""

    pairs: Viewed
    value: float
    reason: Reason


def spline_recomputed(metric: str) -> Recomputed:
    """A cell after our spline, with the value of the script's beside it."""
    net = load_source(RESNET)
    score, hit = view_pairs(net.to_fit, metric)
    new, new_hit = view_pairs(net.test, metric)
    spline = calib.SplineCalibration(n_knots=KNOTS[metric], floor=0).fit(score, hit)
    viewed = spline.predict(new), new_hit
    script = round(100 * spline_value_of_script(metric), 3)
    reason = Reason(
        f"{KNOTS[metric]} knots, natural run-out, as printed; with the released script's "
        "choices (single precision, fractiles from 0 to 1, exchanged interpolation "
        f"weights) {script:.3f}",
        script=script,
    )
    return Recomputed(viewed, gupta_metric(metric, *viewed), reason)


def spline_value_of_script(metric: str) -> float:
    """What the released script gives for a cell after splines."""
    net = load_source(RESNET)
    score, hit = view_pairs(in_single_precision(net.to_fit), metric)
    new, _ = view_pairs(in_single_precision(net.test), metric)
    _, new_hit = view_pairs(net.test, metric)
    after = script_spline(score, hit, new, KNOTS[metric])
    return gupta_metric(metric, after, new_hit)


def row_of_cell(
    published: Cell,
    source: str,
    relation: str,
    value: float,
    reason: Reason,
    *,
    interval: tuple[float, float] | None = None,
    place: float | None = None,
) -> Row:
    """One row of the table, in the unit of the paper."""
    keys = ("paper", "table", "metric", "dataset", "model", "loss", "method")
    printed, recomputed = float(published.value), in_unit(float(value), published)
    low, high = [in_unit(end, published) for end in interval] if interval else ("", "")
    return {
        **{key: getattr(published, key) for key in keys},
        "printed": printed,
        "recomputed": recomputed,
        "difference": recomputed - printed,
        "low": low,
        "high": high,
        "place": "" if place is None else place,
        "source": source,
        "relation": relation,
        "script": reason.script,
        "least": reason.least,
        "most": reason.most,
        "copied": reason.copied,
        "reason": reason.text,
    }


def row_of_same_network(published: Cell, source: str, recomputed: Recomputed) -> Row:
    """The row of a cell whose very network is there; where the numbers agree, it says so."""
    row = row_of_cell(
        published,
        source,
        "same network",
        recomputed.value,
        recomputed.reason,
        interval=resampled(source, published, *recomputed.pairs),
    )
    if abs(row["difference"]) <= TOLERANCE and not recomputed.reason.agrees:
        row["reason"] = f"agrees, though {row['reason']}"
    return row


def select(paper: str, **wanted: Any) -> list[Cell]:
    """The published cells that have the wanted values in their columns."""
    cells = load_published(paper)
    for column, values in wanted.items():
        values = values if isinstance(values, list) else [values]
        cells = cells[cells[column].isin(values)]
    return list(cells.itertuples())


def reason_of(published: Cell, viewed: Viewed) -> Reason:
    """Return why our number of this network differs from the printed one, or that it agrees."""
    metric, method = published.metric, published.method
    if method in ODIR:
        return odir_reason(method, metric, published.value)
    if method == "Vector scaling":
        return EARLY_STOP
    if method == "Spline":
        return ALL_RANKS
    return ks_reason(*viewed) if metric.startswith("KS") else AGREES


def recomputed_from(outputs: Outputs, published: Cell) -> Recomputed:
    """A cell computed from what its method makes of the test set."""
    metric = published.metric
    if published.method == "Spline" and metric != "Accuracy":
        return spline_recomputed(metric)
    viewed = view_pairs(outputs, metric)
    value = gupta_metric(metric, *viewed)
    return Recomputed(viewed, value, reason_of(published, viewed))


def resnet110_cifar10(methods: list[str] = METHODS) -> Iterator[Row]:
    """Gupta Tables 1, 2, 4, 5 and 6: all six methods on the very network."""
    outputs = {method: resnet_method(method) for method in methods}
    where = dict(dataset="CIFAR-10", model="ResNet-110", table=[1, 2, 4, 5, 6])
    for published in select("gupta2021", method=methods, **where):
        recomputed = recomputed_from(outputs[published.method], published)
        yield row_of_same_network(published, RESNET, recomputed)


def other_kull_networks() -> Iterator[Row]:
    """The uncalibrated columns of Gupta's Tables 1, 5 and 6."""
    networks = [
        ("CIFAR-10", "DenseNet-40", "kull-cifar10-densenet40"),
        ("CIFAR-100", "DenseNet-40", "kull-cifar100-densenet40"),
        ("CIFAR-100", "ResNet-110", "kull-cifar100-resnet110"),
    ]
    for dataset, model, source in networks:
        test = load_source(source).test
        where = dict(
            dataset=dataset, model=model, method="Uncalibrated", table=[1, 5, 6]
        )
        for published in select("gupta2021", **where):
            recomputed = recomputed_from(test, published)
            yield row_of_same_network(published, source, recomputed)


def from_halves(
    published: Cell,
    source: str,
    relation: str,
    halves: Halves,
    reason: Reason,
    *,
    metric: str | None = None,
) -> Iterator[Row]:
    """A cell whose recomputed value is the median over random halves."""
    key = (source, published.method, metric or published.metric)
    if key not in halves:
        return
    values = np.array(halves[key])
    low, middle, high = np.quantile(values, [0.025, 0.5, 0.975])
    unit = in_unit(1.0, published)
    place = float(np.mean(values * unit < published.value))
    where = "inside" if low * unit <= published.value <= high * unit else "outside"
    reason = Reason(f"{where} the middle 95 % of the halves: {reason.text}")
    numbers: dict[str, Any] = {"interval": (low, high), "place": place}
    yield row_of_cell(published, source, relation, middle, reason, **numbers)


def imagenet_siblings(halves: Halves) -> Iterator[Row]:
    """Guo's and Gupta's DenseNet-161 and ResNet-152 beside torchvision's."""
    siblings = [
        ("DenseNet-161", "northcutt-imagenet-densenet161"),
        ("DenseNet-161", "hollance-imagenet-densenet161"),
        ("ResNet-152", "northcutt-imagenet-resnet152"),
    ]
    for model, source in siblings:
        methods = ["Uncalibrated", "Temperature scaling"]
        for paper in ("guo2017", "gupta2021"):
            for published in select(
                paper, dataset="ImageNet", model=model, method=methods
            ):
                reason = SIBLING if published.method == "Uncalibrated" else TOP_FIVE
                reason = KERNEL if published.metric == "KDE-ECE" else reason
                metric = "ECE, 15 bins" if paper == "guo2017" else None
                yield from from_halves(
                    published, source, "sibling", halves, reason, metric=metric
                )


def vasilev(halves: Halves) -> Iterator[Row]:
    """Group 2's ResNet-50 with two losses, and group 1's thirteen architectures."""
    for source, loss in zip(GROUP_2, ["CE", "FL 3"], strict=True):
        for published in select(
            "vasilev2021", dataset="CIFAR-10", model="ResNet-50", loss=loss
        ):
            relation = "same network" if loss == "CE" else "presumed the same network"
            reason = UNKNOWN_HALF if loss == "CE" else UNKNOWN_EXPONENT
            yield from from_halves(published, source, relation, halves, reason)
    for source in vasilev_first_group():
        model = load_source(source).about["model"]
        where = dict(dataset="CIFAR-10", model=model, loss="")
        methods = ["Uncalibrated", "Temperature scaling"]
        for published in select("vasilev2021", **where, method=methods):
            reason = GROUP_1 if published.method == "Uncalibrated" else TOP_FIVE
            yield from from_halves(
                published, source, "presumed sibling", halves, reason
            )


def guo_birds() -> Iterator[Row]:
    """Guo's Birds ResNet-50 beside another network of the name."""
    source = "kull-birds-resnet50"
    score, hit = load_source(source).test.pairs
    for published in select("guo2017", dataset="Birds", method="Uncalibrated"):
        value = calib.ece(hit, score)
        yield row_of_cell(published, source, "another network", value, OTHER_BIRDS)


def rows() -> list[Row]:
    """All cells of the papers' tables whose network, or a sibling, is there."""
    halves = {
        (row["source"], row["method"], row["metric"]): row["values"]
        for row in half_rows()
    }
    ours = [*resnet110_cifar10(), *other_kull_networks()]
    return [*ours, *imagenet_siblings(halves), *vasilev(halves), *guo_birds()]
