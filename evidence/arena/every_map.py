"""Compute data/results/arena*.csv: every map on every prediction set, ranked and decided.

`python -m evidence.studies arena.every_map` from the root computes the sets that arena.csv lacks,
and ranks all. The protocol is a chapter of the book.
"""

import warnings
from itertools import product

import numpy as np
import pandas as pd

import calib
from evidence.arena import DOMAINS, load_cases, load_peer_cases, ranking
from evidence.arena.cases import CLASSES, SIZE_NAMES
from evidence.arena.prediction_sets import load_set, set_names
from evidence.arena.study import METRICS, as_rows
from evidence.studies.pieces import added, digits
from evidence.study import SECONDS, run_study


class ScikitLearn:
    """A map of scikit-learn, fitted on the logits of a classifier."""

    def __init__(self, method):
        self.method = method

    def fit(self, logits, y):
        from sklearn.calibration import CalibratedClassifierCV
        from sklearn.frozen import FrozenEstimator

        model = FrozenEstimator(given_logits(logits.shape[1]))
        calibrated = CalibratedClassifierCV(model, method=self.method, ensemble=False)
        self.map_ = calibrated.fit(decisions(logits), y)
        return self

    def predict_proba(self, logits):
        return self.map_.predict_proba(decisions(logits))


def decisions(logits):
    return logits[:, 1:] - logits[:, :1] if logits.shape[1] == 2 else logits


def given_logits(n_classes):
    """Return a classifier of scikit-learn whose features are its decisions."""
    from sklearn.base import BaseEstimator, ClassifierMixin

    class Given(ClassifierMixin, BaseEstimator):
        classes_ = np.arange(n_classes)

        def fit(self, x, y):
            return self

        def __sklearn_is_fitted__(self):
            return True

        def decision_function(self, x):
            return x[:, 0] if n_classes == 2 else x

        def predict(self, x):
            return x[:, 0] > 0 if n_classes == 2 else x.argmax(axis=1)

    return Given()


MAPS = {
    "none": None,
    "temperature": calib.TemperatureScaling(),
    "ensemble temperature": calib.EnsembleTemperatureScaling(),
    "vector, no bias": calib.VectorScaling(bias=False),
    "vector": calib.VectorScaling(),
    "structured matrix": calib.StructuredMatrixScaling(),
    "matrix, ODIR": calib.MatrixScaling(lam=10, mu=0.01),
    "Dirichlet, ODIR": calib.DirichletCalibration(lam=10, mu=0.01),
    "matrix": calib.MatrixScaling(),
    "Dirichlet": calib.DirichletCalibration(),
    "Platt": calib.OneVsRest(calib.PlattScaling()),
    "beta": calib.OneVsRest(calib.BetaCalibration()),
    "quadratic": calib.OneVsRest(calib.QuadraticScaling()),
    "scaling-binning": calib.OneVsRest(calib.ScalingBinning(calib.PlattScaling())),
    "histogram": calib.OneVsRest(calib.HistogramBinning()),
    "histogram, equal mass": calib.OneVsRest(calib.HistogramBinning(strategy="mass")),
    "spline": calib.OneVsRest(calib.SplineCalibration(floor=0)),
    "spline, rank by rank": calib.RankWise(calib.SplineCalibration(floor=0)),
    "isotonic": calib.OneVsRest(calib.IsotonicCalibration()),
    "isotonic, rank by rank": calib.RankWise(calib.IsotonicCalibration()),
    "Venn-Abers": calib.OneVsRest(calib.VennAbers()),
    "BBQ": calib.OneVsRest(calib.BBQ()),
    "scikit-learn temperature": ScikitLearn("temperature"),
    "scikit-learn sigmoid": ScikitLearn("sigmoid"),
    "scikit-learn isotonic": ScikitLearn("isotonic"),
}
MOST_CLASSES = 60  # beyond, maps of more than a processor second a fit on simulated logits are out
SLOW = {"matrix, ODIR", "Dirichlet, ODIR", "matrix", "Dirichlet", "BBQ", "scikit-learn sigmoid"}


