"""Figure and numbers of the chapter on the errors of every class."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import calib
from book.show.display import expect, glue_values
from book.show.looks import MEANING
from evidence.constants import ROUNDED_95
from evidence.data import Predictions

MOST = "95 % end of chance"


def draw_errors_of_classes(
    names: list[str], before: np.ndarray, after: np.ndarray, limit: np.ndarray
) -> Figure:
    """Draw the error of each class in % before and after a map, and the limit of chance."""
    figure, ax = plt.subplots(figsize=(5.4, 4.4), layout="constrained")
    place = np.arange(len(names))
    longest = int(np.argmax(before))
    for label, errors, up in (("before", before, -0.2), ("after", after, 0.2)):
        ax.barh(place + up, errors, 0.4, color=MEANING[label], label=label)
        at = errors[longest] + 0.03, longest + up
        ax.text(*at, label, color=MEANING[label], va="center")
    ax.text(limit[0] + 0.04, 0.2, MOST, va="center", fontsize=10)
    ax.vlines(limit, place, place + 0.4, color="black", lw=2, label=MOST)
    ax.set(yticks=place, yticklabels=names, xlabel="calibration error of the class (%)")
    ax.invert_yaxis()
    return figure


def glue_dress_and_second_answers(clothes: Predictions) -> None:
    """Glue what is said of one dress, and how often second answers near 10 % are right."""
    fitted = calib.TemperatureScaling().fit(clothes.to_fit.logits, clothes.to_fit.y)
    logits = clothes.test.logits
    assert logits is not None, "a network of ours"
    dress = logits[[5273]]  # a photograph of the story
    case, later = calib.softmax(dress)[0], fitted.predict_proba(dress)[0]
    for name, k in {"dress": 3, "shirt": 6}.items():
        glue_values(
            f"every-case-{name}", trained=f"{case[k]:.1%}", after=f"{later[k]:.0%}"
        )
    expect(
        clothes.test.y[5273] == 3 and case.argmax() == 6,
        "the text says that a dress is called a shirt",
    )
    both = fitted.predict_proba(clothes.test.logits)
    score, hit = calib.top_r(2)(clothes.test.y, both)
    some = (score >= 0.05) & (score <= 0.15)
    right = hit[some]
    # of the share that is right among these second answers
    error = ROUNDED_95 * right.std() / np.sqrt(some.sum())
    expect(
        right.mean() - error > score[some].mean(),
        "the text says that second answers are right more often than said",
    )
    glue_values(
        "every-case-second", said=f"{score[some].mean():.0%}", error=f"{error:.0%}"
    )
    glue_values("every-case-second", right=f"{right.mean():.0%}")
