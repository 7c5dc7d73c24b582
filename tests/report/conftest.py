"""Whole reports draw less here; the doctest of `make_report`, and processes, draw it all."""

from pathlib import Path

import numpy as np
import pytest
from tempered_models import outputs, write

import calib
from calib_report.commands.main import main


@pytest.fixture(scope="module", autouse=True)
def few_draws():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calib_report.measuring.two_models.N_RESAMPLES_OF_TWO", 10)
        patch.setattr("calib_report.measuring.measure.N_RESAMPLES", 100)
        patch.setattr("calib_report.measuring.measure.N_RESAMPLES_OF_MANY", 100)
        patch.setattr("calib_report.measuring.measure.N_DRAWS", 19)
        yield


@pytest.fixture
def npz(tmp_path):
    return write(tmp_path / "outputs.npz", **outputs(2.0, n=800))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def needs_a_map(tmp_path):
    """Outputs of a model that needs a map."""
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(400, 8))
    y = (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)
    np.savez(tmp_path / "a.npz", logits=3 * logits, y=y)
    return tmp_path / "a.npz"


@pytest.fixture
def refused_line(npz, tmp_path, monkeypatch, capsys):
    """A function of a line whose arguments are wrong; it returns the one line of the error."""
    monkeypatch.chdir(tmp_path)
    source = outputs(2.0, n=100)
    np.save("y.npy", source["y"])
    np.savez("wide.npz", logits=np.ones((2, 5)))
    calib.save_map(calib.VectorScaling().fit(source["logits"], source["y"]), "map.json")
    (tmp_path / "b-map.json").write_bytes(Path(npz).read_bytes())
    (tmp_path / "cl.json").write_text("a\nb\nc\nd\n")
    (tmp_path / "co.json").write_text("0,1\n1,0\n")
    for folder in ("folder.html", "c.json"):
        (tmp_path / folder).mkdir()

    def refused(line):
        before = sorted(tmp_path.iterdir())
        assert main(line.split()) == 2
        *notes, error = capsys.readouterr().err.splitlines()
        assert all("note:" in line for line in notes)
        assert sorted(tmp_path.iterdir()) == before
        return error

    return refused
