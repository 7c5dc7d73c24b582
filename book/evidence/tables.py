"""Write tables of dictionaries."""

import csv
import io
from typing import Any


def csv_bytes(rows: list[dict[str, Any]]) -> bytes:
    """Return the CSV table of dictionaries that have the same keys; there is one at least.

    >>> csv_bytes([{"name": "a", "n": 1}, {"name": "b", "n": 2}])
    b'name,n\\na,1\\nb,2\\n'
    """
    text = io.StringIO()
    table = csv.DictWriter(text, rows[0].keys(), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue().encode()
