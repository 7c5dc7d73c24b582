"""The reference: docstrings of `calib` and its neighbours, and the chapter that derives each entry.

``.. calib-reference:: calib.metrics`` shows the public names of a module.
"""

import importlib
import inspect
import re

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

import calib
from book import evidence

DERIVED = """
measure/what-calibration-means: top_label one_vs_rest top_r within_top_r BetaDistorted
  TemperedGaussian LabelNoise
measure/reliability-diagrams: Bins equal_width equal_mass Band consistency_band reliability_diagram
  reliability_plot
measure/ece-and-mce: calibration_error ece mce rmsce accuracy
measure/every-class-counts: classwise_ece sce ace tace psce psce_curve classwise_psce
  classwise_diagrams
measure/without-bins: ks_error classwise_ks kde_ece smooth_ece
measure/proper-scores: nll nll_per_sample brier brier_per_sample top1_brier Decomposition
  murphy_decomposition corp_decomposition
measure/how-sure-is-the-number: error_if_calibrated debiased_ece sweep_ece
measure/intervals-and-comparisons: Estimate bootstrap paired_difference bootstrap_statistic
measure/could-it-be-chance: CalibrationTest consistency_test spiegelhalter_test
  hosmer_lemeshow_test skce skce_test
recalibrate/temperature-scaling: softmax as_logits TemperatureScaling ConvergenceError
  NotFittedError Calibrator
recalibrate/binning-isotonic-bbq: HistogramBinning IsotonicCalibration BBQ OneVsRest ScalingBinning
recalibrate/platt-to-dirichlet: PlattScaling BetaCalibration VectorScaling MatrixScaling
  DirichletCalibration EnsembleTemperatureScaling StructuredMatrixScaling CrossValidated
  folds
recalibrate/splines: SplineCalibration TopLabel TopR WithinTopR RankWise
recalibrate/trained-to-be-calibrated: cross_entropy entropy focal_loss focal_weight label_smoothing
recalibrate/choosing-a-method: run_study
promises/groups: group_errors GroupErrors Multicalibration
promises/sets-and-abstention: ConformalSets set_coverage risk_coverage RiskCoverage aurc
  excess_aurc
promises/a-moving-world: adjust_priors estimate_priors PriorEstimate
replicate/evidence: Predictions Outputs ModelOutputs check_paired UndeclaredDataError
  load_published load_results load_source source_index source_names
replicate/ledger: wilson_interval holm
replicate/zoo: load_zoo zoo_index
use/your-own-model: CalibratedModel Accumulator make_report read save_map load_map
"""  # by each chapter
CHAPTER_OF = {
    name: chapter
    for chapter, names in re.findall(r"^(\S+):((?:\s+\w+)+)$", DERIVED, re.MULTILINE)
    for name in names.split()
}
IMPORTED_FROM = (
    *("calib", "calib_report", "calib_report.model", "book.evidence", "book.evidence.study"),
    *("book.evidence.losses", "book.evidence.simulate", "book.evidence.multicalibration"),
    "book.evidence.calibration_tests",
)


def entry(name: str, documents: set) -> list[str]:
    """The lines of reStructuredText that show one public name."""
    package = home(name)
    value = getattr(importlib.import_module(package), name)
    kind = "autofunction"
    if inspect.isclass(value):
        kind = "autoexception" if issubclass(value, Exception) else "autoclass"
    lines = [f".. {kind}:: {package}.{name}"]
    if kind == "autoclass" and (hasattr(value, "fit") or hasattr(value, "sample")):
        lines.append(f"   :members: {', '.join(members(value))}")
    chapter = CHAPTER_OF.get(name)
    if chapter in documents:
        lines += ["", f"   Derived in :doc:`/{chapter}`."]
    return [*lines, ""]


def members(cls: type) -> list[str]:
    """The public methods and properties of a class that stand in `calib`."""
    found = {name: inspect.getattr_static(cls, name) for name in dir(cls) if name[0] != "_"}
    functions = {name: getattr(m, "fget", getattr(m, "__func__", m)) for name, m in found.items()}
    return [
        name
        for name, function in functions.items()
        if str(getattr(function, "__module__", "")).startswith(
            ("calib.", "calib_report.", "book.evidence.")
        )
    ]


class Reference(SphinxDirective):
    """Show the public names of a module."""

    required_arguments = 1

    def run(self) -> list:
        module = self.arguments[0]
        lines = [f".. py:module:: {module}", "", f"*{summary(module)}*", ""]
        for name in names(module):
            lines += entry(name, self.env.found_docs)
        container = nodes.container()
        self.state.nested_parse(StringList(lines, module), self.content_offset, container)
        return container.children


def home(name: str) -> str:
    """The module that a documented name is imported from."""
    return next(m for m in IMPORTED_FROM if hasattr(importlib.import_module(m), name))


def summary(module: str) -> str:
    """The first line of a module's docstring."""
    return inspect.getdoc(importlib.import_module(module)).splitlines()[0]


def names(module: str) -> list[str]:
    """The documented names that a module defines, or, of `book.evidence`, offers."""
    there = importlib.import_module(module)
    if there is evidence:
        return [name for name in sorted(evidence.__all__) if name in CHAPTER_OF]
    documented = {*calib.__all__, *CHAPTER_OF}
    defined = {n for n, value in vars(there).items() if getattr(value, "__module__", "") == module}
    return sorted(defined.intersection(documented))


def setup(app) -> dict:
    app.add_directive("calib-reference", Reference)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
