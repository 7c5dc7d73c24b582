"""Time calib beside other libraries, on the same data in the same process: `make bench`.

A case is a table: how many times as fast as the best other library calib has to be, the data, and
what each library calls. Its rows are written to a section of README.md. ``times.py metrics`` runs
that section alone, ``times.py growth`` the times of growing sizes, for
data/results/software/times_by_size.csv. What stands before the first section of README.md is kept.
"""

import os
import platform
import re
import sys
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "parts"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import betacal
import calibration as uncertainty_calibration
import netcal.binning
import netcal.metrics
import numpy as np
import plain
import probmetrics.calibrators
import probmetrics.distributions
import probmetrics.metrics
import pycalib.metrics
import relplot
import sklearn.metrics
import torch
import uncertainty_metrics.numpy as uncertainty_metrics
from classifiers import Logits
from dirichletcal.calib.multinomial import MultinomialRegression
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from torchmetrics.functional.classification import multiclass_calibration_error

import calib
from calib.files import write_whole
from evidence.data import csv_bytes
from evidence.rows import results_folder
from evidence.studies.software.time_and_memory import seconds

torch.set_num_threads(1)
README = Path(__file__).with_name("README.md")
LIMIT = 1.25  # how many times as long as plain numpy calib may take
LONGEST = 10.0  # seconds that a library may take at the next size of a sweep
OURS = {"calib": "calib", "plain": "plain numpy"}


