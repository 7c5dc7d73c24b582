"""Interactive figures: the HTML that the scripts of `assets/widgets` bring to life.

Each function returns an `IPython.display.HTML` with a custom element and its data as JSON. Where
scripts do not run (a downloaded notebook) a picture inside it shows what it shows at first.
"""

import base64
import html
import inspect
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from IPython.display import HTML
from scipy.stats import rankdata

import calib
from book.show import stills
from evidence.constants import ROUNDED_95

# data, a still picture and, where the docstring does not say them, words
Shown = tuple[Any, ...]


def explorable(function: Callable[..., Any]) -> Callable[..., HTML]:
    """Turn a function's data, and a picture for pages without scripts, into an element of its name.

    The first paragraph of its docstring says what is to be seen, or the function does as a third.
    """
    paragraph = (inspect.getdoc(function) or "").partition("\n\n")[0]
    sentence = paragraph.rstrip(".").replace("\n", " ")
    shows, tag = sentence[0].lower() + sentence[1:], function.__name__.replace("_", "-")

    @wraps(function)
    def element(*arguments: Any, **options: Any) -> HTML:
        data, still, *label = function(*arguments, **options)
        # JSON has no NaN: a browser would refuse the whole text
        text = json.dumps(data, separators=(",", ":"), allow_nan=False)
        text = text.replace("</", "<\\/")  # nothing in it ends the script
        words = html.escape(label[0] if label else shows)
        # a picture that is in the page itself has come with it
        lazy = "" if still.startswith("data:") else 'loading="lazy" '
        return HTML(
            f'<{tag} id="{tag}" role="group" aria-label="{words}"><div class="w-fallback">'
            f'<p>An interactive figure: {words}.</p><img alt="" {lazy}src="{still}">'
            f'</div><script type="application/json">{text}</script></{tag}>'
        )

    return element


def listed(values: Any, digits: int = 5) -> list[Any]:
    """Return numbers as lists, rounded; without digits as integers."""
    numbers = np.round(np.asarray(values, float), digits)
    return numbers.tolist() if digits else numbers.astype(int).tolist()


def packed(values: Any, dtype: str) -> str:
    """Return numbers as bytes in text."""
    return base64.b64encode(np.asarray(values).astype(dtype).tobytes()).decode()


def data_uri(png: bytes) -> str:
    """Return the bytes of a PNG as an address."""
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


DEEPEST = 60  # what a logit may be below the largest: at T = 4 it counts as 3e-7
SURE = 0.99


def very_sure(below: np.ndarray, temperature: float) -> np.ndarray:
    """Return which predictions have a confidence above `SURE`, from logits below the largest."""
    sure: np.ndarray = calib.softmax(-below / temperature).max(axis=1) > SURE
    return sure


def in_bytes(below: np.ndarray, temperatures: Sequence[float]) -> np.ndarray:
    """Return roots of logits below the largest in 255 steps.

    The runner-up goes a step up or down where rounding would change who is very sure at one of
    these temperatures: pages count them.
    """
    # by roots the steps are finest near the largest logit, where they count most
    steps = np.round(255 * np.sqrt(np.minimum(below / DEEPEST, 1)))
    rows, second = np.arange(len(below)), np.argsort(below, axis=1)[:, 1]
    for temperature in temperatures:
        right = very_sure(below, temperature).astype(int)
        for _ in range(3):
            rounded = very_sure(DEEPEST * (steps / 255) ** 2, temperature)
            # 0 where rounding changed nothing, else a step to the right side
            steps[rows, second] += right - rounded
    return steps


