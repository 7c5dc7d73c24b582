"""Members, their mean, and the two orders of pooling and calibrating."""

from stored_rows import same

from evidence.studies.promises import ensembles


def test_an_ensemble_is_computed_again():
    same(ensembles.ensemble("20news-dan1-w100"), "ensembles")
