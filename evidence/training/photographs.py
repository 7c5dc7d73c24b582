"""Write data/photographs: test images of Fashion-MNIST that a network of the zoo is sure about.

Nine are drawn at random from those that it has right, three from those that it has wrong. The
images are Zalando's, under the MIT licence.
"""

import numpy as np

from calib import top_label
from evidence import Outputs, load_zoo
from evidence.data import data_folder
from evidence.training.datasets import load

NETWORK = "fashion-resnet14-w16-s1"
SURE = 0.99


def choose(split: Outputs, rng: np.random.Generator) -> np.ndarray:
    """Rows of nine right and three wrong predictions of more than 99 %, in random order."""
    score, hit = top_label(split.y, split.prob)
    sure = score > SURE
    hits = rng.choice(np.flatnonzero(sure & (hit == 1)), 9, replace=False)
    misses = rng.choice(np.flatnonzero(sure & (hit == 0)), 3, replace=False)
    return rng.permutation(np.concatenate([hits, misses]))


def main() -> None:
    from PIL import Image

    test, rows = (
        load("fashion").test,
        choose(load_zoo(NETWORK).test, np.random.default_rng(0)),
    )
    folder = data_folder() / "photographs"
    folder.mkdir(exist_ok=True)
    side_by_side = np.concatenate(list(np.asarray(test.x)[rows, 0]), axis=1)
    Image.fromarray(side_by_side).save(folder / "fashion.png", optimize=True)
    lines = [f"{row},{test.y[row]}" for row in rows]
    (folder / "fashion.csv").write_text("\n".join(["row,label", *lines, ""]))


if __name__ == "__main__":
    main()
