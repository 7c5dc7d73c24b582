"""Read the outputs of your own model from a file, trusting nothing in it."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calib.checks import check_choice, check_labels, check_logits, check_probabilities, softmax
from calib.checks import logits as log_probabilities
from calib.readers import read_npy, read_npz

KINDS = ("logits", "probabilities")


@dataclass(frozen=True, eq=False)
class ModelOutputs:
    """Outputs of one model for samples whose labels are known.

    Attributes
    ----------
    kind : {"logits", "probabilities"}
    y : ndarray of int, shape (n,)
        Labels.
    scores : ndarray, shape (n, K)
        Logits or probabilities, as `kind` says.
    calibration_y, calibration_scores : ndarray or None
        The same for a calibration set, where the file has one.
    classes : list of str
        Names of the K classes.
    """

    kind: str
    y: np.ndarray
    scores: np.ndarray
    calibration_y: np.ndarray | None
    calibration_scores: np.ndarray | None
    classes: list

    def probabilities(self):
        """Probabilities of the samples, shape (n, K)."""
        return self.scores if self.kind == "probabilities" else softmax(self.scores)

    def logits(self):
        """Logits of the samples; log-probabilities where only probabilities are known."""
        return as_logits(self.scores, self.kind)

    def calibration_logits(self):
        """Logits of the calibration set."""
        return as_logits(self.calibration_scores, self.kind)


def as_logits(scores, kind):
    """Return logits as they are, and the logarithm of probabilities (floor 1e-12)."""
    return scores if kind == "logits" else log_probabilities(scores)


def read_outputs(path, *, kind=None, labels=None, classes=None):
    """Read a model's outputs from a file, trusting nothing in it.

    Parameters
    ----------
    path : str or Path
        An npz archive with ``y`` and ``logits`` or ``probabilities``, and if there is a
        calibration set ``calibration_y`` and ``calibration_logits`` or
        ``calibration_probabilities``; the names ``test_y`` and ``test_logits`` serve as well.
        Or a csv table whose column ``y`` holds labels and whose other columns are the classes.
        Or an npy array (n, K), with `labels`.
    kind : {"logits", "probabilities"}, optional
        What a csv or npy file holds. Needed there: the two cannot be told apart safely.
    labels : str or Path, optional
        npy file of the labels, for an npy file of scores.
    classes : list of str, optional
        Names of the classes; otherwise those of the file, or their numbers.

    Returns
    -------
    ModelOutputs

    Raises
    ------
    ValueError
        If the file is not what it should be; the message names the file and what is wrong.
    OSError
        If the file cannot be read.
    """
    path = Path(path)
    readers = {".npz": _from_npz, ".csv": _from_csv, ".npy": _from_npy}
    if path.suffix not in readers:
        raise ValueError(f"{path}: expected a file that ends in .npz, .csv or .npy")
    if kind is not None:
        check_choice(kind, "kind", KINDS)
    try:
        parts = readers[path.suffix](path, kind, labels)
        return _checked(**parts, named=classes)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _checked(
    kind, y, scores, calibration_y=None, calibration_scores=None, classes=None, named=None
):
    check = check_logits if kind == "logits" else check_probabilities
    scores = check(scores, name=kind)
    n_classes = scores.shape[1]
    y = check_labels(y, n_classes, n=len(scores), name="y")
    if calibration_scores is not None:
        calibration_scores = check(calibration_scores, name=f"calibration_{kind}")
        if calibration_scores.shape[1] != n_classes:
            raise ValueError(
                f"calibration_{kind}: {calibration_scores.shape[1]} classes, expected {n_classes}"
            )
        calibration_y = check_labels(
            calibration_y, n_classes, n=len(calibration_scores), name="calibration_y"
        )
    names = [str(name) for name in (named or classes or range(n_classes))]
    if len(names) != n_classes or len(set(names)) != n_classes:
        raise ValueError(f"classes: {len(set(names))} different names for {n_classes} classes")
    return ModelOutputs(kind, y, scores, calibration_y, calibration_scores, names)


def _from_npz(path, kind, labels):
    arrays = read_npz(path.read_bytes())
    arrays = {name.removeprefix("test_"): array for name, array in arrays.items()}
    held = [name for name in KINDS if name in arrays]
    if len(held) != 1:
        raise ValueError("expected one array named 'logits' or 'probabilities'")
    if kind not in (None, held[0]):
        raise ValueError(f"it holds {held[0]}, not {kind}")
    if "y" not in arrays:
        raise ValueError("expected an array of labels named 'y'")
    calibration = arrays.get(f"calibration_{held[0]}")
    if (calibration is None) != ("calibration_y" not in arrays):
        raise ValueError(f"'calibration_{held[0]}' and 'calibration_y' come together or not at all")
    return {
        "kind": held[0],
        "y": arrays["y"],
        "scores": arrays[held[0]],
        "calibration_y": arrays.get("calibration_y"),
        "calibration_scores": calibration,
        "classes": arrays["classes"].tolist() if "classes" in arrays else None,
    }


def _from_csv(path, kind, labels):
    import pandas as pd

    _need_kind(kind)
    try:
        table = pd.read_csv(path, engine="c", low_memory=False)
    except (ValueError, UnicodeDecodeError) as error:
        raise ValueError(f"not a csv table: {str(error).splitlines()[0]}") from None
    if "y" not in table:
        raise ValueError("expected a column of labels named 'y'")
    y, scores = table.pop("y"), table
    for name in scores.columns[[not pd.api.types.is_numeric_dtype(t) for t in scores.dtypes]]:
        raise ValueError(f"column {name!r} holds something that is not a number")
    return {
        "kind": kind,
        "y": y.to_numpy(),
        "scores": scores.to_numpy(dtype=np.float64),
        "classes": list(scores.columns),
    }


def _from_npy(path, kind, labels):
    _need_kind(kind)
    if labels is None:
        raise ValueError("an npy file of scores needs --labels, an npy file of the labels")
    return {
        "kind": kind,
        "y": read_npy(Path(labels).read_bytes()),
        "scores": read_npy(path.read_bytes()),
    }


def _need_kind(kind):
    if kind is None:
        raise ValueError("say --kind logits or --kind probabilities: they cannot be told apart")


def read_scores(path, *, kind=None):
    """Return the logits of a file that may lack labels, see `read_outputs`."""
    path = Path(path)
    if path.suffix == ".npy":
        _need_kind(kind)
        arrays = {kind: read_npy(path.read_bytes())}
    else:
        arrays = read_npz(path.read_bytes())
        arrays = {name.removeprefix("test_"): array for name, array in arrays.items()}
    held = [name for name in KINDS if name in arrays]
    if len(held) != 1:
        raise ValueError(f"{path}: expected one array named 'logits' or 'probabilities'")
    return as_logits(arrays[held[0]], held[0])