@explorable
def temperature_slider(
    logits: np.ndarray, y: np.ndarray, temperature: float, task: str = "which"
) -> Shown:
    """Reliability diagram, NLL and ECE at any temperature.

    `task` is what is asked: "which" temperature is best, how many answers it leaves "sure", or what
    "tooMuch" of it does.
    """
    logits, y = np.asarray(logits, dtype=float), np.asarray(y)
    below = logits.max(axis=1, keepdims=True) - logits
    if (worst := below[np.arange(len(y)), y].max()) > DEEPEST:
        raise ValueError(
            f"logits: that of a label is {worst:.0f} below the largest, over {DEEPEST}"
        )
    data = {
        "logits": packed(in_bytes(below, [1, round(float(temperature), 2)]), "u1"),
        "deepest": DEEPEST,
        "labels": y.tolist(),
        "temperature": round(float(temperature), 2),
        "task": task,
    }
    return data, stills.diagrams(all=calib.top_label(y, calib.softmax(logits)))


@explorable
def answer_desk(
    examples: list[tuple[str, str, Any]], score: np.ndarray, hit: np.ndarray
) -> Shown:
    """A desk that reads a table of yours and says how far its probabilities can be trusted.

    `examples` are a name, the name of a file and a data frame each; `score` and `hit` are drawn
    where no script runs.
    """
    shown = [
        {
            "name": name,
            "file": file,
            "text": frame.to_csv(index=False, float_format="%.4f"),
        }
        for name, file, frame in examples
    ]
    return shown, stills.diagrams(all=(score, hit))


@explorable
def bins_slider(score: np.ndarray, hit: np.ndarray, axis: str = "confidence") -> Shown:
    """The reliability diagram and the ECE at 1 to 100 bins; `axis` says what a score is."""
    chance = [
        calib.error_if_calibrated(score, bins=calib.equal_width(n_bins))
        for n_bins in range(1, 101)
    ]
    data = {
        "scores": listed(score, 6),
        "hits": listed(hit, 0),
        "chance": listed(chance, 6),
    }
    return data | {"axis": axis}, stills.diagrams(15, axis, all=(score, hit))


@explorable
def bet_quiz(
    statements: Sequence[tuple[str, bool]], crowd: Sequence[Any] = ()
) -> Shown:
    """A quiz that draws the reader's own reliability diagram."""
    items = [
        {"statement": statement, "true": bool(true)} for statement, true in statements
    ]
    numbered = " ".join(
        f"{number}. {item['statement']}" for number, item in enumerate(items, 1)
    )
    data = {"statements": items, "crowd": list(crowd)}
    still = stills.lines(
        "confidence", "how often right", others=crowd, calibrated=[(0.5, 0.5), (1, 1)]
    )
    return (
        data,
        still,
        f"a quiz. How sure are you that each of these is true? {numbered}",
    )


@explorable
def draw_curve() -> Shown:
    """Draw how often each score is right, choose the sample and the bins, and see the true error,
    what estimates of it say, and what chance alone would show.
    """
    curves = {"a curve": [(0, 0.15), (1, 0.85)], "calibrated": [(0, 0), (1, 1)]}
    return {}, stills.lines("score", "how often it is right", **curves)


def pictures(sprite: Any, rows: Any, split: Any) -> Any:
    """Return logits and labels of rows of `split`, whose photographs stand side by side."""
    images = [
        {"logits": listed(split.logits[row], 3), "label": int(split.y[row])}
        for row in rows
    ]
    return {"images": images, "sprite": data_uri(sprite)}


@explorable
def one_vector(
    sprite: Any, rows: Any, split: Any, classes: Any, temperatures: Any
) -> Shown:
    """The probabilities of one image at any temperature, their entropy, and the NLL of the whole
    set at that temperature.
    """
    nll = [
        calib.nll(split.y, calib.softmax(split.logits / temperature))
        for temperature in temperatures
    ]
    data = {"classes": classes, "curve": listed(np.transpose([temperatures, nll]))}
    data |= pictures(sprite, rows, split)
    return data, stills.chances(classes, data["images"][0]["logits"])


