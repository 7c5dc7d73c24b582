"""Every metric and calibrator that the contents of a source allow."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

import calib
from book.evidence import load_source
from calib import errors, scores
from calib.metrics import reads_pairs

SEED = 2021
N_CLASSES = {"ImageNet": 1000, "CIFAR-10": 10}

MAPS = {
    "histogram": calib.HistogramBinning(n_bins=20),
    "histogram-mass": calib.HistogramBinning(n_bins=20, strategy="mass"),
    "isotonic": calib.IsotonicCalibration(),
    "bbq": calib.BBQ(),
    "platt": calib.PlattScaling(),
    "beta": calib.BetaCalibration(),
    "spline": calib.SplineCalibration(),
}
WHOLE = {
    "temperature": calib.TemperatureScaling(),
    "vector": calib.VectorScaling(),
    "matrix-odir": calib.MatrixScaling(lam=10, mu=1e-2),
    "dirichlet-odir": calib.DirichletCalibration(lam=10, mu=1e-2),
    "histogram": calib.OneVsRest(calib.HistogramBinning(n_bins=20)),
    "isotonic": calib.OneVsRest(calib.IsotonicCalibration()),
    "bbq": calib.OneVsRest(calib.BBQ()),
    "spline": calib.RankWise(calib.SplineCalibration()),
}


def confidence(hit, score, sample_weight=None):
    """Mean score."""
    return float(np.average(score, weights=sample_weight))


def accuracy(hit, score, sample_weight=None):
    """Share of hits."""
    return float(np.average(hit, weights=sample_weight))


METRICS = {
    "accuracy": accuracy,
    "confidence": confidence,
    "ece": errors.ece,
    "ece_25": partial(errors.ece, n_bins=25),  # as Gupta prints it
    "ece_mass": partial(errors.calibration_error, bins=calib.equal_mass(15)),
    "mce": errors.mce,
    "rmsce": errors.rmsce,
    "ks": errors.ks_error,
    "kde_ece": errors.kde_ece,
    "smooth_ece": errors.smooth_ece,
    "debiased_ece": errors.debiased_ece,
    "psce": errors.psce,
    "top1_brier": scores.top1_brier,
    "classwise_ece": errors.classwise_ece,
    "ace": errors.ace,
    "tace": errors.tace,
    "classwise_ks": errors.classwise_ks,
    "nll": scores.nll,
    "brier": scores.brier,
}
OF_PAIRS = (accuracy, confidence)  # besides those that calib knows
TOP_METRICS = {k: m for k, m in METRICS.items() if m in OF_PAIRS or reads_pairs(m)}
FULL_METRICS = {k: m for k, m in METRICS.items() if k not in TOP_METRICS}


@dataclass
class Outcome:
    """What a calibrator predicts for n samples: pairs by view, and the vectors where known.

    Views are "top_1" to "top_5" and "within_2" to "within_5". The sweep ECE is for scores that
    hardly tie: the steps of a map rise by themselves, so that nothing would stop the sweep.
    """

    n: int
    pairs: dict = field(default_factory=dict)
    y: np.ndarray | None = None
    prob: np.ndarray | None = None
    steps: bool = True

    def cells(self):
        """Yield for each metric its name, the function and its two arguments."""
        for view, (score, hit) in self.pairs.items():
            if view == "top_1":
                for name, metric in TOP_METRICS.items():
                    yield name, metric, hit, score
                if not self.steps:
                    yield "sweep_ece", errors.sweep_ece, hit, score
            else:
                yield f"ks_{view}", errors.ks_error, hit, score
        if self.prob is not None:
            for name, metric in FULL_METRICS.items():
                yield name, metric, self.y, self.prob


def split_pairs(split) -> dict:
    """The pairs of all views that a split allows."""
    ranks = min(5, split.ranked[0].shape[1])
    top = {f"top_{r}": split.top_r_pairs(r) for r in range(1, ranks + 1)}
    return top | {f"within_{r}": split.within_top_r_pairs(r) for r in range(2, ranks + 1)}


def outcome(split, steps=True) -> Outcome:
    """What a split says."""
    prob = split.prob if split.scores is None else None
    return Outcome(len(split), split_pairs(split), split.y, prob, steps)


def take(split, rows):
    """Some samples of a split."""
    names = ("logits", "probabilities", "classes", "scores")
    known = {name: getattr(split, name) for name in names}
    known = {name: array[rows] for name, array in known.items() if array is not None}
    return calib.Split(split.y[rows], order=split.order, **known)


def halves(split, rng) -> tuple:
    """Two random halves of a split."""
    order = rng.permutation(len(split))
    middle = len(order) // 2
    return take(split, order[:middle]), take(split, order[middle:])


def calibration_and_test(net) -> tuple:
    """The two sets that come with a network, or random halves of the only one."""
    if net.calibration is not None:
        return net.calibration, net.test
    return halves(net.test, np.random.default_rng(SEED))


def split_logits(split) -> np.ndarray:
    """Logits, or the logarithm of the probabilities, these at least 1e-12."""
    return split.logits if split.logits is not None else calib.logits(split.probabilities)


@dataclass
class PartialTemperature:
    """Temperature scaling where only the r largest probabilities are known.

    The missing mass is spread evenly over the other classes, and each known or missing
    probability is at least `floor`. The other classes then share one term of the NLL.
    """

    n_classes: int
    floor: float = 1e-6

    def fit(self, split):
        """Minimise the NLL over log T."""
        logs, rest = self._logs(split.scores)
        is_label = split.classes == split.y[:, None]
        seen = is_label.any(axis=1)
        true = np.where(seen, (logs * is_label).sum(axis=1), rest)

        def loss(log_temperature):
            inverse = np.exp(-log_temperature)
            return np.mean(self._norm(logs, rest, inverse) - true * inverse)

        found = minimize_scalar(loss, bounds=(-3, 3), method="bounded", options={"xatol": 1e-9})
        self.temperature_ = float(np.exp(found.x))
        return self

    def predict(self, split):
        """The same classes with calibrated probabilities."""
        logs, rest = self._logs(split.scores)
        inverse = 1 / self.temperature_
        prob = np.exp(logs * inverse - self._norm(logs, rest, inverse)[:, None])
        return calib.Split(split.y, order=split.order, scores=prob, classes=split.classes)

    def _logs(self, known):
        others = self.n_classes - known.shape[1]
        rest = np.maximum((1 - known.sum(axis=1)) / others, self.floor)
        return np.log(np.maximum(known, self.floor)), np.log(rest)

    def _norm(self, logs, rest, inverse):
        others = np.log(self.n_classes - logs.shape[1])
        return np.logaddexp(logsumexp(logs * inverse, axis=1), others + rest * inverse)


def outcomes(net):
    """Yield calibrator, samples and outcome for all that the contents of a source allow.

    "all": the network itself on all test samples. "held out": a calibrator fitted on the
    calibration set and applied to the test set. Names that begin with "top-" map single scores.
    """
    yield "none", "all", outcome(net.test, steps=False)
    calibration, test = calibration_and_test(net)
    yield "none", "held out", outcome(test, steps=False)
    fit_pairs, test_pairs = split_pairs(calibration), split_pairs(test)
    for name, calibrator in MAPS.items():
        views = test_pairs if name in ("isotonic", "spline") else ["top_1"]
        pairs = {}
        for view in views:
            score, hit = test_pairs[view]
            pairs[view] = calibrator.fit(*fit_pairs[view]).predict(score), hit
        yield f"top-{name}", "held out", Outcome(len(test), pairs)
    if net.known == "top5":
        scaling = PartialTemperature(N_CLASSES[net.about["dataset"]]).fit(calibration)
        pairs = split_pairs(scaling.predict(test))
        yield "temperature-top5", "held out", Outcome(len(test), pairs)
    if net.known in ("logits", "probabilities"):
        z, z_test = split_logits(calibration), split_logits(test)
        for name, calibrator in WHOLE.items():
            prob = calibrator.fit(z, calibration.y).predict_proba(z_test)
            split = calib.Split(test.y, order=test.order, probabilities=prob)
            yield name, "held out", outcome(split)


def measure(name: str) -> list[dict]:
    """All metrics of one source."""
    return [
        {
            "source": name,
            "calibrator": calibrator,
            "samples": samples,
            "n": found.n,
            "metric": metric,
            "value": float(function(y_true, y_prob)),
        }
        for calibrator, samples, found in outcomes(load_source(name))
        for metric, function, y_true, y_prob in found.cells()
    ]
