"""Tables of results that a test writes by hand."""

import pandas as pd
import pytest

from evidence.claims import frames


@pytest.fixture
def give_table(monkeypatch):
    """Put rows in the place of a stored table; all other tables are as they are."""
    real = frames.read_table
    given = {}
    monkeypatch.setattr(
        frames, "read_table", lambda path: given[path] if path in given else real(path)
    )

    def give(path, rows):
        given[path] = pd.DataFrame(rows)

    return give
