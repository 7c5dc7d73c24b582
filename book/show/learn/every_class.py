"""Figure and numbers of the chapter on the errors of every class."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import calib
from book.show.display import expect, glue_values
from book.show.looks import MEANING
from book.show.story import DRESS, PHOTOGRAPH, SHIRT
from evidence.mean_intervals import half_width
from evidence.network_outputs import Outputs

MOST = "95 % end of chance"


def draw_errors_of_classes(
    names: list[str], before: np.ndarray, after: np.ndarray, limit: np.ndarray
) -> Figure:
    """Draw the error of each class in % before and after a map, and the limit of chance."""
    figure, ax = plt.subplots(figsize=(5.4, 4.4), layout="constrained")
    heights = np.arange(len(names))
    longest = int(np.argmax(before))
    for label, errors, up in (("before", before, -0.2), ("after", after, 0.2)):
        ax.barh(heights + up, errors, 0.4, color=MEANING[label], label=label)
        at = errors[longest] + 0.03, longest + up
        ax.text(*at, label, color=MEANING[label], va="center")
    ax.text(limit[0] + 0.04, 0.2, MOST, va="center", fontsize=10)
    ax.vlines(limit, heights, heights + 0.4, color="black", lw=2, label=MOST)
    ax.set(
        yticks=heights, yticklabels=names, xlabel="calibration error of the class (%)"
    )
    ax.invert_yaxis()
    return figure


def glue_dress_of_story(test: Outputs, after: np.ndarray) -> None:
    """Glue what is said of the dress of the story, as trained and `after` one temperature."""
    trained, later = test.prob[PHOTOGRAPH], after[PHOTOGRAPH]
    for name, k in {"dress": DRESS, "shirt": SHIRT}.items():
        glue_values(
            f"every-case-{name}", trained=f"{trained[k]:.1%}", after=f"{later[k]:.0%}"
        )
    expect(
        test.y[PHOTOGRAPH] == DRESS and trained.argmax() == SHIRT,
        "the text says that a dress is called a shirt",
    )


def glue_second_answers(y: np.ndarray, prob: np.ndarray) -> None:
    """Glue what second answers from 5 to 15 % say, and how often they are right."""
    score, hit = calib.top_r(2)(y, prob)
    is_near = (score >= 0.05) & (score <= 0.15)
    said, right = score[is_near].mean(), hit[is_near].astype(float)
    half = half_width(right)
    expect(
        right.mean() - half > said,
        "the text says that second answers are right more often than said",
    )
    glue_values(
        "every-case-second",
        said=f"{said:.0%}",
        error=f"{half:.0%}",
        right=f"{right.mean():.0%}",
    )
