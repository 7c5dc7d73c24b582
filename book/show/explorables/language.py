"""What language models state of their answers."""

import base64
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import rankdata

import calib
from book.show import stills
from book.show.explorables.element import Contents, explorable, in_base64, rounded
from evidence.constants import ROUNDED_95


@explorable
def deal_cards(kinds: Any) -> Contents:
    """Models by accuracy and mean confidence; shuffled, the confidences fit no model."""
    keys = ["accuracy", "mean_confidence", "ece"]
    data = {
        name: {"names": list(rows["model"])} | {key: rounded(rows[key]) for key in keys}
        for name, rows in kinds.items()
    }
    first = next(iter(kinds.values()))[["accuracy", "mean_confidence"]]
    return {"kinds": data}, stills.line_plot(
        "accuracy", "mean confidence", models_=first, calibrated=[(0, 0), (1, 1)]
    )


SHOWN_BINS = 20


@explorable
def language_explorer(answers: Any, first: Any) -> Contents:
    """The reliability diagram, the risk at every coverage and the calibration error of any of these
    models, by kind of confidence and subject.
    """
    subjects = sorted(set(answers.group.tolist()))
    packed_bins, ranks = [], []
    for model, kind in product(answers.models, answers.confidence):
        for subject in subjects:
            pairs = answers.pairs(model, kind, group=subject)
            packed_bins.append(_bins_as_bytes(*pairs))
            ranks.append(_auroc_and_risks(*pairs))
        # bins of all subjects are sums of theirs, ranks are not
        ranks.append(_auroc_and_risks(*answers.pairs(model, kind, group=None)))
    data = {
        "models": answers.models,
        "kinds": list(answers.confidence),
        "subjects": subjects,
        "asked": [int((answers.group == subject).sum()) for subject in subjects],
        "first": first,
        "bins": base64.b64encode(b"".join(packed_bins)).decode(),
        "ranks": in_base64(ranks, "<u2"),
    }
    kind = "verbal" if "verbal" in answers.confidence else data["kinds"][0]
    return data, stills.reliability_diagrams(20, all=answers.pairs(first, kind))


def _bins_as_bytes(score: np.ndarray, hit: np.ndarray) -> bytes:
    """Return the occupied bins as bytes: which they are, then count, hits, offset of the mean."""
    if len(score) == 0:
        # a bit for each bin, rounded up to bytes: none of them is filled
        return bytes(-(-SHOWN_BINS // 8))
    bins = calib.equal_width(SHOWN_BINS)(score, hit)
    filled = bins.count > 0
    offset = (bins.mean_score - bins.edges[:-1]) * SHOWN_BINS
    rows = np.rec.fromarrays(
        [
            bins.count[filled],
            bins.hit_sum[filled],
            np.round(255 * offset[filled].clip(0, 1)),
        ],
        dtype=[("count", "<u2"), ("hits", "<u2"), ("place", "u1")],
    )
    return np.packbits(filled, bitorder="little").tobytes() + rows.tobytes()


COVERAGES = np.arange(1, 10, 2) / 10
UNKNOWN = 65535


def _auroc_and_risks(score: np.ndarray, hit: np.ndarray) -> Any:
    """Return AUROC and the risk at each coverage, in 65534ths: bins forget the order within."""
    if len(score) == 0:
        return [UNKNOWN] * (1 + len(COVERAGES))
    curve, n_hits, n = calib.risk_coverage(hit, score), int(hit.sum()), len(hit)
    # with hits alone, or none, there is no AUROC: this becomes `UNKNOWN`
    area = UNKNOWN / (UNKNOWN - 1)
    if 0 < n_hits < n:
        # by the sum of ranks of the hits, as Mann and Whitney count; ties share a mean rank
        ranks = rankdata(score)[hit > 0]
        area = (ranks.sum() - n_hits * (n_hits + 1) / 2) / (n_hits * (n - n_hits))
    risks = [curve.risk_at(coverage) for coverage in COVERAGES]
    return np.round((UNKNOWN - 1) * np.array([area, *risks])).astype(int).tolist()


@explorable
def model_or_constant(pairs: pd.DataFrame, first: str) -> Contents:
    """What a model states, a map of that and always saying its accuracy, beside one another.

    `pairs` has a row a model and a map, "none" and "isotonic", with skill and Brier score on
    answers that had no part in the fit. The variance of a squared error is at most B (1 - B).
    """
    worst = np.sqrt(pairs["brier"] * (1 - pairs["brier"]) / pairs["n"])
    half = 100 * ROUNDED_95 * worst / (pairs["accuracy"] * (1 - pairs["accuracy"]))
    table = pairs.assign(skill=100 * pairs["skill"], half=half, ece=100 * pairs["ece"])
    table = table.pivot(index="model", columns="map").sort_index()
    maps, models = ["none", "isotonic"], []
    for name, row in table.iterrows():
        facts: dict[str, Any] = {"name": str(name)}
        facts |= {key: rounded(row[key][maps], 2) for key in ("skill", "half", "ece")}
        facts |= {"accuracy": round(row["accuracy", "none"], 4)}
        facts |= {"confidence": round(row["mean_confidence", "none"], 4)}
        models.append(facts)
    shown = table.loc[first, "skill"][maps]
    still = stills.first_ten_bars(
        ["as it comes", "after a map"], shown, f"skill of {first}, %"
    )
    return {"models": models, "first": first}, still
