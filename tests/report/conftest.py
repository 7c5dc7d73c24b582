"""Whole reports draw less here; the doctest of `make_report`, and processes, draw it all."""

import pytest
from tempered_models import outputs, write


@pytest.fixture(scope="module", autouse=True)
def few_draws():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calib_report.commands.two_models.N_RESAMPLES_OF_TWO", 10)
        patch.setattr("calib_report.measuring.measure.N_RESAMPLES", 100)
        patch.setattr("calib_report.measuring.measure.N_RESAMPLES_OF_MANY", 100)
        patch.setattr("calib_report.measuring.measure.N_CHANCE", 19)
        yield


@pytest.fixture
def npz(tmp_path):
    return write(tmp_path / "outputs.npz", **outputs(2.0, n=800))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path
