"""Views of outputs by their names in tables, `top_2` and `within_2` among them."""

from collections.abc import Callable
from operator import methodcaller

import numpy as np

import calib
from calib.views import Viewed
from evidence import Outputs

View = Callable[[Outputs], Viewed]


VIEWS: dict[str, View] = {
    **{f"top_{r}": methodcaller("top_r_pairs", r) for r in range(1, 6)},
    **{f"within_{r}": methodcaller("within_top_r_pairs", r) for r in range(2, 6)},
}


def views(outputs: Outputs) -> dict[str, View]:
    """The views, but that of the top label, that outputs allow: name -> pairs of some outputs."""
    ranks = min(5, outputs.ranked[0].shape[1])
    return {
        key: pick
        for key, pick in VIEWS.items()
        if key != "top_1" and int(key[-1]) <= ranks
    }


def of_view(pick: View, outputs: Outputs) -> Outputs:
    """Outputs of which only the pairs of a view are known."""
    return Outputs.of_pairs(*pick(outputs))


def ks_of(pick: View) -> Callable[..., float]:
    """The KS error of a view as a metric of whole vectors."""

    def ks(y_true: np.ndarray, y_prob: np.ndarray) -> float:
        score, hit = pick(Outputs(y_true, probabilities=y_prob))
        return calib.ks_error(hit, score)

    return ks
