"""Outputs of a model, checked, from labels and scores as a file holds them."""

from typing import Any

import numpy as np

from calib_report.columns.coded_labels import is_of_wrong, with_coded_labels
from calib_report.columns.labels import refuse_shifted
from calib_report.columns.samples import Samples, says_confidence
from calib_report.columns.scores import Scores, scores_of
from calib_report.columns.shapes import one_a_row
from calib_report.contract import Doubter, OptionError, ScoreKind
from calib_report.model_outputs import ModelOutputs
from calib_report.options import Options
from calib_report.values import texts


def outputs_of(
    samples: Samples, options: Options, doubter: Doubter
) -> tuple[Samples, ModelOutputs]:
    """Return checked outputs, and the samples that they are of."""
    samples = with_coded_labels(one_a_row(samples, options), options)
    scores = _checked_scores(samples, options, doubter)
    samples = samples.replaced(notes=(*samples.notes, *scores.notes))
    k = scores.values.shape[1]
    known: dict[str, Any] = {scores.kind: scores.values}
    outputs = ModelOutputs(
        samples.y,
        task=samples.task,
        class_names=_names_of_classes(samples, k, options),
        **known,
        **_annotations(samples),
    )
    # names say which is which; of two classes one alone is no reason for doubt
    if samples.classes is None and options.labels_from is None and k > 2:
        refuse_shifted(outputs.y, outputs.prob)
    return samples, outputs


def _checked_scores(samples: Samples, options: Options, doubter: Doubter) -> Scores:
    """Return scores by their kind; of doubts those of being right."""
    kind = samples.kind or _kind_of_confidence(samples)
    scores = scores_of(samples.scores, kind, options, doubter, list(samples.columns))
    if samples.task == "pairs" and is_of_wrong(samples.y_name, options):
        return Scores(scores.values[:, ::-1], scores.kind, scores.notes)
    return scores


def _kind_of_confidence(samples: Samples) -> ScoreKind | None:
    """Return what a confidence in answers is; None of other scores."""
    is_confidence = samples.task != "classes" and says_confidence(samples.columns[0])
    return "probabilities" if is_confidence else None


def _names_of_classes(samples: Samples, k: int, options: Options) -> list[str]:
    names = samples.classes
    if names is None:
        first = options.labels_from or 0
        return [*map(str, range(first, first + k))]
    if not len({*names}) == len(names) == k:
        problem = f"{len({*names})} different names for {k} classes"
        raise OptionError("classes", problem)
    return list(names)


def _annotations(samples: Samples) -> dict[str, Any]:
    """Return groups by name, clusters and ids."""
    groups: dict[str, np.ndarray] = {}
    named: dict[str, Any] = {"groups": groups}
    for (what, name), array in samples.side_columns.items():
        if what == "groups":
            groups[name] = texts(array)
        elif what != "unused":
            named[what] = array
    return named
