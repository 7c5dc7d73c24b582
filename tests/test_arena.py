"""The arena: its sets, its rules of ranking, and its stored table."""

import re
import sys
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT
from scipy import stats

import calib
from book.evidence import arena, load_results
from book.evidence.arena import rules, sets

sys.path.insert(0, str(ROOT))
from data.results import arena as results

ORDER = ["temperature", "a", "b"]


def table(losses, datasets=4, seeds=2, size=500, halves=None):
    """Rows as of data/results/arena.csv; ``losses[map](dataset, seed)`` is the NLL, None fails."""
    rows = []
    for dataset in range(datasets):
        for seed in range(1, seeds + 1):
            for name, loss in losses.items():
                value = loss(dataset, seed)
                row = {"set": f"d{dataset}-s{seed}", "dataset": f"d{dataset}", "classes": 10}
                row |= {"n": size, "order": 0, "map": name}
                row |= dict.fromkeys(results.METRICS, np.nan if value is None else value)
                if halves is not None and value is not None:
                    row |= dict(zip(("nll_1", "nll_2"), value + halves(), strict=True))
                row |= {"fit_seconds": 0.1, "predict_seconds": 0.1}
                rows.append(row | {"failure": "ValueError: no" if value is None else np.nan})
    return pd.DataFrame(rows)


def flat(value):
    return lambda dataset, seed: value


BASE = {"none": flat(1.0), "temperature": flat(0.9)}


class TestSets:
    def test_sizes_are_nested_and_the_whole_pool_comes_once(self):
        z, y = np.arange(6000.0).reshape(3000, 2), np.zeros(3000, int)
        found = sets.PredictionSet("x", "SST-2", "text", z, y, z, y)
        drawn = [(order, n, set(logits[:, 0])) for order, n, logits, _ in found.calibration_sets]
        assert [(order, n) for order, n, _ in drawn] == [
            *((order, n) for order in (0, 1) for n in (100, 500, 2500)),
            (0, 3000),
        ]
        for (first, _, few), (second, _, more) in pairwise(drawn):
            assert first != second or few < more
        assert drawn[0][2] != drawn[3][2]

    def test_networks_with_seeds_have_one_order(self):
        z, y = np.zeros((200, 2)), np.zeros(200, int)
        found = sets.PredictionSet("x-s3", "SST-2", "text", z, y, z, y)
        assert found.setting == "x"
        assert [(order, n) for order, n, *_ in found.calibration_sets] == [(0, 100), (0, 200)]

    def test_pool_and_test_set_share_no_sample(self):
        z = np.arange(60_000.0).reshape(30_000, 2)
        found = sets._set("x", "SST-2", None, (z, np.zeros(30_000, int)))
        pool, test = set(found.logits[:, 0]), set(found.test_logits[:, 0])
        assert len(pool) == sets.MOST_IN_POOL and len(test) == sets.MOST_IN_TEST
        assert not pool & test

    def test_the_protocol_names_these_maps_in_this_order(self):
        page = (ROOT / "chapters/recalibrate/arena-protocol.md").read_text(encoding="utf-8")
        named = re.findall(r"^\| ([^|]+) \| `([^`]+)` \|$", page, re.MULTILINE)
        named = {name: code for name, code in named if "Classifier" not in code}
        of_calib = {k: m for k, m in results.MAPS.items() if isinstance(m, calib.Calibrator)}
        public = {name: getattr(calib, name) for name in calib.__all__}
        assert list(named) == list(of_calib)
        for name, code in named.items():
            assert repr(eval(code, public)) == repr(of_calib[name])


class TestRanking:
    def test_a_failure_has_the_losses_of_none_and_the_last_rank(self):
        found = arena.cases(table(BASE | {"a": flat(None), "b": flat(1.2)}))
        of_a = found[found["map"] == "a"]
        assert (of_a["nll"] == 1.0).all() and of_a["failed"].all()
        assert set(of_a["rank"]) == {4}
        assert of_a["gain"].tolist() == pytest.approx([-100] * 8)

    def test_failures_share_their_places(self):
        found = arena.cases(table(BASE | {"a": flat(None), "b": flat(None)}))
        assert set(found.loc[found["failed"], "rank"]) == {3.5}

    def test_data_sets_count_alike_and_seeds_do_not_count(self):
        rows = table(BASE | {"a": lambda dataset, seed: 0.9 - 0.1 * (dataset == 0)}, seeds=3)
        more = rows[(rows["dataset"] == "d1")].assign(set=lambda t: "other-" + t["set"])
        found = arena.cases(pd.concat([rows, more], ignore_index=True))
        gain = arena.ranking(found)["gain"]
        assert gain["a"] == pytest.approx(25)  # 100 on one of four data sets
        assert gain["none"] == pytest.approx(-100)

    def test_interval_is_that_of_student(self):
        x = np.random.default_rng(0).normal(size=9)
        low, high = stats.t.interval(0.95, 8, x.mean(), stats.sem(x))
        assert arena.interval(pd.Series(x)).tolist() == pytest.approx([x.mean(), low, high])

    def test_critical_difference_is_that_of_demsars_example(self):
        """Demšar (2006), section 3.2.2: four algorithms, fourteen data sets, 1.25 at 5 %."""
        rng = np.random.default_rng(0)
        losses = {name: lambda dataset, seed: rng.random() for name in ("a", "b")}
        found = arena.cases(table(BASE | losses, datasets=14, seeds=1))
        ranks, p_value, difference, n = arena.friedman(found)
        assert n == 14 and ranks.sum() == pytest.approx(10) and 0 <= p_value <= 1
        assert difference == pytest.approx(1.25, abs=0.005)

    def test_luck_is_gone_on_the_other_half(self):
        rng = np.random.default_rng(1)
        losses = BASE | {name: flat(0.9) for name in "abcdefgh"}
        noise = lambda: rng.normal(scale=0.01, size=2)  # noqa: E731
        found = arena.halves(arena.cases(table(losses, datasets=20, seeds=5, halves=noise)))
        assert found["apparent"]["low"] > 10
        assert abs(found["honest"]["mean"]) < 3
        assert found["same"]["mean"] == pytest.approx(1 / 9, abs=0.07)

    def test_regret_of_the_best_is_none_where_there_is_no_luck(self):
        found = arena.ranking(arena.cases(table(BASE | {"a": flat(0.8)})))
        assert found["regret"].to_dict() == pytest.approx({"a": 0, "temperature": 100, "none": 200})
        assert found["best"]["a"] == 1


class TestDecision:
    def decide(self, losses, **options):
        return rules.decision(arena.cases(table(BASE | losses, **options)), ORDER)

    def test_a_clear_best_is_resolved(self):
        found = self.decide({"a": lambda dataset, seed: 0.8 + 0.001 * dataset})
        assert found["best"] == found["use"] == "a" and found["left"] == ["a"]

    def test_the_simplest_stands_where_nothing_is_told_apart(self):
        noise = np.random.default_rng(2).normal(scale=0.05, size=4)
        found = self.decide({"a": lambda dataset, seed: 0.9 + noise[dataset] - noise.max() / 4})
        assert found["use"] == "temperature" and "a" in found["left"]

    def test_two_data_sets_tell_nothing_apart(self):
        found = self.decide({"a": flat(0.5)}, datasets=2)
        assert found["best"] == "a" and found["use"] == "temperature"


@pytest.fixture(scope="module")
def stored():
    return load_results("arena")
