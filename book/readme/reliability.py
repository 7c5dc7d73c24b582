"""Draw the figure of README.md: `python -m book.readme.reliability`."""

import sys
from pathlib import Path

from matplotlib.figure import Figure

import calib
from book.evidence import load_zoo


def draw(path: Path) -> None:
    """Write the reliability diagrams of a ResNet-56 before and after temperature scaling."""
    network = load_zoo("cifar10-resnet56")
    held_out, test = network.calibration, network.test
    scaling = calib.TemperatureScaling().fit(held_out.logits, held_out.y)
    versions = {
        "as trained": test.prob,
        f"logits divided by {scaling.temperature_:.2f}": scaling.predict_proba(test.logits),
    }
    figure = Figure(figsize=(8, 4.6), layout="constrained")
    for ax, (name, y_prob) in zip(figure.subplots(1, 2), versions.items(), strict=True):
        calib.reliability_diagram(test.y, y_prob, ax=ax)
        ax.set_xlabel(f"Confidence, {name}")
    look = {"bbox_inches": "tight", "facecolor": "white", "metadata": {"Software": None}}
    figure.savefig(path, dpi=90, **look)


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).with_suffix(".png"))
