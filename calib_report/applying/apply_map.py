"""A saved map on new outputs, which are written as they came."""

import io
import re
import zipfile
from typing import Any

import numpy as np
from scipy.special import kolmogorov

import calib
from calib_report.applying.saved_maps import Confidences, SavedMap
from calib_report.arrays import Arrays, without
from calib_report.columns.sets import sets_of
from calib_report.contract import NOTED, Note, ReadingError, ScoreKind, listed
from calib_report.files.extras import ending_of, extra
from calib_report.files.formats import as_written, load
from calib_report.files.saving import output_path, refuse_places, write_together
from calib_report.options import Options
from calib_report.reading.interpretation import naming
from calib_report.reading.new_outputs import NewOutputs, new_outputs
from calib_report.reading.reader import arrays_of
from calib_report.values import are_whole, names_of_labels
from calib_report.wording.rendering import percent

TABLES = (".csv", ".tsv", ".parquet")
# a difference of two distributions of the confidence from which it is told
MOST_MOVED = 0.05
MOST_BY_CHANCE = 0.01  # p-value above which chance may explain such a difference
SAYS_LOGITS = re.compile(
    r"(?<![a-z])(log_?prob(s|abilities|ability)?|log_?likelihoods?|log_?odds|logits?|odds"
    r"|decision_function|logp)(?![a-z])|^z$",
    re.IGNORECASE,
)


def notes_of_moved_confidences(old: Confidences, new: Confidences) -> list[Note]:
    """Say where new confidences are not those that a map was fitted on: Kolmogorov and Smirnov."""
    n, m = old.counts.sum(), new.counts.sum()
    # the largest distance of two distributions, here of counts in ranges
    shares = np.cumsum(old.counts) / n - np.cumsum(new.counts) / m
    distance = float(np.abs(shares).max())
    p_value = float(kolmogorov(distance * np.sqrt(n * m / (n + m))))
    # of many samples a difference that matters to nobody is significant
    if distance < MOST_MOVED or p_value > MOST_BY_CHANCE:
        return []
    means = {"new": percent(new.mean), "old": percent(old.mean)}
    return [Note(NOTED["moved"].format(distance=distance, p=p_value, **means))]


def apply_map(map_path: Any, path: Any, output: Any, **reading: Any) -> list[str]:
    """Apply a saved map to a model's outputs and write probabilities in their place.

    What else the file holds, such as labels and names of samples, stays as it is: before and after
    can be compared; a calibration set is left out. Of one column of scores, the probability of the
    second class takes its place. The output is npz or, of a table, one of its format. `reading`
    holds options of :func:`calib_report.read`; labels are not needed.

    Returned is what one should know: that the confidences are not those that the map was fitted on.
    An error says that a file is not what it should be, or that the map was fitted on something
    else: logits or probabilities, the number of classes, their names. Nothing is written then.
    """
    # a table stays a table, of the same format; anything else is npz
    endings = {".npz", ending_of(path)} & {".npz", *TABLES}
    output = output_path(output, *sorted(endings))
    refuse_places([output], inputs=[map_path, path])
    saved = SavedMap.read(map_path)
    if not hasattr(saved.fitted, "predict_proba"):
        name = type(saved.fitted).__name__
        raise ValueError(
            f"{map_path}: {name} maps one score, and predicts no probabilities"
        )
    # checked before anything is written
    seen = saved.confidences()
    with naming(path):
        options = Options.of(**reading)
        arrays = arrays_of(path)
        of_names = None if saved.is_of_questions else saved.classes
        new = new_outputs(arrays, options, of_names, questions=saved.is_of_questions)
        scores = in_order_of(saved, new)
        probabilities, before = _mapped_probabilities(saved, scores, new.kind)
        content = _bytes_of_outputs(path, output, probabilities, new, saved, options)
        write_together({output: content})
    notes = list(new.notes)
    if seen is not None:
        notes += notes_of_moved_confidences(seen, Confidences.of(before))
    return [note.text for note in notes]


def in_order_of(saved: SavedMap, new: NewOutputs) -> np.ndarray:
    """Return scores in the order of the map's classes; it is an error where these are others."""
    if new.kind != saved.about["kind"]:
        raise ReadingError(
            f"it holds {new.kind}, and the map was fitted on {saved.about['kind']}"
        )
    n_classes = 2 if saved.is_of_questions else new.scores.shape[-1]
    if n_classes != len(saved.fitted.classes_):
        raise ReadingError(
            f"{n_classes} classes, and the map has {len(saved.fitted.classes_)}"
        )
    places = places_in(saved, new)
    return new.scores if places is None else new.scores[..., places]


def places_in(saved: SavedMap, new: NewOutputs) -> list[int] | None:
    """Return the column of each class of the map; None where nothing names them."""
    if saved.is_of_questions or new.in_one_column:
        return None
    if saved.classes is None or new.classes is None:
        return None
    alike = names_of_labels(saved.classes, new.classes)
    if not alike:
        raise _other_classes(saved.classes, new.classes)
    return [new.classes.index(alike[name]) for name in saved.classes]


def _other_classes(saved: list[str], new: list[str]) -> ReadingError:
    """Return the error of a file that names its classes otherwise than the map does."""
    problem = f"the file names its classes {listed(new)}, not {listed(saved)}"
    # numbers may only count the columns
    if are_whole(new):
        problem += f": if they stand in this order, --classes {','.join(saved)}"
    return ReadingError(problem)


