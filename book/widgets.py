"""Interactive figures: the HTML that the scripts of `assets/widgets` bring to life.

Each function returns an `IPython.display.HTML` with a custom element and its data as JSON. Where
scripts do not run (a downloaded notebook, a printed page) the text inside it says what it shows.
"""

import base64
import html
import json
import math
from itertools import product

import numpy as np

import calib


def widget(tag, name, fallback, data):
    """Return a custom element ``tag`` that holds ``data`` as JSON."""
    from IPython.display import HTML

    text = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("</", "<\\/")
    return HTML(
        f'<{tag} id="{tag}" role="group" aria-label="{html.escape(name)}">'
        f'<p class="w-fallback">{html.escape(fallback)}</p>'
        f'<script type="application/json">{text}</script></{tag}>'
    )


def temperature_slider(logits, y, temperature):
    """A slider of the temperature, beside the reliability diagram, the NLL and the ECE it gives.

    Parameters
    ----------
    logits : array_like, shape (n, K)
    y : array_like of int, shape (n,)
    temperature : float
        The optimum of the calibration set, for the button that sets it.
    """
    logits = np.asarray(logits, dtype=float)
    data = {
        "logits": np.round(logits - logits.max(axis=1, keepdims=True), 3).tolist(),
        "labels": np.asarray(y).tolist(),
        "temperature": round(float(temperature), 2),
    }
    fallback = "An interactive figure: reliability diagram, NLL and ECE at any temperature."
    return widget("temperature-slider", "Temperature slider", fallback, data)


def bins_slider(score, hit):
    """A slider of the number of bins, beside the reliability diagram and the ECE it gives.

    Parameters
    ----------
    score : array_like, shape (n,)
    hit : array_like, shape (n,)
    """
    data = {
        "scores": np.round(np.asarray(score, dtype=float), 5).tolist(),
        "hits": np.asarray(hit).astype(int).tolist(),
        "chance": [
            round(calib.error_if_calibrated(score, bins=calib.equal_width(m)), 6)
            for m in range(1, 101)
        ],
    }
    fallback = "An interactive figure: the reliability diagram and the ECE at 1 to 100 bins."
    return widget("bins-slider", "Bins slider", fallback, data)


def steps_slider(name, label, steps, *, x, y, columns, start=0, reference=None):
    """A slider over results that were computed beforehand, one curve a position.

    Parameters
    ----------
    name, label : str
        What the figure is, and what the slider sets.
    steps : list of dict
        For each position ``name``, ``says`` (one sentence), ``line`` (pairs x, y), ``cells`` (a
        row of the table), ``values`` (numbers by name), and if wanted ``dot`` (a pair).
    x, y : tuple
        Label and range of an axis, as ``("score", 0, 1)``.
    columns : list of str
        Headings of the table, the step's name first.
    start : int
        First position.
    reference : list of pairs, optional
        A dashed line behind every curve.
    """
    data = {
        "label": label,
        "steps": steps,
        "x": {"label": x[0], "range": x[1:]},
        "y": {"label": y[0], "range": y[1:]},
        "columns": columns,
        "start": start,
        "reference": reference,
    }
    fallback = f"An interactive figure: {name}."
    return widget("steps-slider", name, fallback, data)


def bet_quiz(statements, crowd=()):
    """A quiz that draws the reader's own reliability diagram.

    Parameters
    ----------
    statements : list of (str, bool)
        Statements and whether they are true.
    crowd : list of (float, float)
        Confidence and frequency of others, drawn beside the reader's.
    """
    data = {
        "statements": [
            {"statement": statement, "true": bool(true)} for statement, true in statements
        ],
        "crowd": list(crowd),
    }
    fallback = "An interactive quiz: how sure are you that each of these statements is true? " + (
        " ".join(f"{i}. {statement}" for i, (statement, _) in enumerate(statements, 1))
    )
    return widget("bet-quiz", "Calibration quiz", fallback, data)


def draw_curve():
    """A calibration curve to draw, and what samples of any size make of its error."""
    fallback = (
        "An interactive figure: draw how often each score is right, choose the sample and the "
        "bins, and see the true error, what estimates of it say, and what chance alone would show."
    )
    return widget("draw-curve", "Draw a calibration curve", fallback, {})


def one_vector(sprite, rows, split, classes, temperatures):
    """Images, each with its logits, one temperature for all, and the NLL of the whole set.

    Parameters
    ----------
    sprite : bytes
        PNG of the images, side by side.
    rows : array_like of int
        Their rows in `split`.
    split : ModelOutputs
        Logits and labels of the whole set.
    classes : list of str
    temperatures : array_like of float
        Positions of the slider.
    """
    images = [
        {"logits": np.round(split.logits[row], 3).tolist(), "label": int(split.y[row])}
        for row in rows
    ]
    curve = [
        [round(float(t), 4), round(calib.nll(split.y, calib.softmax(split.logits / t)), 5)]
        for t in temperatures
    ]
    data = {"images": images, "classes": classes, "curve": curve, "sprite": data_uri(sprite)}
    fallback = (
        "An interactive figure: the probabilities of one image at any temperature, their entropy, "
        "and the NLL of the whole set at that temperature."
    )
    return widget("one-vector", "One vector of logits, one temperature", fallback, data)


