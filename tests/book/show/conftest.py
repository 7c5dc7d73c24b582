"""What functions glue, by its name; figures that are closed again."""

import matplotlib.pyplot as plt
import pytest


@pytest.fixture
def glued(monkeypatch):
    """The values that are glued to the text of a page while a test runs."""
    values = {}

    def keep(name, value, display=True):
        values[name] = value

    monkeypatch.setattr("myst_nb.glue", keep)
    return values


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")
