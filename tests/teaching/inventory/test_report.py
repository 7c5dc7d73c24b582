"""The command `items`: forms out, and then what a class tells."""

import csv
import io
import zipfile

import numpy as np
import pytest
from simulated_class import K, N, a_class, responses

from teaching.inventory.report import items
from teaching.inventory.statements import ITEMS


@pytest.mark.slow
def test_the_command_writes_forms_and_then_what_a_class_tells(tmp_path):
    (tmp_path / "roster.csv").write_text(
        "student,name\n" + "".join(f"s{i},S{i}\n" for i in range(N))
    )
    assert "put the answers into before.csv" in list(items(tmp_path))[-1]
    place = tmp_path / "items"
    gift = (place / "inventory.gift").read_text("utf-8")
    assert gift.count("~%100%") == 11 * K and all(
        f"::{item['id']}::" in gift for item in ITEMS
    )
    with zipfile.ZipFile(place / "inventory-qti.zip") as packed:
        text = "".join(packed.read(name).decode() for name in packed.namelist())
    assert all(item["id"] in text for item in ITEMS)
    assert (place / "inventory.html").read_text("utf-8").count("&#9633;") == 11 * K
    before, after = a_class("guessing", 1)[0], a_class("calibrated", 2)[0]
    before.prob[0, 3:] = np.nan
    (place / "before.csv").write_text(responses(before, "own"))
    (place / "after.csv").write_text(responses(after, "moodle"))
    lines = list(items(tmp_path))
    assert lines[0] == "before: s0 answered less than half, left out"
    assert "before: 29 students" in lines[1] and "after: 30 students" in lines[2]
    assert (
        "overconfident" in lines[1]
        and "gain of the 29 who answered twice: +" in lines[3]
    )
    again = (place / "class.svg").read_bytes()
    list(items(tmp_path))
    assert again == (place / "class.svg").read_bytes() and b"chance alone" in again
    table = list(csv.DictReader(io.StringIO((place / "items.csv").read_text("utf-8"))))
    assert len(table) == K and 0 <= float(table[0]["difficulty after"]) <= 1