def decision_costs(event, scores):
    """Costs and a prior give a threshold; what applying it costs, for each of two scores.

    Parameters
    ----------
    event : array_like, shape (n,)
    scores : dict of str to array_like, shape (n,)
        Two probabilities of the event, by name.
    """
    data = {
        "event": np.asarray(event).astype(int).tolist(),
        "scores": {name: np.round(p, 5).tolist() for name, p in scores.items()},
    }
    fallback = (
        "An interactive figure: costs and the frequency of an event give a threshold, and the "
        "threshold a cost, for the probabilities of a network before and after calibration."
    )
    return widget("decision-costs", "What a decision costs", fallback, data)


def map_simplex(classes, maps, points, nll):
    """Where two maps of all logits send the points of the triangle of three classes.

    Parameters
    ----------
    classes : list of str
        Their three names.
    maps : dict of str to dict
        By name, either ``T``, a temperature, or ``W`` and ``b``: the map of log-probabilities.
    points : (array_like of int, array_like of shape (n, 3))
        Labels and probabilities of real images.
    nll : dict of str to float
        The NLL of each map on other images than it was fitted on.
    """
    y, p = points
    data = {
        "classes": classes,
        "maps": {
            name: {key: np.asarray(value).tolist() for key, value in found.items()}
            for name, found in maps.items()
        },
        "points": [
            {"y": int(label), "p": np.round(row, 5).tolist()}
            for label, row in zip(y, p, strict=True)
        ],
        "nll": nll,
    }
    fallback = (
        "An interactive figure: arrows from vectors of three probabilities to where temperature, "
        "vector, matrix scaling and Dirichlet calibration send them."
    )
    return widget("map-simplex", "Maps of the triangle", fallback, data)


def spline_knots(calibration, test):
    """A spline through the cumulative curve, with any number of knots, and its slope.

    Parameters
    ----------
    calibration, test : (array_like of float, array_like)
        Scores and hits, to fit on and to measure on.
    """
    score, hit = (np.asarray(a, float) for a in calibration)
    known, place = np.unique(np.round(score, 7), return_inverse=True)
    data = {
        "score": known.tolist(),
        "total": np.bincount(place).tolist(),
        "hits": np.bincount(place, hit).astype(int).tolist(),
        "test": {
            "scores": np.round(np.asarray(test[0], float), 7).tolist(),
            "hits": np.asarray(test[1]).astype(int).tolist(),
        },
    }
    fallback = (
        "An interactive figure: a spline through cumulative hits at 3 to 20 knots, its slope, "
        "and the KS error that it leaves."
    )
    return widget("spline-knots", "Knots of a spline", fallback, data)


def interval_coverage(worlds):
    """New data sets at a click, each with an interval of its ECE, and how many hold the truth.

    Parameters
    ----------
    worlds : dict of str to (float, list of float)
        By name, a and the points of the curve: scores have the density a s^(a - 1), and hits occur
        with a probability that is linear between equally spaced points.
    """
    data = {"worlds": {name: {"a": a, "curve": curve} for name, (a, curve) in worlds.items()}}
    fallback = (
        "An interactive figure: data sets drawn from a world whose error is known, and the share "
        "of their bootstrap intervals that hold it."
    )
    return widget("interval-coverage", "Coverage of intervals", fallback, data)


def sure_photographs(sprite, says, is_, score, conclusion):
    """Photographs with what a network says; the wrong ones are marked on a click.

    Parameters
    ----------
    sprite : bytes
        PNG of the photographs, side by side.
    says, is_ : list of str
        The predicted and the true class of each.
    score : array_like of float
        Its confidence.
    conclusion : str
        What is said once they are marked.
    """
    photographs = [
        {"says": said, "is": true, "sure": f"{math.floor(1000 * s) / 10:.1f}\N{NO-BREAK SPACE}%"}
        for said, true, s in zip(says, is_, score, strict=True)
    ]
    data = {"photographs": photographs, "sprite": data_uri(sprite), "says": conclusion}
    fallback = "An interactive figure: photographs, and what a network is sure they show."
    return widget("sure-photographs", "What the network is sure about", fallback, data)


def data_uri(png):
    """Return the bytes of a PNG as an address."""
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


FINE_BINS = 40


def language_explorer(answers, first):
    """Choose a model, a kind of confidence and a subject; see diagram, risk-coverage and numbers.

    Parameters
    ----------
    answers : book.evidence.sources.answers.Answers
    first : str
        The model that is shown at first, by its verbal confidence.
    """
    subjects = sorted(set(answers.group.tolist()))
    chosen = list(product(answers.models, answers.confidence))
    packed = b"".join(
        _packed_bins(*answers.pairs(model, kind, group=subject))
        for model, kind in chosen
        for subject in subjects
    )
    ranks = [
        _ranked(*answers.pairs(model, kind, group=subject))
        for model, kind in chosen
        for subject in [*subjects, None]
    ]
    data = {
        "models": answers.models,
        "kinds": list(answers.confidence),
        "subjects": subjects,
        "asked": [int((answers.group == subject).sum()) for subject in subjects],
        "first": first,
        "bins": base64.b64encode(packed).decode(),
        "ranks": base64.b64encode(np.array(ranks, "<u2").tobytes()).decode(),
    }
    fallback = (
        "An interactive figure: the reliability diagram, the risk at every coverage and the "
        "calibration error of any of these models, by kind of confidence and subject."
    )
    return widget("language-explorer", "Answers of language models", fallback, data)


