"""What was computed before with the same code is read, and nothing else is."""

import numpy as np
import pandas as pd
import pytest

from evidence import pieces
from evidence.claims import estimates, laplace, likelihood_cache, shares

ROWS = pd.DataFrame(
    {"dataset": ["a", "b"], "author": "", "kin": "", "networks": 3, "total": [3, 1]}
)


@pytest.fixture
def computed(monkeypatch):
    """The counts of which a likelihood was computed, and not read."""
    counts, right = [], shares.log_likelihood

    def counting(n, agree, codes):
        counts.append(agree.tolist())
        return right(n, agree, codes)

    monkeypatch.setattr(shares, "log_likelihood", counting)
    return counts


def test_a_likelihood_is_computed_once_for_the_same_counts(tmp_path, computed):
    first = likelihood_cache.cached_likelihood(tmp_path)(ROWS)
    again = likelihood_cache.cached_likelihood(tmp_path)(ROWS)
    assert computed == [[3, 1]]
    expected = estimates.likelihood_of(ROWS)
    for likelihood in (first, again):
        assert likelihood.drawn == expected.drawn
        np.testing.assert_array_equal(likelihood.log, expected.log)


def test_other_counts_and_other_networks_are_computed(tmp_path, computed):
    likelihood_of = likelihood_cache.cached_likelihood(tmp_path)
    for rows in (ROWS, ROWS.assign(total=[3, 2]), ROWS.assign(kin=["x", "y"])):
        likelihood_of(rows)
    assert computed == [[3, 1], [3, 2], [3, 1]]


def test_other_code_computes_all_again(tmp_path, computed, monkeypatch):
    likelihood_cache.cached_likelihood(tmp_path)(ROWS)
    monkeypatch.setattr(likelihood_cache, "MODEL", (shares, laplace, estimates))
    likelihood_cache.cached_likelihood(tmp_path)(ROWS)
    assert computed == [[3, 1], [3, 1]]


def test_other_packages_compute_all_again(tmp_path, computed, monkeypatch):
    lock = tmp_path / "requirements.lock"
    monkeypatch.setattr(pieces, "LOCK", lock)
    for packages in ("numpy==2.0", "numpy==2.0", "numpy==2.1"):
        lock.write_text(packages)
        likelihood_cache.cached_likelihood(tmp_path / "kept")(ROWS)
    assert computed == [[3, 1], [3, 1]]
