"""A file that is not read: it is shown how it could be, and a person is asked."""

import json

import numpy as np
import pandas as pd
import pytest
from combined_files import BEST, EVENT, HIT, MARGIN, NAMED, NAMES, P_EVENT, TOP

from calib_report.commands.main import main
from calib_report.contract import CONTRACT

OPTIONS = "--y gold --scores confidence --predicted pred"
CHOSEN = f"report a.csv -o r.html {OPTIONS}"


@pytest.fixture
def answers(folder):
    """A folder with `a.csv`: labels, answers and confidences whose names do not say all."""
    columns = {"gold": NAMED, "pred": np.array(NAMES)[BEST], "confidence": TOP}
    pd.DataFrame(columns).to_csv("a.csv", index=False)
    return folder


def test_a_file_that_does_not_say_all_is_shown_and_nothing_is_written(answers, capsys):
    assert main(["report", "a.csv", "-o", "r.html"]) == 2
    shown = capsys.readouterr().err
    assert f"calib {CHOSEN}" in shown
    assert "row 0: says it is right with" in shown and "mean confidence" in shown
    assert [path.name for path in answers.iterdir()] == ["a.csv"]


def test_who_looks_is_shown_how_a_file_could_be_read_or_is(answers, capsys):
    assert main(["look", "a.csv"]) == 2
    assert "--predicted pred" in capsys.readouterr().out
    assert main(["look", "a.csv", *OPTIONS.split()]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("a.csv is read so:\n  calib report a.csv -o report.html")
    assert "could be read" not in shown


def test_the_page_says_how_a_file_was_read_and_by_which_command(answers):
    assert main(CHOSEN.split()) == 0
    numbers = json.loads((answers / "r.json").read_text())
    assert numbers["hit_rate"] == pytest.approx(HIT.mean())
    page = (answers / "r.html").read_text()
    assert "Read as: &#39;confidence&#39; says how sure" in page
    assert f"calib {CHOSEN}" in page


def test_of_a_file_that_nothing_reads_the_contract_is_shown(folder, capsys):
    pd.DataFrame({"x": MARGIN}).to_csv("b.csv", index=False)
    assert main(["check", "b.csv"]) == 2
    assert CONTRACT in capsys.readouterr().err


class Terminal:
    """A stream that a person sits at."""

    def __init__(self, answer):
        self.answer = answer

    def isatty(self):
        return True

    def readline(self):
        return self.answer


@pytest.fixture
def at_terminal(monkeypatch):
    """What puts a person at a terminal, who gives an answer."""

    def sit(answer):
        monkeypatch.setattr("sys.stdin", Terminal(answer))
        monkeypatch.setattr("sys.stderr.isatty", lambda: True)

    return sit


@pytest.mark.parametrize("positive", ["yes", "no"])
def test_a_reading_that_is_wanted_takes_back_what_was_typed(
    folder, at_terminal, positive
):
    """An answer is right where it is the label: then no label is the event."""
    label = np.where(EVENT, "yes", "no")
    prediction = np.where(HIT == 1, label, np.where(EVENT, "no", "yes"))
    columns = {"label": label, "confidence": TOP, "prediction": prediction}
    pd.DataFrame(columns).to_csv("a.csv", index=False)
    at_terminal("y\n")
    read_as_typed = ["--y", "label", "--scores", "confidence"]
    typed = ["report", "a.csv", *read_as_typed, "--positive", positive]
    assert main([*typed, "-o", "r.html"]) == 0
    report = json.loads((folder / "r.json").read_text())
    assert report["hit_rate"] == pytest.approx(HIT.mean())
    assert report["provenance"]["command"].endswith("confidence --predicted prediction")


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("\n", 2)])
def test_at_a_terminal_it_asks(folder, at_terminal, capsys, answer, status):
    pd.DataFrame({"ill": np.where(EVENT, "yes", "no"), "score": P_EVENT}).to_csv(
        "a.csv", index=False
    )
    at_terminal(answer)
    assert main(["check", "a.csv"]) == status
    printed = capsys.readouterr()
    assert "read it so? [y/N]" in printed.err and ("accuracy" in printed.out) == (
        status == 0
    )
