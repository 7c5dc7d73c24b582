"""Figures that chapters draw and the library does not."""

import calib
from calib.plots import COLOURS

STYLES = {
    "equal width": (calib.equal_width, "blue", "o"),
    "equal mass": (calib.equal_mass, "vermillion", "s"),
}


def ece_against_bins(y_true, y_prob, *, ax, n_bins=(2, 5, 10, 15, 20, 30, 50, 75, 100)):
    """Draw the ECE against the number of bins, of equal width and of equal mass.

    The dashed lines are the mean ECE that a calibrated model with the same scores would show, which
    is the bias of the bins (Nixon et al. 2019; Kumar et al. 2019).

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = ece_against_bins([1, 0], [0.9, 0.6], n_bins=[1, 2], ax=Figure().add_subplot())
    >>> ax.lines[0].get_ydata()[0].round(2)
    np.float64(0.25)
    """
    score, hit = calib.top_label(y_true, y_prob)
    for name, (binning, colour, marker) in STYLES.items():
        style = {"color": COLOURS[colour], "marker": marker, "markersize": 4.5}
        found = [calib.calibration_error(hit, score, bins=binning(m)) for m in n_bins]
        ax.plot(n_bins, found, label=name, **style)
        expected = [calib.error_if_calibrated(score, bins=binning(m)) for m in n_bins]
        ax.plot(n_bins, expected, "--", label=f"{name}, if calibrated", mfc="none", **style)
    ax.set(xlabel="Number of bins", ylabel="ECE")
    ax.set_ylim(bottom=0)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(fontsize="small", frameon=False)
    return ax
