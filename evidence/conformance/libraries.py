"""Ask other libraries for every case: python -m evidence.conformance.libraries, where they are.

`libraries.csv` says for each of their functions which definition it agrees with in most cases, to
1e-5 since some compute in float32, in how many of those it answers, and which differ.
"""

import warnings
from collections import Counter
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import calibration
import lm_eval.api.metrics
import mapie.metrics.calibration as mapie
import netcal.metrics
import numpy as np
import probmetrics.distributions as distributions
import probmetrics.metrics
import relplot
import sklearn.metrics
import torch
import uncertainty_metrics.numpy as uncertainty_metrics
from torchmetrics.functional.classification import (
    binary_calibration_error,
    multiclass_calibration_error,
)

from evidence.conformance.compare_program import (
    Answer,
    cases_folder,
    differences,
    read_json,
)
from evidence.data import csv_bytes

WITHIN = 1e-5
Function = Callable[[np.ndarray, np.ndarray], float]  # of labels and probabilities


def top_pairs(y: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return p.max(axis=1), (p.argmax(axis=1) == y).astype(float)


def torch_error(norm: str) -> Function:
    return lambda y, p: multiclass_calibration_error(
        torch.tensor(p), torch.tensor(y), num_classes=p.shape[1], n_bins=15, norm=norm
    ).item()


def torch_binary(y: np.ndarray, p: np.ndarray) -> float:
    return binary_calibration_error(
        torch.tensor(p[:, 1]), torch.tensor(y), n_bins=15
    ).item()


def of_probmetrics(metric: Any) -> Function:
    def error(y: np.ndarray, p: np.ndarray) -> float:
        labels = distributions.CategoricalDirac(torch.tensor(y), p.shape[1])
        return metric.compute(
            labels, distributions.CategoricalProbs(torch.tensor(p))
        ).item()

    return error


def general(**options: Any) -> Function:
    fixed = {
        "class_conditional": True,
        "max_prob": False,
        "threshold": 0.0,
        "norm": "l1",
    }
    return lambda y, p: uncertainty_metrics.gce(y, p, **fixed | options)


def debiased(y: np.ndarray, p: np.ndarray) -> float:
    return calibration.lower_bound_scaling_top_ce(p, y, p=2, debias=True, num_bins=15)


PM, TOP = probmetrics.metrics, {"class_conditional": False, "max_prob": True}
FUNCTIONS = {
    "torchmetrics: MulticlassCalibrationError, l1": torch_error("l1"),
    "torchmetrics: MulticlassCalibrationError, l2": torch_error("l2"),
    "torchmetrics: MulticlassCalibrationError, max": torch_error("max"),
    "torchmetrics: BinaryCalibrationError": torch_binary,
    "netcal: ECE": lambda y, p: netcal.metrics.ECE(15).measure(p, y),
    "netcal: ACE": lambda y, p: netcal.metrics.ACE(15).measure(p, y),
    "netcal: MCE": lambda y, p: netcal.metrics.MCE(15).measure(p, y),
    "scikit-learn: brier_score_loss": lambda y, p: sklearn.metrics.brier_score_loss(
        y, p, labels=range(p.shape[1])
    ),
    "scikit-learn: brier_score_loss, scale_by_half=False": lambda y, p: (
        sklearn.metrics.brier_score_loss(
            y, p, labels=range(p.shape[1]), scale_by_half=False
        )
    ),
    "scikit-learn: log_loss": lambda y, p: sklearn.metrics.log_loss(
        y, p, labels=range(p.shape[1])
    ),
    "probmetrics: CalibrationError": of_probmetrics(PM.CalibrationError(15)),
    "probmetrics: KolmogorovSmirnovCalibrationMetric": of_probmetrics(
        PM.KolmogorovSmirnovCalibrationMetric()
    ),
    "probmetrics: BrierLoss": of_probmetrics(PM.BrierLoss()),
    "probmetrics: LogLoss": of_probmetrics(PM.LogLoss()),
    "MAPIE: expected_calibration_error": lambda y, p: mapie.expected_calibration_error(
        top_pairs(y, p)[1].astype(int), top_pairs(y, p)[0], num_bins=15
    ),
    "MAPIE: top_label_ece": lambda y, p: mapie.top_label_ece(y, p, num_bins=15),
    "relplot: smECE": lambda y, p: relplot.smECE(*top_pairs(y, p)),
    "uncertainty-calibration: get_ece": lambda y, p: calibration.get_ece(
        p, y, num_bins=15
    ),
    "uncertainty-calibration: get_ece, marginal": lambda y, p: calibration.get_ece(
        p, y, num_bins=15, mode="marginal"
    ),
    "uncertainty-calibration: get_ece_em": lambda y, p: calibration.get_ece_em(
        p, y, num_bins=15
    ),
    "uncertainty-calibration: lower_bound_scaling_top_ce": debiased,
    "uncertainty-metrics: gce, even": general(binning_scheme="even", num_bins=15),
    "uncertainty-metrics: gce, adaptive": general(
        binning_scheme="adaptive", num_bins=15
    ),
    "uncertainty-metrics: gce, top label": general(
        binning_scheme="even", num_bins=15, **TOP
    ),
    "uncertainty-metrics: gce, top label, l2": general(
        binning_scheme="even", num_bins=15, **TOP | {"norm": "l2"}
    ),
    "lm-evaluation-harness: brier_score": lambda y, p: lm_eval.api.metrics.brier_score(
        list(zip(y, p, strict=True))
    ),
}
PACKAGES = {"MAPIE": "mapie", "lm-evaluation-harness": "lm-eval"}


def answer_of(function: Function) -> Answer:
    """Give no answer to weights, and not a number where a library raises anything."""

    def answer(
        y: list[int], p: list[list[float]], weight: list[float] | None
    ) -> float | None:
        try:
            # most of these functions take no weights
            return None if weight else float(function(np.array(y), np.array(p)))
        except Exception:
            return np.nan

    return answer


def row_of(name: str, function: Function) -> dict[str, Any]:
    """Find the definition with which a function agrees in most cases."""
    n_cases: Counter[str] = Counter()
    for path in sorted(cases_folder().glob("[0-9][0-9]-*.json")):
        case = read_json(path.name)
        n_cases.update([] if "weight" in case else list(case["values"]))
    errors: dict[str, list[tuple[str, bool]]] = {
        definition: [] for definition in n_cases
    }
    answers = dict.fromkeys(n_cases, answer_of(function))
    for case, definition, _, answer in differences(answers, WITHIN):
        errors[definition].append((case, bool(np.isnan(answer))))
    best = max(
        n_cases, key=lambda definition: n_cases[definition] - len(errors[definition])
    )
    package = name.partition(":")[0]
    return {
        "function": name,
        "version": version(PACKAGES.get(package, package)),
        "definition": best,
        "cases": n_cases[best],
        "agree": n_cases[best] - len(errors[best]),
        "differ": " ".join(case for case, silent in errors[best] if not silent),
        "no_answer": " ".join(case for case, silent in errors[best] if silent),
    }


def main() -> None:
    warnings.simplefilter("ignore")
    rows = [row_of(name, function) for name, function in FUNCTIONS.items()]
    (cases_folder() / "libraries.csv").write_bytes(csv_bytes(rows))


if __name__ == "__main__":
    main()
