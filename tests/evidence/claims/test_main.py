"""The command of the ledger: one claim alone, and what it refuses."""

import sys

import pytest
import yaml
from entries_of_claims import ENTRY, TEST

from evidence.claims import __main__ as command
from evidence.claims import claim


def test_the_command_says_what_is_wrong_without_a_traceback(monkeypatch, capsys):
    """And of a claim that is not there, the nearest that is."""
    entry = ENTRY | {"evidence": {"zoo": TEST | {"test": "lowerr"}}}
    for entries, name, words in (
        ([entry], "a", "claims.yml: a: zoo: test: 'lowerr' is not known; the nearest"),
        ([ENTRY], "b", "--only: 'b' is not known; there are a"),
    ):
        text = yaml.safe_dump(entries)
        monkeypatch.setattr(
            claim,
            "read_declared",
            lambda path, text=text: text if path.endswith("/claims.yml") else "[]",
        )
        monkeypatch.setattr(sys, "argv", ["evidence.claims", "--only", name])
        with pytest.raises(SystemExit) as ended:
            command.main()
        assert ended.value.code == 2
        assert words in capsys.readouterr().err


def test_a_claim_that_is_not_there_is_refused(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["claims", "--only", "guo-nothing"])
    with pytest.raises(SystemExit, match="2"):
        command.main()
    assert (
        "'guo-nothing' is not known; the nearest name is 'guo-"
        in capsys.readouterr().err
    )


@pytest.mark.slow
def test_one_claim_is_printed_and_nothing_is_stored(monkeypatch, capsys):
    monkeypatch.setattr(command, "compare", None)
    monkeypatch.setattr("sys.argv", ["claims", "--only", "guo-temperature-lowers"])
    command.main()
    printed = capsys.readouterr().out
    assert "guo-temperature-lowers" in printed and "share_low" in printed