def measure(name):
    """Return the rows of all maps, orders and sizes on one prediction set."""
    samples = load_set(name)
    slow = SLOW if samples.logits.shape[1] > MOST_CLASSES else ()
    maps = {map_name: factory for map_name, factory in MAPS.items() if map_name not in slow}
    return fitted(samples, samples.calibration_sets, maps)


def fitted(found, calibration_sets, maps):
    """Return one row a calibration set and map, numbers with six digits and seconds with two."""
    head = {"set": found.name, "dataset": found.dataset, "classes": found.logits.shape[1]}
    rows = []
    for order, n, *samples in calibration_sets:
        sets = {found.name: (*samples, found.test_logits, found.test_y)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = run_study(sets, maps, METRICS, n_jobs=1, seconds=True, progress=False)
        measured = as_rows(table).set_index("map").loc[list(maps)].reset_index()
        for row in measured.to_dict("records"):
            keys = {"n": n, "order": order, "map": row["map"]}
            values = {key: digits(row[key], ".6g") for key in METRICS}
            seconds = {key: digits(row[key], ".2g") for key in SECONDS}
            rows.append(head | keys | values | seconds | {"failure": row["failure"]})
    return rows


def selections(ranked):
    """Return the networks that the leaderboard can show: a mask of the cases by name."""
    domain = ranked["dataset"].map({d: name for name, sets in DOMAINS.items() for d in sets})
    return {
        "all": np.ones(len(ranked), bool),
        **{f"{name} classes": (ranked["group"] == name).to_numpy() for name in CLASSES},
        **{name: (domain == name).to_numpy() for name in DOMAINS},
    }


def rank(ranked):
    """Return one row a selection of networks, size and map."""
    for networks, of_networks in selections(ranked).items():
        yield from rank_sizes(networks, ranked[of_networks])


PEERS = "those of other libraries' maps"


def rank_sizes(networks, ranked):
    """Return one row a size and map; over all sizes only maps that were fitted at each."""
    for size in ("all", *SIZE_NAMES):
        common = ranked if size == "all" else ranked[ranked["size"] == size]
        sizes = common.groupby("map")["size"].transform("nunique")
        common = common[sizes == common["size"].nunique()]
        if len(common):
            ranks = ranking.ranking(common).reset_index()
            yield from ({"networks": networks, "size": size} | row for row in rounded(ranks))


def decision(ranked, order):
    """Decide one cell of the decision map; `order` has the maps, simplest first.

    `left` are the maps that are not told apart from the best, and `use` is the simplest of them.
    """
    gain = ranking.by_dataset(ranked, "gain")
    best = gain.mean().where(gain.notna().all()).idxmax()
    less = ranking.interval(gain.rsub(gain[best], axis=0))
    enough = len(gain) >= ranking.FEWEST_DATASETS
    worse = (less["low"] > 0) & enough
    there = gain.columns[gain.notna().all()]
    candidates = [name for name in order if name in there and not worse[name]]
    gained = ranking.interval(gain).loc[best].rename({"mean": "gain"}).to_dict()
    return {"best": best, "use": candidates[0], "left": candidates, "datasets": len(gain), **gained}


def decide(ranked):
    """Return one row a cell of the decision map, the maps that are left joined by semicolons."""
    order = [name for name in MAPS if name != "none"]
    answers = pd.DataFrame(
        {"classes": group, "size": size} | decision(rows, order)
        for group, size in product(CLASSES, SIZE_NAMES)
        if len(rows := ranked[(ranked["group"] == group) & (ranked["size"] == size)])
    )
    return rounded(answers.assign(left=["; ".join(names) for names in answers["left"]]))


def rounded(table):
    """Return rows with four significant digits."""
    return [
        {key: f"{v:.4g}" if isinstance(v, float) else v for key, v in row.items()}
        for row in table.astype(object).where(table.notna(), "").to_dict("records")
    ]


TABLES = {
    "arena": lambda: added("arena", measure, set_names(), "set"),
    "arena_ranking": lambda: [*rank(load_cases()), *rank_sizes(PEERS, load_peer_cases())],
    "arena_decisions": lambda: decide(load_cases()),
}
