"""``calib check``: exit status, what is printed, and what is left behind."""

import json
import re

import numpy as np
import pytest
from tempered_models import drawn, outputs, write
from weeks import week, write_csv

import calib
import calib_report
from calib_report.commands.check import number_in_words
from calib_report.commands.main import main


def test_a_file_that_looks_wrong_ends_with_three(tmp_path, capsys):
    shifted = outputs(1.0)
    path = write(tmp_path / "a.npz", **shifted | {"y": np.roll(shifted["y"], 1)})
    assert main(["check", path]) == 3
    assert "BROKEN look at the file first" in capsys.readouterr().out


def test_a_promise_is_printed_only_where_it_is_shown(tmp_path, capsys):
    """Of 400 samples none can show that two in a hundred are wrong at most."""
    y, logits = drawn(400, 1, 3, 1.0)
    path = write(tmp_path / "a.npz", y=y, logits=logits)
    assert main(["check", path, "--max-risk", "0.02"]) == 3
    line = capsys.readouterr().out
    assert "BROKEN of no answers it is shown" in line and "may be decided" not in line


def test_a_number_is_printed_with_the_digits_of_its_value():
    row = {"value": 0.00123, "low": 0.001, "high": 0.002, "chance": 0.0004567}
    assert number_in_words(row) == "0.00123 (0.00100 to 0.00200)  calibrated: 0.00046"
    assert number_in_words({"value": 0.5}) == "0.5000"


def test_what_is_said_of_a_file_is_said_of_the_one_that_it_is_held_to(folder, capsys):
    rows = [f"{int(k % 10 < 7)},0.{6 + k % 3}" for k in range(200)]
    (folder / "a.csv").write_text("\n".join(["gold,how_sure", *rows]))
    options = ["--y", "gold", "--scores", "how_sure", "--pairs", "--seed", "5"]
    assert main(["check", "a.csv", *options]) == 0
    assert capsys.readouterr().out.startswith("accuracy ")
    assert main(["check", "a.csv", *options, "--against", "a.csv"]) == 0
    assert "less that of a.csv" in capsys.readouterr().out


def test_each_class_is_watched_where_that_is_asked(folder, capsys):
    path = write(folder / "a.npz", **outputs(1.0, n=300, n_classes=3))
    for options, n_lines in (([], 2), (["--by-class"], 5)):
        (folder / "gate.json").unlink(missing_ok=True)
        main(["check", path, "--memory", "gate.json", *options])
        assert len(capsys.readouterr().out.splitlines()) == n_lines


def test_a_rule_is_broken_where_chance_does_not_explain_it(tmp_path, npz, capsys):
    """The error is about .15: a bound inside its interval holds, one below it does not."""
    error = calib_report.make_report(npz)["before"]["ECE"]
    inside, below = (error["low"] + error["value"]) / 2, error["low"] - 0.01
    assert main(["check", npz]) == 0
    printed = dict(line.split(None, 1) for line in capsys.readouterr().out.splitlines())
    assert printed["ECE"].startswith(f"{error['value']:.4f} ({error['low']:.4f} to")
    assert main(["check", npz, "--max", f"ece={inside}", "--min", "accuracy=0.2"]) == 0
    assert main(["check", npz, "--max", f"ece={below}"]) == 3
    assert main(["check", npz, "--min", "accuracy=0.99"]) == 3
    assert capsys.readouterr().out.count("BROKEN") == 2


@pytest.mark.slow
def test_a_model_is_held_to_a_base_paired_or_by_its_report(tmp_path, npz, capsys):
    better = write(tmp_path / "better.npz", **outputs(1.0, n=800))
    base = tmp_path / "base.json"
    assert main(["report", better, "-o", str(base)]) == 0
    for against in (better, str(base)):
        assert main(["check", npz, "--against", against]) == 3
        assert main(["check", better, "--against", against]) == 0
    printed = capsys.readouterr().out
    assert (
        "BROKEN NLL less that of better.npz" in printed
        and "BROKEN ECE less that of base" in printed
    )


