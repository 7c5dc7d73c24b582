"""People, groups, sets and new worlds: their sources, and a sample of their results again."""

import numpy as np
import pytest
from helpers import SHARED, need_shared

from book.evidence import load_results, load_source, source_names
from data.results import people, sets, worlds

PART = "sources-promises"


@pytest.fixture
def mirror(monkeypatch):
    need_shared("mirror")
    monkeypatch.setenv("CALIB_SOURCES", str(SHARED / "mirror"))


def same(found, stored):
    """Compare rows with the rows of a table that have the same words."""
    for row in found:
        words = {k: v for k, v in row.items() if isinstance(v, str) and v}
        again = stored
        for key, value in words.items():
            again = again[again[key].astype(str) == value]
        assert len(again) == 1, words
        for key, value in row.items():
            if isinstance(value, float):
                assert again[key].item() == pytest.approx(value, rel=1e-6, abs=1e-9), (words, key)


class TestReaders:
    @pytest.mark.shared
    def test_every_source_can_be_read(self, mirror):
        orders = [load_source(name).test.order for name in source_names(PART)]
        assert sum(order.startswith("ferrer") for order in orders) == 8
        assert len(set(orders)) == 10  # each of these in an order of its own


@pytest.mark.shared
class TestAgain:
    def test_gaps_by_label_and_by_people(self, mirror):
        for start in ("baan-snli", "lifeeval gpt"):
            rows = list(people.people(start))
            assert rows
            same(rows, load_results("people"))

    def test_sets(self, mirror):
        same(sets.splits("ferrer-emotion-wav2vec"), load_results("sets"))

    def test_abstention(self, mirror):
        same(sets.abstention("ferrer-pneumonia-resnet50"), load_results("abstention"))

    def test_new_priors(self, mirror):
        same(worlds.worlds("ferrer-pneumonia-resnet50"), load_results("priors"))
        same(worlds.coverage("ferrer-pneumonia-resnet50"), load_results("prior_coverage"))


class TestEnsembles:
    def test_a_sample_again(self):
        rng = np.random.default_rng(0)
        stored = load_results("ensembles")
        for setting in rng.choice(stored.setting.unique(), 2, replace=False):
            same(worlds.ensemble(setting), stored)


def test_priors_by_the_confusion_matrix():
    """With certain predictions both ways count; with a known confusion it is inverted."""
    rng = np.random.default_rng(0)
    confusion = np.array([[0.8, 0.3], [0.2, 0.7]])
    y_own, y = rng.integers(2, size=50_000), (rng.random(50_000) < 0.9).astype(int)
    says = [(rng.random(len(t)) < confusion[1, t]).astype(int) for t in (y_own, y)]
    found = worlds.confusion_priors(np.eye(2)[says[0]], y_own, np.eye(2)[says[1]])
    assert found == pytest.approx([0.1, 0.9], abs=0.02)


def test_true_values_are_limits_of_draws():
    rng = np.random.default_rng(0)
    score = rng.random(40)
    truth = score**2
    drawn = rng.integers(40, size=200_000)
    hit = rng.random(200_000) < truth[drawn]
    for estimator, metric in people.ESTIMATORS.items():
        limit = people.true_value(estimator, score, truth)
        assert metric(hit, score[drawn]) == pytest.approx(limit, abs=0.01)
    assert people.exact(np.repeat([0.2, 0.8], 40), np.repeat([0.3, 0.8], 40)) == pytest.approx(0.05)
    assert people.exact(score, truth) == ""