def _packed_bins(score, hit):
    """Return the occupied bins as bytes: which they are, then count, hits and mean score of each.

    Two bytes hold a count, low byte first, and one the place of the mean between the bin's edges.
    """
    if len(score) == 0:
        return bytes(FINE_BINS // 8)
    bins = calib.equal_width(FINE_BINS)(score, hit)
    held = bins.count > 0
    rows = np.zeros(held.sum(), [("count", "<u2"), ("hits", "<u2"), ("place", "u1")])
    rows["count"], rows["hits"] = bins.count[held], bins.hit_sum[held]
    place = (bins.mean_score[held] - bins.edges[:-1][held]) * FINE_BINS
    rows["place"] = np.round(255 * place.clip(0, 1))
    return np.packbits(held, bitorder="little").tobytes() + rows.tobytes()


COVERAGES = np.arange(1, 11) / 10
UNKNOWN = 65535


def _ranked(score, hit):
    """Return AUROC and the risk at each of the coverages, in 65534ths.

    Bins would not do: they forget the order within. No AUROC is known where all answers are right.
    """
    if len(score) == 0:
        return [UNKNOWN] * (1 + len(COVERAGES))
    curve, right, n = calib.risk_coverage(hit, score), int(hit.sum()), len(hit)
    kept, errors = np.append(0, curve.coverage), np.append(0, curve.coverage * curve.risk)
    risks = np.interp(COVERAGES, kept, errors) / COVERAGES
    area = UNKNOWN / (UNKNOWN - 1)
    if 0 < right < n:
        area = np.trapezoid(kept - errors, errors) * n * n / (right * (n - right))
    return np.round((UNKNOWN - 1) * np.append(area, risks)).astype(int).tolist()


LIBRARIES = ("scikit-learn", "probmetrics", "netcal", "dirichletcal")
BOARD_COLUMNS = ("gain", "low", "high", "rank", "best", "regret", "failed")
BOARD_COLUMNS += ("ece", "ece_chance", "accuracy_change", "fit_seconds", "datasets")


def arena_board(rows, cases, domains, peers):
    """The arena's leaderboard: choose networks and size, sort, open a map to its cases.

    Parameters
    ----------
    rows : DataFrame
        ``arena_ranking.csv``: a row a selection of networks, size and map.
    cases : DataFrame
        What `book.evidence.arena.load_cases` returns.
    domains : dict of tuple
        Names of data sets by domain.
    peers : DataFrame
        What `book.evidence.arena.load_peer_cases` returns: the cases of the last selection.
    """
    maps, sizes = list(dict.fromkeys(rows["map"])), list(dict.fromkeys(rows["size"]))
    networks = list(dict.fromkeys(rows["networks"]))
    groups, names = list(dict.fromkeys(cases["group"])), list(domains)
    domain = {dataset: names.index(name) for name, sets in domains.items() for dataset in sets}
    keys = ["setting", "dataset", "group", "classes"]
    settings = cases[keys].drop_duplicates("setting").reset_index(drop=True)
    place = {setting: i for i, setting in enumerate(settings["setting"])}
    columns = ["gain", "ece", "ece_chance", "failed"]
    keys = ["setting", "size", "map"]
    of_each = [part.groupby(keys)[columns].mean().reset_index() for part in (cases, peers)]
    views = {
        f"{chosen}|{size}": [
            [None if np.isnan(v) else v for v in row[list(BOARD_COLUMNS)].astype(float)]
            + [maps.index(row["map"])]
            for _, row in part.iterrows()
        ]
        for (chosen, size), part in rows.groupby(["networks", "size"])
    }
    data = {
        "maps": maps,
        "sizes": sizes,
        "networks": networks,
        "others": [maps.index(name) for name in maps if name.startswith(LIBRARIES)],
        "columns": BOARD_COLUMNS,
        "groups": [f"{group} classes" for group in groups],
        "domains": names,
        "settings": [
            [row.setting, row.dataset, groups.index(row.group), domain[row.dataset], row.classes]
            for row in settings.itertuples()
        ],
        "rows": views,
        "cases": [
            [
                *(place[row.setting], sizes.index(row.size), maps.index(row.map)),
                *(round(row.gain, 2), round(row.ece, 5), round(row.ece_chance, 5)),
                *(round(row.failed, 2), with_peers),
            ]
            for with_peers, mean in enumerate(of_each)
            for row in mean.itertuples()
        ],
    }
    fallback = "A table that sorts and filters: how each recalibration map ranks on the networks."
    return widget("arena-board", "Leaderboard", fallback, data)
