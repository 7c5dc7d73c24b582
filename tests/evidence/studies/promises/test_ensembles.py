"""Members, their mean, and the two orders of pooling and calibrating."""

import numpy as np
import pytest
from stored_rows import same

from evidence.studies.promises import ensembles


def test_an_ensemble_is_computed_again():
    same(ensembles.ensemble("20news-dan1-w100"), "ensembles")


P = np.array([[0.5, 0.5], [0.25, 0.75]])
Q = np.array([[0.25, 0.75], [0.5, 0.5]])
Y = np.array([0, 1])


def test_losses_are_means_over_members_sample_by_sample():
    means = ensembles.losses(Y, [P, Q])
    assert means == pytest.approx(
        [(np.log(2) + np.log(4)) / 2, (np.log(4 / 3) + np.log(2)) / 2]
    )


def test_differences_are_less_the_reference_and_of_the_rows_that_are_drawn():
    nll = ensembles.difference_of_nll(Y, [P], [Q])
    assert nll(np.array([0])) == pytest.approx(np.log(2) - np.log(4))
    assert nll(np.array([1, 1])) == pytest.approx(np.log(4 / 3) - np.log(2))
    ece = ensembles.difference_of_ece(Y, [P], [Q])
    rows = np.array([0])  # P says .5 and is right, Q says .75 and is wrong
    assert ece(rows) == pytest.approx(0.5 - 0.75)


def test_members_of_a_setting_differ_in_the_seed_alone():
    for stem, names in ensembles.seeds_by_setting().items():
        assert names == [f"{stem}-s{seed}" for seed in (1, 2, 3)]