def _mapped_probabilities(
    saved: SavedMap, scores: np.ndarray, kind: ScoreKind
) -> tuple[np.ndarray, np.ndarray]:
    """Return probabilities in the shape of the scores, and those before the map, a row each."""
    rows = _rows_to_map(saved, scores, kind)
    if kind == "logits":
        logits, before = rows, calib.softmax(rows)
    else:
        logits, before = calib.as_logits(rows, floor=saved.about["floor"]), rows
    p = saved.fitted.predict_proba(logits)
    return (p[:, 1] if saved.is_of_questions else p).reshape(scores.shape), before


def _rows_to_map(saved: SavedMap, scores: np.ndarray, kind: ScoreKind) -> np.ndarray:
    """Return a row of scores for each sample; of questions, for each, as no and yes."""
    if not saved.is_of_questions:
        return scores.reshape(-1, scores.shape[-1])
    yes = scores.reshape(-1)
    return np.column_stack([-yes / 2, yes / 2] if kind == "logits" else [1 - yes, yes])


def _bytes_of_outputs(
    path: Any,
    output: Any,
    p: np.ndarray,
    new: NewOutputs,
    saved: SavedMap,
    options: Options,
) -> bytes:
    """Return the bytes of a file of outputs with probabilities in the place of the scores."""
    places = places_in(saved, new)
    if places is not None:  # back to the order of the file
        p = p[..., np.argsort(places)]
    ending = ending_of(output)
    if ending == ".npz":
        return _bytes_of_archive(
            _with_names(
                _arrays_with_probabilities(load(path), p, new, options), new, saved
            )
        )
    return _bytes_of_table(
        _with_columns(as_written(path), p, new, options.positive), ending
    )


def _bytes_of_table(frame: Any, ending: str) -> bytes:
    """Return the bytes of a table, in the format that an ending says."""
    if ending != ".parquet":
        return frame.to_csv(index=False, sep="\t" if ending == ".tsv" else ",").encode()
    extra("pyarrow", "parquet files")
    content = io.BytesIO()
    frame.to_parquet(content)
    return content.getvalue()


def _with_names(
    named: dict[str, np.ndarray], new: NewOutputs, saved: SavedMap
) -> dict[str, np.ndarray]:
    """Return arrays with the names of the classes, where a file did not hold these."""
    if not saved.classes or "classes" in named or saved.is_of_questions:
        return named
    return named | {"classes": np.array(new.classes or saved.classes)}


def _bytes_of_archive(named: dict[str, np.ndarray]) -> bytes:
    """Return an archive of arrays, whose bytes depend on nothing else: numpy's own has a date."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, array in named.items():
            # saved apart: an entry whose date is fixed takes all bytes at once
            inner = io.BytesIO()
            np.save(inner, array)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), inner.getvalue())
    return content.getvalue()


def _arrays_with_probabilities(
    arrays: Arrays, p: np.ndarray, new: NewOutputs, options: Options
) -> dict[str, np.ndarray]:
    """Return the arrays of a file with probabilities instead of scores, without another set."""
    tests, _ = sets_of(arrays.named, options)
    named, name = without(tests, new.columns), _name_of_probabilities(new.columns)
    if name in named:
        raise ReadingError(
            f"an array is named {name!r} already, as the probabilities would be"
        )
    if options.class_axis is not None:
        p = np.moveaxis(p, -1, options.class_axis)
    return named | {name: p[..., 1] if new.in_one_column else p}


def _name_of_probabilities(columns: tuple[str, ...]) -> str:
    """Return the name of the array that takes the place of some columns of scores."""
    name = SAYS_LOGITS.sub("probabilities", columns[0])
    # a name that did not say logits must not seem to hold what it held
    is_new = len(columns) == 1 and name != columns[0]
    return name if is_new else "probabilities"


def _with_columns(
    frame: Any, p: np.ndarray, new: NewOutputs, positive: str | None
) -> Any:
    """Return a table with the probabilities where the scores stood."""
    columns, names = list(new.columns), _names_of_probabilities(new, positive)
    beside = set(frame.columns) - set(columns)
    if set(names) & beside or len(set(names)) < len(names):
        raise ReadingError(
            f"a column is named {names[0]!r} already, as the probabilities would be"
        )
    for name, column in zip(columns, _columns_of(p, new), strict=True):
        frame[name] = column
    return frame.rename(columns=dict(zip(columns, names, strict=True)))


def _columns_of(p: np.ndarray, new: NewOutputs) -> list[Any]:
    """Return a column a class; of one column the event's, or the vectors."""
    if new.in_one_column:
        return [p[:, 0] if new.of_wrong else p[:, 1]]
    return [p.tolist()] if len(new.columns) == 1 else list(p.T)


def _names_of_probabilities(new: NewOutputs, positive: str | None) -> list[str]:
    """Return the names of the columns without a word that says logits."""
    names = [SAYS_LOGITS.sub("probability", name) for name in new.columns]
    if not new.in_one_column or names == list(new.columns):
        return names
    # a column that said logits said nothing of the event, which the new name does
    event = new.classes[1] if new.classes else positive or "1"
    return [f"probability_{event}"]