@dataclass(frozen=True)
class SetScores:
    """The scores of labels at one temperature: the lower, the earlier a label joins the set."""

    true: np.ndarray  # of the true label of each calibration image
    tested: np.ndarray  # of each label of each test image

    def sizes(self, rows: Any, place: int) -> np.ndarray:
        """Return the sizes of the test images' sets, by some of the calibration images.

        `place` is that of the threshold among the sorted scores of their true labels.
        """
        threshold = np.partition(self.true[rows], place)[place]
        sizes: np.ndarray = (self.tested <= threshold).sum(axis=1)
        return sizes


def label_scores(p: np.ndarray, score: str, lot: np.ndarray) -> np.ndarray:
    """Return the score of each label; `lot` is where in a label's mass an adaptive one starts."""
    scores: np.ndarray = calib.ConformalSets(score).scores(p)
    return scores - lot * p if score == "aps" else scores


def size_change(
    network: Any,
    score: str,
    coverage: float,
    *,
    temperatures: tuple[float, float],
    rng: np.random.Generator,
    n_resamples: int = 100,
) -> list[float]:
    """Return how the mean size of sets changes between two temperatures, with a 95 % interval.

    Calibration images are drawn again, the same at both temperatures; the sizes on the test images
    vary from image to image.
    """
    y = network.calibration.y
    n, splits = len(y), (network.calibration, network.test)
    lots = [rng.random((len(split.y), 1)) for split in splits]
    scores = []
    for temperature in temperatures:
        of_labels, tested = (
            label_scores(calib.softmax(split.logits / temperature), score, lot)
            for split, lot in zip(splits, lots, strict=True)
        )
        scores.append(SetScores(of_labels[np.arange(n), y], tested))
    # the conformal quantile: of n sorted scores the ceil((n + 1) coverage)-th
    place = min(math.ceil((n + 1) * coverage), n) - 1
    changes = []
    for _ in range(n_resamples):
        rows = rng.integers(n, size=n)
        before, after = (np.mean(at.sizes(rows, place)) for at in scores)
        # its sign does not matter: the variance alone is used
        changes.append(before - after)
    first, second = (at.sizes(slice(None), place) for at in scores)
    value = float(np.mean(second - first))
    # calibration images and test images are drawn apart: their variances add
    error = ROUNDED_95 * np.sqrt(np.var(changes) + np.var(second - first) / len(first))
    return listed([value, value - error, value + error])


def set_measures(
    network: Any,
    score: str,
    temperature: float,
    coverage: float,
    rng: np.random.Generator,
) -> list[float]:
    """Return the threshold of label sets, their mean size and how often they hold the label."""
    calibration, test = network.calibration, network.test
    prob = [calib.softmax(split.logits / temperature) for split in (calibration, test)]
    fitted = calib.ConformalSets(score, coverage, randomize=score == "aps")
    sets = fitted.fit(prob[0], calibration.y, rng=rng).predict(prob[1], rng=rng)
    size = sets.sum(axis=1).mean()
    return listed([fitted.threshold_, size, calib.set_coverage(test.y, sets)])


@explorable
def label_sets(
    sprite: Any,
    rows: Any,
    network: Any,
    classes: Sequence[str],
    temperatures: Any,
    coverages: Any,
    *,
    rng: np.random.Generator,
) -> Shown:
    """A photograph, and the set of labels that holds the true one as often as promised."""
    scores = ("lac", "aps")
    grid: dict[str, list[Any]] = {score: [] for score in scores}
    for score, temperature in product(scores, temperatures):
        row = [
            set_measures(network, score, temperature, coverage, rng)
            for coverage in coverages
        ]
        grid[score].append(row)
    change: dict[str, list[Any]] = {score: [] for score in scores}
    for score, coverage in product(scores, coverages):
        of_pair = size_change(network, score, coverage, temperatures=(1, 2), rng=rng)
        change[score].append(of_pair)
    data = {
        "classes": classes,
        "temperatures": listed(temperatures),
        "coverages": coverages,
    }
    data |= {"grid": grid, "change": change} | pictures(sprite, rows, network.test)
    for image in data["images"]:
        image["u"] = float(rng.random())
    return data, stills.chances(classes, data["images"][0]["logits"])


