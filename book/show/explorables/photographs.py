"""Photographs and what networks, or people, say of them."""

import math
from typing import Any

import numpy as np

import calib
from book.show import stills
from book.show.explorables.element import Contents, data_uri, explorable, rounded


def photograph_data(sprite: Any, rows: Any, split: Any) -> Any:
    """Return logits and labels of rows of `split`, whose photographs stand side by side."""
    images = [
        {"logits": rounded(split.logits[row], 3), "label": int(split.y[row])}
        for row in rows
    ]
    return {"images": images, "sprite": data_uri(sprite)}


@explorable
def one_vector(
    sprite: Any, rows: Any, split: Any, classes: Any, temperatures: Any
) -> Contents:
    """The probabilities of one image at any temperature, their entropy, and the NLL of the whole
    set at that temperature.
    """
    nll = [
        calib.nll(split.y, calib.softmax(split.logits / temperature))
        for temperature in temperatures
    ]
    data = {"classes": classes, "curve": rounded(np.transpose([temperatures, nll]))}
    data |= photograph_data(sprite, rows, split)
    return data, stills.probability_bars(classes, data["images"][0]["logits"])


@explorable
def sure_photographs(
    sprite: Any, says: Any, is_: Any, score: Any, conclusion: str
) -> Contents:
    """Photographs with what a network says; the reader picks the wrong ones."""
    # rounded down: 99.96 % is no 100 %
    photographs = [
        {
            "says": words,
            "is": true,
            "sure": f"{math.floor(1000 * sure) / 10:.1f}\N{NO-BREAK SPACE}%",
        }
        for words, true, sure in zip(says, is_, score, strict=True)
    ]
    data = {"photographs": photographs, "sprite": data_uri(sprite), "says": conclusion}
    words = "; ".join(f"{photo['says']}, {photo['sure']}" for photo in photographs)
    return (
        data,
        data["sprite"],
        f"photographs, and what a network says: {words}. {conclusion[:-1]}",
    )


@explorable
def fifty_people(
    photograph: tuple[bytes, int, int],
    names: tuple[str, str],
    scores: dict[str, float],
    *,
    file: str,
    votes: int,
    people: int = 50,
) -> Contents:
    """A photograph that people name in two ways, and by whose word a network is too sure of one.

    `photograph` is a strip of pictures, the index of this one in it, and how many it holds;
    `scores` are probabilities of the first name, and the question is about the second of them.
    """
    sprite, index, count = photograph
    data = {"sprite": data_uri(sprite), "place": index, "count": count, "names": names}
    data |= {"scores": {kind: round(float(p), 4) for kind, p in scores.items()}}
    data |= {"file": file, "votes": votes, "people": people}
    truths = {"by the file": file == names[0], "by a random person": votes / people}
    truths |= {"by the majority": 2 * votes > people}
    rows = {**scores, **truths}
    shares = [100 * float(share) for share in rows.values()]
    return data, stills.first_ten_bars(
        [*rows], shares, f"how sure that it is a {names[0]}, %"
    )
