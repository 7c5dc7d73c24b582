"""What comes of a file, by hand: at once, as is proposed, as is typed, or not at all."""

from types import SimpleNamespace

import pytest

from evidence.studies.software import reading_of_files as study


class Read:
    """Three rows of logits."""

    kind = "logits"

    def __len__(self):
        return 3


@pytest.fixture
def outcome(monkeypatch, tmp_path):
    """What comes of a file that is read at once, after a proposal, or as typed."""

    def of(*, at_once=None, proposed=(), after=None, typed=None):
        def reading(case, folder, options):
            assert options in ({}, after)
            outputs = typed if options else at_once
            return outputs, "" if outputs else f"{folder}/a.csv: no labels"

        monkeypatch.setattr(study, "reading", reading)
        monkeypatch.setattr(
            study,
            "proposals",
            lambda case, folder: (list(proposed), f"{folder}/a.csv: nothing"),
        )
        case = SimpleNamespace(name="a.csv", tool="a tool", after=after)
        row = study.outcome(case, tmp_path)
        assert (row["file"], row["by"]) == ("a.csv", "a tool")
        return row["typed"], row["what comes of it"]

    return of


def proposal(folder, outputs):
    command = f"calib report {folder}/a.csv --label y"
    return SimpleNamespace(outputs=outputs, command=lambda: command)


def test_what_is_read_at_once_needs_nothing_typed(outcome):
    assert outcome(at_once=Read()) == ("", "logits, 3 rows")


def test_the_first_proposal_is_typed_without_the_folder(outcome, tmp_path):
    both = [proposal(tmp_path, Read()), proposal(tmp_path, None)]
    assert outcome(proposed=both) == ("report a.csv --label y", "logits, 3 rows")


def test_without_a_proposal_a_person_types_what_the_case_says(outcome):
    typed, answer = outcome(after={"labels": "y"}, typed=Read())
    assert (typed, answer) == ("--labels y", "logits, 3 rows")


def test_what_is_never_read_has_the_last_error(outcome):
    assert outcome() == ("", "a.csv: nothing")
