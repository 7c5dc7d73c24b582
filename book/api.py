"""The reference of `calib`: its docstrings, and the chapter that derives each entry.

``.. calib-reference:: calib.errors`` shows the public names of a module. A chapter that derives
some of them ends with links to them.
"""

import importlib
import inspect

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.addnodes import pending_xref
from sphinx.util.docutils import SphinxDirective

import calib
from book import evidence

CHAPTER_OF = {
    "measure/what-calibration-means": [
        *("top_label", "one_vs_rest", "top_r", "within_top_r"),
        *("BetaDistorted", "TemperedGaussian", "LabelNoise"),
    ],
    "measure/reliability-diagrams": [
        *("Bins", "equal_width", "equal_mass", "Band", "consistency_band"),
        *("reliability_diagram", "reliability_plot"),
    ],
    "measure/ece-and-mce": [
        *("calibration_error", "ece", "mce", "rmsce", "accuracy", "ece_against_bins"),
    ],
    "measure/every-class-counts": [
        *("classwise_ece", "sce", "ace", "tace", "psce", "psce_curve", "classwise_psce"),
        "classwise_diagrams",
    ],
    "measure/without-bins": ["ks_error", "classwise_ks", "kde_ece", "smooth_ece", "ks_graph"],
    "measure/proper-scores": [
        *("nll", "brier", "top1_brier", "Decomposition", "murphy_decomposition"),
        "corp_decomposition",
    ],
    "measure/how-sure-is-the-number": [
        *("error_if_calibrated", "debiased_ece", "sweep_ece"),
    ],
    "measure/intervals-and-comparisons": ["Estimate", "bootstrap", "paired_difference"],
    "measure/could-it-be-chance": [
        *("CalibrationTest", "consistency_test", "spiegelhalter_test", "hosmer_lemeshow_test"),
        *("skce", "skce_test"),
    ],
    "recalibrate/temperature-scaling": [
        *("softmax", "as_logits", "TemperatureScaling", "ConvergenceError", "NotFittedError"),
        "Calibrator",
    ],
    "recalibrate/binning-isotonic-bbq": [
        *("HistogramBinning", "IsotonicCalibration", "BBQ", "OneVsRest"),
        "ScalingBinning",
    ],
    "recalibrate/platt-to-dirichlet": [
        *("PlattScaling", "BetaCalibration", "VectorScaling", "MatrixScaling"),
        *("DirichletCalibration", "EnsembleTemperatureScaling", "StructuredMatrixScaling"),
        "CrossValidated",
    ],
    "recalibrate/splines": ["SplineCalibration", "TopLabel", "TopR", "WithinTopR", "RankWise"],
    "recalibrate/trained-to-be-calibrated": [
        *("cross_entropy", "entropy", "focal_loss", "focal_weight", "label_smoothing"),
    ],
    "recalibrate/choosing-a-method": ["run_study"],
    "promises/groups": ["group_errors", "GroupErrors", "Multicalibration"],
    "promises/sets-and-abstention": [
        *("ConformalSets", "set_coverage", "risk_coverage", "RiskCoverage", "aurc", "excess_aurc"),
    ],
    "promises/a-moving-world": ["adjust_priors", "estimate_priors", "PriorEstimate"],
    "replicate/evidence": [
        *("Predictions", "ModelOutputs", "check_paired", "UndeclaredDataError", "load_published"),
        *("load_results", "load_source", "source_index", "source_names"),
    ],
    "replicate/zoo": ["load_zoo", "zoo_index"],
    "replicate/minderer2021-audit": ["error_against_accuracy"],
    "use/your-own-model": [
        "CalibratedModel",
        "Accumulator",
        "make_report",
        "read",
        "save_map",
        "load_map",
    ],
}


def chapter_of(name: str) -> str | None:
    """The chapter that derives a public name."""
    return next((chapter for chapter, names in CHAPTER_OF.items() if name in names), None)


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
    chapter = chapter_of(name)
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
        if str(getattr(function, "__module__", "")).startswith("calib.")
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
    """The package that a documented name is imported from."""
    module = next((m for m, names in calib._IN_MODULES.items() if name in names), None)
    if module:
        return f"calib.{module}"
    return "calib" if name in calib.__all__ else evidence.__name__


def summary(module: str) -> str:
    """The first line of a module's docstring."""
    return inspect.getdoc(importlib.import_module(module)).splitlines()[0]


def names(module: str) -> list[str]:
    """The public names of a module of `calib`, or the documented ones of `book.evidence`."""
    if module.startswith("calib."):
        own = module.removeprefix("calib.")
        return sorted(calib._PUBLIC.get(own, []) + calib._IN_MODULES.get(own, []))
    return [name for name in sorted(evidence.__all__) if chapter_of(name)]


def link_back(app, doctree) -> None:
    """End a chapter with links to the entries that it derives."""
    names = CHAPTER_OF.get(app.env.docname, [])
    sections = list(doctree.findall(nodes.section))
    if not names or not sections or "use/api" not in app.env.found_docs:
        return
    links = nodes.paragraph("", "In the reference: ", classes=["in-the-reference"])
    for i, name in enumerate(names):
        if i:
            links += nodes.Text(", ")
        links += pending_xref(
            "",
            nodes.literal(name, name),
            refdomain="py",
            reftype="obj",
            reftarget=f"{home(name)}.{name}",
            refexplicit=True,
            refwarn=True,
            refdoc=app.env.docname,
        )
    sections[0] += links


def setup(app) -> dict:
    app.add_directive("calib-reference", Reference)
    app.connect("doctree-read", link_back)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