@explorable
def decision_costs(event: np.ndarray, scores: Any) -> Shown:
    """Costs and the frequency of an event give a threshold, and the threshold a cost, for the
    probabilities of a network before and after calibration.
    """
    data = {
        "event": listed(event, 0),
        "scores": {name: listed(score) for name, score in scores.items()},
    }
    return data, stills.diagrams(
        **{name: (score, event) for name, score in scores.items()}
    )


def mean_cost(
    event: np.ndarray, p: np.ndarray, threshold: float, *, miss: int, alarm: int
) -> float:
    """Return the mean cost of alarms from a threshold on, and of the events below it."""
    costs = np.where(p >= threshold, alarm * (1 - event), miss * event)
    return float(np.mean(costs))


@explorable
def people_threshold(
    event: np.ndarray,
    scores: Mapping[str, np.ndarray],
    names: tuple[str, str],
    *,
    miss: int,
    alarm: int,
    axis: str,
    task: str = "dearer",
    n_shown: int = 200,
) -> Shown:
    """Cases in the order of their scores, a threshold, and what its mistakes cost.

    The first `n_shown` are drawn, all are in the interval. `axis` says what a score is the chance
    of; `task` is what is asked, "where" the threshold belongs or with which scores it is "dearer".
    """
    data = {
        "event": listed(event[:n_shown], 0),
        "names": names,
        "miss": miss,
        "alarm": alarm,
    }
    drawn = {name: listed(score[:n_shown]) for name, score in scores.items()}
    data |= {"scores": drawn}
    chances = {
        name: packed(np.round(65535 * np.asarray(score)), "<u2")
        for name, score in scores.items()
    }
    data |= {
        "axis": axis,
        "task": task,
        "all": {"event": packed(event, "u1"), "scores": chances},
    }
    places = np.linspace(0, 1, 101)
    curves = {}
    for name, score in scores.items():
        costs = [
            n_shown * mean_cost(event, score, threshold, miss=miss, alarm=alarm)
            for threshold in places
        ]
        curves[name] = list(zip(places, costs, strict=True))
    return data, stills.lines(f"threshold, {axis}", f"cost of {n_shown}, €", **curves)


@explorable
def line_up(
    sources: Mapping[str, Any],
    worlds: Any,
    *,
    rounds: Sequence[int],
    game: int = 1,
    asks: bool = False,
) -> Shown:
    """Eight reliability diagrams; one is of a real network, seven are of a calibrated one.

    `rounds` are the sizes of the samples, and `game` seeds the first game. With `asks` it is asked
    from which size on the real one stands out.
    """
    # a score in 32767 steps and, as the lowest bit, its hit
    pairs = {
        name: packed(2 * np.round(32767 * np.asarray(score)) + hit, "<u2")
        for name, (score, hit) in sources.items()
    }
    worlds = {name: {"a": a, "curve": curve} for name, (a, curve) in worlds.items()}
    score, hit = (
        np.asarray(source)[: rounds[0]] for source in next(iter(sources.values()))
    )
    hits = [
        hit,
        *(np.random.default_rng(0).random((7, len(score))) < score).astype(int),
    ]
    still = stills.diagrams(
        10, **{str(number): (score, hit) for number, hit in enumerate(hits, 1)}
    )
    data = {
        "sources": pairs,
        "worlds": worlds,
        "rounds": list(rounds),
        "game": game,
        "asks": asks,
    }
    return data, still


