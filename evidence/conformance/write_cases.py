"""Write the cases and their values: python -m evidence.conformance.write_cases."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evidence.conformance.compare_program import cases_folder
from evidence.conformance.reference import values

TENTHS = [j / 10 for j in range(1, 10)]


def case(
    why: str, p: ArrayLike, y: ArrayLike, weight: Sequence[float] | None = None
) -> dict[str, Any]:
    fields: dict[str, Any] = {"why": why, "y": np.asarray(y).tolist()}
    fields["p"] = np.asarray(p, float).tolist()
    return fields if weight is None else fields | {"weight": list(weight)}


def of_scores(score: ArrayLike, hit: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Two classes whose second is a hit with the score as its probability."""
    second = np.asarray(score, float)
    return np.column_stack([1 - second, second]), np.asarray(hit).astype(int)


def drawn(
    rng: np.random.Generator, n: int, k: int, sharp: float = 2.0
) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of an overconfident model, and labels."""
    z = rng.standard_normal((n, k))
    y = (z + rng.gumbel(size=(n, k))).argmax(axis=1)
    p = np.exp(sharp * z)
    return p / p.sum(axis=1, keepdims=True), y


def all_cases() -> dict[str, dict[str, Any]]:
    rng = np.random.default_rng(0)
    by_hand = of_scores(
        [0.55, 0.6, 0.65, 0.7, 0.8, 0.85, 0.9, 0.95], [1, 0, 1, 1, 0, 1, 1, 1]
    )
    p3, y3 = drawn(rng, 100, 3)
    p10, y10 = drawn(rng, 1000, 10)
    p20, y20 = drawn(rng, 60, 20)
    p4, y4 = drawn(rng, 80, 4)
    tenths = rng.dirichlet(np.ones(3), 40).round(1)
    tenths[:, 0] = 1 - tenths[:, 1:].sum(axis=1)
    labels = rng.integers(3, size=40)
    integers, reals = rng.integers(0, 4, 100), rng.random(100).round(3)
    counts = rng.integers(17, 33, 10_000)
    many = np.where(rng.random(10_000) < 0.5, counts, 32 - counts) / 32
    hits = rng.random(10_000) < many**1.25
    zero = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.25, 0.75]])
    fifteenths = [j / 15 for j in range(8, 16)]
    masked = np.array(
        [[0.5, 0.5, 0.0], [0.0, 0.25, 0.75], [0.25, 0.75, 0.0], [1.0, 0.0, 0.0]]
    )
    return {
        "one-sample": case("one sample", [[0.75, 0.25]], [0]),
        "by-hand": case("eight samples that can be done by hand", *by_hand),
        "tenths": case(
            "scores on the edges of ten bins",
            *of_scores(TENTHS * 2 + [0.55, 0.65, 0.75, 0.85, 0.95], [0, 1, 1] * 7 + [1, 0]),
        ),
        "fifteenths": case(
            "scores on the edges of fifteen bins, one among them",
            *of_scores(fifteenths * 2, [1, 0] * 8),
        ),
        "tenths-float32": case(
            "the float32 numbers nearest to tenths: some lie above the float64 numbers",
            *of_scores(np.array(TENTHS * 2, np.float32), [1, 0, 1] * 6),
        ),
        "zero-and-one": case("probabilities of 0 and 1, all right", zero, [0, 1, 0, 1]),
        "wrong-and-sure": case("a label of probability 0: the NLL is infinite", zero, [1, 1, 0, 0]),
        "minus-zero": case("-0.0 is zero", np.where(masked == 0, -0.0, masked), [0, 2, 1, 0]),
        "tied-classes": case(
            "the largest probability is that of two classes: the first is predicted",
            [[0.4, 0.4, 0.2], [0.2, 0.4, 0.4], [0.5, 0.0, 0.5]] * 4,
            [0, 1, 2, 1, 2, 0] * 2,
        ),
        "empty-bins": case(
            "two bins hold all samples", *of_scores([0.51, 0.52, 0.97, 0.98] * 5, [1, 0, 1, 1] * 5)
        ),
        "one-score": case("all scores are equal", *of_scores([0.7] * 30, [1, 0, 1] * 10)),
        "tied-scores": case("three classes, probabilities in tenths", tenths.round(1), labels),
        "missing-class": case("no sample is of the last class", p4, np.minimum(y4, 2)),
        "many-classes": case("more classes than most bins hold samples", p20, y20),
        "hundred": case("an overconfident model", p3, y3),
        "whole-weights": case("weights are repetitions; zero is none", p3, y3, integers.tolist()),
        "weights": case("weights that are not whole", p3, y3, reals.tolist()),
        "weight-zero": case(
            "a sample of weight 0 whose label has probability 0", zero, [1, 1, 0, 1], [0, 1, 1, 1]
        ),
        "float32-rows": case("float32 rows, whose sums are off by rounding", np.float32(p3), y3),
        "float16-rows": case("float16 rows, sums off by up to a thousandth", np.float16(p3), y3),
        "thousand": case("ten classes, probabilities of five digits", p10.round(5), y10),
        "ten-thousand": case("scores in 32nds", *of_scores(many, hits)),
    }  # fmt: skip


def main() -> None:
    for number, (name, fields) in enumerate(all_cases().items(), 1):
        fields["values"] = values(fields["y"], fields["p"], fields.get("weight"))
        text = json.dumps({"name": name} | fields, separators=(",", ":"))
        (cases_folder() / f"{number:02}-{name}.json").write_text(f"{text}\n")


if __name__ == "__main__":
    main()
