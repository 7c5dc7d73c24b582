"""Reports of these tests draw less; the doctest of `make_report` and processes draw it all."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def few_draws():
    draws = {"comparison.N_RESAMPLES": 10, "measure.N_RESAMPLES": 100, "measure.N_CHANCE": 2}
    with pytest.MonkeyPatch.context() as patch:
        for name, number in draws.items():
            patch.setattr(f"calib_report.{name}", number)
        yield
