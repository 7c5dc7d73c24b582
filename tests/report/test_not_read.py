"""A file that is not read: it is shown how it could be, and a person is asked."""

import json

import numpy as np
import pandas as pd
import pytest
from combined_files import BEST, EVENT, HIT, MARGIN, NAMED, NAMES, P_EVENT, TOP

from calib_report.commands.main import main
from calib_report.contract import CONTRACT


def test_a_file_that_does_not_say_all_is_shown_and_nothing_is_written(folder, capsys):
    table = pd.DataFrame(
        {"gold": NAMED, "pred": np.array(NAMES)[BEST], "confidence": TOP}
    )
    table.to_csv("a.csv", index=False)
    assert main(["report", "a.csv", "-o", "r.html"]) == 2
    printed = capsys.readouterr().err
    command = (
        "calib report a.csv -o r.html --y gold --scores confidence --predicted pred"
    )
    assert (
        command in printed
        and "row 0: says it is right with" in printed
        and "mean confidence" in printed
    )
    assert [path.name for path in folder.iterdir()] == ["a.csv"]
    assert main(["look", "a.csv"]) == 2
    assert "--predicted pred" in capsys.readouterr().out
    chosen = command.replace("report", "look").replace(" -o r.html", "")
    assert main(chosen.split()[1:]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("a.csv is read so:\n  calib report a.csv -o report.html")
    assert "could be read" not in printed
    assert main(command.split()[1:]) == 0
    assert json.loads((folder / "r.json").read_text())["hit_rate"] == pytest.approx(
        HIT.mean()
    )
    page = (folder / "r.html").read_text()
    assert "Read as: &#39;confidence&#39; says how sure" in page and command in page
    pd.DataFrame({"x": MARGIN}).to_csv("b.csv", index=False)
    assert main(["check", "b.csv"]) == 2 and CONTRACT in capsys.readouterr().err


class Terminal:
    """A stream that a person sits at."""

    def __init__(self, answer):
        self.answer = answer

    def isatty(self):
        return True

    def readline(self):
        return self.answer


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("\n", 2)])
def test_at_a_terminal_it_asks(folder, monkeypatch, capsys, answer, status):
    pd.DataFrame({"ill": np.where(EVENT, "yes", "no"), "score": P_EVENT}).to_csv(
        "a.csv", index=False
    )
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["check", "a.csv"]) == status
    printed = capsys.readouterr()
    assert "read it so? [y/N]" in printed.err and ("accuracy" in printed.out) == (
        status == 0
    )