def test_the_share_decided_alone_keeps_its_bound_on_new_samples(tmp_path, capsys):
    y, logits = drawn(4000, 1, 3, 2.0)
    path = write(tmp_path / "a.npz", y=y, logits=logits)
    assert main(["check", path, "--max-risk", "0.1"]) == 0
    printed = capsys.readouterr().out
    threshold = float(re.search(r"confidence of ([\d.]+) on", printed)[1])
    bound = float(re.search(r"at most ([\d.]+) % \(95 %", printed)[1]) / 100
    assert bound <= 0.1
    y, logits = drawn(50_000, 2, 3, 2.0)
    p = calib.softmax(logits)
    is_kept = p.max(axis=1) >= threshold
    assert (p.argmax(axis=1) != y)[is_kept].mean() < bound


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "check outputs.npz --max area=0.1",
            "--max: 'area', expected NAME=NUMBER, with one of 'accuracy', 'nll', 'brier', 'ece'",
        ),
        ("check outputs.npz --max 0.1", "--max: '0.1', expected NAME=NUMBER"),
        (
            "check outputs.npz --min auroc=0.8",
            "--min: 'auroc' is of one event, and here are more classes; "
            "auroc-of-the-confidence is of all answers",
        ),
        ("check outputs.npz --max ece=low", "--max: ece=low, expected a finite number"),
        ("check outputs.npz --max ece=nan", "--max: ece=nan, expected a finite number"),
        ("check outputs.npz --min nll=inf", "--min: nll=inf, expected a finite number"),
        (
            "check outputs.npz --seed -1",
            "--seed: -1, expected an integer of at least 0",
        ),
        (
            "check outputs.npz --max-risk 3",
            "--max-risk: 3.0, expected a number between 0 and 1",
        ),
    ],
)
def test_wrong_arguments_get_one_line_and_leave_nothing(line, message, refused_line):
    assert message in refused_line(line)


def check_with_memory(folder, outputs, *options):
    """The status of a look of which `gate.json` keeps a memory."""
    file = write_csv(folder / "week.csv", outputs)
    state = str(folder / "gate.json")
    return main(["check", file, "--positive", "yes", "--memory", state, *options])


def test_looks_end_with_four_until_labels_suffice_and_with_three_once_it_breaks(
    tmp_path, capsys
):
    """From the third week on the event is a fifth less frequent than is said."""
    weeks = [week(number, 2000, -0.2 * (number > 1)) for number in range(4)]
    statuses = [check_with_memory(tmp_path, outputs) for outputs in weeks]
    assert statuses[0] == 4 and statuses[-1] == 3
    printed = capsys.readouterr().out
    assert "look 4: how often it is 'yes', against its probability" in printed


def test_a_broken_rule_counts_beside_a_promise_that_is_kept(tmp_path):
    large = week(0, 20_000)
    assert check_with_memory(tmp_path, large) == 0
    assert check_with_memory(tmp_path, large, "--min", "accuracy=0.99") == 3


def test_a_broken_rule_is_told_before_labels_that_do_not_suffice_yet(tmp_path):
    look = week(0)
    assert check_with_memory(tmp_path, look, "--min", "accuracy=0.2") == 4
    assert check_with_memory(tmp_path, look, "--min", "accuracy=0.99") == 3


def test_a_look_at_several_files_has_all_their_names(tmp_path):
    outputs = week(0)
    lines = [
        json.dumps({"confidence": score, "correct": int(hit)})
        for score, hit in zip(outputs.prob[:, 1], outputs.y, strict=True)
    ]
    half = len(lines) // 2
    for name, rows in [("a.jsonl", lines[:half]), ("b.jsonl", lines[half:])]:
        (tmp_path / name).write_text("\n".join(rows))
    files = [str(tmp_path / name) for name in ("a.jsonl", "b.jsonl")]
    state = tmp_path / "gate.json"
    assert main(["check", *files, "--memory", str(state)]) == 4
    assert '"a.jsonl, b.jsonl"' in state.read_text("utf-8")


def test_what_is_refused_leaves_the_memory_as_it_was(tmp_path):
    state = tmp_path / "gate.json"
    check_with_memory(tmp_path, week(0))
    before = state.read_bytes()
    other = tmp_path / "other.csv"
    other.write_text("label,p_a,p_b\na,0.8,0.2\nb,0.4,0.6\n")
    assert main(["check", str(other), "--memory", str(state)]) == 2
    assert state.read_bytes() == before


def test_a_look_that_cannot_be_told_is_not_remembered(tmp_path, monkeypatch):
    """Standard output takes nothing more: status 2 says that nothing is written."""
    with open("/dev/full", "w") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert check_with_memory(tmp_path, week(0)) == 2
    assert not (tmp_path / "gate.json").exists()