@explorable
def dots_to_bars(
    score: np.ndarray,
    hit: np.ndarray,
    *,
    axis: str = "confidence",
    names: tuple[str, str] = ("right", "wrong"),
    task: str = "surest",
) -> Shown:
    """Predictions as dots on the axis of their scores, which become the bars of a diagram.

    `names` are what a hit is, and what is none; `task` is what is asked, "surest" of the largest
    scores or "edgesAlone" of what the edges of the groups can do to the error.
    """
    data = {
        "scores": listed(score, 4),
        "hits": listed(hit, 0),
        "axis": axis,
        "task": task,
    }
    chance = calib.error_if_calibrated(score, bins=calib.equal_width(5))
    data |= {"hit": names[0], "miss": names[1], "chance": round(float(chance), 5)}
    return data, stills.diagrams(5, axis, all=(score, hit))


@explorable
def world_builder(classes: Sequence[str], worlds: Mapping[str, Any]) -> Shown:
    """Forecasts and truths of three classes, and which views of calibration they fool."""
    numbers = {
        name: [listed(curve, 2) for curve in world] for name, world in worlds.items()
    }
    return {"classes": classes, "worlds": numbers}, stills.triangle(
        classes, *next(iter(worlds.values()))
    )


@explorable
def deal_cards(kinds: Any) -> Shown:
    """Models by accuracy and mean confidence; shuffled, the confidences fit no model."""
    keys = ["accuracy", "mean_confidence", "ece"]
    data = {
        name: {"names": list(rows["model"])} | {key: listed(rows[key]) for key in keys}
        for name, rows in kinds.items()
    }
    first = next(iter(kinds.values()))[["accuracy", "mean_confidence"]]
    return {"kinds": data}, stills.lines(
        "accuracy", "mean confidence", models_=first, calibrated=[(0, 0), (1, 1)]
    )


def mean_interval(values: np.ndarray) -> list[float]:
    """Return the mean of values and its 95 % interval, as large samples have it."""
    mean, error = (
        np.mean(values),
        ROUNDED_95 * np.std(values, ddof=1) / np.sqrt(len(values)),
    )
    return listed([mean, mean - error, mean + error])


@explorable
def map_simplex(
    classes: Any, maps: Mapping[str, Any], points: Any, losses: Mapping[str, np.ndarray]
) -> Shown:
    """Arrows from vectors of three probabilities to where temperature, vector, matrix scaling and
    Dirichlet calibration send them.

    `maps` are by name a temperature ``T``, or ``W`` and ``b`` for log-probabilities; `points` are
    labels and probabilities of images, and `losses` are those of each map on other images, one by
    one.
    """
    fitted = {name: as_lists(parameters) for name, parameters in maps.items()}
    labels, vectors = points
    # six significant digits, since none may become zero: the maps take logarithms
    prob = [[float(f"{value:.6g}") for value in vector] for vector in vectors]
    placed = [
        {"y": int(label), "p": row} for label, row in zip(labels, prob, strict=True)
    ]
    data = {"classes": classes, "maps": fitted, "points": placed}
    data["nll"] = {name: float(np.mean(loss)) for name, loss in losses.items()}
    differences: dict[str, dict[str, Any]] = {name: {} for name in losses}
    for first, second in product(losses, repeat=2):
        difference = losses[first] - losses[second]
        differences[first][second] = mean_interval(difference)
    data["differences"] = differences
    last = fitted[list(fitted)[-1]]
    moved = calib.softmax(np.log(prob) @ np.transpose(last["W"]) + last["b"])
    return data, stills.triangle(classes, np.array(prob), moved)