@cache
def simulate(n, n_classes):
    """Labels and float32 probabilities like a confident network's, a fifth of the labels wrong."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, n)
    z = rng.standard_normal((n, n_classes), dtype=np.float32)
    z[np.arange(n), y] += rng.gamma(4, 2, n).astype(np.float32)
    is_swapped = rng.random(n) < 0.2
    y[is_swapped] = rng.integers(0, n_classes, is_swapped.sum())
    return y, calib.softmax(z)


@cache
def flat():
    """Labels and probabilities of which hardly any is above a fifteenth."""
    rng = np.random.default_rng(0)
    z = rng.standard_normal((50_000, 1000), dtype=np.float32)
    return rng.integers(0, 1000, 50_000), calib.softmax(z)


def pairs():
    score, hit = calib.top_label(*simulate(1_000_000, 10))
    return hit.astype(int), score


@cache
def network(n, n_classes, scale):
    """Float32 logits of a network that is too confident; its classes lie in 32 dimensions."""
    rng = np.random.default_rng(0)
    classes = rng.standard_normal((n_classes, 32), dtype=np.float32)
    label = np.arange(n) % n_classes
    features = classes[label] + rng.standard_normal((n, 32), dtype=np.float32)
    z = scale * features @ classes.T
    y = (z + rng.gumbel(size=z.shape).astype(np.float32)).argmax(axis=1)
    # scikit-learn needs every class in every fold
    y[: 5 * n_classes] = label[: 5 * n_classes]
    return 1.7 * z, y


def score_and_hit():
    rng = np.random.default_rng(0)
    score = rng.beta(5, 1, 25_000)
    return score, rng.random(25_000) < score**2


def torchmetrics_ece(y, p):
    tensors = torch.from_numpy(p), torch.from_numpy(y)
    return multiclass_calibration_error(
        *tensors, num_classes=p.shape[1], validate_args=False
    )


def general_calibration_error(y, p, scheme):
    options = {
        "class_conditional": True,
        "max_prob": False,
        "norm": "l1",
        "num_bins": 15,
    }
    return uncertainty_metrics.gce(y, p, binning_scheme=scheme, **options)


def probmetrics_value(metric, y, p):
    d = probmetrics.distributions
    truth = d.CategoricalDirac(torch.from_numpy(y), p.shape[1])
    return metric.compute(truth, d.CategoricalProbs(torch.from_numpy(p)))


def probmetrics_ks(hit, score):
    metric = probmetrics.metrics.KolmogorovSmirnovCalibrationMetric()
    return probmetrics_value(metric, hit, np.stack([1 - score, score], axis=1))


def scikit_learn_temperature(z, y):
    frozen = FrozenEstimator(Logits().fit(z, y))
    return CalibratedClassifierCV(frozen, method="temperature").fit(z, y)


def probmetrics_fit(name):
    def fit(z, y):
        logits = probmetrics.distributions.CategoricalLogits(torch.from_numpy(z))
        return getattr(probmetrics.calibrators, name)().fit_torch(
            logits, torch.from_numpy(y)
        )

    return fit


def probmetrics_spline(score, hit):
    pair = np.stack([1 - score, score], axis=1)
    return probmetrics.calibrators.CDFSplineCalibrator().fit(pair, hit.astype(int))


def relplot_smooth_ece(hit, score):
    return relplot.smECE(score, hit.astype(float))


def netcal_isotonic(z, y):
    return netcal.binning.IsotonicRegression().fit(calib.softmax(z), y)


def scikit_learn_isotonic(z, y):
    p = calib.softmax(z)
    new = IsotonicRegression
    return [new(out_of_bounds="clip").fit(p[:, k], y == k) for k in range(z.shape[1])]


def dirichletcal_odir(z, y):
    """The same objective: `reg_norm` divides the penalties as the paper does."""
    fitted = MultinomialRegression(
        reg_lambda=100.0, reg_mu=10.0, reg_norm=True, ref_row=False
    )
    return fitted.fit(z.astype(float), y)


def netcal_ece(y, p):
    return netcal.metrics.ECE(15).measure(p, y)


def scikit_learn_nll(y, p):
    return sklearn.metrics.log_loss(y, p, labels=range(p.shape[1]))


def scikit_learn_brier(y, p):
    return sklearn.metrics.brier_score_loss(y, p, scale_by_half=False)


CASES = {"metrics": {}, "calibrators": {}}


def metric(name, size, target, data, **libraries):
    if hasattr(plain, name):
        libraries["plain"] = getattr(plain, name)
    libraries["calib"] = getattr(calib, name)
    CASES["metrics"][f"{TITLES[name]}, {size}"] = target, data, libraries


def fit(title, target, data, calibrator, **libraries):
    CASES["calibrators"][title] = target, data, {"calib": calibrator.fit, **libraries}


TITLES = {
    "ece": "ECE",
    "classwise_ece": "Classwise ECE",
    "ace": "ACE",
    "ks_error": "KS",
}
TITLES |= {"smooth_ece": "Smooth ECE", "nll": "NLL", "brier": "Brier"}
WIDE, LONG = partial(simulate, 50_000, 1000), partial(simulate, 1_000_000, 10)
FEW, HUNDRED = partial(network, 5000, 10, 0.2), partial(network, 5000, 100, 0.3)
MANY, OVER = partial(network, 25_000, 1000, 0.5), "1 000 000 x 10"
GCE, VALUE = general_calibration_error, probmetrics_value
LOG_LOSS, BRIER = probmetrics.metrics.LogLoss(), probmetrics.metrics.BrierLoss()
ECE = {"torchmetrics": torchmetrics_ece, "netcal": netcal_ece}
UNCERTAINTY = uncertainty_calibration.get_ece
metric(
    "ece", OVER, 3, LONG, **ECE, uncertainty_calibration=lambda y, p: UNCERTAINTY(p, y)
)
EVEN = {"uncertainty_metrics": partial(GCE, scheme="even")}
EVEN["pycalib"] = pycalib.metrics.classwise_ECE
ADAPTIVE = {"uncertainty_metrics": partial(GCE, scheme="adaptive")}
for size, data in {
    "50 000 x 1000": WIDE,
    "50 000 x 1000, flat probabilities": flat,
}.items():
    metric("classwise_ece", size, 10, data, **EVEN)
    metric("ace", size, 10, data, **ADAPTIVE)
metric("ks_error", "1 000 000 scores", 3, pairs, probmetrics=probmetrics_ks)
metric("smooth_ece", "1 000 000 scores", 3, pairs, relplot=relplot_smooth_ece)
NLL, SQUARE = {"scikit_learn": scikit_learn_nll}, {"scikit_learn": scikit_learn_brier}
metric("nll", "50 000 x 1000", 10, WIDE, **NLL, probmetrics=partial(VALUE, LOG_LOSS))
metric("brier", "50 000 x 1000", 10, WIDE, **SQUARE, probmetrics=partial(VALUE, BRIER))
metric("nll", OVER, 3, LONG, **NLL)
metric("brier", OVER, 3, LONG, **SQUARE)
PLAIN = {"plain": plain.temperature, "scikit_learn": scikit_learn_temperature}
TEMPERATURE, MATRIX = (
    calib.TemperatureScaling(),
    calib.MatrixScaling(lam=100.0, mu=10.0),
)
ROUGH = probmetrics_fit("TemperatureScalingCalibrator")
fit("Temperature, 5000 x 10", 3, FEW, TEMPERATURE, **PLAIN, probmetrics=ROUGH)
fit("Temperature, 25 000 x 1000", 10, MANY, TEMPERATURE, **PLAIN)
VECTOR = probmetrics_fit("VectorScalingCalibrator")
fit("Vector scaling, 5000 x 100", 3, HUNDRED, calib.VectorScaling(), probmetrics=VECTOR)
fit(
    "Matrix scaling with ODIR, 5000 x 100",
    3,
    HUNDRED,
    MATRIX,
    dirichletcal=dirichletcal_odir,
)
for size, data in {"5000 x 10": FEW, "5000 x 100": HUNDRED}.items():
    ours, theirs = calib.StructuredMatrixScaling(), probmetrics_fit("SMSCalibrator")
    fit(f"Structured matrix scaling, {size}", 3, data, ours, probmetrics=theirs)
ISOTONIC = {"scikit_learn": scikit_learn_isotonic, "netcal": netcal_isotonic}
EACH = calib.OneVsRest(calib.IsotonicCalibration())
fit("Isotonic one-vs-rest, 25 000 x 1000", 10, MANY, EACH, **ISOTONIC)
SPLINE, BETA = calib.SplineCalibration(), calib.BetaCalibration()
fit("Spline, 25 000 scores", 3, score_and_hit, SPLINE, probmetrics=probmetrics_spline)
PEER = betacal.BetaCalibration("abm")
fit("Beta calibration, 25 000 scores", 3, score_and_hit, BETA, betacal=PEER.fit)
SAMPLES = [(10**k, 10) for k in range(3, 8)]
CLASSES = [(2000, k) for k in (2, 10, 100, 1000, 10_000)]
OF_P = {
    "ECE": {"calib": calib.ece, **ECE},
    "classwise ECE": {
        "calib": calib.classwise_ece,
        "uncertainty-metrics": partial(GCE, scheme="even"),
    },
    "NLL": {"calib": calib.nll, "scikit-learn": scikit_learn_nll},
}
OF_Z = {"temperature": {"calib": TEMPERATURE.fit, "probmetrics": ROUGH}}
SWEEPS = {
    "samples": (SAMPLES, ["ECE", "NLL", "temperature"]),
    "classes": (CLASSES, ["ECE", "classwise ECE", "temperature"]),
}


def name_of(library):
    """The name and, of a package, the version of a library."""
    if library in OURS:
        return OURS[library]
    try:
        return f"{library.replace('_', '-')} {version(library.replace('_', '-'))}"
    except PackageNotFoundError:
        return library.replace("_", " ")


def rows(title, target, data, libraries):
    """The rows of one case, the fastest library first."""
    samples = data()
    libraries["calib"](*samples)  # what is made once
    durations = {
        name: seconds(partial(call, *samples), 7 if name == "calib" else 3)
        for name, call in libraries.items()
    }
    least = {name: min(runs) for name, runs in durations.items()}
    ours, best = least["calib"], min(s for name, s in least.items() if name not in OURS)
    for name in sorted(least, key=least.get):
        met = {"calib": best >= target * ours, "plain": ours <= LIMIT * least[name]}
        limit = target if name == "calib" else LIMIT
        verdict = (
            f"{limit:g}: {'met' if met[name] else 'missed'}" if name in met else ""
        )
        spread = f"{100 * (median(durations[name]) / least[name] - 1):.0f} %"
        cells = (
            title,
            name_of(name),
            f"{least[name]:.3g}",
            spread,
            f"{least[name] / ours:.2g}",
        )
        yield "| " + " | ".join([*cells, verdict]) + " |"


def section(name):
    """The section of README.md: the versions and a table."""
    used = ", ".join(
        f"{package} {version(package)}" for package in ("numpy", "scipy", "torch")
    )
    head = [
        f"## {name.capitalize()}\n",
        f"Python {platform.python_version()}, {used}, {platform.machine()}.\n",
        "| case | library | CPU seconds | spread | times calib | target |",
        "|---|---|--:|--:|--:|---|",
    ]
    lines = (row for title, case in CASES[name].items() for row in rows(title, *case))
    return "\n".join([*head, *lines, "\n"])


def growth():
    """How the time grows with samples and classes, until ten times as much would take too long."""
    table = []
    for growing, (sizes, works) in SWEEPS.items():
        late = set()
        for n, n_classes in sizes:
            rng = np.random.default_rng(0)
            z = rng.standard_normal((n, n_classes), dtype=np.float32)
            y, event = z[:, :1000].argmax(axis=1), rng.random(n) < 0.5
            y[event] = rng.integers(0, n_classes, event.sum())
            p, z = calib.softmax(z), np.float32(1.5) * z
            for work in works:
                libraries, data = (
                    (OF_P[work], (y, p)) if work in OF_P else (OF_Z[work], (z, y))
                )
                for library in sorted(
                    set(libraries) - {k for w, k in late if w == work}
                ):
                    took = min(
                        seconds(partial(libraries[library], *data), 20, longest=2)
                    )
                    if 10 * took > LONGEST:
                        late.add((work, library))
                    size = {"growing": growing, "n": n, "classes": n_classes}
                    row = {
                        "work": work,
                        "library": library,
                        **size,
                        "seconds": f"{took:.3g}",
                    }
                    table.append(row)
    write_whole(results_folder() / "software" / "times_by_size.csv", csv_bytes(table))


def main(names):
    about, *texts_of_sections = re.split(r"^(?=## )", README.read_text(), flags=re.M)
    sections = dict(zip(CASES, texts_of_sections, strict=True))
    for name in CASES:
        if not names or name in names:
            sections[name] = section(name)
            README.write_text("".join([about, *sections.values()]).rstrip() + "\n")
    if not names or "growth" in names:
        growth()


if __name__ == "__main__":
    main(sys.argv[1:])