def as_lists(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a map as numbers and lists."""
    return {key: np.asarray(value).tolist() for key, value in parameters.items()}


@explorable
def spline_knots(calibration: Any, test: Any) -> Shown:
    """A spline through cumulative hits at 3 to 20 knots, its slope, and the KS error it leaves."""
    score, hit = (np.asarray(column, float) for column in calibration)
    known, place = np.unique(np.round(score, 7), return_inverse=True)
    data = {
        "score": known.tolist(),
        "total": np.bincount(place).tolist(),
        "hits": np.bincount(place, hit).astype(int).tolist(),
        "test": {"scores": listed(test[0], 7), "hits": listed(test[1], 0)},
    }
    gap = np.append(0, np.cumsum((hit - score)[np.argsort(score)])) / len(score)
    curve = np.column_stack([np.linspace(0, 1, len(gap)), gap])
    return data, stills.lines(
        "share of samples, by score", "cumulated", hits_minus_scores=curve
    )


@explorable
def interval_coverage(worlds: Any) -> Shown:
    """Data sets drawn from a world whose error is known, and the share of their bootstrap intervals
    that hold it.

    By name, a world is a and the points of a curve: scores have the density a s^(a - 1), and hits
    occur with a probability that is linear between equally spaced points.
    """
    data = {
        "worlds": {
            name: {"a": a, "curve": curve} for name, (a, curve) in worlds.items()
        }
    }
    _, curve = next(iter(worlds.values()))
    points = np.column_stack([np.linspace(0, 1, len(curve)), curve])
    return data, stills.lines("score", "how often it is right", world=points)


@explorable
def sure_photographs(
    sprite: Any, says: Any, is_: Any, score: Any, conclusion: str
) -> Shown:
    """Photographs with what a network says; the reader picks the wrong ones."""
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


SHOWN_BINS = 20


@explorable
def language_explorer(answers: Any, first: Any) -> Shown:
    """The reliability diagram, the risk at every coverage and the calibration error of any of these
    models, by kind of confidence and subject.
    """
    subjects = sorted(set(answers.group.tolist()))
    packed_bins, ranks = [], []
    for model, kind in product(answers.models, answers.confidence):
        for subject in subjects:
            pairs = answers.pairs(model, kind, group=subject)
            packed_bins.append(_packed_bins(*pairs))
            ranks.append(_ranked(*pairs))
        # bins of all subjects are sums of theirs, ranks are not
        ranks.append(_ranked(*answers.pairs(model, kind, group=None)))
    data = {
        "models": answers.models,
        "kinds": list(answers.confidence),
        "subjects": subjects,
        "asked": [int((answers.group == subject).sum()) for subject in subjects],
        "first": first,
        "bins": base64.b64encode(b"".join(packed_bins)).decode(),
        "ranks": packed(ranks, "<u2"),
    }
    kind = "verbal" if "verbal" in answers.confidence else data["kinds"][0]
    return data, stills.diagrams(20, all=answers.pairs(first, kind))


def _packed_bins(score: np.ndarray, hit: np.ndarray) -> bytes:
    """Return the occupied bins as bytes: which they are, then count, hits, place of the mean."""
    if len(score) == 0:
        return bytes(-(-SHOWN_BINS // 8))
    bins = calib.equal_width(SHOWN_BINS)(score, hit)
    filled = bins.count > 0
    place = (bins.mean_score - bins.edges[:-1]) * SHOWN_BINS
    rows = np.rec.fromarrays(
        [
            bins.count[filled],
            bins.hit_sum[filled],
            np.round(255 * place[filled].clip(0, 1)),
        ],
        dtype=[("count", "<u2"), ("hits", "<u2"), ("place", "u1")],
    )
    return np.packbits(filled, bitorder="little").tobytes() + rows.tobytes()


COVERAGES = np.arange(1, 10, 2) / 10
UNKNOWN = 65535


def _ranked(score: np.ndarray, hit: np.ndarray) -> Any:
    """Return AUROC and the risk at each coverage, in 65534ths: bins forget the order within."""
    if len(score) == 0:
        return [UNKNOWN] * (1 + len(COVERAGES))
    curve, n_hits, n = calib.risk_coverage(hit, score), int(hit.sum()), len(hit)
    area = UNKNOWN / (UNKNOWN - 1)
    if 0 < n_hits < n:
        ranks = rankdata(score)[hit > 0]
        area = (ranks.sum() - n_hits * (n_hits + 1) / 2) / (n_hits * (n - n_hits))
    risks = [curve.risk_at(coverage) for coverage in COVERAGES]
    return np.round((UNKNOWN - 1) * np.array([area, *risks])).astype(int).tolist()


LIBRARIES = ("scikit-learn", "probmetrics", "netcal", "dirichletcal")
BOARD_COLUMNS = (
    *("gain", "low", "high", "rank", "best", "regret", "failed"),
    *("ece", "ece_chance", "accuracy_change", "fit_seconds", "datasets"),
)
MEAN_DIGITS = {"gain": 2, "ece": 5, "ece_chance": 5, "failed": 2}


@explorable
def arena_board(
    rows: pd.DataFrame,
    cases: pd.DataFrame,
    domains: Mapping[str, Any],
    peers: pd.DataFrame,
) -> Shown:
    """A table that sorts and filters, how each recalibration map ranks on the networks.

    `rows` is ``arena_ranking.csv``, `cases` and `peers` are what `evidence.arena.load_cases`
    and `load_peer_cases` return, `domains` names of data sets by domain.
    """
    maps, sizes, networks = (
        list(dict.fromkeys(rows[column])) for column in ("map", "size", "networks")
    )
    groups = list(dict.fromkeys(cases["group"]))
    settings = board_settings(cases, groups, domains)
    orders = {"setting": list(settings["setting"]), "size": sizes, "map": maps}
    data = {
        "maps": maps,
        "sizes": sizes,
        "networks": networks,
        "others": [maps.index(name) for name in maps if name.startswith(LIBRARIES)],
        "columns": BOARD_COLUMNS,
        "groups": [f"{group} classes" for group in groups],
        "domains": list(domains),
        "settings": settings.to_numpy(object).tolist(),
        "rows": board_rows(rows, maps),
        "cases": board_means(cases, peers, orders),
    }
    best = rows[(rows["networks"] == networks[0]) & (rows["size"] == sizes[0])]
    return data, stills.ranks(best["map"], best["gain"], "gain")


def board_settings(
    cases: pd.DataFrame, groups: list[str], domains: Mapping[str, Any]
) -> pd.DataFrame:
    """Return a row for each setting, its group and its domain by their places."""
    columns = ["setting", "dataset", "group", "classes"]
    settings = cases[columns].drop_duplicates("setting")
    settings["group"] = settings["group"].map(groups.index)
    domain: dict[str, int] = {}
    for place, datasets in enumerate(domains.values()):
        domain |= dict.fromkeys(datasets, place)
    settings.insert(3, "domain", settings["dataset"].map(domain))
    return settings


def board_means(
    cases: pd.DataFrame, peers: pd.DataFrame, orders: Mapping[str, list[Any]]
) -> list[Any]:
    """Return the means of settings by size and map, ours and then those of other libraries.

    `orders` has what settings, sizes and maps there are: a row has their places.
    """
    both = pd.concat([cases.assign(peers=0), peers.assign(peers=1)])
    keys = ["peers", "setting", "size", "map"]
    means = both.groupby(keys)[[*MEAN_DIGITS]].mean().reset_index()
    for key, order in orders.items():
        means[key] = means[key].map(order.index)
    for key, digits in MEAN_DIGITS.items():
        means[key] = [round(value, digits) for value in means[key]]
    table: list[Any] = means[[*orders, *MEAN_DIGITS, "peers"]].to_numpy(object).tolist()
    return table


def board_rows(rows: pd.DataFrame, maps: list[str]) -> dict[str, list[Any]]:
    """Return the ranking by networks and size, None for NaN, each map by its place."""
    board = rows.astype(dict.fromkeys(BOARD_COLUMNS, float)).astype(object)
    board = board.assign(map=rows["map"].map(maps.index)).where(board.notna(), None)
    return {
        f"{networks}|{size}": table[[*BOARD_COLUMNS, "map"]].to_numpy().tolist()
        for (networks, size), table in board.groupby(["networks", "size"])
    }
